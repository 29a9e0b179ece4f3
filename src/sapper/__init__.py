"""Sapper: Minesweeper as a library. One engine, many faces.

>>> import sapper
>>> game = sapper.new_game("beginner", seed=7)
>>> update = game.reveal(game.grid.cell(4, 4))
>>> game
<Game 9x9/10, rules modern, playing: 54 of 71 safe cells revealed>
>>> print(sapper.hint(game.board))
g1 says 1 and has only 1 covered neighbour left: h1 is a mine.
h2 says 1 and its mine is h1: i1 is safe.
"""

from importlib import import_module

TYPE_CHECKING = False  # type checkers take it for true; importing typing takes longer than all else here
if TYPE_CHECKING:
    # `X as X`: to type checkers the name is public.
    from sapper.core.board import Board as Board
    from sapper.core.cells import Cell as Cell
    from sapper.core.cells import CellSet as CellSet
    from sapper.core.coordinates import cell_name as cell_name
    from sapper.core.coordinates import read_cell as read_cell
    from sapper.core.grid import PLANE as PLANE
    from sapper.core.grid import TORUS as TORUS
    from sapper.core.grid import Grid as Grid
    from sapper.core.grid import Topology as Topology
    from sapper.core.move import Action as Action
    from sapper.core.move import Move as Move
    from sapper.core.notation import read_board as read_board
    from sapper.core.notation import write_board as write_board
    from sapper.core.preset import PRESETS as PRESETS
    from sapper.core.preset import Preset as Preset
    from sapper.core.preset import find_preset as find_preset
    from sapper.core.record import Record as Record
    from sapper.core.record import TimedMove as TimedMove
    from sapper.core.record_binary import pack_record as pack_record
    from sapper.core.record_binary import unpack_record as unpack_record
    from sapper.core.rng import Rng as Rng
    from sapper.core.rules import RULES as RULES
    from sapper.core.rules import Rules as Rules
    from sapper.core.rules import Start as Start
    from sapper.core.rules import Win as Win
    from sapper.core.rules import find_rules as find_rules
    from sapper.core.status import Status as Status
    from sapper.core.tile import Tile as Tile
    from sapper.core.update import Update as Update
    from sapper.dataset.exact_value import exact_value as exact_value
    from sapper.errors import AccessError as AccessError
    from sapper.errors import ArgumentError as ArgumentError
    from sapper.errors import CellError as CellError
    from sapper.errors import ContradictionError as ContradictionError
    from sapper.errors import IllegalMoveError as IllegalMoveError
    from sapper.errors import InvalidValueError as InvalidValueError
    from sapper.errors import LayoutError as LayoutError
    from sapper.errors import LayoutNotFoundError as LayoutNotFoundError
    from sapper.errors import NoSuchLayoutError as NoSuchLayoutError
    from sapper.errors import NotationError as NotationError
    from sapper.errors import RecordError as RecordError
    from sapper.errors import SapperError as SapperError
    from sapper.errors import StrategyError as StrategyError
    from sapper.errors import StrategyLoadError as StrategyLoadError
    from sapper.errors import TooHardError as TooHardError
    from sapper.errors import UnknownNameError as UnknownNameError
    from sapper.game.game import Game as Game
    from sapper.game.layout import Layout as Layout
    from sapper.game.referee import Referee as Referee
    from sapper.game.source import FixedLayout as FixedLayout
    from sapper.game.source import LayoutSource as LayoutSource
    from sapper.generator.board_list import read_board_list as read_board_list
    from sapper.generator.board_list import write_game as write_game
    from sapper.generator.budget import Budget as Budget
    from sapper.generator.game_code import CodedGame as CodedGame
    from sapper.generator.game_code import game_of_code as game_of_code
    from sapper.generator.generate import generate_layout as generate_layout
    from sapper.generator.layout_spec import LayoutSpec as LayoutSpec
    from sapper.generator.layout_spec import Method as Method
    from sapper.generator.layout_spec import Range as Range
    from sapper.generator.new_game import new_referee as new_referee
    from sapper.generator.no_guess.certificate import Certificate as Certificate
    from sapper.generator.no_guess.certificate import certificate_data as certificate_data
    from sapper.generator.no_guess.certificate import read_certificate as read_certificate
    from sapper.generator.no_guess.verify import explain_certificate as explain_certificate
    from sapper.generator.no_guess.verify import verify_certificate as verify_certificate
    from sapper.generator.search_values import GeneratedLayout as GeneratedLayout
    from sapper.generator.uniform import UniformSource as UniformSource
    from sapper.generator.uniform import place_mines as place_mines
    from sapper.metrics.interval import wilson as wilson
    from sapper.metrics.layout import LayoutMetrics as LayoutMetrics
    from sapper.metrics.layout import measure as measure
    from sapper.render.svg import Overlay as Overlay
    from sapper.render.svg import ShownStep as ShownStep
    from sapper.render.svg import svg as svg
    from sapper.review.reviewing import review_game as review_game
    from sapper.review.values import GameReview as GameReview
    from sapper.review.values import MoveReview as MoveReview
    from sapper.review.values import MoveVerdict as MoveVerdict
    from sapper.session.library import load_game as load_game
    from sapper.session.library import new_game as new_game
    from sapper.session.library import save_game as save_game
    from sapper.session.session import Session as Session
    from sapper.simulate.results import RunSummary as RunSummary
    from sapper.simulate.results import SimulatedGame as SimulatedGame
    from sapper.simulate.run import run_games as run_games
    from sapper.solver.advisor import Advisor as Advisor
    from sapper.solver.analysis import Analysis as Analysis
    from sapper.solver.analysis import analyse as analyse
    from sapper.solver.deduce.explain import next_safe as next_safe
    from sapper.solver.deduce.explain import next_step as next_step
    from sapper.solver.deduce.step import Step as Step
    from sapper.solver.deduce.step import Technique as Technique
    from sapper.solver.hint import Hint as Hint
    from sapper.solver.hint import hint as hint
    from sapper.solver.strategies.base import Choice as Choice
    from sapper.solver.strategies.base import Strategy as Strategy
    from sapper.solver.whole_game import ExactValue as ExactValue
    from sapper.solver.win import Candidate as Candidate
    from sapper.solver.win import WinChance as WinChance
    from sapper.solver.win import win_chance as win_chance

__version__ = "0.1.0"

_HOMES = {
    "Board": "sapper.core.board",
    "Cell": "sapper.core.cells",
    "CellSet": "sapper.core.cells",
    "cell_name": "sapper.core.coordinates",
    "read_cell": "sapper.core.coordinates",
    "PLANE": "sapper.core.grid",
    "TORUS": "sapper.core.grid",
    "Grid": "sapper.core.grid",
    "Topology": "sapper.core.grid",
    "Action": "sapper.core.move",
    "Move": "sapper.core.move",
    "read_board": "sapper.core.notation",
    "write_board": "sapper.core.notation",
    "PRESETS": "sapper.core.preset",
    "Preset": "sapper.core.preset",
    "find_preset": "sapper.core.preset",
    "Record": "sapper.core.record",
    "TimedMove": "sapper.core.record",
    "pack_record": "sapper.core.record_binary",
    "unpack_record": "sapper.core.record_binary",
    "Rng": "sapper.core.rng",
    "RULES": "sapper.core.rules",
    "Rules": "sapper.core.rules",
    "Start": "sapper.core.rules",
    "Win": "sapper.core.rules",
    "find_rules": "sapper.core.rules",
    "Status": "sapper.core.status",
    "Tile": "sapper.core.tile",
    "Update": "sapper.core.update",
    "exact_value": "sapper.dataset.exact_value",
    "AccessError": "sapper.errors",
    "ArgumentError": "sapper.errors",
    "CellError": "sapper.errors",
    "ContradictionError": "sapper.errors",
    "IllegalMoveError": "sapper.errors",
    "InvalidValueError": "sapper.errors",
    "LayoutError": "sapper.errors",
    "LayoutNotFoundError": "sapper.errors",
    "NoSuchLayoutError": "sapper.errors",
    "NotationError": "sapper.errors",
    "RecordError": "sapper.errors",
    "SapperError": "sapper.errors",
    "StrategyError": "sapper.errors",
    "StrategyLoadError": "sapper.errors",
    "TooHardError": "sapper.errors",
    "UnknownNameError": "sapper.errors",
    "Game": "sapper.game.game",
    "Layout": "sapper.game.layout",
    "Referee": "sapper.game.referee",
    "FixedLayout": "sapper.game.source",
    "LayoutSource": "sapper.game.source",
    "read_board_list": "sapper.generator.board_list",
    "write_game": "sapper.generator.board_list",
    "Budget": "sapper.generator.budget",
    "CodedGame": "sapper.generator.game_code",
    "game_of_code": "sapper.generator.game_code",
    "generate_layout": "sapper.generator.generate",
    "LayoutSpec": "sapper.generator.layout_spec",
    "Method": "sapper.generator.layout_spec",
    "Range": "sapper.generator.layout_spec",
    "new_referee": "sapper.generator.new_game",
    "Certificate": "sapper.generator.no_guess.certificate",
    "certificate_data": "sapper.generator.no_guess.certificate",
    "read_certificate": "sapper.generator.no_guess.certificate",
    "explain_certificate": "sapper.generator.no_guess.verify",
    "verify_certificate": "sapper.generator.no_guess.verify",
    "GeneratedLayout": "sapper.generator.search_values",
    "UniformSource": "sapper.generator.uniform",
    "place_mines": "sapper.generator.uniform",
    "wilson": "sapper.metrics.interval",
    "LayoutMetrics": "sapper.metrics.layout",
    "measure": "sapper.metrics.layout",
    "Overlay": "sapper.render.svg",
    "ShownStep": "sapper.render.svg",
    "svg": "sapper.render.svg",
    "review_game": "sapper.review.reviewing",
    "GameReview": "sapper.review.values",
    "MoveReview": "sapper.review.values",
    "MoveVerdict": "sapper.review.values",
    "load_game": "sapper.session.library",
    "new_game": "sapper.session.library",
    "save_game": "sapper.session.library",
    "Session": "sapper.session.session",
    "RunSummary": "sapper.simulate.results",
    "SimulatedGame": "sapper.simulate.results",
    "run_games": "sapper.simulate.run",
    "Advisor": "sapper.solver.advisor",
    "Analysis": "sapper.solver.analysis",
    "analyse": "sapper.solver.analysis",
    "next_safe": "sapper.solver.deduce.explain",
    "next_step": "sapper.solver.deduce.explain",
    "Step": "sapper.solver.deduce.step",
    "Technique": "sapper.solver.deduce.step",
    "Hint": "sapper.solver.hint",
    "hint": "sapper.solver.hint",
    "Choice": "sapper.solver.strategies.base",
    "Strategy": "sapper.solver.strategies.base",
    "ExactValue": "sapper.solver.whole_game",
    "Candidate": "sapper.solver.win",
    "WinChance": "sapper.solver.win",
    "win_chance": "sapper.solver.win",
}
"""The public names, each with its module, which is imported when the name is first asked for.

A test compares the table with the imports above, which only type checkers read. No name is that of a package: `sapper.render`
stays importable. To add a name, add a line to both.
"""


if not TYPE_CHECKING:  # or type checkers would take every name for one that there is
    __all__ = list(_HOMES)

    def __getattr__(name: str) -> object:
        """A name of the table, imported when it is first asked for: what needs none of them does not wait for them."""
        home = _HOMES.get(name)
        if home is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        # Boards draw themselves in a notebook; `core` does not know who draws.
        import_module("sapper.core.display").register_painter(lambda: import_module("sapper.render.notebook").paint)
        return globals().setdefault(name, getattr(import_module(home), name))


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
