"""The terminal client: reaches the server, sends what keys mean, shows what it answers."""

import logging
import select
import socket
import time
from typing import Final

from sapper.errors import PacketError, UnavailableError
from sapper.net.packets import FROM_SERVER, PacketType, ScreenContent, Signal, StartRequest, encode
from sapper.net.protocol import Receiver
from sapper.terminal.full_screen import FullScreen, TerminalEnded
from sapper.terminal.keys import HELP, PACKETS, Key, KeyReader
from sapper.terminal.screen_buffer import ScreenBuffer
from sapper.terminal.viewport import Viewport


def place_of(host: str, port: int) -> str:
    """An address as it is written: `localhost:9999`, `[::1]:9999`."""
    return f"{host}:{port}" if ":" not in host else f"[{host}]:{port}"


def reach(host: str, port: int, within: float) -> socket.socket:
    """A connection that sends small packets at once; `UnavailableError` if there is none in time. Its calls have the same limit."""
    place = place_of(host, port)
    try:
        connection = socket.create_connection((host, port), timeout=within)
    except TimeoutError:
        raise UnavailableError(f"no answer from {place} within {within:.3g} seconds") from None
    except (OSError, UnicodeError) as error:  # a host name that is none is a UnicodeError
        reason = (error.strerror or str(error)) if isinstance(error, OSError) else "not a host name"
        raise UnavailableError(f"cannot connect to {place}: {reason}") from None
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


CONNECT_TIME: Final = 10.0
"""Seconds that a server may take to accept a connection, or to take a packet."""
PATIENCE: Final = 2.0
"""Seconds after which the player is told that the server does not answer."""
READ_SIZE: Final = 256 * 1024
READS: Final = 64
"""Reads before the screen is shown and keys are looked at, however much there still is."""

_CLEARING: Final = ("\x1b[2J", "\x1b[H\x1b[2J")
"""How screens begin that leave nothing of the one before."""

_LOG: Final = logging.getLogger("sapper.terminal.client")


class Client:
    """A connection to a server, and the game that is played over it.

    `UnavailableError` says in one line what became of the server. The terminal is needed for `play` only.
    """

    def __init__(
        self, host: str, port: int, start: StartRequest, *, keys: KeyReader | None = None, help_line: str = HELP
    ) -> None:
        """Connect. `keys` are other keys than the usual ones, `help_line` what is said of them."""
        self._place = place_of(host, port)
        self._start = start
        self._receiver = Receiver(accepts=FROM_SERVER)
        self._keys = keys or KeyReader()
        self._help = help_line
        self._screen = ScreenBuffer()
        self._view = Viewport(columns=start.columns, rows=start.rows, help_line=help_line)
        self._unanswered = 0
        self._since: float | None = None
        """When the server was last heard of, or first asked, while it owes an answer."""
        self._socket = reach(host, port, CONNECT_TIME)

    def play(self, terminal: FullScreen, *, colours: bool = True) -> None:
        """Play until the player quits. `TerminalEnded` if a signal ends it."""
        self._view.has_colours = colours
        said = ""
        with self._socket, terminal:
            try:
                self._send(self._start)
                while True:
                    keys, has_answer = terminal.wait(self._socket.fileno(), seconds=self._seconds_to_notice())
                    is_new = has_answer and self._receive()
                    notice = self._notice()
                    if is_new or terminal.is_stale or notice != said:
                        said = notice
                        width, height = terminal.size()
                        terminal.show(self._view.show(self._screen, width=width, height=height, notice=notice))
                    for key in self._keys.feed(keys):
                        if key is Key.QUIT:
                            self._say_goodbye()
                            return
                        self._act(key, terminal)
            except TerminalEnded:
                self._say_goodbye()
                raise

    def kept(self, *, width: int, height: int) -> tuple[str, ...]:
        """The lines to leave on the shell's screen of that size: how the game stood last."""
        return self._view.kept(self._screen, width=width, height=height)

    def _notice(self) -> str:
        """That the server owes an answer, once it has taken long, and how long it has taken; nothing otherwise."""
        waited = 0.0 if self._since is None else time.monotonic() - self._since
        quits = self._help.rpartition(", ")[2]
        return f"no answer for {waited:.0f} s, waiting for {self._place}, {quits}" if waited >= PATIENCE else ""

    def _seconds_to_notice(self) -> float | None:
        """How long until there is another notice; None where nothing is waited for."""
        if self._since is None:
            return None
        waited = time.monotonic() - self._since
        return PATIENCE - waited if waited < PATIENCE else 1.0

    def _act(self, key: Key, terminal: FullScreen) -> None:
        if key is Key.REDRAW:
            terminal.forget()
        elif key is Key.NEW_GAME:
            self._send(self._start)
        else:
            self._send(Signal(type=PACKETS[key]))

    def _send(self, packet: StartRequest | Signal) -> None:
        try:
            self._socket.sendall(encode(packet))
            self._unanswered += 1
            self._since = self._since or time.monotonic()
        except OSError as error:
            # Why it went may be among what it sent before.
            self._receive()
            raise self._lost(error.strerror) from None

    def _receive(self) -> bool:
        """Take what has come; whether the screen is another now."""
        contents: list[str] = []
        lost: tuple[str | None] | None = None
        # Who holds a key down gets many screens at once; those that the next one clears nobody would see.
        for _ in range(READS):
            try:
                data = self._socket.recv(READ_SIZE)
            except OSError as error:
                lost = (error.strerror,)
                break
            if not data:
                lost = (None,)
                break
            try:
                self._receiver.feed(data)
                packets = self._receiver.packets()
                contents += [one.content for one in packets if isinstance(one, ScreenContent)]
            except PacketError as error:
                raise UnavailableError(f"{self._place} does not keep to the protocol: {error}") from None
            if not select.select([self._socket], [], [], 0)[0]:
                break
        # A server may say more than it was asked for; it owes nothing for that.
        self._unanswered = max(0, self._unanswered - len(contents))
        if contents:
            self._since = time.monotonic() if self._unanswered else None
        begin = max((number for number, content in enumerate(contents) if content.startswith(_CLEARING)), default=0)
        for content in contents[begin:]:
            self._screen.feed(content)
        if lost is not None:
            # Only now: what came last says why.
            raise self._lost(*lost)
        return bool(contents)

    def _lost(self, reason: str | None) -> UnavailableError:
        last = [text for y in range(self._screen.height) if (text := self._screen.text(y).strip())][-1:]
        said = f" (it said: {last[0]})" if last and last[0].startswith(("Goodbye", "Sorry")) else ""
        how = f"the connection to {self._place} was lost: {reason}" if reason else f"{self._place} ended the connection"
        return UnavailableError(how + said)

    def _say_goodbye(self) -> None:
        try:
            self._socket.sendall(encode(Signal(type=PacketType.QUIT)))
        except OSError as error:
            _LOG.debug("the server has gone already: %s", error)
