"""Ctrl-C while the program is still loading: one line and the usual exit code, as later."""

import os
import signal

_LINE = b"sapper: interrupted\n"
_NO = 1  # ExitCode.NO, whose module is not loaded yet


def guard() -> None:
    """From now on Ctrl-C ends the process at once, where nobody else has said what it does."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


def release() -> None:
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _end(*_: object) -> None:
    # An exception would come up in the middle of an import. Nothing is open yet that would have to be closed.
    os.write(2, _LINE)
    os._exit(_NO)
