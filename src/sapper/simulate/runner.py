"""Runs a plan: workers, progress, stopping early.

The library releases Python's lock and a stranger's strategy thinks in its own process, so their workers are
threads; games that Python plays need processes. The games are the same with any number of them.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import closing
from dataclasses import dataclass
from typing import Protocol

from sapper.core.arguments import check_number, check_type
from sapper.core.board import first_cell
from sapper.core.cells import Cell
from sapper.core.preset import Preset, as_preset
from sapper.simulate.engines import Engine, NativeEngine, ReferenceEngine, is_native
from sapper.simulate.external import DEFAULT_MOVE_LIMIT, ExternalEngine, is_stranger
from sapper.simulate.plan import Chunk, Plan
from sapper.simulate.results import GameOutcome, RunSummary, SimulatedGame, SimulationStats
from sapper.simulate.strategy_names import file_of, name_of
from sapper.simulate.workers import ProcessEngine, Workers
from sapper.solver.strategies.base import StrategyFactory
from sapper.solver.strategies.registry import strategy_names, unknown_strategy

_CELLS = {"native": 60_000, "reference": 2_000, "process": 1}
_GAMES = {"native": 250, "reference": 50, "process": 1}
"""Cells and games of a chunk at most, by backend: some tenths of a second, so that progress is seen."""
_LOOK = 0.1  # seconds between two looks at whether to stop
_PATIENCE = 20.0  # seconds that games being played get to end in


class Team(Protocol):
    """Players of chunks of games: threads here, or processes of a cluster."""

    @property
    def width(self) -> int:
        """How many chunks are to be handed out at a time, now."""

    @property
    def backend(self) -> str:
        """The backend that has played so far; see `RunSummary.backend`."""

    @property
    def share(self) -> int:
        """How many times as many games a chunk has as suits a thread here."""

    def submit(self, chunk: Chunk) -> "Future[list[SimulatedGame]]":
        """Play a chunk."""

    def stop(self) -> None:
        """End soon: what is being played may be broken off after a game."""

    def close(self) -> None:
        """Give back what is held."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierGames:
    """The first games of a plan, which an earlier process has played."""

    games: Iterable[SimulatedGame]
    count: int
    seconds: float
    """How long they took."""


def check_strategy(name: str) -> None:
    """`UnknownNameError` for an unknown name; whether the strategy can be loaded shows later."""
    if is_stranger(name) and ":" not in name and file_of(name) is None and name not in strategy_names():
        raise unknown_strategy(name)


def backend_of(plan: Plan, strategy: str, *, native: bool = True) -> str:
    """What plays these games: `native`, `reference`, or `process` for a stranger's strategy; `UnknownNameError` for an unknown name."""
    check_strategy(strategy)
    if is_stranger(strategy):
        return "process"
    return "native" if native and is_native(plan, strategy) else "reference"


def simulate(
    plan: Plan,
    strategy: str,
    *,
    workers: int = 1,
    native: bool = True,
    move_limit: float = DEFAULT_MOVE_LIMIT,
    earlier: EarlierGames | None = None,
    make_team: "Callable[[Plan], Team] | None" = None,
    on_ready: Callable[[], None] = lambda: None,
    on_played: Callable[[SimulatedGame], None] = lambda _: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> RunSummary:
    """Play the games of a plan.

    `workers` games are played at a time. `native=False` keeps to the reference. `move_limit` is in seconds, for a
    stranger's strategy. `earlier` games are counted and not played again. `make_team` gives other workers than
    threads and processes of this machine. `on_ready` is called when everything is loaded, `on_played` with every game, in the order of their numbers. When
    `should_stop` says so, the games played by then are handed on, and that is the end; then numbers may be missing
    among them, since each worker was in the middle of games of its own. Errors are those of a strategy that can't be found or loaded (`UnknownNameError`, `StrategyError`).
    """
    backend = backend_of(plan, strategy, native=native)
    began = time.perf_counter()
    stats = SimulationStats()
    for played in () if earlier is None else earlier.games:
        stats.add(played)
        on_played(played)
    seconds = 0.0 if earlier is None else earlier.seconds
    ready = time.perf_counter()
    if stats.games < plan.games:
        rest = plan.part(plan.begin + stats.games, plan.games - stats.games)
        chosen = make_team or (lambda games: _make_team(games, strategy, backend, workers, move_limit))
        with closing(chosen(rest)) as team:
            on_ready()
            ready = time.perf_counter()
            for played in _play(team, _chunks(rest, team.backend or backend, team), should_stop):
                stats.add(played)
                on_played(played)
            seconds += time.perf_counter() - ready
            backend = team.backend or backend
    return RunSummary(
        games=stats.games,
        requested=plan.games,
        won=stats.results[GameOutcome.WON],
        lost=stats.results[GameOutcome.LOST],
        terminated=stats.results[GameOutcome.TERMINATED],
        faults=dict(sorted(stats.faults.items())),
        fault_example=stats.fault_example,
        moves=stats.moves,
        guesses=stats.guesses,
        backend=backend,
        seconds=seconds,
        ready_seconds=ready - began,
        interrupted=stats.games < plan.games,
    )


def _chunks(plan: Plan, backend: str, team: Team) -> Iterator[Chunk]:
    """The games in pieces; those of a large share are no larger than gives every worker some."""
    most = _GAMES[backend] * team.share
    if team.share > 1:
        most = min(most, max(1, plan.games // (4 * team.width)))
    return plan.chunks(_CELLS[backend] * team.share, most)


def _make_team(plan: Plan, strategy: str, backend: str, workers: int, move_limit: float) -> Team:
    if backend == "reference" and workers > 1:
        return Workers(lambda: ProcessEngine(plan, strategy), workers, backend)
    return Workers(lambda: make_engine(plan, strategy, backend, move_limit), workers, backend)


def make_engine(plan: Plan, strategy: str, backend: str, move_limit: float) -> Engine:
    """What plays in one thread of this process; `backend` as `backend_of` says."""
    if backend == "process":
        return ExternalEngine(plan, strategy, move_limit)
    return NativeEngine(plan, strategy) if backend == "native" else ReferenceEngine(plan, strategy)


def _play(team: Team, chunks: Iterator[Chunk], should_stop: Callable[[], bool]) -> Iterator[SimulatedGame]:
    """The games of the chunks in order; those played so far once it is time to stop."""
    numbered = enumerate(chunks)
    pending: dict[Future[list[SimulatedGame]], int] = {}
    finished: dict[int, list[SimulatedGame]] = {}
    following = 0
    while not should_stop():
        while len(pending) < team.width and (one := next(numbered, None)) is not None:
            pending[team.submit(one[1])] = one[0]
        if not pending:
            return
        done, _ = wait(pending, timeout=_LOOK, return_when=FIRST_COMPLETED)
        for future in done:
            finished[pending.pop(future)] = future.result()
        while following in finished:
            yield from finished.pop(following)
            following += 1
    team.stop()
    running = {future: number for future, number in pending.items() if not future.cancel()}
    done, _ = wait(running, timeout=_PATIENCE)
    for future in done:
        finished[running[future]] = future.result()
    for number in sorted(finished):
        yield from finished[number]


def run_games(
    game: Preset | str,
    strategy: str | StrategyFactory = "least-risk",
    *,
    games: int = 1000,
    seed: int,
    first: Cell | None = None,
    workers: int = 1,
    native: bool = True,
    on_played: Callable[[SimulatedGame], None] = lambda _: None,
) -> RunSummary:
    """Play many games of a preset with a strategy, and count those it wins.

    Args:
        game: The preset, by name or as a value.
        strategy: The name of one of sapper's, or a class of your own (or another callable that takes an `Rng` and returns a
            `Strategy`) at the top level of a file or module: it plays in a process of its own, which imports that file, and never
            holds a layout. A script that calls `run_games` does so under `if __name__ == "__main__":`.
        games: How many games, from 1.
        seed: 0 to 2**64 - 1; the same seed is the same games, whoever plays them.
        first: The cell that every game reveals first; the usual one of the start rule unless given.
        workers: Games played at a time; changes no result.
        native: Whether the native half plays, where it is there and knows the strategy; the reference plays the same games.
        on_played: Called with every game, in the order of their numbers.

    Raises:
        UnknownNameError: there is no such preset or strategy.
        StrategyLoadError: the strategy cannot be loaded by another process, or raises when it is.
        LayoutError: no games to play. `CellError`: the first cell is off the board. `InvalidValueError`: the seed is none.

    """
    preset = as_preset(game)
    check_type("games", games, int)
    check_number("workers", workers, least=1)
    start = first_cell(preset.grid, preset.rules.start) if first is None else first
    plan = Plan(preset=preset, games=games, first=start, seed=seed)
    name = strategy if isinstance(strategy, str) else name_of(strategy)
    return simulate(plan, name, workers=workers, native=native, on_played=on_played)
