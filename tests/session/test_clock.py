"""A stopwatch counts while it runs, never twice, never backwards."""

from hypothesis import given, strategies as st

from sapper.session.clock import Stopwatch
from tests.sessions import HandClock


def test_it_can_be_set() -> None:
    clock = HandClock(50)
    watch = Stopwatch(clock)
    watch.start()
    watch.set(7)
    clock.now += 100
    assert (watch.elapsed, watch.is_running) == (7, False)


@given(st.lists(st.tuples(st.sampled_from(["start", "stop", "look"]), st.integers(-100, 100))))
def test_whatever_the_clock_does_time_is_what_passed_while_it_ran(steps: list[tuple[str, int]]) -> None:
    clock = HandClock()
    watch = Stopwatch(clock)
    running, expected = False, 0
    for deed, passed in steps:
        clock.now += passed
        expected += max(0, passed) if running else 0
        if deed == "start":
            watch.start()
            running = True
        elif deed == "stop":
            watch.stop()
            running = False
        assert (watch.elapsed, watch.is_running) == (expected, running)
