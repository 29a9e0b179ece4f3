"""Ctrl-C while the library works: it stops, the caller hears it, and nothing goes on with the caller's memory."""

import _thread
import ctypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from sapper import exact_value, read_board, win_chance
from sapper._kernels.interruptible import run_interruptibly

ENDLESS = 10**12
"""More sets than are looked at in an hour."""


def test_the_result_is_that_of_the_call() -> None:
    assert run_interruptibly(lambda stop: ctypes.c_uint8.from_address(stop).value) == 0


def test_an_interrupt_stops_the_call_and_is_raised_after_its_end() -> None:
    has_ended = False

    def call(stop: int) -> None:
        nonlocal has_ended
        _thread.interrupt_main()
        while not ctypes.c_uint8.from_address(stop).value:
            pass
        has_ended = True

    with pytest.raises(KeyboardInterrupt):
        run_interruptibly(call)
    assert has_ended


@contextmanager
def _interrupt_soon() -> Iterator[None]:
    threading.Timer(0.3, _thread.interrupt_main).start()
    yield


def test_the_search_of_a_whole_game_hears_it() -> None:
    with pytest.raises(KeyboardInterrupt), _interrupt_soon():
        exact_value(5, 5, 10, sets=ENDLESS)


def test_the_search_of_an_endgame_hears_it() -> None:
    board = read_board("5x5/10\n" + 5 * "#####\n")
    with pytest.raises(KeyboardInterrupt), _interrupt_soon():
        win_chance(board, most_layouts=4_000_000, nodes=ENDLESS)


def test_an_error_is_that_of_the_call() -> None:
    def fail(_: int) -> None:
        raise MemoryError("no room")

    with pytest.raises(MemoryError, match="no room"):
        run_interruptibly(fail)
