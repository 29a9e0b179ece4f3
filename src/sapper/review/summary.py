"""What reviews of many games come to: which mistakes there were, and what they cost."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, unique

from sapper.core.move import Action
from sapper.review.values import GameReview, MoveReview, MoveVerdict


@unique
class MistakeKind(Enum):
    """Which mistake a move was."""

    UNPROVED_CHORD = "unproved chord"
    """A chord revealed a cell that was not certain to be safe, while another cell was."""
    ORDER_OF_GUESSES = "order of guesses"
    """A cell was guessed while another was certain to be safe."""
    CERTAIN_MINE = "certain mine"
    """A mine was revealed that could be known."""
    WORSE_GUESS = "worse guess"
    """Nothing was safe, and another guess wins more often."""

    @property
    def is_needless(self) -> bool:
        return self is not MistakeKind.WORSE_GUESS


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """One mistake."""

    source: str
    """Which game it was made in."""
    month: str
    number: int
    """Which move of the game it was, from 1."""
    x: int
    y: int
    kind: MistakeKind
    technique: str
    """The technique that would have avoided it; empty where nothing was safe."""
    cost: float | None
    """Its cost in chance to win; None where that is not known."""
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewedGame:
    """The kept part of the review of a game."""

    source: str
    month: str
    """When it was played, as `2026-11`; empty if that is not known."""
    won: bool
    guesses: int
    luck: float | None
    mistakes: tuple[Mistake, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MistakeSum:
    """Mistakes of some sort, together."""

    name: str
    games: int
    """Games that they are counted over."""
    count: int
    cost: float
    """Their cost in chance to win, together. Mistakes of unknown cost are left out."""
    unknown: int
    """Mistakes whose cost is not known."""

    @property
    def per_game(self) -> float:
        """How many a game."""
        return self.count / self.games if self.games else 0.0


def reviewed_game(review: GameReview, *, source: str, month: str) -> ReviewedGame:
    return ReviewedGame(
        source=source,
        month=month,
        won=review.record.status.value == "won",
        guesses=len(review.guesses),
        luck=review.luck,
        mistakes=tuple(_mistakes(review, source, month)),
    )


def _mistakes(review: GameReview, source: str, month: str) -> Iterable[Mistake]:
    for one in review.mistakes:
        kind = kind_of(one)
        if kind is not None:
            x, y = review.record.grid.xy(one.move.cell)
            yield Mistake(
                source=source, month=month, number=one.number, x=x, y=y, kind=kind, cost=one.cost, why=one.why or "",
                technique="" if one.technique is None else one.technique.words,
            )  # fmt: skip


def kind_of(one: MoveReview) -> MistakeKind | None:
    """Which mistake a move was; None for one that was none, and for a wrong flag, which costs nothing by itself."""
    match one.verdict:
        case MoveVerdict.CERTAIN_MINE | MoveVerdict.NEEDLESS_GUESS if one.move.action is Action.CHORD:
            return MistakeKind.UNPROVED_CHORD
        case MoveVerdict.CERTAIN_MINE:
            return MistakeKind.CERTAIN_MINE
        case MoveVerdict.NEEDLESS_GUESS:
            return MistakeKind.ORDER_OF_GUESSES
        case MoveVerdict.WRONG_GUESS:
            return MistakeKind.WORSE_GUESS
        case _:
            return None


def by_kind(games: Sequence[ReviewedGame]) -> list[MistakeSum]:
    """The mistakes by their kind, what cost most first."""
    return _sums(games, lambda one: one.kind.value)


def by_technique(games: Sequence[ReviewedGame]) -> list[MistakeSum]:
    """The needless ones by the technique that was missed."""
    return _sums(games, lambda one: one.technique if one.kind.is_needless else "")


def by_month(games: Sequence[ReviewedGame]) -> list[MistakeSum]:
    """The needless ones by month, the first one first; games whose month is not known last, under an empty name."""
    found = []
    for month in sorted({game.month for game in games}, key=lambda name: (not name, name)):
        those = [game for game in games if game.month == month]
        found.append(_sum(month, len(those), [one for one in _all(those) if one.kind.is_needless]))
    return found


def needless(games: Sequence[ReviewedGame]) -> MistakeSum:
    """All guesses that were not needed."""
    return _sum("needless guesses", len(games), [one for one in _all(games) if one.kind.is_needless])


def worst_first(games: Sequence[ReviewedGame]) -> list[Mistake]:
    """The mistakes whose cost is known, the dearest first."""
    known = [one for one in _all(games) if one.cost is not None]
    return sorted(known, key=lambda one: (-(one.cost or 0.0), one.source, one.number))


def _all(games: Iterable[ReviewedGame]) -> list[Mistake]:
    return [one for game in games for one in game.mistakes]


def _sums(games: Sequence[ReviewedGame], name_of: Callable[[Mistake], str]) -> list[MistakeSum]:
    sorts: dict[str, list[Mistake]] = {}
    for one in _all(games):
        if name := name_of(one):
            sorts.setdefault(name, []).append(one)
    found = [_sum(name, len(games), some) for name, some in sorts.items()]
    return sorted(found, key=lambda one: (-one.cost, -one.count, one.name))


def _sum(name: str, games: int, mistakes: Sequence[Mistake]) -> MistakeSum:
    costs = [one.cost for one in mistakes if one.cost is not None]
    return MistakeSum(name=name, games=games, count=len(mistakes), cost=sum(costs), unknown=len(mistakes) - len(costs))
