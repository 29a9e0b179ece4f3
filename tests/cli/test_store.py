"""`sapper store`: where it is, out, in, and a player deleted."""

import asyncio
import io
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from sapper.cli.exits import ExitCode
from sapper.cli.main import main
from sapper.cli.store import command
from sapper.core.record import Record
from sapper.core.rules import RULES
from sapper.replay.rawvf import write_rawvf
from sapper.store.models import Category, Result
from sapper.store.rankings import read_ranking
from sapper.store.repository import Store, open_store
from tests.recordings import click, recording, some_game, write_avf, write_evf
from tests.social import NOON, open_site
from tests.stored import many
from tests.web_app import ANN


def test_out_and_in_and_a_player_deleted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    games = many(30, 3)
    here, there, file = (str(tmp_path / name) for name in ("here.db", "there.db", "games.jsonl"))
    with open_store(here) as store:
        store.record_many(games)

    def sapper(database: str, *words: str, code: ExitCode = ExitCode.DONE) -> str:
        assert main(["store", "--database", database, *words]) == code
        out, err = capsys.readouterr()
        return out or err

    assert sapper(here, "path") == f"{here}\n"
    assert sapper(there, "migrate") == f"{there}: up to date\n"
    sapper(here, "export", file)
    assert sapper(here, "export") == Path(file).read_text(encoding="utf-8")
    assert sapper(there, "import", file) == "new: 30 games, 0 saved games, 0 simulations\n"
    assert sapper(there, "import", file) == "new: 0 games, 0 saved games, 0 simulations\n"
    assert "confirm with --yes" in sapper(there, "delete-player", "ann", code=ExitCode.USAGE)
    of_ann = sum(game.player == "ann" for game in games)
    assert sapper(there, "delete-player", "ann", "--yes") == f"deleted: 'ann', {of_ann} games\n"
    assert "no player 'ann'" in sapper(there, "delete-player", "ann", "--yes", code=ExitCode.NO)
    with open_store(there) as store:
        assert list(store.games()) == [game for game in games if game.player != "ann"]


def test_a_store_that_cannot_be_opened_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "letters"
    path.write_text("Dear Ann", encoding="utf-8")
    assert main(["store", "--database", str(path), "migrate"]) == ExitCode.USAGE
    assert "not a store, or a damaged one" in capsys.readouterr().err
    for words in (["stats"], ["bot", "--record"], ["serve"], ["simulate", "--preset", "kata", "--record"]):
        assert main([*words, "--database", str(path)]) == ExitCode.USAGE
        out, err = capsys.readouterr()
        assert (out, err) == ("", f"sapper: {path}: not a store, or a damaged one; it is left unchanged\n")
    assert path.read_text(encoding="utf-8") == "Dear Ann"


def test_an_export_replaces_a_file_when_it_is_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here, file = tmp_path / "here.db", tmp_path / "games.jsonl"
    with open_store(here) as store:
        store.record_many(many(20, 3))
    file.write_text("last year's", encoding="utf-8")
    file.chmod(0o644)
    damaged = tmp_path / "damaged.db"
    content = bytearray(here.read_bytes())
    content[8192:] = b"\xff" * (len(content) - 8192)
    damaged.write_bytes(content)
    assert main(["store", "--database", str(damaged), "export", str(file)]) == ExitCode.USAGE
    assert file.read_text(encoding="utf-8") == "last year's"
    assert main(["store", "--database", str(here), "export", str(file)]) == ExitCode.DONE
    assert len(file.read_text(encoding="utf-8").splitlines()) == 22
    assert file.stat().st_mode & 0o777 == 0o600, "it has the mines of games that are being played"
    assert {path.name for path in tmp_path.iterdir()} >= {"games.jsonl"}
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["export", "none/games.jsonl"], "none/games.jsonl: No such file or directory"),
        (["export", "/dev/full"], "/dev/full: No space left on device"),
        (["import", "other"], "other:1:1: this is not UTF-8 text"),
        (["import", "none.jsonl"], "'none.jsonl': No such file or directory"),
        (["--database", "none.db", "export"], "none.db: no store"),
        (["--database", "none.db", "delete-player", "ann", "--yes"], "none.db: no store"),
    ],
)
def test_what_cannot_be_done_is_said(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("other").write_bytes(b"\xf8\n")
    open_store("games.db").close()
    with_store = words if "--database" in words else ["--database", "games.db", *words]
    assert main(["store", *with_store]) == (ExitCode.FULL if "/dev/full" in words else ExitCode.USAGE)
    assert message in capsys.readouterr().err
    assert {path.name for path in tmp_path.iterdir()} == {"other", "games.db"}


def test_a_file_of_records_is_no_export(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.sapr"
    file.write_bytes(b"\x93SAPR")
    for player in ([], ["--player", "ann"]):
        assert main(["store", "--database", str(tmp_path / "games.db"), "import", str(file), *player]) == ExitCode.USAGE
        assert "games.sapr has records, which sapper replay and sapper review read" in capsys.readouterr().err


def test_recordings_of_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With their guesses, clicks and times, once; what their files state otherwise is not taken."""
    folder, database = tmp_path / "recordings", tmp_path / "games.db"
    (folder / "deep").mkdir(parents=True)
    words = ["store", "--database", str(database), "import", str(folder)]
    assert main(words) == ExitCode.USAGE
    assert "has no file that ends in .avf" in capsys.readouterr().err
    game = replace(some_game(), question_marks=True)
    (folder / "deep" / "a.avf").write_bytes(write_avf(game))
    (folder / "b.evf").write_bytes(write_evf(replace(game, claimed_result="won"), 4))
    (folder / "c.rawvf").write_text(write_rawvf(recording(click(0, 2, 2), mode="cheat")))
    (folder / "d.rmv").write_bytes(b"*rmv")
    (folder / "notes.json").write_text("{}")
    assert main(words) == ExitCode.NO
    out, err = capsys.readouterr()
    assert out == (
        "new: 2 games of 4 files; 1 could not be read; 1 not taken: their replay shows another result or other mines; "
        "1 not imported: no recordings of other programs\n"
    )
    assert f"{folder / 'b.evf'}: the file says won; the replay shows lost" in err
    assert f"sapper: {folder / 'd.rmv'}: rmv: " in err
    assert main(words) == ExitCode.NO
    assert capsys.readouterr().out.startswith("new: 0 games of 4 files; 2 were there; 1 could not be read")
    with open_store(database) as store:
        (one,) = [found for found in store.games() if found.key.startswith("avf-")]
        (other,) = [found for found in store.games() if found.key.startswith("rawvf-")]
    assert (one.player, one.face, one.kind.preset, one.kind.rules) == (
        "Ann",
        "recording",
        "beginner8",
        RULES["classic"],
    )
    assert (one.result, one.time_ms, one.clicks, one.effective_clicks, one.bbbv, one.solved_bbbv) == (
        Result.LOST,
        2320,
        5,
        2,
        16,
        1,
    )
    assert one.started == datetime(2021, 6, 5, 11, 7, 48, tzinfo=UTC)
    assert one.ended - one.started == timedelta(milliseconds=2320)
    assert [(guess.forced, guess.exploded) for guess in one.guesses] == [(False, True)]
    assert one.record is not None
    record = Record.from_json(one.record)
    assert record.mouse is not None
    assert record.rules.question_marks
    assert (other.result, other.category) == (Result.TERMINATED, Category.DEBUGGED)
    for words in (["replay", one.key, "--move", "end"], ["review", one.key], ["stats", "luck"], ["stats", "best"]):
        assert main([*words, "--database", str(database)]) == 0
    assert "sapper: " not in capsys.readouterr().err


def test_whose_recordings_they_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, database = tmp_path / "game.avf", str(tmp_path / "games.db")
    path.write_bytes(write_avf(some_game()))
    assert main(["store", "--database", database, "import", str(path), "--player", "Bea"]) == 0
    with open_store(database) as store:
        assert [game.player for game in store.games()] == ["Bea"]
    text = tmp_path / "store.jsonl"
    assert main(["store", "--database", database, "export", str(text)]) == 0
    assert main(["store", "--database", database, "import", str(text), "--player", "Bea"]) == ExitCode.USAGE
    assert "--player is for recordings" in capsys.readouterr().err


def test_a_store_without_damage_is_said_to_have_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database = str(tmp_path / "games.db")
    assert main(["store", "--database", database, "migrate"]) == ExitCode.DONE
    capsys.readouterr()
    assert main(["store", "--database", database, "check"]) == ExitCode.DONE
    assert capsys.readouterr() == (f"{database}: no damage found\n", "")


def _ranked(store: Store) -> list[str]:
    return [row.game for row in read_ranking(store, "beginner", "time", "ever", NOON).rows]


def test_an_operator_decides_about_a_held_game_and_takes_a_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By the commands alone, on games that were played: one at a hand's pace, one at a machine's."""

    async def play(store: Store) -> tuple[str, str]:
        async with open_site(store) as site:

            async def new() -> str:
                return str((await site.ann("POST", "/api/games", b'{"preset": "beginner"}')).json["game"])

            for _ in range(10):
                await site.lose(await new())
            assert (await site.ann("PUT", "/api/player/name", b'{"name": "Ann"}')).status == 200
            await site.win(first := await new(), pace=700)
            await site.win(second := await new(), pace=12)
        return f"{first}.0", f"{second}.0"

    database = str(tmp_path / "games.db")
    with open_store(database) as store:
        first, second = asyncio.run(play(store))

    def sapper(*words: str, code: ExitCode = ExitCode.DONE) -> str:
        assert main(["store", "--database", database, *words]) == code
        out, err = capsys.readouterr()
        return out or err

    key, player, name, end, reason = sapper("held-games").rstrip("\n").split("\t")
    assert (key, player, name, end) == (second, ANN, "Ann", "2026-11-29 12:00")
    assert re.fullmatch(r"the moves come within \d\d ms|\d\d moves within a second", reason)
    for verdict, said, best in (("accept", "it counts", second), ("refuse", "it does not count", first)):
        assert sapper("decide", second, verdict) == f"{second}: {said}\n"
        assert sapper("held-games") == ""
        with open_store(database) as store:
            assert _ranked(store) == [best]
    assert sapper("decide", "none.0", "accept", code=ExitCode.NO) == "sapper: no game 'none.0' of a player\n"
    assert "'maybe' is not one of 'accept', 'refuse'" in sapper("decide", second, "maybe", code=ExitCode.USAGE)
    assert sapper("take-name", "Ann") == "nobody is called 'Ann' any more\n"
    assert sapper("take-name", "Ann", code=ExitCode.NO) == "sapper: nobody is called 'Ann'\n"
    with open_store(database) as store:
        assert _ranked(store) == []


@pytest.mark.parametrize("words", [["held-games"], ["decide", "a.0", "accept"], ["take-name", "Ann"]])
def test_an_operator_s_command_makes_no_store(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["store", "--database", str(tmp_path / "none.db"), *words]) == ExitCode.USAGE
    assert "none.db: no store" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_all_commands_are_about_the_store_that_was_named_before_them() -> None:
    """An option of their own would prevail over it without being given."""
    assert "database" in {option.name for option in command.params}
    own = {name: [option.name for option in one.params] for name, one in command.commands.items()}
    assert {"held-games", "decide", "take-name", "export"} <= own.keys()
    assert [name for name, options in own.items() if "database" in options] == []


def test_a_folder_says_which_files_it_passes_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    for ending in ("rawvf", "sapr", "json"):
        assert main(["replay", "example", "--save", str(folder / f"a.{ending}")]) == 0
    assert main(["store", "--database", str(tmp_path / "games.db"), "import", str(folder)]) == 0
    out, err = capsys.readouterr()
    assert out == "new: 1 game of 1 file; 2 not imported: no recordings of other programs\n"
    assert [line.partition(": not imported")[0] for line in err.splitlines()] == [
        f"sapper: {folder / name}" for name in ("a.json", "a.sapr")
    ]
