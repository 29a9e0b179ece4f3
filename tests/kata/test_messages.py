"""Every message of the kata, in both wordings."""

import pytest

from sapper.core.board import Board
from sapper.core.grid import Grid
from sapper.core.move import Move
from sapper.core.rules import RULES
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.kata.messages import EXAMPLES, UATS, Catalogue, StepMessage, answer

CELL = 4


def _after(tile: Tile, status: Status = Status.PLAYING, size: int = 3) -> Board:
    tiles = bytearray([Tile.COVERED]) * (size * size)
    tiles[CELL] = tile
    return Board(grid=Grid(size, size), rules=RULES["kata"], mine_count=1, tiles=bytes(tiles), status=status)


@pytest.mark.parametrize(
    ("catalogue", "clue", "text"),
    [
        (EXAMPLES, 0, "No bomb around your square."),
        (EXAMPLES, 1, "1 bomb around your square."),
        (EXAMPLES, 2, "2 bombs around your square."),
        (EXAMPLES, 8, "8 bombs around your square."),
        (UATS, 0, "0 bomb around your square."),
        (UATS, 1, "1 bombs around your square."),
        (UATS, 3, "3 bombs around your square."),
    ],
)
def test_a_step_counts_the_bombs(catalogue: Catalogue, clue: int, text: str) -> None:
    told = answer(_after(Tile(clue)), Move.reveal(CELL), catalogue)
    symbol = str(clue) if clue else "_"
    assert told == StepMessage(symbol, f"[Sandbox 3x3] {text}", f"[Sandbox 3x3] {text}")


@pytest.mark.parametrize("catalogue", [EXAMPLES, UATS])
@pytest.mark.parametrize(
    ("move", "tile", "symbol", "text"),
    [
        (Move.flag(CELL), Tile.FLAGGED, "*", "Square flagged as bomb."),
        (Move.unflag(CELL), Tile.COVERED, "-", "Square unflagged as bomb."),
        (Move.question(CELL), Tile.QUESTION, "?", "Square marked with a question mark."),
        (Move.unquestion(CELL), Tile.COVERED, "-", "Question mark taken away."),
    ],
)
def test_marks(catalogue: Catalogue, move: Move, tile: Tile, symbol: str, text: str) -> None:
    assert answer(_after(tile), move, catalogue) == StepMessage(
        symbol, f"[Sandbox 3x3] {text}", f"[Sandbox 3x3] {text}"
    )


def test_an_end_replaces_the_message_in_print_only() -> None:
    won = answer(_after(Tile.ZERO, Status.WON), Move.reveal(CELL), UATS)
    assert won.message == "[Sandbox 3x3] 0 bomb around your square."
    assert won.printed == "[Sandbox 3x3] the land is cleared! GOOD JOB!"


def test_a_bomb_is_the_end_in_both() -> None:
    lost = answer(_after(Tile.EXPLODED, Status.LOST), Move.reveal(CELL))
    assert lost == StepMessage("X", "[Sandbox 3x3] BOOM! \u2013 Game Over.", "[Sandbox 3x3] BOOM! \u2013 Game Over.")


def test_giving_up_is_no_victory() -> None:
    told = answer(_after(Tile.COVERED, Status.TERMINATED), Move.terminate())
    assert told.printed == "[Sandbox 3x3] Game given up."
