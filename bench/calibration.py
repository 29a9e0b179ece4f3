"""Claimed chance to win against the share of games won, over fresh games.

    python bench/calibration.py [--games 400] [--seed 3] [--boards 12x8/20,50x50/375] [--advisors best-reply second-opinion]
        [--starts open safe] [--seconds 60] [--plot docs/images/calibration.svg] [--json FILE]

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
from matplotlib.figure import Figure

from sapper.core.grid import Grid
from sapper.core.rng import Rng
from sapper.core.rules import RULES, Start
from sapper.game.game import Game
from sapper.generator.uniform import UniformSource
from sapper.plots.figure import COLOURS, new_figure, styled, written
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


def plot_calibration(series: Sequence[tuple[str, Sequence[Tenth]]]) -> Figure:
    """A colour for each named series; bars are 95 % intervals, and the line is where claim and rate are the same."""
    with styled():
        figure, axes = new_figure(6, 6, "Claimed chance to win, and games won")
        axes.plot([0, 100], [0, 100], color="#999999", linewidth=1)
        for number, (label, rates) in enumerate(series):
            colour = COLOURS[number % len(COLOURS)]
            axes.errorbar(
                [100 * one.claimed for one in rates],
                [100 * one.won for one in rates],
                yerr=[196 * one.error for one in rates],
                fmt="o",
                markersize=5,
                color=colour,
                ecolor=colour,
                elinewidth=1.5,
                capsize=3,
                label=label,
            )
        axes.set_xlim(0, 100)
        axes.set_ylim(0, 100)
        axes.set_aspect("equal")
        axes.set_xlabel("claimed chance to win, %")
        axes.set_ylabel("games won, %")
        axes.grid(color="#dddddd")
        axes.legend(frameon=False, loc="upper left")
    return figure


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--boards", default=f"{STANDARD},{BEYOND}")
    parser.add_argument("--advisors", nargs="+", default=("second-opinion",), choices=ADVISORS)
    parser.add_argument("--starts", nargs="+", default=("open", "safe"), choices=("open", "safe"))
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    standard: list[JudgedGame] = []
    others: list[JudgedGame] = []
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
        (standard if board in STANDARD.split(",") else others).extend(played)
    print("all cells")
    print(table(tenths_of(standard + others)))
    adjusted = holm([one.p for _, one in tests])
    for (name, one), p in zip(tests, adjusted, strict=True):
        print(
            f"{name}: {one.games} games, chi-square {one.chi_square:.1f} of {one.groups}, p {one.p:.3f}, by Holm {p:.3f}"
        )
    if options.json:
        options.json.write_text(json.dumps({name: [asdict(one) for one in tenths] for name, tenths in series}))
    if options.plot:
        shown = [
            (name, tenths_of(games)) for name, games in (("standard boards", standard), ("others", others)) if games
        ]
        options.plot.write_bytes(written(plot_calibration(shown), options.plot.suffix[1:]))
    return int(min(adjusted) < SIGNIFICANT)


if __name__ == "__main__":
    sys.exit(main())
