"""What a run shows on standard error: a bar on a terminal, nothing elsewhere."""

import io

from sapper.cli.game_progress import Screen


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def _run(stream: io.StringIO) -> str:
    with Screen(10, stream) as screen:
        screen.ready()
        for _ in range(10):
            screen.advance()
    return stream.getvalue()


def test_elsewhere_nothing_is_shown() -> None:
    assert _run(io.StringIO()) == ""


def test_on_a_terminal_there_is_a_bar() -> None:
    assert "10/10" in _run(_Terminal())
