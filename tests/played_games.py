"""Played games in tests: a sink that is a list, jobs that are done on the spot or when the test says so."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from sapper.core.cells import Cell
from sapper.core.preset import Preset, find_preset
from sapper.errors import RequestError
from sapper.play.events import Changed, GameEvent, Happened
from sapper.play.game_parts import GameOptions, GameParts, new_parts
from sapper.play.played_game import Ask, PlayedGame
from sapper.play.player_totals import PlayerTotals
from sapper.play.ports import GamePorts, InlineJobs, Job, JobDone, Jobs, LogChain
from sapper.session.game_request import coded_game
from sapper.store.changes import Change
from sapper.store.models import Result, StoredGame
from tests.sessions import HandClock

BEGIN = datetime(2026, 11, 28, tzinfo=UTC)


class ListSink:
    """Keeps changes in a list; durable at once, or when `commit` is called."""

    def __init__(self, *, holds: bool = False) -> None:
        self.holds = holds
        self.changes: list[Change] = []
        self.waiting: list[Callable[[], None]] = []

    def put(
        self, change: Change | Callable[[], Change | None], on_durable: Callable[[], None] | None = None, /,
        *, is_urgent: bool = True, chain: LogChain | None = None,
    ) -> None:  # fmt: skip
        made = change() if callable(change) else change
        if made is not None:
            self.changes.append(made)
        if on_durable is not None:
            self.waiting.append(on_durable)
        if not self.holds:
            self.commit()

    def commit(self) -> None:
        """All that was put is durable."""
        waiting, self.waiting = self.waiting, []
        for call in waiting:
            call()

    def of(self, *, ended: bool) -> list[StoredGame]:
        """The records of games that have ended, or of those that began."""
        games = [one for one in self.changes if isinstance(one, StoredGame)]
        return [one for one in games if (one.result is not Result.PLAYING) is ended]

    @property
    def games(self) -> list[str]:
        """Records of games that began or ended: the key, the result, `aided` where help is known."""
        return [
            f"{one.key} {one.result.value}{' aided' if one.hints or one.undos or one.overlay or one.restarted else ''}"
            for one in self.changes
            if isinstance(one, StoredGame)
        ]


class LaterJobs:
    """Does jobs when it is told to."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Job, JobDone]] = []

    def start(self, job: Job, done: JobDone, /) -> None:
        self.waiting.append((job, done))

    def work(self, count: int = 1000) -> int:
        """Do the first of those that wait; how many there were."""
        jobs, self.waiting = self.waiting[:count], self.waiting[count:]
        for job, done in jobs:
            InlineJobs().start(job, done)
        return len(jobs)

    def refuse(self, code: str) -> None:
        """Do none of those that wait."""
        jobs, self.waiting = self.waiting, []
        for _, done in jobs:
            done(None, RequestError(code, "no"))


class Table:
    """A played game with its clock, its sink and its jobs."""

    def __init__(
        self,
        preset: Preset | str = "beginner",
        *,
        jobs: Jobs | None = None,
        holds: bool = False,
        parts: GameParts | None = None,
        totals: PlayerTotals | None = None,
        seen: bool = False,
        **options: Any,
    ) -> None:
        self.clock = HandClock(1_000_000)
        self.sink = ListSink(holds=holds)
        self.ports = GamePorts(
            jobs=jobs or InlineJobs(), sink=self.sink, now=lambda: BEGIN + timedelta(milliseconds=self.clock.now)
        )
        if parts is None:
            preset = find_preset(preset) if isinstance(preset, str) else preset
            parts = new_parts(coded_game(preset, seed=7), clock=self.clock, seen=seen)
        self.game = PlayedGame(
            parts, key="game", player="ann", ports=self.ports, options=GameOptions(face="test", **options),
            totals=totals,
        )  # fmt: skip
        self.later: list[Happened] = []
        self.game.on_happened = self.later.append

    def do(self, ask: Ask, cell: int = 0, asker: object = None) -> list[GameEvent]:
        """What a request led to at once."""
        return self.game.do(ask, Cell(cell), asker).events

    @property
    def mines(self) -> list[int]:
        """Where the mines are."""
        assert self.game.referee.layout is not None
        return list(self.game.referee.layout.mines)


def changes(events: list[GameEvent]) -> list[str]:
    """What the session did, in one word each."""
    return [event.what.value for event in events if isinstance(event, Changed)]
