"""Live games in tests: a played game whose jobs, timers and sink do what the test says, and clients that keep a copy."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from sapper.play.game_parts import GameOptions, GameParts, new_parts
from sapper.play.played_game import PlayedGame
from sapper.play.player_totals import PlayerTotals
from sapper.play.ports import GamePorts
from sapper.store.models import StoredGame
from sapper.web.games.live_game import LiveGame
from sapper.web.games.messages import ServerMessage, read_request, write_json
from sapper.web.games.new_game import read_new_game
from sapper.web.games.play_policy import PlayPolicy
from tests.played_games import LaterJobs, ListSink
from tests.sessions import HandClock

NOW = ("number", "status", "time", "running", "paused", "flags", "can_undo", "can_redo", "assistance", "overlay")


Message = dict[str, Any]
"""A message of the server's as it arrives."""


PLAIN = PlayPolicy()


class HandTimer:
    """Something that will be called when the clock is there."""

    def __init__(self, seconds: float, action: Callable[[], None]) -> None:
        self.seconds = seconds
        self.action = action
        self.is_cancelled = False

    def cancel(self) -> None:
        self.is_cancelled = True


class HandServices(LaterJobs):
    """What live games need, in tests: does their jobs and rings their timers when it is told to, and remembers what they put."""

    def __init__(self) -> None:
        super().__init__()
        self.timers: list[HandTimer] = []
        self.sink = ListSink()

    def ports(self, clock: HandClock) -> GamePorts:
        """For played games."""
        begin = datetime(2026, 11, 28, tzinfo=UTC)
        return GamePorts(jobs=self, sink=self.sink, now=lambda: begin + timedelta(milliseconds=clock.now))

    @property
    def records(self) -> list[StoredGame]:
        """The games that were recorded."""
        return [one for one in self.sink.changes if isinstance(one, StoredGame)]

    def call_later(self, seconds: float, action: Callable[[], None]) -> HandTimer:
        self.timers.append(HandTimer(seconds, action))
        return self.timers[-1]

    def ring(self) -> list[float]:
        """Call all that waits to be called; after how many seconds each was due."""
        timers, self.timers = [one for one in self.timers if not one.is_cancelled], []
        for one in timers:
            one.action()
        return [one.seconds for one in timers]


class Client:
    """A subscriber with a copy of the game, which it keeps up to date from what it is told alone."""

    def __init__(self, live: LiveGame) -> None:
        self.live = live
        self.heard: list[Message] = []
        self.copy: Message = arrived(live.state())
        self.cells = list("".join(self.copy["board"]))
        live.join(self)

    def send(self, sent: ServerMessage, /) -> None:
        message = arrived(sent)
        self.heard.append(message)
        kind = message["type"]
        if kind == "state":
            self.copy, self.cells = message, list("".join(message["board"]))
        elif kind == "update":
            assert message["number"] == self.copy["number"] + 1
            for start, tiles in message["runs"]:
                self.cells[start : start + len(tiles)] = tiles
            self.copy |= {name: message[name] for name in NOW}
            if message["what"] in ("moved", "undone", "redone", "restarted") and message["status"] in (
                "ready",
                "playing",
            ):
                self.copy.pop("end", None)
                self.copy.pop("review", None)
        elif kind in ("end", "review"):
            self.copy[kind] = message

    def do(self, verb: str, cell: tuple[int, int] | None = None, **fields: Any) -> list[Message]:
        """Say something; what was heard since."""
        begin = len(self.heard)
        message = {"do": verb, **fields} | ({} if cell is None else {"cell": list(cell)})
        self.live.do(read_request(json.dumps(message), self.live.grid), self)
        return self.heard[begin:]

    def state(self) -> Message:
        """The game, as this client knows it."""
        width = self.copy["width"]
        text = "".join(self.cells)
        return {**self.copy, "board": [text[at : at + width] for at in range(0, len(text), width)]}

    def types(self) -> list[str]:
        """The types of what was heard, of errors the codes."""
        return [str(message["code" if message["type"] == "error" else "type"]) for message in self.heard]


def arrived(message: object) -> Any:
    """A message, or anything that is answered, as it arrives."""
    return json.loads(write_json(message))


def new_live_game(
    services: HandServices,
    clock: HandClock,
    totals: PlayerTotals | None = None,
    name: str = "game",
    policy: PlayPolicy = PLAIN,
    parts: GameParts | None = None,
    **values: Any,
) -> LiveGame:
    """A live with a new game; without a code or seed, the seed is 7. `parts`: of a game that was made otherwise."""
    if parts is None:
        wanted = read_new_game(json.dumps(values), most_cells=10_000)
        parts = new_parts(wanted.game(7), clock=clock, seen=wanted.seen)
    game = PlayedGame(
        parts, key=name, player="ann", ports=services.ports(clock), options=GameOptions(face="web"), totals=totals
    )
    return LiveGame(game, policy=policy, call_later=services.call_later)


class Seat:
    """A live with its services, its clock and one client."""

    def __init__(self, **values: Any) -> None:
        self.clock = HandClock(1_000_000)
        self.services = HandServices()
        self.live = new_live_game(self.services, self.clock, **values)
        self.client = Client(self.live)

    def xy(self, cell: int) -> tuple[int, int]:
        """A cell as column and row."""
        return self.live.grid.xy(cell)

    def mines(self) -> list[tuple[int, int]]:
        """Where the mines are."""
        layout = self.live.game.referee.layout
        assert layout is not None
        return [self.xy(cell) for cell in layout.mines]

    def lose(self) -> list[Message]:
        """Reveal a mine."""
        return self.client.do("reveal", self.mines()[0])

    def win(self) -> list[Message]:
        """Reveal all that is safe."""
        layout, grid = self.live.game.referee.layout, self.live.grid
        assert layout is not None
        begin = len(self.client.heard)
        for cell in range(grid.size):
            if cell not in layout.mines and not self.live.session.status.ended:
                self.clock.now += 10
                self.client.do("left", grid.xy(cell))
        return self.client.heard[begin:]
