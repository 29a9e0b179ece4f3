"""Tables of the web game in tests: a desk that works when it is told to, and clients that keep a copy."""

import json
from typing import Any

from sapper.errors import RequestError
from sapper.game.referee import Referee
from sapper.metrics.game import GameMetrics
from sapper.session.events import Finished
from sapper.session.session import Session
from sapper.web.desk import Done, Job
from sapper.web.messages import Message, read_request
from sapper.web.new_game import read_new_game
from sapper.web.source import PreparedSource
from sapper.web.standing import Standing
from sapper.web.table import Table
from tests.sessions import HandClock

NOW = ("number", "status", "time", "running", "paused", "flags", "can_undo", "can_redo", "marks", "overlay")


class HandDesk:
    """Does its jobs when it is told to, and remembers what it was told."""

    def __init__(self) -> None:
        self.jobs: list[tuple[Job, Done]] = []
        self.changes = 0
        self.games: list[str] = []
        """Keys, with the status of those that ended."""
        self.ends: list[tuple[Finished, GameMetrics | None]] = []

    def start(self, job: Job, done: Done) -> None:
        self.jobs.append((job, done))

    def changed(self, table: Table) -> None:
        self.changes += 1

    def started(self, table: Table) -> None:
        self.games.append(table.key_of(table.session.marks))

    def finished(self, table: Table, finished: Finished, numbers: GameMetrics | None) -> None:
        self.games.append(f"{table.key_of(finished.marks)} {finished.record.status.value}")
        self.ends.append((finished, numbers))

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
    """A watcher with a copy of the game, which it keeps up to date from what it is told alone."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.heard: list[Message] = []
        self.copy = through_json(table.state())
        self.cells = list("".join(self.copy["board"]))
        table.join(self)

    def send(self, message: Message, /) -> None:
        message = through_json(message)
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
            self.copy[kind] = {name: value for name, value in message.items() if name != "type"}

    def do(self, verb: str, cell: tuple[int, int] | None = None, **fields: Any) -> list[Message]:
        """Say something; what was heard since."""
        begin = len(self.heard)
        message = {"do": verb, **fields} | ({} if cell is None else {"cell": list(cell)})
        self.table.do(read_request(json.dumps(message), self.table.grid), self)
        return self.heard[begin:]

    def state(self) -> Message:
        """The game, as this client knows it."""
        width = self.copy["width"]
        text = "".join(self.cells)
        return self.copy | {"board": [text[at : at + width] for at in range(0, len(text), width)]}

    def types(self) -> list[str]:
        """The types of what was heard, of errors the codes."""
        return [str(message["code" if message["type"] == "error" else "type"]) for message in self.heard]


def through_json(message: Message) -> Message:
    """A message as it arrives."""
    arrived: Message = json.loads(json.dumps(message, allow_nan=False))
    return arrived


def new_table(desk: HandDesk, clock: HandClock, standing: Standing | None = None, **values: Any) -> Table:
    """A table with a new game; without a code or seed, the seed is 7."""
    wanted = read_new_game(values, most_cells=10_000)
    game = wanted.game(7)
    source = PreparedSource(game)
    referee = Referee(rules=game.rules, source=source)
    session = Session(referee, clock=clock, code=game.code, seed=game.seed, seen=wanted.seen)
    return Table(
        name="game", player="ann", source=source, session=session, referee=referee, desk=desk,
        standing=Standing() if standing is None else standing,
    )  # fmt: skip


class Seat:
    """A table with its desk, its clock and one client."""

    def __init__(self, **values: Any) -> None:
        self.clock = HandClock(1_000_000)
        self.desk = HandDesk()
        self.table = new_table(self.desk, self.clock, **values)
        self.client = Client(self.table)

    def xy(self, cell: int) -> tuple[int, int]:
        """A cell as column and row."""
        return self.table.grid.xy(cell)

    def mines(self) -> list[tuple[int, int]]:
        """Where the mines are."""
        layout = self.table.referee.layout
        assert layout is not None
        return [self.xy(cell) for cell in layout.mines]

    def lose(self) -> list[Message]:
        """Reveal a mine."""
        return self.client.do("reveal", self.mines()[0])

    def win(self) -> list[Message]:
        """Reveal all that is safe."""
        layout, grid = self.table.referee.layout, self.table.grid
        assert layout is not None
        begin = len(self.client.heard)
        for cell in range(grid.size):
            if cell not in layout.mines and not self.table.session.status.ended:
                self.clock.now += 10
                self.client.do("left", grid.xy(cell))
        return self.client.heard[begin:]
