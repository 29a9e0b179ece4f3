"""A player of a web server: its games, played over the web protocol, for the same screen and lines as games at this machine.

The server plays, keeps the time, judges and marks; here are the board that it told last, and its messages as events. Hints are worked
out here from that board, once the server has said that it marked the game.
"""

import queue
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.grid import Grid
from sapper.core.move import Move
from sapper.core.notation import read_tiles
from sapper.core.preset import PRESETS
from sapper.core.record import Record, TimedMove
from sapper.core.rules import Rules, Start, Win
from sapper.core.status import Status
from sapper.core.update import Update
from sapper.errors import RequestError, UnavailableError
from sapper.generator.game_code import write_code
from sapper.play import jobs
from sapper.play.events import (
    ChancesFound,
    Changed,
    GameEnded,
    GameEvent,
    HintFound,
    Judged,
    MayGuessFound,
    Refused,
    Working,
)
from sapper.play.played_game import Ask, Question
from sapper.session.events import Assistance, What
from sapper.session.inputs import Verb
from sapper.solver.advisor import Advisor
from sapper.store.models import DAILY, GameKind, ListedSession, SessionState
from sapper.tui.keeper import GameArchive
from sapper.tui.playing import Play
from sapper.tui.web_server import ANSWER_TIME, GameLine, Message, WebServer

if TYPE_CHECKING:
    from sapper.session.game_request import GameRequest

VERDICT_TIME: Final = 2.0
"""Seconds that the lines wait for the verdict on the move that ended a game."""
LONGEST_ATTEMPT: Final = 3_600_000
"""Milliseconds after which an attempt at a board of the day does not count."""
NOT_MADE: Final = "Your last move was not made"
_LATER: Final = {Verb.HINT: "hint", Question.MAY_GUESS: "may_guess"}
"""What answers a request that an update answers first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteSession:
    """How a game stands, as the server said last."""

    board: Board
    shown: Board
    """With the mines, where it has ended."""
    assistance: Assistance
    is_paused: bool
    shows_chances: bool
    is_running: bool
    told: int
    """Milliseconds on its clock."""
    at: float = field(default_factory=time.monotonic)
    """When that time was told."""
    overlay: CellSet = field(default_factory=CellSet)
    code: str | None = None
    played: tuple[TimedMove, ...] = ()
    """The last move alone."""

    @property
    def grid(self) -> Grid:
        return self.board.grid

    @property
    def mine_count(self) -> int:
        return self.board.mine_count

    @property
    def status(self) -> Status:
        return self.board.status

    @property
    def elapsed(self) -> int:
        return self.told + (round(1000 * (time.monotonic() - self.at)) if self.is_running else 0)


class RemoteGame:
    """A game of the server's."""

    __slots__ = ("has_ended", "heard", "is_daily", "key", "kind", "number", "session", "title", "verdict")

    def __init__(self, state: Message) -> None:
        self.key = str(state["game"])
        self.is_daily = str(state.get("preset")).startswith(DAILY)
        self.title = f"{state['title']}{', board of the day' if self.is_daily else ''}"
        self.kind: GameKind | None = None
        self.heard = 0
        """The number after a change that an answer over HTTP told of: its update is under way, and a state from before it may be."""
        self.tell(state)

    def tell(self, state: Message) -> None:
        """How all of it stands now."""
        self.number: int = state["number"]
        self.session = _session(state)
        self.has_ended = "end" in state
        """Whether what is told at the end was."""
        self.verdict = _verdict(self.grid, state["review"]) if "review" in state else None

    @property
    def grid(self) -> Grid:
        return self.session.grid


class RemoteArchive(GameArchive):
    """What the server keeps of the player's games."""

    def __init__(self, server: WebServer) -> None:
        super().__init__(None, player="")
        self._server = server

    @property
    def keeps(self) -> bool:
        return True

    def unfinished(self) -> list[ListedSession]:
        found = self._server.ask("GET", "/api/games")
        with self._server.understanding():
            return [
                ListedSession(
                    one["game"], one["title"], None, datetime.fromtimestamp(one["saved"] / 1000, UTC),
                    SessionState(Status(one["status"]), one["time"], one["flags"], one["covered"], one["paused"]),
                )
                for one in found["games"]
            ]  # fmt: skip


class RemotePlay(Play):
    """The games of a player on a web server. `close` it at the end."""

    def __init__(self, server: WebServer, request: "GameRequest", *, advisor: Advisor) -> None:
        self.archive: GameArchive = RemoteArchive(server)
        self.post: Callable[[Callable[[], object]], object] | None = None
        """Has something done on the thread of the screen, which hears of answers by `on_later`; None: `do` waits for answers."""
        self.on_later: Callable[[list[GameEvent]], None] = lambda _: None
        self.lost: str | None = None
        """Why nothing can be played now."""
        self._server = server
        self._request = request
        self.advisor = advisor
        self._game: RemoteGame | None = None
        self._line: GameLine | None = None
        self._inbox = queue.SimpleQueue[Message]()
        self._last_id = 0
        self._cell = Cell(0)
        self._works = False
        self._is_saved = True
        self._news: list[str] = []
        self._open: int | None = None
        """The number of the game when what is not answered yet was asked."""
        self._unanswered: int | None = None
        """The same of what was asked on a connection that was lost."""

    # --- which game that is --------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Play the game that the server's address names, or a new one."""
        if self._server.game is None:
            self.new()
        else:
            self.resume(self._server.game)

    def new(self, request: "GameRequest | None" = None) -> RemoteGame:
        """A new game; today's board, where the address is that of the day's boards."""
        self._request = wanted = request or self._request
        if self._server.is_daily:
            body = {"size": wanted.preset.name, "audience": self._server.audience}
            found = self._server.ask("POST", "/api/daily", body)
        else:
            found = self._server.ask("POST", "/api/games", _body(wanted))
        return self._take(found.get("state", {}))

    def resume(self, key: str) -> RemoteGame:
        return self._take(self._server.ask("GET", f"/api/games/{key}"))

    def _take(self, state: Message) -> RemoteGame:
        with self._server.understanding():
            game = RemoteGame(state)
        self.close()
        inbox = self._inbox = queue.SimpleQueue[Message]()
        self._is_saved, self.lost, self._game = True, None, game
        self._open = self._unanswered = None

        def hear(message: Message) -> None:
            if message["type"] == "hint":  # here, since it may take a second
                message["found"] = jobs.hint(game.session.board, self.advisor)
            if self.post is None:
                inbox.put(message)
            else:
                self.post(lambda: game is self._game and self.on_later(self._hear(message)))

        def lose(why: str, is_final: bool) -> None:  # `GameLine` calls it
            hear({"type": "lost", "why": why if is_final else f"{why}; trying again"})

        self._line = GameLine(self._server, game.key, on_message=hear, on_lost=lose)
        return game

    def close(self) -> None:
        """End the connection; the server keeps the game."""
        if self._line is not None:
            self._line.close()
            self._line = None

    def leave(self) -> None:
        """The game is no longer shown: the server pauses it if it may."""
        self._look(hidden=True)

    def come_back(self) -> None:
        self._look(hidden=False)

    def _look(self, *, hidden: bool) -> None:
        if self._line is not None:
            self._line.send({"do": "page", "hidden": hidden})

    # --- the game that is played -----------------------------------------------------------------------------------

    @property
    def game(self) -> RemoteGame:
        assert self._game is not None, "no game has been started"
        self._catch_up()
        return self._game

    def _catch_up(self) -> None:
        while self.post is None and not self._inbox.empty():
            self._hear(self._inbox.get())

    @property
    def has_game(self) -> bool:
        return self._game is not None

    @property
    def board(self) -> Board:
        return self.game.session.shown

    @property
    def is_untouched(self) -> bool:
        return self.status is Status.READY

    @property
    def unsaved(self) -> str | None:
        return None if self._is_saved else "The server has not saved this yet."

    @property
    def loses_by_new(self) -> bool:
        return False

    @property
    def is_attempt(self) -> bool:
        game = self.game
        session = game.session
        is_marked = session.assistance.is_assisted or game.heard > game.number  # chances mark it
        counts = not is_marked and session.elapsed <= LONGEST_ATTEMPT
        return game.is_daily and not session.status.ended and counts

    @property
    def page(self) -> str:
        """The address of the review, once the game has ended: each restart is a game of its own."""
        return f"{self._server.place}/game/{self.game.key}.{self.game.session.assistance.restarts}"

    @property
    def allows_aids(self) -> bool:
        return self.board.rules.allows_aids and not self.game.is_daily

    def news(self) -> list[str]:
        self._catch_up()
        news, self._news = self._news, []
        return news

    def record(self) -> Record | None:
        return None

    def save(self) -> None:
        """The server does."""

    def undo(self) -> list[GameEvent]:
        return self.do(Verb.UNDO)

    def do(self, ask: Ask, cell: int = 0) -> list[GameEvent]:
        """Do what is asked. What it led to is returned, or comes by `on_later` where there is a screen."""
        game = self.game
        if ask is Question.STATE:
            return []
        if ask is Question.CHANCES:
            found = self._server.ask("POST", f"/api/games/{game.key}/analysis")
            with self._server.understanding():
                game.heard = int(found["number"])
            return self._hear(found)
        self._cell, self._last_id = Cell(cell), self._last_id + 1
        message: Message = {
            "do": ask.value.replace(" ", "_"),
            "id": self._last_id,
            "after": max(game.number, game.heard),
        }
        if ask in (Verb.OVERLAY, Verb.NO_OVERLAY):
            message |= {"do": "overlay", "on": ask is Verb.OVERLAY}
        elif isinstance(ask, Verb) and ask in _ON_CELLS:
            message["cell"] = list(game.grid.xy(self._cell))
        if self._line is None or not self._sent(message):
            self._catch_up()
            why = self.lost or f"{self._server.place} cannot be reached; trying again"
            raise RequestError("busy", f"{why}. {NOT_MADE}" if ask in _ON_CELLS else why)
        self._open = game.number
        return [] if self.post is not None else list(self._answer(self._last_id, _LATER.get(ask, "update")))

    def _sent(self, message: Message) -> bool:
        """Send it; in line mode, wait for the connection first."""
        assert self._line is not None
        end = time.monotonic() + (ANSWER_TIME if self.post is None else 0)
        while not self._line.send(message):
            if time.monotonic() >= end or self._line.has_ended:
                return False
            time.sleep(0.05)
            self._catch_up()  # what was lost before it is sent says nothing of it
        return True

    def _answer(self, number: int, kind: str) -> Iterator[GameEvent]:
        """What comes until a request is answered, and what is told of an end then."""
        game, end, is_answered = self.game, time.monotonic() + ANSWER_TIME, False
        while True:
            if is_answered and not (self.status.ended and (not game.has_ended or game.verdict is None)):
                return
            try:
                message = self._inbox.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                if is_answered:
                    return
                raise UnavailableError(f"no answer from {self._server.place} within {ANSWER_TIME:g} seconds") from None
            works = self._works
            yield from self._hear(message)
            if message["type"] == "lost":
                raise RequestError("busy", f"{message['why']}; board says what was played")
            is_error = message["type"] == "error"
            if (message.get("id") == number or works) and (message["type"] == kind or is_error) and not self._works:
                is_answered, end = True, time.monotonic() + VERDICT_TIME
                if is_error or kind != "update" or message["what"] not in ("moved", "redone"):
                    return

    # --- what the server says ------------------------------------------------------------------------------------------

    def _hear(self, message: Message) -> list[GameEvent]:
        try:
            with self._server.understanding():
                return self._told(message)
        except UnavailableError as error:
            self.close()
            self.lost = str(error)
            if self.post is None:
                raise
            return []  # the screen shows why it is lost

    def _told(self, message: Message) -> list[GameEvent]:
        game = self._game
        assert game is not None
        session = game.session
        if "id" in message:
            self._open = None
        match message["type"]:
            case "state":
                if self.lost is not None:
                    self._news.append("Connected again.")
                if self._unanswered == message["number"]:
                    self._news.append(f"{NOT_MADE}.")
                is_same, self._unanswered = message["number"] == game.number, None
                game.tell(message)
                self.lost, self._works = None, False
                if is_same and self.post is None:
                    return []  # nothing has changed that a listener should hear
                tiles = game.session.board.tiles
                return [Changed(game.number, What.MOVED, Update(((Cell(0), tiles),), game.session.status))]
            case "update":
                return self._updated(game, message)
            case "end":
                game.session = replace(session, shown=session.board.apply(_update(message)), code=message["code"])
                game.has_ended = True
                return [GameEnded(None, message["played"], message["won"], message["best"])]
            case "review":
                game.verdict = _verdict(game.grid, message)
                return [Judged(game.verdict)]
            case "hint":
                game.session = replace(session, overlay=message["found"].cells)
                return [HintFound(message["number"], message["found"])]
            case "may_guess":
                return [MayGuessFound(message["answer"])]
            case "chances":
                return [ChancesFound(message["number"], _chances(game.grid, message), is_answer=True)]
            case "error":
                was_working, self._works = self._works, False
                return [Refused(RequestError(message["code"], message["message"]), ends_working=was_working)]
            case "saving":
                self._is_saved = message["saved"]
            case "lost":
                self.lost, game.heard = message["why"], 0
                if self._open is not None:
                    self._unanswered, self._open = self._open, None
            case _:
                pass
        return []

    def _updated(self, game: RemoteGame, message: Message) -> list[GameEvent]:
        if message["number"] != game.number + 1:
            if message["number"] > game.number and self._line is not None:
                self._line.send({"do": "state"})
            return []
        update, game.number = _update(message), message["number"]
        self._works = message["what"] == "working"
        board = game.session.board.apply(update)
        game.session = session = replace(game.session, board=board, shown=board, code=None, **_now(message))
        if self._works:
            return [Working(game.number)]
        what = What(message["what"])
        if what not in (What.HINTED, What.OVERLAY):
            move = TimedMove(session.told, Move.reveal(self._cell), update)
            played = (move,) if what is What.MOVED else session.played
            game.session = replace(session, overlay=CellSet(), played=played)
        if not update.status.ended:
            game.has_ended, game.verdict = False, None
        return [Changed(game.number, what, update)]


_ON_CELLS: Final = frozenset(
    {Verb.LEFT, Verb.RIGHT, Verb.REVEAL, Verb.FLAG, Verb.UNFLAG, Verb.QUESTION, Verb.UNQUESTION, Verb.CHORD}
)


def _body(request: "GameRequest") -> Message:
    """A new game as the server takes it."""
    if request.coded is not None:
        return {"code": write_code(request.coded)}
    preset = request.preset
    body: Message = {
        "rules": preset.rules.name, "width": preset.width, "height": preset.height, "no_guess": request.no_guess,
    }  # fmt: skip
    if preset.name in PRESETS:
        body["preset"] = preset.name
    if len(preset.mine_counts) == 1:
        body["mine_count"] = preset.mine_counts[0]
    return body if request.seed is None else body | {"seed": str(request.seed)}


def _session(state: Message) -> RemoteSession:
    said, grid = state["rules"], Grid(state["width"], state["height"])
    said = {rule: value for rule, value in said.items() if rule != "allows_aids"}  # `Rules` works it out
    rules = Rules(**said | {"win": Win(said["win"]), "start": Start(said["start"])})
    first, end = state["first"], state.get("end")
    board = Board(
        grid=grid, rules=rules, mine_count=state["mine_count"], tiles=read_tiles("".join(state["board"])), status=Status(state["status"]),
        safe_first=None if first is None else CellSet.of([grid.cell(*first)]),
    )  # fmt: skip
    if end is None:
        return RemoteSession(board=board, shown=board, **_now(state))
    return RemoteSession(board=board, shown=board.apply(_update(end)), code=end["code"], **_now(state))


def _now(message: Message) -> dict[str, Any]:
    """What updates and states both have."""
    return {
        "told": message["time"], "at": time.monotonic(), "is_running": message["running"], "is_paused": message["paused"],
        "shows_chances": message["overlay"], "assistance": Assistance(**message["assistance"]),
    }  # fmt: skip


def _update(message: Message) -> Update:
    runs = tuple((Cell(start), read_tiles(text)) for start, text in message["runs"])
    return Update(runs, Status(message["status"]))


def _verdict(grid: Grid, message: Message) -> jobs.LastMoveVerdict:
    safe, mined = (CellSet.of(grid.cell(x, y) for x, y in message[name]) for name in ("safe", "mined"))
    return jobs.LastMoveVerdict(safe, mined, message["risk"], message["least"], message["forced"])


def _chances(grid: Grid, message: Message) -> jobs.FoundChances:
    found: Any = message["chances"]
    win, low, high = message["win"], message["win_low"], message["win_high"]
    risks = None if found is None else {grid.cell(x, y): risk for x, y, risk in found}
    return jobs.FoundChances(risks, win, low, high, is_exact=win is not None and low == high)
