"""What endpoints and sockets work with, put together once.

Knows: the parts of a web server.
Does not know: what they do.
"""

from dataclasses import dataclass, field

from sapper.server.outages import OutageLog
from sapper.server.worker_pool import WorkerPool
from sapper.store.repository import Store
from sapper.web.games.messages import ServerMessage
from sapper.web.games.play_policy import PlayPolicy
from sapper.web.games.registry import GameRegistry
from sapper.web.games.services import Subscriber
from sapper.web.http.limits import RateLimits, WebLimits
from sapper.web.http.metrics import WebMetrics
from sapper.web.http.page_look import Look
from sapper.web.http.responses import MessageEncoder


@dataclass(frozen=True, slots=True, kw_only=True)
class AppContext:
    """All that endpoints and sockets work with."""

    registry: GameRegistry
    pool: WorkerPool
    store: Store | None
    policy: PlayPolicy
    limits: WebLimits
    rates: RateLimits
    look: Look
    metrics: WebMetrics = field(default_factory=WebMetrics)
    outage: OutageLog = field(default_factory=lambda: OutageLog("the store did not answer", "the store answers again"))
    """What the log says of trouble with the store: once, however many ask."""
    sockets: set[Subscriber] = field(default_factory=set)
    """All that are open."""
    writer: MessageEncoder = field(default_factory=MessageEncoder)
    """Writes what is said on them."""

    def tell_all(self, message: ServerMessage) -> None:
        """Say something on every socket."""
        for socket in list(self.sockets):
            socket.send(message)
