#!/usr/bin/env python3
"""Writes the playthroughs: one transcript for each registered rule set, in tests/playthroughs.

    .venv/bin/python scripts/playthroughs.py            compare; exit code 1 where one differs
    .venv/bin/python scripts/playthroughs.py --write    write them anew, to be read as a diff

A transcript is a handful of games from fixed seeds, with every move, the size of its update and the board after
it. A change of the engine that changes any game shows up as a change of these files.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from sapper.core.board import Board
from sapper.core.grid import Grid
from sapper.core.move import Action, Move
from sapper.core.notation import write_board
from sapper.core.rng import Rng
from sapper.core.rules import RULES, Rules
from sapper.game.referee import Referee
from sapper.generator.board_file import write_game
from sapper.generator.uniform import UniformSource

FOLDER = Path(__file__).resolve().parents[1] / "tests/playthroughs"

GAMES = (
    # width, height, mines, seed
    (8, 5, 5, 1),
    (8, 5, 5, 2),
    (7, 4, 6, 7),
    (7, 4, 6, 11),
    (6, 6, 9, 3),
    (9, 1, 2, 4),
    (3, 3, 0, 5),
    (2, 2, 4, 6),
)
MOST_MOVES = 16


def playthrough(rules: Rules) -> str:
    """The transcript of one rule set."""
    variants = (rules, rules.replace(question_marks=True))
    parts = ["\n".join(_game(variants[number % 2], *game)) for number, game in enumerate(GAMES)]
    return "\n\n".join(parts) + "\n"


def _game(rules: Rules, width: int, height: int, mine_count: int, seed: int) -> Iterator[str]:
    referee = Referee(rules=rules, source=UniformSource(Grid(width, height), mine_count, seed, rules.start))
    rng = Rng(seed)
    yield f"=== {rules.name}, {width}x{height}, {mine_count} mines, seed {seed}"
    first = None
    for _ in range(MOST_MOVES):
        move = _choose(referee, rng)
        if first is None and move.action is Action.REVEAL:
            first = move.cell
        yield from _step(referee, move)
        if referee.status.ended:
            break
    else:
        yield from _step(referee, Move.terminate())
    layout = referee.layout
    yield f"layout {write_game(layout, first or 0)}" if layout else "layout never drawn"
    if layout:
        yield from _rows(referee.board.show(layout.mines))


def _step(referee: Referee, move: Move) -> Iterator[str]:
    update = referee.play(move)
    x, y = referee.grid.xy(move.cell)
    place = "" if move.action is Action.TERMINATE else f" ({x}, {y})"
    yield f"{move.action.name.lower()}{place}: {len(update)} cells in {len(update.runs)} runs, {update.status.value}"
    yield from _rows(referee.board)


def _rows(board: Board) -> list[str]:
    return write_board(board, header=False).splitlines()


def _choose(referee: Referee, rng: Rng) -> Move:
    """A move that mostly does well: a random kind of move, and where there is a choice, mines flagged, safe cells revealed.

    One in five does not care, so that mines are hit, wrong flags set and chorded.
    """
    kinds: dict[Action, list[Move]] = {}
    for move in referee.board.legal_moves:
        if move.action is not Action.TERMINATE:
            kinds.setdefault(move.action, []).append(move)
    action = rng.choice([kind for kind in kinds for _ in range(3 if kind is Action.CHORD else 1)])
    moves = kinds[action]
    layout = referee.layout
    if layout is not None and rng.below(5) and action in (Action.REVEAL, Action.FLAG, Action.UNFLAG):
        good = [move for move in moves if layout.is_mine(move.cell) == (action is Action.FLAG)]
        moves = good or moves
    return rng.choice(moves)


def main(arguments: list[str]) -> int:
    """Compare or write; the exit code."""
    differing = 0
    for name, rules in RULES.items():
        path = FOLDER / f"{name}.txt"
        text = playthrough(rules)
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        differing += 1
        if arguments == ["--write"]:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"written: {path.name}")
        else:
            print(f"differs: {path.name}", file=sys.stderr)
    return 0 if arguments == ["--write"] or not differing else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
