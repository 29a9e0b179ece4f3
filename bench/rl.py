"""Steps a second of the Gymnasium environments, on one core.

    python bench/rl.py [--games 1024] [--steps 400] [--rounds 5]

CPU seconds of this process; the median of the rounds, and the worst and the best. Expert games that begin anew by themselves, each action a random
covered cell. The actions are drawn here and are not counted; the last line of each batch counts them too. A step of `step` is
everything that Gymnasium's interface returns: observation, reward, ends, `info` with the action mask. `copy=False` returns the
environment's own arrays. Where Stable-Baselines3 is installed, its `VecEnv` and its own vector of single environments follow. A step that begins the next game instead of a move (`NEXT_STEP`) counts as one, as Gymnasium counts.
"""

import argparse
import statistics
import time
from importlib.util import find_spec
from typing import Any

import numpy as np
from spread import spread

from sapper.rl.env import MinesweeperEnv
from sapper.rl.vector_env import MinesweeperVectorEnv

EXPERT: dict[str, Any] = {"width": 30, "height": 16, "mine_count": 99}


def draw(rng: np.random.Generator, mask: Any) -> Any:
    """A covered cell of every game; any cell where none is covered."""
    games, size = mask.shape
    rows = np.arange(games)
    cells = rng.integers(0, size, games)
    for _ in range(12):
        bad = np.flatnonzero(mask[rows, cells] == 0)
        if not bad.size:
            break
        cells[bad] = rng.integers(0, size, bad.size)
    return cells


def vector(games: int, steps: int, **arguments: Any) -> tuple[float, float]:
    """Steps a CPU second: of `step` alone, and with the drawing of actions."""
    env = MinesweeperVectorEnv(games, **EXPERT, **arguments)
    rng = np.random.default_rng(1)
    _, info = env.reset(seed=1)
    spent = 0.0
    began = time.process_time()
    for _ in range(steps):
        cells = draw(rng, info["action_mask"])
        before = time.process_time()
        info = env.step(cells)[4]
        spent += time.process_time() - before
    whole = time.process_time() - began
    return games * steps / spent, games * steps / whole


def sb3(games: int, steps: int, rounds: int) -> None:
    """The same through Stable-Baselines3: sapper's `VecEnv`, and its own around single environments."""
    from stable_baselines3.common.vec_env import DummyVecEnv  # pyright: ignore[reportMissingImports]

    from sapper.rl.sb3 import MinesweeperVecEnv

    dummy = DummyVecEnv([lambda: MinesweeperEnv(**EXPERT)] * 16)
    for name, envs, count in (
        (f"{games:,} Expert games, MinesweeperVecEnv", MinesweeperVecEnv(games, **EXPERT), steps),
        ("16 Expert games, DummyVecEnv", dummy, max(20, steps // 4)),
    ):
        envs.seed(1)
        envs.reset()
        found = [through_sb3(envs, count) for _ in range(rounds)]
        print(f"{name}: {spread(found, 0)} steps a CPU second")


def through_sb3(envs: Any, steps: int) -> float:
    """Steps a CPU second of a `VecEnv`."""
    rng, spent = np.random.default_rng(1), 0.0
    for _ in range(steps):
        cells = draw(rng, np.stack(envs.env_method("action_masks")))
        before = time.process_time()
        envs.step(cells)
        spent += time.process_time() - before
    return envs.num_envs * steps / spent


def single(steps: int) -> float:
    """Steps a CPU second of one environment."""
    env = MinesweeperEnv(**EXPERT)
    rng = np.random.default_rng(1)
    _, info = env.reset(seed=1)
    spent = 0.0
    for _ in range(steps):
        cell = int(draw(rng, info["action_mask"][None])[0])
        before = time.process_time()
        _, _, terminated, _, info = env.step(cell)
        if terminated:
            _, info = env.reset()
        spent += time.process_time() - before
    return steps / spent


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=1024)
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    vector(options.games, 3)
    for mode in ("NextStep", "SameStep"):
        for copy in (True, False):
            rounds = [
                vector(options.games, options.steps, autoreset_mode=mode, copy=copy) for _ in range(options.rounds)
            ]
            alone, drawn = zip(*rounds, strict=True)
            print(
                f"{options.games:,} Expert games, {mode}, copy={copy}: {spread(alone, 0)}"
                f"  with drawing {statistics.median(drawn):12,.0f} steps a CPU second"
            )
    if find_spec("stable_baselines3"):
        sb3(options.games, options.steps, options.rounds)
    few = [vector(options.games, 20, rewards="careful", chances=True)[0] for _ in range(2)]
    print(f"the same with exact chances and needless risk: {max(few):,.0f} steps a CPU second")
    python = vector(64, 20, native=False)[0]
    print(f"64 games by the reference: {python:,.0f} steps a CPU second")
    print(
        f"one environment, reset included: {spread([single(3000) for _ in range(options.rounds)], 0)} steps a CPU second"
    )


if __name__ == "__main__":
    main()
