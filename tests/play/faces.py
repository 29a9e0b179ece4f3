"""The faces of a game, driven alike: a verb in, what the player sees and what the store says out.

Each is as a player has it: the web game through a socket of a real server, the screen in a pseudo-terminal, the lines through a
pipe, the seat through a connection to a real server, the library in this process.
"""

import contextlib
import json
import re
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final

import httpx
from websockets.sync.client import ClientConnection, connect

from sapper.core.coordinates import cell_name, read_cell
from sapper.core.grid import Grid
from sapper.core.move import Move
from sapper.core.notation import write_tiles
from sapper.core.rules import find_rules
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.errors import SapperError
from sapper.generator.game_code import CodedGame
from sapper.session.new_session import new_session
from sapper.session.saving import load_session, save_session
from sapper.store.models import Result, StoredGame
from sapper.store.repository import open_store
from tests.network import TerminalProcess, Wire, rows_of
from tests.postgres import Cluster
from tests.web_process import WebProcess

PATIENCE: Final = 60.0
SEAT_SEED: Final = 5
"""Of a game server: the first game that it begins is that of `SMALL`."""
SAPPER: Final = (sys.executable, "-m", "sapper")
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
    def options(self) -> list[str]:
        """As `sapper play` takes it."""
        words: list[str] = [] if self.size is not None else ["--preset", "beginner"]
        if self.size is not None:
            words += ["--size", f"{self.size[0]}x{self.size[1]}"]
        for name in ("rules", "mines", "seed"):
            if (value := getattr(self, name)) is not None:
                words += [f"--{name}", str(value)]
        return words + (["--no-guess"] if self.no_guess else [])

    @property
    def body(self) -> dict[str, Any]:
        """As the web game takes it."""
        size = {} if self.size is None else {"width": self.size[0], "height": self.size[1]}
        found = {
            "rules": self.rules,
            "mines": self.mines,
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


class Face:
    """What every face of the table is."""

    name: ClassVar[str]
    has_store: ClassVar[bool] = True

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


class WebFace(Face):
    """A player of the web game, on a socket."""

    name = "web"

    def __init__(self, place: Place, server: WebProcess) -> None:
        super().__init__(place)
        self.server = server
        with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
            self._cookie = f"sapper_player={client.get('api/player').cookies['sapper_player']}"
        self._open = contextlib.ExitStack()
        self._socket: ClientConnection | None = None
        self._number = 0
        self._unsaved = False

    def begin(self, spec: Spec) -> None:
        self.spec = spec
        made = httpx.post(
            f"{self.server.url}api/games", json=spec.body, headers={"cookie": self._cookie}, timeout=PATIENCE
        )
        assert made.status_code == 201, made.text
        self._path, self._game = made.json()["socket"], made.json()["game"]
        self.resume()

    def resume(self) -> None:
        self._socket = self._open.enter_context(
            connect(
                f"ws://127.0.0.1:{self.server.port}{self._path}", additional_headers={"cookie": self._cookie}, compression=None,
                open_timeout=PATIENCE, close_timeout=PATIENCE, ping_interval=None,
            )
        )  # fmt: skip
        self._hear()

    def _hear(self) -> dict[str, Any]:
        assert self._socket is not None
        message: dict[str, Any] = json.loads(self._socket.recv(PATIENCE))
        if message["type"] == "saving":
            self._unsaved = not message["saved"]
        return message

    def _ask(self, do: str, **values: Any) -> dict[str, Any]:
        """Say something and hear its answer."""
        assert self._socket is not None
        self._number += 1
        self._socket.send(json.dumps({"do": do, "id": self._number, **values}))
        while True:
            message = self._hear()
            if message.get("id") != self._number or message.get("what") == "working":
                continue
            # A hint, chances and an end follow the update that counts them.
            if message["type"] == "update" and do == "hint":
                continue
            return message

    def do(self, verb: str, cell: str) -> None:
        self._unsaved = False
        if verb == "chances":
            self._ask("overlay", on=True)
            self._ask("overlay", on=False)
            return
        where = {"cell": self.spec.grid.xy(read_cell(self.spec.grid, cell))} if cell else {}
        words = {"give up": "terminate", "go on": "go_on"}
        self._ask(words.get(verb, verb), **where)

    def leave(self) -> None:
        self._open.close()

    def kill(self) -> None:
        self.server.kill()
        self.leave()
        self.server.start()

    def _state(self) -> dict[str, Any]:
        return self._ask("state")

    def seen(self) -> Seen:
        state = self._state()
        tiles = list("".join(state["board"]))
        for start, text in state.get("end", {}).get("runs", ()):
            tiles[start : start + len(text)] = text
        return Seen(state["status"], rows_between("".join(tiles), self.spec.grid), state["paused"], self._unsaved)

    def elapsed(self) -> int | None:
        time_of: int = self._state()["time"]
        return time_of

    def kept(self) -> list[Kept] | None:
        return kept_in(self.place.database, self._game)

    def close(self) -> None:
        self.leave()

    @property
    def pid(self) -> int:
        assert self.server.process is not None
        return self.server.process.pid


def rows_between(tiles: str, grid: Grid) -> str:
    """Tiles as rows between slashes."""
    return "/".join(tiles[at : at + grid.width] for at in range(0, grid.size, grid.width))


class LinesFace(Face):
    """A script that plays through a pipe."""

    name = "lines"
    _WORDS: ClassVar = {"give up": "giveup", "go on": "pause"}
    _STATES: ClassVar = {"not begun": "ready", "given up": "terminated"}

    def begin(self, spec: Spec) -> None:
        self.spec = spec
        self._start(*spec.options)

    def _start(self, *options: str) -> None:
        self._process = subprocess.Popen(
            [*SAPPER, "play", "--lines", "--player", "ann", "--database", self.place.database, *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, encoding="utf-8",
        )  # fmt: skip
        self._paused = self._unsaved = False
        self._answer()

    def _answer(self) -> list[str]:
        assert self._process.stdout is not None
        lines: list[str] = []
        while line := self._process.stdout.readline().rstrip("\n"):
            lines.append(line)
        return lines

    def _ask(self, line: str) -> list[str]:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        return self._answer()

    def do(self, verb: str, cell: str) -> None:
        said = " ".join(self._ask(f"{self._WORDS.get(verb, verb)} {cell}".strip()))
        self._unsaved = "not saved" in said
        if verb in ("pause", "go on"):
            self._paused = "paused" in said
        elif verb in ("restart", "give up"):
            self._paused = False

    def leave(self) -> None:
        self.close()

    def kill(self) -> None:
        self._process.kill()
        self.close()

    def resume(self) -> None:
        self._start()
        said = " ".join(self._ask("resume 1"))
        assert "no unfinished game" not in said, said
        self._paused = "paused" in said

    def seen(self) -> Seen:
        rows = self._ask("text")[1:]
        state = self._ask("status")[0].partition(";")[0]
        # Where the state says "paused" the game is playing.
        return Seen(self._STATES.get(state, state), "/".join(rows), self._paused, self._unsaved)

    def elapsed(self) -> int | None:
        found = re.search(r"(\d+) seconds?", self._ask("status")[0])
        assert found is not None
        return int(found[1]) * 1000

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.wait(PATIENCE)
        self._process.stdout.close()

    @property
    def pid(self) -> int:
        return self._process.pid


_DONE: Final = "no 8 on the board"


class ScreenFace(Face):
    """A player in front of a terminal."""

    name = "screen"
    _KEYS: ClassVar = {
        "reveal": " ", "flag": "f", "undo": "u", "redo": "\x12", "pause": "p", "go on": "p", "restart": "r", "give up": "E",
    }  # fmt: skip
    _STATES: ClassVar = {"WON": "won", "GAME OVER": "lost", "given up": "terminated"}

    def begin(self, spec: Spec) -> None:
        self.spec = spec
        self._start(*spec.options)
        self._terminal.wait_for("time:")

    def _start(self, *options: str) -> None:
        words = ("play", "--player", "ann", "--database", self.place.database, *options)
        self._terminal = TerminalProcess([*SAPPER, *words])

    def do(self, verb: str, cell: str) -> None:
        if cell:
            x, y = self.spec.grid.xy(read_cell(self.spec.grid, cell))
            self._terminal.type("gg0" + "j" * y + "l" * x)
        if verb == "chances":
            self._terminal.type("oo")
        elif verb == "hint":
            self._in_order()
            self._terminal.type("i")
            self._terminal.wait_until(lambda: not self._shows(_DONE) and not self._shows("thinking"))
        elif verb in ("restart", "give up"):
            self._in_order()
            self._terminal.type(self._KEYS[verb])
            if not self._has_ended():
                # Of a running game it is asked whether that is meant.
                self._terminal.wait_until(lambda: not self._shows(_DONE))
                if self._shows("again does so") or self._shows("again gives the game up"):
                    self._terminal.type(self._KEYS[verb])
        else:
            self._terminal.type(self._KEYS[verb])
        if verb == "reveal" and self.spec.no_guess:
            # A layout is looked for: other keys are refused meanwhile.
            self._terminal.wait_until(lambda: set("".join(self._board())) - set("#F"))

    def _has_ended(self) -> bool:
        return any(words in self._boxes() for words in self._STATES)

    def _shows(self, words: str) -> bool:
        return any(words in line for line in self._terminal.lines)

    def _in_order(self) -> None:
        """Wait until the keys so far have been done: a search for a tile that no board has is answered after them."""
        self._terminal.type("/8")
        self._terminal.wait_until(lambda: self._shows(_DONE) or self._has_ended())

    def _boxes(self) -> str:
        return next((line for line in self._terminal.lines if "time: " in line), "")

    def _field(self, name: str) -> int | None:
        found = re.search(rf"{name}: (-?\d+)", self._boxes())
        return None if found is None else int(found[1])

    def _board(self) -> list[str]:
        """The rows, a character a cell."""
        lines, grid = self._terminal.lines, self.spec.grid
        names = [cell_name(grid, x)[:-1] for x in range(grid.width)]
        head = next((n for n, line in enumerate(lines) if line.split() == names), None)
        if head is None:
            return []
        places = [match.start() for match in re.finditer(r"\S+", lines[head])]
        shown = [line for line in lines[head + 1 :] if re.match(r"\s*\d+\s", line)][: grid.height]
        return ["".join(line[place] for place in places).replace(" ", ".").replace("·", "#") for line in shown]

    def leave(self) -> None:
        self._terminal.type("q")
        self._terminal.end()
        self._terminal.close()

    def kill(self) -> None:
        self._terminal.process.kill()
        self._terminal.close()

    def resume(self) -> None:
        self._start()
        self._terminal.wait_for("games played")  # it is read with the games to go on with
        assert self._shows("go on:"), "there is no game to go on with"
        self._terminal.type("\x1b[F\r")
        self._terminal.wait_for("time:")

    def seen(self) -> Seen:
        boxes, rows = self._boxes(), self._board()
        status = next((word for text, word in self._STATES.items() if text in boxes), "playing")
        if status == "playing" and set("".join(rows)) <= {"#"} and "paused" not in boxes:
            status = "ready"  # the screen says no more of it
        return Seen(status, "/".join(rows), "paused" in boxes, self._shows("not saved"))

    def elapsed(self) -> int | None:
        seconds = self._field("time")
        return None if seconds is None else seconds * 1000

    def close(self) -> None:
        if self._terminal.process.poll() is None:
            self._terminal.type("q")
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._terminal.process.wait(PATIENCE)
            self._terminal.close()

    @property
    def pid(self) -> int:
        return self._terminal.process.pid


class SeatFace(Face):
    """A player at the game server, through its protocol. There is no undo and no log: who leaves gives up."""

    name = "seat"
    _MOVES: ClassVar = {"reveal": 5, "flag": 6, "debug": 10}

    def begin(self, spec: Spec) -> None:
        self.spec = spec
        self._start()
        self._wire = Wire(self._port)
        grid = spec.grid
        self._content = self._wire.ask(bytes([7, 0, 0, 0, 3, grid.width, grid.height, 2]))

    def _start(self) -> None:
        with (self.place.folder / "serve.log").open("a", encoding="utf-8") as log:
            self._process = subprocess.Popen(
                [*SAPPER, "serve", "--port", "0", "--seed", str(SEAT_SEED), "--database", self.place.database],
                stdout=subprocess.PIPE, stderr=log, text=True,
            )  # fmt: skip
        assert self._process.stdout is not None
        ready = re.match(r"Serving on 127\.0\.0\.1:(\d+)\.", self._process.stdout.readline())
        assert ready is not None
        self._port = int(ready[1])

    def do(self, verb: str, cell: str) -> None:
        if cell:
            x, y = self.spec.grid.xy(read_cell(self.spec.grid, cell))
            for packet, count in ((1, self.spec.grid.width), (3, self.spec.grid.height), (2, x), (4, y)):
                for _ in range(count):
                    self._wire.ask(packet)
        self._content = self._wire.ask(self._MOVES[verb])

    def leave(self) -> None:
        self._wire.sock.sendall(bytes([8]))
        assert self._wire.is_closed()
        self._wire.sock.close()

    def kill(self) -> None:
        self._process.kill()
        self._wire.sock.close()
        self._ended()
        self._start()

    def _ended(self) -> None:
        self._process.wait(PATIENCE)
        assert self._process.stdout is not None
        self._process.stdout.close()

    def seen(self) -> Seen:
        lines = rows_of(self._content)
        rows = [
            "".join({"?": "#", "B": "*", "M": "F"}.get(one, one) for one in line)
            for line in lines[: self.spec.grid.height]
        ]
        words = " ".join(lines[self.spec.grid.height :])
        status = {"YOU WON": "won", "YOU LOST": "lost"}
        found = next((word for text, word in status.items() if text in words), "playing")
        if found == "playing" and set("".join(rows)) <= {"#"}:
            found = "ready"
        return Seen(found, "/".join(rows), False, "not saved" in words)

    def elapsed(self) -> int | None:
        return None

    def close(self) -> None:
        self._wire.sock.close()
        if self._process.poll() is None:
            self._process.terminate()
            self._ended()

    @property
    def pid(self) -> int:
        return self._process.pid


class LibraryFace(Face):
    """A program that plays with a session. It keeps a saved game after each input, as a text."""

    name = "library"
    has_store = False

    def begin(self, spec: Spec) -> None:
        self.spec = spec
        rules = find_rules(spec.rules or "modern")
        game = CodedGame(
            rules=rules, grid=spec.grid, mines=spec.mines or 10, seed=1 if spec.seed is None else spec.seed
        )
        self._session, self._referee = new_session(game)
        self._save()

    def _save(self) -> None:
        self._text = save_session(self._session, self._referee)

    def do(self, verb: str, cell: str) -> None:
        session = self._session
        place = read_cell(self.spec.grid, cell) if cell else 0
        acts = {
            "reveal": lambda: session.play(Move.reveal(place)),
            "flag": lambda: session.play(
                Move.unflag(place) if session.board.tile(place) is Tile.FLAGGED else Move.flag(place)
            ),
            "undo": session.undo, "redo": session.redo, "restart": session.restart, "give up": session.terminate,
            "pause": session.pause, "go on": session.go_on, "hint": lambda: session.hint(session.board.covered),
            "chances": lambda: (session.show_chances(True), session.show_chances(False)),
        }  # fmt: skip
        with contextlib.suppress(SapperError):
            acts[verb]()
        self._save()

    def leave(self) -> None:
        self._save()

    def kill(self) -> None:
        """What is saved is all that is left."""

    def resume(self) -> None:
        self._session, self._referee = load_session(self._text)

    def seen(self) -> Seen:
        session, layout = self._session, self._referee.layout
        board = session.board
        if session.status in (Status.WON, Status.LOST, Status.TERMINATED) and layout is not None:
            board = board.show(layout.mines)
        return Seen(session.status.value, rows_between(write_tiles(board.tiles), self.spec.grid), session.is_paused)

    def elapsed(self) -> int | None:
        return self._session.elapsed

    def kept(self) -> list[Kept] | None:
        return None


@contextlib.contextmanager
def face_of(name: str, place: Place, web: WebProcess | None) -> Iterator[Face]:
    """A face for the length of a block."""
    if name == "web":
        assert web is not None
        face: Face = WebFace(place, web)
    else:
        face = {"lines": LinesFace, "screen": ScreenFace, "seat": SeatFace, "library": LibraryFace}[name](place)
    try:
        yield face
    finally:
        if face.is_away:
            face.trouble("database back")  # it is others' too
        face.close()


def until(question: Any, wanted: Any, seconds: float = 10.0) -> Any:
    """Ask until the answer is as wanted, for so long at most; the last answer."""
    deadline = time.monotonic() + seconds
    while (answer := question()) != wanted and time.monotonic() < deadline:
        time.sleep(0.02)
    return answer
