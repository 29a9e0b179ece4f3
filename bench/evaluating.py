"""Two ways to count a player's win rate on parallel games: the first game of each environment, and the first games to end.

    python bench/evaluating.py [--games 2000] [--rounds 3]

The player reveals the cell whose exact chance of a mine is least, on Expert. The second way is wrong: a lost game is over sooner than a
won one, so the first games to end have too many losses. Each round has seeds of its own; the least and the greatest rate are printed
beside that of all rounds.
"""

import argparse
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

import sapper.rl.envs  # noqa: F401  # registers the environments
from sapper.metrics.interval import wilson

FIRST = 3 * 30 + 3


def steps(envs: Any, seed: int) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.bool_]]]:
    """Which games ended in each step, and which of them were won."""
    _, info = envs.reset(seed=seed)
    games = envs.num_envs
    while True:
        chances = info["chances"].reshape(games, -1)
        actions = np.where(chances < 0, 2, chances).argmin(axis=1)
        _, _, terminated, truncated, info = envs.step(np.where(info["revealed"] == 0, FIRST, actions))
        yield terminated | truncated, info["won"]


def first_of_each(games: int, seed: int) -> tuple[int, int]:
    """Games won and played: one of each environment."""
    playing, won = np.ones(games, bool), 0
    envs = gymnasium.make_vec("sapper/Expert-v1", num_envs=games, chances=True)
    for ended, is_won in steps(envs, seed):
        won += int((playing & is_won).sum())
        playing &= ~ended
        if not playing.any():
            return won, games
    raise AssertionError


def first_to_end(games: int, seed: int) -> tuple[int, int]:
    """Games won and played: the first that end, whichever they are, of as many environments."""
    played = won = 0
    envs = gymnasium.make_vec("sapper/Expert-v1", num_envs=games, chances=True)
    for ended, is_won in steps(envs, seed):
        played += int(ended.sum())
        won += int(is_won.sum())
        if played >= games:
            return won, played
    raise AssertionError


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=2_000)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    seeds = [1_000_000 * (number + 1) for number in range(asked.rounds)]
    for name, counts in (
        ("the first game of each environment", [first_of_each(asked.games, seed) for seed in seeds]),
        (f"the first {asked.games:,} to end", [first_to_end(asked.games, seed) for seed in seeds]),
    ):
        won, played = (sum(column) for column in zip(*counts, strict=True))
        low, high = wilson(won, played)
        rates = sorted(100 * one / of for one, of in counts)
        print(
            f"{name:36} won {won:,} of {played:,}: {100 * won / played:.1f} % ({100 * low:.1f} to {100 * high:.1f}); "
            f"rounds {rates[0]:.1f} to {rates[-1]:.1f}"
        )


if __name__ == "__main__":
    main()
