"""What a long run shows on standard error: a bar on a terminal, lines elsewhere, and nothing where it is soon done."""

import io

import pytest

from sapper.cli.progress import Progress, searching


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def _run(stream: io.StringIO, seconds: float) -> str:
    """Ten things that take so long each, after a minute of loading."""
    passed = [100.0]
    with Progress(10, stream, "boards", clock=lambda: passed[0]) as screen:
        passed[0] += 60
        screen.ready()
        for _ in screen.of(range(10)):
            passed[0] += seconds
    return stream.getvalue()


def test_elsewhere_there_is_a_line_each_half_minute() -> None:
    assert _run(io.StringIO(), 5) == "boards: 6 of 10, 0.20 a second, 0:00:20 left\n"
    assert _run(io.StringIO(), 2.9) == ""


def test_what_is_soon_done_shows_nothing() -> None:
    assert _run(_Terminal(), 0.09) == ""


def test_on_a_terminal_there_is_a_bar_with_the_time_that_is_left() -> None:
    shown = _run(_Terminal(), 2)
    assert "boards" in shown
    assert "10/10" in shown
    assert "00:00:1" in shown  # some ten seconds were left at the first look


def test_a_long_search_says_how_far_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    times, tried = iter([0.0, 1.0, 11.0, 12.0, 22.0, 31.0]), iter([0, 1000, 3000, 4000])
    go_on = searching(30.0, lambda: next(tried), clock=lambda: next(times))
    assert [go_on() for _ in range(5)] == [True, True, True, True, False]
    assert capsys.readouterr().err.splitlines() == [
        "sapper: searching: 1,000 boards tried in 11 s",
        "sapper: searching: 3,000 boards tried in 22 s",
    ]
