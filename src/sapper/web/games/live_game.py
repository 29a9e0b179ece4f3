"""One player's game in time, and whoever watches it: what is asked for is done, and all are told what changed.

What takes thought (hints, chances, a layout that needs no guess) is worked out by others, and told when it is there. Nothing here
waits.

Knows: the session and its referee, subscribers, numbers of updates.
Does not know: sockets, processes, where games are kept.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, Final

from msgspec import UNSET

from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.grid import Grid
from sapper.core.move import Action, Move
from sapper.core.status import Status
from sapper.errors import IllegalMoveError, RequestError, SapperError
from sapper.game.layout import Layout
from sapper.game.referee import Referee
from sapper.generator.game_code import fresh_board
from sapper.metrics.game import GameMetrics, measure_played
from sapper.play.game_parts import most_inputs
from sapper.play.player_totals import PlayerTotals
from sapper.play.ports import Job, JobDone
from sapper.play.prepared_source import PreparedSource
from sapper.session.events import Event, Finished, What
from sapper.session.kinds import kind_of, title_of
from sapper.session.session import Session
from sapper.session.storing import state_of
from sapper.web.games.analysis_tasks import AnalysisTasks, PendingReply, error_message
from sapper.web.games.bodies import GameSummary
from sapper.web.games.game_over import end_message, layout_of
from sapper.web.games.messages import (
    CellRun,
    ChancesMessage,
    ChordRequest,
    EndMessage,
    FlagRequest,
    GoOnRequest,
    HintMessage,
    HintRequest,
    LeftRequest,
    MayGuessRequest,
    OverlayRequest,
    PageRequest,
    PauseRequest,
    PingRequest,
    PlayerRequest,
    PongMessage,
    QuestionRequest,
    RedoRequest,
    RestartRequest,
    RevealRequest,
    ReviewMessage,
    RightRequest,
    RulesData,
    SavingMessage,
    ServerMessage,
    StateMessage,
    StateRequest,
    TerminateRequest,
    UndoRequest,
    UnflagRequest,
    UnquestionRequest,
    UpdateMessage,
    cell_of,
    place,
    rows_data,
    runs_data,
)
from sapper.web.games.play_policy import PlayPolicy
from sapper.web.games.services import GameOwner, GameServices, Subscriber, Timer
from sapper.web.games.summaries import entry_of


def _move(action: Action) -> Callable[[Session, Cell], object]:
    return lambda session, cell: session.play(Move(action, cell))


_INPUTS: Final[dict[type[PlayerRequest], Callable[[Session, Cell], object]]] = {
    LeftRequest: Session.left_click,
    RightRequest: Session.right_click,
    RevealRequest: _move(Action.REVEAL),
    FlagRequest: _move(Action.FLAG),
    UnflagRequest: _move(Action.UNFLAG),
    QuestionRequest: _move(Action.QUESTION),
    UnquestionRequest: _move(Action.UNQUESTION),
    ChordRequest: _move(Action.CHORD),
    TerminateRequest: lambda session, _: session.terminate(),
    UndoRequest: lambda session, _: session.undo(),
    RedoRequest: lambda session, _: session.redo(),
    RestartRequest: lambda session, _: session.restart(),
    PauseRequest: lambda session, _: session.pause(),
    GoOnRequest: lambda session, _: session.go_on(),
}
"""What is done to the session where that is all there is to a request."""

MOST_REPLAYED: Final = 1_000
"""The moves of a game that has ended long ago that are played again, to judge the last of them."""
MOST_COPIED: Final = 2_000_000
"""And the cells of all boards that this leads through."""

_MOVES: Final = (What.MOVED, What.REDONE, What.UNDONE, What.RESTARTED)


class LiveGame:
    """A game, its player's sockets, and its place in time."""

    def __init__(
        self,
        *,
        name: str,
        player: str,
        source: PreparedSource,
        session: Session,
        referee: Referee,
        services: GameServices,
        policy: PlayPolicy,
        totals: PlayerTotals,
        address: str = "",
    ) -> None:
        """`session` and `referee` are of a game from `source`, new or loaded."""
        game = source.game
        self.owner = GameOwner(id=name, player=player, kind=kind_of(game), title=title_of(game))
        self.id = name
        self.player = player
        self.kind = self.owner.kind
        self.title = self.owner.title
        self.address = address
        """The network address that its player came from last: work is done in turns, by address first."""
        self.grid: Grid = game.grid
        self.session = session
        self.referee = referee
        self.most_inputs = most_inputs(self.grid)
        """Fewer where memory is short, and this player's address has most of it."""
        self.subscribers: list[Subscriber] = []
        self.played = 0
        """When something was done last, in milliseconds since 1970; the services say when that is."""
        self.is_gone = False
        """Whether it was forgotten: nothing more is done."""
        self.is_leaving = False
        """Whether it is about to leave memory, and was saved for that."""
        self.source = source
        self.number = session.input_count
        """Of the last update."""
        self._services = services
        self._policy = policy
        self._totals = totals
        self._events: list[Event] = []
        self._is_counted = session.has_begun
        self._is_assisted = session.assistance.is_assisted
        """Whether the store knows that help was had."""
        self._end: EndMessage | None = None
        self._review: ReviewMessage | None = None
        self._analyses = AnalysisTasks(
            session, referee, advisor=policy.advisor, start=self._start, publish=self._publish, number=lambda: self.number
        )  # fmt: skip
        session.watch(self._events.append)
        self._hidden: set[Subscriber] = set()
        """Those whose page is hidden."""
        self._absence: Timer | None = None
        """Runs while nobody has the game in view."""
        if session.status.ended:
            self._take_up_end()
        self._attend()

    def set_up(self, moves: Sequence[Move]) -> None:
        """Make some moves of a new game before anyone sees it, as a position to be played on needs."""
        for move in moves:
            self.session.play(move)
        self._publish()

    # --- watching -----------------------------------------------------------------------------------------

    def join(self, subscriber: Subscriber) -> None:
        """Tell a subscriber what happens from now on."""
        self.subscribers.append(subscriber)
        self._attend()

    def leave(self, subscriber: Subscriber) -> None:
        """Tell it no longer."""
        if subscriber in self.subscribers:
            self.subscribers.remove(subscriber)
            self._hidden.discard(subscriber)
            self._attend()

    def _attend(self) -> None:
        """Let the time until an automatic pause begin, or stop it: it runs while the clock does and nobody has the game in view."""
        is_unseen = self._policy.auto_pause and self.session.is_running and self._hidden.issuperset(self.subscribers)
        if is_unseen and self._absence is None:
            self._absence = self._services.call_later(self._policy.unseen_seconds, self._pause_unseen)
        elif not is_unseen and self._absence is not None:
            self._absence.cancel()
            self._absence = None

    def _pause_unseen(self) -> None:
        self._absence = None
        if not self.is_gone:
            self.session.pause(automatic=True)
            self._publish()

    @property
    def is_busy(self) -> bool:
        """Whether something is being worked out that the game waits for."""
        return self._analyses.is_busy

    async def hint(self) -> HintMessage:
        """A hint, as on the socket. `RequestError` if there is none to be had now."""
        reply = PendingReply(HintMessage)
        self.do(HintRequest(), reply)
        message = await reply.future
        assert isinstance(message, HintMessage)
        return message

    async def chances(self) -> ChancesMessage:
        """The chances of all covered cells, once; the game is marked. `RequestError` as above."""
        self._check_room(None)
        reply = PendingReply(ChancesMessage)
        self._analyses.tell_chances(reply)
        message = await reply.future
        assert isinstance(message, ChancesMessage)
        return message

    def tell_saving(self, *, saved: bool) -> None:
        """Tell all subscribers whether what they were told last is kept."""
        self._send(SavingMessage(saved=saved))

    def tell_state(self, subscriber: Subscriber, number: int | None = None) -> None:
        """Tell one subscriber everything about the game now; chances, if they are shown, follow when they are found."""
        subscriber.send(self.state().answering(number))
        self._analyses.follow_chances()

    def listed(self) -> GameSummary:
        """What a list says of the game."""
        return entry_of(self.id, self.title, self.kind, state_of(self.session, self.referee.board), saved=self.played)

    def state(self) -> StateMessage:
        """Everything about the game now, but for chances."""
        game = self.source.game
        return StateMessage(
            game=self.id,
            title=self.title,
            preset=self.kind.preset,
            rules=RulesData.of(game.rules),
            no_guess=self.kind.no_guess,
            width=self.grid.width,
            height=self.grid.height,
            mine_count=game.mine_count,
            first=None if game.first is None else place(self.grid, game.first),
            board=rows_data(self.session.board),
            end=UNSET if self._end is None else self._end,
            review=UNSET if self._review is None else self._review,
            **self._now(),
        )

    def _now(self) -> dict[str, Any]:
        """The fields of `GameNow`."""
        session, board = self.session, self.referee.board
        return {
            "number": self.number,
            "status": board.status,
            "time": session.elapsed,
            "running": session.is_running,
            "paused": session.is_paused,
            "flags": board.flag_count,
            "can_undo": session.can_undo,
            "can_redo": session.can_redo,
            "assistance": session.assistance,
            "overlay": session.shows_chances,
        }

    def _send(self, message: ServerMessage, asker: Subscriber | None = None, number: int | None = None) -> None:
        """Tell all subscribers, and who asked if it is none of them; that one with its id."""
        is_told = asker is None
        for subscriber in tuple(self.subscribers):
            if subscriber is asker:
                is_told = True
                subscriber.send(message.answering(number))
            else:
                subscriber.send(message)
        if asker is not None and not is_told:
            asker.send(message.answering(number))

    # --- doing ----------------------------------------------------------------------------------------------

    def do(self, request: PlayerRequest, subscriber: Subscriber) -> None:
        """Do what is asked, or say why not; all subscribers are told what changed. This never raises and never waits."""
        try:
            self._do(request, subscriber)
        except (RequestError, IllegalMoveError) as error:
            subscriber.send(error_message(error, request.id))

    def _do(self, request: PlayerRequest, subscriber: Subscriber) -> None:
        if isinstance(request, PingRequest):
            subscriber.send(PongMessage().answering(request.id))
            return
        if isinstance(request, PageRequest):
            (self._hidden.add if request.hidden else self._hidden.discard)(subscriber)
            self._attend()
            return
        self._check_room(request)
        match request:
            case StateRequest():
                self.tell_state(subscriber, request.id)
            case HintRequest():
                self._analyses.hint(request, subscriber)
            case MayGuessRequest():
                self._analyses.may_guess(request, subscriber)
            case OverlayRequest():
                self.session.show_chances(request.on)
                self._tell(subscriber, request.id)
                self._analyses.follow_chances()
            case _ if self._needs_layout(request):
                self._search(request, subscriber)
            case _:
                self._play(request, subscriber)

    def _check_room(self, request: PlayerRequest | None) -> None:
        """`RequestError` where there is no such game any more, or no room for one more input."""
        if self.is_gone:
            raise RequestError("failed", "this game has been forgotten")
        if self.session.input_count >= self.most_inputs and not isinstance(request, StateRequest | TerminateRequest):
            raise RequestError("too-long", "this game has more inputs than there is room for: it can only be given up")

    def _play(self, request: PlayerRequest, subscriber: Subscriber) -> None:
        """Do to the session what is asked; `IllegalMoveError` if that cannot be done."""
        before = self.referee.board
        _INPUTS[type(request)](self.session, cell_of(request, self.grid))
        self._tell(subscriber, request.id, before)

    def _start(self, function: Callable[..., Any], args: tuple[Any, ...], done: JobDone) -> None:
        """Have something worked out for this game's player."""
        self._services.start(Job(function, args, self.player, self.address), done)

    def _needs_layout(self, request: PlayerRequest) -> bool:
        """Whether a layout has to be found before this first reveal."""
        if not isinstance(request, LeftRequest | RevealRequest) or self.referee.layout is not None:
            return False
        cell = cell_of(request, self.grid)
        return self.source.lacks(cell) and not self.session.is_paused and self.session.is_legal(Move.reveal(cell))

    def _search(self, request: PlayerRequest, subscriber: Subscriber) -> None:
        """Start looking for the layout of a first reveal, which follows. `RequestError` if that cannot be."""
        source, cell = self.source, cell_of(request, self.grid)
        spec = source.game.spec
        assert spec is not None
        try:
            spec = replace(spec, first=source.first_of(cell))
        except SapperError as error:
            raise RequestError("failed", str(error)) from None

        def found(mines: Any, error: RequestError | None) -> None:
            try:
                if error is not None:
                    raise error
                if self.referee.layout is None:
                    source.prepare(cell, Layout(self.grid, mines))
                self._play(request, subscriber)
            except (RequestError, IllegalMoveError) as fault:
                self._send(error_message(fault), subscriber, request.id)

        self._analyses.find_layout(spec, source.seed, found)
        self._send_update("working", [])

    def _publish(
        self, message: ServerMessage | None = None, asker: Subscriber | None = None, number: int | None = None, /
    ) -> None:
        """See `analysis_tasks.Publish`."""
        if self._events:
            self._tell(asker, None)
        if message is not None:
            self._send(message, asker, number)

    def _tell(self, asker: Subscriber | None, number: int | None, before: Board | None = None) -> None:
        """Tell what the session did: `what` each event was, and what it changed. `before` is the board before it."""
        events = [event for event in self._events if event.what is not What.FINISHED]
        ends = [event.finished for event in self._events if event.finished is not None]
        self._events.clear()
        if events and events[-1].what is What.RESTARTED:
            # What led there, giving up a running game, is of no interest any more.
            events = events[-1:]
        ended = bool(events) and events[-1].what in _MOVES and self.referee.status.ended
        numbers = self._numbers(ends, before, ended=ended)
        if events and not self.is_gone:
            # In this order: the saved game stands on the disk where the record of its start or end says that it does.
            self._services.changed(self.id)
            self._count(ends, numbers, is_new=events[-1].what is What.RESTARTED)
            if events[-1].what in _MOVES:
                self._end = self._review = None
        runs: list[CellRun] = []
        for at, event in enumerate(events, 1):
            runs = runs_data(event.update)
            self._send_update(event.what.value, runs, asker, number if at == len(events) else None)
        if not events:
            self._send_update(What.MOVED.value, runs, asker, number)
        if ended:
            self._tell_end(numbers)
            self._judge(before, events[-1])
        elif runs:
            self._analyses.follow_chances()
        self._attend()

    def _numbers(self, ends: list[Finished], before: Board | None, *, ended: bool) -> GameMetrics | None:
        """The numbers of a game that has ended, now or by a restart; None without one, or where no layout was drawn."""
        layout = self.referee.layout
        if layout is not None and ended:
            return measure_played(layout, self.session.board.tiles, self.session.played)
        if layout is not None and ends and before is not None:
            # Given up by a restart: the board is covered again.
            return measure_played(layout, before.tiles, ends[-1].record.played)
        return None

    def _send_update(
        self, what: str, runs: list[CellRun], asker: Subscriber | None = None, number: int | None = None
    ) -> None:
        """Tell all subscribers of an update."""
        self.number += 1
        self._send(UpdateMessage(what=what, runs=runs, **self._now()), asker, number)

    def _count(self, ends: list[Finished], numbers: GameMetrics | None, *, is_new: bool) -> None:
        """Have games recorded that have begun or ended."""
        for finished in ends:
            if not self._is_counted:
                if not any(not one.update.is_empty for one in finished.record.played):
                    continue  # given up untouched: it counts nowhere
                self._totals.start()
                self._is_counted = True
            self._totals.end(self.kind, finished)
            self._services.finished(self.owner, finished, numbers)
        if is_new:
            self._is_counted = False
        if not self._is_counted and self.referee.status is Status.PLAYING:
            self._is_counted = True
            self._totals.start()
            self._is_assisted = self.session.assistance.is_assisted
            self._services.started(self.owner, self.session.assistance)
        elif (
            self._is_counted
            and not self.referee.status.ended
            and self.session.assistance.is_assisted
            and not self._is_assisted
        ):
            self._is_assisted = True
            self._services.helped(self.owner, self.session.assistance)

    # --- the end --------------------------------------------------------------------------------------------

    def _tell_end(self, numbers: GameMetrics | None) -> None:
        session, totals = self.session, self._totals
        assistance = session.assistance
        is_record = self.referee.status is Status.WON and assistance.is_timed and not assistance.is_assisted
        self._end = end_message(
            session,
            self.source,
            numbers,
            played=totals.played,
            won=totals.won,
            best=is_record and totals.is_best(self.kind, session.elapsed),
        )
        self._send(self._end)

    def _take_up_end(self) -> None:
        """A game that was loaded has ended already. It may have been before that could be recorded."""
        session = self.session
        layout = layout_of(session)
        numbers = None if layout is None else measure_played(layout, session.board.tiles, session.played)
        finished = Finished(record=session.record(), assistance=session.assistance, milliseconds=session.elapsed)
        self._services.finished_before(self.owner, finished, numbers)
        self._tell_end(numbers)
        played = session.played
        if len(played) <= MOST_REPLAYED and len(played) * self.grid.size <= MOST_COPIED:
            (before,) = deque(islice(finished.record.boards(fresh_board(finished.record)), len(played)), maxlen=1)
            last = played[-1]
            self._judge(before, Event(what=What.MOVED, at=last.at, update=last.update, move=last.move))

    def _judge(self, before: Board | None, last: Event) -> None:
        """Have the last move judged, for as long as this end is the game's."""
        if before is None or last.move is None:
            return
        end = self._end

        def tell(review: ReviewMessage) -> None:
            self._review = review
            self._send(review)

        self._analyses.judge(before, last.move, last.update, is_wanted=lambda: self._end is end, tell=tell)
