"""What a terminal can show."""

import io

import pytest

from sapper.cli import terminal


class _Terminal(io.StringIO):
    """A standard output that says it is a terminal."""

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return -1


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"TERM": "xterm"}, 8),
        ({"TERM": "xterm-256color"}, 256),
        ({"TERM": "xterm-direct"}, 256),
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, 256),
        ({"TERM": "xterm", "COLORTERM": "1"}, 8),
        ({"TERM": "dumb"}, 0),
        ({}, 0),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, 0),
        ({"TERM": "xterm", "NO_COLOR": ""}, 8),  # set, but empty, says nothing
    ],
)
def test_colours(environment: dict[str, str], expected: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TERM", "COLORTERM", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert terminal.colours() == 0  # standard output is no terminal here
    monkeypatch.setattr("sys.stdout", _Terminal())
    assert terminal.colours() == expected


@pytest.mark.parametrize(
    ("choice", "term", "expected"),
    [("always", "", 8), ("always", "xterm-256color", 256), ("never", "xterm", 0), ("auto", "xterm", 0)],
)
def test_a_setting_says_otherwise(choice: str, term: str, expected: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAPPER_SCREEN_COLOUR", choice)
    monkeypatch.setenv("TERM", term)
    monkeypatch.delenv("COLORTERM", raising=False)
    monkeypatch.setenv("NO_COLOR", "1" if choice == "always" else "")
    assert terminal.colours() == expected  # standard output is no terminal here


def test_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    assert terminal.columns() is None
    monkeypatch.setattr("sys.stdout", _Terminal())
    assert terminal.columns() is None  # a terminal that does not say how wide it is


def test_no_standard_output(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout", None)
    assert (terminal.colours(), terminal.columns()) == (0, None)
