"""A long search says how far it is: on a terminal a line that goes, elsewhere a line now and then."""

import io

from sapper.cli.search_progress import SearchScreen
from sapper.generator.search_values import SearchStats


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def _searched(stream: io.StringIO, times: list[float]) -> list[bool]:
    """Whether a search of 30 seconds that asks at these times may go on."""
    left = iter([0.0, *times])
    screen, stats = SearchScreen(stream, clock=lambda: next(left)), SearchStats()
    go_on = screen.clock(30.0, stats)
    answers = []
    for number in range(len(times)):
        stats.tried = 1000 * number
        answers.append(go_on())
    screen.found()
    return answers


def test_a_terminal_has_a_line_that_goes() -> None:
    stream = _Terminal()
    assert _searched(stream, [0.5, 2.0, 2.5, 4.0]) == [True] * 4
    *shown, last = stream.getvalue().split("\r")[1:]
    assert shown[:2] == ["searching: 1,000 boards tried in 2 s", "searching: 3,000 boards tried in 4 s"]
    assert (shown[2].strip(), last) == ("", "")


def test_elsewhere_it_is_a_line_in_ten_seconds() -> None:
    stream = io.StringIO()
    assert _searched(stream, [1.0, 11.0, 12.0, 22.0, 31.0]) == [True, True, True, True, False]
    assert stream.getvalue().splitlines() == [
        "sapper: searching: 1,000 boards tried in 11 s", "sapper: searching: 3,000 boards tried in 22 s",
    ]  # fmt: skip


def test_a_quick_search_says_nothing() -> None:
    stream = _Terminal()
    _searched(stream, [0.1, 0.9])
    assert stream.getvalue() == ""
