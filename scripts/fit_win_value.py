"""Play games by sapper's own advice, and fit to them what a board is worth (`sapper.solver.win_value`).

    .venv/bin/python scripts/fit_win_value.py play games-1.jsonl --games 1000 --seed 1
    .venv/bin/python scripts/fit_win_value.py fit games-*.jsonl

`play` writes a line a board on which too many layouts are left to search: what is read of it, the chance to win that is
known of its other regions, and whether the game was won. `fit` maximises the likelihood of these results, with a
small penalty on the weights, and writes `src/sapper/solver/win_weights.py`. A few presets and boards of any size.
"""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from sapper.core.board import Board
from sapper.core.grid import Grid
from sapper.core.move import Move
from sapper.core.rng import Rng
from sapper.core.rules import RULES, Start
from sapper.core.status import Status
from sapper.game.game import Game
from sapper.generator.uniform import UniformSource
from sapper.solver.analysis import Analysis, analyse
from sapper.solver.best_reply import candidates_of, replies_of
from sapper.solver.win import WinChance, win_chance_of
from sapper.solver.win_value import numbers_at_start, numbers_of

WEIGHTS = Path(__file__).parents[1] / "src" / "sapper" / "solver" / "win_weights.py"
NAMES = {"rest": "AT_REST", "move": "ON_THE_MOVE", "start": "AT_START"}
PENALTY = 1e-4
"""Of the squares of the weights, a board."""


def drawn_board(rng: Rng) -> tuple[Board, int]:
    """A fresh board of a game like those that people play, and the seed of its layout."""
    start = Start.OPEN if rng.below(3) else Start.SAFE
    kind = rng.below(20)
    if kind < 8:
        width, height, mines = 30, 16, 99
    elif kind < 12:
        width, height, mines = 16, 16, 40
    elif kind < 14:
        width, height, mines = 9, 9, 10
    else:
        width, height = 5 + rng.below(26), 5 + rng.below(16)
        mines = max(1, width * height * (80 + rng.below(160)) // 1000)
    rules = RULES["classic"].but(start=start)
    return Board.new(Grid(width, height), rules, mines), rng.below(1 << 60)


def play(rng: Rng) -> tuple[list[dict[str, Any]], bool]:
    """One game by sapper's advice: what is read of its boards, and whether it was won."""
    fresh, seed = drawn_board(rng)
    game = Game(rules=fresh.rules, source=UniformSource(fresh.grid, fresh.mines, seed, fresh.rules.start))
    seen: list[dict[str, Any]] = [{"kind": "start", "numbers": numbers_at_start(fresh), "known": 1.0}]
    first = fresh.first_cell
    assert first is not None
    game.play(Move.reveal(first))
    while not game.board.status.ended:
        analysis = analyse(game.board)
        if analysis.safe:
            if not rng.below(6):
                seen += _read(analysis, win_chance_of(analysis, most_layouts=200, nodes=2_000, compiled=True))
            for cell in analysis.safe:
                if game.board.is_legal(Move.reveal(cell)):
                    game.play(Move.reveal(cell))
            continue
        chance = win_chance_of(analysis, most_layouts=400, nodes=4_000, compiled=True)
        seen += _read(analysis, chance)
        assert chance.best is not None
        game.play(Move.reveal(chance.best.cell))
    return seen, game.board.status is Status.WON


def _read(analysis: Analysis, chance: WinChance) -> Iterator[dict[str, Any]]:
    """What is read of the part of a board that is not searched, if there is one."""
    if not chance.estimated:
        return
    if analysis.safe:
        yield {"kind": "move", "numbers": numbers_of(analysis, chance.estimated, None), "known": chance.known}
        return
    replies = replies_of(analysis, candidates_of(analysis, chance.estimated), compiled=True)
    score = max(reply.score for reply in replies)
    yield {"kind": "rest", "numbers": numbers_of(analysis, chance.estimated, score), "known": chance.known}


def write_games(options: Namespace) -> None:
    """Play, and write what was seen, game after game."""
    rng = Rng(options.seed)
    with Path(options.files[0]).open("a", encoding="utf-8") as file:
        for _ in range(options.games):
            seen, won = play(rng)
            file.writelines(json.dumps(one | {"won": won}) + "\n" for one in seen)
            file.flush()


def fit(options: Namespace) -> None:
    """Fit the weights of each kind, and write them."""
    rows = [json.loads(line) for name in options.files for line in Path(name).read_text(encoding="utf-8").splitlines()]
    lines = ['"""The weights of `win_value`. Made by scripts/fit_win_value.py; not written by hand."""', ""]
    lines += ["from typing import Final", ""]
    for kind, name in NAMES.items():
        some = [row for row in rows if row["kind"] == kind]
        numbers = np.array([row["numbers"] for row in some])
        known = np.array([row["known"] for row in some])
        won = np.array([row["won"] for row in some], dtype=float)
        weights = _fitted(numbers, known, won)
        chance = known / (1 + np.exp(-numbers @ weights))
        print(f"{kind}: {len(some)} boards, won {won.mean():.4f}, claimed {chance.mean():.4f}", file=sys.stderr)
        for low in range(10):
            inside = (chance >= low / 10) & (chance < (low + 1) / 10)
            if inside.any():
                print(f"  {low / 10:.1f}: {inside.sum():6d} {chance[inside].mean():.3f} {won[inside].mean():.3f}")
        lines.append(f"{name}: Final = (")
        lines += [f"    {float(weight)!r}," for weight in weights]
        lines.append(")")
    WEIGHTS.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _fitted(numbers: Any, known: Any, won: Any) -> Any:
    """The most likely weights where a board is won with chance `known` times the logistic of its numbers.

    Newton's method with the expected second derivative, on numbers that are centred and scaled.
    """
    mean, spread = numbers.mean(0), numbers.std(0)
    mean[0], spread[0] = 0.0, 1.0
    idle = spread < 1e-12
    spread[idle] = 1.0
    scaled = (numbers - mean) / spread
    scaled[:, idle & (np.arange(len(idle)) > 0)] = 0.0
    weights = np.zeros(numbers.shape[1])
    for _ in range(60):
        part = 1 / (1 + np.exp(-np.clip(scaled @ weights, -30, 30)))
        chance = np.clip(known * part, 1e-9, 1 - 1e-9)
        slope = chance * (1 - part)  # of the chance, by the sum
        weight = slope**2 / (chance * (1 - chance))
        ridge = np.full(len(weights), PENALTY * len(won))
        ridge[0] = 1e-9
        gradient = scaled.T @ ((won - chance) * slope / (chance * (1 - chance))) - ridge * weights
        weights += np.linalg.solve((scaled * weight[:, None]).T @ scaled + np.diag(ridge + 1e-9), gradient)
    plain = weights / spread
    plain[0] -= (weights * mean / spread)[1:].sum()
    return plain


def main() -> None:
    """Read the command line."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("play", "fit"))
    parser.add_argument("files", nargs="+")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    (write_games if options.what == "play" else fit)(options)


if __name__ == "__main__":
    main()
