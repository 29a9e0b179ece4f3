"""Limits are possible ones, and the gate counts."""

from dataclasses import fields

import pytest
from hypothesis import given, strategies as st

from sapper.errors import InvalidValueError
from sapper.net.limits import ServerLimits
from sapper.server.rate_limits import ConnectionLimiter, Refusal


@pytest.mark.parametrize("name", [field.name for field in fields(ServerLimits)])
def test_a_limit_below_its_least_is_an_error(name: str) -> None:
    least = 0 if name == "per_address" else 1
    assert getattr(ServerLimits(**{name: least}), name) == least
    with pytest.raises(InvalidValueError, match=f"limit '{name}' is {least - 1}; it is at least {least}"):
        ServerLimits(**{name: least - 1})


def test_a_full_server_lets_nobody_in_until_one_leaves() -> None:
    gate = ConnectionLimiter(connections=2, per_address=0)
    assert [gate.enter(address) for address in "aab"] == [None, None, Refusal.FULL]
    gate.leave("a")
    assert gate.enter("b") is None


def test_an_address_has_its_share() -> None:
    gate = ConnectionLimiter(connections=9, per_address=1)
    assert [gate.enter(address) for address in "aab"] == [None, Refusal.ADDRESS, None]
    gate.leave("a")
    assert gate.enter("a") is None


@given(st.lists(st.sampled_from("abc")), st.integers(1, 6), st.integers(0, 3))
def test_the_limits_hold_whoever_comes_and_goes(moves: list[str], connections: int, per_address: int) -> None:
    gate = ConnectionLimiter(connections=connections, per_address=per_address)
    inside: list[str] = []
    for number, address in enumerate(moves):
        if number % 3 == 2 and address in inside:
            inside.remove(address)
            gate.leave(address)
        elif gate.enter(address) is None:
            inside.append(address)
        assert gate.count == len(inside) <= connections
        assert not per_address or inside.count(address) <= per_address
