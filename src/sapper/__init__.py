"""Sapper: Minesweeper as a library. One engine, many faces.

>>> import sapper
>>> game = sapper.new_game("beginner", seed=7)
>>> update = game.reveal(game.grid.cell(4, 4))
>>> game.status.value, len(update) >= 9
('playing', True)
"""

from importlib import import_module

TYPE_CHECKING = False  # type checkers take it for true; importing typing takes longer than all else here
if TYPE_CHECKING:
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

_HOMES = {
    "sapper.core.board": "Board",
    "sapper.core.cells": "Cell CellSet",
    "sapper.core.grid": "PLANE TORUS Grid Topology",
    "sapper.core.move": "Action Move",
    "sapper.core.notation": "read_board write_board",
    "sapper.core.preset": "PRESETS Preset find_preset",
    "sapper.core.record": "Played Record",
    "sapper.core.rng": "Rng",
    "sapper.core.rules": "RULES Rules Start Win find_rules",
    "sapper.core.status": "Status",
    "sapper.core.tile": "Tile",
    "sapper.core.update": "Update",
    "sapper.errors": "AccessError IllegalMoveError NotationError SapperError",
    "sapper.game.game": "Game",
    "sapper.game.layout": "Layout",
    "sapper.game.referee": "Referee",
    "sapper.game.source": "FixedLayout LayoutSource",
    "sapper.generator.board_list": "read_board_list write_game",
    "sapper.generator.new_game": "new_game new_referee",
    "sapper.generator.uniform": "UniformSource draw_layout",
}
"""The module of each name; a test compares them with the imports above, which only type checkers read."""


if not TYPE_CHECKING:  # or type checkers would take every name for one that there is

    def __getattr__(name: str) -> object:
        """A name of the list, imported when it is first asked for: what needs none of them does not wait for them."""
        for home, names in _HOMES.items():
            if name in names.split():
                return globals().setdefault(name, getattr(import_module(home), name))
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
