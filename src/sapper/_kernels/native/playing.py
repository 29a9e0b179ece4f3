"""Whole games by the library: one player a thread."""

import weakref
from array import array
from collections.abc import Sequence
from ctypes import Structure, byref

from sapper._kernels.declarations import PARTS, SERIES
from sapper._kernels.library import BATCH, Table, address_of, check
from sapper._kernels.reference.guess_parts import GuessParts, parts_of
from sapper._kernels.reference.whole_game import EndedGame, Series

STRATEGIES = ("random", "single", "subset", "least-risk", "best-reply")
"""By number."""
_COLUMNS = 4
_MOST = (1 << 31) - 1


def parts_for(parts: GuessParts) -> Structure:
    """The parts as the library takes them."""
    made: Structure = PARTS(*(min(max(part, 0), _MOST) for part in parts))
    return made


class NativePlayer:
    """Plays games of one series with one strategy. Its memory is its own: a thread has one for itself."""

    def __init__(self, strategy: str, series: Series, parts: GuessParts | None = None) -> None:
        """`parts`: instead of the strategy's own."""
        self._table = Table(series.starts, series.cells, series.width)
        self._size = self._table.grid.size
        self._mines = array("i", series.mine_counts)
        mines = self._mines.buffer_info()[0]
        number = STRATEGIES.index(strategy)
        told = SERIES(number, series.start, series.first, len(self._mines), mines, series.seed)
        wanted = parts_for(parts or parts_of(strategy) or GuessParts())
        check(BATCH.sapper_series_check(self._table.address, byref(told)))
        self._player = BATCH.sapper_player_new(self._table.address, byref(told), byref(wanted))
        if not self._player:
            raise MemoryError(f"there is not enough memory to play on {self._size:,} cells")
        weakref.finalize(self, BATCH.sapper_player_free, self._player)
        self._stop = array("B", [0])

    def stop(self) -> None:
        self._stop[0] = 1

    def play(self, begin: int, games: int, *, maps: bytes = b"", firsts: list[int] | None = None) -> list[EndedGame]:
        """Play games `begin`, `begin` + 1, … of the series; all of them, or those before `stop`.

        `maps` are the layouts, one byte a cell, 1 at a mine, with the first cell of each in `firsts`; without
        them they are drawn.
        """
        return self._run(begin, games, maps, firsts)

    def play_maps(self, begin: int, games: int) -> tuple[list[EndedGame], bytes]:
        """The same on layouts of their own, with these: one byte a cell, 1 at a mine."""
        maps = bytearray(games * self._size)
        ended = self._run(begin, games, b"", None, maps=maps)
        return ended, bytes(maps[: len(ended) * self._size])

    def play_moves(
        self, begin: int, games: int, *, maps: bytes = b"", firsts: list[int] | None = None
    ) -> list[tuple[EndedGame, list[int]]]:
        moves = array("i", bytes(4 * games * self._size))
        ended = self._run(begin, games, maps, firsts, moves=moves)
        rows = range(0, len(moves), self._size)
        return [(one, moves[row : row + one.moves].tolist()) for one, row in zip(ended, rows, strict=False)]

    def _run(
        self,
        begin: int,
        games: int,
        given: bytes,
        firsts: Sequence[int] | None,
        moves: "array[int] | None" = None,
        maps: bytearray | None = None,
    ) -> list[EndedGame]:
        if firsts is not None and not len(given) == len(firsts) * self._size == games * self._size:
            raise ValueError(
                f"{len(given)} bytes and {len(firsts)} first cells for {games} games of {self._size} cells"
            )
        ended = array("i", bytes(4 * games * _COLUMNS))
        cells = None if firsts is None else array("i", firsts)
        done = check(
            BATCH.sapper_play(
                self._player,
                begin,
                games,
                None if firsts is None else given,
                None if cells is None else cells.buffer_info()[0],
                ended.buffer_info()[0],
                None if moves is None else moves.buffer_info()[0],
                None if maps is None else address_of(maps),
                self._stop.buffer_info()[0],
            )
        )
        return [EndedGame(*ended[at : at + _COLUMNS]) for at in range(0, done * _COLUMNS, _COLUMNS)]
