"""One game in time, sans I/O: requests in, events out, changes into a sink. Every face plays through it.

The rules, each once:

- A beginning counts once, from the first changed cell on. A game that ends with its first move counts as begun and ended.
- A restart gives up a running game, and is another game with its own key (`key_of`).
- An end is recorded once, and must be durable before it is told. A game that is given up untouched counts nowhere.
- After an undone loss the game goes on, and is not counted again.
- Help marks the game, and the store hears of it before the end: else a game whose process dies would count as unaided.
- A first reveal whose layout takes a search waits for it. Nothing is asked twice at once.
- Chances are told once, or after each change while they are shown.
- The last move is judged, as long as this end is the game's; of several ends the last one, one at a time.
- A game has a limited number of inputs; then it can only be given up.
- A game that is loaded ended is recorded again: the record of its end may be missing.
- Each input is put into the sink at once, before the record of what it began or ended.
- Where several processes may go on with a game, nothing is told before it is durable, and nothing after it was refused: then the game
  has gone on elsewhere, and this one gives way to it as the store has it.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from enum import Enum, unique
from functools import partial
from itertools import islice
from typing import Any, Final

from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.grid import Grid
from sapper.core.move import Move
from sapper.core.record import Record
from sapper.core.status import Status
from sapper.core.update import Update
from sapper.errors import IllegalMoveError, MoveFault, RequestError, SapperError
from sapper.game.layout import Layout
from sapper.generator.game_code import CodedGame, fresh_board
from sapper.metrics.game import GameMetrics, measure_played
from sapper.play import jobs
from sapper.play.events import (
    ChancesFound,
    Changed,
    GameEnded,
    GameEvent,
    Happened,
    HintFound,
    Judged,
    MayGuessFound,
    Refused,
    Working,
    went_on,
)
from sapper.play.game_log import GameLog
from sapper.play.game_parts import GameOptions, GameParts, most_inputs
from sapper.play.player_totals import PlayerTotals
from sapper.play.ports import GamePorts, Job, JobDone, LogChain, Receipt
from sapper.session.events import Assistance, Event, Finished, What
from sapper.session.inputs import Verb
from sapper.session.kinds import kind_of, title_of
from sapper.session.storing import begun_game, stored_game
from sapper.solver.advisor import Advisor
from sapper.store.changes import Change, SessionDrop, SessionGame
from sapper.store.models import GameKind, StoredGame

MOST_REPLAYED: Final = 1_000
"""The moves of a game that has ended long ago that are played again, to judge the last of them."""
MOST_COPIED: Final = 2_000_000
"""And the cells of all boards that this leads through."""


@unique
class Question(Enum):
    """What can be asked of a game besides the verbs of its session."""

    MAY_GUESS = "may guess"
    """Whether nothing is certain to be safe: this marks the game as a hint does."""
    CHANCES = "chances"
    """The chances of all covered cells, once."""
    STATE = "state"
    """Nothing but the chances of the board, if they are shown: for who has just come."""


Ask = Verb | Question
"""Everything that a player can ask for."""


_ALWAYS: Final = frozenset({Verb.TERMINATE, Verb.AUTO_PAUSE, Question.STATE})
"""What a game with too many inputs still takes."""
_NOWHERE: Final = Cell(0)
_MOVES: Final = (What.MOVED, What.REDONE, What.UNDONE, What.RESTARTED)


class PlayedGame:
    """A game, its place in time, and what is worked out for it."""

    __slots__ = (
        "_before", "_chain", "_counted", "_events", "_helped", "_is_judging", "_log", "_next_judging", "_options",
        "_ports", "_put", "_receipt", "_stored", "_told", "_wants_chances", "_works", "address", "end", "game", "grid", "is_gone", "key", "kind",
        "most_inputs", "number", "on_happened", "played", "player", "referee", "session", "source", "totals", "verdict",
    )  # fmt: skip

    def __init__(
        self,
        parts: GameParts,
        *,
        key: str,
        player: str | None,
        ports: GamePorts,
        options: GameOptions,
        kind: GameKind | None = None,
        totals: PlayerTotals | None = None,
        address: str = "",
    ) -> None:
        """`parts` are of a game that is new or was loaded, and belong to this game from here on. `kind`: where it is not the game's own."""
        session = parts.session
        self.key = key
        self.player = player
        self.address = address  # that its player came from last: work is done in turns, by address first
        self.source = parts.source
        self.session = session
        self.referee = parts.referee
        self.game: CodedGame = parts.source.game
        self.grid: Grid = self.game.grid
        self.kind = kind or kind_of(self.game)
        self.totals = PlayerTotals() if totals is None else totals
        self.most_inputs = most_inputs(self.grid)  # fewer where memory is short
        self.number = session.input_count
        """Of the last `Changed` or `Working`."""
        self.played: datetime = ports.now()
        """When something was done last."""
        self.is_gone = False
        """True if it was forgotten: nothing more is done or kept."""
        self.end: GameEnded | None = None
        """How the game has ended."""
        self.verdict: jobs.LastMoveVerdict | None = None
        """And how its last move is judged."""
        self.on_happened: Callable[[Happened], None] = lambda _: None
        """Is called with what comes later than the answer of `do`."""
        self._ports = ports
        self._options = options
        self._events: list[Event] = []
        self._told: list[GameEvent] | None = None  # what happens now, while something is done
        self._before: Board | None = None  # the board before that
        self._counted = session.has_begun
        self._helped = session.assistance.helped
        """The help that the store knows of; all, where it need not hear of more: its record says how the game ended."""
        self._works: set[str] = set()  # what is being worked out that the game waits for
        self._wants_chances = False
        self._is_judging = False
        self._next_judging: Callable[[], None] | None = None
        self._receipt: Receipt | None = None
        self._put = self._stored = 0
        """The numbers of the last change that was put into the sink, and of the last that is durable."""
        self._chain = LogChain(key) if options.confirms else None
        self._log = self._new_log(parts.text) if options.keeps_log else None
        session.watch(self._events.append)
        if session.status.ended:
            self._take_up_end()

    def _new_log(self, text: str) -> GameLog:
        log = GameLog(
            key=self.key, player=self.player, title=self.title, kind=self.kind, needs_search=self.game.spec is not None,
            retention=self._options.retention,
        )  # fmt: skip
        log.adopt(self.session, self.referee, text)
        return log

    # --- what a face may know -----------------------------------------------------------------------------------

    def key_of(self, assistance: Assistance) -> str:
        """The key that a game is recorded by: each restart of a board is another game."""
        return f"{self.key}.{assistance.restarts}"

    @property
    def title(self) -> str:
        return title_of(self.game)

    @property
    def is_busy(self) -> bool:
        """True while something is worked out that the game waits for."""
        return bool(self._works)

    @property
    def is_kept(self) -> bool:
        """True if all that was put into the sink is durable."""
        return self._stored >= self._put

    @property
    def receipt(self) -> Receipt | None:
        """What must be durable before anything more is told; None if there is nothing."""
        if self._receipt is not None and self._receipt.is_durable:
            self._receipt = None
        return self._receipt

    @property
    def confirms(self) -> bool:
        """True if nothing is to be told before it is durable."""
        return self._chain is not None

    @property
    def is_refused(self) -> bool:
        """True if the game has gone on elsewhere, so that nothing more is done here."""
        return self._chain is not None and self._chain.is_broken

    def give_way(self) -> None:
        """The game has gone on elsewhere: of all that is not durable nothing will be kept or told."""
        if self._chain is not None:
            self._chain.give_way()

    # --- what a player does ----------------------------------------------------------------------------------------

    def do(self, ask: Ask, cell: Cell = _NOWHERE, asker: object = None, *, advisor: Advisor | None = None) -> Happened:
        """Do what is asked: what it led to now; what comes later goes to `on_happened`, with the same `asker`.

        `advisor`: whose guess a hint names, if it is another than usual. `RequestError` and `IllegalMoveError` say why it is not done;
        nothing has changed then.
        """
        self._check_room(ask)
        told = self._told = []
        self._before = self.referee.board
        try:
            self._do(ask, cell, asker, advisor)
        finally:
            self._told = self._before = None
        return Happened(told, self.receipt, asker)

    def set_up(self, moves: Sequence[Move]) -> None:
        """Make some moves of a new game before anyone sees it, as a position to be played on needs."""
        for move in moves:
            self.session.play(move)
        if moves:
            self._settle()

    def save(self) -> Receipt:
        """Have the game kept as it is now, with the time on its clock."""
        receipt = Receipt()
        if self._log is not None and not self.is_gone:
            self._keep(self._log.next(self.session, self.referee, self.played), receipt)
        else:
            receipt.settle()
        return receipt

    def save_whole(self) -> Receipt:
        """The same where the store lacks something that was put before."""
        if self._log is not None:
            self._log.forget()
        return self.save()

    def drop(self) -> None:
        """Forget the game: it is not kept any more, and nothing more is done."""
        self.is_gone = True
        if self._log is not None:
            self._log.forget()
            self._keep(SessionDrop(key=self.key))

    def _check_room(self, ask: Ask) -> None:
        """`RequestError` where there is no such game any more, or no room for one more input."""
        if self.is_gone:
            raise RequestError("failed", "this game has been forgotten")
        if self.is_refused:
            raise went_on()
        if self.session.input_count >= self.most_inputs and ask not in _ALWAYS:
            raise RequestError("too-long", "this game has more inputs than there is room for: it can only be given up")

    def _do(self, ask: Ask, cell: Cell, asker: object, advisor: Advisor | None) -> None:
        if ask in (Verb.PAUSE, Verb.AUTO_PAUSE) and self.kind.is_daily:
            raise IllegalMoveError("the clock of a day's board never stops", MoveFault.PAUSED)
        if ask is Verb.HINT:
            self._hint(asker, advisor or self._ports.advisor)
        elif isinstance(ask, Verb):
            if (ask is Verb.LEFT or ask is Verb.REVEAL) and self._needs_layout(cell):
                self._search(ask, cell, asker)
                return
            self.session.do(ask, cell)
            self._settle()
            if ask is Verb.OVERLAY:
                self._follow_chances()
        elif ask is Question.MAY_GUESS:
            self._may_guess(asker)
        elif ask is Question.CHANCES:
            self._chances_once(asker)
        else:
            self._follow_chances()

    # --- what the session did -----------------------------------------------------------------------------------

    def _settle(self) -> None:
        """Keep, count and tell what the session did."""
        events: list[Event] = []
        ends: list[Finished] = []
        for event in self._events:
            if event.finished is None:
                events.append(event)
            else:
                ends.append(event.finished)
        self._events.clear()
        if not events:
            event = Event(what=What.MOVED, at=self.session.elapsed, update=Update.nothing(self.session.status))
            self._tell_change(event)
            return
        last, is_over = events[-1], self.referee.status.ended
        if last.what is What.RESTARTED:
            # What led there, giving up a running game, is of no interest any more.
            events = [last]
        ended = is_over and last.what in _MOVES
        metrics = self._measured(ends, ended=ended) if ended or ends else None
        if not self.is_gone:
            self.played = self._ports.now()
            is_dropped = is_over and self._options.drops_ended
            if self._log is not None and not is_dropped:
                self._keep(self._log.next(self.session, self.referee, self.played, last))
            self._count(ends, metrics, is_new=last.what is What.RESTARTED)
            if self._log is not None and is_dropped:
                self._log.forget()
                self._keep(SessionDrop(key=self.key))
        if last.what in _MOVES:
            self.end = self.verdict = None
        for event in events:
            self._tell_change(event)
        if ended:
            self._tell_end(metrics)
            self._judge(self._before, last)
        elif not last.update.is_empty:
            self._follow_chances()

    def _tell_change(self, event: Event) -> None:
        self.number += 1
        self._tell(Changed(self.number, event.what, event.update))

    def _tell(self, event: GameEvent) -> None:
        if self._told is not None:
            self._told.append(event)

    def _measured(self, ends: list[Finished], *, ended: bool) -> GameMetrics | None:
        """The numbers of a game that has ended, now or by a restart; None without one, or where no layout was drawn."""
        layout = self.referee.layout if self._options.measures else None
        if layout is not None and ended:
            return measure_played(layout, self.session.board.tiles, self.session.played)
        if layout is not None and ends and self._before is not None:
            # Given up by a restart: the board is covered again.
            return measure_played(layout, self._before.tiles, ends[-1].record.played)
        return None

    def _count(self, ends: list[Finished], metrics: GameMetrics | None, *, is_new: bool) -> None:
        """Have games recorded that have begun, had help, or ended."""
        for finished in ends:
            if not self._counted:
                if not any(not one.update.is_empty for one in finished.record.played):
                    continue
                self.totals.start()
                self._counted = True
            self.totals.end(self.kind, finished)
            self._helped = (True, True)
            self._record_end(finished, metrics, counted=finished.record.status.value)
        if is_new:
            self._counted = False
        assistance, status = self.session.assistance, self.referee.status
        if not self._counted and status is Status.PLAYING:
            self._counted = True
            self.totals.start()
            self._record_begun(assistance, counted="begun")
        elif self._counted and not status.ended and assistance.helped > self._helped:
            self._record_begun(assistance, self.session.record(self.referee) if assistance.is_advised else None)

    def _record_begun(self, assistance: Assistance, record: Record | None = None, *, counted: str = "") -> None:
        self._helped = assistance.helped
        game = begun_game(
            assistance, key=self.key_of(assistance), kind=self.kind, started=self.played, face=self._options.face,
            player=self.player, record=record,
        )  # fmt: skip
        self._keep_told(game if self._chain is None else SessionGame(game=game, session=self.key), counted)

    def _record_end(self, finished: Finished, metrics: GameMetrics | None, *, counted: str = "") -> None:
        when, options, on_recorded = self._ports.now(), self._options, self._ports.on_recorded

        def make() -> StoredGame | SessionGame:
            game = stored_game(
                finished, key=self.key_of(finished.assistance), ended=when, face=options.face, player=self.player,
                name=self.player if options.names_player else None, metrics=metrics,
            ).replace(kind=self.kind)  # fmt: skip
            on_recorded(game)
            return game if self._chain is None else SessionGame(game=game, session=self.key)

        self._keep_told(make, counted)

    def _keep_told(self, change: Change | Callable[[], Change], counted: str) -> None:
        """Keep a change that nobody is to be told of before it is durable; then it is counted as that, if the name is not empty."""
        self._receipt = Receipt()
        self._keep(change, self._receipt, counted)

    def _keep(self, change: Change | Callable[[], Change], receipt: Receipt | None = None, counted: str = "") -> None:
        self._put += 1
        chain = self._chain
        if chain is not None:
            self._receipt = receipt = receipt or Receipt()
            if not chain.take(receipt):
                return
        self._ports.sink.put(
            change, partial(self._have_stored, self._put, receipt, counted), is_urgent=receipt is not None, chain=chain
        )

    def _have_stored(self, number: int, receipt: Receipt | None, counted: str) -> None:
        self._stored = max(self._stored, number)
        if counted:
            self._ports.counts[counted] += 1
        if receipt is not None:
            receipt.settle()
            if self._chain is not None:
                self._chain.settle(receipt)

    # --- the end -----------------------------------------------------------------------------------------------------

    def _tell_end(self, metrics: GameMetrics | None) -> None:
        session, totals, assistance = self.session, self.totals, self.session.assistance
        may_be_best = session.status is Status.WON and assistance.is_timed and not assistance.is_assisted
        is_best = may_be_best and totals.is_best(self.kind, session.elapsed)
        self.end = GameEnded(metrics, totals.played, totals.won, is_best)
        self._tell(self.end)

    def _take_up_end(self) -> None:
        """The game was loaded ended."""
        session, layout = self.session, self.referee.layout
        played = session.played
        metrics = None if layout is None else measure_played(layout, session.board.tiles, played)
        finished = Finished(record=session.record(), assistance=session.assistance, milliseconds=session.elapsed)
        self._record_end(finished, metrics)
        self._tell_end(metrics)
        if len(played) <= MOST_REPLAYED and len(played) * self.grid.size <= MOST_COPIED:
            (before,) = deque(islice(finished.record.boards(fresh_board(finished.record)), len(played)), maxlen=1)
            last = played[-1]
            self._judge(before, Event(what=What.MOVED, at=last.at, update=last.update, move=last.move))

    def _judge(self, before: Board | None, last: Event) -> None:
        """Have the last move judged, unless another is being judged: then after that, if this end still is the game's."""
        end = self.end
        if before is None or last.move is None:
            return

        def done(verdict: jobs.LastMoveVerdict | None, error: RequestError | None) -> None:
            self._is_judging = False
            if error is None and verdict is not None and self.end is end:
                self.verdict = verdict
                self._tell(Judged(verdict))
            elif self._next_judging is not None:
                self._next_judging()

        def start() -> None:
            self._next_judging = None
            if self.end is end:
                self._is_judging = True
                self._start(jobs.judge, (before, last.move, last.update), done)

        if self._is_judging:
            self._next_judging = start
        else:
            start()

    # --- what is worked out ----------------------------------------------------------------------------------------

    def _start(self, function: Callable[..., Any], args: tuple[Any, ...], done: JobDone, asker: object = None) -> None:
        def arrived(answer: Any, error: RequestError | None) -> None:
            if self.is_refused:
                if asker is not None:
                    self.on_happened(Happened([Refused(went_on())], None, asker))
                return
            if self._told is not None:  # done on the spot: it is part of the answer of `do`
                done(answer, error)
                return
            told = self._told = []
            try:
                done(answer, error)
            finally:
                self._told = self._before = None
            if told:
                self.on_happened(Happened(told, self.receipt, asker))

        self._ports.jobs.start(Job(function, args, self.player or "", self.address), arrived)

    def _begin(self, work: str, busy: str = "that is being worked on already") -> None:
        if work in self._works:
            raise RequestError("busy", busy)
        self._works.add(work)

    def _number_of(self, board: Board, number: int) -> int:
        """The number of the change that led to a board that had that number: the last one, if it is still the board."""
        return self.number if board.tiles == self.referee.board.tiles else number

    def _needs_layout(self, cell: Cell) -> bool:
        """True if a layout has to be found before this first reveal."""
        if self.referee.layout is not None or not self.source.lacks(cell) or self.session.is_paused:
            return False
        return self.session.is_legal(Move.reveal(cell))

    def _search(self, verb: Verb, cell: Cell, asker: object) -> None:
        """Start looking for the layout of a first reveal, which follows. `RequestError` if that cannot be."""
        source, spec = self.source, self.game.spec
        assert spec is not None
        try:
            spec = replace(spec, first=source.first_of(cell))
        except SapperError as error:
            raise RequestError("failed", str(error)) from None

        def done(mines: CellSet, error: RequestError | None) -> None:
            self._works.discard("layout")
            self._before = self.referee.board
            try:
                if error is not None:
                    raise error
                if self.referee.layout is None:
                    source.prepare(cell, Layout(self.grid, mines))
                self.session.do(verb, cell)
                self._settle()
            except (RequestError, IllegalMoveError) as fault:
                self._tell(Refused(fault, ends_working=True))

        self._begin("layout", "the board is being looked for already")
        self.number += 1
        self._tell(Working(self.number))
        self._start(jobs.generate, (spec, source.seed), done, asker)

    def _hint(self, asker: object, advisor: Advisor) -> None:
        self.session.check(Move.terminate())  # a game that runs, and is not paused
        self._begin("hint")
        board, number = self.referee.board, self.number

        def done(found: jobs.FoundHint, error: RequestError | None) -> None:
            self._works.discard("hint")
            try:
                if error is not None:
                    raise error
                self.session.hint(found.cells)
            except (RequestError, IllegalMoveError) as fault:
                self._tell(Refused(fault))
                return
            self._settle()
            self._tell(HintFound(self._number_of(board, number), found))

        self._start(jobs.hint, (board, advisor), done, asker)

    def _may_guess(self, asker: object) -> None:
        self.session.check(Move.terminate())
        self._begin("may guess")

        def done(answer: bool | None, error: RequestError | None) -> None:
            self._works.discard("may guess")
            try:
                if error is not None and error.code != "failed":
                    raise error
                self.session.hint(CellSet())
            except (RequestError, IllegalMoveError) as fault:
                self._tell(Refused(fault))
                return
            self._settle()
            self._tell(MayGuessFound(answer))

        self._start(jobs.may_guess, (self.referee.board,), done, asker)

    def _chances_once(self, asker: object) -> None:
        session = self.session
        session.check(Move.terminate())
        self._begin("chances once")
        board, number = self.referee.board, self.number

        def done(found: jobs.FoundChances | None, error: RequestError | None) -> None:
            self._works.discard("chances once")
            if error is not None and error.code != "failed":
                self._tell(Refused(error))
                return
            if not (session.assistance.overlay or session.shows_chances):
                session.show_chances(True)
                session.show_chances(False)
                self._settle()
            found = found or jobs.FoundChances(None)
            self._tell(ChancesFound(self._number_of(board, number), found, is_answer=True))

        self._start(jobs.chances, (board, self._ports.advisor), done, asker)

    def _follow_chances(self) -> None:
        """Have the chances of the board found, if they are shown; once for all changes that come meanwhile."""
        session = self.session
        if not session.shows_chances or session.is_paused or session.status.ended:
            return
        if "chances" in self._works:
            self._wants_chances = True
            return
        board, number = self.referee.board, self.number

        def done(found: jobs.FoundChances | None, _: RequestError | None) -> None:
            self._works.discard("chances")
            is_late, self._wants_chances = self._wants_chances, False
            if session.shows_chances and not session.is_paused and not session.status.ended:
                found = found or jobs.FoundChances(None)
                self._tell(ChancesFound(self._number_of(board, number), found, is_answer=False))
            if is_late:
                self._follow_chances()

        self._works.add("chances")
        self._start(jobs.chances, (board, self._ports.advisor), done)
