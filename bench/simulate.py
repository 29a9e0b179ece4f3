"""Whole games: speed of every strategy, strength, compiling, and starting warm, in one run.

    python bench/simulate.py [--games 20000] [--skip-compile]

CPU seconds of one core. Speed: `sapper simulate` of Expert, less what an empty run takes, for the kernels;
the same engine with the Python strategies beside it, on fewer games. Compiling: each strategy's command with an empty
cache, and again with what that left; `import numba` alone is the yardstick for both, since none of it can be
had for less. Strength: Expert, strategy `exact`, with 95 % intervals.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from typing import Any, NamedTuple

from spread import spread

STRATEGIES = ("random", "single", "subset", "exact", "expert")
PYTHON_GAMES = {"random": 200, "single": 30, "subset": 30, "exact": 30, "expert": 10}


class Cost(NamedTuple):
    """What a command took."""

    cpu: float
    wall: float
    out: str


def run(*words: str, cache: str | None = None) -> Cost:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    env = os.environ | ({"SAPPER_CACHE_DIR": cache} if cache else {})
    done = subprocess.run([sys.executable, *words], env=env, capture_output=True, text=True, check=True)
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(cpu, wall, done.stdout)


def simulate(strategy: str, games: int, *words: str, cache: str | None = None) -> tuple[Cost, dict[str, Any]]:
    fixed = ("--preset", "expert", "--strategy", strategy, "--games", str(games), "--seed", "1", "--json")
    cost = run("-m", "sapper", "simulate", *fixed, *words, cache=cache)
    return cost, json.loads(cost.out)


def compiling() -> None:
    yardstick = min(run("-c", "import numba").cpu for _ in range(3))
    print(f"import numba: {yardstick:.2f} s CPU")
    for strategy in STRATEGIES:
        with tempfile.TemporaryDirectory() as cache:
            cold, _ = simulate(strategy, 1, cache=cache)
            warm = min((simulate(strategy, 1, cache=cache)[0] for _ in range(3)), key=lambda cost: cost.cpu)
        print(
            f"  {strategy:8} empty cache {cold.cpu:6.1f} s CPU; warm, to the first answer {warm.cpu:.2f} s CPU, "
            f"{warm.wall:.2f} s ({warm.cpu / yardstick:.2f} × import numba)"
        )


def speed(games: int) -> None:
    print("games a CPU second, Expert, open (3,3)")
    for strategy in STRATEGIES:
        count = games * 5 if strategy == "random" else games // 5 if strategy == "expert" else games
        simulate(strategy, 1)
        empty = min(simulate(strategy, 1)[0].cpu for _ in range(3))
        compiled = [count / (simulate(strategy, count)[0].cpu - empty) for _ in range(3)]
        few = PYTHON_GAMES[strategy]
        nothing = simulate(strategy, 1, "--backend", "python")[0].cpu
        python = few / max(simulate(strategy, few, "--backend", "python")[0].cpu - nothing, 1e-3)
        print(f"  {strategy:8} {spread(compiled, 0)}   in Python {python:7,.1f}")


def strength(games: int) -> None:
    print(f"exact, Expert, {games:,} games")
    for start, first in (("open", "3,3"), ("safe", "0,0")):
        _, found = simulate("exact", games, "--start", start, "--first", first)
        low, rate, high = (100 * found[key] for key in ("low", "rate", "high"))
        print(f"  {start:5} ({first}) won {rate:.2f} % (95 %: {low:.2f} to {high:.2f} %), backend {found['backend']}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--skip-compile", action="store_true")
    options = parser.parse_args()
    if not options.skip_compile:
        compiling()
    speed(options.games // 4)
    strength(options.games)


if __name__ == "__main__":
    main()
