"""A model server that a client is run against, in a pseudo-terminal: its keys are pressed, what it sends and shows is looked at."""

import contextlib
import importlib
import os
import signal
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from sapper.errors import PacketError, UnavailableError
from sapper.net.packets import FROM_CLIENT, Packet, PacketType, Signal, StartRequest, encode_screen
from sapper.net.protocol import Receiver
from sapper.server.worker_process import python_command
from sapper.terminal.screen_buffer import ScreenBuffer
from tests.protocol_suite.points import Deviation, Points

WORD: Final = "conformance-screen"
"""Stands on every screen of the model, with the number of the packet that it answers."""
KEYS: Final = {
    "w": PacketType.MOVE_UP, "a": PacketType.MOVE_LEFT, "s": PacketType.MOVE_DOWN, "d": PacketType.MOVE_RIGHT, " ": PacketType.TOGGLE_BOMB_MARK,
    "\r": PacketType.REVEAL, "#": PacketType.TOGGLE_DEBUG_MODE,
}  # fmt: skip
_NAMES: Final = {" ": "SPACE", "\r": "RETURN", "\t": "TAB"}
_LINES, _COLUMNS = 40, 100

# A terminal is a process's own only if the process asks for it.
_WITH_TERMINAL: Final = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execvp(sys.argv[1], sys.argv[1:])"
)


class ModelServer:
    """Answers every packet with a screen that says its number; remembers what came. `pieces` has answers sent byte by byte."""

    def __init__(self, port: int = 0) -> None:
        self._listener = socket.create_server(("127.0.0.1", port))
        self.port: int = self._listener.getsockname()[1]
        self.packets: list[Packet] = []
        self.fault: str | None = None
        """What came that is no packet."""
        self.in_pieces = False
        self.lines = 1
        """Lines of an answer."""
        self.news = threading.Condition()
        self._read = 0
        """Connections that are being read."""
        self._open: list[socket.socket] = []
        self._stopped = False
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                sock, _ = self._listener.accept()
            except OSError:
                return
            self._open.append(sock)
            with self.news:
                self._read += 1
            threading.Thread(target=self._serve, args=(sock,), daemon=True).start()

    def _serve(self, sock: socket.socket) -> None:
        try:
            self._answer(sock)
        finally:
            with self.news:
                self._read -= 1
                self.news.notify_all()

    def _answer(self, sock: socket.socket) -> None:
        receiver = Receiver(accepts=FROM_CLIENT)
        with contextlib.suppress(OSError):
            while data := sock.recv(65536):
                receiver.feed(data)
                try:
                    for packet in receiver.packets():
                        self._take(sock, packet)
                except PacketError as error:
                    with self.news:
                        self.fault = f"{error}: {data[:16].hex(' ')}"
                        self.news.notify_all()
                    return

    def _take(self, sock: socket.socket, packet: Packet) -> None:
        with self.news:
            self.packets.append(packet)
            number = len(self.packets)
            self.news.notify_all()
        if packet.type is PacketType.QUIT:
            sock.close()
            return
        rows = [f"{line:04} {'?' * 200}"[:_COLUMNS] for line in range(self.lines - 1)]
        text = "\r\n".join([*rows, f"{WORD} {number}."])
        answer = encode_screen(f"\x1b[2J\x1b[H{text}\x1b[1;1H".encode())
        if self.in_pieces:
            for byte in answer:
                sock.sendall(bytes([byte]))
        else:
            sock.sendall(answer)

    def wait_until_read(self, patience: float) -> None:
        """Wait until all that its clients have sent is here: what has been sent may come after its sender has ended."""
        with self.news:
            self.news.wait_for(lambda: not self._read, patience)

    def hang_up(self) -> None:
        """Close all connections, as a server that dies."""
        for sock in self._open:
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)
            sock.close()

    def close(self) -> None:
        """Make an end."""
        self._listener.close()
        self.hang_up()


class RunningClient:
    """A client in a pseudo-terminal, and the model that it plays with."""

    def __init__(self, command: Sequence[str], start: StartRequest, patience: float, server: ModelServer) -> None:
        self.server = server
        self.wanted = start
        self._patience = patience
        self._master, self._slave = os.openpty()
        self._set_size()
        self.modes = self._modes()
        self.written = b""
        command = [part.replace("{host}", "127.0.0.1").replace("{port}", str(server.port)) for part in command]
        try:
            self.process = subprocess.Popen(  # what the player asks for
                [*python_command(), "-c", _WITH_TERMINAL, *command], stdin=self._slave, stdout=self._slave, stderr=self._slave,
                start_new_session=True, env=os.environ | {"TERM": "xterm"},
            )  # fmt: skip
        except BaseException:
            os.close(self._master)
            os.close(self._slave)
            raise
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _set_size(self) -> None:
        fcntl, termios = _module("fcntl"), _module("termios")
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("HHHH", _LINES, _COLUMNS, 0, 0))

    def _modes(self) -> list[Any]:
        found: list[Any] = _module("termios").tcgetattr(self._slave)
        return found

    def _read(self) -> None:
        while True:
            try:
                data = os.read(self._master, 65536)
            except OSError:
                return
            with self.server.news:
                self.written += data
                self.server.news.notify_all()
            if not data:
                return

    def wait(self, condition: Callable[[], bool], otherwise: str) -> None:
        """Wait until something is so."""
        with self.server.news:
            end = time.monotonic() + self._patience
            while not condition():
                if self.server.fault is not None:
                    raise Deviation(f"it sent something that is not a packet: {self.server.fault}")
                if self.process.poll() is not None and not self.server.news.wait(0.3) and not condition():
                    raise Deviation(f"{otherwise}; it ended with {self.process.returncode}{self._said()}")
                if time.monotonic() > end:
                    raise Deviation(f"{otherwise}{self._said()}")
                self.server.news.wait(0.2)

    def _said(self) -> str:
        screen = self.screen()
        lines = [text for y in range(screen.height) if (text := screen.text(y).strip())]
        return f"; it shows {lines[-1][:80]!r}" if lines else ""

    def screen(self) -> ScreenBuffer:
        """What its terminal shows."""
        screen = ScreenBuffer()
        screen.feed(self.written.decode(errors="replace"))
        return screen

    def shows(self, text: str) -> bool:
        """Whether its terminal shows a text."""
        screen = self.screen()
        return any(text in screen.text(y) for y in range(screen.height))

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self._master, keys.encode())

    def begin(self) -> None:
        """Wait for START and until its answer is shown."""
        server = self.server
        self.wait(lambda: bool(server.packets), "it sends no START")
        self.wait(lambda: self.shows(f"{WORD} {len(server.packets)}."), "it does not show the answer to START")

    def press(self, key: str, wanted: PacketType) -> None:
        """Press a key and wait for its packet, and for the answer on the terminal."""
        server = self.server
        name, before = _NAMES.get(key, key), len(server.packets)
        self.type(key)
        self.wait(lambda: len(server.packets) > before, f"{name} sends nothing; it is to send {wanted.name}")
        packet = server.packets[before]
        if packet.type is not wanted:
            raise Deviation(f"{name} sends {packet.type.name}, not {wanted.name}")
        self.wait(lambda: self.shows(f"{WORD} {len(server.packets)}."), f"the answer to {wanted.name} is not shown")

    def wait_for_end(self, otherwise: str) -> int:
        """Wait for its process to end, and for what it has sent before; its exit code."""
        try:
            code = self.process.wait(self._patience)
        except subprocess.TimeoutExpired:
            raise Deviation(otherwise) from None
        self.server.wait_until_read(self._patience)
        return code

    def check_restored(self) -> None:
        """Raise unless the terminal is as it was."""
        if self._modes() != self.modes:
            raise Deviation("the terminal is not as it was: its modes are those of the game")

    def check_raw(self) -> None:
        """Raise unless keys come singly and unseen."""
        termios = _module("termios")
        flags = self._modes()[3]
        for flag, name in (
            (termios.ICANON, "a line is waited for, and not a key"),
            (termios.ECHO, "what is typed is shown"),
        ):
            if flags & flag:
                raise Deviation(name)

    def close(self) -> None:
        """Make an end of everything."""
        if self.process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        os.close(self._slave)
        self._reader.join(self._patience)  # it must not read from the next terminal, which may get the same number
        os.close(self._master)


@contextlib.contextmanager
def running(command: Sequence[str], start: StartRequest, patience: float, port: int = 0) -> Iterator[RunningClient]:
    """A client for the length of a block. `{host}` and `{port}` in its command stand for where the model server is; it is to begin with `start`.

    It may take `patience` seconds to start, to send a packet, to end. Port 0 is any free one.
    """
    server = ModelServer(port)
    client = RunningClient(command, start, patience, server)
    try:
        yield client
    finally:
        client.close()
        server.close()


def _module(name: str) -> Any:
    return importlib.import_module(name)


def check_possible() -> None:
    """Raise `UnavailableError` where there are no pseudo-terminals."""
    if not hasattr(os, "openpty"):
        raise UnavailableError(
            "a client is looked at in a pseudo-terminal, which Linux, macOS and other Unixes have, and this system has not"
        )


# --- the points ---------------------------------------------------------------------------------------------------

POINTS: Final = Points[RunningClient]()


@POINTS.required
def start(client: RunningClient) -> None:
    """It connects, sends START as asked for and shows the answer."""
    client.begin()
    first = client.server.packets[0]
    if first != client.wanted:
        found = first if isinstance(first, StartRequest) else first.type.name
        raise Deviation(f"it begins with {found}, not with {client.wanted}")


@POINTS.required
def keys(client: RunningClient) -> None:
    """The keys w a s d, SPACE, RETURN and # send their packets, and the answers are shown."""
    client.begin()
    for key, kind in KEYS.items():
        client.press(key, kind)


@POINTS.documented
def capitals(client: RunningClient) -> None:
    """Letters count in either case."""
    client.begin()
    for key, kind in KEYS.items():
        if key.isalpha():
            client.press(key.upper(), kind)


@POINTS.required
def raw(client: RunningClient) -> None:
    """Keys come singly and are not shown."""
    client.begin()
    client.check_raw()


@POINTS.required
def pieces(client: RunningClient) -> None:
    """An answer may come in pieces."""
    client.server.in_pieces = True
    client.begin()
    client.press("d", PacketType.MOVE_RIGHT)


@POINTS.required
def large(client: RunningClient) -> None:
    """A screen of many lines is shown to its end."""
    client.begin()
    client.server.lines = 30
    client.press("d", PacketType.MOVE_RIGHT)


@POINTS.required
def new_game(client: RunningClient) -> None:
    """TAB begins a new game of the same size."""
    client.begin()
    client.press("d", PacketType.MOVE_RIGHT)
    client.press("\t", PacketType.START)
    if client.server.packets[-1] != client.wanted:
        raise Deviation(f"TAB sends {client.server.packets[-1]}, not {client.wanted}")


@POINTS.required
def quitting(client: RunningClient) -> None:
    """X sends QUIT and ends it."""
    client.begin()
    client.type("X")
    client.wait_for_end("X does not end it")
    if Signal(type=PacketType.QUIT) not in client.server.packets:
        raise Deviation("X ends it without a QUIT")


@POINTS.required
def restored(client: RunningClient) -> None:
    """The terminal is as it was after the end."""
    client.begin()
    client.type("x")
    code = client.wait_for_end("x does not end it")
    client.check_restored()
    if code != 0:
        raise Deviation(f"it ends with exit code {code}")


@POINTS.documented
def lost(client: RunningClient) -> None:
    """A lost connection ends it, with the terminal as it was."""
    client.begin()
    client.server.hang_up()
    client.wait_for_end("the server has closed the connection, and it does not end")
    client.check_restored()
