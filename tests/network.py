"""Servers and clients for tests: real processes, real sockets, a pseudo-terminal with a screen.

Nothing sleeps: whatever is waited for is an event, with a time limit that only a failure reaches.
"""

import contextlib
import fcntl
import os
import pty
import re
import signal
import socket
import struct
import subprocess
import sys
import termios
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Self

import pyte

from sapper.core.cells import CellSet
from sapper.core.rng import Rng
from sapper.net.packets import StartRequest
from sapper.net.seat import new_game, seat_ports
from sapper.play.ports import NoSink
from tests.web_process import settings_among

PATIENCE = 60.0
"""Seconds until a test gives up: machines may be busy."""

_PATIENT = f"""
import sys
from sapper.cli.main import main

if "serve" in sys.argv:
    from sapper.net import connection

    connection.KEEP_TIME = {PATIENCE}
else:
    from sapper.tui.keeper import GameArchive
    from sapper.tui.local_play import LocalPlay

    GameArchive.__init__.__kwdefaults__["keep_time"] = {PATIENCE}
    LocalPlay.__init__.__kwdefaults__["new_seed"] = iter(range(1, 1000)).__next__
if "--url" in sys.argv:
    from sapper.tui import remote_play, web_server

    remote_play.ANSWER_TIME = web_server.ANSWER_TIME = {2 * PATIENCE}
sys.exit(main(sys.argv[1:]))
"""
PATIENT_SAPPER = (sys.executable, "-c", _PATIENT)
"""`sapper play` and `sapper serve` that wait longer than players would for an answer, and for their store before they say that something is
not saved: for tests that are not about that. Games at this machine have the same boards each time."""

SGR = re.compile(r"\x1b\[[0-9;]*m")
PLACE = re.compile(r"\x1b\[(\d+);(\d+)H\Z")


def start(columns: int, rows: int, level: int = 1) -> bytes:
    """START as bytes."""
    return bytes([7, 0, 0, 0, 3, columns, rows, level])


def mines_of(server_seed: int, columns: int, rows: int, level: int, game: int = 0) -> CellSet:
    """Where the mines are in the so many-th game of a server that was started with a seed."""
    rng = Rng(server_seed)
    seeds = [rng.next() for _ in range(game + 1)]
    request = StartRequest(columns=columns, rows=rows, level=level)
    layout = new_game(request, seeds[game], "key", seat_ports(NoSink())).referee.layout
    assert layout is not None
    return layout.mines


def rows_of(content: str) -> list[str]:
    """The lines of a screen content, without attributes and the cursor's place."""
    assert content.startswith("\x1b[2J\x1b[H")
    return SGR.sub("", PLACE.sub("", content.removeprefix("\x1b[2J\x1b[H"))).split("\r\n")


def cursor_of(content: str) -> tuple[int, int]:
    """Column and row of the cursor of a screen content, from 0."""
    match = PLACE.search(content)
    assert match is not None
    return int(match[2]) - 1, int(match[1]) - 1


class Wire:
    """A client that is nothing but a socket."""

    def __init__(self, port: int, address: str = "") -> None:
        """`address`: where it comes from."""
        self.sock = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE, source_address=(address, 0))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.sock.close()

    def ask(self, packet: bytes | int) -> str:
        """Send a packet and read its answer."""
        self.sock.sendall(packet if isinstance(packet, bytes) else bytes([packet]))
        return self.read()

    def read(self) -> str:
        """The next screen content."""
        header = self.take(5)
        assert header[0] == 9
        return self.take(int.from_bytes(header[1:])).decode()

    def take(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            piece = self.sock.recv(count - len(data))
            if not piece:
                raise EOFError(f"the server closed the connection after {data!r}")
            data += piece
        return data

    def is_closed(self) -> bool:
        """Wait for the end of the connection; False if something else comes."""
        try:
            return self.sock.recv(1) == b""
        except ConnectionError:
            return True


class ServerProcess:
    """`sapper serve` in a process of its own, on a free port; games are not recorded unless an option says so."""

    def __init__(self, *options: str) -> None:
        # A database is a second of imports, and not what these tests are about.
        words, settings = settings_among(options)
        unrecorded = () if {"--record", "--database"} & set(words) else ("--no-record",)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "sapper", "serve", "--port", "0", *unrecorded, *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | settings,
        )
        self.log: list[str] = []
        self._news = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        assert self.process.stdout is not None
        ready = re.match(r"Serving on 127\.0\.0\.1:(\d+)\.", self.process.stdout.readline())
        if ready is None:
            self.process.kill()
            self._reader.join(PATIENCE)
            raise AssertionError(f"the server did not start: {self.log}")
        self.port = int(ready[1])

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            with self._news:
                self.log.append(line.rstrip("\n"))
                self._news.notify_all()

    def wait_for(self, pattern: str, count: int = 1) -> list["re.Match[str]"]:
        """Wait until so many lines of the log have it; the matches."""
        with self._news:
            found: list[re.Match[str]] = []

            def look() -> bool:
                found[:] = [match for line in self.log if (match := re.search(pattern, line))]
                return len(found) >= count

            assert self._news.wait_for(look, PATIENCE), f"{pattern} is not in {self.log}"
            return found

    def stop(self, number: int = signal.SIGTERM) -> int:
        """End it; its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        code = self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self.process.stdout.close()
        self.process.stderr.close()
        return code


@contextlib.contextmanager
def served(*options: str) -> Iterator[ServerProcess]:
    """A server for the length of a block."""
    server = ServerProcess(*options)
    try:
        yield server
    finally:
        server.stop()


# The title of a window: it comes after everything that was written before, and changes nothing that is seen.
_OVER = b"\x1b]2;the program has ended\x07"

# A terminal is a process's own only if the process asks for it.
_WITH_TERMINAL = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execvp(sys.argv[1], sys.argv[1:])"
)


class TerminalProcess:
    """A program in a pseudo-terminal, and the screen that somebody in front of it would see."""

    def __init__(
        self, command: list[str], *, columns: int = 80, rows: int = 24, environment: dict[str, str] | None = None
    ) -> None:
        self.master, self.slave = pty.openpty()
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self.written = b""
        self._news = threading.Condition()
        self._set_size(columns, rows)
        self.modes = termios.tcgetattr(self.slave)
        # Readline, which pytest imports, leaves the size of another terminal to every child.
        variables = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "LINES")}
        self.process = subprocess.Popen(
            [sys.executable, "-c", _WITH_TERMINAL, *command],
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            start_new_session=True,
            env=variables | {"TERM": "xterm"} | (environment or {}),
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        while True:
            try:
                data = os.read(self.master, 65536)
            except OSError:
                return
            if not data:
                return
            with self._news:
                self.written += data
                self._stream.feed(data)
                self._news.notify_all()

    def _set_size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, columns: int, rows: int) -> None:
        """Change the window's size, as a window manager does."""
        with self._news:
            self.screen.resize(rows, columns)
        self._set_size(columns, rows)

    def type(self, keys: str | bytes) -> None:
        """Press keys."""
        data = keys.encode() if isinstance(keys, str) else keys
        while data:
            data = data[os.write(self.master, data) :]

    @property
    def lines(self) -> list[str]:
        """What is on the screen."""
        return list(self.screen.display)

    def wait_until(self, condition: Callable[[], Any]) -> None:
        """Wait until something is so; it is asked again whenever something was written."""
        with self._news:
            assert self._news.wait_for(condition, PATIENCE), "\n".join(self.lines)

    def wait_for(self, text: str) -> None:
        """Wait until the screen shows a text."""
        self.wait_until(lambda: any(text in line for line in self.lines))

    def wait_for_cursor(self, x: int, y: int) -> None:
        """Wait until the cursor is in that column and row."""
        self.wait_until(lambda: (self.screen.cursor.x, self.screen.cursor.y) == (x, y))

    def end(self) -> int:
        """Wait for the program to end, and until all that it wrote is on the screen; its exit code."""
        code = self.process.wait(PATIENCE)
        os.write(self.slave, _OVER)
        self.wait_until(lambda: _OVER in self.written)
        return code

    def modes_now(self) -> list[Any]:
        """The terminal's modes."""
        return termios.tcgetattr(self.slave)

    def close(self) -> None:
        """Make an end of everything."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(PATIENCE)
        os.close(self.slave)
        self._reader.join(PATIENCE)
        os.close(self.master)


@contextlib.contextmanager
def in_terminal(
    *command: str, columns: int = 80, rows: int = 24, environment: dict[str, str] | None = None
) -> Iterator[TerminalProcess]:
    """A program in a pseudo-terminal for the length of a block."""
    terminal = TerminalProcess(list(command), columns=columns, rows=rows, environment=environment)
    try:
        yield terminal
    finally:
        terminal.close()


def playing(port: int, *options: str, **how: Any) -> Any:
    """`sapper connect` to a server, in a pseudo-terminal."""
    program = str(Path(sys.executable).with_name("sapper"))
    return in_terminal(program, "connect", "--port", str(port), *options, **how)
