"""One connection of the server: bytes from asyncio to the seat, screens back, and never more than the limits.

Answers are written as they are made, each in one write. A client that does not read them is not read from
either: its packets stay where they are until it does, or until it is cut off. Connections take turns (`turns`):
one that asks for much waits for those that ask for little.

Knows: the transport, the receiver, the seat; when to stop reading, and when the connection has ended and why.
Does not know: rules, screens, sockets; other connections.
"""

import asyncio
import logging
from collections.abc import Callable
from time import monotonic
from typing import Final, Protocol

from sapper.errors import PacketError
from sapper.game.referee import Referee
from sapper.net.limits import ServerLimits
from sapper.net.metrics import Metrics
from sapper.net.packets import FROM_CLIENT, PacketType, ScreenContent, Signal, StartRequest, encode_screen
from sapper.net.protocol import Receiver
from sapper.net.results import GameResult
from sapper.net.seat import UNSAVED, Seat, find_fault
from sapper.net.turns import PLAY, SLICE, START, Accounts, Dealer, Turns, Work
from sapper.server.logging import log, log_failure

BURST: Final = 32
"""How many packets of one connection are answered before the others have their turn, however quick they are."""
UNREAD: Final = 512
"""Bytes of packets that wait for their turn, from which on no more are read."""
KEEP_TIME: Final = 2.0
"""Seconds that an answer waits for a start or an end to be durable; then the player is told that it is not saved yet."""
FAREWELL_TIME: Final = 1.0
"""The same for the last screen: a server that ends has two seconds for all of them."""
LARGE: Final = 2_500
"""Cells from which on a game is dealt in a thread: a tenth of a second, on the largest board, is too long a pause."""

_START: Final = int(PacketType.START)  # a comparison with an enumeration's member takes five times as long

# Why connections end, in logs and metrics.
QUIT: Final = "quit"
GONE: Final = "client closed it"
RESET: Final = "connection lost"
FAULT: Final = "broke the protocol"
IDLE: Final = "idle"
STALLED: Final = "left its answers unread"
SHUTDOWN: Final = "server shutting down"
BUG: Final = "error in the server"


class ServerContext(Protocol):
    """What a connection needs of its server."""

    limits: ServerLimits
    metrics: Metrics
    buffer: bytearray
    """What all connections of a server read into, one at a time."""
    turns: Turns
    dealer: Dealer
    has_recorder: bool
    """Whether somebody keeps whole games."""

    def draw_seed(self) -> int:
        """A seed for a game."""

    def draw_key(self) -> str:
        """A name for a game."""

    def record(self, result: GameResult, durable: Callable[[], None]) -> bool:
        """Take a game that was started or has ended; whether that can be told only when `durable` is called."""

    def joined(self, connection: "Connection") -> None:
        """A connection is open."""

    def left(self, connection: "Connection") -> None:
        """A connection is gone."""


class Connection(asyncio.BufferedProtocol):
    """The server's end of one connection."""

    __slots__ = (
        "_closing_since", "_dealing", "_farewell", "_has_ended", "_held", "_is_in_line", "_last_packet", "_loop", "_paused", "_reason", "_receiver", "_server",
        "_stalled_since", "_tickets", "_transport", "accounts", "address", "peer", "seat",
    )  # fmt: skip
    _transport: asyncio.Transport
    accounts: Accounts
    """What it has had of the server's time."""
    seat: Seat

    def __init__(self, server: ServerContext, loop: asyncio.AbstractEventLoop, address: str) -> None:
        self._server = server
        self._loop = loop
        self.address = address
        """What the limit per address counts."""
        self.peer = address
        self._receiver = Receiver(accepts=FROM_CLIENT, max_payload=server.limits.payload)
        self._last_packet = monotonic()
        self._stalled_since: float | None = None
        self._closing_since: float | None = None
        self._dealing = False
        self._tickets: set[object] = set()
        """What has to be durable before the next answer."""
        self._held: tuple[bytes, float] | None = None
        """That answer, and when its packet came."""
        self._farewell: str | None = None
        """Why it is closed after that answer."""
        self._is_in_line = False
        self._has_ended = False
        """Whether the client has said that it will send nothing more."""
        self._paused = False
        self._reason: str | None = None

    # --- what asyncio says ------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection is there."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        name = transport.get_extra_info("peername")
        if isinstance(name, tuple):
            self.peer = f"[{name[0]}]:{name[1]}" if ":" in name[0] else f"{name[0]}:{name[1]}"
        server = self._server
        queued = server.limits.queued
        transport.set_write_buffer_limits(high=queued, low=queued // 4)
        self.seat = Seat(
            draw_seed=server.draw_seed, draw_key=server.draw_key, clock=monotonic, report=self._report, peer=self.peer,
            records=server.has_recorder,
        )  # fmt: skip
        self.accounts = server.turns.open(self.address)
        server.joined(self)
        log(logging.DEBUG, "connection opened", peer=self.peer)

    def connection_lost(self, error: Exception | None) -> None:
        """The connection is no more."""
        self.seat.leave()
        reason = self._reason or (GONE if error is None else RESET)
        self._reason = reason
        self._server.metrics.closed[reason] += 1
        self._server.turns.close(self.accounts)
        self._server.left(self)
        log(logging.INFO, "connection closed", peer=self.peer, reason=reason)

    def get_buffer(self, sizehint: int) -> bytearray:
        """Where to read into. It is emptied before anyone else reads."""
        return self._server.buffer

    def buffer_updated(self, nbytes: int) -> None:
        """Bytes have come."""
        if self._reason is None:
            self._receiver.feed(bytes(self._server.buffer[:nbytes]))
            self._serve()

    def eof_received(self) -> bool:
        """The client will send nothing more. What it has sent is answered, then it ends."""
        self._has_ended = True
        return self._is_in_line or self._is_waiting

    def pause_writing(self) -> None:
        """Too much is waiting for the client to read it."""
        self._stalled_since = monotonic()
        self._pause_reading()

    def resume_writing(self) -> None:
        """The client has read most of it."""
        self._stalled_since = None
        self._serve()

    # --- packets and answers ----------------------------------------------------------------------

    def _serve(self) -> None:
        """Answer what has come: at once, or when it is this connection's turn."""
        if self._is_in_line or self._dealing or self._held is not None:  # `_is_waiting`, without a call for each packet
            self._hold_back()
            return
        work: Work = START if self._receiver.next_code == _START else PLAY
        if self._server.turns.is_free(work):
            self._answer_some(work)
        else:
            self._line_up()

    def _next_work(self) -> Work:
        return START if self._receiver.next_code == _START else PLAY

    def _line_up(self) -> None:
        self._is_in_line = True
        self._server.turns.line_up(self, self._next_work())
        self._hold_back()

    def _hold_back(self) -> None:
        """Read no more than can be answered soon. (A packet alone is no reason: to stop and start reading costs two system calls.)"""
        if self._receiver.pending > UNREAD:
            self._pause_reading()

    def take_turn(self, work: Work) -> None:
        """It was first in the line: answer what has come."""
        self._is_in_line = False
        self._server.turns.take_up(self.accounts[work], work)
        self._answer_some(work)

    def _answer_some(self, work: Work) -> None:
        """Answer what has come, as far as limits and fairness allow: packets of that kind."""
        if not self._may_answer():
            return
        receiver = self._receiver
        began = now = monotonic()
        answered = 0
        while True:
            try:
                packet = receiver.next_packet()
            except PacketError as fault:
                self._server.metrics.errors["protocol"] += 1
                log(logging.WARNING, "protocol fault", peer=self.peer, fault=str(fault))
                self.end(FAULT)
                break
            if packet is None:
                break
            assert not isinstance(packet, ScreenContent), "a server's receiver does not accept it"
            self._last_packet = now
            self._answer(packet, now)
            now = monotonic()
            answered += 1
            if not (receiver.pending and answered < BURST and now - began <= SLICE):
                break
            if not self._may_answer() or self._next_work() != work:
                break
        if answered:
            self._server.turns.charge(self.accounts[work], work, answered, now - began)
        if not self._may_answer():
            return
        if answered and receiver.pending:
            self._line_up()
        elif self._has_ended:
            self.end(GONE)
        elif self._paused:
            self._resume_reading()

    def _may_answer(self) -> bool:
        return self._reason is None and self._stalled_since is None and not self._dealing and self._held is None

    def _answer(self, packet: Signal | StartRequest, began: float) -> None:
        self._server.metrics.packets[packet.type] += 1
        is_large = isinstance(packet, StartRequest) and packet.columns * packet.rows >= LARGE
        try:
            if is_large and isinstance(packet, StartRequest) and find_fault(packet) is None:
                self._deal(packet, began)
                return
            content = self.seat.answer(packet)
        except Exception:  # noqa: BLE001 - see _fail
            self._fail()
            return
        if content is None:
            self.end(QUIT)
        elif self._tickets:
            self._hold(content, began, KEEP_TIME)
        else:
            self._write(content, began)

    @property
    def _is_waiting(self) -> bool:
        """Whether what the client sends next has to wait: for a board that is dealt, or for something to be durable."""
        return self._dealing or self._held is not None

    # --- what has to be kept first ----------------------------------------------------------------

    def _report(self, result: GameResult) -> None:
        """A game was started, or has ended: what is answered next waits until that is durable."""
        ticket = object()

        def durable() -> None:
            self._tickets.discard(ticket)
            if not self._tickets:
                self._tell_held(is_saved=True)

        if self._server.record(result, durable):
            self._tickets.add(ticket)

    def _tell(self, content: bytes, began: float) -> None:
        """Send an answer, now or when it can be told."""
        if not self._tickets:
            self._write(content, began)
            return
        self._hold(content, began, KEEP_TIME)

    def _hold(self, content: bytes, began: float, seconds: float) -> None:
        self._held = content, began
        self._hold_back()
        self._loop.call_later(seconds, self._tell_late, self._held)

    def _tell_late(self, held: tuple[bytes, float]) -> None:
        """Nobody has said in time that it is durable: the player is told that, and plays on."""
        if self._held is held:
            self._tickets.clear()
            self._tell_held(is_saved=False)

    def _tell_held(self, *, is_saved: bool) -> None:
        held, self._held = self._held, None
        if held is None or self._reason is not None:
            return
        if self._farewell is not None:
            self._write(held[0] if is_saved else self.seat.dismiss(f"Goodbye: {self._farewell}. {UNSAVED}"), held[1])
            self.end(self._farewell)
            return
        self._write(held[0] if is_saved else self.seat.unsaved(), held[1])
        self._serve()

    def _write(self, content: bytes, began: float) -> None:
        data = encode_screen(content)
        metrics = self._server.metrics
        metrics.bytes_sent += len(data)
        self._transport.write(data)
        metrics.observe(monotonic() - began)

    def _deal(self, start: StartRequest, began: float) -> None:
        """Have a large game dealt in a thread. Its first screen shows nothing of it and goes out at once; whatever the
        client sends next waits until the game is there.
        """
        content = self.seat.preview(start)
        self._dealing = True
        self._tell(content, began)
        self._pause_reading()
        seed = self._server.draw_seed()

        def begin(future: "asyncio.Future[Referee]") -> None:
            self._dealing = False
            if self._reason is not None or future.cancelled():
                return
            try:
                self.seat.begin(start, future.result(), seed)
            except Exception:  # noqa: BLE001 - see _fail
                self._fail()
                return
            self._serve()

        self._server.dealer.deal(self.accounts[START], start, seed, begin)

    def _fail(self) -> None:
        """A mistake of ours ends this connection, and no other."""
        self._server.metrics.errors["server"] += 1
        log_failure("error while answering", peer=self.peer)
        self.end(BUG)

    def _pause_reading(self) -> None:
        if not self._paused:
            self._paused = True
            self._transport.pause_reading()

    def _resume_reading(self) -> None:
        if self._paused:
            self._paused = False
            if not self._transport.is_closing():
                self._transport.resume_reading()

    # --- the end ------------------------------------------------------------------------------------

    def end(self, reason: str) -> None:
        """Close once what is written is sent; what still comes is not looked at."""
        if self._reason is None:
            self._reason = reason
            self._closing_since = monotonic()
            self.seat.leave()
            self._transport.close()

    def dismiss(self, reason: str) -> None:
        """Tell the player why, and close. The last screen shows how the game has ended, so it waits like any other until that is durable."""
        if self._reason is not None or self._farewell is not None:
            return
        content = self.seat.dismiss(f"Goodbye: {reason}.")
        if self._tickets:
            self._farewell = reason
            self._hold(content, monotonic(), FAREWELL_TIME)
        else:
            self._transport.write(encode_screen(content))
            self.end(reason)

    def abort(self, reason: str) -> None:
        """Close now, whatever is still to be sent."""
        self._reason = self._reason or reason
        self._closing_since = self._closing_since or monotonic()
        self._transport.abort()

    def check(self, now: float) -> None:
        """End it if its time is up. Called for every connection, again and again: it must be quick."""
        limits = self._server.limits
        if self._closing_since is not None:
            if now - self._closing_since > limits.stall:
                self.abort(STALLED)
        elif self._stalled_since is not None:
            if now - self._stalled_since > limits.stall:
                self.abort(STALLED)
        elif now - self._last_packet > limits.idle and not self._dealing:
            self.dismiss(IDLE)
