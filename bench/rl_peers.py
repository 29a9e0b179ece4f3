"""Steps a second of the Gymnasium environments beside other Minesweeper environments, which live in an environment of their own.

    python -m venv /tmp/peers && /tmp/peers/bin/pip install minesweeper-env-rl jumanji gym-minesweeper "setuptools<81"
    python bench/rl_peers.py --peers /tmp/peers/bin/python [--steps 2000] [--rounds 3]

Each plays Expert (30x16, 99 mines), every action a random covered cell, a new game whenever one has ended. Drawing the action is not
counted, beginning the next game is. CPU seconds of the process that plays, so a peer that uses several threads pays for all of them.
Rounds of ours and theirs alternate; the ratio is the median of the rounds' ratios. What the peers do differently is to their advantage:

- minesweeper-env-rl 0.12 and gym-minesweeper 0.0.1 are one game in Python. The latter is asked for no mask.
- jumanji 1.1 is 1,024 games in one compiled call of JAX; it reveals one cell a step, without a cascade.

Ours is `MinesweeperVectorEnv` with 1,024 games, and beside it one `MinesweeperEnv`.
"""

import argparse
import importlib.util
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

from spread import spread

WIDTH, HEIGHT, MINES = 30, 16, 99
GAMES = 1024
# --- the peers, in their environment: nothing of sapper is there --------------------------------------------


def alone(env: Any, possible: Callable[[Any], list[Any]], steps: int) -> float:
    """Steps a CPU second of one game; `possible` lists the actions after what was seen."""
    rng, spent = random.Random(1), 0.0
    seen = env.reset()
    for _ in range(steps):
        action = rng.choice(possible(seen))
        before = time.process_time()
        seen, _, done, _ = env.step(action)
        if done:
            seen = env.reset()
        spent += time.process_time() - before
    return steps / spent


def minesweeper_env_rl(steps: int) -> float:
    """One game, with the list of possible actions that it gives after each step."""
    from minesweeper_env_rl.env.pomdp import MinesweeperPOMDP  # pyright: ignore[reportMissingImports]

    env = MinesweeperPOMDP(HEIGHT, WIDTH, MINES)
    return alone(env, lambda seen: [one for one in seen["valid_actions"] if one["type"] == "reveal"], steps)


def gym_minesweeper(steps: int) -> float:
    """One game; its covered cells are read from what it shows."""
    from gym_minesweeper.envs.minesweeper import MinesweeperEnv  # pyright: ignore[reportMissingImports]

    env = MinesweeperEnv(WIDTH, HEIGHT, MINES)  # it takes no board that is wider than high
    return alone(env, lambda seen: list(zip(*(seen == -1).nonzero(), strict=True)), steps)


def jumanji(steps: int) -> float:
    """Many games in one call, compiled; the first calls, which compile, are not counted."""
    import jax  # pyright: ignore[reportMissingImports]
    import numpy as np
    from jumanji.environments.logic.minesweeper.env import Minesweeper  # pyright: ignore[reportMissingImports]
    from jumanji.environments.logic.minesweeper.generator import UniformSamplingGenerator  # pyright: ignore[reportMissingImports]
    from jumanji.wrappers import VmapAutoResetWrapper  # pyright: ignore[reportMissingImports]

    env = VmapAutoResetWrapper(Minesweeper(UniformSamplingGenerator(HEIGHT, WIDTH, MINES)))
    step = jax.jit(env.step)
    state, shown = jax.jit(env.reset)(jax.random.split(jax.random.PRNGKey(1), GAMES))
    rng, spent, calls = np.random.default_rng(1), 0.0, max(1, steps // 40)
    for call in range(calls + 2):
        mask = np.asarray(shown.observation.action_mask).reshape(GAMES, -1)
        cells = np.where(mask, rng.random(mask.shape), -1.0).argmax(1)
        actions = np.stack(np.divmod(cells, WIDTH), 1).astype(np.int32)
        before = time.process_time()
        state, shown = step(state, actions)
        jax.block_until_ready(shown)
        if call >= 2:
            spent += time.process_time() - before
    return calls * GAMES / spent


PEERS: Mapping[str, tuple[str, Callable[[int], float]]] = {
    "minesweeper-env-rl": ("minesweeper_env_rl", minesweeper_env_rl),
    "gym-minesweeper": ("gym_minesweeper", gym_minesweeper),
    "jumanji": ("jumanji", jumanji),
}


def answer(name: str, steps: int) -> None:
    """In the peers' environment: print the rate of one of them, or why there is none."""
    module, measure = PEERS[name]
    if importlib.util.find_spec(module) is None:
        print(json.dumps({"fault": "not installed"}))
    else:
        print(json.dumps({"rate": measure(steps)}))


# --- both ---------------------------------------------------------------------------------------------------


def ask(python: str, name: str, steps: int) -> float | str:
    """The rate of a peer, measured by a Python that has it, or what is wrong."""
    done = subprocess.run(
        [python, __file__, "--only", name, "--steps", str(steps)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        return (done.stderr.strip().splitlines() or ["it ended"])[-1]
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return float(told["rate"]) if "rate" in told else str(told["fault"])


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", default=sys.executable, help="a Python that has the peers")
    parser.add_argument("--steps", type=int, default=2000, help="of a peer's single game, a round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=PEERS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.only:
        answer(options.only, options.steps)
        return
    from gymnasium.vector import AutoresetMode
    from rl import single, vector

    ratios: dict[str, list[tuple[float, float, float]]] = {}
    vector(GAMES, 20, autoreset_mode=AutoresetMode.NEXT_STEP)  # compiles
    for _ in range(options.rounds):
        many = vector(GAMES, 200, autoreset_mode=AutoresetMode.NEXT_STEP)[0]
        one = single(options.steps)
        print(f"sapper: {many:,.0f} steps a CPU second, {GAMES} games in a call; {one:,.0f} one game")
        for name in PEERS:
            rate = ask(options.peers, name, options.steps)
            if isinstance(rate, str):
                print(f"  {name}: {rate}")
                continue
            print(f"  {name}: {rate:,.0f}")
            ratios.setdefault(name, []).append((rate, many / rate, one / rate))
    for name, values in ratios.items():
        rates, together, alone = zip(*values, strict=True)
        print(
            f"{name}: {spread(rates, 0)} steps a CPU second; times as fast: {spread(together)}, one game alone {spread(alone)}"
        )


if __name__ == "__main__":
    main()
