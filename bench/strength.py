"""How often strategies win: whole games, paired on the same boards, with 95 % intervals; and what their parts are worth.

    python bench/strength.py [--games 20000] [--cells expert-open,…] [--strategies least-risk,best-reply,playouts]
    python bench/strength.py --boards FILE [--results FILE]
    python bench/strength.py --ablation [--games 10000]
    python bench/strength.py --small tests/data/small/optimal.json [--most 50000] [--strategies random,least-risk,playouts]
    python bench/strength.py --optimal tests/data/small/optimal.json [--most 50000]

Cells are the six of the table in `docs/strength.md`: a size, its number of mines, a start rule and a first cell.
`--boards` plays a board list instead, and `--results` pairs the first strategy with another player's results on its lines
(`won` or `lost` first on each line; lines that begin with # are comments): boards that only one of the two wins, and the
exact sign test. `--ablation` leaves parts of `best-reply` out. `--small` gives each strategy's chance to win
whole games whose best chance is known, beside that: exactly, by enumeration, or played once against every layout where the strategy
guesses at random.
`--optimal` searches whole games whose best chance to win is known, and says where the search finds another, or other first cells.
CPU seconds are those of one core; the slowest game bounds the slowest move.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import NamedTuple

from small_boards import MINE, Enumerated

from sapper._kernels import batch
from sapper._kernels.native.endgames import solve_board
from sapper.core.cells import Cell, CellSet
from sapper.core.grid import Grid
from sapper.core.rng import Rng
from sapper.core.rules import RULES, Start
from sapper.core.status import Status
from sapper.game.game import Game
from sapper.game.layout import Layout
from sapper.game.source import FixedLayout, LayoutSource
from sapper.generator.board_file import read_board_list
from sapper.generator.uniform import UniformSource
from sapper.metrics.interval import p_in_words, sign_test, wilson
from sapper.solver.strategies.registry import find_strategy

CELLS = {
    "expert-open": (30, 16, 99, 2, 3 * 30 + 3),
    "expert-safe": (30, 16, 99, 1, 0),
    "intermediate-open": (16, 16, 40, 2, 2 * 16 + 2),
    "intermediate-safe": (16, 16, 40, 1, 0),
    "beginner-open": (9, 9, 10, 2, 2 * 9 + 2),
    "beginner-safe": (9, 9, 10, 1, 0),
}
"""Width, height, mines, start rule (1 safe, 2 open), first cell."""
AT_RANDOM = ("random", "single", "subset")
"""Strategies that guess at random: their exact chance would take all that they may guess."""
PARTS = {
    "nothing but least risk": batch.BEST_REPLY._replace(layouts=0, candidates=1),
    "endgames alone": batch.BEST_REPLY._replace(candidates=1),
    "best reply alone": batch.BEST_REPLY._replace(layouts=0, opening=0, decay=0),
    "all but endgames": batch.BEST_REPLY._replace(layouts=0),
    "all but the opening": batch.BEST_REPLY._replace(opening=0),
    "all but the decay": batch.BEST_REPLY._replace(decay=0),
    "endgames to 30 layouts": batch.BEST_REPLY._replace(layouts=30),
    "endgames to 200 layouts": batch.BEST_REPLY._replace(layouts=200),
    "endgames to 1,000 layouts": batch.BEST_REPLY._replace(layouts=1_000),
    "endgames to 2,000 layouts": batch.BEST_REPLY._replace(layouts=2_000, sets=200_000),
    "6 candidates within 10 %": batch.BEST_REPLY._replace(candidates=6, margin=900),
    "20 candidates within 30 %": batch.BEST_REPLY._replace(candidates=20, margin=700),
}


class Played(NamedTuple):
    """Which games were won, CPU seconds of all and of the slowest."""

    won: list[bool]
    seconds: float
    slowest: float

    def __str__(self) -> str:
        low, high = wilson(sum(self.won), len(self.won))
        rate = sum(self.won) / len(self.won)
        return (
            f"won {100 * rate:6.2f} % ({100 * low:.2f} to {100 * high:.2f})  "
            f"{len(self.won) / self.seconds:8,.0f} games a CPU second  slowest {self.slowest:.3f} s"
        )


class PythonPlayer:
    """Plays games of a strategy that the library has no whole games of, in the way of its player: `playouts`."""

    def __init__(self, cell: tuple[int, int, int, int, int], strategy: str) -> None:
        width, height, mines, start, self._first = cell
        self._grid, self._mines, self._start = Grid(width, height), mines, tuple(Start)[start]
        self._factory = find_strategy(strategy)

    def play(
        self, begin: int, games: int, *, maps: bytes = b"", firsts: list[int] | None = None
    ) -> list[batch.EndedGame]:
        """As `batch.NativePlayer.play`; only how a game ended, and its moves, are filled in."""
        return [self._one(begin, number, maps, firsts) for number in range(games)]

    def _one(self, begin: int, number: int, maps: bytes, firsts: list[int] | None) -> batch.EndedGame:
        seeds, size = Rng(1).split(begin + number), self._grid.size
        if firsts is None:
            source: LayoutSource = UniformSource(self._grid, self._mines, seeds.split(0).seed, self._start)
        else:
            mapped = maps[number * size : (number + 1) * size]
            mines = CellSet.of(cell for cell, mine in enumerate(mapped) if mine)
            source = FixedLayout(Layout(self._grid, mines))
        rules = RULES["classic"].replace(start=self._start)
        game = Game(rules=rules, source=source)
        strategy = self._factory(seeds.split(2))
        game.reveal(Cell(self._first if firsts is None else firsts[number]))
        moves = 1
        while not game.status.ended:
            game.play(strategy.choose(game.board).move)
            moves += 1
        return batch.EndedGame(int(game.status is Status.WON), moves, 0, 0)


def player_of(
    cell: tuple[int, int, int, int, int], strategy: str, parts: batch.GuessParts | None
) -> "batch.NativePlayer | PythonPlayer":
    width, height, mines, start, first = cell
    starts, cells = Grid(width, height).table
    if strategy.partition("@")[0] in ("second-opinion", "playouts"):
        return PythonPlayer(cell, strategy)
    return batch.make_player(strategy, batch.Series(starts, cells, width, (mines,), start, first, seed=1), parts)


def timed(play: Callable[[int], list[batch.EndedGame]], games: int) -> Played:
    play(0)  # what is loaded on first use is not counted
    won, total, slowest = [], 0.0, 0.0
    for number in range(games):
        begin = time.process_time()
        (ended,) = play(number)
        took = time.process_time() - begin
        total += took
        slowest = max(slowest, took)
        if ended.ending == batch.UNSOLVED:
            sys.exit(f"game {number} is too hard for the kernel")
        won.append(ended.ending == batch.WON)
    return Played(won, total, slowest)


def drawn(cell: str, games: int, strategy: str, parts: batch.GuessParts | None = None) -> Played:
    player = player_of(CELLS[cell], strategy, parts)
    return timed(lambda number: player.play(number, 1), games)


def paired(one: Sequence[bool], other: Sequence[bool]) -> str:
    """Boards that only one of two wins, the difference with its 95 % interval, and the exact sign test."""
    more = sum(a and not b for a, b in zip(one, other, strict=True))
    less = sum(b and not a for a, b in zip(one, other, strict=True))
    both, games = more + less, len(one)
    half = 1.96 * sqrt(max(both - (more - less) ** 2 / games, 0)) / games
    return (
        f"{100 * (more - less) / games:+.2f} ± {100 * half:.2f} points; {both} differ: +{more} -{less}, "
        f"{p_in_words(sign_test(more, less))}"
    )


def table(cells: Sequence[str], strategies: Sequence[str], games: int) -> None:
    for cell in cells:
        base = None
        for strategy in strategies:
            played = drawn(cell, games, strategy)
            print(f"{cell:17} {strategy:12} {games:,} games  {played}", flush=True)
            if base is not None:
                print(f"{'':17} against {strategies[0]}: {paired(played.won, base.won)}", flush=True)
            base = base or played


def listed(path: str, results: str | None, strategies: Sequence[str]) -> None:
    games = list(read_board_list(Path(path).read_text(encoding="utf-8").splitlines()))
    layout = games[0].layout
    cell = (layout.grid.width, layout.grid.height, layout.mine_count, 0, 0)
    maps = [bytes(clue == 9 for clue in one.layout.clues) for one in games]
    theirs = None
    if results is not None:
        lines = Path(results).read_text(encoding="utf-8").splitlines()
        theirs = [line.split()[0] == "won" for line in lines if line.strip() and line[0] != "#"]
        print(f"{results}: won {100 * sum(theirs) / len(theirs):.2f} %")
    for strategy in strategies:
        player = player_of(cell, strategy, None)
        played = timed(lambda n, p=player: p.play(n, 1, maps=maps[n], firsts=[games[n].first]), len(games))  # type: ignore[misc]
        print(f"{strategy:12} {len(games):,} games  {played}", flush=True)
        if theirs is not None:
            print(f"{'':12} against these results: {paired(played.won, theirs)}", flush=True)


def ablation(cells: Sequence[str], games: int) -> None:
    for cell in cells:
        whole = drawn(cell, games, "expert")
        print(f"{cell}, {games:,} games\n  {'expert':26} {whole}", flush=True)
        for name, parts in PARTS.items():
            played = drawn(cell, games, "expert", parts)
            print(f"  {name:26} {played}\n  {'':26} against expert: {paired(played.won, whole.won)}", flush=True)


def small(strategies: Sequence[str], path: str, most: int) -> None:
    """The chance to win whole games whose optimum is known, from the lowest cell that it begins with."""
    known = json.loads(Path(path).read_text(encoding="utf-8"))
    lost = {strategy: [] for strategy in strategies}
    began = time.process_time()
    for name, one in sorted(known.items(), key=lambda item: item[1]["placements"]):
        if one["placements"] > most:
            continue
        width, height, mines = map(int, name.split("x"))
        first = min(row * width + column for row, column in one["best_first_cells_rowcol"])
        board = Enumerated(width, height, mines)
        count = len(board.layouts)
        for strategy in strategies:
            if strategy in AT_RANDOM:
                player = player_of((width, height, mines, 0, first), strategy, None)
                ended = player.play(0, count, maps=(board.layouts == MINE).tobytes(), firsts=[first] * count)
                won = sum(game.ending == batch.WON for game in ended)
            else:
                won = board.won(strategy, first)
            lost[strategy].append((Fraction(one["first_click_any"]) - Fraction(won, count), name))
    boards = len(lost[strategies[0]])
    print(
        f"{boards} boards of at most {most:,} layouts, from the best first cell: points lost against the optimum; "
        f"{time.process_time() - began:.0f} CPU seconds"
    )
    for strategy in strategies:
        loss, name = max(lost[strategy])
        mean = float(100 * sum(one for one, _ in lost[strategy]) / boards)
        worse = sum(one > 0 for one, _ in lost[strategy])
        print(
            f"  {strategy:12} {mean:.4f} on average, at most {float(100 * loss):.3f} ({name}); {worse} boards below it"
        )


def optimal(path: str, most: int) -> None:
    """Search the known boards to the end: their first cells, and how many layouts are won, as fractions."""
    known = json.loads(Path(path).read_text(encoding="utf-8"))
    total = wrong = 0
    began = time.process_time()
    for name, one in sorted(known.items(), key=lambda item: item[1]["placements"]):
        count = one["placements"]
        if count > most:
            continue
        width, height, mines = map(int, name.split("x"))
        size = width * height
        solved = solve_board(
            *Grid(width, height).table, bytes([9]) * size, bytes(size), mines, count, 10**8, every=False
        )
        first = min(row * width + column for row, column in one["best_first_cells_rowcol"])
        right = solved is not None and solved.is_done and solved.best == first
        if solved is None or not right or Fraction(max(solved.low), count) != Fraction(one["first_click_any"]):
            wrong += 1
            print(
                f"{name}: {solved and (max(solved.low), solved.best)} of {count}, known {one['first_click_any']} at {first}"
            )
        total += 1
    print(
        f"{total} boards of at most {most:,} layouts, {wrong} of them wrong; {time.process_time() - began:.0f} CPU seconds"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--cells", default=",".join(CELLS))
    parser.add_argument("--strategies", default="least-risk,best-reply")
    parser.add_argument("--boards")
    parser.add_argument("--results")
    parser.add_argument("--ablation", action="store_true")
    parser.add_argument("--optimal")
    parser.add_argument("--small")
    parser.add_argument("--most", type=int, default=50_000)
    options = parser.parse_args()
    strategies = options.strategies.split(",")
    if options.boards:
        listed(options.boards, options.results, strategies)
    elif options.optimal:
        optimal(options.optimal, options.most)
    elif options.small:
        small(strategies, options.small, options.most)
    elif options.ablation:
        ablation(options.cells.split(","), options.games)
    else:
        table(options.cells.split(","), strategies, options.games)


if __name__ == "__main__":
    main()
