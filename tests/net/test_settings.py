"""As many open files as connections need, if the system lets us."""

import resource

import pytest

from sapper.net.limits import ServerLimits
from sapper.net.packets import PORT
from sapper.net.settings import ServerSettings, within_files
from sapper.server.listeners import SPARE_FILES, raise_file_limit


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
