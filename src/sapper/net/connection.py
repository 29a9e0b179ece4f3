"""One connection of the server: bytes from asyncio to the seat, screens back, and never more than the limits.

Answers are written as they are made, each in one write. A client that does not read them is not read from
either: its packets stay where they are until it does, or until it is cut off. What may take long waits until its turn (`turns`).
"""

import asyncio
import logging
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Final

from sapper.errors import PacketError
from sapper.net.packets import FROM_CLIENT, PacketType, ScreenContent, Signal, StartRequest, encode_screen
from sapper.net.protocol import Receiver
from sapper.net.seat import UNSAVED, Seat
from sapper.net.turns import FREE
from sapper.play.ports import Receipt
from sapper.server.logging import log, log_failure

if TYPE_CHECKING:
    from sapper.net.server import GameServer

UNREAD: Final = 512
"""Bytes of packets that wait for their turn, from which on no more are read."""
KEEP_TIME: Final = 2.0
"""Seconds that an answer waits for a start or an end to be durable; then the player is told that it is not saved yet."""
FAREWELL_TIME: Final = 1.0
"""The same for the last screen: a server that ends has two seconds for all of them."""

_START: Final = int(PacketType.START)  # a comparison with an enumeration's member takes five times as long
_LONG: Final = frozenset(map(int, (PacketType.START, PacketType.REVEAL, PacketType.TOGGLE_DEBUG_MODE)))

# Why connections end, in logs and metrics.
QUIT: Final = "quit"
GONE: Final = "client closed it"
RESET: Final = "connection lost"
FAULT: Final = "broke the protocol"
IDLE: Final = "idle"
STALLED: Final = "left its answers unread"
SHUTDOWN: Final = "server shutting down"
BUG: Final = "error in the server"


class Connection(asyncio.BufferedProtocol):
    """The server's end of one connection."""

    __slots__ = (
        "_closing_since", "_farewell", "_has_ended", "_held", "_is_in_line", "_last_packet", "_loop", "_paused",
        "_reason", "_receiver", "_server", "_stalled_since", "_transport", "_unsettled", "address", "peer", "seat",
    )  # fmt: skip
    _transport: asyncio.Transport
    seat: Seat

    def __init__(self, server: "GameServer", loop: asyncio.AbstractEventLoop, address: str) -> None:
        self._server = server
        self._loop = loop
        self.address = address
        """What the limit per address counts."""
        self.peer = address
        self._receiver = Receiver(accepts=FROM_CLIENT, max_payload=server.limits.payload)
        self._last_packet = monotonic()
        self._stalled_since: float | None = None
        self._closing_since: float | None = None
        self._unsettled: set[Receipt] = set()
        """What must be durable before the next answer."""
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
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        name = transport.get_extra_info("peername")
        if isinstance(name, tuple):
            self.peer = f"[{name[0]}]:{name[1]}" if ":" in name[0] else f"{name[0]}:{name[1]}"
        server = self._server
        queued = server.limits.queued
        transport.set_write_buffer_limits(high=queued, low=queued // 4)
        self.seat = Seat(
            new_seed=server.new_seed, new_key=server.new_key, ports=server.ports,
            on_end=partial(server.finished, peer=self.peer),
        )  # fmt: skip
        server.joined(self)
        log(logging.DEBUG, "connection opened", peer=self.peer)

    def connection_lost(self, error: Exception | None) -> None:
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
        self.take(bytes(self._server.buffer[:nbytes]))

    def take(self, data: bytes) -> None:
        """Answer what these bytes make whole, at once or when it is this connection's turn."""
        if self._reason is None:
            self._receiver.feed(data)
            self._serve()

    def eof_received(self) -> bool:
        """The client will send nothing more. What it has sent is answered, then it ends."""
        self._has_ended = True
        return self._is_in_line or self._held is not None

    def pause_writing(self) -> None:
        self._stalled_since = monotonic()
        self._pause_reading()

    def resume_writing(self) -> None:
        self._stalled_since = None
        self._serve()

    # --- packets and answers ----------------------------------------------------------------------

    def _serve(self) -> None:
        """Answer what has come: at once, or when it is this connection's turn."""
        if self._is_in_line or self._held is not None:
            self._hold_back()
        elif self._is_long and not self._server.turns.is_free:
            self._line_up()
        else:
            self._answer_some()

    @property
    def _is_long(self) -> bool:
        code = self._receiver.next_code
        return code in _LONG and (code == _START or self.seat.is_large)

    def _line_up(self) -> None:
        self._is_in_line = True
        self._server.turns.line_up(self)
        self._hold_back()

    def _hold_back(self) -> None:
        """Read no more than can be answered soon. (A packet alone is no reason: to stop and start reading costs two system calls.)"""
        if self._receiver.pending > UNREAD:
            self._pause_reading()

    def take_turn(self) -> None:
        """Answer what has come: it is this connection's turn."""
        self._is_in_line = False
        self._answer_some()

    def _answer_some(self) -> None:
        """Answer what has come: one packet that may take long, or quick ones for a short time."""
        if not self._may_answer():
            return
        receiver, turns = self._receiver, self._server.turns
        is_long, answered = self._is_long, False
        began = now = monotonic()
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
            answered = True
            if not receiver.pending or now - began > FREE or not self._may_answer() or self._is_long:
                break
        if is_long or now - began > FREE:
            turns.spend(now - began)
        if not self._may_answer():
            return
        if answered and receiver.pending:
            self._line_up()
        elif self._has_ended:
            self.end(GONE)
        elif self._paused:
            self._resume_reading()

    def _may_answer(self) -> bool:
        return self._reason is None and self._stalled_since is None and self._held is None

    def _answer(self, packet: Signal | StartRequest, began: float) -> None:
        self._server.metrics.packets[packet.type] += 1
        try:
            content = self.seat.answer(packet)
        except Exception:  # noqa: BLE001 - see _fail
            self._fail()
            return
        self._wait_for_receipts()
        if content is None:
            self.end(QUIT)
        elif self._unsettled:
            self._hold(content, began, KEEP_TIME)
        else:
            self._write(content, began)

    # --- what has to be kept first ----------------------------------------------------------------

    def _wait_for_receipts(self) -> None:
        """Have the next answer wait until what the last packet led to is durable."""
        while self.seat.receipts:
            receipt = self.seat.receipts.pop()
            if not receipt.is_durable:
                self._unsettled.add(receipt)
                receipt.when_settled(partial(self._settled, receipt))

    def _settled(self, receipt: Receipt) -> None:
        self._unsettled.discard(receipt)
        if not self._unsettled:
            self._tell_held(is_saved=True)

    def _hold(self, content: bytes, began: float, seconds: float) -> None:
        self._held = content, began
        self._hold_back()
        self._loop.call_later(seconds, self._tell_late, self._held)

    def _tell_late(self, held: tuple[bytes, float]) -> None:
        """Tell the player that it is not saved yet: the database has not answered in time."""
        if self._held is held:
            self._unsettled.clear()
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
        metrics.answers.observe(monotonic() - began)

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
        self._wait_for_receipts()
        if self._unsettled:
            self._farewell = reason
            self._hold(content, monotonic(), FAREWELL_TIME)
        else:
            self._transport.write(encode_screen(content))
            self.end(reason)

    def abort(self, reason: str) -> None:
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
        elif now - self._last_packet > limits.idle:
            self.dismiss(IDLE)
