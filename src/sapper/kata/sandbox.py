"""The kata's game on a given layout, getting to a board that is shown, and all layouts that agree with one."""

from collections.abc import Iterable, Iterator
from itertools import combinations

from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.grid import Grid
from sapper.core.move import Action, Move
from sapper.core.rules import RULES
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.errors import TooHardError
from sapper.game.layout import Layout
from sapper.game.referee import Referee
from sapper.game.source import FixedLayout
from sapper.kata.messages import EXAMPLES, Catalogue, StepMessage, answer
from sapper.render import kata as view

RULES_OF_KATA = RULES["kata"]


class Sandbox:
    """One game of the kata. It can be forked, to see what a move would lead to."""

    __slots__ = ("_referee", "catalogue", "layout")

    def __init__(self, layout: Layout, catalogue: Catalogue = EXAMPLES) -> None:
        self.layout = layout
        self.catalogue = catalogue
        self._referee = Referee(rules=RULES_OF_KATA, source=FixedLayout(layout))

    @property
    def grid(self) -> Grid:
        return self.layout.grid

    @property
    def board(self) -> Board:
        return self._referee.board

    @property
    def has_won(self) -> bool:
        return self._referee.status is Status.WON

    @property
    def possible_steps(self) -> list[Cell]:
        return [move.cell for move in self.board.legal_moves.of(Action.REVEAL)]

    def play(self, move: Move) -> StepMessage:
        """Carry out a move; `IllegalMoveError` if it is not legal."""
        self._referee.play(move)
        return answer(self.board, move, self.catalogue)

    def fork(self) -> "Sandbox":
        """The same game at the same moment, apart from this one."""
        other = Sandbox(self.layout, self.catalogue)
        other._referee.restore(self._referee.snapshot())
        return other

    def set_up(self, tiles: bytes) -> bool:
        """Play from the new game until the board shows these tiles; False if no play leads there."""
        for move in _moves_to(self.layout, tiles):
            if self.board.tiles[move.cell] != tiles[move.cell]:
                if self._referee.status.ended:
                    return False
                self._referee.play(move)
        return self.board.tiles == tiles

    def __repr__(self) -> str:
        return f"Sandbox({view.bombs(self.grid, self.layout.clues)!r})"


def move_to(tiles: bytes, wanted: bytes, cell: int) -> Move | None:
    """The one move that could make a square show what is wanted there; None if it does already, or none can."""
    now, then = tiles[cell], wanted[cell]
    if now == then or now not in (Tile.COVERED, Tile.FLAGGED):
        return None
    if then == Tile.COVERED:
        return Move.unflag(cell)
    return Move.flag(cell) if then == Tile.FLAGGED else Move.reveal(cell)


def _moves_to(layout: Layout, tiles: bytes) -> Iterator[Move]:
    """All that is to be done for a board, in an order that works if any does.

    A cascade clears marks, but never those on bombs; a win or a loss ends the game. So: marks on bombs,
    zeros with their cascades, marks on safe squares (which keep the game from being won), the rest, the bomb.
    """
    marks = [cell for cell, tile in enumerate(tiles) if tile == Tile.FLAGGED]
    yield from (Move.flag(cell) for cell in marks if layout.is_mine(cell))
    yield from (Move.reveal(cell) for cell, tile in enumerate(tiles) if tile == Tile.ZERO)
    yield from (Move.flag(cell) for cell in marks if not layout.is_mine(cell))
    yield from (Move.reveal(cell) for cell, tile in enumerate(tiles) if Tile.ONE <= tile <= Tile.EIGHT)
    yield from (Move.reveal(cell) for cell, tile in enumerate(tiles) if tile == Tile.EXPLODED)


# All layouts that agree with a board that is shown: where the bombs may be when nobody says.
#
# Small boards, counted one by one: a scenario is to be run on every single layout. (How many there are on large
# boards, without listing them, is the solver's business.)
MOST_LAYOUTS = 100_000
"""Most layouts that are tried; beyond it the bombs must be given. On large boards it is less."""

_MOST_SQUARES = 10_000_000

_MOST_STEPS = 2_000_000


def agreeing_layouts(grid: Grid, tiles: bytes, counts: Iterable[int]) -> Iterator[Layout]:
    """Every layout with one of these numbers of bombs that agrees with what is shown. Flags are opinions.

    In a fixed order, lazily; `TooHardError` after `MOST_LAYOUTS` of them, or ten million squares.
    """
    most = min(MOST_LAYOUTS, _MOST_SQUARES // grid.size)
    exploded = [cell for cell, tile in enumerate(tiles) if tile == Tile.EXPLODED]
    clues = _around_clues(grid, tiles, exploded)
    beside = {cell for _, around in clues for cell in around}
    inner = [cell for cell in _hidden(tiles) if cell not in beside]
    found = 0
    for near in _placements(sorted(beside), clues):
        for count in sorted(set(counts)):
            rest = count - len(exploded) - len(near)
            if not 0 <= rest <= len(inner):
                continue
            for far in combinations(inner, rest):
                found += 1
                if found > most:
                    raise TooHardError(
                        f"more than {most:,} layouts agree with the board: say where the bombs are", cap=most
                    )
                yield Layout(grid, CellSet.of((*exploded, *near, *far)))


def _hidden(tiles: bytes) -> list[int]:
    return [cell for cell, tile in enumerate(tiles) if tile in (Tile.COVERED, Tile.FLAGGED)]


def _around_clues(grid: Grid, tiles: bytes, exploded: list[int]) -> list[tuple[int, list[int]]]:
    """For each clue the bombs still to be placed beside it, and the hidden squares there."""
    hidden = set(_hidden(tiles))
    clues = ((tile, grid.neighbours(cell)) for cell, tile in enumerate(tiles) if tile <= Tile.EIGHT)
    return [
        (tile - sum(cell in exploded for cell in beside), [cell for cell in beside if cell in hidden])
        for tile, beside in clues
    ]


def _placements(near: list[int], clues: list[tuple[int, list[int]]]) -> Iterator[list[int]]:
    """The ways to put bombs on the squares beside the clues, by depth-first search: a loop, as boards are deeper than Python's stack."""
    bit_of = {cell: 1 << at for at, cell in enumerate(near)}
    beside: list[list[tuple[int, int]]] = [[] for _ in near]
    """For each square the clues there: bombs to be placed, and the squares around the clue as bits."""
    for missing, around in clues:
        if not 0 <= missing <= len(around):
            return
        for cell in around:
            beside[bit_of[cell].bit_length() - 1].append((missing, sum(bit_of[other] for other in around)))
    waiting = [(0, 0)]
    """How many squares are decided, and those of them with bombs as bits."""
    for _ in range(_MOST_STEPS):
        if not waiting:
            return
        decided, bombs = waiting.pop()
        if decided == len(near):
            yield [cell for cell in near if bombs & bit_of[cell]]
            continue
        waiting += [
            (decided + 1, chosen)
            for chosen in (bombs | 1 << decided, bombs)
            if all(
                0 <= missing - (chosen & around).bit_count() <= (around >> decided + 1).bit_count()
                for missing, around in beside[decided]
            )
        ]
    raise TooHardError("too many ways to place bombs around the clues: say where the bombs are", cap=_MOST_STEPS)
