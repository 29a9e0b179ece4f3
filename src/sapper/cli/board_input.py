"""Reading the board that a command is about."""

import click

from sapper.cli.file_text import decoded, read_input
from sapper.core.board import Board
from sapper.core.grid import MAX_SIZE
from sapper.core.notation import is_like_header, read_board


def board_from(file: str, mine_count: int | None) -> Board:
    """The board in a file, `-` for standard input.

    `mines` are those of the whole board, if its first line does not tell. `NotationError` and `OSError` for what cannot
    be read, `click.UsageError` for a board without a number of mines.
    """
    data, source = read_input(file, wanted="a board, a line a row", most=2 * MAX_SIZE)
    text = decoded(data, source)
    first = next((line for line in text.splitlines() if line.strip()), "")
    if mine_count is None and not is_like_header(first):
        read_board(text, mine_count=0, source=source)  # what is wrong with the board itself comes first
        raise click.UsageError(
            "the number of mines is missing: give --mines N, or begin the board with a line WIDTHxHEIGHT/MINES"
        )
    return read_board(text, mine_count=mine_count, source=source)
