"""What a long run shows on standard error: a bar on a terminal, lines elsewhere, and nothing where it is soon done."""

import io

from sapper.cli.progress import Progress


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
