"""Cells as people write them, everywhere in sapper: letters for the column, a number for the row, `c4`.

Columns go a to z from the left, then aa, ab …; rows are counted from 1 at the top. Data has two numbers instead, column and row
from 0; `2,3` is read too.
"""

import re
from typing import Final

from sapper.core.arguments import check_type
from sapper.core.cells import Cell
from sapper.core.grid import Grid
from sapper.errors import NotationError

_NAME: Final = re.compile(r"([a-z]{1,7})([0-9]{1,9})")
_PAIR: Final = re.compile(r"\(?\s*([0-9]{1,9})\s*,\s*([0-9]{1,9})\s*\)?")


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


def place_name(x: int, y: int) -> str:
    """Column and row from 0 as they are said.

    >>> place_name(2, 3)
    'c4'
    """
    return f"{column_name(x)}{y + 1}"


def cell_name(grid: Grid, cell: int) -> str:
    """A cell as it is said.

    >>> cell_name(Grid(9, 9), 29)
    'c4'
    """
    check_type("grid", grid, Grid)
    return place_name(*grid.xy(cell))


def read_cell(grid: Grid, text: str) -> Cell:
    """The cell of a text; `NotationError` for what is none, or lies off the board."""
    check_type("grid", grid, Grid)
    check_type("text", text, str)
    x, y = read_place(text)
    if not (0 <= x < grid.width and 0 <= y < grid.height):
        last = cell_name(grid, grid.size - 1)
        raise NotationError(f"{text.strip()[:40]} is off the board: cells are a1 to {last}")
    return grid.cell(x, y)


def read_place(text: str) -> tuple[int, int]:
    """Column and row from 0 of a text, whatever the board; `NotationError` for what names no cell of any.

    >>> read_place("c4"), read_place("2,3")
    ((2, 3), (2, 3))
    """
    word = text.strip().lower()
    if (match := _NAME.fullmatch(word)) and int(match[2]):
        return column_of(match[1]), int(match[2]) - 1
    if match := _PAIR.fullmatch(word):
        return int(match[1]), int(match[2])
    raise NotationError(f"a cell is a letter and a number, as c4, or column,row from 0, as 2,3; not {text[:40]!r}")
