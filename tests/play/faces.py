"""The faces of a game, driven alike: a verb in, what the player sees and what the store says out; and the library, the first of them.

Each is as a player has it: the web game through a socket of a real server, the screen in a pseudo-terminal, the lines through a
pipe, the seat through a connection to a real server, the library in this process.
"""

import contextlib
import resource
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar, Final

from sapper.core.cells import Cell
from sapper.core.coordinates import read_cell
from sapper.core.grid import Grid
from sapper.core.notation import write_tiles
from sapper.core.preset import Preset, find_preset
from sapper.core.rules import find_rules
from sapper.errors import SapperError
from sapper.play.game_parts import GameOptions, GameParts, new_parts, saved_parts
from sapper.play.played_game import PlayedGame
from sapper.play.ports import GamePorts, InlineJobs, Receipt
from sapper.play.writer import Writer
from sapper.session.game_request import GameRequest
from sapper.session.inputs import Verb
from sapper.store.models import Result, StoredGame
from sapper.store.repository import open_store
from tests.postgres import Cluster

PATIENCE: Final = 60.0
ENDED: Final = frozenset({"won", "lost", "terminated"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Spec:
    """A game to begin."""

    rules: str | None = None
    size: tuple[int, int] | None = None
    mines: int | None = None
    seed: int | None = None
    no_guess: bool = False

    @property
    def grid(self) -> Grid:
        """Its grid; Beginner's where no size is said."""
        return Grid(*(self.size or (9, 9)))

    @property
    def request(self) -> GameRequest:
        """As the library takes it."""
        preset = find_preset("beginner")
        if self.rules is not None and self.size is not None and self.mines is not None:
            width, height = self.size
            rules = find_rules(self.rules)
            preset = Preset(name="small", rules=rules, width=width, height=height, mine_counts=(self.mines,))
        return GameRequest(preset=preset, no_guess=self.no_guess, seed=self.seed)

    @property
    def options(self) -> list[str]:
        """As `sapper play` takes it."""
        is_named = self.size is None and self.mines is None
        words = ["--preset", "beginner" if is_named else f"{self.grid.width}x{self.grid.height}/{self.mines or 10}"]
        for name in ("rules", "seed"):
            if (value := getattr(self, name)) is not None:
                words += [f"--{name}", str(value)]
        return words + (["--no-guess"] if self.no_guess else [])

    @property
    def body(self) -> dict[str, Any]:
        """As the web game takes it."""
        size = {} if self.size is None else {"width": self.size[0], "height": self.size[1]}
        found = {
            "rules": self.rules,
            "mine_count": self.mines,
            "seed": None if self.seed is None else str(self.seed),
            **size,
        }
        return {name: value for name, value in found.items() if value is not None} | (
            {"no_guess": True} if self.no_guess else {}
        )


@dataclass(frozen=True, slots=True)
class Seen:
    """What a player sees."""

    status: str
    rows: str | None = None
    """The tiles, rows between slashes; None where the table does not say."""
    paused: bool = False
    unsaved: bool = False
    """Whether the player was told that this is not saved yet."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What the store says of a game."""

    result: str
    help: str = "known"
    """What sets it apart, in the words of `_help`; of a game that has not ended only whether there was any ("helped")."""
    timed: bool = True
    """Whether its time counts; it is asked only of games that have ended."""


def kept_in(address: str, key: str = "") -> list[Kept]:
    """The games of a store in the order in which they began; those only whose key begins so."""
    with open_store(address) as store:
        games = [game for game in store.games() if game.key.startswith(key)]
    return [_kept(game) for game in sorted(games, key=lambda game: (game.started, game.key))]


def _kept(game: StoredGame) -> Kept:
    found = {
        "shown": game.debugged,
        "known": game.restarted,
        "hint": game.hints,
        "undo": game.undos,
        "chances": game.overlay,
    }
    words = ", ".join(name for name, is_so in found.items() if is_so)
    if game.result is Result.PLAYING:
        return Kept("playing", words if words in ("", "shown") else "helped")
    return Kept(game.result.value, words, timed=game.time_ms is not None)


@dataclass(slots=True)
class Place:
    """Where a face keeps its games: a store of its own."""

    folder: Path
    database: str
    cluster: Cluster | None = None
    is_troubled: bool = False
    """Whether something will keep games from being stored. Else a face is never to say so, however busy the machine is."""


class Face:
    """What every face of the table is."""

    name: ClassVar[str]

    def __init__(self, place: Place) -> None:
        self.place = place
        self.spec = Spec()
        self.is_away = False
        """Whether the database has been stopped."""

    def begin(self, spec: Spec) -> None:
        """A new game."""
        raise NotImplementedError

    def do(self, verb: str, cell: str) -> None:
        """What the player does; what cannot be done is refused, and changes nothing."""
        raise NotImplementedError

    def leave(self) -> None:
        """The player goes away in order."""
        raise NotImplementedError

    def kill(self) -> None:
        """What plays the game is killed."""
        raise NotImplementedError

    def resume(self) -> None:
        """Go on with the game."""
        raise NotImplementedError

    def seen(self) -> Seen:
        """What the player sees now."""
        raise NotImplementedError

    def elapsed(self) -> int | None:
        """Milliseconds on the clock, as far as the player is told."""
        raise NotImplementedError

    def kept(self) -> list[Kept] | None:
        """What the store says; None where the face has none."""
        return kept_in(self.place.database)

    def close(self) -> None:
        """Make an end, in order."""

    @property
    def pid(self) -> int:
        """Of the process that writes to the store."""
        raise NotImplementedError

    def trouble(self, verb: str) -> None:
        """Something happens to what the games are kept on."""
        limit = {"disk full": 0, "disk free": resource.RLIM_INFINITY}.get(verb)
        if limit is not None:
            # No file takes one byte more. The hard limit stays.
            resource.prlimit(self.pid, resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
            return
        assert self.place.cluster is not None
        self.is_away = verb == "database away"
        (self.place.cluster.stop if self.is_away else self.place.cluster.start)()


def rows_between(tiles: str, grid: Grid) -> str:
    """Tiles as rows between slashes."""
    return "/".join(tiles[at : at + grid.width] for at in range(0, grid.size, grid.width))


class LibraryFace(Face):
    """A program that plays with the library: a played game, a writer and a store, in this process."""

    name = "library"
    _VERBS: ClassVar = {
        "reveal": Verb.REVEAL, "undo": Verb.UNDO, "redo": Verb.REDO, "restart": Verb.RESTART, "give up": Verb.TERMINATE,
        "pause": Verb.PAUSE, "go on": Verb.GO_ON, "hint": Verb.HINT, "flag": Verb.RIGHT,
    }  # fmt: skip
    _KEY: ClassVar = "a game"

    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self._store = open_store(place.database)
        self._writer = Writer(self._store)
        self._ports = GamePorts(jobs=InlineJobs(), sink=self._writer, now=lambda: datetime.now(UTC))
        self._receipt: Receipt | None = None
        """Of what was done last."""

    def begin(self, spec: Spec) -> None:
        self.spec = spec
        self._play(new_parts(spec.request.game(1), seen=spec.request.seen))

    def _play(self, parts: GameParts) -> None:
        options = GameOptions(face="library")
        self._game = PlayedGame(parts, key=self._KEY, player="ann", ports=self._ports, options=options)

    def do(self, verb: str, cell: str) -> None:
        place = read_cell(self.spec.grid, cell) if cell else Cell(0)
        verbs = (Verb.OVERLAY, Verb.NO_OVERLAY) if verb == "chances" else (self._VERBS[verb],)
        with contextlib.suppress(SapperError):
            for one in verbs:
                self._receipt = self._game.do(one, place).receipt

    def leave(self) -> None:
        assert self._game.save().wait(PATIENCE)

    def kill(self) -> None:
        """What is in the store is all that is left."""

    def resume(self) -> None:
        saved = self._store.find_session(self._KEY)
        assert saved is not None
        self._play(saved_parts(saved.text))

    def seen(self) -> Seen:
        session, layout = self._game.session, self._game.referee.layout
        board = session.board
        if session.status.ended and layout is not None:
            board = board.show(layout.mines)
        rows = rows_between(write_tiles(board.tiles), self.spec.grid)
        unsaved = self._receipt is not None and not self._receipt.wait(1.0)
        return Seen(session.status.value, rows, session.is_paused, unsaved)

    def elapsed(self) -> int | None:
        return self._game.session.elapsed

    def close(self) -> None:
        self._writer.close()
        self._store.close()


def until(question: Any, wanted: Any, seconds: float = PATIENCE) -> Any:
    """Ask until the answer is as wanted, for so long at most; the last answer."""
    deadline = time.monotonic() + seconds
    while (answer := question()) != wanted and time.monotonic() < deadline:
        time.sleep(0.02)
    return answer
