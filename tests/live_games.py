"""Live games in tests, with services that do their jobs when they are told to, and clients that keep a copy."""

import json
from collections.abc import Callable
from typing import Any

from sapper.errors import RequestError
from sapper.game.referee import Referee
from sapper.metrics.game import GameMetrics
from sapper.play.player_totals import PlayerTotals
from sapper.play.ports import Job, JobDone
from sapper.play.prepared_source import PreparedSource
from sapper.session.events import Assistance, Finished
from sapper.session.session import Session
from sapper.web.games.live_game import LiveGame
from sapper.web.games.messages import ServerMessage, read_request, write_json
from sapper.web.games.new_game import read_new_game
from sapper.web.games.play_policy import PlayPolicy
from sapper.web.games.services import GameOwner
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


class HandServices:
    """The services of a live game in tests: does its jobs and rings its timers when it is told to, and remembers what it was told."""

    def __init__(self) -> None:
        self.jobs: list[tuple[Job, JobDone]] = []
        self.timers: list[HandTimer] = []
        self.changes = 0
        self.games: list[str] = []
        """Keys, with the status of those that ended."""
        self.helps: list[str] = []
        """Keys of those that were begun unaided and had help then."""
        self.ends: list[tuple[Finished, GameMetrics | None]] = []

    def start(self, job: Job, done: JobDone) -> None:
        self.jobs.append((job, done))

    def call_later(self, seconds: float, action: Callable[[], None]) -> HandTimer:
        self.timers.append(HandTimer(seconds, action))
        return self.timers[-1]

    def changed(self, game: str) -> None:
        self.changes += 1

    def started(self, owner: GameOwner, assistance: Assistance) -> None:
        self.games.append(owner.key_of(assistance))

    def helped(self, owner: GameOwner, assistance: Assistance) -> None:
        self.helps.append(owner.key_of(assistance))

    def finished(self, owner: GameOwner, finished: Finished, numbers: GameMetrics | None) -> None:
        self.games.append(f"{owner.key_of(finished.assistance)} {finished.record.status.value}")
        self.ends.append((finished, numbers))

    def finished_before(self, owner: GameOwner, finished: Finished, numbers: GameMetrics | None) -> None:
        self.finished(owner, finished, numbers)

    def ring(self) -> list[float]:
        """Call all that waits to be called; after how many seconds each was due."""
        timers, self.timers = [one for one in self.timers if not one.is_cancelled], []
        for one in timers:
            one.action()
        return [one.seconds for one in timers]

    def work(self, count: int = 1000) -> int:
        """Do the jobs that wait, the first `count` of them; how many there were."""
        jobs, self.jobs = self.jobs[:count], self.jobs[count:]
        for job, done in jobs:
            try:
                answer, fault = job.function(*job.args), None
            except RequestError as error:
                answer, fault = None, error
            done(answer, fault)
        return len(jobs)

    def refuse(self, code: str) -> None:
        """Do none of the jobs that wait."""
        jobs, self.jobs = self.jobs, []
        for _, done in jobs:
            done(None, RequestError(code, "no"))


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
    **values: Any,
) -> LiveGame:
    """A live with a new game; without a code or seed, the seed is 7."""
    wanted = read_new_game(json.dumps(values), most_cells=10_000)
    game = wanted.game(7)
    source = PreparedSource(game)
    referee = Referee(rules=game.rules, source=source)
    session = Session(referee, clock=clock, code=game.code, seed=game.seed, seen=wanted.seen)
    return LiveGame(
        name=name, player="ann", source=source, session=session, referee=referee, services=services,
        policy=policy, totals=PlayerTotals() if totals is None else totals,
    )  # fmt: skip


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
        layout = self.live.referee.layout
        assert layout is not None
        return [self.xy(cell) for cell in layout.mines]

    def lose(self) -> list[Message]:
        """Reveal a mine."""
        return self.client.do("reveal", self.mines()[0])

    def win(self) -> list[Message]:
        """Reveal all that is safe."""
        layout, grid = self.live.referee.layout, self.live.grid
        assert layout is not None
        begin = len(self.client.heard)
        for cell in range(grid.size):
            if cell not in layout.mines and not self.live.session.status.ended:
                self.clock.now += 10
                self.client.do("left", grid.xy(cell))
        return self.client.heard[begin:]
