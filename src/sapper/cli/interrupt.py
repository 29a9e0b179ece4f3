"""What signals do: Ctrl-C while the program is still loading (one line and the usual exit code, as later), and during a command."""

import os
import signal

TYPE_CHECKING = False  # importing typing would take longer than all else here
if TYPE_CHECKING:
    from collections.abc import Callable

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


class OnSignals:
    """Within a `with` block, the signals of these names, those that the system has, are handled so."""

    def __init__(self, handler: "Callable[..., object]", *names: str) -> None:
        self._handler = handler
        self._numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]

    def __enter__(self) -> None:
        self._before = {number: signal.signal(number, self._handler) for number in self._numbers}

    def __exit__(self, *_: object) -> None:
        for number, earlier in self._before.items():
            signal.signal(number, earlier)
