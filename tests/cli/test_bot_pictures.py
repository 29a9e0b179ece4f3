"""Pictures of the bot's games."""

import re
from pathlib import Path

import pytest

from sapper.cli.exits import ExitCode
from sapper.cli.main import main
from tests.pictures import drawn_in

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


BOT = ["bot", "--preset", "beginner", "--seed", "3", "--quiet"]


def test_bot_draws_the_end_with_its_mines(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*BOT, "--picture", "end.png"]) == ExitCode.DONE
    assert main([*BOT, "--picture", "end.svg"]) == ExitCode.DONE
    shapes = [shape for shapes in drawn_in(folder / "end.svg").values() for shape in shapes]
    assert shapes.count("mine") + shapes.count("exploded") + shapes.count("flagged") == 10
    assert (folder / "end.png").read_bytes().startswith(PNG)
    assert "again: sapper bot --preset beginner --seed 3\n" in capsys.readouterr().out


def test_bot_draws_every_move(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*BOT, "--picture", "{move}.svg"]) == ExitCode.DONE
    told = re.search(r"in (\d+) moves", capsys.readouterr().out)
    assert told is not None
    moves = int(told[1])
    assert sorted(path.name for path in folder.glob("*.svg")) == [f"{n:03d}.svg" for n in range(moves + 1)]
    first, second = drawn_in(folder / "000.svg"), drawn_in(folder / "001.svg")
    assert len(first) == 81
    assert set.union(*first.values()) == {"covered"}
    assert sum("last" in shapes for shapes in second.values()) == 1
    assert not any("mine" in shapes for shapes in second.values())


def test_bot_draws_several_games(folder: Path) -> None:
    assert main([*BOT, "--games", "2", "--json", "--picture", "{game}.svg"]) == ExitCode.DONE
    assert sorted(path.name for path in folder.glob("*.svg")) == ["001.svg", "002.svg"]
    assert drawn_in(folder / "001.svg") != drawn_in(folder / "002.svg")


def test_bot_says_that_several_games_need_several_names(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*BOT, "--games", "2", "--picture", "end.png"]) == ExitCode.USAGE
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("sapper: several pictures need different names: put {game} into 'end.png'")
    assert list(folder.glob("*.png")) == []
