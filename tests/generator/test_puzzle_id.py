"""Game ids of another program: the layout that they name, and what is said of those that name none."""

import pytest

from sapper.core.tile import Tile
from sapper.errors import NotationError
from sapper.generator.puzzle_id import is_puzzle_id, read_puzzle_id

MASKED = "9x9n10:4,4,m750a781f936c7f3d39ec8"
"""Made by that program: that it unmasks to as many mines as it says, none of them about its first cell, is no accident."""


def test_a_masked_id() -> None:
    game = read_puzzle_id(f" {MASKED}\n")
    assert game.first == game.layout.grid.cell(4, 4)
    assert game.layout.mine_count == 10
    assert game.layout.clues[game.first] == Tile.ZERO
    rows = ["".join(".*"[game.layout.is_mine(game.layout.grid.cell(x, y))] for x in range(9)) for y in range(9)]
    assert rows[:2] == ["*....*...", "..*...*.."]


def test_plain_ids_and_short_sizes() -> None:
    # 3x3, mines at (0, 0) and (2, 2): 1000 0000 1000
    for text in ("3x3n2:808", "3n2:u808", "3x3n2a:0,2,808"):
        game = read_puzzle_id(text)
        assert [game.layout.grid.xy(cell) for cell in game.layout.mines] == [(0, 0), (2, 2)]
    assert read_puzzle_id("3x3n2:808").first is None


def test_what_is_none_is_said() -> None:
    for text, words in (
        ("9x9n10#123456", "seed of that program"), ("9x9n10:r10,u,b5985f51", "seed of that program"),
        ("9x9n10:4,4,m750a", "take 21 hexadecimal digits, not 4"), ("9x9n11:4,4,m750a781f936c7f3d39ec8", "says 11 mines"),
        ("9x9n10:4,4,m850a781f936c7f3d39ec8", "its layout has"), ("3x3n2:5,5,808", "is not on a board"), ("9x9n10:zzz", "behind the colon"), ("hello", "a game id of Mines is"),
    ):  # fmt: skip
        with pytest.raises(NotationError, match=words):
            read_puzzle_id(text)
    assert not is_puzzle_id("hello")
    assert is_puzzle_id(MASKED)
