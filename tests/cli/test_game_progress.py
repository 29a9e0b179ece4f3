"""What a run shows on standard error: nothing but news, and a bar on a terminal only."""

import io

from sapper.cli.game_progress import Screen


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_elsewhere_only_compiling_is_told() -> None:
    stream = io.StringIO()
    with Screen(10, stream) as screen:
        screen.compiling()
        screen.ready()
        for _ in range(10):
            screen.advance()
    assert stream.getvalue() == "sapper: compiling the games; once a machine, half a minute or so\n"


def test_on_a_terminal_there_is_a_bar_and_nothing_stays() -> None:
    stream = _Terminal()
    with Screen(10, stream) as screen:
        screen.compiling()
        told = stream.getvalue()
        assert told.startswith("sapper: compiling the games")
        screen.ready()
        assert stream.getvalue()[len(told) :].startswith(f"\r{' ' * len(told)}\r")
        for _ in range(10):
            screen.advance()
    assert "10/10" in stream.getvalue()
