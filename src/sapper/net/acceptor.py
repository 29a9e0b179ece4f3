"""Accepting: listening sockets, and which connections are let in.

Knows: sockets that listen, the connection limiter; how to refuse somebody so that they can read why.
Does not know: what happens to a connection after it was let in.
"""

import asyncio
import contextlib
import errno
import logging
import socket
from collections.abc import Callable, Sequence
from typing import Final

from sapper.net.metrics import Metrics
from sapper.net.packets import encode_screen
from sapper.net.seat import WELCOME
from sapper.render.screen import draw_notice
from sapper.server.listeners import place
from sapper.server.logging import log
from sapper.server.rate_limits import ConnectionLimiter

AT_ONCE: Final = 64
"""How many are accepted before those who are in have their turn."""
LINGER: Final = 2.0
"""Seconds that somebody who was turned away has to read why."""
LINGERING: Final = 64
"""How many of them at once; the others are closed without a word."""

_EXHAUSTED: Final = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class Acceptor:
    """Accepts on the sockets, asks the limiter, and hands over who may come in, with their address."""

    def __init__(
        self,
        listeners: Sequence[socket.socket],
        *,
        gate: ConnectionLimiter,
        metrics: Metrics,
        hand_over: Callable[[socket.socket, str], None],
    ) -> None:
        self._listeners = listeners
        self._gate = gate
        self._metrics = metrics
        self._hand_over = hand_over
        self._lingering: set[socket.socket] = set()
        self._loop = asyncio.get_running_loop()
        self._is_open = False

    def open(self) -> None:
        """Begin."""
        self._is_open = True
        for listener in self._listeners:
            self._loop.add_reader(listener, self._accept, listener)

    def close(self) -> None:
        """No new connections from now on; the port is free for others."""
        self._is_open = False
        for listener in self._listeners:
            self._loop.remove_reader(listener)
            listener.close()
        for visitor in list(self._lingering):
            self._bid_farewell(visitor)

    def _accept(self, listener: socket.socket) -> None:
        for _ in range(AT_ONCE):
            try:
                visitor, address = listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                self._rest(listener, error)
                return
            reason = self._gate.enter(address[0])
            if reason is None:
                self._hand_over(visitor, address[0])
            else:
                self._turn_away(visitor, address, reason)

    def _rest(self, listener: socket.socket, error: OSError) -> None:
        """Not enough of something: trying again at once would only burn time."""
        log(logging.ERROR, "cannot accept", reason=error.strerror, errno=error.errno)
        if error.errno in _EXHAUSTED:
            self._loop.remove_reader(listener)
            self._loop.call_later(1.0, self._go_on, listener)

    def _go_on(self, listener: socket.socket) -> None:
        if self._is_open:
            self._loop.add_reader(listener, self._accept, listener)

    def _turn_away(self, visitor: socket.socket, address: Sequence[object], reason: str) -> None:
        self._metrics.refused[reason] += 1
        log(logging.WARNING, "connection refused", peer=place(address), reason=reason)
        visitor.setblocking(False)
        with contextlib.suppress(OSError):
            visitor.send(encode_screen(draw_notice([WELCOME[0], "", f"Sorry: {reason}."])))
            visitor.shutdown(socket.SHUT_WR)
            if len(self._lingering) < LINGERING:
                # Closed with something unread, the connection would be reset and the screen lost on its way.
                self._lingering.add(visitor)
                self._loop.add_reader(visitor, self._ignore, visitor)
                self._loop.call_later(LINGER, self._bid_farewell, visitor)
                return
        visitor.close()

    def _ignore(self, visitor: socket.socket) -> None:
        try:
            if visitor.recv(4096):
                return
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            pass
        self._bid_farewell(visitor)

    def _bid_farewell(self, visitor: socket.socket) -> None:
        if visitor in self._lingering:
            self._lingering.remove(visitor)
            self._loop.remove_reader(visitor)
            visitor.close()
