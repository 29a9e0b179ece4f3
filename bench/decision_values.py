"""What one strategy gains over another, by its own decisions: where whole games would take too many.

    python bench/decision_values.py second-opinion best-reply --cell expert-safe --games 400 --seed 1 [--fresh 400]
    python bench/decision_values.py second-opinion --boards FILE --results FILE [--begin 0] [--games 1000]
    python bench/decision_values.py second-opinion --boards FILE --results FILE --guesses [--begin 0] [--games 400]

The first plays games as the judged strategy. Wherever the other would guess elsewhere, fresh layouts are drawn and `best-reply` plays
them out after both guesses. The sum of these differences over a game is, on average, what the judged strategy wins more than
the other. Points a game, with a 95 % interval over the games.

The second plays a board list, and pairs it with another player's results on its lines (`won` or `lost` first on each line; boards
with any other word are left out): games that only one of the two wins, the difference with its 95 % interval, and the exact sign test.

The third goes along the other player's games instead: the results have, third on each line, the cells that it guessed, with commas
between. Wherever the judged strategy would guess elsewhere, both guesses are played out as above.

All print how long the judged strategy takes: CPU seconds a game, and its slowest decision.
Strategies are those that guess by the native library: best-reply, second-opinion, playouts, playouts@NUMBER.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from ctypes import c_double, c_uint64
from itertools import count, islice
from math import sqrt
from pathlib import Path

from strength import CELLS, paired

from sapper._kernels import batch
from sapper._kernels.native.deciding import Decider
from sapper.core.grid import Grid
from sapper.generator.board_file import read_board_list

FRESH = 0x9E3779B97F4A7C15
"""Changes the random numbers: fresh layouts are none of those that were decided by."""


class Judged:
    """A strategy's decisions, and how long they took."""

    def __init__(self, grid: Grid, name: str) -> None:
        parts = batch.parts_of(name)
        if parts is None:
            sys.exit(f"{name} is none of best-reply, second-opinion, playouts, playouts@NUMBER")
        self.decider = Decider(*grid.table, grid.width, parts)
        self.seconds = self.slowest = 0.0
        self.played_out = 0

    def choose(self, tiles: bytes, mines: int) -> int:
        """The cell to reveal."""
        began = time.process_time()
        cell = self.decider.choose(tiles, mines)
        took = time.process_time() - began
        self.seconds += took
        self.slowest = max(self.slowest, took)
        self.played_out += self.decider.decision.used > 0
        return cell

    def report(self, games: int) -> str:
        """How long it took, over so many games."""
        return (
            f"{self.seconds / games:.3f} CPU seconds a game, {self.played_out / games:.2f} decisions by playouts, "
            f"the slowest {1000 * self.slowest:.0f} ms"
        )


def reveal(grid: Grid, clues: list[int], tiles: bytearray, cell: int) -> None:
    """Reveal a safe cell, and what a zero opens."""
    waiting = [cell]
    while waiting:
        one = waiting.pop()
        if tiles[one] == 9:
            tiles[one] = clues[one]
            waiting += grid.neighbours(one) if clues[one] == 0 else []


def boards(judged: Judged, grid: Grid, clues: list[int], first: int, won: list[bool]) -> Iterator[tuple[bytes, int]]:
    """Each board at which the judged strategy guesses, in one game, and its guess; `won` gets how the game ended."""
    tiles, mines, cell = bytearray([9]) * grid.size, clues.count(9), first
    while clues[cell] != 9:
        reveal(grid, clues, tiles, cell)
        if tiles.count(9) == mines:
            won.append(True)
            return
        cell = judged.choose(bytes(tiles), mines)
        if cell < 0:
            sys.exit("a board is too hard for the kernel")
        if judged.decider.decision.candidates:
            yield bytes(tiles), cell
    won.append(False)


def layouts(grid: Grid, mines: int, start: int, first: int, seed: int) -> Iterator[list[int]]:
    """The numbers of fresh layouts, 9 at a mine."""
    series = batch.Series(*grid.table, grid.width, (mines,), start, first, seed)
    player = batch.make_player("random", series)
    for number in count():
        _, mapped = player.play_maps(number, 1)
        yield [9 if mapped[one] else sum(mapped[other] for other in grid.neighbours(one)) for one in range(grid.size)]


class Judge:
    """Plays two guesses out on the same fresh layouts, and adds up what the first gains, by game."""

    def __init__(self, grid: Grid, fresh: int, seed: int) -> None:
        self.gains: list[float] = []
        self.differ = 0
        self._fresh, self._seed = fresh, seed
        self._decider = Decider(*grid.table, grid.width, batch.BEST_REPLY._replace(playouts=batch.MOST_PLAYOUTS))
        self._words = c_uint64.from_address(self._decider.decision.words)
        self._scores = (c_double * 2).from_address(self._decider.decision.score)

    def compare(self, tiles: bytes, mines: int, cell: int, other: int) -> float:
        """What the first guess gains; 0 where the other is none."""
        if other in (cell, -1) or self._decider.compare(tiles, mines, [cell, other]) != cell:
            return 0.0
        self._words.value ^= FRESH ^ self._seed
        self._decider.play(self._fresh)
        self._decider.weigh()
        self.differ += 1
        return self._scores[0] - self._scores[1]

    def __str__(self) -> str:
        count = len(self.gains)
        mean = sum(self.gains) / count
        half = 1.96 * sqrt(sum((one - mean) ** 2 for one in self.gains) / count / max(count - 1, 1))
        return f"{count:,} games: {100 * mean:+.2f} ± {100 * half:.2f} points; {self.differ / count:.2f} guesses differ a game"


def gain(cell: str, names: Sequence[str], games: int, seed: int, fresh: int) -> None:
    width, height, mines, start, first = CELLS[cell]
    grid = Grid(width, height)
    judged, other, judge = Judged(grid, names[0]), Judged(grid, names[1]), Judge(grid, fresh, seed)
    for clues in islice(layouts(grid, mines, start, first, seed), games):
        guesses = boards(judged, grid, clues, first, [])
        judge.gains.append(sum(judge.compare(tiles, mines, own, other.choose(tiles, mines)) for tiles, own in guesses))
        if len(judge.gains) in (games, len(judge.gains) // 100 * 100):
            print(f"{cell}, {names[0]} over {names[1]}, {judge}; {judged.report(len(judge.gains))}", flush=True)


def along(name: str, file: str, results: str, begin: int, games: int, seed: int, fresh: int) -> None:
    """What another player's guesses gain over those of the judged strategy."""
    lines = [
        one.split() for one in Path(results).read_text(encoding="utf-8").splitlines() if one.strip() and one[0] != "#"
    ]
    listed = read_board_list(Path(file).read_text(encoding="utf-8").splitlines())
    judged = judge = None
    for game, line in islice(zip(listed, lines, strict=False), begin, begin + games):
        if line[0] not in ("won", "lost"):
            continue
        grid, clues = game.layout.grid, list(game.layout.clues)
        if judged is None or judge is None:
            judged, judge = Judged(grid, name), Judge(grid, fresh, seed)
        tiles, mines = bytearray([9]) * grid.size, clues.count(9)
        reveal(grid, clues, tiles, int(game.first))
        total = 0.0
        for guess in map(int, line[2].split(",") if len(line) > 2 else ()):
            mine = settle(judged, grid, clues, tiles)
            if tiles[guess] == 9 and mine >= 0:
                total += judge.compare(bytes(tiles), mines, guess, mine)
            if clues[guess] == 9:
                break
            reveal(grid, clues, tiles, guess)
        judge.gains.append(total)
        if len(judge.gains) % 100 == 0:
            print(f"{results} over {name}, {judge}; {judged.report(len(judge.gains))}", flush=True)
    if judge is not None and judged is not None:
        print(f"{results} over {name}, {judge}; {judged.report(len(judge.gains))}", flush=True)


def settle(judged: Judged, grid: Grid, clues: list[int], tiles: bytearray) -> int:
    """Reveal what is safe; the guess then, -1 where that is an endgame's."""
    mines = clues.count(9)
    while tiles.count(9) > mines:
        (found,) = batch.analyse_many([bytes(tiles)], [mines], grid.width, grid.size // grid.width, None)
        if not found.safe:
            cell = judged.choose(bytes(tiles), mines)
            return cell if judged.decider.decision.candidates else -1
        for cell in range(grid.size):
            if found.safe >> cell & 1:
                reveal(grid, clues, tiles, cell)
    return -1


def against(name: str, file: str, results: str, begin: int, games: int) -> None:
    listed = read_board_list(Path(file).read_text(encoding="utf-8").splitlines())
    lines = [
        one.split()[0]
        for one in Path(results).read_text(encoding="utf-8").splitlines()
        if one.strip() and one[0] != "#"
    ]
    mine: list[bool] = []
    theirs: list[bool] = []
    judged = None
    for game, result in islice(zip(listed, lines, strict=False), begin, begin + games):
        if result not in ("won", "lost"):
            continue
        grid = game.layout.grid
        judged = judged or Judged(grid, name)
        for _ in boards(judged, grid, list(game.layout.clues), int(game.first), mine):
            pass
        theirs.append(result == "won")
        if judged is not None and len(mine) % 500 == 0:
            show(name, judged, mine, theirs)
    if judged is not None:
        show(name, judged, mine, theirs)


def show(name: str, judged: Judged, mine: list[bool], theirs: list[bool]) -> None:
    rates = f"{100 * sum(mine) / len(mine):.2f} against {100 * sum(theirs) / len(theirs):.2f} %"
    print(f"{name}, {len(mine):,} boards: {rates}, {paired(mine, theirs)}; {judged.report(len(mine))}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("strategies", nargs="+")
    parser.add_argument("--cell", default="expert-safe", choices=list(CELLS))
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fresh", type=int, default=400)
    parser.add_argument("--boards")
    parser.add_argument("--results")
    parser.add_argument("--guesses", action="store_true")
    parser.add_argument("--begin", type=int, default=0)
    options = parser.parse_args()
    if options.boards and options.results and options.guesses:
        along(
            options.strategies[0],
            options.boards,
            options.results,
            options.begin,
            options.games,
            options.seed,
            options.fresh,
        )
    elif options.boards and options.results:
        against(options.strategies[0], options.boards, options.results, options.begin, options.games)
    elif len(options.strategies) == 2:
        gain(options.cell, options.strategies, options.games, options.seed, options.fresh)
    else:
        parser.error("two strategies, or one with --boards and --results")


if __name__ == "__main__":
    main()
