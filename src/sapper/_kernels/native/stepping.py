"""Many games that are played a reveal at a time: the twin of `reference.stepping.PythonStepper`."""

import ctypes
from typing import Any

from sapper._kernels.declarations import BATCH_OF_GAMES
from sapper._kernels.library import BATCH, Table, address_of, check
from sapper._kernels.reference.stepping import AUTORESET_SAME_STEP, StepBuffers, Stepping

WIDTHS = StepBuffers(
    seeds=8, numbers=8, tiles=1, mask=1, final=1, opened=4, outcome=1, revealed=4, steps=4, clues=1, stage=1
)
"""Bytes of an item."""
BY_CELL = ("tiles", "mask", "final", "clues")


class NativeStepper:
    """Steps a batch of games in the library."""

    def __init__(self, order: Stepping, buffers: StepBuffers) -> None:
        """The buffers are kept, not copied."""
        size, games = order.size, order.games
        tables = Table(order.starts, order.cells, 0), Table(order.open_starts, order.open_cells, 0)
        scratch = ctypes.create_string_buffer(4 * size), ctypes.create_string_buffer(size)
        addresses = []
        for name, buffer, width in zip(StepBuffers._fields, buffers, WIDTHS, strict=True):
            items = games * (size if name in BY_CELL else 1)
            is_needed = name != "final" or order.autoreset == AUTORESET_SAME_STEP
            if is_needed and memoryview(buffer).nbytes != items * width:
                raise ValueError(f"the buffer {name} has {memoryview(buffer).nbytes} bytes, not {items * width}")
            addresses.append(address_of(buffer) if is_needed else None)
        self._games = games
        self._kept = tables, scratch, buffers
        self._batch = BATCH_OF_GAMES(
            tables[0].address, tables[1].address, order.mines, order.start, games, order.autoreset, order.limit,
            *addresses, *map(ctypes.addressof, scratch),
        )  # fmt: skip
        self._address = ctypes.addressof(self._batch)

    def begin(self, which: Any) -> None:
        BATCH.sapper_begin_games(self._address, self._row(which, 1))

    def step(self, actions: Any) -> None:
        check(BATCH.sapper_step_games(self._address, self._row(actions, 8)))

    def _row(self, items: Any, width: int) -> bytes:
        view = memoryview(items)
        if view.nbytes != self._games * width or view.itemsize != width:
            raise ValueError(f"one item of {width} bytes for each of {self._games} games")
        return view.tobytes()
