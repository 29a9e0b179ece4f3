"""The terminal that this system has: termios where there is one, else a console of Windows."""

import importlib.util
import sys

from sapper.errors import UnavailableError
from sapper.terminal.full_screen import FullScreen


def check_terminal() -> None:
    """Raise `UnavailableError` unless standard input and output are a terminal that can be switched."""
    if not _has_termios():
        from sapper.terminal.console import check_console  # noqa: PLC0415  # only where it is needed

        check_console()
    for stream, name in ((sys.stdin, "input"), (sys.stdout, "output")):
        if stream is None or not stream.isatty():
            raise UnavailableError(f"the client needs a terminal, and standard {name} is none")


def open_terminal() -> FullScreen:
    if _has_termios():
        from sapper.terminal.tty import Terminal  # noqa: PLC0415

        return Terminal()
    from sapper.terminal.console import Console  # noqa: PLC0415

    return Console()


def _has_termios() -> bool:
    return importlib.util.find_spec("termios") is not None
