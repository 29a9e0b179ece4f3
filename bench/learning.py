"""A player that learns, in NumPy alone: 9×9 with 10 mines, start open.

    python bench/learning.py [--seconds 600] [--seed 1] [--out learning] [--levels 3]

It learns from exact chances, not from rewards: positions are drawn as `sapper dataset` draws them, and small networks are taught the
chance of a mine at each covered cell. It then plays `sapper/Beginner-v1`: reveal the cell whose predicted chance is least.

A network sees the 5×5 cells around a cell, each one of eleven things (clue 0 to 8, covered, off the board): 264 inputs that are 0 or 1;
two layers of 128 and 64 rectified units; one output, a logit. What follows from clues further away it cannot see. So there are `--levels`
of them, one after the other: from the second on each has, as 25 more inputs, the chances that the one before it gave around the cell.
The loss of each is the cross entropy with the exact chance, the optimiser Adam.

Seconds are CPU time of one core (NumPy keeps to one thread: the matrices are small), drawing included, playing the test games not.
Every point of the curve is `--games` games of a fixed seed.
`OUT.csv` is the curve, `OUT.svg` its plot (matplotlib), `OUT.npz` the weights.
"""

import argparse
import csv
import os
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is loaded

import gymnasium
import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray

import sapper.rl.envs  # noqa: F401  # registers the environments
from sapper.core.preset import find_preset
from sapper.dataset.drawing import DrawingOrder, draw
from sapper.metrics.interval import wilson

mpl.use("svg")

Floats = NDArray[np.float32]
SIZE = 9
FIRST = 2 * SIZE + 2
COVERED = 9
OFF = 10
CODES = 11
SEED_OF_TESTS = 1_000_000
RADIUS = 2
CENTRE = (2 * RADIUS + 1) ** 2 // 2
BOARDS = 32
"""Boards of a step."""
RATE = 0.002


def around(board: NDArray[Any], outside: float) -> NDArray[Any]:
    """What is within `RADIUS` of each cell: boards × cells × places."""
    side = 2 * RADIUS + 1
    padded = np.pad(board.reshape(-1, SIZE, SIZE), ((0, 0), (RADIUS,) * 2, (RADIUS,) * 2), constant_values=outside)
    windows = np.lib.stride_tricks.sliding_window_view(padded, (side, side), axis=(1, 2))
    return windows.reshape(len(padded), SIZE * SIZE, side * side)


class Network:
    """A logit for each row of codes, and of numbers beside them."""

    def __init__(self, places: int, numbers: int, hidden: tuple[int, int], rng: np.random.Generator) -> None:
        sizes = (places * CODES + numbers, *hidden, 1)
        self.places = places
        self.numbers = numbers
        self.weights: list[Floats] = []
        for fan_in, fan_out in pairwise(sizes):
            scale = np.sqrt(2 / (fan_in if self.weights else places + numbers))
            self.weights.append((rng.standard_normal((fan_in, fan_out)) * scale).astype(np.float32))
            self.weights.append(np.zeros(fan_out, np.float32))
        self._moments = [(np.zeros_like(one), np.zeros_like(one)) for one in self.weights]
        self._steps = 0

    def _inputs(self, codes: NDArray[np.uint8], numbers: Floats) -> Floats:
        inputs = np.zeros((len(codes), self.places * CODES + self.numbers), np.float32)
        inputs[np.arange(len(codes))[:, None], codes + np.arange(self.places) * CODES] = 1
        inputs[:, self.places * CODES :] = numbers
        return inputs

    def logits(self, codes: NDArray[np.uint8], numbers: Floats) -> Floats:
        """One a row."""
        first, first_bias, second, second_bias, last, last_bias = self.weights
        one = np.maximum(self._inputs(codes, numbers) @ first + first_bias, 0)
        found: Floats = (np.maximum(one @ second + second_bias, 0) @ last + last_bias)[:, 0]
        return found

    def learn(self, codes: NDArray[np.uint8], numbers: Floats, chances: Floats, rate: float) -> Floats:
        """A step towards these chances; the logits before it."""
        first, first_bias, second, second_bias, last, last_bias = self.weights
        inputs = self._inputs(codes, numbers)
        one = np.maximum(inputs @ first + first_bias, 0)
        two = np.maximum(one @ second + second_bias, 0)
        logits: Floats = (two @ last + last_bias)[:, 0]
        off = ((chance_of(logits) - chances) / len(codes))[:, None].astype(np.float32)
        off_two = (off @ last.T) * (two > 0)
        off_one = (off_two @ second.T) * (one > 0)
        slopes = [inputs.T @ off_one, off_one.sum(0), one.T @ off_two, off_two.sum(0), two.T @ off, off.sum(0)]
        self._steps += 1
        early = 1 - 0.9**self._steps, 1 - 0.999**self._steps
        for weight, slope, (mean, square) in zip(self.weights, slopes, self._moments, strict=True):
            np.add(mean, 0.1 * (slope - mean), out=mean)
            np.add(square, 0.001 * (slope * slope - square), out=square)
            np.subtract(weight, rate * mean / early[0] / (np.sqrt(square / early[1]) + 1e-8), out=weight)
        return logits


def chance_of(logits: Floats) -> Floats:
    """What a logit says."""
    return (1 / (1 + np.exp(-logits))).astype(np.float32, copy=False)


class Player:
    """Networks that look at the same board one after the other, each at what the one before it has said around a cell too."""

    def __init__(self, levels: int, rng: np.random.Generator) -> None:
        sides = (2 * RADIUS + 1) ** 2
        self.networks = [Network(sides - 1, sides if level else 0, (128, 64), rng) for level in range(levels)]

    def look(self, tiles: NDArray[np.uint8], chances: Floats | None = None, rate: float = 0.0) -> Floats:
        """The logits of the covered cells, row by row; with exact chances (of those cells) each network learns on the way."""
        covered = tiles.reshape(-1, SIZE * SIZE) == COVERED
        codes = np.delete(around(tiles, OFF), CENTRE, axis=2)[covered]
        said = np.zeros(covered.shape, np.float32)
        logits = np.zeros(len(codes), np.float32)
        for level, network in enumerate(self.networks):
            numbers = around(said, 0)[covered] if level else np.zeros((len(codes), 0), np.float32)
            is_taught = chances is not None
            logits = network.learn(codes, numbers, chances, rate) if is_taught else network.logits(codes, numbers)
            said[covered] = chance_of(logits)
        return logits


def lessons(seed: int) -> Iterator[tuple[NDArray[np.uint8], Floats]]:
    """Boards and the exact chances of their covered cells, without an end."""
    number = 0
    while True:
        order = DrawingOrder(preset=find_preset("beginner"), seed=seed + number)
        number += 1
        for some in draw(order, 100_000):
            for begin in range(0, len(some.tiles), BOARDS):
                tiles = some.tiles[begin : begin + BOARDS]
                yield tiles, some.chances[begin : begin + BOARDS][tiles == COVERED].astype(np.float32)


def play(player: Player, games: int) -> int:
    """How many of the first games of `games` runs are won."""
    envs: Any = gymnasium.make_vec("sapper/Beginner-v1", num_envs=games, copy=False)
    tiles, info = envs.reset(seed=SEED_OF_TESTS)
    actions = np.full(games, FIRST)
    playing = np.ones(games, bool)
    won = 0
    while playing.any():
        tiles, _, ended, _, info = envs.step(actions)
        won += int(np.count_nonzero(info["won"] & playing & ended))
        playing &= ~ended
        rows = np.flatnonzero(playing)
        covered = tiles.reshape(games, -1)[rows] == COVERED
        logits = np.full(covered.shape, np.inf, np.float32)
        if rows.size:
            logits[covered] = player.look(tiles[rows])
        actions[rows] = logits.argmin(1)
    envs.close()
    return won


def plot(points: list[dict[str, float]], path: Path) -> None:
    """The curve as SVG."""
    figure, axes = plt.subplots(figsize=(6, 3.5), layout="constrained")
    seconds = [point["seconds"] for point in points]
    axes.plot(seconds, [100 * point["rate"] for point in points], marker="o", markersize=3)
    axes.fill_between(seconds, [100 * p["low"] for p in points], [100 * p["high"] for p in points], alpha=0.2)
    axes.set(
        xlabel="seconds of learning",
        ylabel="games won, %",
        ylim=(0, 100),
        title="9×9/10, start open: exact chances, 5×5 seen",
    )
    axes.grid(alpha=0.3)
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    """Learn, look now and then, write the curve."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--levels", type=int, default=3)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--last-games", type=int, default=2000)
    parser.add_argument("--out", type=Path, default=Path("learning"))
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    player = Player(options.levels, rng)
    points: list[dict[str, float]] = []
    learnt, seen, losses, look = 0.0, 0, [], 0.0

    def look_at(games: int) -> None:
        won = play(player, games)
        low, high = wilson(won, games)
        loss = float(np.mean(losses[-200:])) if losses else float("nan")
        points.append(
            {
                "seconds": round(learnt, 1),
                "boards": seen,
                "loss": round(loss, 4),
                "games": games,
                "rate": won / games,
                "low": round(low, 4),
                "high": round(high, 4),
            }
        )
        print(points[-1], flush=True)

    began = time.process_time()  # what is drawn counts, what is looked at does not
    for tiles, chances in lessons(options.seed):
        if learnt >= look:
            look_at(options.games)
            look = max(5.0, look * 1.6)
            began = time.process_time()
        if learnt >= options.seconds:
            break
        said = chance_of(player.look(tiles, chances, RATE * (1 - 0.95 * min(1.0, learnt / options.seconds))))
        near = np.clip(said, 1e-6, 1 - 1e-6)
        losses.append(float(-(chances * np.log(near) + (1 - chances) * np.log(1 - near)).mean()))
        seen += len(tiles)
        now = time.process_time()
        learnt, began = learnt + now - began, now
    look_at(options.last_games)
    with options.out.with_suffix(".csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, points[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(points)
    weights = [weight for network in player.networks for weight in network.weights]
    named: dict[str, Any] = {f"weight{number}": one for number, one in enumerate(weights)}
    np.savez(options.out.with_suffix(".npz"), **named)
    plot(points, options.out.with_suffix(".svg"))


if __name__ == "__main__":
    main()
