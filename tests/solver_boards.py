"""Boards for tests of what reasons about them."""

from sapper.core.board import Board
from sapper.core.cells import CellSet
from sapper.core.grid import TORUS, Grid
from sapper.core.rng import Rng
from sapper.core.rules import RULES
from sapper.core.status import Status
from tests.census import Position, some_board


def board_of(tiles: bytes, grid: Grid, mine_count: int) -> Board:
    """A running game, whatever the tiles say; as of a text, no start rule protects its first reveal."""
    rules = RULES["modern"]
    return Board(
        grid=grid, rules=rules, mine_count=mine_count, tiles=tiles, status=Status.PLAYING, safe_first=CellSet()
    )


def board_at(position: Position) -> Board:
    """The board of a census file's position."""
    return board_of(position.tiles, position.grid, position.mines)


def board_of_seed(seed: int, *, most: int = 12) -> Board:
    """A small board that some layout fits; see `some_board`."""
    return board_of(*some_board(seed, most=most))


def middle_game(seed: int, *, torus: bool = False) -> Board:
    """A board with a long frontier: most of the safe cells of a layout are revealed, wherever they are."""
    rng = Rng(seed)
    grid = Grid(9, 7, TORUS) if torus else Grid(10, 8)
    mined = rng.sample(grid.size, 10 + rng.below(8))
    tiles = bytearray([9]) * grid.size
    for cell in range(grid.size):
        if cell not in mined and rng.below(5) > 1:
            tiles[cell] = sum(near in mined for near in grid.neighbours(cell))
    return board_of(bytes(tiles), grid, len(mined))
