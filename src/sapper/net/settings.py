"""What is served where, and how many files the system lets a server open for it."""

import logging
from dataclasses import dataclass, field, replace

from sapper.net.limits import ServerLimits
from sapper.net.packets import PORT
from sapper.play.ports import GameSink
from sapper.server.listeners import SPARE_FILES, raise_file_limit
from sapper.server.logging import log


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
