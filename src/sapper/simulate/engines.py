"""Engines that play the games of a plan with one of sapper's own strategies: the native half, or the reference."""

from collections.abc import Iterator
from typing import Protocol

from sapper._kernels import batch, loading
from sapper.core.grid import Grid
from sapper.core.rules import Win
from sapper.generator.search_values import START_NUMBERS
from sapper.simulate.plan import Chunk, Plan
from sapper.simulate.play import play_game
from sapper.simulate.results import GameOutcome, SimulatedGame
from sapper.solver.strategies.registry import find_strategy, own_strategy

_RESULTS = {batch.LOST: GameOutcome.LOST, batch.WON: GameOutcome.WON}


class Engine(Protocol):
    """Plays chunks of games. It has state of its own: one thread uses it."""

    def play(self, chunk: Chunk) -> Iterator[SimulatedGame]:
        """The games of the chunk, in order; fewer after `stop`."""

    def stop(self) -> None:
        """Begin no other game. Another thread may call it."""

    def close(self) -> None:
        """Give back what it holds."""


def is_native(plan: Plan, strategy: str) -> bool:
    """True if the native half is there, knows these rules and has this strategy.

    It knows games that are won by revealing, with cascades over 8 neighbours; no strategy of it
    flags, so nothing else of the rules matters. (With `either` and no mine, the first move of all wins.)
    """
    own = own_strategy(strategy)
    rules = plan.rules
    has_mines = plan.boards is None and min(plan.preset.mine_counts) > 0
    wins_by_revealing = rules.win is Win.REVEALED or (rules.win is Win.EITHER and has_mines)
    is_known = wins_by_revealing and rules.spread == 8 and own is not None and own.is_native
    return is_known and not plan.with_records and loading.is_native()


class NativeEngine:
    """Whole games by the library; a game too hard for it is played again by the reference."""

    def __init__(self, plan: Plan, strategy: str) -> None:
        """Makes the first player, which loads the library."""
        self._plan = plan
        self._strategy = strategy
        self._players: dict[Grid, batch.NativePlayer] = {}
        self._reference = ReferenceEngine(plan, strategy)
        self._is_stopped = False
        self.games_by_reference = 0
        """How many games were too hard for the library."""
        self._player(next(plan.chunks(1, 1)).grid)

    def _player(self, grid: Grid) -> "batch.NativePlayer":
        player = self._players.get(grid)
        if player is None:
            plan = self._plan
            starts, cells = grid.table
            series = batch.Series(
                starts=starts,
                cells=cells,
                width=grid.width if grid.is_plane else 0,
                mine_counts=plan.preset.mine_counts,
                start=START_NUMBERS[plan.rules.start],
                first=plan.first,
                seed=plan.seed,
            )
            player = batch.make_player(self._strategy, series)
            if len(self._players) > 8:  # a list of boards of ever other sizes
                self._players.clear()
            self._players[grid] = player
        return player

    def play(self, chunk: Chunk) -> Iterator[SimulatedGame]:
        begin, games, grid = chunk
        player = self._player(grid)
        if self._is_stopped:
            return
        if self._plan.boards is not None:
            listed = self._plan.listed(begin, games)
            maps = b"".join(one.layout.clues.translate(_IS_MINE) for one in listed)
            ended = player.play(begin, games, maps=maps, firsts=[one.first for one in listed])
            maps = maps[: len(ended) * grid.size]
        elif self._plan.with_bbbv:
            ended, maps = player.play_maps(begin, games)
        else:
            ended, maps = player.play(begin, games), b""
        measured = self._measured(grid, maps) if self._plan.with_bbbv else [None] * len(ended)
        for index, (one, bbbv) in enumerate(zip(ended, measured, strict=True), begin):
            if one.ending == batch.UNSOLVED:
                self.games_by_reference += 1
                yield from self._reference.play(Chunk(index, 1, grid))
            else:
                result = _RESULTS[one.ending]
                yield SimulatedGame(
                    index, self._plan.seed_of(index), result, one.moves, one.guesses, one.revealed, bbbv
                )

    @staticmethod
    def _measured(grid: Grid, maps: bytes) -> list[int]:
        found = batch.measure_many(*grid.table, grid.width, maps, plane=grid.is_plane, with_zini=False)
        return [one.bbbv for one in found]

    def stop(self) -> None:
        self._is_stopped = True
        self._reference.stop()
        for player in list(self._players.values()):
            player.stop()

    def close(self) -> None:
        """Nothing is held."""


_IS_MINE = bytes(1 if clue == 9 else 0 for clue in range(256))


class ReferenceEngine:
    """The engine itself, and one of sapper's own strategies."""

    def __init__(self, plan: Plan, strategy: str) -> None:
        self._plan = plan
        self._recorded_as = strategy if plan.with_records else None
        self._factory = find_strategy(strategy)
        self._is_stopped = False

    def play(self, chunk: Chunk) -> Iterator[SimulatedGame]:
        for index in range(chunk.begin, chunk.begin + chunk.games):
            if self._is_stopped:
                return
            referee, first = self._plan.referee(index)
            strategy = self._factory(
                self._plan.strategy_rng(index)
            )  # what it raises is a mistake of ours, and is not caught
            seed = self._plan.seed_of(index)
            yield play_game(
                index, seed, referee, first, strategy, with_bbbv=self._plan.with_bbbv, recorded_as=self._recorded_as
            )

    def stop(self) -> None:
        self._is_stopped = True

    def close(self) -> None:
        """Nothing is held."""
