"""Positions that are looked into, and played on from: read, analysed, given mines. Done by worker processes."""

import math
from itertools import islice
from typing import Any, Final, NamedTuple

from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.move import Move
from sapper.core.notation import read_board
from sapper.core.rng import Rng
from sapper.core.rules import Promise, Rules, Start, find_rules
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.errors import ContradictionError, RequestError, SapperError
from sapper.game.layout import Layout
from sapper.game.referee import Referee
from sapper.game.source import FixedLayout
from sapper.generator.game_code import CodedGame, game_of_code
from sapper.generator.puzzle_id import is_puzzle_id, read_puzzle_id
from sapper.generator.sample import sample_layout
from sapper.generator.search_values import Budget
from sapper.play.jobs import CAP
from sapper.session.clock import system_clock
from sapper.solver.advisor import Advisor
from sapper.solver.analysis import Analysis, analyse_what_can_be
from sapper.solver.deduce.explain import iterate_steps
from sapper.solver.deduce.step import Step
from sapper.web.games import jobs
from sapper.web.games.messages import HintStep, places, rows_data, write_json
from sapper.web.games.played_bodies import ContradictionData, PositionAnswer
from sapper.web.games.reasons import step_data

MOST_STEPS: Final = 200
"""Reasons that are given for one position."""
STEPS_TIME: Final = 3_000
"""Milliseconds that reasons are looked for."""
FIND_TIME: Final = 3_000
"""Milliseconds that the layout of a code is looked for."""
MOST_DIGITS: Final = 60
MOST_REVEALS: Final = 3_000
"""Reveals and flags that may be needed to set a position up."""


class ReadPosition(NamedTuple):
    """A position and where it is from."""

    source: str
    board: Board


def position_json(text: str, mine_count: int | None, most_cells: int, advisor: Advisor | None = None) -> bytes:
    """The `PositionAnswer` of a text as JSON. `RequestError` (`bad-request`) for what is no position."""
    read = read_position(text, mine_count, most_cells)
    return write_json(_answer(read, advisor))


def read_position(text: str, mine_count: int | None, most_cells: int) -> ReadPosition:
    """The position that a text is. `RequestError` (`bad-request`) for what is none."""
    try:
        found = _read(text, mine_count)
    except SapperError as error:
        raise RequestError("bad-request", str(error)) from None
    if found.board.grid.size > most_cells:
        raise RequestError("bad-request", f"a board here has at most {most_cells} cells, not {found.board.grid.size}")
    return found


def _read(text: str, mine_count: int | None) -> ReadPosition:
    stripped = text.strip()
    if "\n" not in stripped and is_puzzle_id(stripped):
        game = read_puzzle_id(stripped)
        return ReadPosition("game id", _opened(find_rules("modern"), game.layout, game.first))
    if "\n" not in stripped and _is_code(stripped):
        return ReadPosition("code", _position_of_code(game_of_code(stripped)))
    return ReadPosition("board", read_board(text, mine_count=mine_count, source="board"))


def _is_code(text: str) -> bool:
    """Whether a line is a code and no row of a board: a code has a size in it."""
    head = text.partition("#")[0].partition(":")[0]
    return len(head) < len(text) and head[:1].isalpha() and "x" in text[len(head) :]


def _position_of_code(game: CodedGame) -> Board:
    """The board of a code after the first reveal that it names; all of it covered where it names none."""
    end = system_clock() + FIND_TIME
    layout = game.generate(budget=Budget(go_on=lambda: system_clock() < end)) if game.first is not None else None
    return game.board if layout is None else _opened(game.rules, layout, game.first, game.promise)


def _opened(rules: Rules, layout: Layout, first: Cell | None, promise: Promise | None = None) -> Board:
    source = FixedLayout(layout, first=first, promise=promise)
    referee = Referee(rules=rules.replace(start=Start.ANY), source=source)
    if first is not None:
        referee.play(Move.reveal(first))
    return referee.board


def _answer(read: ReadPosition, advisor: Advisor | None) -> PositionAnswer:
    source, board = read
    frame: dict[str, Any] = {
        "source": source, "width": board.grid.width, "height": board.grid.height, "mine_count": board.mine_count, "board": rows_data(board),
    }  # fmt: skip
    try:
        found = analyse_what_can_be(board, cap=CAP)
    except ContradictionError as error:
        why = ContradictionData(clues=places(board.grid, error.clues), mine_count=error.mine_count)
        return PositionAnswer(**frame, layouts="0", layouts_log10=None, contradiction=why, steps=[], analysis=None)
    whole = found if isinstance(found, Analysis) else None
    census = None if whole is None else whole.census
    return PositionAnswer(
        **frame,
        layouts=None if census is None or census >= 10**MOST_DIGITS else str(census),
        layouts_log10=None if census is None else math.log10(census),
        contradiction=None,
        steps=_steps(board, advisor),
        analysis=jobs.analysed(board, found, advisor),
    )


def _steps(board: Board, advisor: Advisor | None) -> list[HintStep]:
    """The reasons that are found in time."""
    end = system_clock() + STEPS_TIME
    found: list[Step] = []
    for step in islice(iterate_steps(board, cap=CAP, advisor=advisor), MOST_STEPS):
        found.append(step)
        if system_clock() >= end:
            break
    return [step_data(board.grid, step) for step in found]


# --- playing on ---------------------------------------------------------------------------------------


class PracticeSetup(NamedTuple):
    """A game to be played on from a position: its code, and how the position comes about."""

    code: str
    moves: tuple[Move, ...]


def practice_setup(text: str, mine_count: int | None, rules: str | None, most_cells: int, seed: int) -> PracticeSetup:
    """A game on mines that are generated for a position from all layouts that fit it, each as likely.

    They are not those of the game that the position is from, if it is from one: whoever looks at that learns nothing of this.
    `RequestError` (`bad-request`) for a position that fits no layout, or that has nothing left to be revealed.
    """
    board = read_position(text, mine_count, most_cells).board
    try:
        played_by = find_rules(rules or "modern").replace(start=Start.ANY)
        layout = sample_layout(board, Rng(seed), cap=CAP)
    except SapperError as error:
        raise RequestError("bad-request", str(error)) from None
    game = CodedGame(rules=played_by, grid=board.grid, mine_count=board.mine_count, layout=layout)
    moves = _moves_to(board, Referee(rules=played_by, source=FixedLayout(layout)))
    return PracticeSetup(game.code, moves)


def _moves_to(board: Board, referee: Referee) -> tuple[Move, ...]:
    """Moves that lead to a position: its flags, then what it shows. A cascade may show more than was painted."""
    moves: list[Move] = []
    marked = (Tile.FLAGGED, Tile.MINE, Tile.WRONG_FLAG)
    flags = CellSet.of(cell for cell, tile in enumerate(board.tiles) if tile in marked)
    clues = CellSet.of(cell for cell, tile in enumerate(board.tiles) if tile <= Tile.EIGHT)
    # Zeros first: each shows many.
    ordered = sorted(clues, key=lambda cell: board.tiles[cell] != Tile.ZERO)
    for move in [*map(Move.flag, flags), *map(Move.reveal, ordered)]:
        if referee.board.is_legal(move):
            referee.play(move)
            moves.append(move)
        if len(moves) > MOST_REVEALS:
            raise RequestError("bad-request", f"this position takes more than {MOST_REVEALS:,} moves to be set up")
        if referee.status.ended:
            raise RequestError("bad-request", "nothing is left to be revealed in this position")
    if referee.status is Status.LOST or not referee.board.covered:
        raise RequestError("bad-request", "nothing is left to be revealed in this position")
    return tuple(moves)
