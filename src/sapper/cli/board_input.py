"""Reading the board that a command is about: a file, or standard input.

Knows: files, standard input, what must be said for a board that is not complete.
Does not know: what is done with the board.
"""

import sys
from typing import BinaryIO

import click

from sapper.cli.file_text import decoded
from sapper.core.board import Board
from sapper.core.grid import MAX_SIZE
from sapper.core.notation import is_like_header, read_board
from sapper.errors import NotationError


def board_from(file: str, mines: int | None) -> Board:
    """The board in a file, `-` for standard input.

    `mines` are those of the whole board, if its first line does not tell. `NotationError` and `OSError` for what cannot
    be read, `click.UsageError` for a board without a number of mines.
    """
    text, source = _text_of(file)
    first = next((line for line in text.removeprefix("\ufeff").splitlines() if line.strip()), "")
    if mines is None and not is_like_header(first):
        read_board(text, mines=0, source=source)  # what is wrong with the board itself comes first
        raise click.UsageError(
            "the number of mines is missing: give --mines N, or begin the board with a line WIDTHxHEIGHT/MINES"
        )
    return read_board(text, mines=mines, source=source)


def _text_of(file: str) -> tuple[str, str]:
    if file == "-":
        source = "<stdin>"
        if sys.stdin is None:
            raise click.UsageError("standard input is closed: name a file")
        if sys.stdin.isatty():
            click.echo("a board, a line a row; end it with Ctrl-D", err=True)
        data = _limited(sys.stdin.buffer, source)
    else:
        source = file
        with open(file, "rb") as stream:  # noqa: PTH123  # importing pathlib takes 10 ms
            data = _limited(stream, source)
    return decoded(data, source), source


def _limited(stream: BinaryIO, source: str) -> bytes:
    """All there is to read, within what the largest board takes."""
    most = 2 * MAX_SIZE
    data = stream.read(most + 1)
    if len(data) > most:
        raise NotationError(f"more than {most:,} bytes are no board", source=source)
    return data
