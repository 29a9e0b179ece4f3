"""One table of games, the same for every face: what the player sees on the way, and what the store says at the end.

A scenario is a transcript: verbs as a player says them, and between them what is to be seen. Every face that has its verbs plays it.
The game is the same everywhere: a board of 4×3 by the rules of the game server, with mines at b1, c1 and c2.
"""

import contextlib
import itertools
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import psycopg
import pytest
from _pytest.mark import ParameterSet

from sapper.core.rng import Rng
from tests.play.faces import ENDED, Face, Kept, LibraryFace, Place, Seen, Spec, until
from tests.play.local_faces import LinesFace, ScreenFace, SpokenFace
from tests.play.server_faces import SEAT_SEED, SeatFace, WebFace
from tests.postgres import Cluster, needed_binaries, running
from tests.web_process import WebProcess, web_process

SMALL: Final = Spec(rules="jminesweeper", size=(4, 3), mines=3, seed=Rng(SEAT_SEED).next())
BEGINNER: Final = Spec()
NO_GUESS: Final = Spec(no_guess=True)

_NUMBERS: Final = itertools.count(1)

FACES: Final = ("web", "screen", "lines", "seat", "library")
LACKS: Final = {
    "seat": frozenset(
        {"undo", "redo", "restart", "pause", "go on", "hint", "chances", "give up", "resume", "leave"}
    ),  # the protocol has no packet for these, and a seat has no log: who leaves gives up
    # The mines are shown by the game server alone; while the database is away nothing is told, and tests/web/test_serving.py looks at that.
    "web": frozenset({"debug", "quit", "database away"}),
    "screen": frozenset({"debug", "quit"}),
    "lines": frozenset({"debug", "quit"}),
    "library": frozenset({"debug", "quit", "disk full", "disk free"}),  # it has no process of its own
}
"""The verbs that a face has not."""

OF_A_PROGRAM: Final = frozenset({"kill", "leave", "disk full", "database away"})
"""Verbs after which a program has ended, or cannot save: `sapper play --lines` is started for them alone."""

SAME: Final = "as before"
"""Of rows: those that were seen last."""

_COVERED: Final = "####/####/####"
_OPENED: Final = "####/1###/.1##"
_MORE: Final = "####/1###/.1#1"
_LOST: Final = "#X*#/1#*#/.1##"
_WON: Final = "#FF#/##F#/####"
_GIVEN_UP: Final = "#**#/1#*#/.1##"

READY: Final = Seen("ready", _COVERED)
PLAYING: Final = Seen("playing", _OPENED)
LOST: Final = Seen("lost", _LOST)
WON: Final = Seen("won", _WON)
GIVEN_UP: Final = Seen("terminated", _GIVEN_UP)
PAUSED: Final = Seen("playing", _COVERED, paused=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A game as a transcript."""

    name: str
    steps: tuple[str | Seen, ...]
    kept: tuple[Kept, ...]
    spec: Spec = SMALL
    needs: str = "sqlite"

    @property
    def verbs(self) -> frozenset[str]:
        """What a face must have."""
        return frozenset(_parted(step)[0] for step in self.steps if isinstance(step, str))


def _parted(step: str) -> tuple[str, str]:
    """Verb and cell."""
    verb, _, cell = step.rpartition(" ")
    return (verb, cell) if cell[-1].isdigit() else (step, "")


def _told(scenario_of: Scenario, face: str) -> tuple[Kept, ...]:
    """What the store is to say of it: nobody knows the board of a game whose seed the server draws."""
    return (
        tuple(replace(one, help="shown" if one.help == "shown" else "") for one in scenario_of.kept)
        if face == "seat"
        else scenario_of.kept
    )


TABLE: Final = (
    # --- beginnings
    Scenario(name="an untouched game counts nowhere", steps=(READY,), kept=()),
    Scenario(name="a reveal begins", steps=("reveal a3", PLAYING), kept=(Kept("playing", "helped"),)),
    Scenario(name="a flag begins", steps=("flag b1", Seen("playing", "#F##/####/####")), kept=(Kept("playing", "helped"),)),
    Scenario(name="two moves begin once", steps=("reveal a3", "reveal d3", Seen("playing", _MORE)), kept=(Kept("playing", "helped"),)),
    # --- ends
    Scenario(name="lost", steps=("reveal a3", "reveal b1", LOST), kept=(Kept("lost"),)),
    Scenario(name="lost at once", steps=("reveal b1", Seen("lost", "#X*#/##*#/####")), kept=(Kept("lost"),)),
    Scenario(name="won", steps=("flag b1", "flag c1", "flag c2", WON), kept=(Kept("won"),)),
    Scenario(name="given up", steps=("reveal a3", "give up", GIVEN_UP), kept=(Kept("terminated"),)),
    Scenario(name="given up untouched", steps=("give up", Seen("terminated", "#**#/##*#/####")), kept=()),
    Scenario(
        name="nothing is done after an end", steps=("reveal a3", "reveal b1", "reveal d3", "give up", LOST), kept=(Kept("lost"),)
    ),
    # --- undo, redo
    Scenario(name="undone", steps=("reveal a3", "reveal d3", "undo", PLAYING), kept=(Kept("playing", "helped"),)),
    Scenario(
        name="redone", steps=("reveal a3", "reveal d3", "undo", "redo", Seen("playing", _MORE)), kept=(Kept("playing", "helped"),)
    ),
    Scenario(name="undone to the beginning", steps=("reveal a3", "undo", READY), kept=(Kept("playing", "helped"),)),
    Scenario(
        name="undone to the beginning, given up",
        steps=("reveal a3", "undo", "give up", Seen("terminated", "#**#/##*#/####")),
        kept=(Kept("terminated", "known, undo"),),
    ),
    Scenario(
        name="undone to the beginning, left, given up",
        steps=("reveal a3", "undo", READY, "leave", "resume", READY, "give up", Seen("terminated")),
        kept=(Kept("terminated", "known, undo"),),
    ),
    Scenario(
        name="undone to the beginning on a board that nobody knows, left, given up",
        spec=BEGINNER,
        steps=("reveal c3", "undo", Seen("ready"), "leave", "resume", Seen("ready"), "give up", Seen("terminated")),
        kept=(Kept("terminated", "undo"),),
    ),
    Scenario(name="a loss undone counts as lost", steps=("reveal a3", "reveal b1", "undo", PLAYING), kept=(Kept("lost"),)),
    Scenario(
        name="a loss undone and won counts as lost",
        steps=("reveal a3", "reveal b1", "undo", "flag b1", "flag c1", "flag c2", Seen("won", "#FF#/1#F#/.1##")),
        kept=(Kept("lost"),),
    ),
    Scenario(name="a win is not undone", steps=("flag b1", "flag c1", "flag c2", "undo", WON), kept=(Kept("won"),)),
    # --- the same board again
    Scenario(name="restarted while it ran", steps=("reveal a3", "restart", READY), kept=(Kept("terminated"),)),
    Scenario(
        name="restarted while it ran, on a board that nobody knows",
        spec=BEGINNER,
        steps=("reveal c3", "restart", Seen("ready"), "reveal c3", Seen("playing")),
        kept=(Kept("terminated", ""), Kept("playing", "helped")),
    ),
    Scenario(
        name="restarted and lost", steps=("reveal a3", "restart", "reveal a3", "reveal b1", LOST), kept=(Kept("terminated"), Kept("lost"))
    ),
    Scenario(name="restarted untouched", steps=("restart", READY), kept=()),
    Scenario(
        name="restarted after the end",
        steps=("reveal a3", "reveal b1", "restart", "reveal a3", PLAYING),
        kept=(Kept("lost"), Kept("playing", "helped")),
    ),
    Scenario(
        name="undone to the beginning, restarted",
        steps=("reveal a3", "undo", "restart", READY, "reveal a3", PLAYING),
        kept=(Kept("terminated", "known, undo"), Kept("playing", "helped")),
    ),
    Scenario(
        name="restarted, killed, lost",
        steps=("reveal a3", "restart", "reveal a3", PLAYING, "a second", "kill", "resume", PLAYING, "reveal b1", LOST),
        kept=(Kept("terminated"), Kept("lost")),
    ),
    # --- pause
    Scenario(name="paused", steps=("reveal a3", "pause", PAUSED, "reveal d3", PAUSED), kept=(Kept("playing", "helped"),)),
    Scenario(name="paused and lost", steps=("reveal a3", "pause", "go on", "reveal b1", LOST), kept=(Kept("lost", timed=False),)),
    Scenario(name="paused, given up", steps=("reveal a3", "pause", "give up", GIVEN_UP), kept=(Kept("terminated", timed=False),)),
    Scenario(name="paused, restarted", steps=("reveal a3", "pause", "restart", READY), kept=(Kept("terminated", timed=False),)),
    Scenario(
        name="paused, left, gone on with",
        steps=("reveal a3", "pause", PAUSED, "leave", "resume", PAUSED, "go on", PLAYING),
        kept=(Kept("playing", "helped"),),
    ),
    # --- help
    Scenario(name="a hint", steps=("reveal a3", "hint", PLAYING), kept=(Kept("playing", "helped"),)),
    Scenario(
        name="a hint on a board that nobody knows",
        spec=BEGINNER,
        steps=("reveal c3", "hint", Seen("playing")),
        kept=(Kept("playing", "helped"),),
    ),
    Scenario(name="a hint and a loss", steps=("reveal a3", "hint", "reveal b1", LOST), kept=(Kept("lost", "known, hint"),)),
    Scenario(name="a hint before the first move", steps=("hint", "reveal a3", PLAYING), kept=(Kept("playing", "helped"),)),
    Scenario(name="a hint, and nothing else", steps=("hint", READY), kept=()),
    Scenario(name="chances", steps=("reveal a3", "chances", PLAYING), kept=(Kept("playing", "helped"),)),
    Scenario(
        name="chances and a win",
        steps=("reveal a3", "chances", "flag b1", "flag c1", "flag c2", Seen("won", "#FF#/1#F#/.1##")),
        kept=(Kept("won", "known, chances"),),
    ),
    Scenario(name="the mines shown", steps=("reveal a3", "debug"), kept=(Kept("playing", "shown"),)),
    # --- a search before the first reveal
    Scenario(
        name="searched, killed",
        spec=NO_GUESS,
        steps=("reveal e5", Seen("playing"), "kill", "resume", Seen("playing", SAME)),
        kept=(Kept("playing", ""),),
    ),
    Scenario(
        name="searched after a flag, given up",
        spec=NO_GUESS,
        steps=("flag a1", Seen("playing"), "reveal e5", Seen("playing"), "give up", Seen("terminated")),
        kept=(Kept("terminated", ""),),
    ),
    # --- leaving, and kills
    Scenario(name="left and gone on with", steps=("reveal a3", "leave", "resume", PLAYING), kept=(Kept("playing", "helped"),)),
    Scenario(name="left at the seat", steps=("reveal a3", "quit"), kept=(Kept("terminated"),)),
    Scenario(name="killed", steps=("reveal a3", PLAYING, "kill"), kept=(Kept("playing", "helped"),)),
    Scenario(name="killed after the end", steps=("reveal a3", "reveal b1", LOST, "kill"), kept=(Kept("lost"),)),
    Scenario(name="killed after a win", steps=("flag b1", "flag c1", "flag c2", WON, "kill"), kept=(Kept("won"),)),
    Scenario(
        name="killed, gone on with, lost",
        steps=("reveal a3", PLAYING, "kill", "resume", PLAYING, "reveal b1", LOST),
        kept=(Kept("lost"),),
    ),
    Scenario(
        name="killed after a hint",
        spec=BEGINNER,
        steps=("reveal c3", "hint", Seen("playing"), "kill", "resume", Seen("playing", SAME), "give up", Seen("terminated")),
        kept=(Kept("terminated", "hint"),),
    ),
    Scenario(
        name="killed after a loss undone",
        steps=("reveal a3", "reveal b1", "undo", PLAYING, "a second", "kill", "resume", PLAYING),
        kept=(Kept("lost"),),
    ),
    # --- nowhere to keep it
    Scenario(
        name="lost on a full disk",
        steps=("reveal a3", PLAYING, "disk full", "reveal b1", replace(LOST, unsaved=True), "disk free"),
        kept=(Kept("lost"),),
    ),
    Scenario(name="begun on a full disk", steps=("disk full", "reveal a3", "disk free"), kept=(Kept("playing", "helped"),)),
    Scenario(
        name="lost while the database is away",
        needs="postgresql",
        steps=("reveal a3", PLAYING, "database away", "reveal b1", replace(LOST, unsaved=True), "database back"),
        kept=(Kept("lost"),),
    ),
    Scenario(
        name="begun while the database is away",
        needs="postgresql",
        steps=("database away", "reveal a3", "database back"),
        kept=(Kept("playing", "helped"),),
    ),
)  # fmt: skip


def _cases() -> Iterator[ParameterSet]:
    for number, scenario in enumerate(TABLE):
        for face in FACES:
            if not scenario.verbs & LACKS[face] and (face != "seat" or scenario.spec is SMALL):
                # A program takes half a second of processor to start, a screen a second; both play through the same code.
                is_left_out = {"screen": number % 3 != 0, "lines": number % 3 == 0 and scenario.verbs & OF_A_PROGRAM}
                marks = pytest.mark.full if is_left_out.get(face) else ()
                yield pytest.param(face, scenario, id=f"{face}: {scenario.name}", marks=marks)


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebProcess]:
    """A server for all scenarios: each has a player of its own."""
    limits = ("web.max_address_rate=100000", "web.max_open_games=100000")
    with web_process(tmp_path_factory.mktemp("web"), *limits) as process:
        yield process


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL that can be stopped."""
    with running(needed_binaries()) as made:
        yield made


@pytest.fixture
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """An empty store."""
    scenario: Scenario = request.node.callspec.params["scenario"]
    face: str = request.node.callspec.params["face"]
    is_troubled = bool(scenario.verbs & {"disk full", "database away"})
    if scenario.needs == "sqlite":
        web: WebProcess | None = request.getfixturevalue("web") if face == "web" else None
        address = f"sqlite:///{tmp_path / 'games.db'}" if web is None else web.database
        return Place(tmp_path, address, is_troubled=is_troubled)
    made: Cluster = request.getfixturevalue("cluster")
    name = f"scenario{next(_NUMBERS)}"
    with psycopg.connect(made.address.format(name="postgres"), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return Place(tmp_path, made.address.format(name=name), made, is_troubled)


@pytest.mark.parametrize(("face", "scenario"), tuple(_cases()))
def test_the_same_on_every_face(face: str, scenario: Scenario, place: Place, request: pytest.FixtureRequest) -> None:
    with contextlib.ExitStack() as stack:
        played: Face
        if face == "web":
            server: WebProcess
            if scenario.needs == "sqlite":
                server = request.getfixturevalue("web")
            else:
                server = stack.enter_context(web_process(place.folder, database=place.database))
            played = WebFace(place, server)
        else:
            spoken = LinesFace if scenario.verbs & OF_A_PROGRAM else SpokenFace
            played = {"lines": spoken, "screen": ScreenFace, "seat": SeatFace, "library": LibraryFace}[face](place)
        stack.callback(played.close)
        try:
            _play(played, scenario)
        finally:
            if played.is_away:
                played.trouble("database back")  # it is others' too


def _play(face: Face, scenario: Scenario) -> None:
    """Play the transcript, and compare what the store says at its end."""
    face.begin(scenario.spec)
    before, last = Seen("ready"), 0
    for step in scenario.steps:
        if isinstance(step, Seen):
            before = _look(face, step, before)
            last = _time_goes_on(face, before, last)
            continue
        verb, cell = _parted(step)
        if verb in ("disk full", "disk free", "database away", "database back"):
            face.trouble(verb)
        elif verb in ("leave", "quit"):
            face.leave()
        elif verb == "kill":
            face.kill()
            last = 0  # by how much a saved game is behind depends on how busy the machine is
        elif verb == "resume":
            face.resume()
        elif verb == "a second":
            time.sleep(1.0)  # so far a saved game may be behind
        else:
            face.do(verb, cell)
        if verb == "restart":
            last = 0
    wanted = list(_told(scenario, face.name))
    assert until(face.kept, wanted) == wanted


def _look(face: Face, wanted: Seen, before: Seen) -> Seen:
    """What is to be seen, sooner or later; what was seen."""
    rows = before.rows if wanted.rows == SAME else wanted.rows

    def look() -> Seen:
        seen = face.seen()
        return replace(seen, rows=None) if rows is None else seen

    assert until(look, replace(wanted, rows=rows)) == replace(wanted, rows=rows)
    seen = face.seen()
    while rows is None:
        # A screen may have been read while it was drawn.
        time.sleep(0.2)
        before, seen = seen, face.seen()
        rows = seen.rows if seen == before else None
    return seen


def _time_goes_on(face: Face, seen: Seen, last: int) -> int:
    """Time is never given back; it stands in a pause and after the end."""
    now = face.elapsed()
    if now is None:
        return last
    assert now >= last
    if seen.paused or seen.status in ENDED:
        time.sleep(0.01)
        assert face.elapsed() == now
    return now
