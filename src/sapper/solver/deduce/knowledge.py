"""The state of a deduction: clues less the conclusions so far."""

from collections.abc import Iterable
from heapq import heappop, heappush
from typing import Literal

from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.coordinates import cell_name
from sapper.core.tile import Tile
from sapper.core.words import counted
from sapper.errors import ContradictionError
from sapper.solver.deduce.step import Step, Technique

_COVERED = frozenset({int(Tile.COVERED), int(Tile.QUESTION)})
_MINES = frozenset({int(Tile.MINE), int(Tile.EXPLODED)})


class Knowledge:
    """A board and what has been concluded about it; `learn` adds a step's conclusions.

    With `trust_flags` a flag is a mine from the beginning, else a covered cell like any other.
    """

    def __init__(self, board: Board, *, trust_flags: bool = False, clues: Iterable[int] | None = None) -> None:
        """The board as it is seen, nothing concluded; of its clues none but those of `clues` is looked at, if given."""
        self.board = board
        tiles = board.tiles
        flagged = int(Tile.FLAGGED)
        hidden = _COVERED if trust_flags else _COVERED | {flagged}
        given = _MINES | {flagged} if trust_flags else _MINES
        self.mined: set[int] = {cell for cell, tile in enumerate(tiles) if tile in given}
        """Mines that are known: concluded, trusted, or seen."""
        self.safe: set[int] = set()
        """Covered cells concluded to be safe."""
        self.unknown: set[int] = {cell for cell, tile in enumerate(tiles) if tile in hidden}
        """Covered cells that nothing has been concluded about."""
        self.open: dict[int, set[int]] = {}
        """For each clue beside unknown cells, those."""
        self.need: dict[int, int] = {}
        """How many mines each of these clues needs among them."""
        self.beside: dict[int, list[int]] = {}
        """For each covered cell, the clues that touch it."""
        self._starts, self._cells = board.grid.table
        self._singles: list[int] = []
        self._dirty: list[int] = []
        self._is_dirty: set[int] = set()
        if self.unknown:
            shown = [clue for clue, value in enumerate(tiles) if value <= Tile.EIGHT]
            self._read(shown if clues is None else sorted({*clues}.intersection(shown)), tiles)

    def neighbours(self, cell: int) -> list[int]:
        """The cells beside this one, ascending."""
        return list(self._cells[self._starts[cell] : self._starts[cell + 1]])

    @property
    def mines_left(self) -> int:
        return self.board.mine_count - len(self.mined)

    # The three loops below take most of the time that a proof takes: attributes are looked up once a call, not once a clue.

    def _read(self, clues: Iterable[int], tiles: bytes | bytearray) -> None:
        starts, table, beside = self._starts, self._cells, self.beside
        unknown, mined, changed = self.unknown, self.mined, []
        for clue in clues:
            near = table[starts[clue] : starts[clue + 1]]
            around = unknown.intersection(near)
            if around:
                self.open[clue] = around
                self.need[clue] = tiles[clue] - len(mined.intersection(near))
                for cell in around:
                    if cell in beside:
                        beside[cell].append(clue)
                    else:
                        beside[cell] = [clue]
                changed.append(clue)
        self._changed(changed)

    def _changed(self, clues: Iterable[int]) -> None:
        """Clues have other cells or needs than before: some are settled, some settle cells, all are worth a look. Ascending."""
        opens, needs, is_dirty = self.open, self.need, self._is_dirty
        for clue in clues:
            need, room = needs[clue], len(opens[clue])
            if not 0 <= need <= room:
                raise ContradictionError(
                    f"the clue at {cell_name(self.board.grid, clue)} needs {counted(need, 'mine')} among {counted(room, 'covered cell')}",
                    clues=(clue,),
                )
            if not room:
                del opens[clue], needs[clue]
                continue
            if need == 0 or need == room:  # noqa: PLR1714  # a tuple is made each time
                heappush(self._singles, clue)
            if clue not in is_dirty:
                is_dirty.add(clue)
                heappush(self._dirty, clue)

    def learn(self, step: Step) -> None:
        self.conclude(step.safe, step.mined)

    def conclude(self, safe: Iterable[int], mined: Iterable[int]) -> None:
        """Take these covered cells as known to be safe, and those as known to be mines."""
        opens, needs, beside, unknown = self.open, self.need, self.beside, self.unknown
        changed: set[int] = set()
        for cells, known, mine in ((safe, self.safe, 0), (mined, self.mined, 1)):
            for cell in cells:
                known.add(cell)
                unknown.discard(cell)
                for clue in beside.get(cell, ()):
                    opens[clue].discard(cell)
                    needs[clue] -= mine
                    changed.add(clue)
        self._changed(sorted(changed))

    def go_on(self, tiles: bytes | bytearray, revealed: Iterable[int]) -> None:
        """Go on to later tiles of the same game, on which these cells have been revealed since.

        `board` stays the one before: set it before anything is asked that is not about single clues.
        """
        fresh = sorted(revealed)
        changed: set[int] = set()
        for cell in fresh:
            self.safe.discard(cell)
            if cell in self.unknown:
                self.unknown.discard(cell)
                for clue in self.beside.get(cell, ()):
                    self.open[clue].discard(cell)
                    changed.add(clue)
        if changed:
            self._changed(sorted(changed))
        self._read(fresh, tiles)

    # --- clues that are worth a look -------------------------------------------------------------

    def next_single(self) -> int | None:
        """The lowest clue that settles all its open cells; None if there is none."""
        while self._singles:
            clue = self._singles[0]
            if clue in self.open and self.need[clue] in (0, len(self.open[clue])):
                return clue
            heappop(self._singles)
        return None

    def next_dirty(self) -> int | None:
        """The lowest clue that has changed since `clean` was called for it; None if there is none."""
        while self._dirty:
            if self._dirty[0] in self.open:
                return self._dirty[0]
            self.clean(self._dirty[0])
        return None

    def clean(self, clue: int) -> None:
        """Nothing more is to be had from this clue and another one, unless one of the two changes."""
        assert self._dirty[0] == clue
        heappop(self._dirty)
        self._is_dirty.discard(clue)

    def overlapping(self, clue: int) -> list[int]:
        """The clues that share an open cell with this one, ascending."""
        found = {other for cell in self.open[clue] for other in self.beside[cell]}
        found.discard(clue)
        return sorted(found)

    # --- steps -------------------------------------------------------------------------------------

    def step(
        self,
        technique: Technique,
        clues: Iterable[int],
        *,
        safe: Iterable[int] = (),
        mined: Iterable[int] = (),
        pattern: str | None = None,
        mine_count: bool = False,
        bound: Literal["fewest", "most"] | None = None,
        layouts: int | None = None,
    ) -> Step:
        """A step from these clues; what it counts on is filled in."""
        cells = tuple([Cell(clue) for clue in clues])
        known_mines, known_safe = self.mined, self.safe
        if not mine_count:
            starts, table = self._starts, self._cells
            near: set[int] = set()
            for clue in cells:
                near.update(table[starts[clue] : starts[clue + 1]])
            known_mines, known_safe = near & known_mines, near & known_safe
        return Step(
            board=self.board,
            technique=technique,
            pattern=pattern,
            clues=cells,
            safe=CellSet.of(safe),
            mined=CellSet.of(mined),
            known_mines=CellSet.of(known_mines),
            known_safe=CellSet.of(known_safe),
            mine_count=mine_count,
            bound=bound,
            layouts=layouts,
        )
