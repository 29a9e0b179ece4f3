"""The faces of servers: the web game on a socket, the game server's seat on a connection."""

import contextlib
import json
import re
import subprocess
import sys
from typing import Any, ClassVar, Final

import httpx
from websockets.sync.client import ClientConnection, connect

from sapper.core.coordinates import read_cell
from tests.network import PATIENT_SAPPER, Wire, rows_of
from tests.play.faces import PATIENCE, Face, Kept, Place, Seen, Spec, kept_in, rows_between
from tests.web_process import WebProcess

SAPPER: Final = (sys.executable, "-m", "sapper")
SEAT_SEED: Final = 5
"""Of a game server: its first game has the seed that `Rng` draws first from this."""


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
        program = SAPPER if self.place.is_troubled else PATIENT_SAPPER
        with (self.place.folder / "serve.log").open("a", encoding="utf-8") as log:
            self._process = subprocess.Popen(
                [*program, "serve", "--port", "0", "--seed", str(SEAT_SEED), "--database", self.place.database],
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
