"""The games of a simulation, and how each is made.

Game *i* of a run with seed S has the seed of child *i* of S. Of that, child 0 gives its layout and child
1 its mine count, where there is a choice (so `new_game` with the game's seed makes it), and child 2 the
random numbers of the strategy. So a game is the same whoever plays it, in whatever order, on any backend.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from sapper import _kernels
from sapper.core.cells import Cell
from sapper.core.grid import Grid
from sapper.core.preset import Preset
from sapper.core.rng import Rng
from sapper.core.rules import Rules
from sapper.core.words import counted
from sapper.errors import LayoutError
from sapper.game.referee import Referee
from sapper.game.source import FixedLayout
from sapper.generator.board_file import ListedGame
from sapper.generator.new_game import new_source

STRATEGY_KEY = 2
"""The child of a game's seed that a strategy's random numbers come from."""


class Chunk(NamedTuple):
    """Games `begin`, `begin` + 1, … of a plan, all on one grid."""

    begin: int
    games: int
    grid: Grid


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The games of a run: drawn from a preset, or those of a board list (then `preset` gives the rules only)."""

    preset: Preset
    games: int
    """How many."""
    first: Cell
    """The cell that every game reveals first; a listed game has its own."""
    seed: int = 0
    begin: int = 0
    """The number of the first of them: a part of a run begins where another part ends."""
    boards: tuple[ListedGame, ...] | None = field(default=None, repr=False)
    boards_begin: int = 0
    """The number of the game that the first of `boards` is."""
    with_bbbv: bool = False
    """True if the 3BV of each layout is wanted."""
    with_records: bool = False
    """True if the moves of each game are wanted. Python plays then."""

    def __post_init__(self) -> None:
        if self.games < 1:
            raise LayoutError(f"a simulation plays at least one game, not {self.games}")
        if self.boards is None:
            self.preset.grid.check(self.first)
        elif self.end - self.boards_begin > len(self.boards):
            raise LayoutError(
                f"{counted(self.end, 'game')} to play, but only {counted(len(self.boards), 'board')} in the list"
            )
        _ = Rng(self.seed)

    @property
    def rules(self) -> Rules:
        return self.preset.rules

    @property
    def end(self) -> int:
        return self.begin + self.games

    def part(self, begin: int, games: int) -> "Plan":
        """Some of these games, with no more boards than they need."""
        if self.boards is None:
            return replace(self, begin=begin, games=games)
        return replace(self, begin=begin, games=games, boards=self.listed(begin, games), boards_begin=begin)

    def listed(self, begin: int, games: int) -> tuple[ListedGame, ...]:
        assert self.boards is not None
        return self.boards[begin - self.boards_begin : begin - self.boards_begin + games]

    def seed_of(self, index: int) -> int:
        return _kernels.child_seed(self.seed, index)

    def strategy_rng(self, index: int) -> Rng:
        """The random numbers of a game's strategy."""
        return Rng(self.seed_of(index)).split(STRATEGY_KEY)

    def referee(self, index: int) -> tuple[Referee, Cell]:
        if self.boards is None:
            return Referee(rules=self.rules, source=new_source(self.preset, self.seed_of(index))), self.first
        listed = self.boards[index - self.boards_begin]
        return Referee(rules=self.rules, source=FixedLayout(listed.layout)), listed.first

    def chunks(self, most_cells: int, most_games: int) -> Iterator[Chunk]:
        """The games in order, in pieces of about `most_cells` cells and at most `most_games` games."""
        begin = self.begin
        while begin < self.end:
            grid = self._grid_of(begin)
            end = min(begin + max(1, min(most_games, most_cells // grid.size)), self.end)
            if self.boards is not None:
                end = next((at for at in range(begin + 1, end) if self._grid_of(at) != grid), end)
            yield Chunk(begin, end - begin, grid)
            begin = end

    def _grid_of(self, index: int) -> Grid:
        return self.preset.grid if self.boards is None else self.boards[index - self.boards_begin].layout.grid


class Shard(NamedTuple):
    """Part `number` of `of`, counted from 1."""

    number: int
    of: int

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def games(self, games: int) -> range:
        """The numbers of its games; parts differ by one game at most."""
        return range(games * (self.number - 1) // self.of, games * self.number // self.of)

    def plan(self, plan: Plan) -> Plan:
        """The plan of this part; `LayoutError` where there are fewer games than parts."""
        if plan.games < self.of:
            raise LayoutError(f"{plan.games} games cannot make {self.of} parts: each needs at least one")
        numbers = self.games(plan.games)
        return plan.part(plan.begin + numbers.start, len(numbers))
