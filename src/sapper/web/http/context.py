"""The parts that endpoints and sockets use."""

from collections.abc import Container
from dataclasses import dataclass, field
from typing import Final, Protocol

from sapper.server.logging import OutageLog
from sapper.server.worker_pool import WorkerPool
from sapper.store.repository import Store
from sapper.web.games.live_game import Subscriber
from sapper.web.games.messages import ServerMessage
from sapper.web.games.play_policy import PlayPolicy
from sapper.web.games.registry import GameRegistry
from sapper.web.games.social.daily import DailyGames
from sapper.web.http.limits import RateLimits, WebLimits
from sapper.web.http.metrics import WebMetrics
from sapper.web.http.page_look import Look
from sapper.web.http.previews import Png
from sapper.web.http.responses import MessageEncoder

COME_BACK: Final = 1012
"""The code of a socket that may be opened again at once."""


class Socket(Subscriber, Protocol):
    """A subscriber that can be cut off."""

    def cut(self, code: int, reason: str) -> None:
        """End this connection soon; what is queued is not sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AppContext:
    """The parts that endpoints and sockets use."""

    registry: GameRegistry
    pool: WorkerPool
    store: Store | None
    policy: PlayPolicy
    limits: WebLimits
    rates: RateLimits
    look: Look
    daily: DailyGames | None = None
    """The boards of the days; None where games are not kept."""
    png: Png | None = None
    """Makes pictures for links; None without the extra `pictures`."""
    metrics: WebMetrics = field(default_factory=WebMetrics)
    outage: OutageLog = field(default_factory=lambda: OutageLog("the store did not answer", "the store answers again"))
    """What the log says of trouble with the store: once, however many ask."""
    sockets: dict[Socket, tuple[str, str]] = field(default_factory=dict)
    """All that are open, and the player and session of each."""
    writer: MessageEncoder = field(default_factory=MessageEncoder)
    """Writes what is said on them."""

    def tell_all(self, message: ServerMessage) -> None:
        for socket in list(self.sockets):
            socket.send(message)

    def end_sockets(self, player: str, *, but: Container[str] = ()) -> None:
        """End the sockets of a player, but those of some sessions. Pages come back by themselves, those that have the player's cookie."""
        for socket in [one for one, (whose, session) in self.sockets.items() if whose == player and session not in but]:
            socket.cut(COME_BACK, "sessions were ended")
