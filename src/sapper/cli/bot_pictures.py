"""Pictures of the bot's games: of the end, or of every move."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sapper.cli.pictures import Pictures
from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.grid import Grid
from sapper.game.game import Game
from sapper.kata.bot import Turn

if TYPE_CHECKING:
    from sapper.session.session import Session

_MOVE = "{move}"


def check_names(pictures: Pictures, grid: Grid, games: int) -> None:
    """Whether these pictures can be of so many games; the error if not."""
    pictures.check(grid, needed=("game",) if games > 1 else ())


def drawn(pictures: Pictures, game: "Game | Session", number: int, turns: Iterator[Turn]) -> Iterator[Turn]:
    """The turns of game `number` (from 0), drawn as they are taken.

    A file with `{move}` in its name is one for each move, the board before the first being 000; another is of
    the end. At the end the mines are shown.
    """
    if not pictures.files:
        yield from turns
        return
    each = [name for name in pictures.files if _MOVE in name]
    of_moves = pictures.only(each)
    _draw(of_moves, game, number, 0, game.board, None)
    turn: Turn | None = None
    for turn in turns:
        _draw(of_moves, game, number, turn.number, turn.board, turn.choice.move.cell)
        yield turn
    if turn is not None:
        rest = pictures.only([name for name in pictures.files if name not in each])
        _draw(rest, game, number, turn.number, turn.board, turn.choice.move.cell)


def _draw(pictures: Pictures, game: "Game | Session", number: int, move: int, board: Board, last: Cell | None) -> None:
    if pictures.files:
        shown = board.show(game.layout.mines) if board.status.ended else board
        pictures.draw(shown, numbers={"game": number + 1, "move": move}, last_move=last)
