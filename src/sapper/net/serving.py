"""Serving from start to end: opens the port, finds who plays, waits for a signal, closes everything in order.

Knows: the order in which things start and end.
Does not know: what options are called, what is played.
"""

import asyncio
import logging
import signal
import socket
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from sapper.net.acceptor import Acceptor, proxies_of
from sapper.net.metrics import Metrics
from sapper.net.server import GameServer, seeds_of
from sapper.net.settings import ServerSettings, within_files
from sapper.net.supervisor import Supervisor
from sapper.server.collector import collect_in_short_looks
from sapper.server.listeners import listen, place
from sapper.server.logging import log
from sapper.server.metrics_endpoint import Scrape
from sapper.server.rate_limits import ConnectionLimiter
from sapper.server.signals import END_TIME, SignalStop


class GameServers(Protocol):
    """Those who play: one game server in this process, or several in others."""

    async def start(self) -> None:
        """Be ready to play."""

    def admit(self, sock: socket.socket, address: str) -> None:
        """Play with this one."""

    async def collect(self, total: Metrics) -> None:
        """Add all counts to these."""

    async def shut_down(self) -> None:
        """Tell all players, and end."""


class LocalGameServer:
    """Plays in this process."""

    def __init__(self, settings: ServerSettings, limiter: ConnectionLimiter) -> None:
        self._server = GameServer(
            limits=settings.limits,
            draw_seed=seeds_of(settings.seed),
            on_finished=settings.on_finished,
            recorder=settings.recorder,
            on_left=limiter.leave,
        )

    async def start(self) -> None:
        """It is ready at once."""

    def admit(self, sock: socket.socket, address: str) -> None:
        """Play with this one."""
        self._server.admit(sock, address)

    async def collect(self, total: Metrics) -> None:
        """Add the counts of this process."""
        total.add(self._server.snapshot().state())

    async def shut_down(self) -> None:
        """Tell all players, and end."""
        await self._server.shut_down()


async def serve(
    settings: ServerSettings, *, stop: asyncio.Event, ready: Callable[[str], None] = lambda _: None
) -> None:
    """Serve until `stop` is set. `ready` is told the address once players may come.

    `ListenError` if a port cannot be had.
    """
    proxies = proxies_of(settings.proxies)
    listeners = listen(settings.hosts, settings.port)
    try:
        metrics_listeners = (
            []
            if settings.metrics_port is None
            else listen([settings.metrics_host], settings.metrics_port, option="--metrics-port")
        )
        settings = replace(settings, limits=within_files(settings.limits, settings.workers))
        limiter = ConnectionLimiter(connections=settings.limits.connections, per_address=settings.limits.per_address)
        servers: GameServers = (
            LocalGameServer(settings, limiter) if settings.workers == 1 else Supervisor(settings, limiter)
        )
        await servers.start()
    except BaseException:
        for listener in listeners:
            listener.close()
        raise
    acceptor_metrics = Metrics()

    async def collect() -> str:
        total = Metrics()
        total.add(acceptor_metrics.state())
        await servers.collect(total)
        return total.text()

    acceptor = Acceptor(listeners, gate=limiter, metrics=acceptor_metrics, hand_over=servers.admit, proxies=proxies)
    scrape = Scrape(metrics_listeners, collect)
    await scrape.open()
    for listener in metrics_listeners:
        log(logging.INFO, "serving metrics", address=place(listener.getsockname()))
    places = [place(listener.getsockname()) for listener in listeners]
    acceptor.open()
    for one in places:
        log(logging.INFO, "serving", address=one, workers=settings.workers)
    ready(", ".join(places))
    try:
        await stop.wait()
    finally:
        log(logging.INFO, "shutting down", connections=limiter.count)
        acceptor.close()
        await servers.shut_down()
        scrape.close()
        log(logging.INFO, "ended")


async def serve_until_signalled(
    settings: ServerSettings, ready: Callable[[str], None] = lambda _: None
) -> signal.Signals:
    """Serve until a signal says to end (`server.signals`); which it was."""
    collect_in_short_looks()
    with SignalStop(end_time=END_TIME) as told:
        await serve(settings, stop=told.stop, ready=ready)
    return told.received
