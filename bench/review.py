"""Bench of reviews: Expert games that `least-risk` plays, reviewed on one core.

    python bench/review.py [--games N]

Prints games a minute of processor time, of all games and of those that were played to a win (a review takes longer the longer a
game lasts), and how much the slowest took.
"""

import argparse
import time

from sapper.core.record import Record, TimedMove
from sapper.core.rng import Rng
from sapper.generator.new_game import new_game
from sapper.review.judging import review_game
from sapper.solver.strategies.registry import find_strategy


def record_of(seed: int) -> Record:
    """An Expert game of a seed."""
    game, strategy, played = new_game("expert", seed=seed), find_strategy("least-risk")(Rng(seed)), []
    while not game.board.status.ended:
        move = strategy.choose(game.board).move
        played.append(TimedMove(100 * len(played), move, game.play(move)))
    return Record(
        rules=game.board.rules, grid=game.grid, mine_count=99, mines=game.layout.mines, played=tuple(played)
    )  # fmt: skip


def main() -> None:
    """Read the command line, measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=30)
    options = parser.parse_args()
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
