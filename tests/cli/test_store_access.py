"""A command's store is the one that was asked for: by its option, else by the setting."""

import io
from pathlib import Path

import pytest

from sapper.cli import store_access
from sapper.cli.exits import ExitCode
from sapper.cli.main import main
from sapper.cli.store_access import address_of, new_key, now, open_chosen, open_there
from sapper.errors import StoreError
from sapper.store.repository import Store, open_store
from tests.stored import stored


def test_the_option_goes_before_the_setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAPPER_DATABASE", str(tmp_path / "set.db"))
    assert address_of(None) == str(tmp_path / "set.db")
    assert address_of("said.db") == "said.db"
    monkeypatch.delenv("SAPPER_DATABASE")
    assert address_of(None) is None
    with open_chosen(str(tmp_path / "said.db")) as store:
        assert store.address.path == tmp_path / "said.db"


def test_play_keeps_to_the_permissions_and_tells_of_the_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.db"
    open_store(path).close()
    path.chmod(0o660)
    monkeypatch.setattr("sapper.store.repository.bring_up_to_date", lambda *_, **__: tmp_path / "a copy")
    monkeypatch.setenv("SAPPER_STORE_PERMISSIONS", "0660")
    monkeypatch.setattr("sys.stdin", io.StringIO("stats\nquit\n"))
    assert main(["play", "--lines", "--database", str(path)]) == 0
    assert path.stat().st_mode & 0o777 == 0o660
    assert str(tmp_path / "a copy") in capsys.readouterr().err


def test_a_file_that_was_named_to_be_read_is_not_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.db"
    with pytest.raises(StoreError, match=r"games\.db: no store: nothing has been recorded there"):
        open_there(str(path))
    assert not path.exists()
    # The place that is used every day is another matter: there it is just that nothing was played yet.
    monkeypatch.setenv("SAPPER_DATABASE", str(path))
    open_there(None).close()
    open_there(str(path)).close()


def test_a_store_that_may_not_be_written_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.db"
    open_store(path).close()

    def refuse(address: str | None) -> Store:
        raise StoreError(f"{address}: no")

    # Root may write anything: what it would be told is said here.
    monkeypatch.setattr(store_access, "open_chosen", refuse)
    with open_there(str(path), to_read=True) as store, pytest.raises(StoreError):
        store.record(stored())
    with pytest.raises(StoreError):
        open_there(str(path))


def test_a_home_that_may_only_be_read_stops_no_statistics(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    there = tmp_path / "file" / "sapper" / "sapper.db"  # nobody, be it root, makes a folder there
    monkeypatch.setattr("sapper.store.engine.default_path", lambda: there)
    monkeypatch.delenv("SAPPER_DATABASE", raising=False)
    assert main(["stats"]) == ExitCode.DONE
    assert capsys.readouterr() == ("games played (all players of this store): 0\ngames won: 0\n", "")
    # A file that was named is another matter.
    assert main(["stats", "--database", str(there)]) == ExitCode.USAGE


def test_every_key_is_another_and_times_have_a_zone() -> None:
    assert len({new_key() for _ in range(100)}) == 100
    assert now().utcoffset() is not None


def test_simulations_are_recorded_when_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.db"
    monkeypatch.setenv("SAPPER_DATABASE", str(path))
    words = ["--strategy", "single", "--games", "3", "--seed", "1", "--backend", "reference"]
    assert main(["simulate", "--preset", "beginner", *words]) == 0
    assert not path.exists()
    assert main(["simulate", "--preset", "beginner", *words, "--record"]) == 0
    assert main(["simulate", "--preset", "kata", *words, "--record"]) == 0
    with open_store(path) as store:
        runs = store.simulations()
    assert [(run.games, run.kind is None, run.boards) for run in runs] == [(3, False, None), (3, True, "kata")]
