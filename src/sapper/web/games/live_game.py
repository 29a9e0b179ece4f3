"""One player's game in time, and whoever watches it: what is asked for is done, and all are told what changed.

What takes thought (hints, chances, a layout that needs no guess) is started by the game services, and told when it is done. Nothing here waits.

Knows: the session and its referee, subscribers, numbers of updates, what is being worked on.
Does not know: sockets, processes, where games are kept.
"""

from collections import deque
from collections.abc import Callable
from itertools import islice
from typing import Any, Final

from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.grid import Grid
from sapper.core.move import Action, Move
from sapper.core.status import Status
from sapper.errors import IllegalMoveError, RequestError
from sapper.game.referee import Referee
from sapper.metrics.game import GameMetrics
from sapper.session.events import Event, Finished, Marks, What
from sapper.session.session import Session
from sapper.web.games import jobs
from sapper.web.games.analysis_tasks import AnalysisTasks, PendingReply, fault_message
from sapper.web.games.game_over import end_message, layout_of, numbers_of
from sapper.web.games.messages import Message, Request, now_data, place, rows_data, rules_data, runs_data, with_id
from sapper.web.games.new_game import kind_of, title_of
from sapper.web.games.player_totals import PlayerTotals
from sapper.web.games.prepared_source import PreparedSource
from sapper.web.games.services import GameServices, Job, Subscriber
from sapper.web.games.summaries import GameSummary, entry_of

_DOERS: Final[dict[str, Callable[[Session, Cell], object]]] = {
    "left": Session.left_click,
    "right": Session.right_click,
    "reveal": lambda session, cell: session.play(Move(Action.REVEAL, cell)),
    "flag": lambda session, cell: session.play(Move(Action.FLAG, cell)),
    "unflag": lambda session, cell: session.play(Move(Action.UNFLAG, cell)),
    "question": lambda session, cell: session.play(Move(Action.QUESTION, cell)),
    "unquestion": lambda session, cell: session.play(Move(Action.UNQUESTION, cell)),
    "chord": lambda session, cell: session.play(Move(Action.CHORD, cell)),
    "terminate": lambda session, _: session.terminate(),
    "undo": lambda session, _: session.undo(),
    "redo": lambda session, _: session.redo(),
    "restart": lambda session, _: session.restart(),
    "pause": lambda session, _: session.pause(),
    "go_on": lambda session, _: session.go_on(),
}


MOST_REPLAYED: Final = 1_000
"""The moves of a game that has ended long ago that are played again, to judge the last of them."""
MOST_COPIED: Final = 2_000_000
"""And the cells of all boards that this leads through."""

_MOVES: Final = (What.MOVED, What.REDONE, What.UNDONE, What.RESTARTED)


def most_inputs(grid: Grid) -> int:
    """How many inputs a game may have: far more than any player needs, and so few that it can be kept and saved."""
    return 2_000 + max(2 * grid.size, min(20 * grid.size, 18_000))


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
        totals: PlayerTotals,
        address: str = "",
    ) -> None:
        """`session` and `referee` are of a game from `source`, new or loaded."""
        game = source.game
        self.id = name
        self.player = player
        self.address = address
        """Whence its player came last: turns are by address first."""
        self.grid: Grid = game.grid
        self.session = session
        self.referee = referee
        self.kind = kind_of(game)
        self.title = title_of(game)
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
        self.services = services
        self._totals = totals
        self._events: list[Event] = []
        self.number = session.input_count
        # One that was begun and undone has been counted.
        self._is_counted = session.status is not Status.READY or session.marks.undone > 0
        self._end: Message | None = None
        self._review: Message | None = None
        self._is_judging = False
        self._unjudged: Callable[[], None] | None = None
        self._analyses = AnalysisTasks(self)
        session.watch(self._events.append)
        if session.status.ended:
            self._take_up_end()

    # --- watching -----------------------------------------------------------------------------------------

    def join(self, subscriber: Subscriber) -> None:
        """Tell a subscriber what happens from now on."""
        self.subscribers.append(subscriber)

    def leave(self, subscriber: Subscriber) -> None:
        """Tell it no longer."""
        if subscriber in self.subscribers:
            self.subscribers.remove(subscriber)

    def key_of(self, marks: Marks) -> str:
        """The key that a game is recorded by: each restart of a board is another game."""
        return f"{self.id}.{marks.restarts}"

    @property
    def is_busy(self) -> bool:
        """Whether something is being worked on."""
        return self._analyses.is_busy

    async def hint(self) -> Message:
        """A hint, as on the socket. `RequestError` if there is none to be had now."""
        single = PendingReply("hint")
        self.do(Request("hint"), single)
        return await single.future

    async def chances(self) -> Message:
        """The chances of all covered cells, once; the game is marked. `RequestError` as above."""
        self._check_room("chances")
        single = PendingReply("chances")
        self._analyses.tell_chances(single)
        return await single.future

    def tell_state(self, subscriber: Subscriber, number: int | None = None) -> None:
        """Tell one subscriber everything about the game now; chances, if they are shown, follow when they are found."""
        subscriber.send(with_id(self.state(), number))
        self._analyses.think_of_chances()

    def listed(self) -> GameSummary:
        """What a list says of the game."""
        session = self.session
        return entry_of(
            self.id,
            self.source.game,
            self.referee.board,
            time=session.elapsed,
            paused=session.is_paused,
            saved=self.played,
        )

    def state(self) -> Message:
        """Everything about the game now, but for chances."""
        game, session = self.source.game, self.session
        state = {
            "type": "state",
            "game": self.id,
            "title": self.title,
            "preset": self.kind.preset,
            "rules": rules_data(game.rules),
            "no_guess": self.kind.no_guess,
            "width": self.grid.width,
            "height": self.grid.height,
            "mines": game.mines,
            "first": None if game.first is None else place(self.grid, game.first),
            "board": rows_data(session.board),
            **self._now(),
        }
        for name, message in (("end", self._end), ("review", self._review)):
            if message is not None:
                state[name] = {key: value for key, value in message.items() if key != "type"}
        return state

    def _now(self) -> Message:
        return now_data(self.session, self.number, self.referee.status, self.referee.board.flag_count)

    def send(self, message: Message, asker: Subscriber | None = None, number: int | None = None) -> None:
        """Tell all subscribers, and who asked if it is none of them; that one with its id."""
        is_told = asker is None
        for subscriber in tuple(self.subscribers):
            if subscriber is asker:
                is_told = True
                subscriber.send(with_id(message, number))
            else:
                subscriber.send(message)
        if asker is not None and not is_told:
            asker.send(with_id(message, number))

    # --- doing ----------------------------------------------------------------------------------------------

    def do(self, request: Request, subscriber: Subscriber) -> None:
        """Do what is asked, or say why not; all subscribers are told what changed. This never raises and never waits."""
        try:
            self._do(request, subscriber)
        except (RequestError, IllegalMoveError) as error:
            subscriber.send(fault_message(error, request.id))

    def _do(self, request: Request, subscriber: Subscriber) -> None:
        verb = request.verb
        if verb == "ping":
            subscriber.send(with_id({"type": "pong"}, request.id))
            return
        self._check_room(verb)
        if verb == "state":
            self.tell_state(subscriber, request.id)
        elif verb in ("hint", "may_guess"):
            self._analyses.advise(request, subscriber)
        elif verb == "overlay":
            self.session.show_chances(request.on)
            self.tell(subscriber, request.id)
            self._analyses.think_of_chances()
        elif not self._analyses.search(request, subscriber):
            self.play(request, subscriber)

    def _check_room(self, verb: str) -> None:
        """`RequestError` where there is no such game any more, or no room for one more input."""
        if self.is_gone:
            raise RequestError("failed", "this game has been forgotten")
        if self.session.input_count >= self.most_inputs and verb not in ("state", "terminate"):
            raise RequestError("too-long", "this game has more inputs than there is room for: it can only be given up")

    def play(self, request: Request, subscriber: Subscriber) -> None:
        """Do to the session what is asked; `IllegalMoveError` if that cannot be done."""
        before = self.referee.board
        _DOERS[request.verb](self.session, request.cell)
        self.tell(subscriber, request.id, before)

    def tell(self, asker: Subscriber, number: int | None, before: Board | None = None) -> None:
        """Tell what the session did: `what` each event was, and what it changed. `before` is the board before it."""
        events = [event for event in self._events if event.what is not What.FINISHED]
        ends = [event.finished for event in self._events if event.finished is not None]
        self._events.clear()
        if events and events[-1].what is What.RESTARTED:
            # What led there, giving up a running game, is of no interest any more.
            events = events[-1:]
        ended = bool(events) and events[-1].what in _MOVES and self.referee.status.ended
        layout, numbers = self.referee.layout, None
        if layout is not None and ended:
            numbers = numbers_of(layout, self.session.board.tiles, self.session.played)
        elif layout is not None and ends and before is not None:
            # Given up by a restart: the board is covered again.
            numbers = numbers_of(layout, before.tiles, ends[-1].record.played)
        if events:
            self._count(ends, numbers, is_new=events[-1].what is What.RESTARTED)
            self.services.changed(self)
            if events[-1].what in _MOVES:
                self._end = self._review = None
        runs: list[list[Any]] = []
        for at, event in enumerate(events, 1):
            runs = runs_data(event.update)
            self.send_update(event.what.value, runs, asker, number if at == len(events) else None)
        if not events:
            self.send_update(What.MOVED.value, runs, asker, number)
        if ended:
            self._tell_end(numbers)
            self._judge(before, events[-1])
        elif runs:
            self._analyses.think_of_chances()

    def send_update(self, what: str, runs: list[list[Any]], asker: Subscriber | None, number: int | None) -> None:
        """Tell all subscribers of an update."""
        self.number += 1
        self.send({"type": "update", "what": what, "runs": runs, **self._now()}, asker, number)

    def _count(self, ends: list[Finished], numbers: GameMetrics | None, *, is_new: bool) -> None:
        """Have games recorded that have begun or ended."""
        for finished in ends:
            if not self._is_counted:
                self._totals.start()
                self._is_counted = True
            self._totals.end(self.kind, finished)
            self.services.finished(self, finished, numbers)
        if is_new:
            self._is_counted = False
        if not self._is_counted and self.referee.status is Status.PLAYING:
            self._is_counted = True
            self._totals.start()
            self.services.started(self)

    # --- the end --------------------------------------------------------------------------------------------

    def _tell_end(self, numbers: GameMetrics | None) -> None:
        session, totals = self.session, self._totals
        marks = session.marks
        is_record = self.referee.status is Status.WON and marks.is_timed and not marks.is_assisted
        self._end = end_message(
            session,
            self.source,
            numbers,
            played=totals.played,
            won=totals.won,
            best=is_record and totals.is_best(self.kind, session.elapsed),
        )
        self.send(self._end)

    def _take_up_end(self) -> None:
        """A game that was loaded has ended already. It may have been before that could be recorded."""
        session = self.session
        layout = layout_of(session)
        numbers = None if layout is None else numbers_of(layout, session.board.tiles, session.played)
        finished = Finished(record=session.record(), marks=session.marks, milliseconds=session.elapsed)
        self.services.finished(self, finished, numbers)
        self._tell_end(numbers)
        played = session.played
        if len(played) <= MOST_REPLAYED and len(played) * self.grid.size <= MOST_COPIED:
            (before,) = deque(islice(finished.record.boards(), len(played)), maxlen=1)
            last = played[-1]
            self._judge(before, Event(what=What.MOVED, at=last.at, update=last.update, move=last.move))

    def _judge(self, before: Board | None, last: Event) -> None:
        """Have the last move judged."""
        self._unjudged = None
        if before is None or last.move is None:
            return
        job, end = Job(jobs.review, (before, last.move, last.update), self.player, self.address), self._end

        def done(answer: Any, error: RequestError | None) -> None:
            self._is_judging = False
            if error is None and answer is not None and self._end is end:
                self._review = {"type": "review", **answer}
                self.send(self._review)
            elif self._unjudged is not None:
                self._unjudged()

        def start() -> None:
            self._unjudged = None
            if self._end is end:
                self._is_judging = True
                self.services.start(job, done)

        # One at a time: whoever ends the same game again and again has the last end judged.
        if self._is_judging:
            self._unjudged = start
        else:
            start()
