"""A game redrawn in place: what `sapper` alone shows. Where there is no terminal, or the board does not fit, its boards come one after another."""

import os
import shutil
import sys
import time
from collections.abc import Sequence
from typing import Final

import click

from sapper.cli.terminal import colours
from sapper.core.board import Board
from sapper.core.coordinates import cell_name
from sapper.core.tile import Tile
from sapper.core.words import counted
from sapper.kata.bot import Turn
from sapper.render import ansi
from sapper.render.screen import LOOKS
from sapper.render.text import text_view

SECONDS: Final = 4.0
"""How long a game is shown."""
LONGEST_STEP: Final = 0.4
"""Seconds between two moves of a short one."""


def watch(board: Board, turns: Sequence[Turn], again: str) -> None:
    """Show a game from its first board to its end, and the command that shows each move with its reason."""
    frames: list[tuple[Board, int | None, str]] = [
        (board, None, f"{board.grid.width}x{board.grid.height}, {counted(board.mine_count, 'mine')}")
    ]
    for turn in turns:
        cell = turn.choice.move.cell
        words = f"{turn.choice.move.action.name.lower()} {cell_name(board.grid, cell)} ({turn.choice.reason})"
        frames.append((turn.board, cell, f"{turn.number}: {words}"))
    room = shutil.get_terminal_size()
    in_place = (
        sys.stdout.isatty()
        and os.environ.get("TERM", "") not in {"", "dumb"}
        and board.grid.height + 3 <= room.lines
        and 2 * board.grid.width < room.columns
    )
    for number, (shown, last, words) in enumerate(frames):
        if number and in_place:
            click.echo(f"{ansi.CSI}{board.grid.height + 1}F{ansi.CSI}J", nl=False, color=True)
        told = words[: room.columns - 1] if in_place else words
        click.echo(f"{_painted(shown, last) if in_place else text_view(shown)}\n{told}", color=in_place)
        if in_place:
            time.sleep(min(LONGEST_STEP, SECONDS / len(frames)))
        elif number < len(frames) - 1:
            click.echo()
    end = frames[-1][0]
    click.echo(f"{'won' if end.is_won else 'lost'} in {counted(len(turns), 'move')}; each move and its reason: {again}")


def _painted(board: Board, last: int | None) -> str:
    """The board, a space between two cells, in colours where the terminal has them; the last move stands out."""
    has_colours, width = bool(colours()), board.grid.width
    cells = []
    for cell, (tile, sign) in enumerate(zip(board.tiles, text_view(board).replace("\n", ""), strict=True)):
        codes = LOOKS[Tile(tile)][1] if has_colours else ()
        if cell == last:
            codes = (*codes, ansi.REVERSE)
        cells.append(ansi.painted(sign, *codes) if codes else sign)
    return "\n".join(" ".join(cells[at : at + width]) for at in range(0, len(cells), width))
