"""Whole games: speed of every strategy, and strength, in one run.

    python bench/simulate.py [--games 20000]

CPU seconds of one core. Speed: `sapper simulate` of Expert, less what an empty run takes, by the native half; the same engine by
the reference beside it, on fewer games. Strength: Expert, strategy `least-risk`, with 95 % intervals.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from typing import Any, NamedTuple

from spread import spread

STRATEGIES = ("random", "single", "subset", "least-risk", "best-reply")
PYTHON_GAMES = {"random": 200, "single": 30, "subset": 30, "least-risk": 30, "best-reply": 10}


class Cost(NamedTuple):
    """What a command took."""

    cpu: float
    wall: float
    out: str


def run(*words: str) -> Cost:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=True)
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(cpu, wall, done.stdout)


def simulate(strategy: str, games: int, *words: str) -> tuple[Cost, dict[str, Any]]:
    fixed = ("--preset", "expert", "--strategy", strategy, "--games", str(games), "--seed", "1", "--json")
    cost = run("-m", "sapper", "simulate", *fixed, *words)
    return cost, json.loads(cost.out)


def speed(games: int) -> None:
    print("games a CPU second, Expert, open (3,3)")
    for strategy in STRATEGIES:
        count = games * 5 if strategy == "random" else games // 5 if strategy == "best-reply" else games
        simulate(strategy, 1)
        empty = min(simulate(strategy, 1)[0].cpu for _ in range(3))
        native = [count / (simulate(strategy, count)[0].cpu - empty) for _ in range(3)]
        few = PYTHON_GAMES[strategy]
        nothing = simulate(strategy, 1, "--backend", "reference")[0].cpu
        python = few / max(simulate(strategy, few, "--backend", "reference")[0].cpu - nothing, 1e-3)
        print(f"  {strategy:8} {spread(native, 0)}   by the reference {python:7,.1f}")


def strength(games: int) -> None:
    print(f"least-risk, Expert, {games:,} games")
    for start, first in (("open", "3,3"), ("safe", "0,0")):
        _, found = simulate("least-risk", games, "--start", start, "--first", first)
        low, rate, high = (100 * found[key] for key in ("low", "rate", "high"))
        print(f"  {start:5} ({first}) won {rate:.2f} % (95 %: {low:.2f} to {high:.2f} %), backend {found['backend']}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=20_000)
    options = parser.parse_args()
    speed(options.games // 4)
    strength(options.games)


if __name__ == "__main__":
    main()
