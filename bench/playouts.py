"""What playouts are worth: what each candidate for the second cell wins, and what guesses gain by the number of playouts.

    python bench/playouts.py --cell expert-safe --second 1,2,3 [--layouts 3000]
    python bench/playouts.py --curve FOLDER --cell expert-safe,expert-open --games 100 [--seconds 4000] [--candidates 20 --margin 600]
    python bench/playouts.py --curve FOLDER --cell expert-safe,expert-open --games 0
    python bench/playouts.py --slowest playouts,playouts@2s,playouts@2000 --cell expert-safe --games 10

The first takes a board whose first cell shows the given number and plays layouts out after each candidate of `best-reply`, with 95 %
intervals. The second tells what guesses chosen by so many playouts gain
(see `curve.py`): it goes on with what FOLDER holds, and with no games to play only prints the result.
`--candidates` and `--margin` have other guesses looked at than `playouts` does: so many, and so safe, in per mille of the safest.
The last plays games with these strategies and prints the longest time that a move took, by the clock and by the processor.
What `playouts` gains over other strategies: `decision_values.py`.
"""

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

import curve
import numpy as np
from strength import CELLS

from sapper._kernels import batch
from sapper._kernels.native import deciding
from sapper.core.cells import Cell
from sapper.core.grid import Grid
from sapper.core.rng import Rng
from sapper.core.rules import RULES, Start
from sapper.game.game import Game
from sapper.generator.uniform import UniformSource
from sapper.solver.strategies.registry import find_strategy

FRESH = curve.FRESH
"""Changes the random numbers: fresh layouts are none of those that were decided by."""


class Table:
    """A game on a given layout, and what decides in it."""

    def __init__(self, cell: str, parts: batch.GuessParts) -> None:
        width, height, self.mine_count, start, self.first = CELLS[cell]
        self.grid = Grid(width, height)
        self.decider = deciding.Decider(*self.grid.table, width, parts)
        self.desk = curve.Desk(self.decider)
        series = batch.Series(*self.grid.table, width, (self.mine_count,), start, self.first, seed=77)
        self._layouts = batch.make_player("least-risk", series)

    def clues(self, number: int) -> list[int]:
        """The numbers of a fresh layout, 9 at a mine."""
        _, mapped = self._layouts.play_maps(number, 1)
        near = self.grid.neighbours
        return [9 if mapped[one] else sum(mapped[other] for other in near(one)) for one in range(self.grid.size)]

    def reveal(self, clues: list[int], tiles: bytearray, cell: int) -> None:
        """Reveal a safe cell, and what a zero opens."""
        waiting = [cell]
        while waiting:
            one = waiting.pop()
            if tiles[one] == 9:
                tiles[one] = clues[one]
                waiting += self.grid.neighbours(one) if clues[one] == 0 else []


def slowest(cell: str, strategies: Sequence[str], games: int) -> None:
    """Whole moves as `sapper simulate` makes them, the exact analysis included."""
    width, height, mines, start, first = CELLS[cell]
    rules, grid = RULES["classic"].replace(start=tuple(Start)[start]), Grid(width, height)
    for name in strategies:
        took: list[tuple[float, float]] = []
        for number in range(-1, games):  # what is loaded in the first one is not counted
            game = Game(rules=rules, source=UniformSource(grid, mines, 1_000 + number, rules.start))
            strategy = find_strategy(name)(Rng(1))
            game.reveal(Cell(first))
            while not game.status.ended:
                clock, processor = time.perf_counter(), time.process_time()
                choice = strategy.choose(game.board)
                if number >= 0:
                    took.append((time.perf_counter() - clock, time.process_time() - processor))
                game.play(choice.move)
        by_clock, by_processor = (1000 * max(one[at] for one in took) for at in range(2))
        total = sum(processor for _, processor in took) / games
        print(
            f"{name:10} {len(took):,} moves, the slowest {by_clock:,.0f} ms by the clock, {by_processor:,.0f} ms of the "
            f"processor; {total:.2f} CPU seconds a game",
            flush=True,
        )


def second(table: Table, clue: int, layouts: int) -> None:
    desk, decider, grid = table.desk, table.decider, table.grid
    tiles = bytearray([9]) * grid.size
    tiles[table.first] = clue
    decider.begin(bytes(tiles), table.mine_count)
    decider.play(layouts)
    decider.weigh()
    count, played, usual = decider.decision.candidates, decider.decision.layouts, decider.decision.usual
    print(f"the first cell shows {clue}; {played:,} layouts")

    def rest(one: int) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
        return np.asarray(desk.value[one, :played] - desk.mean[one, desk.answer[one, :played]])

    for one in range(count):
        error = float(np.sqrt(((rest(one) - rest(usual)) ** 2).sum()) / played)
        more = float(desk.score[one] - desk.score[usual])
        name = " (expert's)" if one == usual else f" {100 * more:+.2f} ± {196 * error:.2f} points"
        print(f"  {grid.xy(int(desk.cell[one]))!s:9} wins {100 * desk.score[one]:.2f} %{name}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--cell", default="expert-safe", help="one of those of strength.py; with --curve some, with commas"
    )
    parser.add_argument("--games", type=int, default=34)
    parser.add_argument("--candidates", type=int, default=batch.PLAYOUTS.candidates)
    parser.add_argument("--margin", type=int, default=batch.PLAYOUTS.margin)
    parser.add_argument("--slowest", default="")
    parser.add_argument("--second", default="")
    parser.add_argument("--layouts", type=int, default=3_000)
    parser.add_argument("--curve", type=Path)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    options = parser.parse_args()
    cells = options.cell.split(",")
    wide = {"candidates": options.candidates, "rivals": options.candidates, "margin": options.margin}
    parts = batch.PLAYOUTS._replace(playouts=batch.MOST_PLAYOUTS, **wide)  # all that are asked for
    if options.curve is not None:
        curve.record(options.curve, {cell: Table(cell, parts) for cell in cells}, options.games, options.seconds)
        curve.report(options.curve, cells)
        return
    if options.slowest:
        slowest(options.cell, options.slowest.split(","), options.games)
        return
    table = Table(options.cell, parts)
    for clue in filter(None, options.second.split(",")):
        second(table, int(clue), options.layouts)


if __name__ == "__main__":
    main()
