"""MaskablePPO of sb3-contrib learns 5×5 with 4 mines from rewards alone: which share of games it wins, over the seconds of learning.

    pip install stable-baselines3 sb3-contrib
    python bench/masked_ppo.py [--seconds 120] [--seed 1] [--out masked-ppo]

Seconds are CPU time of one core (PyTorch keeps to one thread), the playing of test games not counted. Every point of the curve is
`--games` test games of fixed seeds, the first of each environment, in which the most likely action is taken.
`OUT.csv` is the curve, `OUT.svg` its plot.
"""

import argparse
import csv
import time
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import torch  # pyright: ignore[reportMissingImports]
from sb3_contrib import MaskablePPO  # pyright: ignore[reportMissingImports]
from stable_baselines3.common.callbacks import BaseCallback  # pyright: ignore[reportMissingImports]

from sapper.metrics.interval import wilson
from sapper.rl.sb3 import MinesweeperVecEnv

mpl.use("svg")

TASK: dict[str, Any] = {"width": 5, "height": 5, "mine_count": 4, "observation": "planes"}
SEED_OF_TESTS = 1_000_000
"""Further from the seeds of training than there are environments."""


def won(model: MaskablePPO, games: int) -> int:
    """How many test games are won: the first of each environment."""
    envs = MinesweeperVecEnv(games, **TASK)
    envs.seed(SEED_OF_TESTS)
    observations = envs.reset()
    playing, count = np.ones(games, bool), 0
    while playing.any():
        actions, _ = model.predict(observations, action_masks=envs.action_masks(), deterministic=True)
        observations, _, ended, infos = envs.step(actions)
        count += sum(infos[game]["is_success"] for game in np.flatnonzero(playing & ended))
        playing &= ~ended
    return count


class Curve(BaseCallback):
    """Plays the test games now and then; ends the learning when its time is over."""

    def __init__(self, seconds: float, games: int, points: int) -> None:
        super().__init__()
        self.points: list[dict[str, float]] = []
        self._games = games
        self._at = [seconds * (number / points) ** 2 for number in range(points + 1)]  # it learns most at first
        self._spent_testing = 0.0

    def _on_training_start(self) -> None:
        self._began = time.process_time()

    def _on_step(self) -> bool:
        return bool(self._at)

    def _on_rollout_start(self) -> None:
        before = time.process_time()
        seconds = before - self._began - self._spent_testing
        if not self._at or seconds < self._at[0]:
            return
        self._at = [at for at in self._at if at > seconds]
        count = won(self.model, self._games)
        low, high = wilson(count, self._games)
        self.points.append(
            {
                "seconds": round(seconds, 1),
                "steps": self.num_timesteps,
                "rate": count / self._games,
                "low": low,
                "high": high,
                "games": self._games,
            }
        )
        print(f"{seconds:6.1f} s {self.num_timesteps:>10,} steps  won {100 * count / self._games:.1f} %", flush=True)
        self._spent_testing += time.process_time() - before


def plot(points: list[dict[str, float]], path: Path) -> None:
    """The curve as SVG."""
    figure, axes = plt.subplots(figsize=(6, 3.5), layout="constrained")
    seconds = [point["seconds"] for point in points]
    axes.plot(seconds, [100 * point["rate"] for point in points], marker="o", markersize=3)
    axes.fill_between(seconds, [100 * p["low"] for p in points], [100 * p["high"] for p in points], alpha=0.2)
    axes.set(xlabel="seconds of learning", ylabel="games won, %", ylim=(0, 100), title="5×5/4, start open: MaskablePPO")
    axes.grid(alpha=0.3)
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=2_000)
    parser.add_argument("--points", type=int, default=8)
    parser.add_argument("--out", type=Path, default=Path("masked-ppo"))
    asked = parser.parse_args()
    torch.set_num_threads(1)
    envs = MinesweeperVecEnv(128, rewards="progress", **TASK)
    model = MaskablePPO(
        "MlpPolicy",
        envs,
        n_steps=32,
        batch_size=1024,
        n_epochs=4,
        learning_rate=1e-3,
        gamma=0.95,
        gae_lambda=0.9,
        ent_coef=0.01,
        policy_kwargs={"net_arch": [256, 256]},
        seed=asked.seed,
        device="cpu",
    )
    curve = Curve(asked.seconds, asked.games, asked.points)
    model.learn(1_000_000_000, callback=curve)
    with asked.out.with_suffix(".csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, curve.points[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(curve.points)
    plot(curve.points, asked.out.with_suffix(".svg"))


if __name__ == "__main__":
    main()
