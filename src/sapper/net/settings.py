"""What is served where, its limits, and how many files the system lets a server open for it."""

import logging
from dataclasses import dataclass, field, replace

from sapper.net.packets import PORT
from sapper.play.ports import GameSink
from sapper.server.listeners import SPARE_FILES, raise_file_limit
from sapper.server.logging import log
from sapper.server.rate_limits import check_limits


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerLimits:
    """The limits of a server. Sizes are in bytes, times in seconds; `InvalidValueError` for impossible ones."""

    connections: int = 10_000
    """At once. At some 10 KB each on small boards that is 100 MB; a connection with the largest board, all of it
    in colour, holds about 1 MB."""
    per_address: int = 256
    """At once from one address (an IPv6 network of 64 bits is one); 0 is no limit. A school has one address for all its players; forty such
    addresses fill a server, one does not."""
    idle: float = 600.0
    """Without a whole packet. Ten minutes is a long thought; clients that have vanished are closed then."""
    payload: int = 1024
    """The longest payload of a packet. START, the only one that a client sends, has 3 bytes."""
    queued: int = 64 * 1024
    """Answers that were not sent yet, above which a connection's packets are left unread until the client has
    read. One screen more than this is the most that a connection can pile up. websockets stops at 32 KiB, asyncio at 64."""
    stall: float = 10.0
    """How long a client may leave such answers unread; then it is cut off. Also the time to say goodbye in."""

    def __post_init__(self) -> None:
        check_limits(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """What is served where."""

    hosts: tuple[str, ...] = ("127.0.0.1",)
    port: int = PORT
    """0 is any free one; the log says which."""
    proxies: tuple[str, ...] = ()
    """Addresses or networks from which each connection begins with a header of the PROXY protocol, and whose word is taken for it."""
    limits: ServerLimits = field(default_factory=ServerLimits)
    seed: int | None = None
    """One seed for all games, for tests: the same packets get the same answers."""
    metrics: tuple[str, int] | None = None
    """Host and port that metrics are served on; None is nowhere."""
    sink: GameSink | None = None
    """Keeps every game from its first changed cell on; players are answered when that is durable. None keeps nothing."""


def within_files(limits: ServerLimits) -> ServerLimits:
    """The limits, with no more connections than the system allows open files, which is raised first if it can be."""
    allowed = max(1, raise_file_limit(limits.connections + SPARE_FILES) - SPARE_FILES)
    if allowed >= limits.connections:
        return limits
    log(logging.WARNING, "fewer connections than asked for: open files are limited (ulimit -n)", connections=allowed)
    return replace(limits, connections=allowed)
