"""Bench of reviews: Expert games that `least-risk` plays, reviewed on one core.

    python bench/review.py [--games N]
    python bench/review.py --lost [--games N]

`--lost` prints what four strategies lost by their choices, a game, on the three presets, and the bound that the web game ranks by. Else it prints games a minute of processor time, of all games and of those that were played to a win (a review takes longer the longer a
game lasts), and how much the slowest took.
"""

import argparse
import time
from itertools import product
from statistics import fmean

from sapper.core.record import Record, TimedMove
from sapper.core.rng import Rng
from sapper.generator.new_game import new_game
from sapper.metrics.interval import mean_at_most
from sapper.review.judging import review_game
from sapper.solver.strategies.registry import find_strategy


def record_of(seed: int, preset: str = "expert", name: str = "least-risk") -> Record:
    """A game of a seed."""
    game, strategy, played = new_game(preset, seed=seed), find_strategy(name)(Rng(seed)), []
    while not game.board.status.ended:
        move = strategy.choose(game.board).move
        played.append(TimedMove(100 * len(played), move, game.play(move)))
    return Record(
        rules=game.board.rules, grid=game.grid, mine_count=game.board.mine_count, mines=game.layout.mines, played=tuple(played)
    )  # fmt: skip


def main() -> None:
    """Read the command line, measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=30)
    parser.add_argument(
        "--lost", action="store_true", help="what strategies lose by their choices instead of how long a review takes"
    )
    options = parser.parse_args()
    if options.lost:
        for preset, name in product(
            ("beginner", "intermediate", "expert"), ("best-reply", "least-risk", "subset", "random")
        ):
            reviews = [review_game(record_of(seed, preset, name)) for seed in range(options.games)]
            # A game of whose moves nothing is known does not count, as in the web game.
            known = [one.lost for one in reviews if one.lost is not None]
            lost = fmean(known)
            won = sum(one.win_last == 1.0 for one in reviews)
            bound = mean_at_most(lost, len(known))
            print(
                f"{preset} {name}: lost {100 * lost:.2f} % a game, at most {100 * bound:.2f} %; {won} of {len(reviews)} won, "
                f"{len(known)} count",
                flush=True,
            )
        return
    took: list[tuple[float, bool]] = []
    for record in map(record_of, range(options.games)):
        begin = time.process_time()
        review = review_game(record)
        took.append((time.process_time() - begin, review.win_last == 1.0))
    won = [seconds for seconds, is_won in took if is_won]
    total = sum(seconds for seconds, _ in took)
    print(f"{len(took)} games: {60 * len(took) / total:.0f} a minute; slowest {max(took)[0]:.2f} s")
    if won:
        print(f"{len(won)} games won: {60 * len(won) / sum(won):.0f} a minute")


if __name__ == "__main__":
    main()
