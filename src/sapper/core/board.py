"""The board: everything a player may know, and nothing else; what a click means on it."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from sapper.core.cells import Cell, CellSet
from sapper.core.coordinates import cell_name
from sapper.core.display import shown
from sapper.core.grid import Grid
from sapper.core.move import Action, Move
from sapper.core.preset import check_mines
from sapper.core.rules import Promise, Rules, Start, Win
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.core.update import Update
from sapper.core.words import counted
from sapper.errors import AccessError, CellError, IllegalMoveError, InvalidValueError, MoveFault

_EXPERT = (30, 16)


def first_cell(grid: Grid, start: Start) -> Cell:
    """Start `open`: (3, 3) on Expert and larger, (2, 2) on smaller ones, as near as the grid allows; else (0, 0)."""
    if start is not Start.OPEN:
        return Cell(0)
    step = 3 if grid.width >= _EXPERT[0] and grid.height >= _EXPERT[1] else 2
    return grid.cell(min(step, grid.width - 1), min(step, grid.height - 1))


_COVERED = int(Tile.COVERED)
_FLAGGED = int(Tile.FLAGGED)
_WRONG_FLAG = int(Tile.WRONG_FLAG)
_QUESTION = int(Tile.QUESTION)

# One byte a cell, 1 where the tile is of the kind: for counting and for sets.
_IS_REVEALED = bytes(1 if code <= 8 or code == Tile.EXPLODED else 0 for code in range(256))
_IS_FLAGGED = bytes(1 if code in (Tile.FLAGGED, Tile.WRONG_FLAG) else 0 for code in range(256))
_IS_MARKED = bytes(1 if code == Tile.QUESTION else 0 for code in range(256))
_IS_COVERED = bytes(1 if code in (_COVERED, _FLAGGED, _QUESTION) else 0 for code in range(256))
_ALL_CODES = bytes(range(len(Tile)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """The visible state of a game. Immutable and hashable; `apply` gives the next one.

    `tiles` has one byte a cell, a `Tile` each, in index order.
    """

    grid: Grid
    rules: Rules
    mine_count: int
    """How many mines there are, flagged or not."""
    tiles: bytes = field(repr=False)
    status: Status = Status.READY
    safe_first: CellSet | None = field(default=None, repr=False, compare=False)
    """Cells that are safe to reveal first whatever the start rule says; None: as the rules say.

    A code that names its first cell keeps that one safe, a board without guesses the first one wherever it is, and
    after an undo or a restart the mines lie where they lay: then only the cell that they were laid for is safe. It
    counts as long as nothing is revealed, and is None afterwards. It does not count when boards are compared, as what is
    seen is the same: what depends on it (`protected`) must not be remembered by the board alone.
    """
    promise: Promise | None = field(default=None, repr=False, compare=False)
    """A promise about the game that the tiles do not show, if there is one. Like `safe_first` it is ignored when boards are compared."""

    def __str__(self) -> str:
        """The board as text: a line a row, in the symbols of board text (see `read_board`)."""
        from sapper.core.notation import write_board  # noqa: PLC0415  # notation is about boards

        return write_board(self, header=False).removesuffix("\n")

    def __repr__(self) -> str:
        return f"<Board {self.summary}>"

    @property
    def summary(self) -> str:
        """The board in one line of words (size and mines, rules, status) with how much is revealed and flagged."""
        grid, flags = self.grid, self.flag_count
        shape = "" if grid.is_plane else f" {grid.topology.name}"
        revealed = self.revealed_count - self.tiles.count(Tile.EXPLODED)
        told = f"{revealed} of {counted(grid.size - self.mine_count, 'safe cell')} revealed"
        flagged = f", {counted(flags, 'flag')}" if flags else ""
        name = f"{grid.width}x{grid.height}/{self.mine_count}{shape}"
        return f"{name}, rules {self.rules.name}, {self.status.value}: {told}{flagged}"

    def _repr_svg_(self) -> str | None:
        """The picture that a notebook shows."""
        return shown("svg", self)

    def _repr_html_(self) -> str | None:
        """The same within a page."""
        return shown("html", self, self.summary)

    def __post_init__(self) -> None:
        check_mines(self.grid, self.mine_count)
        if len(self.tiles) != self.grid.size:
            raise InvalidValueError(f"a board of {self.grid.size} cells has as many tiles, not {len(self.tiles)}")
        strange = self.tiles.translate(None, _ALL_CODES)
        if strange:
            raise InvalidValueError(f"{strange[0]} is not a tile; tiles are 0 to {len(Tile) - 1}")

    @classmethod
    def new(cls, grid: Grid, rules: Rules, mine_count: int) -> "Board":
        """The board before the first move: all cells covered."""
        return cls(grid=grid, rules=rules, mine_count=mine_count, tiles=bytes([Tile.COVERED]) * grid.size)

    # --- what is seen -------------------------------------------------------------------------

    def tile(self, cell: int) -> Tile:
        """The tile of a cell; `CellError` off the grid."""
        return Tile(self.tiles[self.grid.check(cell)])

    def clue(self, cell: int) -> int:
        """The clue of a revealed safe cell, 0-8; `AccessError` for any other."""
        code = self.tiles[self.grid.check(cell)]
        if code > Tile.EIGHT:
            raise AccessError(
                f"the clue at {cell_name(self.grid, cell)} is not known: the cell is {Tile(code).name.lower()}"
            )
        return code

    @property
    def revealed(self) -> CellSet:
        """The revealed cells, the exploded one included."""
        return CellSet.where(self.tiles.translate(_IS_REVEALED))

    @property
    def covered(self) -> CellSet:
        """The cells that are neither revealed nor shown, flagged ones included."""
        return CellSet.where(self.tiles.translate(_IS_COVERED))

    @property
    def flagged(self) -> CellSet:
        """The flagged cells."""
        return CellSet.where(self.tiles.translate(_IS_FLAGGED))

    @property
    def questioned(self) -> CellSet:
        """The covered cells with a question mark."""
        return CellSet.where(self.tiles.translate(_IS_MARKED))

    @property
    def revealed_count(self) -> int:
        """How many cells are revealed."""
        return self.tiles.translate(_IS_REVEALED).count(1)

    @property
    def covered_count(self) -> int:
        """How many cells are neither revealed nor shown, flagged ones included."""
        return self.tiles.translate(_IS_COVERED).count(1)

    @property
    def flag_count(self) -> int:
        """How many cells are flagged."""
        return self.tiles.count(_FLAGGED) + self.tiles.count(_WRONG_FLAG)

    @property
    def is_won(self) -> bool:
        """True if the game has been won."""
        return self.status is Status.WON

    # --- the first reveal -------------------------------------------------------------------------

    @property
    def protected(self) -> CellSet:
        """The covered cells that the next reveal meets no mine at, because it is the first; none once it is made.

        Whether they have mines now is another matter: where the start rule keeps every cell safe, the mines are laid at
        the first reveal. With nothing but mines no rule can be kept.
        """
        kept = self.safe_first
        if kept is None and self.rules.start is Start.ANY:
            return CellSet()
        if self.status.ended or self.mine_count == self.grid.size or self.revealed_count:
            return CellSet()
        return CellSet((1 << self.grid.size) - 1) if kept is None else kept

    def is_protected(self, cell: int) -> bool:
        """True if a reveal of this cell would be the first and is kept from meeting a mine; `CellError` off the grid."""
        return self.grid.check(cell) in self.protected

    @property
    def first_cell(self) -> Cell | None:
        """The cell to reveal first where nobody has named one; None once a cell is revealed, or the game has ended.

        That is the usual one of the start rule (`core.first_cell`), or the nearest to it that is protected, if any is,
        and has no flag, if any has none.
        """
        if self.status.ended or self.revealed_count:
            return None
        usual = first_cell(self.grid, self.rules.start)
        protected = self.protected
        among = protected or self.covered
        if usual in among and self.tiles[usual] != _FLAGGED:
            return usual
        x, y = self.grid.xy(usual)

        def distance(cell: Cell) -> tuple[int, int, Cell]:
            column, row = self.grid.xy(cell)
            return max(abs(column - x), abs(row - y)), abs(column - x) + abs(row - y), cell

        return min(among - self.flagged or among, key=distance, default=None)

    # --- moves ----------------------------------------------------------------------------------

    def check(self, move: Move) -> None:
        """Raise the error that says why the move is not legal here; return if it is."""
        error = find_fault(self.grid, self.rules, self.status, self.tiles, move)
        if error is not None:
            raise error

    def is_legal(self, move: Move) -> bool:
        """True if the move may be played here; `CellError` for a cell off the grid."""
        return find_fault(self.grid, self.rules, self.status, self.tiles, move) is None

    @property
    def legal_moves(self) -> "LegalMoves":
        """All moves that may be played here, lazily: iterate, count with `len`, test with `in`."""
        return LegalMoves(self)

    # --- change -----------------------------------------------------------------------------------

    def apply(self, update: Update) -> "Board":
        """The board after an update; `InvalidValueError` if it does not fit."""
        if not update.runs:
            return self if update.status is self.status else replace(self, status=update.status)
        start, last = update.runs[-1]
        if start + len(last) > self.grid.size:
            raise InvalidValueError(
                f"the update changes cell {start + len(last) - 1}; cells are 0 to {self.grid.size - 1}"
            )
        pieces: list[bytes] = []
        end = 0
        for start, tiles in update.runs:
            pieces += (self.tiles[end:start], tiles)
            end = start + len(tiles)
        pieces.append(self.tiles[end:])
        after = replace(self, tiles=b"".join(pieces), status=update.status)
        if after.safe_first is None or not after.revealed_count:
            return after
        # A game that was begun elsewhere than promised may need guesses.
        is_kept = after.promise is Promise.KABOOM or bool(after.safe_first & after.revealed)
        return replace(after, safe_first=None, promise=after.promise if is_kept else None)

    def show(self, mines: CellSet) -> "Board":
        """The board with the mines shown, for a game that has ended: what was not flagged, and wrong flags.

        A mine under a flag stays a flag, the exploded one stays exploded. Showing is not revealing.
        """
        tiles = bytearray(self.tiles)
        for cell in mines:
            if tiles[cell] in (_COVERED, _QUESTION):
                tiles[cell] = Tile.MINE
        for cell in self.flagged - mines:
            tiles[cell] = Tile.WRONG_FLAG
        return replace(self, tiles=bytes(tiles))


class LegalMoves:
    """The legal moves of a board, lazily; each question is answered without listing them all."""

    __slots__ = ("_board",)

    def __init__(self, board: Board) -> None:
        self._board = board

    def __contains__(self, move: object) -> bool:
        try:
            return isinstance(move, Move) and self._board.is_legal(move)
        except CellError:
            return False

    def __iter__(self) -> Iterator[Move]:
        board = self._board
        if board.status.ended:
            return
        for cell in range(board.grid.size):
            for action in Action:
                move = Move(action, Cell(cell))
                if action is not Action.TERMINATE and board.is_legal(move):
                    yield move
        yield Move.terminate()

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return not self._board.status.ended  # a running game can always be given up

    def of(self, action: Action) -> Iterator[Move]:
        """The legal moves of one kind, by cell."""
        board = self._board
        cells = range(1) if action is Action.TERMINATE else range(board.grid.size)
        moves = (Move(action, Cell(cell)) for cell in cells)
        return (move for move in moves if board.is_legal(move))


def all_safe_revealed(rules: Rules, size: int, mine_count: int, revealed: int) -> bool:
    """True if so many revealed safe cells, of `size` cells with `mines` mines, win by these rules."""
    return rules.win is not Win.FLAGGED and revealed == size - mine_count


def find_fault(
    grid: Grid, rules: Rules, status: Status, tiles: bytes | bytearray, move: Move
) -> IllegalMoveError | None:
    """Why a move is not legal, or None. The one place where legality is decided; `CellError` off the grid."""
    action, cell = move
    code = tiles[grid.check(cell)]
    if status.ended:
        return IllegalMoveError(f"the game is over: it was {status.words}", MoveFault.GAME_OVER)
    if action is Action.TERMINATE:
        return None
    if action is Action.CHORD:
        return _chord_fault(grid, rules, tiles, cell)
    if code not in (_COVERED, _FLAGGED, _QUESTION):
        return IllegalMoveError(f"{cell_name(grid, cell)} is revealed already", MoveFault.REVEALED)
    if action is Action.REVEAL:
        if code == _FLAGGED and not rules.click_reveals_flagged:
            return IllegalMoveError(
                f"{cell_name(grid, cell)} is flagged: remove the flag to reveal it", MoveFault.FLAGGED
            )
    elif action is Action.FLAG:
        if code == _FLAGGED:
            return IllegalMoveError(f"{cell_name(grid, cell)} is flagged already", MoveFault.FLAGGED)
    elif action is Action.UNFLAG:
        if code != _FLAGGED:
            return IllegalMoveError(f"{cell_name(grid, cell)} has no flag to remove", MoveFault.NOT_FLAGGED)
    elif not rules.question_marks:
        return IllegalMoveError(f"rules {rules.name!r} have no question marks", MoveFault.FORBIDDEN)
    elif action is Action.QUESTION and code == _QUESTION:
        return IllegalMoveError(f"{cell_name(grid, cell)} has a question mark already", MoveFault.FLAGGED)
    elif action is Action.UNQUESTION and code != _QUESTION:
        return IllegalMoveError(f"{cell_name(grid, cell)} has no question mark to remove", MoveFault.NOT_FLAGGED)
    return None


def _chord_fault(grid: Grid, rules: Rules, tiles: bytes | bytearray, cell: int) -> IllegalMoveError | None:
    if not rules.chording:
        return IllegalMoveError(f"rules {rules.name!r} have no chording", MoveFault.FORBIDDEN)
    if tiles[cell] > Tile.EIGHT:
        return IllegalMoveError(
            f"{cell_name(grid, cell)} is not revealed: only a clue can be chorded", MoveFault.COVERED
        )
    near = [tiles[other] for other in grid.neighbours(cell)]
    flags = near.count(_FLAGGED)
    if flags != tiles[cell]:
        wanted = counted(tiles[cell], "flag")
        return IllegalMoveError(
            f"a chord on {cell_name(grid, cell)} needs {wanted} beside it, and has {flags}", MoveFault.CHORD
        )
    if _COVERED not in near and _QUESTION not in near:
        return IllegalMoveError(f"a chord on {cell_name(grid, cell)} would reveal nothing", MoveFault.CHORD)
    return None


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
