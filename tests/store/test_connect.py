"""Addresses of stores, and what cannot be reached."""

from pathlib import Path

import pytest

from sapper.errors import StoreError
from sapper.store.connect import default_path, find_place
from sapper.store.store import open_store


def test_a_file_by_its_path_or_address(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    assert find_place(path).path == find_place(str(path)).path == find_place(f"sqlite:///{path}").path == path
    assert find_place("~/games.db").path == Path.home() / "games.db"


def test_no_address_is_the_platforms_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert find_place(None).path == default_path()
    assert default_path().name == "sapper.db"
    assert default_path().parent.name == "sapper"


def test_a_password_is_not_shown() -> None:
    place = find_place("postgresql://ann:secret@db.example/games")
    assert place.path is None
    assert "secret" not in place.name
    assert "db.example/games" in place.name
    assert find_place("postgres://db/games").url.drivername == "postgresql+psycopg"


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("mysql://db/games", "mysql: a store cannot be there"),
        ("postgresql://db:port/games", "the address of a store cannot be read"),
        ("sqlite://", "a store in memory keeps nothing"),
        ("sqlite:///:memory:", "a store in memory keeps nothing"),
    ],
)
def test_an_address_that_is_none(address: str, message: str) -> None:
    with pytest.raises(StoreError, match=message):
        find_place(address)


def test_a_server_that_is_not_there() -> None:
    with pytest.raises(StoreError) as caught:
        open_store("postgresql://ann:secret@127.0.0.1:9/games")
    assert "secret" not in str(caught.value)
    assert str(caught.value).count("\n") == 0
