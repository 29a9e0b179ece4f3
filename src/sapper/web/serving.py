"""Serving from start to end: opens ports and store, waits for a signal, closes everything in order.

At the end players are told that the server stops, every game is saved, and then the process ends, within seconds, whatever the clients do.
"""

import asyncio
import contextlib
import logging
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

import uvicorn
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from sapper.errors import HeldStoreError, RequestError
from sapper.server.connections import ConnectionTracker
from sapper.server.listeners import SPARE_FILES, listen_with_metrics, raise_file_limit
from sapper.server.logging import LOGGER, log
from sapper.server.metrics import collect_in_short_looks
from sapper.server.metrics_endpoint import Scrape
from sapper.server.signals import END_TIME, SignalStop
from sapper.server.wall_clock import utc_now
from sapper.server.worker_pool import WorkerPool
from sapper.server.worker_process import START_TIME
from sapper.store.locks import StoreLock
from sapper.store.repository import Store
from sapper.web.app import make_app
from sapper.web.games import jobs
from sapper.web.games.messages import ClosingMessage
from sapper.web.games.play_policy import PlayPolicy
from sapper.web.games.registry import GameRegistry
from sapper.web.games.retention import RetentionPolicy
from sapper.web.games.social.daily import DailyGames
from sapper.web.http.context import AppContext
from sapper.web.http.devices import Devices
from sapper.web.http.identity import PlayerCookies
from sapper.web.http.limits import RateLimits, WebLimits
from sapper.web.http.middleware import AllowedOrigins
from sapper.web.http.page_look import Look
from sapper.web.http.previews import Png
from sapper.web.http.transport import protocols

PING: Final = 20.0
"""Seconds between pings of a socket, and until it must have answered."""
GRACE: Final = 3
"""Seconds that connections have to end."""
RENEW: Final = 5.0
"""Seconds between two checks that the store is still ours."""
LOST: Final = "another server has this store now, or it was moved away: this server has ended"
NONE: Final = "none"
REFUSED: Final = "ASGI callable returned without completing handshake."
"""What uvicorn logs of each socket that is refused with a status, which anybody can cause."""
SWITCH: Final = 0.0005
"""Seconds that a thread may keep the interpreter from another. Each system call of the event loop lets go of it: with Python's
5 ms a player would wait for that long whenever the store's thread has something to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSettings:
    """What is served where."""

    store: Store
    secrets: tuple[str, ...]
    """What cookies are signed with; the first signs."""
    lock: StoreLock | None = None
    """Keeps others from serving the same store; it is asked now and then whether it does still."""
    hosts: tuple[str, ...] = ("127.0.0.1",)
    port: int = 8080
    policy: PlayPolicy = field(default_factory=PlayPolicy)
    limits: WebLimits = field(default_factory=WebLimits)
    keep: RetentionPolicy = field(default_factory=RetentionPolicy)
    look: Look = field(default_factory=Look)
    allowed_hosts: tuple[str, ...] = ("auto",)
    allowed_origins: tuple[str, ...] = ("auto",)
    proxies: tuple[str, ...] = (NONE,)
    metrics: tuple[str, int] | None = None
    """None is no metrics."""
    png: Png | None = None
    """Makes PNG of SVG, for pictures of links; None is the site's picture for all."""


class _Server(uvicorn.Server):
    """uvicorn's server, which leaves signals to us."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.is_up = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve, and say so."""
        await super().startup(sockets)
        self.is_up.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals alone."""
        yield


class _ToOurLog(logging.Handler):
    """Errors of uvicorn and asyncio are events of ours. What they say of peers that send nonsense is not: a flood would fill the log."""

    def emit(self, record: logging.LogRecord) -> None:
        """Hand it on; a socket that was refused with a status is no error, whatever uvicorn says, nor is a request that the end of the server cut off."""
        if record.exc_info is not None and isinstance(record.exc_info[1], asyncio.CancelledError):
            return
        if record.msg != REFUSED and LOGGER.isEnabledFor(record.levelno):
            LOGGER.handle(record)


def _take_over(logger: logging.Logger) -> Callable[[], None]:
    """Have a library's errors in our log, and only those; what is returned gives the logger back."""
    handler, before = _ToOurLog(logging.ERROR), (logger.level, logger.propagate)
    logger.addHandler(handler)
    logger.setLevel(logging.ERROR)
    logger.propagate = False

    def give_back() -> None:
        logger.removeHandler(handler)
        logger.setLevel(before[0])
        logger.propagate = before[1]

    return give_back


async def serve(settings: WebSettings, *, stop: asyncio.Event, ready: Callable[[str], None] = lambda _: None) -> int:
    """Serve until `stop` is set; how many things could not be kept. `ready` is told the addresses once players may come.

    `UnavailableError` if a port cannot be had, `HeldStoreError` if the store was lost meanwhile: then the server has ended by itself.
    """
    listeners, scraped = listen_with_metrics(settings.hosts, settings.port, settings.metrics, option="web.metrics")
    try:
        return await _serve(settings, listeners, scraped, stop, ready)
    finally:
        for listener in (*listeners, *scraped):
            listener.close()


async def _serve(
    settings: WebSettings,
    listeners: list[socket.socket],
    scraped: list[socket.socket],
    stop: asyncio.Event,
    ready: Callable[[str], None],
) -> int:
    loop = asyncio.get_running_loop()
    allowed_files = raise_file_limit(settings.limits.connections + SPARE_FILES)
    if allowed_files < settings.limits.connections + SPARE_FILES:
        log(
            logging.WARNING, "fewer connections than asked for: open files are limited (ulimit -n)", files=allowed_files
        )
    context = _make_context(settings, time.monotonic)  # as `loop.time`, without a call of Python
    pool, registry = context.pool, context.registry
    server, connections = _make_server(settings, context)

    async def collect() -> str:
        return context.metrics.text(registry, connections, context.rates, settings.store, pool)

    scrape = Scrape(scraped, collect)
    registry.start()
    stack = contextlib.ExitStack()
    for name in ("uvicorn", "asyncio"):
        stack.callback(_take_over(logging.getLogger(name)))
    keeping = loop.create_task(_keep_lock(settings.lock, stop))
    aside = [loop.create_task(connections.keep_sweeping()), keeping]
    places = [_place(listener) for listener in listeners]
    serving = loop.create_task(server.serve(sockets=listeners))
    stopping = loop.create_task(stop.wait())
    try:
        await scrape.open()
        for listener in scraped:
            log(logging.INFO, "serving metrics", address=_place(listener))
        await _first(serving, loop.create_task(server.is_up.wait()))
        log(logging.INFO, "serving", address=", ".join(places))
        ready(", ".join(places))
        aside.append(loop.create_task(_warm(pool)))
        if context.daily is not None:
            aside.append(loop.create_task(context.daily.run()))
        await _first(serving, stopping)
    finally:
        log(logging.INFO, "shutting down", connections=connections.count)
        is_lost = keeping.done()
        context.tell_all(ClosingMessage())
        await asyncio.sleep(0.05)
        server.should_exit = True
        await serving
        scrape.close()
        for task in (stopping, *aside):
            task.cancel()
        await registry.close()
        await pool.close()
        stack.close()
        log(logging.INFO, "ended")
    if is_lost:
        raise HeldStoreError(LOST)
    return registry.lost


async def _keep_lock(lock: StoreLock | None, stop: asyncio.Event) -> None:
    """End the server once it has lost the store, before it writes over another's games."""
    while lock is None or await asyncio.to_thread(_still_holds, lock):  # noqa: ASYNC110  # whether it is, only asking tells
        await asyncio.sleep(RENEW)
    log(logging.ERROR, LOST)
    stop.set()


def _still_holds(lock: StoreLock) -> bool:
    """False once the store is lost. A disk that gives no answer is no loss: it is logged, and asked again."""
    try:
        return lock.is_held
    except OSError as error:
        log(logging.WARNING, "cannot tell whether the store is still held", error=str(error))
        return True


def _make_context(settings: WebSettings, clock: Callable[[], float]) -> AppContext:
    """The parts that endpoints and sockets use."""
    pool = WorkerPool(seconds=settings.limits.thought, clock=clock, trial=jobs.warm)
    registry = GameRegistry(
        store=settings.store, pool=pool, policy=settings.policy, most_games=settings.limits.games, keep=settings.keep
    )
    return AppContext(
        registry=registry, pool=pool, store=settings.store, policy=settings.policy, limits=settings.limits,
        rates=RateLimits(settings.limits, clock), look=settings.look, png=settings.png,
        daily=DailyGames(settings.store, registry, pool, utc_now),
    )  # fmt: skip


async def _warm(pool: WorkerPool) -> None:
    """Start two workers, so that the first hints need not wait."""
    warming = [pool.run(jobs.warm, timeout=START_TIME, urgent=False) for _ in range(2)]
    for error in await asyncio.gather(*warming, return_exceptions=True):
        if error is not None and not isinstance(error, RequestError):  # whoever asks starts it then
            raise error


async def _first(*tasks: asyncio.Task[object]) -> None:
    """Wait until one of them is done."""
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)


def _make_server(settings: WebSettings, context: AppContext) -> tuple[_Server, ConnectionTracker]:
    """The server with the application, and the connections to it."""
    allowed = AllowedOrigins.of(settings.allowed_hosts, settings.allowed_origins, bound=settings.hosts)
    devices = Devices(context)
    app = make_app(context, players=PlayerCookies(*settings.secrets), devices=devices, allowed=allowed)
    devices.follow()
    proxies = [proxy for proxy in settings.proxies if proxy != NONE]
    trusted = ProxyHeadersMiddleware(app, proxies)  # type: ignore[arg-type]  # the same protocol, declared twice
    limits = context.limits
    connections = ConnectionTracker(
        connections=limits.connections, per_address=limits.per_address, patience=limits.head_time,
        is_proxy=trusted.trusted_hosts.__contains__, clock=context.rates.clock,
    )  # fmt: skip
    http, websockets = protocols(connections)
    config = uvicorn.Config(
        trusted if proxies else app,
        http=http,
        ws=websockets,
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        interface="asgi3",
        ws_max_size=limits.message,
        ws_max_queue=16,
        ws_ping_interval=PING,
        ws_ping_timeout=PING,
        ws_per_message_deflate=False,
        timeout_keep_alive=5,
        timeout_graceful_shutdown=GRACE,
        h11_max_incomplete_event_size=8 * 1024,
    )
    return _Server(config), connections


def _place(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


async def serve_until_signalled(
    settings: WebSettings, ready: Callable[[str], None] = lambda _: None
) -> tuple[signal.Signals, int]:
    """Serve until a signal says to end (`server.signals`); which it was, and how many things could not be kept."""
    sys.setswitchinterval(SWITCH)
    collect_in_short_looks()
    with SignalStop(end_time=END_TIME) as told:
        lost = await serve(settings, stop=told.stop, ready=ready)
    return told.received, lost
