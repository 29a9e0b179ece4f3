"""Whose guesses advice names: a strategy's. It says which cell it would reveal, and perhaps what it thinks that guesses win.

What an advisor says of a board is the same each time, unless its strategy looks at the clock.
"""

from dataclasses import KW_ONLY, dataclass, replace
from typing import TYPE_CHECKING, Final, Literal, get_args

from sapper.errors import UnknownNameError

if TYPE_CHECKING:
    from sapper.solver.strategies.best_reply import SecondOpinionStrategy
    from sapper.solver.strategies.least_risk import Best
    from sapper.solver.win import Candidate, WinChance

AdvisorName = Literal["best-reply", "second-opinion", "playouts"]
ADVISORS: Final[tuple[AdvisorName, ...]] = get_args(AdvisorName)
"""The strategies that may advise, the quickest first: those that play to win, and have a method `best`: subclasses of
`LeastRiskStrategy`."""
TIMED: Final = frozenset({"playouts"})
"""Those that think as long as they may."""


@dataclass(frozen=True, slots=True)
class Advisor:
    """A strategy that advises. Without one, guesses are ranked by the chance to win as `win_chance` estimates it."""

    strategy: AdvisorName = "second-opinion"
    """One of `ADVISORS`; `UnknownNameError` for another."""
    _: KW_ONLY
    seconds: float = 0.5
    """How long `playouts` may think about a guess; the others take no longer than they need."""

    def __post_init__(self) -> None:
        if self.strategy not in ADVISORS:
            raise UnknownNameError("advisor", self.strategy, ADVISORS)

    def advised(self, chance: "WinChance") -> "WinChance":
        """The same with the strategy's guess as the best candidate, and with chances that playouts say in place of the estimate, within
        the bounds that are proved; unchanged before the first reveal, and where the chance is known for certain.

        Nothing wins more than the strategy's guess. Without the native library there are no playouts: its guess wins what the board
        is estimated to win.
        """
        analysis, board = chance.analysis, chance.board
        if not chance.estimated or board.protected or (analysis.trust_flags and board.flagged):
            return chance  # flags are no more than opinions to a strategy
        strategy = self._strategy()
        if analysis.safe:
            win = strategy.win(analysis, next(iter(analysis.safe)))
            return chance if win is None else _with_win(chance, win)
        best = strategy.best(analysis) if chance.candidates else None
        if best is None:
            return chance
        if not best.wins and (win := strategy.win(analysis, best.cell)) is not None:
            best = best._replace(wins={best.cell: win})
        return _with_opinion(chance, best)

    def _strategy(self) -> "SecondOpinionStrategy":
        from sapper._kernels import batch  # noqa: PLC0415  # whoever only names an advisor needs none of this
        from sapper.core.rng import Rng  # noqa: PLC0415
        from sapper.solver.strategies.best_reply import SecondOpinionStrategy  # noqa: PLC0415

        name = f"{self.strategy}@{self.seconds:.3f}s" if self.strategy in TIMED else self.strategy
        parts = batch.parts_of(name)
        assert parts is not None
        # Without playouts that is best reply by the library, in a tenth of the time that Python takes.
        return SecondOpinionStrategy(Rng(0), parts)


def _with_win(chance: "WinChance", win: float) -> "WinChance":
    """A board with safe cells, each of which wins what the board does."""
    assert chance.win_low is not None
    assert chance.win_high is not None
    win = min(max(win, chance.win_low), chance.win_high)
    candidates = tuple(_within(one, win) for one in chance.candidates)
    return replace(chance, win=win, candidates=candidates, reason=None)


def _with_opinion(chance: "WinChance", best: "Best") -> "WinChance":
    from sapper.solver.best_reply import replies_of  # noqa: PLC0415  # as above
    from sapper.solver.win import Candidate  # noqa: PLC0415

    known = {one.cell: one for one in chance.candidates}
    for reply in replies_of(chance.analysis, [cell for cell in {best.cell, *best.wins} if cell not in known]):
        known[reply.cell] = Candidate(
            cell=reply.cell, risk=reply.risk, win=None, win_low=0.0, win_high=reply.most, exact=None, clues=reply.clues,
            can_wait=True, decides=reply.decides,
        )  # fmt: skip
    first = _within(known[best.cell], best.wins.get(best.cell, chance.win))
    wins = dict(best.wins)
    if len(wins) < 2 and chance.win and first.win is not None:  # no other guess was played out
        wins = {cell: one.win * first.win / chance.win for cell, one in known.items() if one.win is not None}
    others = []
    for cell, one in known.items():
        if cell != best.cell:
            win = wins.get(cell)
            others.append(_within(one, win if win is None or first.win is None else min(win, first.win)))
    others.sort(key=lambda one: (1.0 if one.win is None else -one.win, one.risk, one.cell))
    equals = [one.cell for one in others if one.win is not None and one.win == first.win]
    return replace(
        chance,
        win=first.win,
        candidates=(first, *others),
        level=tuple(sorted([first.cell, *equals])),
        reason=chance.reason if first.win is None else None,
    )


def _within(one: "Candidate", win: float | None) -> "Candidate":
    """With this estimate, within the bounds that are proved."""
    return replace(one, win=None if win is None else min(max(win, one.win_low), one.win_high), exact=None)
