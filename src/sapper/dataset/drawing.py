"""Positions of games, each with its exact chances and its difficulty, drawn from a seed.

`GAMES` games are played side by side. A round analyses every board, which makes a position of each, and then plays on: where cells are
safe, a random number of them in random order; else a guess, the least likely mine or, now and then, any covered cell. So positions
stand before, within and behind the steps that a careful player takes, and behind guesses that such a player would not make.

All that is random comes from the raw 64-bit words of NumPy's PCG64, whose stream is fixed forever.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sapper import _kernels
from sapper._kernels import MINE_CLUE, batch
from sapper.core.board import Board, first_cell
from sapper.core.cells import CellSet
from sapper.core.grid import Grid
from sapper.core.preset import Preset
from sapper.core.rng import Rng
from sapper.core.rules import Rules, Win
from sapper.core.status import Status
from sapper.core.words import counted
from sapper.errors import InvalidValueError, LayoutError, TooHardError
from sapper.generator.search_values import START_NUMBERS
from sapper.solver.analysis import settled_log10
from sapper.solver.deduce.explain import hardest, iterate_steps, needed_for, next_step
from sapper.solver.deduce.step import Technique
from sapper.solver.win import win_chance

AUTORESET_NEVER = 0
AUTORESET_NEXT_STEP = 1
AUTORESET_SAME_STEP = 2


class GameBatch:
    """Games of one kind, each of a run of its own; `buffers` are as the kernel has them (`StepBuffers`)."""

    def __init__(
        self,
        grid: Grid,
        rules: Rules,
        mine_count: int,
        games: int,
        *,
        autoreset: int,
        limit: int = 0,
        native: bool = True,
    ) -> None:
        """No game is begun. `limit`: steps after which a game is cut off; 0: never."""
        size = grid.size

        def zeros(kind: Any, count: int = games) -> NDArray[Any]:
            return np.zeros(count, kind)

        cells = games * size
        self.buffers = batch.StepBuffers(
            seeds=zeros(np.uint64),
            numbers=zeros(np.int64),
            tiles=zeros(np.uint8, cells),
            mask=zeros(np.uint8, cells),
            final=zeros(np.uint8, cells if autoreset == AUTORESET_SAME_STEP else 0),
            opened=zeros(np.int32),
            outcome=zeros(np.uint8),
            revealed=zeros(np.int32),
            steps=zeros(np.int32),
            clues=zeros(np.uint8, cells),
            stage=zeros(np.uint8),
        )
        opened_by_zero = grid.table if rules.spread == 8 else grid.edge_table
        start = START_NUMBERS[rules.start]
        order = batch.Stepping(*grid.table, *opened_by_zero, mine_count, start, games, autoreset, limit)
        self.stepper = batch.make_stepper(order, self.buffers, native=native)
        self.tiles: NDArray[np.uint8] = self.buffers.tiles.reshape(games, size)
        self.shaped: NDArray[np.uint8] = self.buffers.tiles.reshape(games, grid.height, grid.width)
        self.mask: NDArray[np.int8] = self.buffers.mask.view(np.int8).reshape(games, size)
        self.clues: NDArray[np.uint8] = self.buffers.clues.reshape(games, size)
        """The truth, of games that have begun. Not for players."""
        self.final: NDArray[np.uint8] = self.buffers.final.reshape(-1, size)

    def begin(self, which: NDArray[np.bool_]) -> None:
        self.stepper.begin(which.view(np.uint8))
        self.buffers.outcome[which] = 0

    def over(self) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = self.buffers.stage == batch.STAGE_OVER
        return found

    def status(self, game: int) -> Status:
        if not (self.tiles[game] != 9).any():
            return Status.READY
        if (self.tiles[game] == 13).any():
            return Status.LOST
        return Status.WON if self.buffers.outcome[game] & batch.STEP_WON else Status.PLAYING


# Which technique a position asks for: the hardest on the easiest way to a safe cell, as `next_step` goes it.
#
# Most positions have a cell that one clue shows to be safe, and these are found for many at once.
_COVERED = 9


def techniques(preset: Preset, tiles: NDArray[np.uint8], has_safe: NDArray[np.bool_]) -> NDArray[np.int8]:
    """The technique of each row of tiles; `has_safe` says where a cell is certainly safe."""
    found = np.full(len(tiles), Technique.GUESS, np.int8)
    found[has_safe] = Technique.ONE_CLUE
    for at in np.flatnonzero(has_safe & ~by_one_clue(preset.grid, tiles)):
        found[at] = _technique(preset, tiles[at].tobytes())
    return found


def by_one_clue(grid: Grid, tiles: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Whether single clues are enough: those that need all their covered cells show mines, those that have all their mines safe cells."""
    near = _neighbours(grid)
    covered = np.pad(tiles == _COVERED, ((0, 0), (0, 1)))  # the place beyond the last is off the board
    around = covered[:, near].sum(axis=2)
    is_clue = tiles <= 8
    full = np.pad(is_clue & (around == tiles), ((0, 0), (0, 1)))
    mined = covered & np.pad(full[:, near].any(axis=2), ((0, 0), (0, 1)))
    known = mined[:, near].sum(axis=2)
    found: NDArray[np.bool_] = (is_clue & (known == tiles) & (around > known)).any(axis=1)
    return found


def _neighbours(grid: Grid) -> NDArray[np.intp]:
    """The neighbours of each cell; of cells at an edge the place beyond the last stands for those that are missing."""
    found = np.full((grid.size, 8), grid.size)
    for cell, near in enumerate(map(grid.neighbours, range(grid.size))):
        found[cell, : len(near)] = near
    return found


def _technique(preset: Preset, tiles: bytes) -> Technique:
    board = Board(
        grid=preset.grid, rules=preset.rules, mine_count=preset.mine_counts[0], tiles=tiles, status=Status.PLAYING
    )
    steps = []
    for step in iterate_steps(board, up_to=Technique.PATTERN):  # which takes no analysis
        steps.append(step)
        if step.safe:
            return hardest(needed_for(steps)) or Technique.GUESS
    return hardest(next_step(board)) or Technique.GUESS


GAMES: Final = 256
"""Games side by side: part of what a seed means."""
MOST_WITHOUT: Final = 20_000
"""Games that may end one after the other without a position that is kept."""

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawingOrder:
    """Which positions are drawn."""

    preset: Preset
    seed: int
    random_guesses: float = 0.25
    """The share of guesses that are any covered cell, instead of the least likely mine."""
    guesses_only: bool = False
    """True if positions are kept only where no cell is certainly safe."""
    with_win: bool = False
    """True if the chance to win is worked out too: some thousand times as slow."""

    def __post_init__(self) -> None:
        preset = self.preset
        if preset.rules.win is Win.FLAGGED:
            raise InvalidValueError(
                f"positions come from games won by revealing; rules {preset.rules.name!r} are won by flags"
            )
        if preset.grid.size == 1:
            raise LayoutError("a board of 1 cell has no positions: a cell that is safe and a mine are needed")
        if len(preset.mine_counts) > 1 or not 1 <= preset.mine_counts[0] < preset.grid.size:
            counts = " or ".join(map(str, preset.mine_counts))
            raise LayoutError(
                f"{counted(preset.grid.size, 'cell')} with {counts} mines: give one number, 1 to {preset.grid.size - 1}"
            )
        if not 0 <= self.random_guesses <= 1:
            raise LayoutError(f"a share of guesses is from 0 to 1, not {self.random_guesses}")
        _ = Rng(self.seed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Positions:
    """Some positions, a row each."""

    seed: NDArray[np.uint64]
    """Of the game: `new_game(preset, seed=…)` has its layout. Positions of one game share it."""
    tiles: NDArray[np.uint8]
    """positions × cells: 0 to 8 a clue, 9 covered."""
    chances: Numbers
    """positions × cells: the exact chance of a mine, rounded once; -1 at revealed cells."""
    revealed: NDArray[np.int32]
    """Cells revealed."""
    safe: NDArray[np.int32]
    """How many covered cells are certainly safe."""
    best: NDArray[np.int32]
    """The least likely mine; of those within 1e-9 the lowest cell."""
    least_risk: Numbers
    """Its chance."""
    census_log10: Numbers
    """The decimal logarithm of the number of layouts that fit."""
    technique: NDArray[np.int8]
    """The hardest `Technique` on the way to the first safe cell, the cheapest tried first; `GUESS` where there is none."""
    mines: NDArray[np.uint8]
    """positions × cells: 1 where a mine is."""
    win: Numbers
    """The chance to win by best play, and the bounds that are proved; NaN where it is not asked for. Played out where they differ."""
    win_low: Numbers
    win_high: Numbers
    win_best: NDArray[np.int32]
    """The cell to reveal for that; -1 where it is not asked for."""


class _Dice:
    """Random numbers that a seed fixes forever."""

    def __init__(self, seed: int) -> None:
        self._words = np.random.PCG64(seed)

    def uniform(self, count: int) -> Numbers:
        """`count` numbers from 0 to 1, 1 excluded."""
        words = np.atleast_1d(self._words.random_raw(count))
        found: Numbers = (words >> np.uint64(11)).astype(np.float64) * 2.0**-53
        return found


def draw(order: DrawingOrder, positions: int) -> Iterator[Positions]:
    """Positions in pieces of at most `GAMES`; the same order gives the same ones everywhere."""
    preset = order.preset
    grid, mines = preset.grid, preset.mine_counts[0]
    games = GameBatch(grid, preset.rules, mines, GAMES, autoreset=AUTORESET_NEVER)
    rng = Rng(order.seed)
    games.buffers.seeds[:] = [rng.split(number).seed for number in range(GAMES)]
    games.buffers.numbers[:] = -1
    dice = _Dice(rng.split(GAMES).seed)
    first = np.full(GAMES, first_cell(grid, preset.rules.start), np.int64)
    games.begin(np.ones(GAMES, np.bool_))
    games.stepper.step(first)
    table = None if grid.is_plane else grid.table
    without = 0  # games that have ended since the last position that was kept
    while positions > 0:
        if without >= MOST_WITHOUT:
            wanted = " with no safe cell" if order.guesses_only else ""
            raise LayoutError(
                f"{without:,} games of {counted(mines, 'mine')} on {grid.width}x{grid.height} cells had no position{wanted}: take more mines or a larger board"
            )
        playing = np.flatnonzero(~games.over())
        rows = [games.tiles[game].tobytes() for game in playing]
        found = list(batch.analyse_many(rows, [mines] * len(rows), grid.width, grid.height, table))
        kept = [
            at
            for at, one in enumerate(found)
            if one.fault is None and not (order.guesses_only and one.safe) and one.lowest != batch.NOTHING
        ][:positions]
        if kept:
            yield _positions(order, games, playing[kept], [found[at] for at in kept])
            positions -= len(kept)
            without = 0
        _play_on(games, dict(zip(playing.tolist(), found, strict=True)), dice, order.random_guesses)
        over = games.over()
        if over.any():
            without += int(over.sum())
            games.begin(over)
            _step(games, {int(game): [int(first[game])] for game in np.flatnonzero(over)})


def _positions(
    order: DrawingOrder, games: GameBatch, playing: NDArray[np.intp], found: Sequence[batch.Chances]
) -> Positions:
    buffers = games.buffers
    tiles = games.tiles[playing].copy()
    chances = np.stack([np.frombuffer(one.chances) for one in found])
    best = np.array([one.lowest for one in found], np.int32)
    seeds = [
        _kernels.child_seed(int(buffers.seeds[game]), int(buffers.numbers[game]))  # as `Plan.seed_of`
        for game in playing
    ]
    win = np.full((3, len(found)), np.nan)
    win_best = np.full(len(found), -1, np.int32)
    if order.with_win:
        for at, row in enumerate(tiles):
            win[:, at], win_best[at] = _win_of(order.preset, row.tobytes())
    return Positions(
        seed=np.array(seeds, np.uint64),
        tiles=tiles,
        chances=np.nan_to_num(chances, nan=-1.0),
        revealed=buffers.revealed[playing].copy(),
        safe=np.array([one.safe.bit_count() for one in found], np.int32),
        best=best,
        least_risk=chances[np.arange(len(found)), best],
        census_log10=np.array([settled_log10(one.census_log10) for one in found]),
        technique=techniques(order.preset, tiles, np.array([bool(one.safe) for one in found])),
        mines=(games.clues[playing] == MINE_CLUE).astype(np.uint8),
        win=win[0],
        win_low=win[1],
        win_high=win[2],
        win_best=win_best,
    )


def _win_of(preset: Preset, tiles: bytes) -> tuple[tuple[float, float, float], int]:
    """The chance to win, its bounds, and the best cell; NaN and -1 where it is not known."""
    board = Board(
        grid=preset.grid, rules=preset.rules, mine_count=preset.mine_counts[0], tiles=tiles, status=Status.PLAYING
    )
    try:
        found = win_chance(board)
    except TooHardError:
        return (np.nan, np.nan, np.nan), -1
    if found.win_low is None or found.win_high is None:
        return (np.nan, np.nan, np.nan), -1
    if found.win is None or found.best is None:
        return (np.nan, found.win_low, found.win_high), -1
    return (found.win, found.win_low, found.win_high), int(found.best.cell)


def _play_on(games: GameBatch, found: dict[int, batch.Chances], dice: _Dice, random_guesses: float) -> None:
    """Some safe cells of each game, or a guess; two random numbers a game, and one a safe cell."""
    wanted: dict[int, list[int]] = {}
    drawn = dice.uniform(2 * len(found))
    for at, (game, one) in enumerate(found.items()):
        how, which = drawn[2 * at], drawn[2 * at + 1]
        if one.safe:
            safe = list(CellSet(one.safe))
            order = np.argsort(dice.uniform(len(safe)), kind="stable")[: 1 + int(how * len(safe))]
            wanted[game] = [safe[place] for place in order]
        else:
            covered = np.flatnonzero(games.tiles[game] == 9)
            is_random = one.fault is not None or how < random_guesses
            wanted[game] = [int(covered[int(which * covered.size)]) if is_random else one.lowest]
    _step(games, wanted)


def _step(games: GameBatch, wanted: dict[int, list[int]]) -> None:
    """Reveal these cells in order. A game with none left repeats its last, which changes nothing; so does one that has ended."""
    if not wanted:
        return
    actions = np.argmax(games.tiles != 9, axis=1).astype(np.int64)  # a revealed cell
    for number in range(max(map(len, wanted.values()))):
        for game, cells in wanted.items():
            if number < len(cells):
                actions[game] = cells[number]
        games.stepper.step(actions)
