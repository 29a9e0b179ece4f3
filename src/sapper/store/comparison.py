"""Strategies compared by the simulations that were kept of them."""

from collections.abc import Iterable
from dataclasses import dataclass

from sapper.metrics.interval import Interval, wilson
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
        """Wilson's interval for the chance to win, 95 %."""
        return wilson(self.won, self.games)


def compare(
    runs: Iterable[StoredSimulation],
    *,
    preset: str | None = None,
    size: tuple[int, int] | None = None,
    mine_count: int | None = None,
    start: str | None = None,
    strategy: str | None = None,
) -> list[Compared]:
    """What the runs say, game by game, the strategy that won most first. Runs without a game say nothing.

    A run with the seed of another is the same games, since a seed says all: the longer one counts.
    """
    best: dict[object, StoredSimulation] = {}
    for run in runs:
        if run.games and _is_wanted(run, preset, size, mine_count, start, strategy):
            same = (_what(run), run.kind, run.strategy, run.seed if run.seed is not None else run.key)
            if same not in best or best[same].games < run.games:
                best[same] = run
    groups: dict[tuple[str, GameKind | None, str], list[StoredSimulation]] = {}
    for run in best.values():
        groups.setdefault((_what(run), run.kind, run.strategy), []).append(run)
    rows = [_together(what, kind, name, group) for (what, kind, name), group in groups.items()]
    return sorted(rows, key=lambda row: (row.what, -row.won / row.games, row.strategy))


def _is_wanted(
    run: StoredSimulation,
    preset: str | None,
    size: tuple[int, int] | None,
    mine_count: int | None,
    start: str | None,
    strategy: str | None,
) -> bool:
    kind = run.kind
    if strategy not in (None, run.strategy):
        return False
    if kind is None:
        return all(one is None for one in (preset, size, mine_count, start))
    return (
        preset in (None, kind.preset, kind.family)
        and size in (None, (kind.width, kind.height))
        and mine_count in (None, kind.mine_count)
        and start in (None, kind.rules.start.value)
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
