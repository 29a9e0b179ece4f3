"""The game server: its sockets, its connections, their limits in time, and its end."""

import asyncio
import contextlib
import logging
import secrets
import signal
import socket
from collections.abc import Callable, Sequence
from functools import partial
from time import monotonic
from typing import Any, Final

from sapper.core.rng import Rng
from sapper.net.admission import Admission, Proxies, proxies_of
from sapper.net.connection import SHUTDOWN, Connection
from sapper.net.metrics import Metrics
from sapper.net.seat import seat_ports
from sapper.net.settings import ServerLimits, ServerSettings, within_files
from sapper.net.turns import Turns
from sapper.play.played_game import PlayedGame
from sapper.play.ports import GameSink, NoSink
from sapper.server.listeners import BACKLOG, listen_with_metrics, place
from sapper.server.logging import log
from sapper.server.metrics import collect_in_short_looks
from sapper.server.metrics_endpoint import Scrape
from sapper.server.rate_limits import ConnectionLimiter
from sapper.server.signals import END_TIME, SignalStop

READ_SIZE: Final = 4096
"""Bytes read from a connection at a time, and so the most packets that one can have waiting."""
GRACE: Final = 2.0
"""Seconds that connections have to take the last screen when the server ends."""
AT_ONCE: Final = 64
"""How many are accepted before those who are in have their turn."""


_secret_seed: Final = partial(secrets.randbits, 64)


class GameServer:
    """Plays with everyone who comes. Belongs to one event loop.

    `sink` keeps each game from its first changed cell on, and again when it has ended; the player is answered when that is durable.
    """

    def __init__(
        self,
        *,
        limits: ServerLimits,
        proxies: Proxies = (),
        new_seed: Callable[[], int] = _secret_seed,
        sink: GameSink | None = None,
    ) -> None:
        self.limits = limits
        self.metrics = Metrics()
        self.buffer = bytearray(READ_SIZE)
        self.new_seed = new_seed
        self.ports = seat_ports(NoSink() if sink is None else sink)
        self._gate = ConnectionLimiter(connections=limits.connections, per_address=limits.per_address)
        self.admission = Admission(gate=self._gate, metrics=self.metrics, let_in=self._let_in, proxies=proxies)
        self._listening: list[asyncio.Server] = []
        self._connections: set[Connection] = set()
        self._loop = asyncio.get_running_loop()
        self.turns = Turns(self._loop)
        self._empty = asyncio.Event()
        self._empty.set()
        self._is_ending = False
        self._sweeper: asyncio.TimerHandle | None = None
        # Limits are kept to within a quarter of themselves, or a second.
        self._interval = min(1.0, limits.idle / 4, limits.stall / 4)
        self._sweep()

    # --- connections ------------------------------------------------------------------------------

    async def open(self, listeners: Sequence[socket.socket]) -> None:
        for listener in listeners:
            self._listening.append(await self._loop.create_server(self.admission, sock=listener, backlog=AT_ONCE))
            listener.listen(BACKLOG)  # asyncio takes one number for both, and would accept as many in one go

    def _let_in(self, transport: asyncio.Transport, address: str, data: bytes) -> None:
        connection = Connection(self, self._loop, address)
        transport.set_protocol(connection)
        connection.connection_made(transport)
        if data:
            connection.take(data)

    def joined(self, connection: Connection) -> None:
        self.metrics.opened += 1
        self._connections.add(connection)
        self._empty.clear()
        if self._is_ending:
            connection.dismiss(SHUTDOWN)

    def left(self, connection: Connection) -> None:
        self._connections.discard(connection)
        if not self._connections:
            self._empty.set()
        self._gate.leave(connection.address)

    @property
    def count(self) -> int:
        return len(self._connections)

    def new_key(self) -> str:
        return secrets.token_hex(16)

    def finished(self, played: PlayedGame, *, peer: str) -> None:
        session, status = played.session, played.referee.status
        is_debugged = session.assistance.shown
        self.metrics.finished["debugged" if is_debugged else status.value] += 1
        log(
            logging.DEBUG, "game finished", peer=peer, result=status.value, debugged=is_debugged, game=played.kind.preset,
            seed=played.game.seed, moves=session.input_count, seconds=session.elapsed / 1000,
        )  # fmt: skip

    def snapshot(self) -> Metrics:
        self.metrics.playing = sum(connection.seat.is_started for connection in self._connections)
        return self.metrics

    def _sweep(self) -> None:
        """End whatever has outlived a limit: one timer for all connections."""
        now = monotonic()
        for connection in list(self._connections):
            connection.check(now)
        self._sweeper = self._loop.call_later(self._interval, self._sweep)

    # --- the end ----------------------------------------------------------------------------------

    async def shut_down(self, grace: float = GRACE) -> None:
        """Tell everyone, close everything, and wait until it is; not longer than `grace` seconds."""
        self._is_ending = True
        for listening in self._listening:
            listening.close()
        self.admission.close()
        for connection in list(self._connections):
            connection.dismiss(SHUTDOWN)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(grace):
                await self._empty.wait()
        for connection in list(self._connections):
            connection.abort(SHUTDOWN)
        if self._sweeper is not None:
            self._sweeper.cancel()
        await asyncio.sleep(0)  # aborted connections report that they are lost


async def serve(
    settings: ServerSettings, *, stop: asyncio.Event, ready: Callable[[str], None] = lambda _: None
) -> None:
    """Serve until `stop` is set. `ready` is told the address once players may come.

    `UnavailableError` if a port cannot be had.
    """
    proxies = proxies_of(settings.proxies)
    listeners, scraped = listen_with_metrics(settings.hosts, settings.port, settings.metrics, option="server.metrics")
    asyncio.get_running_loop().set_exception_handler(_log_trouble)
    new_seed = _secret_seed if settings.seed is None else Rng(settings.seed).next
    server = GameServer(limits=within_files(settings.limits), proxies=proxies, new_seed=new_seed, sink=settings.sink)

    async def collect() -> str:
        return server.snapshot().text()

    scrape = Scrape(scraped, collect)
    await scrape.open()
    for listener in scraped:
        log(logging.INFO, "serving metrics", address=place(listener.getsockname()))
    await server.open(listeners)
    places = [place(listener.getsockname()) for listener in listeners]
    for one in places:
        log(logging.INFO, "serving", address=one)
    ready(", ".join(places))
    try:
        await stop.wait()
    finally:
        log(logging.INFO, "shutting down", connections=server.count)
        await server.shut_down()
        scrape.close()
        log(logging.INFO, "ended")


def _log_trouble(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """What asyncio would write to stderr: that it cannot accept, and will try again in a second; a mistake in a callback."""
    log(logging.ERROR, context["message"], reason=repr(context.get("exception")))


async def serve_until_signalled(
    settings: ServerSettings, ready: Callable[[str], None] = lambda _: None
) -> signal.Signals:
    """Serve until a signal says to end (`server.signals`); which it was."""
    collect_in_short_looks()
    with SignalStop(end_time=END_TIME) as told:
        await serve(settings, stop=told.stop, ready=ready)
    return told.received
