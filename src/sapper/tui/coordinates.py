"""Cells as they are said and typed: a letter for the column, a number for the row, `c4`.

Columns go a to z, then aa, ab …; rows are counted from 1 at the top. Two numbers, `2,3`, are column and row from 0, as everywhere else
in sapper.

Knows: both forms, and how one becomes the other in a sentence.
Does not know: what is done to a cell.
"""

import re
from typing import Final

from sapper.core.cells import Cell
from sapper.core.grid import Grid
from sapper.errors import NotationError

_NAME: Final = re.compile(r"([a-z]{1,6})([0-9]{1,9})")
_PAIR: Final = re.compile(r"\(?\s*([0-9]{1,9})\s*,\s*([0-9]{1,9})\s*\)?")
_IN_SENTENCE: Final = re.compile(r"\(([0-9]+), ([0-9]+)\)")


def column_name(x: int) -> str:
    """The letters of a column from 0.

    >>> column_name(0), column_name(25), column_name(26), column_name(701), column_name(702)
    ('a', 'z', 'aa', 'zz', 'aaa')
    """
    letters = ""
    number = x + 1
    while number:
        number, digit = divmod(number - 1, 26)
        letters = chr(ord("a") + digit) + letters
    return letters


def column_of(letters: str) -> int:
    """The column from 0 of its letters.

    >>> column_of("a"), column_of("aa")
    (0, 26)
    """
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("a") + 1
    return number - 1


def cell_name(grid: Grid, cell: int) -> str:
    """A cell as it is said: `c4`."""
    x, y = grid.xy(cell)
    return f"{column_name(x)}{y + 1}"


def read_cell(grid: Grid, text: str) -> Cell:
    """The cell of a text; `NotationError` for what is none, or lies off the board."""
    word = text.strip().lower()
    if match := _NAME.fullmatch(word):
        x, y = column_of(match[1]), int(match[2]) - 1
    elif match := _PAIR.fullmatch(word):
        x, y = int(match[1]), int(match[2])
    else:
        raise NotationError(f"a cell is a letter and a number, as c4, or column,row from 0, as 2,3; not {text[:40]!r}")
    if not (0 <= x < grid.width and 0 <= y < grid.height):
        last = cell_name(grid, grid.size - 1)
        raise NotationError(f"{text.strip()[:40]} is off the board: cells are a1 to {last}")
    return grid.cell(x, y)


def named(sentence: str) -> str:
    """A sentence of the solver with its cells as they are said here.

    >>> named("(2, 3) says 1")
    'c4 says 1'
    """
    return _IN_SENTENCE.sub(lambda found: f"{column_name(int(found[1]))}{int(found[2]) + 1}", sentence)
