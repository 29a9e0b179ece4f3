"""A server's games come to the store they are meant for, once, and marked as what they are."""

from pathlib import Path

import pytest

from sapper.cli.serve_recording import ServerRecorder
from sapper.errors import StoreError
from sapper.server import outages
from sapper.store.late_store import LateStore
from sapper.store.models import Category
from sapper.store.repository import Store, open_store
from tests.network import Wire, served, start


def test_a_servers_games_are_recorded(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    for _ in range(2):
        with served("--database", str(path), "--seed", "1") as server:
            with Wire(server.port) as wire:
                wire.ask(start(9, 9, 1))
                wire.ask(6)  # a mark
                wire.ask(start(5, 5, 1))  # which nobody touches
                wire.ask(start(6, 6, 1))
                wire.ask(6)
                wire.sock.sendall(bytes([8]))  # QUIT
            with Wire(server.port) as wire:
                wire.ask(start(4, 4, 3))
                wire.ask(6)
                wire.ask(10)  # debug
    with open_store(path) as store:
        games = list(store.games())
    assert sorted((game.kind.width, game.category, game.result.value) for game in games) == sorted(
        [(9, Category.PLAIN, "terminated"), (6, Category.PLAIN, "terminated"), (4, Category.DEBUGGED, "terminated")] * 2
    )  # fmt: skip
    assert {(game.face, game.player, game.strategy) for game in games} == {("server", None, None)}


def test_a_store_nobody_named_does_not_keep_a_server_from_serving(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.delenv("SAPPER_DATABASE")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / "data").write_text("no folder", encoding="utf-8")
    heard: list[tuple[str, dict[str, object]]] = []
    monkeypatch.setattr(outages, "log", lambda _level, text, **values: heard.append((text, values)))
    recorder = ServerRecorder(None)
    recorder.close()
    assert [text for text, _ in heard] == ["games wait to be recorded"]
    assert "cannot be read: Not a directory" in str(heard[0][1]["reason"])


def test_a_server_whose_store_is_moved_away_ends_with_an_error(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with served("--database", str(path)) as server:
        path.rename(tmp_path / "moved.db")
        with Wire(server.port) as wire:
            wire.ask(start(9, 9, 1))
            wire.ask(6)
        assert server.stop() == 1
        server.wait_for("moved away or replaced while this server used it")


def test_what_is_not_installed_is_said() -> None:
    def missing() -> Store:
        raise ModuleNotFoundError("No module named 'sqlalchemy'", name="sqlalchemy")

    with pytest.raises(StoreError, match=r"sqlalchemy is not installed: pip install 'sapper\[store\]'"):
        LateStore(missing).apply(())


def test_a_first_start_makes_the_store_that_nobody_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("SAPPER_DATABASE", raising=False)
    with served("--record") as server, Wire(server.port) as one:
        one.ask(start(20, 10))
        one.ask(6)
        assert server.stop() == 0
    assert not [line for line in server.log if "level=warning" in line]
    with open_store(tmp_path / "sapper" / "sapper.db") as store:
        assert len(list(store.games())) == 1
