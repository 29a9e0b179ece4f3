"""Whole games for callers outside: one player a thread, and what is kept of what was compiled.

Knows: which module plays which strategy, how results come back as tuples.
Does not know: rules by name, boards, processes.
"""

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from sapper._kernels.compiled import compiler
from sapper._kernels.compiled.games import COLUMNS, Batch, make_orders
from sapper._kernels.reference.expert import ExpertParts, parts_of
from sapper._kernels.reference.playing import EndedGame, Series


class CompiledPlayer:
    """Plays games of one series with one strategy. Its scratch is its own: a thread has one for itself."""

    def __init__(self, strategy: str, series: Series, parts: ExpertParts | None = None) -> None:
        """Loads the strategy's kernel, compiling it if no earlier process has. `parts`: instead of the strategy's own."""
        module: Any = import_module(f"sapper._kernels.compiled.games_{strategy}")
        self._play = getattr(module, f"play_{strategy}")
        starts = np.array(series.starts, np.int32)
        cells = np.array(series.cells, np.int32)
        parts = parts or parts_of(strategy)
        wanted = (parts,) if parts else ()
        self._desk = (module.make_desk(starts, cells, series.width, *wanted),) if hasattr(module, "make_desk") else ()
        self._size = starts.size - 1
        self._orders: Batch = make_orders(
            (starts, cells),
            series.width,
            np.array(series.mine_counts, np.int64),
            series.start,
            np.array([series.first], np.int64),
            series.seed,
        )

    def stop(self) -> None:
        """Before the next game. Another thread may call it."""
        self._orders.stop[0] = 1

    def play(self, begin: int, games: int, *, maps: bytes = b"", firsts: list[int] | None = None) -> list[EndedGame]:
        """Play games `begin`, `begin` + 1, … of the series; all of them, or those before `stop`.

        `maps` are the layouts, one byte a cell, 1 at a mine, with the first cell of each in `firsts`; without
        them they are drawn.
        """
        return self._run(begin, games, maps, firsts)

    def play_maps(self, begin: int, games: int) -> tuple[list[EndedGame], bytes]:
        """The same on layouts of their own, with these: one byte a cell, 1 at a mine."""
        maps = np.empty(games * self._size, np.uint8)
        ended = self._run(begin, games, b"", None, maps=maps)
        return ended, maps[: len(ended) * self._size].tobytes()

    def play_moves(
        self, begin: int, games: int, *, maps: bytes = b"", firsts: list[int] | None = None
    ) -> list[tuple[EndedGame, list[int]]]:
        """The same, with the cells that the moves reveal, in order."""
        moves = np.empty(games * self._size, np.int32)
        ended = self._run(begin, games, maps, firsts, moves=moves)
        rows = moves.reshape(games, self._size)
        return [(one, rows[number, : one.moves].tolist()) for number, one in enumerate(ended)]

    def _run(self, begin: int, games: int, given: bytes, firsts: list[int] | None, **wanted: Any) -> list[EndedGame]:
        results = np.zeros(games * COLUMNS, np.int64)
        orders = self._orders._replace(begin=begin, games=games, results=results, **wanted)
        if firsts is not None:
            orders = orders._replace(given=np.frombuffer(given, np.uint8).copy(), firsts=np.array(firsts, np.int64))
        done = self._play(orders, *self._desk)
        return [EndedGame(*row) for row in results.reshape(games, COLUMNS)[:done].tolist()]


def is_kept(strategy: str) -> bool:
    """Whether an earlier process compiled the kernel that plays this strategy, so that it is only loaded."""
    return compiler.is_kept(f"games_{strategy}", f"play_{strategy}")


def folder_of_cache() -> Path:
    """The folder that holds all that was ever compiled."""
    return compiler.cache_folder("games").parent
