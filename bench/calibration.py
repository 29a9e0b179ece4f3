"""Claimed chance to win against the share of games won, over fresh games.

    python bench/calibration.py [--games 400] [--seed 3] [--boards 12x8/20,50x50/375] [--advisors best-reply second-opinion]
        [--starts open safe] [--seconds 60] [--json FILE]

Games of each cell (a board, with an open start and with a safe one) are played by sapper's advice, and chances that are claimed
on the way are kept: at the start, before each guess, and after it. A line a tenth: claims, games, mean claim, share won, the
difference in standard errors (of games, since claims of one game stand and fall together). Then a line a cell and advisor: a
chi-square test over tenths of the first claim that is not exact that each game has in each, and its p-value adjusted for the number of
tests (Holm). The exit code is 1 if one is below 0.05. `--advisors`: whose guesses are made (`playouts` thinks a tenth of a second about
one). `--starts`: the start rules. `--seconds` ends a cell's games early.
"""

import argparse
import json
import re
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from itertools import product
from pathlib import Path

from calibration_rates import Agreement, JudgedGame, Tenth, agreement_of, holm, judge_game, tenths_of

from sapper.core.grid import Grid
from sapper.core.rng import Rng
from sapper.core.rules import RULES, Start
from sapper.game.game import Game
from sapper.generator.uniform import UniformSource
from sapper.solver.advisor import ADVISORS, Advisor

STANDARD = "30x16/99,16x16/40,9x9/10"
BEYOND = "8x8/14,12x8/20,32x8/45,40x10/70,40x40/220,50x50/375"
SIGNIFICANT = 0.05


def judged_games(
    width: int, height: int, mine_count: int, start: Start, advisor: Advisor, options: argparse.Namespace
) -> list[JudgedGame]:
    """Games of one cell; the same for every advisor."""
    rng = Rng(options.seed).split((width * 1000 + height) * 100_000 + mine_count).split(list(Start).index(start))
    grid = Grid(width, height)
    found: list[JudgedGame] = []
    begin = time.process_time()
    while len(found) < options.games and time.process_time() - begin < options.seconds:
        source = UniformSource(grid, mine_count, rng.below(1 << 62), start)
        found.append(judge_game(Game(rules=RULES["classic"].replace(start=start), source=source), advisor=advisor))
    return found


def table(tenths: Sequence[Tenth]) -> str:
    lines = ["  tenth       claims   games  claimed     won  off by"]
    lines += [
        f"  {one.low:.1f}-{one.high:.1f} {one.claims:11,} {one.games:7,} {100 * one.claimed:7.1f}% {100 * one.won:6.1f}% {one.is_off:+6.1f}"
        for one in tenths
    ]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--boards", default=f"{STANDARD},{BEYOND}")
    parser.add_argument("--advisors", nargs="+", default=("second-opinion",), choices=ADVISORS)
    parser.add_argument("--starts", nargs="+", default=("open", "safe"), choices=("open", "safe"))
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    everything: list[JudgedGame] = []
    series: list[tuple[str, list[Tenth]]] = []
    tests: list[tuple[str, Agreement]] = []
    advisors = [Advisor(name, seconds=0.1) for name in options.advisors]
    for board, start, advisor in product(options.boards.split(","), map(Start, options.starts), advisors):
        width, height, mines = map(int, re.split("[x/]", board))
        played = judged_games(width, height, mines, start, advisor, options)
        won = sum(game.won for game in played)
        name = f"{board} {start.value} {advisor.strategy}"
        print(f"{name}: {won} of {len(played)} won, {100 * won / len(played):.1f} %")
        tenths = tenths_of(played)
        print(table(tenths), flush=True)
        series.append((name, tenths))
        tests.append((name, agreement_of(played)))
        everything += played
    print("all cells")
    print(table(tenths_of(everything)))
    adjusted = holm([one.p for _, one in tests])
    for (name, one), p in zip(tests, adjusted, strict=True):
        print(
            f"{name}: {one.games} games, chi-square {one.chi_square:.1f} of {one.groups}, p {one.p:.3f}, by Holm {p:.3f}"
        )
    if options.json:
        options.json.write_text(json.dumps({name: [asdict(one) for one in tenths] for name, tenths in series}))
    return int(min(adjusted) < SIGNIFICANT)


if __name__ == "__main__":
    sys.exit(main())
