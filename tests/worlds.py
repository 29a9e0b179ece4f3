"""Two worlds: what a player can look at, as rows of a table, and other layouts that could be behind it.

To show that a new face does not peek, add a row to `VIEWS` or `CHOOSERS`: a function of what the face is
given, which must return the same for two layouts that differ only where nobody has looked.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.move import Move
from sapper.core.notation import write_board
from sapper.core.record import Record, TimedMove
from sapper.core.rng import Rng
from sapper.core.update import Update
from sapper.game.game import Game
from sapper.game.layout import Layout
from sapper.render import kata
from sapper.render.screen import Screen
from sapper.render.svg import svg
from sapper.solver.analysis import analyse_what_can_be
from sapper.solver.strategies.base import StrategyFactory
from sapper.solver.strategies.registry import STRATEGIES
from tests.playing import outcome


def _told(game: Game) -> list[str]:
    """What a player is told about every cell without making a move."""
    asks: list[Callable[[], object]] = [lambda: game.layout]
    for cell in range(game.grid.size):
        asks += [partial(game.check, make(cell)) for make in (Move.reveal, Move.flag, Move.unflag, Move.chord)]
        asks.append(partial(game.board.clue, cell))
    return [repr(outcome(ask)) for ask in asks]


def _recorded(game: Game, update: Update) -> str:
    played = (TimedMove(0, Move.terminate(), update),)
    return Record(rules=game.rules, grid=game.grid, mine_count=game.mine_count, played=played).to_json()


def _chooser(factory: StrategyFactory) -> Callable[[Board], object]:
    return lambda board: factory(Rng(5)).choose(board)


VIEWS: dict[str, Callable[[Game, Update], Any]] = {
    "board": lambda game, update: game.board,
    "update": lambda game, update: update,
    "status": lambda game, update: (game.status, game.mine_count, game.rules, game.grid),
    "text": lambda game, update: write_board(game.board),
    "legal moves": lambda game, update: list(game.board.legal_moves),
    "repr": lambda game, update: (repr(game.board), repr(update)),
    "errors": lambda game, update: _told(game),
    "record": _recorded,
    "text view": lambda game, update: str(game.board),
    "kata views": lambda game, update: (kata.bordered(game.board), kata.bare(game.board)),
    "screen": lambda game, update: Screen(game.board).draw(Cell(0)),
    "picture": lambda game, update: svg(game.board),
}
"""Everything that is shown of a running game, by name."""

CHOOSERS: dict[str, Callable[[Board], Any]] = {
    "analysis": analyse_what_can_be,
    **{f"strategy {name}": _chooser(factory) for name, factory in STRATEGIES.items()},
}
"""Everything that is worked out from a board, by name."""


def other_worlds(board: Board, truth: Layout, rng: Rng) -> Iterator[Layout]:
    """Layouts other than the true one that agree with the board: some mines moved among the covered cells."""
    covered = list(board.covered)
    for attempt in range(60):
        rng.shuffle(covered)
        gone = [cell for cell in covered if truth.is_mine(cell)][: 1 + attempt % 3]
        come = [cell for cell in covered if not truth.is_mine(cell)][: len(gone)]
        moved = Layout(truth.grid, truth.mines - CellSet.of(gone) | CellSet.of(come))
        if moved != truth and moved.mine_count == truth.mine_count and moved.agrees_with(board):
            yield moved
