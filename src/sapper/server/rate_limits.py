"""Limits of connections and of rates, for both servers."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any

from sapper.errors import InvalidValueError


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimit:
    """A rate per second, and a burst after a rest."""

    per_second: float
    burst: float

    def __post_init__(self) -> None:
        if not (self.per_second > 0 and self.burst >= 1):
            raise InvalidValueError(f"a rate is more than nothing a second, and at least 1 at once, not {self}")

    def times(self, factor: float) -> "RateLimit":
        return RateLimit(per_second=factor * self.per_second, burst=max(1.0, factor * self.burst))


def check_limits(limits: Any) -> None:
    """`InvalidValueError` if a number of a dataclass of limits is less than 1; `per_address` may be 0, which is no limit."""
    for one in fields(limits):
        value = getattr(limits, one.name)
        least = 0 if one.name == "per_address" else 1
        if not isinstance(value, RateLimit) and value < least:
            raise InvalidValueError(f"limit {one.name!r} is {value}; it is at least {least}")


class TokenBucket:
    """One rate, counted.

    >>> bucket = TokenBucket(RateLimit(per_second=1, burst=2), now=0.0)
    >>> [bucket.take(0.0), bucket.take(0.0), bucket.take(0.5), bucket.take(1.0)]
    [True, True, False, True]
    """

    __slots__ = ("_at", "_burst", "_per_second", "_tokens")

    def __init__(self, rate: RateLimit, now: float) -> None:
        self._per_second = rate.per_second
        self._burst = self._tokens = rate.burst
        self._at = now

    def take(self, now: float, tokens: float = 1.0) -> bool:
        """Take tokens; False, and nothing is taken, if there are fewer."""
        self._fill(now)
        if self._tokens < tokens:
            return False
        self._tokens -= tokens
        return True

    def spend(self, now: float, tokens: float) -> float:
        """Take tokens that were used already; how many are left, which may be negative."""
        self._fill(now)
        self._tokens -= tokens
        return self._tokens

    def wait(self, now: float, tokens: float = 1.0) -> float:
        """Seconds until that many tokens are there."""
        self._fill(now)
        return max(0.0, (tokens - self._tokens) / self._per_second)

    def left(self, now: float) -> float:
        """The number of tokens; negative where more were spent."""
        self._fill(now)
        return self._tokens

    def is_full(self, now: float) -> bool:
        """True if it equals a new one."""
        self._fill(now)
        return self._tokens >= self._burst

    def _fill(self, now: float) -> None:
        passed = now - self._at
        if passed > 0:
            self._tokens = min(self._burst, self._tokens + passed * self._per_second)
        self._at = now


class KeyedRateLimiter:
    """One rate for each of many keys. Keys that rested long enough are forgotten."""

    __slots__ = ("_buckets", "_clock", "_most", "_rate")

    def __init__(self, rate: RateLimit, clock: Callable[[], float], *, most: int = 20_000) -> None:
        self._rate = rate
        self._clock = clock
        self._most = most
        self._buckets: dict[str, TokenBucket] = {}

    def __len__(self) -> int:
        return len(self._buckets)

    def of(self, name: str) -> TokenBucket:
        bucket = self._buckets.get(name)
        if bucket is None:
            now = self._clock()
            if len(self._buckets) >= self._most:
                self._forget(now)
            bucket = self._buckets[name] = TokenBucket(self._rate, now)
        return bucket

    def take(self, name: str, tokens: float = 1.0) -> bool:
        """Take tokens; False, and nothing is taken, if there are fewer."""
        return self.of(name).take(self._clock(), tokens)

    def wait(self, name: str, tokens: float = 1.0) -> float:
        """Seconds until that many tokens are there."""
        return self.of(name).wait(self._clock(), tokens)

    def spend(self, name: str, tokens: float) -> None:
        """Take tokens that were used already; the count may become negative."""
        self.of(name).spend(self._clock(), tokens)

    def _forget(self, now: float) -> None:
        self._buckets = {name: bucket for name, bucket in self._buckets.items() if not bucket.is_full(now)}
        # Still too many are a flood from as many addresses: the oldest half gets another chance.
        for name in list(self._buckets)[: max(0, len(self._buckets) - self._most // 2)]:
            del self._buckets[name]


class Refusal(Enum):
    """Why a connection is refused; the values are for logs and metrics."""

    FULL = "the server is full"
    ADDRESS = "too many connections from this address"


class ConnectionLimiter:
    """Counts connections and says who may come in.

    >>> gate = ConnectionLimiter(connections=2, per_address=1)
    >>> gate.enter("::1"), gate.enter("::1")
    (None, <Refusal.ADDRESS: 'too many connections from this address'>)
    >>> gate.explain(Refusal.ADDRESS)
    'this server lets in 1 connection at once from one address, and your address has it already'
    """

    __slots__ = ("_by_address", "_connections", "_per_address", "count")

    def __init__(self, *, connections: int, per_address: int) -> None:
        self._connections = connections
        self._per_address = per_address
        self._by_address: Counter[str] = Counter()
        self.count = 0

    def enter(self, address: str) -> Refusal | None:
        """Let one more in, which must `leave` later; the reason if it may not come in."""
        if self.count >= self._connections:
            return Refusal.FULL
        if self._per_address and self._by_address[address] >= self._per_address:
            return Refusal.ADDRESS
        self.count += 1
        self._by_address[address] += 1
        return None

    def explain(self, refusal: Refusal) -> str:
        """The refusal in words for the client: which limit it is."""
        if refusal is Refusal.FULL:
            return (
                f"this server is full; it lets in {_connections(self._connections)} at once, from all players together"
            )
        has = "it already" if self._per_address == 1 else "them already"
        return f"this server lets in {_connections(self._per_address)} at once from one address, and your address has {has}"

    def leave(self, address: str) -> None:
        self.count -= 1
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]


def _connections(count: int) -> str:
    return f"{count:,} connection" if count == 1 else f"{count:,} connections"
