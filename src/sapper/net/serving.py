"""Serving from start to end: opens the port, waits for a signal, closes everything in order."""

import asyncio
import logging
import signal
from collections.abc import Callable
from typing import Any

from sapper.net.door import proxies_of
from sapper.net.server import GameServer, seeds_of
from sapper.net.settings import ServerSettings, within_files
from sapper.server.collector import collect_in_short_looks
from sapper.server.listeners import listen, place
from sapper.server.logging import log
from sapper.server.metrics_endpoint import Scrape
from sapper.server.signals import END_TIME, SignalStop


async def serve(
    settings: ServerSettings, *, stop: asyncio.Event, ready: Callable[[str], None] = lambda _: None
) -> None:
    """Serve until `stop` is set. `ready` is told the address once players may come.

    `UnavailableError` if a port cannot be had.
    """
    proxies = proxies_of(settings.proxies)
    listeners = listen(settings.hosts, settings.port)
    try:
        metrics_listeners = (
            []
            if settings.metrics is None
            else listen([settings.metrics[0]], settings.metrics[1], option="the setting server.metrics")
        )
    except BaseException:
        for listener in listeners:
            listener.close()
        raise
    asyncio.get_running_loop().set_exception_handler(_log_trouble)
    server = GameServer(
        limits=within_files(settings.limits), proxies=proxies, new_seed=seeds_of(settings.seed), sink=settings.sink
    )

    async def collect() -> str:
        return server.snapshot().text()

    scrape = Scrape(metrics_listeners, collect)
    await scrape.open()
    for listener in metrics_listeners:
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
