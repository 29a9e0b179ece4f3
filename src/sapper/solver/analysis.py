"""The exact analysis of a board: the census, and the chance of a mine in every covered cell.

Inside are integers: how many layouts fit the board, and in how many of them a cell is a mine. Fractions
and floats are views of those, made when asked for.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import isnan

from sapper import _kernels
from sapper._kernels import Analysed, AnalysedComponent, AnalysedGroup, AnalysedPartial, batch
from sapper.core.arguments import check_number, check_type
from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.display import shown
from sapper.core.tile import Tile
from sapper.core.words import counted, joined
from sapper.errors import CellError, ContradictionError, TooHardError
from sapper.solver.words import at, percent, power_words

DEFAULT_CAP = _kernels.DEFAULT_CAP
"""States that counting may take unless told otherwise: some seconds' work, within a gigabyte."""

TIE = 1e-9
"""Chances that differ by no more count as equal; the lowest cell is taken."""

_PLAIN_LOG10 = 12
"""Of the numbers of layouts that are said in full."""

_NO_CELLS = CellSet()

_SUPPOSABLE = {
    False: (int(Tile.COVERED), int(Tile.QUESTION), int(Tile.FLAGGED)),
    True: (int(Tile.COVERED), int(Tile.QUESTION)),
}


_LEAST_LOG10 = 0.15
"""Between the logarithms of one layout and of two."""


def settled_log10(found: float) -> float:
    """The logarithm of a number of layouts as a float gives it; of one layout it is 0, whatever rounding makes of it."""
    return 0.0 if abs(found) < _LEAST_LOG10 else found


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """The exact analysis of one board; `analyse` makes it.

    What is said in integers and fractions is worked out when it is asked for.
    """

    board: Board = field(repr=False)
    safe: CellSet
    """The covered cells that are safe to reveal: a mine in no layout, or protected.

    Before the first reveal the start rule protects cells (`Board.protected`): whatever is there is not there any more
    when they are revealed. Their risk is 0, though the census counts layouts irrespective of the reveal.
    """
    mined: CellSet
    """The covered cells that are a mine in all of them."""
    trust_flags: bool = False
    """True if flags were taken for mines."""
    cap: int = DEFAULT_CAP
    """The number of states that counting was allowed."""
    states: int = field(compare=False)
    """The work that counting takes, for limits and statistics."""
    interior: CellSet = field(repr=False)
    """The covered cells that no clue touches, unless they are certain."""
    _chances: "array[float]" = field(repr=False, compare=False)
    _lowest: int = field(repr=False, compare=False)
    _census_log10: float = field(repr=False, compare=False)
    _exact: list[Analysed] = field(repr=False, compare=False)

    @property
    def exact(self) -> Analysed:
        """The same in integers."""
        if not self._exact:
            # Counting so far was within the cap.
            self._exact.append(_exactly(self.board, self.trust_flags, max(self.cap, DEFAULT_CAP)))
        return self._exact[0]

    @property
    def census(self) -> int:
        """How many layouts are consistent with the board, from 1."""
        return self.exact.census

    @property
    def groups(self) -> tuple[AnalysedGroup, ...]:
        """The cells that single clues do not settle, by the clues they touch, with the layouts that mine them."""
        return self.exact.groups

    @property
    def components(self) -> tuple[AnalysedComponent, ...]:
        """Clues that share cells: each can be counted alone, but for the number of mines."""
        return self.exact.components

    @property
    def mines_left(self) -> int:
        """How many mines are in `groups`."""
        return self.exact.mines_left

    def layouts_with_mine(self, cell: int) -> int:
        """In how many of the consistent layouts a covered cell is a mine, protected or not; `CellError` for a revealed one."""
        chance = self.mine_chance(cell)
        if cell in self.mined:
            return self.census
        return next((group.numerator for group in self.groups if cell in group.cells), 0) if chance else 0

    @property
    def chances(self) -> Sequence[float]:
        """The chance of a mine by cell, protected or not, within 1e-12; NaN where none is covered."""
        return self._chances

    def mine_chance(self, cell: int) -> float:
        """The chance that a covered cell is a mine, protected or not, within 1e-12; `CellError` for a revealed one."""
        chance = self._chances[self.board.grid.check(cell)]
        if not isnan(chance):
            return chance
        raise CellError(f"{at(self.board, cell)} is revealed: only covered cells have a chance to be a mine")

    def probability(self, cell: int) -> Fraction:
        """The exact chance that revealing a covered cell meets a mine; `CellError` for a revealed one."""
        mined = self.layouts_with_mine(cell)
        return Fraction(0 if cell in self.safe else mined, self.census)

    def risk(self, cell: int) -> float:
        """The same as a float, within 1e-12."""
        chance = self.mine_chance(cell)
        return 0.0 if cell in self.safe else chance

    def risks(self) -> dict[Cell, float]:
        """`risk` of every covered cell, in index order."""
        found = {Cell(cell): chance for cell, chance in enumerate(self._chances) if not isnan(chance)}
        if self.board.protected:
            found |= dict.fromkeys(self.board.protected, 0.0)
        return found

    @property
    def uncertain(self) -> CellSet:
        """The covered cells that are a mine in some of the layouts, but not in all."""
        return CellSet.where(bytes([0.0 < chance < 1.0 for chance in self._chances]))

    @property
    def summary(self) -> str:
        """The analysis in one sentence: how many layouts fit, what is certain, the least risk."""
        few = self._census_log10 < _PLAIN_LOG10
        layouts = counted(self.census, "layout") if few else f"about {power_words(self.census_log10)} layouts"
        told = f"{layouts} {'fits' if layouts == '1 layout' else 'fit'}; {len(self.safe):,} safe, {len(self.mined):,} certain to be mines"
        cell, risk = self.least_risky, self.least_risk
        if self.safe or cell is None or risk is None:
            return told
        return f"{told}; the least risk is {percent(risk)} at {at(self.board, cell)}"

    def _repr_svg_(self) -> str | None:
        """The picture that a notebook shows: the board with the chance of a mine in each covered cell."""
        return shown("svg", self.board, overlay=self._overlay())

    def _repr_html_(self) -> str | None:
        """The same within a page, with `about` beneath."""
        return shown("html", self.board, self.summary, self._overlay())

    def _overlay(self) -> dict[str, object]:
        heat = {cell: risk for cell, risk in self.risks().items() if cell not in self.safe and cell not in self.mined}
        return {"heat": heat, "safe": self.safe, "mined": self.mined}

    @property
    def census_log10(self) -> float:
        """The decimal logarithm of the census."""
        return settled_log10(self._census_log10)

    @property
    def least_risk(self) -> float | None:
        """The smallest risk among the covered cells; None if there is nothing to reveal: none is covered, or the game is over."""
        if self.board.status.ended:
            return None
        if self.safe:
            return 0.0
        return None if self._lowest == batch.NOTHING else self._chances[self._lowest]

    @property
    def least_risky(self) -> Cell | None:
        """The lowest cell whose risk is least (ties within 1e-9); None if there is nothing to reveal.

        Before the first reveal, where cells are protected: the first cell that nobody has named (`Board.first_cell`).
        """
        if self.board.status.ended:
            return None
        if self.board.protected:
            return self.board.first_cell
        return None if self._lowest == batch.NOTHING else Cell(self._lowest)

    @property
    def may_guess(self) -> bool:
        """True if a guess is all that is left: no covered cell is certain to be safe."""
        return not self.safe and not self.board.status.ended

    def supposing(self, cell: int, clue: int) -> int:
        """How many of the consistent layouts give a covered cell this clue when it is revealed; 0 if none does.

        The nine of a cell add up to the layouts in which it is safe. `CellError` for a cell that is revealed (or, with
        trusted flags, flagged), or a clue that is not 0 to 8; `TooHardError` as of `analyse`.
        """
        board = self.board
        if board.tiles[board.grid.check(cell)] not in _SUPPOSABLE[self.trust_flags]:
            raise CellError(f"{at(board, cell)} is not covered: only a covered cell can be supposed to have a clue")
        if not 0 <= clue <= Tile.EIGHT:
            raise CellError(f"a clue is 0 to 8, not {clue}")
        tiles = bytearray(board.tiles)
        tiles[cell] = clue
        found = _kernels.analyse_or_none(_given(board, self.trust_flags, self.cap)._replace(tiles=bytes(tiles)))
        return 0 if found is None else found.census


@dataclass(frozen=True, slots=True, kw_only=True)
class PartialAnalysis:
    """The part of an analysis that is exact though the board is too hard: `TooHardError.partial`.

    Nothing here depends on the number of mines, which says more only once every component is counted.
    """

    board: Board = field(repr=False)
    safe: CellSet
    """Covered cells that are certain not to be mines; there may be more."""
    mined: CellSet
    """Covered cells that are certain to be mines; there may be more."""
    groups: tuple[AnalysedGroup, ...] = field(repr=False)
    """The groups of the components that were counted; in how many layouts of the board each is mined is not known."""
    components: tuple[AnalysedComponent, ...] = field(repr=False)
    """The components that were counted."""
    unsolved: tuple[tuple[Cell, ...], ...]
    """The clues of each component that was not."""


def analyse(board: Board, *, trust_flags: bool = False, cap: int = DEFAULT_CAP) -> Analysis:
    """Analyse a board exactly.

    A flag is the player's opinion and counts as a covered cell, unless `trust_flags`: then it is a mine.
    `cap` is the number of states that counting may take.

    Raises:
        ContradictionError: no layout fits the board; it names clues that contradict each other.
        TooHardError: the cap was reached; its `partial` is a `PartialAnalysis`.

    """
    check_type("board", board, Board)
    check_type("trust_flags", trust_flags, bool)
    check_number("cap", cap, least=0)
    found = batch.analyse_one(_given(board, trust_flags, cap))
    exact = []
    if found is None or found.fault is not None:
        is_over_cap = found is not None and found.fault is TooHardError
        exact = [_exactly(board, trust_flags, cap, is_over_cap=is_over_cap)]
        found = batch.in_floats(exact[0], board.grid.size)
    safe = CellSet(found.safe)
    return Analysis(
        board=board,
        safe=safe | board.protected if board.protected else safe,
        mined=CellSet(found.mined),
        trust_flags=trust_flags,
        cap=cap,
        states=found.states,
        interior=CellSet(found.interior),
        _chances=found.chances,
        _lowest=found.lowest,
        _census_log10=found.census_log10,
        _exact=exact,
    )


def _given(board: Board, trust_flags: bool, cap: int) -> _kernels.GivenBoard:
    grid = board.grid
    table = None if grid.is_plane else grid.table
    return _kernels.GivenBoard(board.tiles, board.mine_count, grid.width, grid.height, table, trust_flags, cap)


def _exactly(board: Board, trust_flags: bool, cap: int, *, is_over_cap: bool = False) -> Analysed:
    """The analysis in integers; errors as of `analyse`. `is_over_cap`: whether the board is known to take more states."""
    try:
        return _kernels.analyse_given(_given(board, trust_flags, cap)._replace(is_over_cap=is_over_cap))
    except ContradictionError as error:
        why = _contradiction(board, trust_flags, error)
        raise ContradictionError(why, clues=error.clues, mine_count=error.mine_count) from None
    except TooHardError as error:
        raise TooHardError(str(error), cap=error.cap, partial=_partial(board, error.partial)) from None


def analyse_what_can_be(
    board: Board, *, trust_flags: bool = False, cap: int = DEFAULT_CAP
) -> Analysis | PartialAnalysis:
    """The analysis, or what is exact of it all the same if the board is too hard; `ContradictionError` as in `analyse`."""
    try:
        return analyse(board, trust_flags=trust_flags, cap=cap)
    except TooHardError as error:
        partial = error.partial
    assert isinstance(partial, PartialAnalysis)
    return partial


def _partial(board: Board, partial: object) -> PartialAnalysis:
    assert isinstance(partial, AnalysedPartial)
    return PartialAnalysis(
        board=board,
        safe=CellSet.of(partial.safe) | board.protected,
        mined=CellSet.of(partial.mined),
        groups=partial.groups,
        components=partial.components,
        unsolved=tuple(tuple(Cell(clue) for clue in clues) for clues in partial.unsolved),
    )


_MOST_NAMED = 20


def _contradiction(board: Board, trust_flags: bool, error: ContradictionError) -> str:
    """Which clues contradict each other, in words."""
    tiles = board.tiles
    mines = {int(Tile.MINE), int(Tile.EXPLODED)} | ({int(Tile.FLAGGED)} if trust_flags else set())
    known = sum(tiles.count(tile) for tile in mines)
    hidden = tiles.count(Tile.COVERED) + tiles.count(Tile.QUESTION) + (0 if trust_flags else tiles.count(Tile.FLAGGED))
    # Trusted flags are the player's word, and may be what is wrong.
    beyond = " beside those known" if known else ""
    count = f"{counted(board.mine_count - known, 'mine')} in {counted(hidden, 'covered cell')}{beyond}"
    if not error.clues:
        if known > board.mine_count:
            return f"no layout fits: the board shows {counted(known, 'mine')}, and has only {board.mine_count:,}"
        return f"no layout fits: there cannot be {count}"
    named = [f"{tiles[clue]} at {at(board, clue)}" for clue in error.clues]
    if len(named) == 1 and not error.mine_count:
        near = [tiles[cell] for cell in board.grid.neighbours(error.clues[0])]
        around = sum(tile in mines for tile in near)
        covered = sum(tile in (Tile.COVERED, Tile.QUESTION, Tile.FLAGGED) and tile not in mines for tile in near)
        return f"no layout fits the clue {named[0]}: it has {counted(around, 'known mine')} and {counted(covered, 'covered cell')} beside it"
    if len(named) > _MOST_NAMED:
        named[_MOST_NAMED - 1 :] = [f"{len(named) - _MOST_NAMED + 1:,} more"]
    clues = joined(named)
    together = f" with {count}" if error.mine_count else " together"
    return f"no layout fits the clue{'s' if len(named) > 1 else ''} {clues}{together}"


def with_conditions(board: Board, *, mined: CellSet = _NO_CELLS, safe: CellSet = _NO_CELLS) -> Board:
    """The board on which some covered cells are known to be mines and others to be safe, which no game shows; `CellError` for other cells."""
    tiles = bytearray(board.tiles)
    for cells, tile in ((mined, Tile.MINE), (safe, Tile.WRONG_FLAG)):
        for cell in cells:
            if cell >= board.grid.size or tiles[cell] not in _SUPPOSABLE[False]:
                raise CellError(f"cell {cell} is not covered, or conditions on it contradict each other")
            tiles[cell] = tile
    return replace(board, tiles=bytes(tiles))
