"""A command's store is the one that was asked for: by its option, else by the setting."""

from pathlib import Path

import pytest

from sapper.cli.main import main
from sapper.cli.storing import address_of, new_key, now, open_chosen
from sapper.store.store import open_store


def test_the_option_goes_before_the_setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAPPER_DATABASE", str(tmp_path / "set.db"))
    assert address_of(None) == str(tmp_path / "set.db")
    assert address_of("said.db") == "said.db"
    monkeypatch.delenv("SAPPER_DATABASE")
    assert address_of(None) is None
    with open_chosen(str(tmp_path / "said.db")) as store:
        assert store.place.path == tmp_path / "said.db"


def test_every_key_is_another_and_times_have_a_zone() -> None:
    assert len({new_key() for _ in range(100)}) == 100
    assert now().utcoffset() is not None


def test_simulations_are_recorded_when_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.db"
    monkeypatch.setenv("SAPPER_DATABASE", str(path))
    words = ["--strategy", "single", "--games", "3", "--seed", "1", "--backend", "python"]
    assert main(["simulate", "--preset", "beginner", *words]) == 0
    assert not path.exists()
    assert main(["simulate", "--preset", "beginner", *words, "--record"]) == 0
    assert main(["simulate", "--preset", "kata", *words, "--record"]) == 0
    with open_store(path) as store:
        runs = store.simulations()
    assert [(run.games, run.kind is None, run.boards) for run in runs] == [(3, False, None), (3, True, "kata")]
