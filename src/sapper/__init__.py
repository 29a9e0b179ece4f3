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
    from sapper.core.cells import Cell as Cell, CellSet as CellSet
    from sapper.core.coordinates import cell_name as cell_name, read_cell as read_cell
    from sapper.core.grid import PLANE as PLANE, TORUS as TORUS, Grid as Grid, Topology as Topology
    from sapper.core.move import Action as Action, Move as Move
    from sapper.core.notation import read_board as read_board, write_board as write_board
    from sapper.core.preset import PRESETS as PRESETS, Preset as Preset, find_preset as find_preset
    from sapper.core.record import Record as Record, TimedMove as TimedMove
    from sapper.core.record_binary import pack_record as pack_record, unpack_record as unpack_record
    from sapper.core.rng import Rng as Rng
    from sapper.core.rules import RULES as RULES, Rules as Rules, Start as Start, Win as Win, find_rules as find_rules
    from sapper.core.status import Status as Status
    from sapper.core.tile import Tile as Tile
    from sapper.core.update import Update as Update
    from sapper.dataset.exact_value import exact_value as exact_value
    from sapper.errors import (
        AccessError as AccessError,
        ArgumentError as ArgumentError,
        CellError as CellError,
        ContradictionError as ContradictionError,
        IllegalMoveError as IllegalMoveError,
        InvalidValueError as InvalidValueError,
        LayoutError as LayoutError,
        LayoutNotFoundError as LayoutNotFoundError,
        NoSuchLayoutError as NoSuchLayoutError,
        NotationError as NotationError,
        RecordError as RecordError,
        SapperError as SapperError,
        StrategyError as StrategyError,
        StrategyLoadError as StrategyLoadError,
        TooHardError as TooHardError,
        UnknownNameError as UnknownNameError,
    )
    from sapper.game.game import Game as Game
    from sapper.game.layout import Layout as Layout
    from sapper.game.referee import Referee as Referee
    from sapper.game.source import FixedLayout as FixedLayout, LayoutSource as LayoutSource
    from sapper.generator.board_file import read_board_list as read_board_list, write_game as write_game
    from sapper.generator.game_code import CodedGame as CodedGame, game_of_code as game_of_code
    from sapper.generator.generate import generate_layout as generate_layout
    from sapper.generator.layout_spec import LayoutSpec as LayoutSpec, Method as Method, Range as Range
    from sapper.generator.new_game import new_referee as new_referee
    from sapper.generator.no_guess.certificate import (
        Certificate as Certificate,
        certificate_data as certificate_data,
        read_certificate as read_certificate,
    )
    from sapper.generator.no_guess.verify import (
        explain_certificate as explain_certificate,
        verify_certificate as verify_certificate,
    )
    from sapper.generator.search_values import Budget as Budget, GeneratedLayout as GeneratedLayout
    from sapper.generator.uniform import UniformSource as UniformSource, place_mines as place_mines
    from sapper.metrics.interval import wilson as wilson
    from sapper.metrics.layout import LayoutMetrics as LayoutMetrics, measure as measure
    from sapper.render.svg import Overlay as Overlay, ShownStep as ShownStep, svg as svg
    from sapper.review.judging import review_game as review_game
    from sapper.review.values import GameReview as GameReview, MoveReview as MoveReview, MoveVerdict as MoveVerdict
    from sapper.session.library import load_game as load_game, new_game as new_game, save_game as save_game
    from sapper.session.session import Session as Session
    from sapper.simulate.results import RunSummary as RunSummary, SimulatedGame as SimulatedGame
    from sapper.simulate.runner import run_games as run_games
    from sapper.solver.advisor import Advisor as Advisor
    from sapper.solver.analysis import Analysis as Analysis, analyse as analyse
    from sapper.solver.deduce.explain import next_safe as next_safe, next_step as next_step
    from sapper.solver.deduce.step import Step as Step, Technique as Technique
    from sapper.solver.hint import Hint as Hint, hint as hint
    from sapper.solver.strategies.base import Choice as Choice, Strategy as Strategy
    from sapper.solver.whole_game import ExactValue as ExactValue
    from sapper.solver.win import Candidate as Candidate, WinChance as WinChance, win_chance as win_chance

__version__ = "0.1.0"

_NAMES = {
    "core.board": "Board",
    "core.cells": "Cell CellSet",
    "core.coordinates": "cell_name read_cell",
    "core.grid": "PLANE TORUS Grid Topology",
    "core.move": "Action Move",
    "core.notation": "read_board write_board",
    "core.preset": "PRESETS Preset find_preset",
    "core.record": "Record TimedMove",
    "core.record_binary": "pack_record unpack_record",
    "core.rng": "Rng",
    "core.rules": "RULES Rules Start Win find_rules",
    "core.status": "Status",
    "core.tile": "Tile",
    "core.update": "Update",
    "dataset.exact_value": "exact_value",
    "errors": "AccessError ArgumentError CellError ContradictionError IllegalMoveError InvalidValueError LayoutError LayoutNotFoundError NoSuchLayoutError NotationError RecordError SapperError StrategyError StrategyLoadError TooHardError UnknownNameError",
    "game.game": "Game",
    "game.layout": "Layout",
    "game.referee": "Referee",
    "game.source": "FixedLayout LayoutSource",
    "generator.board_file": "read_board_list write_game",
    "generator.game_code": "CodedGame game_of_code",
    "generator.generate": "generate_layout",
    "generator.layout_spec": "LayoutSpec Method Range",
    "generator.new_game": "new_referee",
    "generator.no_guess.certificate": "Certificate certificate_data read_certificate",
    "generator.no_guess.verify": "explain_certificate verify_certificate",
    "generator.search_values": "Budget GeneratedLayout",
    "generator.uniform": "UniformSource place_mines",
    "metrics.interval": "wilson",
    "metrics.layout": "LayoutMetrics measure",
    "render.svg": "Overlay ShownStep svg",
    "review.judging": "review_game",
    "review.values": "GameReview MoveReview MoveVerdict",
    "session.library": "load_game new_game save_game",
    "session.session": "Session",
    "simulate.results": "RunSummary SimulatedGame",
    "simulate.runner": "run_games",
    "solver.advisor": "Advisor",
    "solver.analysis": "Analysis analyse",
    "solver.deduce.explain": "next_safe next_step",
    "solver.deduce.step": "Step Technique",
    "solver.hint": "Hint hint",
    "solver.strategies.base": "Choice Strategy",
    "solver.whole_game": "ExactValue",
    "solver.win": "Candidate WinChance win_chance",
}
"""The public names by their module, which is imported when a name of it is first asked for.

A test compares the table with the imports above, which only type checkers read. No name is that of a package: `sapper.render`
stays importable. A new name goes into both.
"""

_HOMES = {name: f"sapper.{module}" for module, names in _NAMES.items() for name in names.split()}

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
