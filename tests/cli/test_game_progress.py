"""What a run shows on standard error: a bar on a terminal, nothing elsewhere."""

import io

import pytest

from sapper.cli.game_progress import GameProgress


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def _run(stream: io.StringIO) -> str:
    with GameProgress(10, stream) as screen:
        screen.ready()
        for _ in range(10):
            screen.advance()
    return stream.getvalue()


def test_elsewhere_nothing_is_shown() -> None:
    assert _run(io.StringIO()) == ""


def test_on_a_terminal_there_is_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    # Not the terminal of whoever runs the tests.
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    for name in ("TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    assert "10/10" in _run(_Terminal())
