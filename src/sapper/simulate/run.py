"""Many games in one call, for users of the library."""

from collections.abc import Callable

from sapper.core.board import first_cell
from sapper.core.cells import Cell
from sapper.core.preset import Preset, as_preset
from sapper.simulate.plan import Plan
from sapper.simulate.results import RunSummary, SimulatedGame
from sapper.simulate.runner import simulate
from sapper.simulate.strategy_names import name_of
from sapper.solver.strategies.base import StrategyFactory


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
    start = first_cell(preset.grid, preset.rules.start) if first is None else first
    plan = Plan(preset=preset, games=games, first=start, seed=seed)
    name = strategy if isinstance(strategy, str) else name_of(strategy)
    return simulate(plan, name, workers=workers, native=native, on_played=on_played)
