"""What a listener is told: nothing that is on the board is left out."""

import re

from sapper.core.cells import Cell
from sapper.core.coordinates import column_of
from sapper.core.notation import read_board, read_tiles, write_tiles
from sapper.core.status import Status
from sapper.core.update import Update
from sapper.tui.speech import said_around, said_changes, said_row, said_rows, said_state, tile_words

TEXT = "6x3/4\n.1#F?#\n112X!*\n######\n"


def _heard(line: str) -> dict[tuple[int, int], str]:
    """A row as a listener would write it down."""
    head, _, rest = line.removesuffix(".").partition(": ")
    y = int(head.removeprefix("row ")) - 1
    cells = {}
    for part in rest.split(", "):
        match = re.fullmatch(r"([a-z]+)(?: (?:to|and) ([a-z]+))? (.+)", part)
        assert match is not None
        for x in range(column_of(match[1]), column_of(match[2] or match[1]) + 1):
            cells[x, y] = match[3]
    return cells


def test_rows_say_every_cell() -> None:
    board = read_board(TEXT)
    heard = {cell: words for line in said_rows(board) for cell, words in _heard(line).items()}
    assert heard == {board.grid.xy(cell): tile_words(tile) for cell, tile in enumerate(board.tiles)}
    assert said_row(board, 0) == "row 1: a blank, b 1, c covered, d flag, e question mark, f covered."
    assert said_row(board, 2) == "row 3: a to f covered."


def test_every_tile_has_words_of_its_own() -> None:
    tiles = read_tiles(".12345678#F?*X!")
    assert len({tile_words(tile) for tile in tiles}) == len(write_tiles(tiles))


def test_few_changes_are_said_one_by_one_and_many_by_row() -> None:
    board = read_board(TEXT)
    few = Update(((Cell(1), board.tiles[1:4]),), Status.PLAYING)
    assert list(said_changes(board, few)) == ["b1 is 1.", "c1 is covered.", "d1 has a flag."]
    many = Update(((Cell(4), board.tiles[4:9]),), Status.PLAYING)
    assert list(said_changes(board, many)) == [
        "5 cells changed.", "row 1: e question mark, f covered.", "row 2: a and b 1, c 2.",
    ]  # fmt: skip


def test_the_neighbourhood_stays_on_the_board() -> None:
    board = read_board(TEXT)
    assert list(said_around(board, 0)) == ["a1 is blank.", "row 1: a blank, b 1.", "row 2: a and b 1."]
    assert list(said_around(board, 17))[1:] == ["row 2: e wrong flag, f mine.", "row 3: e and f covered."]


def test_the_state_counts_what_is_left() -> None:
    board = read_board("3x2/1\nFF#\n11#\n")
    assert (
        said_state(board, 61)
        == "playing; 1 mine, 2 flags, 1 more flags than mines; 3 safe cells to reveal; 61 seconds."
    )
