"""What an operator of the web game allows, and the buckets that hold players to it."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from sapper.config.configuration import Configuration
from sapper.server.rate_limits import KeyedRateLimiter, RateLimit, TokenBucket, check_limits
from sapper.server.worker_pool import SECONDS

_DEFAULTS = Configuration()


@dataclass(frozen=True, slots=True, kw_only=True)
class WebLimits:
    """The limits of a web server. Sizes are in bytes, times in seconds; `InvalidValueError` for impossible ones."""

    connections: int = _DEFAULTS.whole("web.max_connections")
    """At once, of any kind. A player's page holds one, and a few more while it loads."""
    per_address: int = _DEFAULTS.whole("web.max_per_address")
    """At once from one address; 0 is no limit. A school is one address, and a page that loads has six."""
    sockets_per_player: int = 20
    """At once. Twenty tabs."""
    games: int = 6_000
    """In memory at once; unwatched ones are saved and unloaded."""
    body: int = 64 * 1024
    """Of a request. The text of a 100×100 board has a tenth of it."""
    message: int = 4096
    """On a socket. The longest that makes sense has a hundred."""
    head_time: float = 10.0
    """For the head of a request, and for its body, to arrive."""
    queued: int = 256
    """Messages that a player has not read yet; more than these, and the socket is closed."""
    queued_size: int = 1024 * 1024
    """And their characters. The state of a 100×100 board with the chances of all cells has 300,000."""
    messages: RateLimit = field(default_factory=lambda: RateLimit(per_second=50, burst=100))
    """On all sockets of a player: more than twice what a hand can click."""
    dropped: int = 50
    """Messages of a socket that came too fast and were dropped, after which it is closed."""
    penalty: int = 20
    """As many sockets does one that was closed for that count for: with a few of them an address has to wait."""
    address_messages: RateLimit = field(default_factory=lambda: RateLimit(per_second=500, burst=2_000))
    """On all sockets of an address: a part of what one process can do."""
    requests: RateLimit = field(default_factory=lambda: RateLimit(per_second=50, burst=200))
    """Of an address; eight of the page's files are one."""
    thought: RateLimit = SECONDS
    """Seconds that worker processes work for an address before others go first."""
    opened: RateLimit = field(default_factory=lambda: RateLimit(per_second=5, burst=200))
    """Sockets that an address opens. All of a school come back at once when the server was restarted."""
    new_games: RateLimit = field(default_factory=lambda: RateLimit(per_second=5, burst=300))
    """Of a player: more than a hand can begin, and restarts are among them."""
    address_new_games: RateLimit = field(default_factory=lambda: RateLimit(per_second=5, burst=200))
    """Of an address, since a cookie that is thrown away makes another player."""
    kept: RateLimit = field(default_factory=lambda: RateLimit(per_second=0.25, burst=20_000))
    """New games of an address that go into the store, restarts among them, 1.3 KB each: 28 MB a day. Three hundred at a school begin 13,500 in
    a lesson."""
    kept_of_all: RateLimit = field(default_factory=lambda: RateLimit(per_second=10, burst=100_000))
    """The same of all addresses together: 1.1 GB a day. A thousand players begin ten games a second."""
    work: RateLimit = field(default_factory=lambda: RateLimit(per_second=2, burst=20))
    """Hints and analyses of a player over HTTP, and statistics: what takes more than a millisecond."""
    phrases: RateLimit = field(default_factory=lambda: RateLimit(per_second=1 / 60, burst=10))
    """Wrong recovery phrases from an address."""
    address_work: RateLimit = field(default_factory=lambda: RateLimit(per_second=5, burst=50))
    """The same of an address."""

    @classmethod
    def of(cls, configuration: Configuration) -> "WebLimits":
        """What the settings say; the rates that they do not name grow with those that they name."""
        usual = cls()
        cells = configuration.whole("web.max_cells")
        times = configuration.number("web.max_address_rate") / usual.requests.per_second
        return replace(
            usual,
            # The chances of all cells are one message.
            queued_size=max(usual.queued_size, 40 * cells),
            connections=configuration.whole("web.max_connections"),
            games=max(usual.games, configuration.whole("web.max_connections")),
            per_address=configuration.whole("web.max_per_address"),
            **{
                name: getattr(usual, name).times(times)
                for name in (
                    "requests",
                    "kept",
                    "thought",
                    "opened",
                    "address_messages",
                    "new_games",
                    "address_new_games",
                    "address_work",
                )
            },
        )

    def __post_init__(self) -> None:
        check_limits(self)


class RateLimits:
    """The buckets of all players and addresses."""

    __slots__ = (
        "address_messages", "address_new_games", "address_work", "clock", "kept", "kept_of_all", "messages", "new_games",
        "not_kept", "opened", "phrases", "requests", "work",
    )  # fmt: skip

    def __init__(self, limits: WebLimits, clock: Callable[[], float]) -> None:
        self.clock = clock
        self.requests = KeyedRateLimiter(limits.requests, clock)
        self.opened = KeyedRateLimiter(limits.opened, clock)
        self.new_games = KeyedRateLimiter(limits.new_games, clock)
        self.address_new_games = KeyedRateLimiter(limits.address_new_games, clock)
        self.kept = KeyedRateLimiter(limits.kept, clock)
        self.kept_of_all = TokenBucket(limits.kept_of_all, clock())
        self.not_kept: Counter[str] = Counter()
        """New games that were refused because the store has had enough, by whose quota."""
        self.phrases = KeyedRateLimiter(limits.phrases, clock)
        self.work = KeyedRateLimiter(limits.work, clock)
        self.address_work = KeyedRateLimiter(limits.address_work, clock)
        self.messages = KeyedRateLimiter(limits.messages, clock)
        self.address_messages = KeyedRateLimiter(limits.address_messages, clock)

    def may_keep(self, address: str) -> bool:
        """Count one more new game of an address; False if the store has had enough of them."""
        if not self.kept.take(address):
            self.not_kept["address"] += 1
            return False
        if not self.kept_of_all.take(self.clock()):
            self.not_kept["all"] += 1
            return False
        return True
