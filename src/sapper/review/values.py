"""The results of a review: for each move, and for the game. Definitions are in docs/review.md."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum, unique
from fractions import Fraction
from math import prod

from sapper.core.cells import Cell
from sapper.core.coordinates import cell_name
from sapper.core.grid import Grid
from sapper.core.move import Action, Move
from sapper.core.record import Record
from sapper.core.status import Status
from sapper.solver.deduce.step import Step, Technique
from sapper.solver.win import WinChance


@unique
class MoveVerdict(Enum):
    """The verdict on a move, by what could be known before it."""

    FIRST = "first"
    """The first reveal, which the start rule protects."""
    SAFE = "safe"
    """All that it revealed was certain to be safe."""
    RIGHT_GUESS = "right guess"
    """Nothing was safe, and no other reveal wins more often."""
    WRONG_GUESS = "wrong guess"
    """Nothing was safe, and another reveal wins more often."""
    NEEDLESS_GUESS = "needless guess"
    """A cell was certain to be safe, and one that was not was revealed."""
    CERTAIN_MINE = "certain mine"
    """It revealed what was certain to be a mine."""
    MARK = "mark"
    """A flag or a question mark, set or cleared."""
    WRONG_FLAG = "wrong flag"
    """A flag on a cell that was certain to be safe."""
    NOTHING = "nothing"
    """It changed nothing, or gave the game up."""
    UNKNOWN = "unknown"
    """The board was too hard to be analysed, or is not known: the moves before it are left out of the record."""

    @property
    def is_guess(self) -> bool:
        """True if something was revealed that was not certain to be safe."""
        return self in (
            MoveVerdict.RIGHT_GUESS,
            MoveVerdict.WRONG_GUESS,
            MoveVerdict.NEEDLESS_GUESS,
            MoveVerdict.CERTAIN_MINE,
        )

    @property
    def is_aside(self) -> bool:
        """True if it revealed nothing."""
        return self in (MoveVerdict.MARK, MoveVerdict.WRONG_FLAG, MoveVerdict.NOTHING)

    @property
    def is_mistake(self) -> bool:
        """True if another move was better."""
        return self in (
            MoveVerdict.WRONG_GUESS,
            MoveVerdict.NEEDLESS_GUESS,
            MoveVerdict.CERTAIN_MINE,
            MoveVerdict.WRONG_FLAG,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveReview:
    """One move, judged. What is not known is None."""

    number: int
    """Which move of the record it was, from 1."""
    at: int
    """Milliseconds on the game's clock."""
    move: Move
    verdict: MoveVerdict
    survived: bool = True
    risk: float | None = None
    """The chance that it revealed a mine; of a chord, that any of its cells was one."""
    least_risk: float | None = None
    """The least risk that a reveal could have."""
    safe: tuple[Cell, ...] = ()
    """The cells that were certain to be safe, of a move that was not: those that it missed."""
    safe_count: int = 0
    """How many cells were certain to be safe before it."""
    mine_count: int = 0
    """How many covered cells were certain to be mines before it."""
    win_before: float | None = None
    """The chance to win before it, by best play from there."""
    win_by_move: float | None = None
    """The chance to win when this move is made and best play follows, before its answer is seen."""
    win_after: float | None = None
    """The chance to win once the answer is seen."""
    exact: bool = False
    """True if all three are exact; else at least one is that of playouts."""
    best: Cell | None = None
    """The best reveal; None where the move was as good, or there is none."""
    why: str | None = None
    """Why that was better, in words; or of a right guess, why it was."""
    proof: tuple[Step, ...] = field(default=(), repr=False, compare=False)
    """The cheapest proof that would have spared the mistake."""
    chance: WinChance | None = field(default=None, repr=False, compare=False)
    """Of a guess: the chances to win that it was judged by."""
    kaboom: bool = field(default=False, repr=False, compare=False)
    """True if Kaboom decided it: a forced guess is safe there, and a needless one meets a mine."""
    gambles: tuple[Cell, ...] = field(default=(), repr=False, compare=False)
    """Of a guess: the cells that it revealed and that were not certain to be safe."""
    mines: tuple[Cell, ...] = field(default=(), repr=False, compare=False)
    """Those of them that were certain to be mines."""
    technique: Technique | None = None
    """The hardest technique of the cheapest proof that would have spared the mistake: that a cell was safe, or that the one revealed was a mine."""
    cost_error: float | None = None
    """Of a guess that was compared with the best reveal by playouts: the standard error of what it cost."""

    @property
    def cost(self) -> float | None:
        """The chance to win that the choice of this move cost; never below 0."""
        if self.win_before is None or self.win_by_move is None:
            return None
        return max(0.0, self.win_before - self.win_by_move)

    @property
    def luck(self) -> float | None:
        """The change of the chance to win by the answer; negative for bad luck."""
        if self.win_after is None or self.win_by_move is None:
            return None
        return self.win_after - self.win_by_move

    @property
    def words(self) -> str:
        """The verdict, and how it came out: `right guess, bad luck`."""
        if self.move.action is Action.TERMINATE:
            return "given up"
        if not self.verdict.is_guess:
            return self.verdict.value
        if self.verdict is MoveVerdict.RIGHT_GUESS:
            return f"{self.verdict.value}, {'survived' if self.survived else 'bad luck'}"
        return f"{self.verdict.value}, {'good luck' if self.survived else 'lost'}"

    def said(self, grid: Grid) -> str:
        """The move and its verdict: `reveal c4: right guess, bad luck`."""
        if self.move.action is Action.TERMINATE:
            return self.words  # it is done to no cell
        return f"{self.move.action.name.lower()} {cell_name(grid, self.move.cell)}: {self.words}"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameReview:
    """A game, judged move by move."""

    record: Record = field(repr=False)
    moves: tuple[MoveReview, ...] = field(repr=False)
    """One for each move of the record, in its order."""

    @property
    def guesses(self) -> tuple[MoveReview, ...]:
        """The moves that were no safe ones."""
        return tuple(one for one in self.moves if one.verdict.is_guess)

    @property
    def mistakes(self) -> tuple[MoveReview, ...]:
        return tuple(one for one in self.moves if one.verdict.is_mistake)

    def count(self, *verdicts: MoveVerdict) -> int:
        """How many moves have one of these verdicts."""
        return sum(one.verdict in verdicts for one in self.moves)

    @property
    def too_hard(self) -> int:
        """How many moves have no verdict because their boards were too hard to be analysed."""
        last = len(self.record.played) if self.record.left_out else 0
        return sum(one.verdict is MoveVerdict.UNKNOWN and one.number != last for one in self.moves)

    @property
    def without_risk(self) -> int:
        """How many guesses have no known risk: a safe cell was missed on a board that was too hard to be analysed."""
        return sum(one.risk is None for one in self.guesses)

    @property
    def survival(self) -> float | None:
        """The chance to survive the guesses that have a known risk: the product of 1 − risk; 1 without a guess, None where no risk is known."""
        risks = self._risks()
        return None if self.without_risk and not risks else prod(1 - risk for risk in risks)

    @property
    def expected_survived(self) -> float | None:
        """How many of these guesses were to be survived on average: the sum of 1 − risk; None where no risk is known."""
        risks = self._risks()
        return None if self.without_risk and not risks else sum(1 - risk for risk in risks)

    @property
    def survived(self) -> int:
        """How many of these guesses were survived."""
        return sum(one.survived for one in self.guesses if one.risk is not None)

    def _risks(self) -> list[float]:
        return [one.risk for one in self.guesses if one.risk is not None]

    @property
    def win_first(self) -> float | None:
        """The chance to win before the first reveal; None where that is not known, whatever is known later."""
        return next((one.win_before for one in self.moves if not one.verdict.is_aside), None)

    @property
    def win_last(self) -> float | None:
        """The chance to win after the last: 1 of a game that was won, 0 of one that was lost."""
        return next((one.win_after for one in reversed(tuple(self._judged()))), None)

    @property
    def cost(self) -> float | None:
        """The cost of all mistakes. `win_first - cost + luck` is `win_last`."""
        judged = tuple(self._judged())
        return sum(one.cost or 0.0 for one in judged) if judged else None

    @property
    def luck(self) -> float | None:
        """The luck of all moves together."""
        judged = tuple(self._judged())
        return sum(one.luck or 0.0 for one in judged) if judged else None

    @property
    def accuracy(self) -> float | None:
        """The share of the chance to win that the choices kept: the product of `win_by_move / win_before`. 1 for best play throughout."""
        judged = tuple(self._judged())
        if not judged:
            return None
        return prod((one.win_by_move or 0.0) / one.win_before for one in judged if one.win_before)

    @property
    def lost(self) -> float | None:
        """The chance to win that the choices lost, 0 to 1: `cost`, and all that was left where the game was not played to its end, or not judged to
        it. None where nothing is known of a game that was.
        """
        is_whole = len(self.moves) == len(self.record.played) and not self.record.left_out
        if is_whole and self.record.status in (Status.WON, Status.LOST):
            left, cost = 0.0, self.cost
            if cost is None:
                return None
        else:
            left, cost = 1.0 if self.win_last is None else self.win_last, self.cost or 0.0
        return min(1.0, cost + left)

    @property
    def turning_point(self) -> MoveReview | None:
        """The guess or mistake that changed the chance to win most, the first of several; None if it is known of none."""
        judged = [one for one in self._judged() if one.verdict.is_guess and one.win_before != one.win_after]
        return max(judged, key=lambda one: abs((one.win_after or 0.0) - (one.win_before or 0.0)), default=None)

    def _judged(self) -> Iterator[MoveReview]:
        return (one for one in self.moves if None not in (one.win_before, one.win_by_move, one.win_after))


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedWin:
    """A chance to win, whether it is exact, and its standard error if it is that of playouts."""

    win: float
    error: float | None = None
    exact: Fraction | None = None
