"""Accepting: listening sockets, and which connections are let in.

Behind a proxy that the operator named, a connection begins with a header that says whose it is (`server.proxy_protocol`).

Knows: sockets that listen, the connection limiter, the proxies; how to refuse somebody so that they can read why.
Does not know: what happens to a connection after it was let in.
"""

import asyncio
import contextlib
import errno
import ipaddress
import logging
import socket
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final

from sapper.net.metrics import Metrics
from sapper.net.packets import encode_screen
from sapper.net.seat import WELCOME
from sapper.render.screen import draw_notice
from sapper.server.addresses import network_of
from sapper.server.listeners import place
from sapper.server.logging import log
from sapper.server.proxy_protocol import ProxyHeaderError, receive_source
from sapper.server.rate_limits import ConnectionLimiter

AT_ONCE: Final = 64
"""How many are accepted before those who are in have their turn."""
LINGER: Final = 2.0
"""Seconds that somebody who was refused has to read why."""
LINGERING: Final = 64
"""How many of them at once; the others are closed without a word."""
HEADER_TIME: Final = 5.0
"""Seconds that a proxy has to say whose connection it is."""
EXPECTED: Final = 1024
"""How many connections may be waiting for their header at once."""

Proxies = Sequence[ipaddress.IPv4Network | ipaddress.IPv6Network]

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
        proxies: Proxies = (),
    ) -> None:
        self._listeners = listeners
        self._gate = gate
        self._metrics = metrics
        self._hand_over = hand_over
        self._proxies = proxies
        self._lingering = 0
        self._expected = 0
        self._loop = asyncio.get_running_loop()
        self._accepting: list[asyncio.Task[None]] = []
        self._aside: set[asyncio.Task[None]] = set()

    def open(self) -> None:
        """Begin."""
        self._accepting = [self._loop.create_task(self._accept(listener)) for listener in self._listeners]

    def close(self) -> None:
        """No new connections from now on; the port is free for others."""
        for task in (*self._accepting, *self._aside):
            task.cancel()
        for listener in self._listeners:
            self._forget(listener)
            listener.close()

    def _forget(self, listener: socket.socket) -> None:
        """A selector that still watched a closed socket would watch whoever gets its number. Windows' loop has none."""
        with contextlib.suppress(NotImplementedError, AttributeError, OSError, ValueError):
            self._loop.remove_reader(listener)

    async def _accept(self, listener: socket.socket) -> None:
        while True:
            for _ in range(AT_ONCE):
                try:
                    visitor, address = await self._loop.sock_accept(listener)
                except ConnectionAbortedError:
                    continue
                except OSError as error:
                    log(logging.ERROR, "cannot accept", reason=error.strerror, errno=error.errno)
                    if error.errno in _EXHAUSTED:
                        # Not enough of something: trying again at once would only burn time.
                        await asyncio.sleep(1.0)
                    break
                self._look_at(visitor, address)
            await asyncio.sleep(0)

    def _look_at(self, visitor: socket.socket, address: Sequence[Any]) -> None:
        if not self._is_proxy(address[0]):
            self._let_in(visitor, address, address[0])
        elif self._expected >= EXPECTED:
            log(logging.WARNING, "connection refused", peer=place(address), reason="too many without a PROXY header")
            visitor.close()
        else:
            self._apart(self._ask_proxy(visitor, address))

    def _apart(self, what: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(what)
        self._aside.add(task)
        task.add_done_callback(self._aside.discard)

    def _is_proxy(self, host: str) -> bool:
        if not self._proxies:
            return False
        address = ipaddress.ip_address(host.partition("%")[0])
        mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
        return any((mapped or address) in network for network in self._proxies)

    async def _ask_proxy(self, visitor: socket.socket, address: Sequence[Any]) -> None:
        self._expected += 1
        try:
            async with asyncio.timeout(HEADER_TIME):
                source = await receive_source(visitor)
        except (OSError, ProxyHeaderError) as error:  # a TimeoutError is an OSError
            self._metrics.errors["protocol"] += 1
            fault = str(error) or f"no PROXY header within {HEADER_TIME:g} seconds"
            log(logging.WARNING, "proxy fault", peer=place(address), fault=fault)
            visitor.close()
        except BaseException:
            visitor.close()
            raise
        else:
            self._let_in(visitor, address, source or address[0])
        finally:
            self._expected -= 1

    def _let_in(self, visitor: socket.socket, peer: Sequence[Any], host: str) -> None:
        address = network_of(host)
        refusal = self._gate.enter(address)
        if refusal is None:
            self._hand_over(visitor, address)
            return
        self._metrics.refused[refusal.value] += 1
        log(logging.WARNING, "connection refused", peer=place(peer), address=address, reason=refusal.value)
        self._apart(self._refuse(visitor, self._gate.explain(refusal)))

    async def _refuse(self, visitor: socket.socket, why: str) -> None:
        """Say why not. Closed with something unread, the connection would be reset and the screen lost on its way."""
        with visitor, contextlib.suppress(OSError):
            visitor.send(encode_screen(draw_notice([WELCOME[0], "", f"Sorry: {why}."])))
            visitor.shutdown(socket.SHUT_WR)
            if self._lingering >= LINGERING:
                return
            self._lingering += 1
            try:
                async with asyncio.timeout(LINGER):
                    while await self._loop.sock_recv(visitor, 4096):
                        pass
            finally:
                self._lingering -= 1


def proxies_of(names: Sequence[str]) -> Proxies:
    """Addresses and networks as an operator writes them; `ValueError` for what is none."""
    return [ipaddress.ip_network(name, strict=False) for name in names]
