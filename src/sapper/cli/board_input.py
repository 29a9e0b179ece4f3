"""The board that a command is about: its options, and how it is read."""

from collections.abc import Callable
from typing import Any

import click

from sapper.cli.files import decoded, read_input
from sapper.cli.options import json_option
from sapper.cli.pictures import picture_option
from sapper.core.board import Board
from sapper.core.grid import MAX_SIZE
from sapper.core.notation import is_like_header, read_board

BOARD_HELP = """FILE has a line a row: # covered, F flagged, ? question mark, . zero, 1-8 clues, * mine, X exploded. A first line
    WIDTHxHEIGHT/MINES gives the number of mines, else --mines does. Without FILE, or for -, standard input is read.
    The settings advice.strategy and advice.time (sapper config) say whose guess is named where no cell is safe."""


def board_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed((
        click.argument("file", metavar="[FILE|-]", default="-"),
        click.option("--mines", type=click.IntRange(min=0), metavar="N", help="Mines on the whole board, flagged or not."),
        click.option("--trust-flags", is_flag=True, help="Treat each flag as a mine; without this it counts as a covered cell."),
        json_option,
        picture_option(),
    )):  # fmt: skip
        command = option(command)
    return command


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
