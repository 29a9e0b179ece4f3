"""As many open files as connections need, if the system lets us."""

import resource
from dataclasses import fields

import pytest
from hypothesis import given, strategies as st

from sapper.errors import InvalidValueError
from sapper.net.packets import PORT
from sapper.net.settings import ServerLimits, ServerSettings, within_files
from sapper.server.listeners import SPARE_FILES, raise_file_limit
from sapper.server.rate_limits import ConnectionLimiter, Refusal


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """A system with limits of its own."""
    values = {"soft": 100, "hard": 1000, "refuses": 0}

    def set_limit(kind: int, limits: tuple[int, int]) -> None:
        if values["refuses"]:
            raise ValueError("not allowed")
        values["soft"], values["hard"] = limits

    monkeypatch.setattr(resource, "getrlimit", lambda kind: (values["soft"], values["hard"]))
    monkeypatch.setattr(resource, "setrlimit", set_limit)
    return values


@pytest.mark.parametrize(
    ("hard", "wanted", "allowed", "soft"),
    [
        (1000, 50, 50, 100),  # nothing to do
        (1000, 500, 500, 500),
        (1000, 5000, 1000, 1000),
        (resource.RLIM_INFINITY, 5000, 5000, 5000),
    ],
)
def test_the_soft_limit_is_raised_as_far_as_it_goes(
    system: dict[str, int], hard: int, wanted: int, allowed: int, soft: int
) -> None:
    system["hard"] = hard
    assert raise_file_limit(wanted) == allowed
    assert (system["soft"], system["hard"]) == (soft, hard)


def test_a_system_that_refuses_leaves_what_there_was(system: dict[str, int]) -> None:
    system["refuses"] = 1
    assert raise_file_limit(500) == 100


def test_connections_are_as_many_as_files_allow(system: dict[str, int]) -> None:
    assert within_files(ServerLimits(connections=5000)).connections == 1000 - SPARE_FILES
    assert within_files(ServerLimits(connections=50)).connections == 50
    system["hard"] = SPARE_FILES  # less than it needs for itself
    system["soft"] = 1
    assert within_files(ServerLimits(connections=5000)).connections == 1


def test_the_defaults_are_the_seed_s() -> None:
    settings = ServerSettings()
    assert (settings.port, PORT) == (9999, 9999)
    assert settings.metrics is None


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
