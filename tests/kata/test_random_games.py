"""Legal games, written as scenarios and as examples: all are green, whatever their moves and their end."""

import random
from collections.abc import Iterator

import pytest

from sapper.core.cells import CellSet
from sapper.core.grid import Grid
from sapper.core.move import Action, Move
from sapper.game.layout import Layout
from sapper.kata.document import read_document
from sapper.kata.messages import CLEARED, EXPLODED, FLAGGED, UNFLAGGED
from sapper.kata.runner import run_items
from sapper.kata.sandbox import Sandbox
from sapper.render import kata as view
from tests.sizes import sized

GAMES = sized(200, 1_000)
GRID = Grid(3, 3)


def _random_move(game: Sandbox, dice: random.Random) -> Move:
    """Any legal move, a mark as likely as a step, and taking one back more likely than in a game of a person."""
    board = game.board
    kinds = [[*board.legal_moves.of(kind)] for kind in (Action.REVEAL, Action.FLAG, Action.UNFLAG)]
    return dice.choice(dice.choice([moves for moves in kinds if moves]))


def _game(dice: random.Random) -> tuple[Sandbox, list[tuple[bytes, str]]]:
    """A game of up to twelve moves, and board and message after each."""
    mines = CellSet.of(dice.sample(range(GRID.size), dice.choice((1, 3))))
    game = Sandbox(Layout(GRID, mines))
    shown = []
    for _ in range(dice.randint(1, 12)):
        if game.board.status.ended:
            break
        message = game.play(_random_move(game, dice)).printed
        shown.append((game.board.tiles, message))
    return game, shown


def _framed(tiles: bytes) -> str:
    symbols = [view.BARE_SYMBOLS[tile].replace("-", " ") for tile in tiles]
    rows = [symbols[at : at + GRID.width] for at in range(0, len(symbols), GRID.width)]
    border = "+-" * GRID.width + "+"
    return "\n".join([border, *(f"|{'|'.join(row)}|\n{border}" for row in rows)])


def _bare(tiles: bytes) -> str:
    text = "".join(view.BARE_SYMBOLS[tile] for tile in tiles)
    return "\n".join(text[at : at + GRID.width] for at in range(0, len(text), GRID.width))


def _reds(text: str) -> list[str]:
    return [
        f"{verdict.fault.reason}\n{text}" for verdict in run_items(read_document(text)) if verdict.fault is not None
    ]


def _games() -> Iterator[tuple[Sandbox, list[tuple[bytes, str]]]]:
    dice = random.Random(4)
    return (_game(dice) for _ in range(GAMES))


def test_every_legal_game_is_a_green_scenario() -> None:
    ends = {CLEARED: 0, EXPLODED: 0, FLAGGED: 0, UNFLAGGED: 0}
    for number, (_, shown) in enumerate(_games()):
        tiles, message = shown[-1]
        for end in ends:
            ends[end] += message.endswith(end)
        assert _reds(f"{number} – A game\n{_framed(tiles)}\n{message}\n") == []
    assert min(ends.values()) >= GAMES // 50, "each kind of end is among them"


def test_every_legal_game_is_a_green_example_and_a_scenario_of_several_boards() -> None:
    for number, (game, shown) in enumerate(_games()):
        bombs = view.bombs(game.grid, game.layout.clues)
        bombs = "".join(symbol if symbol in "b\n" else "-" for symbol in bombs)
        boards = "\n\n".join(f"{_bare(tiles)}\n{message}" for tiles, message in shown)
        assert _reds(f"### Example {number}\nA game\n\nBombs:\n{bombs}\n\nGame:\n{boards}\n") == []
        several = "\n\n".join(f"{_framed(tiles)}\n{message}" for tiles, message in shown[::2])
        assert _reds(f"{number} – A game\n{several}\n") == []


@pytest.mark.parametrize(
    ("rows", "message", "reason"),
    [
        ("|4|*|", "4 bombs around your square.", "no layout of 1 or 3 bombs agrees with what is shown: square 0;1 cannot show 4"),
        ("|_|*|", "No bomb around your square.", "no layout of 1 or 3 bombs agrees with what is shown: square 0;1 cannot show _"),
    ],
)  # fmt: skip
def test_a_red_scenario_names_the_square_that_cannot_be(rows: str, message: str, reason: str) -> None:
    (red,) = _reds(f"1 – x\n+-+-+\n{rows}\n+-+-+\n| | |\n+-+-+\n[Sandbox 2x2] {message}\n")
    assert red.startswith(reason)
