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


@given(st.lists(st.sampled_from("ab"), min_size=9), st.integers(1, 6), st.integers(0, 3))
def test_the_limits_hold_whoever_comes_and_goes(moves: list[str], connections: int, per_address: int) -> None:
    gate = ConnectionLimiter(connections=connections, per_address=per_address)
    inside: list[str] = []
    for number, address in enumerate(moves):
        if number % 3 == 2 and address in inside:
            inside.remove(address)
            gate.leave(address)
        else:
            is_had = bool(per_address) and inside.count(address) >= per_address
            refusal = Refusal.FULL if len(inside) >= connections else Refusal.ADDRESS if is_had else None
            assert gate.enter(address) is refusal
            inside += [address] if refusal is None else []
        assert gate.count == len(inside)
