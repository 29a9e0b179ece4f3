"""A stopwatch counts while it runs, never twice, never backwards."""

import pytest
from hypothesis import given, strategies as st

from sapper.session.clock import Stopwatch, system_clock
from tests.sessions import HandClock


def test_it_counts_while_it_runs() -> None:
    clock = HandClock(1000)
    watch = Stopwatch(clock)
    assert (watch.elapsed, watch.is_running) == (0, False)
    watch.start()
    clock.now += 5
    assert (watch.elapsed, watch.is_running) == (5, True)
    watch.stop()
    clock.now += 7
    assert (watch.elapsed, watch.is_running) == (5, False)
    watch.start()
    clock.now += 1
    assert watch.elapsed == 6


def test_starting_twice_does_not_count_twice() -> None:
    clock = HandClock()
    watch = Stopwatch(clock)
    watch.start()
    clock.now = 10
    watch.start()
    clock.now = 15
    assert watch.elapsed == 15


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
        before = watch.elapsed
        expected += max(0, passed) if running else 0
        if deed == "start":
            watch.start()
            running = True
        elif deed == "stop":
            watch.stop()
            running = False
        assert before == watch.elapsed == expected
        assert watch.is_running is running


def test_the_system_s_clock_does_not_go_back() -> None:
    assert 0 <= system_clock() <= system_clock()


@pytest.mark.parametrize("elapsed", [0, 26 * 3600 * 1000])
def test_stopping_a_watch_that_stands_changes_nothing(elapsed: int) -> None:
    watch = Stopwatch(HandClock())
    watch.set(elapsed)
    watch.stop()
    assert watch.elapsed == elapsed
