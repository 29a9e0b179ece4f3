"""A long call of the library that Ctrl-C ends: Python handles signals in the main thread alone, and not within a call."""

import _thread
import threading
from array import array
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

_T = TypeVar("_T")
_PATIENCE = 0.2
"""Seconds between looks at signals; Windows does not interrupt a wait."""


def run_interruptibly(call: Callable[[int], _T]) -> _T:
    """The result of `call` in another thread. It is given the address of a byte, and returns soon after that is not 0."""
    stop, ended = array("B", [0]), threading.Event()
    results: list[_T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(call(stop.buffer_info()[0]))
        except BaseException as error:  # noqa: BLE001  # whoever called hears of it
            errors.append(error)
        finally:
            ended.set()

    # Not `Thread`: an interrupt in its `start` or `join` leaves open whether it runs, and it would use memory that is given back.
    try:
        try:
            _thread.start_new_thread(run, ())
        except RuntimeError:  # there is no room for a thread
            run()
        while not ended.wait(_PATIENCE):
            pass
    finally:
        stop[0] = 1
        while not ended.is_set():
            with suppress(KeyboardInterrupt):
                ended.wait(_PATIENCE)
    if errors:
        raise errors[0]
    return results[0]
