"""Claimed chance to win against the share of games won, over fresh games.

    python bench/calibration.py [--games 1000] [--seed 1] [--plot docs/images/calibration.svg] [--json FILE]

Games of each cell (Expert, 16x16/40, 9x9/10; start open and safe) are played by sapper's advice, and every chance that
is claimed on the way is kept. A line a tenth: claims, games, mean claim, share won, the difference in standard errors (of
games, since claims of one game stand and fall together). Seeds are those of no game that the estimate was fitted to.
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from sapper.core.grid import Grid
from sapper.core.rng import Rng
from sapper.core.rules import RULES, Start
from sapper.game.game import Game
from sapper.generator.uniform import UniformSource
from sapper.plots.calibration import ClaimedRate, plot_calibration
from sapper.plots.figure import written
from sapper.simulate.calibration import JudgedGame, Tenth, judge_game, tenths_of

CELLS = (("Expert", 30, 16, 99), ("16x16/40", 16, 16, 40), ("9x9/10", 9, 9, 10))


def judged_games(width: int, height: int, mines: int, start: Start, games: int, seed: int) -> list[JudgedGame]:
    rng = Rng(seed).split(width * 1000 + mines * 2 + (start is Start.OPEN))
    rules = RULES["classic"].but(start=start)
    grid = Grid(width, height)
    found = []
    for _ in range(games):
        source = UniformSource(grid, mines, rng.below(1 << 62), start)
        found.append(judge_game(Game(rules=rules, source=source), compiled=True))
    return found


def table(title: str, tenths: Sequence[Tenth]) -> str:
    lines = [title, "  tenth       claims   games  claimed     won  off by"]
    lines += [
        f"  {one.low:.1f}-{one.high:.1f} {one.claims:11,} {one.games:7,} {100 * one.claimed:7.1f}% {100 * one.won:6.1f}% {one.is_off:+6.1f}"
        for one in tenths
    ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    every: list[JudgedGame] = []
    series = []
    for name, width, height, mines in CELLS:
        some: list[JudgedGame] = []
        for start in (Start.OPEN, Start.SAFE):
            played = judged_games(width, height, mines, start, options.games, options.seed)
            won = sum(game.won for game in played)
            print(f"{name} {start.value}: {won} of {len(played)} won, {100 * won / len(played):.1f} %", flush=True)
            some += played
        tenths = tenths_of(some)
        print(table(name, tenths), flush=True)
        series.append((name, tenths))
        every += some
    print(table("all", tenths_of(every)))
    if options.json:
        options.json.write_text(json.dumps({name: [asdict(one) for one in tenths] for name, tenths in series}))
    if options.plot:
        shown = [
            (name, [ClaimedRate(claimed=one.claimed, won=one.won, error=one.error) for one in tenths])
            for name, tenths in series
        ]
        options.plot.write_bytes(written(plot_calibration(shown), options.plot.suffix[1:]))


if __name__ == "__main__":
    main()
