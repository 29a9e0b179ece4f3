"""A session: one game in time. Every face plays through one, and saving is playing (`session.saving`).

The clock starts with the first reveal; where marks can win, with the first change, or a game won by marks would
have taken no time. It stops at the end, and while the game is paused. Time is never given back: not by undo, nor when
a loss is undone. Undo takes back what was seen, not the truth: a layout once generated stays the layout of its session.

Like `Game`, a session shows its player what a player may know. Who made it holds the `Referee`, and what
leads to the mines (saving, the server's debug mode) must be handed that referee as a proof.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar, Final, NamedTuple

from sapper import _kernels
from sapper.core.board import Board, left_click, right_click
from sapper.core.cells import Cell, CellSet
from sapper.core.move import Action, Move
from sapper.core.record import Record, TimedMove
from sapper.core.rules import Win
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.core.update import Update
from sapper.errors import AccessError, IllegalMoveError, MoveFault
from sapper.game.game import Game
from sapper.game.referee import Referee, RefereeSnapshot
from sapper.session.clock import Clock, Stopwatch, system_clock
from sapper.session.events import Assistance, Event, Finished, Observer, What
from sapper.session.inputs import ACTIONS, Input, Verb
from sapper.session.save_state import SaveState, code_of_layout, record_of


class _Step(NamedTuple):
    """How to take a move back: which of the played it was, the tiles it changed as they were, the status."""

    number: int
    runs: tuple[tuple[Cell, bytes], ...]
    status: Status


class Undone(NamedTuple):
    """A move that was taken back, and how the game stood before it."""

    played: TimedMove
    tiles: bytes
    status: Status


class History:
    """The moves since some tiles, and how to take them back.

    Only what a move changed is kept, not whole boards, so that a long game on a large board stays small.
    """

    __slots__ = ("_back", "_forth", "_keeps_back", "_tiles", "played")

    def __init__(self, tiles: bytes, *, keeps_back: bool = True) -> None:
        """`keeps_back`: whether moves can be taken back; it costs room and time with each of them."""
        self._keeps_back = keeps_back
        self._tiles = bytearray(tiles)
        self._back: list[_Step] = []
        self._forth: list[Move] = []
        self.played: list[TimedMove] = []
        """The moves that stand, and clicks that changed nothing."""

    @property
    def can_undo(self) -> bool:
        return bool(self._back)

    @property
    def can_redo(self) -> bool:
        return bool(self._forth)

    def add(self, played: TimedMove, before: Status, *, redone: bool = False) -> None:
        """A move was made, where the game stood so before it."""
        self.played.append(played)
        if not self._keeps_back:
            return
        update = played.update
        if not redone and not update.is_empty:
            self._forth.clear()
        if not update.is_empty:
            tiles = self._tiles
            old = tuple([(start, bytes(tiles[start : start + len(new)])) for start, new in update.runs])
            self._back.append(_Step(len(self.played) - 1, old, before))
            for start, new in update.runs:
                tiles[start : start + len(new)] = new

    def undo(self) -> Undone:
        """Take the last move back that changed something; `IllegalMoveError` if there is none."""
        if not self._back:
            raise IllegalMoveError("no move to undo", MoveFault.UNDO)
        number, runs, status = self._back.pop()
        played = self.played.pop(number)
        for start, old in runs:
            self._tiles[start : start + len(old)] = old
        self._forth.append(played.move)
        # Clicks after it that changed nothing told the status that it led to.
        rest = self.played[number:]
        self.played[number:] = [one._replace(update=Update.nothing(status)) for one in rest]
        return Undone(played, bytes(self._tiles), status)

    def redo(self) -> Move:
        """The move that was undone last, which is to be played again; `IllegalMoveError` if there is none."""
        if not self._forth:
            raise IllegalMoveError("no move to redo", MoveFault.UNDO)
        return self._forth.pop()


_NO_CELLS: Final = CellSet()


class Session(Game):
    """A game from its start to its end, and over again.

    `clock` gives milliseconds; `observer` is called with each event once. `code` and `seed` name the game
    (`generator.game_code`); they come to light with the end. `seen` says whether its player may know them, `practice`
    whether it is played on from a position: both are marked. Without `undoable` no move can be taken back, and each costs less. The referee must be new, and belongs to the session from here on.
    """

    __slots__ = (
        "__referee", "__weakref__", "_assistance", "_code", "_drawn_first", "_finished", "_has_begun", "_history",
        "_inputs", "_observer", "_overlay", "_paused", "_seed", "_shows_chances", "_stands", "_undoable",
        "_was_running", "_watch",
    )  # fmt: skip

    def __init__(
        self,
        referee: Referee,
        *,
        clock: Clock = system_clock,
        code: str | None = None,
        seed: int | None = None,
        seen: bool = False,
        practice: bool = False,
        undoable: bool = True,
        observer: Observer | None = None,
    ) -> None:
        self._hold(referee)
        self.__referee = referee
        self._code = code
        self._seed = seed
        self._observer = observer
        self._drawn_first = referee.layout is not None
        self._watch = Stopwatch(clock)
        self._inputs: list[Input] = []
        self._shows_chances = False
        self._stands = False
        self._undoable = undoable
        self._begin(Assistance(seen=seen, practice=practice))

    def _begin(self, assistance: Assistance) -> None:
        self._assistance = assistance
        self._history = History(self.__referee.board.tiles, keeps_back=self._undoable)
        self._overlay = CellSet()
        self._paused = self._was_running = self._finished = self._has_begun = False

    # --- what the player sees -------------------------------------------------------------------------

    @property
    def board(self) -> Board:
        """All that is known of the game now; all covered while it is paused."""
        board = self.__referee.board
        if not self._paused:
            return board
        return replace(board, tiles=bytes([Tile.COVERED]) * board.grid.size, safe_first=CellSet())

    @property
    def code(self) -> str | None:
        """The code that gives this layout again, whatever is revealed first; None unless the game has ended with a layout generated."""
        referee = self.__referee
        return code_of_layout(referee, self._code) if referee.status.ended and referee.layout is not None else None

    @property
    def elapsed(self) -> int:
        """Milliseconds on the game's clock."""
        return self._watch.elapsed

    @property
    def is_running(self) -> bool:
        """True if the clock runs, or would run if the game were shown (`stand_at`)."""
        return self._watch.is_running or self._stands

    @property
    def is_paused(self) -> bool:
        """True if the game is paused."""
        return self._paused

    @property
    def has_begun(self) -> bool:
        """True once a cell has changed, even if that was undone: such a game counts as started. A restart is another game."""
        return self._has_begun

    @property
    def assistance(self) -> Assistance:
        """What help this game has had."""
        return self._assistance

    @property
    def overlay(self) -> CellSet:
        """The cells that the last hint is about, until the board changes; none while the game is paused."""
        return CellSet() if self._paused else self._overlay

    @property
    def shows_chances(self) -> bool:
        """True if chances are shown over the board."""
        return self._shows_chances

    @property
    def input_count(self) -> int:
        """How many inputs there were: what a saved game grows with. Restarts do not set it back."""
        return len(self._inputs)

    @property
    def played(self) -> tuple[TimedMove, ...]:
        """The moves that stand, and the clicks that changed nothing, with their times; none while it is paused."""
        return () if self._paused else tuple(self._history.played)

    @property
    def can_undo(self) -> bool:
        """True if there is a move to take back: one that changed something, unless the game was won or given up."""
        return self._history.can_undo and not self._paused and self.status not in (Status.WON, Status.TERMINATED)

    @property
    def can_redo(self) -> bool:
        """True if a move was taken back, and none made since."""
        return self._history.can_redo and not self._paused and not self.status.ended

    def record(self, referee: Referee | None = None) -> Record:
        """The game so far: the moves that stand. Mines, seed and code are in it when the game has ended.

        `IllegalMoveError` while it is paused, since the board is hidden; not for the holder of its `referee`.
        """
        if referee is not None:
            self._prove(referee)
        elif self._paused:
            raise IllegalMoveError("the game is paused: its board is hidden", MoveFault.PAUSED)
        return record_of(self.__referee, self._history.played, code=self._code, seed=self._seed)

    def check(self, move: Move) -> None:
        """Raise the `IllegalMoveError` that says why the move is not legal now."""
        if self._paused:
            raise IllegalMoveError("the game is paused: go on first", MoveFault.PAUSED)
        self.__referee.check(move)

    def is_legal(self, move: Move) -> bool:
        """True if the move may be played now."""
        return not self._paused and self.__referee.board.is_legal(move)

    # --- what the player does ----------------------------------------------------------------------------

    def play(self, move: Move) -> Update:
        """Play a move and return what it changed; `IllegalMoveError` if it is not legal."""
        return self._do(Input.of(self.elapsed, move))

    def do(self, verb: Verb, cell: int = 0) -> Update:
        """Carry out a verb, as its method does. A hint is about no cells then."""
        if verb is Verb.TERMINATE and self._paused:
            self.go_on()
        return self._do(Input(self.elapsed, verb, Cell(cell)))

    def left_click(self, cell: int) -> Update:
        """Reveal, chord, or nothing: such a click is counted too, unless the game is paused or has ended."""
        return self._do(Input(self.elapsed, Verb.LEFT, Cell(cell)))

    def right_click(self, cell: int) -> Update:
        """Flag, question mark, unflag, or nothing, which is counted likewise."""
        return self._do(Input(self.elapsed, Verb.RIGHT, Cell(cell)))

    def terminate(self) -> Update:
        """Give the game up; paused or not."""
        return self.do(Verb.TERMINATE)

    def undo(self) -> Update:
        """Take the last move that changed something back, and count that; `IllegalMoveError` if there is none.

        A loss can be undone: the game goes on, but the loss was its end, and `FINISHED` comes only once.
        """
        return self._do(Input(self.elapsed, Verb.UNDO))

    def redo(self) -> Update:
        """Play the move again that was undone last; `IllegalMoveError` if there is none, or another was made since."""
        return self._do(Input(self.elapsed, Verb.REDO))

    def restart(self) -> Update:
        """The same board from the start, which is marked. A game that is running is given up, and counts as that."""
        return self._do(Input(self.elapsed, Verb.RESTART))

    def pause(self) -> Update:
        """Stop the clock and hide the board; nothing if it is paused or has ended."""
        return self._do(Input(self.elapsed, Verb.PAUSE))

    def go_on(self) -> Update:
        """Show the board and go on; nothing if it is not paused."""
        return self._do(Input(self.elapsed, Verb.GO_ON))

    def hint(self, cells: CellSet) -> None:
        """Count a hint about these cells, and show which in `overlay`. What it says is for whoever gives it."""
        self._do(Input(self.elapsed, Verb.HINT, cells=cells))

    def show_chances(self, on: bool) -> None:
        """Have chances shown from now on, which marks the game unless it has ended, or have them shown no longer."""
        self._do(Input(self.elapsed, Verb.OVERLAY if on else Verb.NO_OVERLAY))

    def aid(self) -> None:
        """Mark the game, unless it has ended: the player's screen counts flags, or sets several with one click."""
        self._do(Input(self.elapsed, Verb.AID))

    # --- for the holder of the referee ---------------------------------------------------------------------

    def truth(self, referee: Referee) -> SaveState:
        """All there is to save; `AccessError` without the session's own referee."""
        record = replace(self.record(referee), code=self._code, seed=self._seed)
        return SaveState(
            layout=referee.layout, drawn_first=self._drawn_first, inputs=tuple(self._inputs), record=record
        )

    def inputs_since(self, referee: Referee, count: int) -> list[Input]:
        """The inputs but for the first so many; `AccessError` as above."""
        self._prove(referee)
        return self._inputs[count:]

    def replay(self, referee: Referee, one: Input) -> Update:
        """Carry out an input at the time that it says: how a saved game is played again. `AccessError` as above."""
        self._prove(referee)
        return self._do(one)

    def stand_at(self, referee: Referee, elapsed: int, *, running: bool) -> None:
        """Set the clock to what a saved game had on it. `AccessError` as above.

        Not `running`, a clock that ran stands until this is called again, or until something is done in the game: nobody has it
        before them. It is saved as a game whose clock runs, which is what its inputs lead to.
        """
        self._prove(referee)
        self._stands = self.is_running and not running
        self._watch.set(elapsed)
        if running:
            self._watch.start()

    def watch(self, observer: Observer | None) -> None:
        """Tell events to this observer from now on."""
        self._observer = observer

    def _prove(self, referee: Referee) -> None:
        if referee is not self.__referee:
            raise AccessError("only the holder of a session's referee may read its layout")

    def _do(self, one: Input) -> Update:
        """Carry out an input: the one way in, for players and for saved games."""
        if self._stands:
            self._stands = False
            self._watch.start()
        action = ACTIONS.get(one.verb)
        if action is not None:
            return self._play(one, Move(action, one.cell))
        return self._DOERS[one.verb](self, one)

    def _play(self, one: Input, move: Move, what: What = What.MOVED) -> Update:
        if self._paused:
            self.check(move)
        before = self.__referee.status
        update = self.__referee.play(move)
        self._inputs.append(one)
        self._history.add(TimedMove(one.at, move, update), before, redone=what is What.REDONE)
        self._overlay = _NO_CELLS
        status = update.status
        if status is not Status.READY:
            self._has_begun = True
        if status.ended:
            self._watch.set(one.at)
        elif move.action in (Action.REVEAL, Action.CHORD) or self.rules.win is not Win.REVEALED:
            self._watch.start()
        self._tell(what, one.at, update, move)
        if status.ended:
            self._tell_end(one.at)
        return update

    def _do_click(self, one: Input) -> Update:
        """A click: its move, or none; then it is counted as the move that it would have been elsewhere."""
        board, cell = self.__referee.board, one.cell
        if self._paused or board.status.ended:
            self.grid.check(cell)
            return Update.nothing(board.status)
        move = left_click(board, cell) if one.verb is Verb.LEFT else right_click(board, cell)
        if move is not None:
            return self._play(one, move)
        usual = Move.flag(cell)
        if one.verb is Verb.LEFT:
            usual = Move.chord(cell) if board.tile(cell).is_clue else Move.reveal(cell)
        self._inputs.append(one)
        self._history.add(TimedMove(one.at, usual, Update.nothing(board.status)), board.status)
        return self._tell(What.MOVED, one.at, Update.nothing(board.status), usual)

    def _undo_one(self, one: Input) -> Update:
        if not self.can_undo:
            raise IllegalMoveError("no move to undo", MoveFault.UNDO)
        self._inputs.append(one)
        played, tiles, status = self._history.undo()
        update = self.__referee.restore(RefereeSnapshot(tiles, status, self.__referee.layout))
        assistance = self._assistance
        self._assistance = replace(
            assistance, undone=assistance.undone + 1, overlay=assistance.overlay or self._shows_chances
        )
        self._overlay = CellSet()
        if played.update.status.ended:
            self._watch.start()
        return self._tell(What.UNDONE, one.at, update, played.move)

    def _redo_one(self, one: Input) -> Update:
        if not self.can_redo:
            raise IllegalMoveError("no move to redo", MoveFault.UNDO)
        return self._play(one, self._history.redo(), What.REDONE)

    def _restart(self, one: Input) -> Update:
        if self._paused:
            self.go_on()
        if self._has_begun and not self.status.ended:  # one whose moves were all taken back has begun too
            self._play(Input.of(one.at, Move.terminate()), Move.terminate())
        self._inputs.append(one)
        snapshot = RefereeSnapshot(bytes([Tile.COVERED]) * self.grid.size, Status.READY, self.__referee.layout)
        update = self.__referee.restore(snapshot)
        self._watch.set(0)
        before = self._assistance
        self._begin(
            Assistance(
                restarts=before.restarts + 1, overlay=self._shows_chances, seen=before.seen, practice=before.practice
            )
        )
        return self._tell(What.RESTARTED, 0, update)

    def _pause(self, one: Input) -> Update:
        if self._paused or self.status.ended:
            return Update.nothing(self.status)
        self._was_running = self._watch.is_running
        self._watch.stop()
        mark = "auto_pauses" if one.verb is Verb.AUTO_PAUSE else "pauses"
        self._assistance = replace(self._assistance, **{mark: getattr(self._assistance, mark) + self._was_running})
        return self._turn(What.PAUSED, one)

    def _go_on(self, one: Input) -> Update:
        if not self._paused:
            return Update.nothing(self.status)
        if self._was_running:
            self._watch.start()
        return self._turn(What.WENT_ON, one)

    def _turn(self, what: What, one: Input) -> Update:
        """Hide the board, or show it; what a screen has to change for it."""
        self._inputs.append(one)
        before = self.board.tiles
        self._paused = not self._paused
        after = self.board.tiles
        runs = _kernels.changed_runs(before, after)
        update = Update(tuple((Cell(start), after[start:end]) for start, end in runs), self.status)
        return self._tell(what, one.at, update)

    def _hint(self, one: Input) -> Update:
        self.check(Move.terminate())  # a game that is running, and not paused
        self._overlay = one.cells
        return self._help(What.HINTED, one, replace(self._assistance, hints=self._assistance.hints + 1))

    def _show(self, one: Input) -> Update:
        if self.status.ended:
            return Update.nothing(self.status)
        return self._help(What.SHOWN, one, replace(self._assistance, shown=True))

    def _switch(self, one: Input) -> Update:
        self._shows_chances = one.verb is Verb.OVERLAY
        overlay = self._assistance.overlay or (self._shows_chances and not self.status.ended)
        return self._help(What.OVERLAY, one, replace(self._assistance, overlay=overlay))

    def _aid(self, one: Input) -> Update:
        if self.status.ended or self._assistance.aided:
            return Update.nothing(self.status)
        return self._help(What.AIDED, one, replace(self._assistance, aided=True))

    def _help(self, what: What, one: Input, assistance: Assistance) -> Update:
        self._inputs.append(one)
        self._assistance = assistance
        return self._tell(what, one.at, Update.nothing(self.status))

    def _tell(self, what: What, at: int, update: Update, move: Move | None = None) -> Update:
        if self._observer is not None:
            self._observer(Event(what=what, at=at, update=update, move=move))
        return update

    def _tell_end(self, at: int) -> None:
        if self._finished:
            return
        self._finished = True
        if self._observer is not None:
            finished = Finished(record=self.record(), assistance=self._assistance, milliseconds=at)
            self._observer(Event(what=What.FINISHED, at=at, update=Update.nothing(self.status), finished=finished))

    _DOERS: ClassVar[dict[Verb, Callable[[Any, Input], Update]]] = {
        Verb.LEFT: _do_click,
        Verb.RIGHT: _do_click,
        Verb.UNDO: _undo_one,
        Verb.REDO: _redo_one,
        Verb.RESTART: _restart,
        Verb.PAUSE: _pause,
        Verb.AUTO_PAUSE: _pause,
        Verb.GO_ON: _go_on,
        Verb.HINT: _hint,
        Verb.SHOW: _show,
        Verb.OVERLAY: _switch,
        Verb.NO_OVERLAY: _switch,
        Verb.AID: _aid,
    }
    """How the verbs that are no moves are carried out."""
