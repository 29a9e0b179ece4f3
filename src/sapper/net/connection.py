"""One connection of the server: bytes from asyncio to the seat, screens back, and never more than the limits.

Answers are written as they are made, each in one write. A client that does not read them is not read from
either: its packets stay where they are until it does, or until it is cut off. One that sends many packets
at once takes turns with the others.

Knows: the transport, the receiver, the seat; when to stop reading, and when the connection has ended and why.
Does not know: rules, screens, sockets; other connections.
"""

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import Final, Protocol

from sapper.errors import PacketError
from sapper.game.referee import Referee
from sapper.net.limits import ServerLimits
from sapper.net.metrics import Metrics
from sapper.net.packets import FROM_CLIENT, ScreenContent, StartRequest, encode_screen
from sapper.net.protocol import Receiver
from sapper.net.results import GameResult
from sapper.net.seat import Seat, deal, find_fault
from sapper.server.logging import log, log_failure

BURST: Final = 32
"""How many packets of one connection are answered before the others have their turn."""
LARGE: Final = 2_500
"""Cells from which on a game is dealt in a thread: a tenth of a second, on the largest board, is too long a pause."""

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
    executor: ThreadPoolExecutor

    def draw_seed(self) -> int:
        """A seed for a game."""

    def record(self, result: GameResult) -> None:
        """Take the result of a game."""

    def joined(self, connection: "Connection") -> None:
        """A connection is open."""

    def left(self, connection: "Connection") -> None:
        """A connection is gone."""


class Connection(asyncio.BufferedProtocol):
    """The server's end of one connection."""

    __slots__ = (
        "_closing_since", "_dealing", "_last_packet", "_loop", "_paused", "_reason", "_receiver", "_server",
        "_stalled_since", "_transport", "address", "peer", "seat",
    )  # fmt: skip
    _transport: asyncio.Transport
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
        self.seat = Seat(draw_seed=server.draw_seed, clock=monotonic, finish=server.record, peer=self.peer)
        server.joined(self)
        log(logging.DEBUG, "connection opened", peer=self.peer)

    def connection_lost(self, error: Exception | None) -> None:
        """The connection is no more."""
        self.seat.leave()
        reason = self._reason or (GONE if error is None else RESET)
        self._reason = reason
        self._server.metrics.closed[reason] += 1
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
        """The client will send nothing more. Answers still on their way are sent, then it ends."""
        return False

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
        """Answer what has come, as far as limits and fairness allow."""
        metrics, receiver, seat = self._server.metrics, self._receiver, self.seat
        for _ in range(BURST):
            if self._reason is not None or self._stalled_since is not None or self._dealing:
                return
            try:
                packet = receiver.next_packet()
            except PacketError as fault:
                metrics.errors["protocol"] += 1
                log(logging.WARNING, "protocol fault", peer=self.peer, fault=str(fault))
                self.end(FAULT)
                return
            if packet is None:
                self._resume_reading()
                return
            assert not isinstance(packet, ScreenContent), "a server's receiver does not accept it"
            self._last_packet = began = monotonic()
            metrics.packets[packet.type] += 1
            if (
                isinstance(packet, StartRequest)
                and packet.columns * packet.rows >= LARGE
                and find_fault(packet) is None
            ):
                self._deal(packet, began)
                return
            try:
                content = seat.answer(packet)
            except Exception:  # noqa: BLE001 - see _fail
                self._fail()
                return
            if content is None:
                self.end(QUIT)
                return
            self._write(content, began)
        # Others first, then the rest.
        self._pause_reading()
        self._loop.call_soon(self._serve)

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
        self._write(self.seat.preview(start), began)
        self._dealing = True
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

        self._loop.run_in_executor(self._server.executor, deal, start, seed).add_done_callback(begin)

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
        """Tell the player why, and close."""
        if self._reason is None:
            self._transport.write(encode_screen(self.seat.dismiss(f"Goodbye: {reason}.")))
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
