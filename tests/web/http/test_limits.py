"""Limits that cannot be, and buckets: what is counted, for whom, and what is forgotten."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from sapper.errors import InvalidValueError
from sapper.server.rate_limits import KeyedRateLimiter, RateLimit, TokenBucket
from sapper.web.http.limits import RateLimits, WebLimits

SLOW = RateLimit(per_second=2, burst=3)


class Hands:
    """A clock whose hands are moved."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("name", ["connections", "games", "body", "queued", "head_time"])
def test_a_limit_of_nothing_is_none(name: str) -> None:
    values: dict[str, Any] = {name: 0}
    with pytest.raises(InvalidValueError, match=f"limit '{name}' is 0; it is at least 1"):
        WebLimits(**values)


def test_no_limit_of_an_address_is_one() -> None:
    assert WebLimits(per_address=0).per_address == 0


@pytest.mark.parametrize(("per_second", "burst"), [(0, 1), (-1, 1), (1, 0.5)])
def test_rates_that_cannot_be(per_second: float, burst: float) -> None:
    with pytest.raises(InvalidValueError, match="a rate is more than nothing a second"):
        RateLimit(per_second=per_second, burst=burst)


def test_a_rate_is_multiplied() -> None:
    assert SLOW.times(2) == RateLimit(per_second=4, burst=6)
    assert SLOW.times(0.01).burst == 1


@given(st.lists(st.floats(0, 5), max_size=60))
def test_a_bucket_gives_no_more_than_its_rate(waits: list[float]) -> None:
    bucket, now, given_out = TokenBucket(SLOW, 0.0), 0.0, 0
    for wait in waits:
        now += wait
        given_out += bucket.take(now)
        assert given_out <= SLOW.burst + SLOW.per_second * now + 1e-6


def test_after_the_wait_there_is_one() -> None:
    bucket = TokenBucket(SLOW, 0.0)
    assert [bucket.take(0.0) for _ in range(4)] == [True, True, True, False]
    assert bucket.wait(0.0) == 0.5
    assert bucket.take(0.5)
    bucket.spend(0.5, 4)
    assert bucket.wait(0.5) == 2.5
    assert not bucket.take(2.9)
    assert bucket.take(3.0)


def test_a_clock_that_goes_back_gives_nothing() -> None:
    bucket = TokenBucket(SLOW, 10.0)
    for _ in range(3):
        bucket.take(10.0)
    assert not bucket.take(5.0)


def test_each_name_has_a_bucket_of_its_own() -> None:
    hands = Hands()
    buckets = KeyedRateLimiter(SLOW, hands)
    assert [buckets.take("ann") for _ in range(4)] == [True, True, True, False]
    assert buckets.take("bob")
    assert not buckets.take("ann")
    assert buckets.wait("ann") == 0.5
    hands.now = 1.0
    assert buckets.take("ann", 2)
    assert not buckets.take("ann")


def test_who_rested_is_forgotten_and_a_flood_of_names_fills_no_memory() -> None:
    hands = Hands()
    buckets = KeyedRateLimiter(SLOW, hands, most=100)
    for _ in range(3):
        buckets.take("busy")
    for number in range(99):
        buckets.of(f"idle {number}")
    hands.now = 1.0  # all but the busy one are as if they had never come
    buckets.of("another")
    assert len(buckets) == 2
    assert buckets.take("busy", 2)
    assert not buckets.take("busy")
    for number in range(1_000):
        buckets.take(f"flood {number}")
        assert len(buckets) <= 100


def test_turnstiles_have_the_rates_of_the_limits() -> None:
    limiters = RateLimits(WebLimits(new_games=SLOW), Hands())
    assert [limiters.new_games.take("ann") for _ in range(4)] == [True, True, True, False]
