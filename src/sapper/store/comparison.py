"""Strategies compared by the simulations that were kept of them."""

from collections.abc import Iterable
from dataclasses import dataclass

from sapper.metrics.interval import Interval, wilson
from sapper.store.filters import Filter
from sapper.store.models import GameKind, StoredSimulation


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One strategy on one kind of game, over all runs."""

    what: str
    """The game in words: its preset and start rule, or its board list."""
    kind: GameKind | None
    strategy: str
    runs: int
    games: int
    won: int
    moves: float
    """A game, on average."""
    guesses: float
    """A game, on average."""
    games_per_second: float | None

    @property
    def interval(self) -> Interval:
        return wilson(self.won, self.games)


def compare(runs: Iterable[StoredSimulation], wanted: Filter) -> list[Compared]:
    """What the runs say, game by game, the strategy that won most first. Runs without a game say nothing.

    A run with the seed of another is the same games, since a seed says all: the longer one counts.
    """
    best: dict[object, StoredSimulation] = {}
    for run in runs:
        if run.games and _is_wanted(run, wanted):
            same = (_what(run), run.kind, run.strategy, run.seed if run.seed is not None else run.key)
            if same not in best or best[same].games < run.games:
                best[same] = run
    groups: dict[tuple[str, GameKind | None, str], list[StoredSimulation]] = {}
    for run in best.values():
        groups.setdefault((_what(run), run.kind, run.strategy), []).append(run)
    rows = [_together(what, kind, name, group) for (what, kind, name), group in groups.items()]
    return sorted(rows, key=lambda row: (row.what, -row.won / row.games, row.strategy))


def _is_wanted(run: StoredSimulation, wanted: Filter) -> bool:
    kind = run.kind
    if wanted.strategy not in (None, run.strategy):
        return False
    if kind is None:
        return all(one is None for one in (wanted.preset, wanted.size, wanted.mine_count))
    return (
        wanted.preset in (None, kind.preset, kind.family)
        and wanted.size in (None, (kind.width, kind.height))
        and wanted.mine_count in (None, kind.mine_count)
    )


def _what(run: StoredSimulation) -> str:
    if run.kind is None:
        return run.boards or "boards"
    kind = run.kind
    return (
        f"{kind.preset or kind.rules.name} {kind.width}x{kind.height}/{kind.mine_count} start {kind.rules.start.value}"
    )


def _together(what: str, kind: GameKind | None, strategy: str, runs: list[StoredSimulation]) -> Compared:
    games = sum(run.games for run in runs)
    seconds = sum(run.seconds for run in runs)
    return Compared(
        what=what,
        kind=kind,
        strategy=strategy,
        runs=len(runs),
        games=games,
        won=sum(run.won for run in runs),
        moves=sum(run.moves for run in runs) / games,
        guesses=sum(run.guesses for run in runs) / games,
        games_per_second=games / seconds if seconds > 0 else None,
    )
