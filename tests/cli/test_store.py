"""`sapper store`: where it is, out, in, and a player deleted."""

import io
from pathlib import Path

import pytest

from sapper.cli.exits import ExitCode
from sapper.cli.main import main
from sapper.store.repository import open_store
from tests.stored import many


def test_out_and_in_and_a_player_deleted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    games = many(30, 3)
    here, there, file = (str(tmp_path / name) for name in ("here.db", "there.db", "games.jsonl"))
    with open_store(here) as store:
        store.record_many(games)

    def sapper(*words: str, code: ExitCode = ExitCode.DONE) -> str:
        assert main(["store", *words]) == code
        out, err = capsys.readouterr()
        return out or err

    assert sapper("path", "--database", here) == f"{here}\n"
    assert sapper("migrate", "--database", there) == f"{there}: up to date\n"
    sapper("export", file, "--database", here)
    assert sapper("export", "--database", here) == Path(file).read_text(encoding="utf-8")
    assert sapper("import", file, "--database", there) == "new: 30 games, 0 saved games, 0 simulations\n"
    assert sapper("import", file, "--database", there) == "new: 0 games, 0 saved games, 0 simulations\n"
    assert "say --yes" in sapper("delete-player", "ann", "--database", there, code=ExitCode.USAGE)
    of_ann = sum(game.player == "ann" for game in games)
    assert sapper("delete-player", "ann", "--yes", "--database", there) == f"deleted: 'ann', {of_ann} games\n"
    assert "no player 'ann'" in sapper("delete-player", "ann", "--yes", "--database", there, code=ExitCode.NO)
    with open_store(there) as store:
        assert list(store.games()) == [game for game in games if game.player != "ann"]


def test_a_store_that_cannot_be_opened_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "letters"
    path.write_text("Dear Ann", encoding="utf-8")
    for words in (
        ["store", "migrate"],
        ["stats"],
        ["bot", "--record"],
        ["serve"],
        ["simulate", "--preset", "kata", "--record"],
    ):
        assert main([*words, "--database", str(path)]) == ExitCode.USAGE
        out, err = capsys.readouterr()
        assert (out, err) == (
            "",
            f"sapper: {path}: this is no store but another file, or a damaged one; it is left as it is\n",
        )
    assert path.read_text(encoding="utf-8") == "Dear Ann"


def test_an_export_replaces_a_file_when_it_is_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here, file = tmp_path / "here.db", tmp_path / "games.jsonl"
    with open_store(here) as store:
        store.record_many(many(20, 3))
    file.write_text("last year's", encoding="utf-8")
    damaged = tmp_path / "damaged.db"
    content = bytearray(here.read_bytes())
    content[8192:] = b"\xff" * (len(content) - 8192)
    damaged.write_bytes(content)
    assert main(["store", "export", str(file), "--database", str(damaged)]) == ExitCode.USAGE
    assert file.read_text(encoding="utf-8") == "last year's"
    assert main(["store", "export", str(file), "--database", str(here)]) == ExitCode.DONE
    assert len(file.read_text(encoding="utf-8").splitlines()) == 22
    assert {path.name for path in tmp_path.iterdir()} >= {"games.jsonl"}
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["export", "none/games.jsonl"], "none/games.jsonl: No such file or directory"),
        (["export", "/dev/full"], "/dev/full: No space left on device"),
        (["import", "other"], "other:1:1: this is not UTF-8 text"),
        (["import", "none.jsonl"], "'none.jsonl': No such file or directory"),
        (["export", "--database", "none.db"], "none.db: there is no store"),
        (["delete-player", "ann", "--yes", "--database", "none.db"], "none.db: there is no store"),
    ],
)
def test_what_cannot_be_done_is_said(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("other").write_bytes(b"\xf8\n")
    open_store("games.db").close()
    with_store = words if "--database" in words else [*words, "--database", "games.db"]
    assert main(["store", *with_store]) == (ExitCode.LIMIT if "/dev/full" in words else ExitCode.USAGE)
    assert message in capsys.readouterr().err
    assert {path.name for path in tmp_path.iterdir()} == {"other", "games.db"}
