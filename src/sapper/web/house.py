"""What endpoints and sockets work with, put together once.

Knows: the parts of a web server.
Does not know: what they do.
"""

from dataclasses import dataclass, field
from typing import Any, Protocol

from sapper.store.store import Store
from sapper.web.answers import Writer
from sapper.web.limits import Limits, Turnstiles
from sapper.web.presets import Look
from sapper.web.tables import Tables
from sapper.web.workshop import Workshop


class Listener(Protocol):
    """Who can be told something."""

    def send(self, message: dict[str, Any]) -> None:
        """Tell it, without waiting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """All that endpoints and sockets work with."""

    tables: Tables
    workshop: Workshop
    store: Store | None
    limits: Limits
    turnstiles: Turnstiles
    look: Look
    sockets: set[Listener] = field(default_factory=set)
    """All that are open."""
    writer: Writer = field(default_factory=Writer)
    """Writes what is said on them."""

    def tell_all(self, message: dict[str, Any]) -> None:
        """Say something on every socket."""
        for socket in list(self.sockets):
            socket.send(message)
