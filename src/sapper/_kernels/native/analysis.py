"""The analysis of boards by the library: chances of a mine as floats, certain cells from integers.

Chances have a relative error of 1e-12 at the most. Where the range of a float is not enough, the answer is None, and the
reference has to say.
"""

import threading
import weakref
from array import array
from collections.abc import Iterator, Sequence
from ctypes import addressof
from struct import Struct

from sapper._kernels.chances import CONTRADICTING, TOO_HARD, Chances
from sapper._kernels.declarations import GRID
from sapper._kernels.library import BATCH, SINGLE, Table, check

Neighbours = tuple[Sequence[int], Sequence[int]]
"""Those of cell i are `cells[starts[i]:starts[i + 1]]`; the relation is symmetric."""

OK, CONTRADICTION, CAPPED = range(3)
_FAULTS = {CONTRADICTION: CONTRADICTING, CAPPED: TOO_HARD}
_FOUND = Struct("=4i4d")
_KEPT = 4  # grids whose memory a thread keeps
_KEPT_CELLS = 100_000  # of a grid whose memory is kept
_MOST_CAP = (1 << 31) - 1


class Analyser:
    """Analyses boards of one grid; for one thread at a time."""

    def __init__(self, width: int, height: int, table: Neighbours | None = None) -> None:
        """`table` gives the neighbours where they are not the eight of a rectangle. `ValueError` for what is no grid."""
        if width < 1 or height < 1:
            raise ValueError(f"a grid of {width}x{height} has no cells: width and height are 1 at least")
        self._size = width * height
        self._table = None if table is None else Table(*table, 0)
        if self._table is not None and self._table.grid.size != self._size:
            raise ValueError(f"this is no neighbour table of a grid of {width}x{height} cells")
        grid = GRID(self._size, width, None, None) if self._table is None else self._table.grid
        self._analyser = SINGLE.sapper_analyser_new(addressof(grid), len(table[1]) if table else 0)
        if not self._analyser:
            raise MemoryError("there is not enough memory to analyse boards of this size")
        weakref.finalize(self, SINGLE.sapper_analyser_free, self._analyser)
        self._numbers = 8 * self._size
        self._mask = (self._size + 7) // 8
        self._make_room(1)

    def _make_room(self, boards: int) -> None:
        """Have room for the answers on so many boards: what was found of each, all chances, all masks."""
        buffer = array("B", bytes(boards * (_FOUND.size + self._numbers + 3 * self._mask)))
        self._answers = memoryview(buffer)
        at = buffer.buffer_info()[0]
        chances = at + boards * _FOUND.size
        safe = chances + boards * self._numbers
        masks = boards * self._mask
        self._places = at, chances, safe, safe + masks, safe + 2 * masks
        self._room = boards

    def analyse(self, tiles: bytes, mines: "array[int]", trust_flags: bool, cap: int) -> Iterator[Chances | None]:
        """The analysis of boards whose tiles follow each other; None where the reference has to say. One call at a time."""
        boards = len(mines)
        if len(tiles) != boards * self._size:
            raise ValueError(f"{len(tiles)} tiles for {boards} boards of {self._size} cells")
        if boards > self._room:
            self._make_room(boards)
        library = SINGLE if boards == 1 else BATCH
        status = library.sapper_analyse(
            self._analyser, boards, tiles, mines.buffer_info()[0], trust_flags, min(cap, _MOST_CAP), *self._places
        )
        check(status)
        return map(self._chances, range(boards))

    def smallest_region(self, table: Table, tiles: bytes, mines: int, trust_flags: bool, cap: int) -> float | None:
        """The natural logarithm of the layouts of the smallest region that has several; None where that is not known."""
        found: float = SINGLE.sapper_smallest_region(
            self._analyser, table.address, tiles, mines, trust_flags, min(cap, _MOST_CAP)
        )
        return None if found < 0 else found

    def _chances(self, board: int) -> Chances | None:
        answers = self._answers
        status, lowest, _, states, census, least, second, inside = _FOUND.unpack_from(answers, board * _FOUND.size)
        if status:
            return _FAULTS.get(status)
        at = self._room * _FOUND.size + board * self._numbers
        chances = array("d")
        chances.frombytes(answers[at : at + self._numbers])
        at = self._room * (_FOUND.size + self._numbers) + board * self._mask
        safe = int.from_bytes(answers[at : at + self._mask], "little")
        at += self._room * self._mask
        mined = int.from_bytes(answers[at : at + self._mask], "little")
        at += self._room * self._mask
        interior = int.from_bytes(answers[at : at + self._mask], "little")
        return Chances(chances, safe, mined, interior, lowest, census, least, second, inside, states)


class _Kept(threading.local):
    """The analysers of a thread, by their grid; the latest last. Tables are told apart by identity, and kept with it."""

    def __init__(self) -> None:
        self.analysers: dict[object, tuple[Analyser, Neighbours | None]] = {}


_kept = _Kept()


def analyser(width: int, height: int, table: Neighbours | None) -> Analyser:
    """The analyser of the calling thread for a grid."""
    analysers = _kept.analysers
    key = (width, height, id(table))
    found = analysers.get(key)
    if found is None:
        found = Analyser(width, height, table), table
        if width * height > _KEPT_CELLS:
            return found[0]
        analysers[key] = found
        if len(analysers) > _KEPT:
            del analysers[next(iter(analysers))]
    return found[0]


def analyse_one(
    tiles: bytes, width: int, height: int, table: Neighbours | None, mines: int, trust_flags: bool, cap: int
) -> Chances | None:
    """The analysis of one board, without letting other threads run; None where the reference has to say."""
    # Any count beyond the board is as impossible as any other; the library's integers end somewhere.
    counts = array("i", (min(max(mines, -1), width * height + 1),))
    return next(analyser(width, height, table).analyse(tiles, counts, trust_flags, cap))


def analyse_many(
    tiles: Sequence[bytes],
    width: int,
    height: int,
    table: Neighbours | None,
    mines: Sequence[int],
    trust_flags: bool,
    cap: int,
) -> Iterator[Chances | None]:
    """The same for many boards of one grid; other threads run meanwhile. All answers are to be taken before the next call."""
    counts = array("i", [min(max(count, -1), width * height + 1) for count in mines])
    return analyser(width, height, table).analyse(b"".join(tiles), counts, trust_flags, cap)


def smallest_region(
    tiles: bytes, width: int, height: int, table: Neighbours, plane: bool, mines: int, trust_flags: bool, cap: int
) -> float | None:
    """The natural logarithm of the layouts of the smallest region of a board that has several; None where that is not known."""
    one = analyser(width, height, None if plane else table)
    return one.smallest_region(Table(*table, 0), tiles, mines, trust_flags, cap)
