"""Sapper: Minesweeper as a library. One engine, many faces.

>>> import sapper
>>> game = sapper.new_game("beginner", seed=7)
>>> update = game.reveal(game.grid.cell(4, 4))
>>> game.status.value, len(update) >= 9
('playing', True)
"""

from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.grid import PLANE, TORUS, Grid, Topology
from sapper.core.move import Action, Move
from sapper.core.notation import read_board, write_board
from sapper.core.preset import PRESETS, Preset, find_preset
from sapper.core.record import Played, Record
from sapper.core.rng import Rng
from sapper.core.rules import RULES, Rules, Start, Win, find_rules
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.core.update import Update
from sapper.errors import AccessError, IllegalMoveError, NotationError, SapperError
from sapper.game.game import Game
from sapper.game.layout import Layout
from sapper.game.referee import Referee
from sapper.game.source import FixedLayout, LayoutSource
from sapper.generator.board_list import read_board_list, write_game
from sapper.generator.new_game import new_game, new_referee
from sapper.generator.uniform import UniformSource, draw_layout

__version__ = "0.1.0"

__all__ = [
    "PLANE",
    "PRESETS",
    "RULES",
    "TORUS",
    "AccessError",
    "Action",
    "Board",
    "Cell",
    "CellSet",
    "FixedLayout",
    "Game",
    "Grid",
    "IllegalMoveError",
    "Layout",
    "LayoutSource",
    "Move",
    "NotationError",
    "Played",
    "Preset",
    "Record",
    "Referee",
    "Rng",
    "Rules",
    "SapperError",
    "Start",
    "Status",
    "Tile",
    "Topology",
    "UniformSource",
    "Update",
    "Win",
    "draw_layout",
    "find_preset",
    "find_rules",
    "new_game",
    "new_referee",
    "read_board",
    "read_board_list",
    "write_board",
    "write_game",
]
