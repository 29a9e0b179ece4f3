"""What an operator of the web game allows, and the buckets that hold players to it.

Knows: the limits, their defaults and reasons; how a rate is counted.
Does not know: HTTP, sockets, whose requests these are; it is told the time.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, fields

from sapper.net.limits import LimitError


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """So many a second for as long as you like, and so many at once after a rest."""

    per_second: float
    burst: float

    def __post_init__(self) -> None:
        if not (self.per_second > 0 and self.burst >= 1):
            raise LimitError(f"a rate is more than nothing a second, and at least 1 at once, not {self}")

    def times(self, factor: float) -> "Rate":
        """So many times as much."""
        return Rate(per_second=factor * self.per_second, burst=max(1.0, factor * self.burst))


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of a web server. Sizes are in bytes, times in seconds; `LimitError` for impossible ones."""

    cells: int = 10_000
    """Of a board: 100×100."""
    connections: int = 4_000
    """At once, of any kind. A player's page holds one, and a few more while it loads."""
    per_address: int = 500
    """At once from one address; 0 is no limit. A school is one address, and a page that loads has six."""
    sockets_per_player: int = 20
    """At once. Twenty tabs."""
    open_games: int = 20
    """Unfinished games that a player may have."""
    games: int = 5_000
    """In memory at once; those that nobody watches are saved and let go."""
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
    messages: Rate = field(default_factory=lambda: Rate(per_second=50, burst=100))
    """On all sockets of a player. Nobody clicks twenty times a second; bots wait for answers."""
    dropped: int = 50
    """Messages of a socket that came too fast and were dropped, after which it is closed."""
    penalty: int = 20
    """As many sockets does one that was closed for that count for: with a few of them an address has to wait."""
    address_messages: Rate = field(default_factory=lambda: Rate(per_second=500, burst=2_000))
    """On all sockets of an address: a part of what one process can do."""
    requests: Rate = field(default_factory=lambda: Rate(per_second=50, burst=200))
    """Of an address; eight of the page's files are one."""
    parsing: Rate = field(default_factory=lambda: Rate(per_second=0.2, burst=2.0))
    """Seconds of an address that its requests are parsed for. A page and its files take some 0.003, 40,000 bytes in pieces of one 0.3
    (`bench/web_parsing.py`)."""
    opened: Rate = field(default_factory=lambda: Rate(per_second=5, burst=200))
    """Sockets that an address opens. All of a school come back at once when the server was restarted."""
    new_games: Rate = field(default_factory=lambda: Rate(per_second=0.5, burst=30))
    """Of a player."""
    address_new_games: Rate = field(default_factory=lambda: Rate(per_second=5, burst=200))
    """Of an address, since a cookie that is thrown away makes another player."""
    work: Rate = field(default_factory=lambda: Rate(per_second=2, burst=20))
    """Hints and analyses of a player over HTTP, and statistics: what takes more than a millisecond."""
    address_work: Rate = field(default_factory=lambda: Rate(per_second=5, burst=50))
    """The same of an address."""

    def __post_init__(self) -> None:
        for one in fields(self):
            value = getattr(self, one.name)
            least = 0 if one.name == "per_address" else 1
            if not isinstance(value, Rate) and value < least:
                raise LimitError(f"limit {one.name!r} is {value}; it is at least {least}")


class TokenBucket:
    """One rate, counted.

    >>> bucket = TokenBucket(Rate(per_second=1, burst=2), now=0.0)
    >>> [bucket.take(0.0), bucket.take(0.0), bucket.take(0.5), bucket.take(1.0)]
    [True, True, False, True]
    """

    __slots__ = ("_at", "_rate", "_tokens")

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate = rate
        self._tokens = rate.burst
        self._at = now

    def take(self, now: float, tokens: float = 1.0) -> bool:
        """Whether there were so many; then they are taken."""
        self._fill(now)
        if self._tokens < tokens:
            return False
        self._tokens -= tokens
        return True

    def spend(self, now: float, tokens: float) -> None:
        """Take so many that are gone already; there can be less than none afterwards."""
        self._fill(now)
        self._tokens -= tokens

    def wait(self, now: float, tokens: float = 1.0) -> float:
        """Seconds until there will be so many."""
        self._fill(now)
        return max(0.0, (tokens - self._tokens) / self._rate.per_second)

    def is_full(self, now: float) -> bool:
        """Whether it remembers nothing: a new one would be the same."""
        self._fill(now)
        return self._tokens >= self._rate.burst

    def _fill(self, now: float) -> None:
        self._tokens = min(self._rate.burst, self._tokens + max(0.0, now - self._at) * self._rate.per_second)
        self._at = now


class Buckets:
    """One rate for each of many, whoever they are. Those that rested long enough are forgotten."""

    __slots__ = ("_buckets", "_clock", "_most", "_rate")

    def __init__(self, rate: Rate, clock: Callable[[], float], *, most: int = 20_000) -> None:
        self._rate = rate
        self._clock = clock
        self._most = most
        self._buckets: dict[str, TokenBucket] = {}

    def __len__(self) -> int:
        return len(self._buckets)

    def of(self, name: str) -> TokenBucket:
        """The bucket of that name."""
        bucket = self._buckets.get(name)
        if bucket is None:
            now = self._clock()
            if len(self._buckets) >= self._most:
                self._forget(now)
            bucket = self._buckets[name] = TokenBucket(self._rate, now)
        return bucket

    def take(self, name: str, tokens: float = 1.0) -> bool:
        """Take so many; whether there were."""
        return self.of(name).take(self._clock(), tokens)

    def wait(self, name: str, tokens: float = 1.0) -> float:
        """Seconds until there will be so many."""
        return self.of(name).wait(self._clock(), tokens)

    def spend(self, name: str, tokens: float) -> None:
        """Take so many that are gone already; there can be less than none afterwards."""
        self.of(name).spend(self._clock(), tokens)

    def _forget(self, now: float) -> None:
        self._buckets = {name: bucket for name, bucket in self._buckets.items() if not bucket.is_full(now)}
        # Still too many are a flood from as many addresses: the oldest half gets another chance.
        for name in list(self._buckets)[: max(0, len(self._buckets) - self._most // 2)]:
            del self._buckets[name]


class Turnstiles:
    """The buckets of all players and addresses."""

    __slots__ = (
        "address_messages", "address_new_games", "address_work", "clock", "messages", "new_games", "opened", "requests",
        "work",
    )  # fmt: skip

    def __init__(self, limits: Limits, clock: Callable[[], float]) -> None:
        self.clock = clock
        self.requests = Buckets(limits.requests, clock)
        self.opened = Buckets(limits.opened, clock)
        self.new_games = Buckets(limits.new_games, clock)
        self.address_new_games = Buckets(limits.address_new_games, clock)
        self.work = Buckets(limits.work, clock)
        self.address_work = Buckets(limits.address_work, clock)
        self.messages = Buckets(limits.messages, clock)
        self.address_messages = Buckets(limits.address_messages, clock)
