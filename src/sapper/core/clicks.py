"""A player's hands: what a click means on this board.

A click never raises for a rule: where it means nothing, the answer is None.
"""

from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.move import Action, Move
from sapper.core.tile import Tile


def left_click(board: Board, cell: int) -> Move | None:
    """The move of a left click: reveal, chord, or nothing. `CellError` off the grid."""
    move = Move.chord(cell) if board.tile(cell).is_clue else Move.reveal(cell)
    return move if board.is_legal(move) else None


def right_click(board: Board, cell: int) -> Move | None:
    """The move of a right click: flag, then question mark where the rules have it, then none."""
    tile = board.tile(cell)
    if tile is Tile.FLAGGED:
        move = Move.question(cell) if board.rules.question_marks else Move.unflag(cell)
    elif tile is Tile.QUESTION:
        move = Move.unquestion(cell)
    else:
        move = Move.flag(cell)
    return move if board.is_legal(move) else None


def revealed_by(board: Board, move: Move) -> list[Cell]:
    """The cells that a reveal or a chord reveals itself, before any cascade."""
    if move.action is not Action.CHORD:
        return [move.cell]
    near = board.grid.neighbours(move.cell)
    return [cell for cell in near if board.tiles[cell] in (Tile.COVERED, Tile.QUESTION)]
