"""What is known of a board while it is being reasoned about: clues, less what has been concluded.

Knows: which covered cells each clue still leaves open, and how many mines it still needs among them.
Does not know: how conclusions are drawn.
"""

from collections.abc import Iterable
from heapq import heappop, heappush
from typing import Literal

from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
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

    def __init__(self, board: Board, *, trust_flags: bool = False) -> None:
        """The board as it is seen, nothing concluded."""
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
            for clue, value in enumerate(tiles):
                if value <= Tile.EIGHT:
                    self._read(clue, value)

    def neighbours(self, cell: int) -> list[int]:
        """The cells beside this one, ascending."""
        return list(self._cells[self._starts[cell] : self._starts[cell + 1]])

    @property
    def mines_left(self) -> int:
        """How many of the unknown cells are mines."""
        return self.board.mines - len(self.mined)

    def _read(self, clue: int, value: int) -> None:
        near = self.neighbours(clue)
        around = self.unknown.intersection(near)
        if around:
            self.open[clue] = around
            self.need[clue] = value - len(self.mined.intersection(near))
            for cell in around:
                self.beside.setdefault(cell, []).append(clue)
            self._changed(clue)

    def _changed(self, clue: int) -> None:
        need, room = self.need[clue], len(self.open[clue])
        if not 0 <= need <= room:
            x, y = self.board.grid.xy(clue)
            raise ContradictionError(
                f"the clue at ({x}, {y}) needs {counted(need, 'mine')} among {counted(room, 'covered cell')}",
                clues=(clue,),
            )
        if not room:
            del self.open[clue], self.need[clue]
            return
        if need in (0, room):
            heappush(self._singles, clue)
        if clue not in self._is_dirty:
            self._is_dirty.add(clue)
            heappush(self._dirty, clue)

    def learn(self, step: Step) -> None:
        """Take a step's conclusions as known."""
        changed = set()
        for cells, known, mine in ((step.safe, self.safe, 0), (step.mined, self.mined, 1)):
            for cell in cells:
                known.add(cell)
                self.unknown.discard(cell)
                for clue in self.beside.get(cell, ()):
                    self.open[clue].discard(cell)
                    self.need[clue] -= mine
                    changed.add(clue)
        for clue in sorted(changed):
            self._changed(clue)

    def go_on(self, board: Board, revealed: Iterable[int]) -> None:
        """Go on to a later board of the same game, on which these cells have been revealed since."""
        self.board = board
        fresh = sorted(revealed)
        changed = set()
        for cell in fresh:
            self.safe.discard(cell)
            if cell in self.unknown:
                self.unknown.discard(cell)
                for clue in self.beside.get(cell, ()):
                    self.open[clue].discard(cell)
                    changed.add(clue)
        for clue in sorted(changed):
            self._changed(clue)
        for clue in fresh:
            self._read(clue, board.tiles[clue])

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
            near = {cell for clue in cells for cell in self.neighbours(clue)}
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
