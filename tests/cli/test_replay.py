"""`sapper replay`: frames, JSON, pictures, tables; games of other programs, of files of ours, of the store."""

import json
import shlex
import sys
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from PIL import Image

from sapper.cli.exits import ExitCode
from sapper.cli.main import main
from sapper.cli.replay import command as replay_command, moments
from sapper.cli.review import command as review_command
from sapper.core.move import Move
from sapper.core.record import Record, TimedMove
from sapper.core.record_binary import record_pieces, unpack_record
from sapper.generator.new_game import new_game
from sapper.replay.frames import LONGEST_WAIT, Frames
from sapper.replay.rawvf import write_rawvf
from sapper.replay.replaying import replay
from sapper.store.models import Result, StoredGame
from sapper.store.repository import open_store
from tests.recordings import click, flag, recording, some_game, write_avf, write_rmv
from tests.stored import BEGIN

Captured = pytest.CaptureFixture[str]


def _ask(words: list[str], capsys: Captured, code: int = 0) -> str:
    assert main(["replay", *words]) == code
    out, err = capsys.readouterr()
    if code:
        assert out == ""
        assert err.count("\n") == 1, err
        return err
    return out


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.avf"
    path.write_bytes(write_avf(some_game()))
    return path


def test_plain_frames(game: Path, capsys: Captured) -> None:
    frames = _ask([str(game)], capsys).split("move ")[1:]
    assert len(frames) == 5
    assert frames[0] == "0/4: before the first move\n" + 8 * "########\n"
    assert frames[-1].startswith("4/4, 2.300 s: reveal f1, lost\n")
    assert "X" in frames[-1]
    assert _ask([str(game), "--move", "end"], capsys) == "move " + frames[-1]
    assert _ask([str(game), "--move", "0"], capsys) == "move " + frames[0]


def test_the_same_game_whichever_way_it_is_kept(game: Path, tmp_path: Path, capsys: Captured) -> None:
    record = replay(some_game()).record
    lines = tmp_path / "records.jsonl"
    other = replay(recording(click(0, 2, 2))).record
    lines.write_text(f"{other.to_json()}\n\n{record.to_json()}\n", encoding="utf-8")
    database = tmp_path / "games.db"
    with open_store(database) as store:
        store.record_many(
            [StoredGame.of_record(record, key="abc", started=BEGIN, ended=BEGIN, face="web", player="Ann")]
        )
        store.record_many(
            [StoredGame.of_record(record, key="bare", started=BEGIN, ended=BEGIN, face="web").replace(record=None)]
        )
    of_avf = json.loads(_ask([str(game), "--json"], capsys))
    for asked in ("replay", "review"):
        assert main([asked, str(lines), "--json"]) == ExitCode.DONE
        assert capsys.readouterr().err == f"sapper: {lines}: this is game 1 of 2; --game N names another\n"
    assert main(["replay", str(lines), "--game", "2", "--json"]) == ExitCode.DONE
    out, err = capsys.readouterr()
    of_file = json.loads(out)
    assert not err
    of_store = json.loads(_ask(["abc", "--database", str(database), "--json"], capsys))
    same = ("width", "mine_cells", "bbbv", "zini", "openings", "islands", "won", "event_seconds", "solved_bbbv")
    assert (
        {name: of_avf[name] for name in same}
        == {name: of_file[name] for name in same}
        == {name: of_store[name] for name in same}
    )
    assert (of_avf["name"], of_file["name"], of_store["name"]) == ("Ann", None, "Ann")
    assert "not its moves" in _ask(["bare", "--database", str(database)], capsys, ExitCode.USAGE)
    assert "no game with this key" in _ask(["xyz", "--database", str(database)], capsys, ExitCode.USAGE)


def test_games_of_the_terminal_and_the_web_are_found_by_their_keys(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    """Their keys have a point in them, hyphens and low lines: what is no file may be one of those."""
    monkeypatch.chdir(tmp_path)
    database = ["--database", str(tmp_path / "games.db")]
    monkeypatch.setattr(sys, "stdin", StringIO("reveal e5\nrestart\nreveal c2\nquit\n"))
    assert main(["play", "--lines", "--seed", "1", *database]) == 0
    with open_store(tmp_path / "games.db") as store:
        (played,) = (one for one in store.games() if one.result is Result.LOST)
        store.record(replace(played, key="-_bc-KALZ7OcNmApwYnHS.12"))
    capsys.readouterr()
    assert played.key.endswith(".1")
    shown = _ask(["--move", "end", *database, "--", played.key], capsys)
    assert ": reveal c2, lost" in shown
    assert _ask(["--move", "end", *database, "--", "-_bc-KALZ7OcNmApwYnHS.12"], capsys) == shown
    assert main(["review", *database, "--", played.key]) == 0
    assert "lost: 1 move" in capsys.readouterr().out
    assert "no file 'abc.2', and no game" in _ask(["abc.2", *database], capsys, ExitCode.USAGE)
    Path("abc.2").write_bytes(game.read_bytes())
    with open_store(tmp_path / "games.db") as store:
        store.record(replace(played, key="abc.2"))
    assert json.loads(_ask(["abc.2", "--json", *database], capsys))["format"] == "avf", "a file that is there wins"


def test_pictures(game: Path, tmp_path: Path, capsys: Captured) -> None:
    one, each = tmp_path / "one.svg", tmp_path / "at-{move}.svg"
    assert _ask([str(game), "--picture", str(one)], capsys) == ""
    assert "lost" in one.read_text()
    _ask([str(game), "--picture", str(each)], capsys)
    assert sorted(path.name for path in tmp_path.glob("at-*")) == [f"at-{n:03d}.svg" for n in range(5)]
    assert (tmp_path / "at-004.svg").read_text() == one.read_text() != (tmp_path / "at-001.svg").read_text()


def test_a_folder_is_a_table(game: Path, tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "b.rmv").write_bytes(write_rmv(some_game(), 2))
    (tmp_path / "c.rawvf").write_text(write_rawvf(recording(click(0, 2, 2))))
    (tmp_path / "notes.txt").write_text("nothing")
    (tmp_path / "bad.evf").write_bytes(b"\x04\x00")
    assert main(["replay", str(tmp_path), "--table"]) == 0
    out, err = capsys.readouterr()
    assert [line.split()[-1] for line in out.splitlines()[1:4]] == [
        str(tmp_path / name) for name in ("c.rawvf", "deep/b.rmv", "game.avf")
    ]
    assert out.splitlines()[-1] == "3 games in 4 files, 0 won; 1 could not be read"
    assert err.startswith(f"sapper: {tmp_path / 'bad.evf'}: evf: ")
    assert err.count("\n") == 1
    assert main(["replay", str(tmp_path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [row["format"] for row in found["games"]] == ["rawvf", "rmv", "avf"]
    assert (found["files"], len(found["bad"])) == (4, 1)
    (tmp_path / "deep" / "b.rmv").write_bytes(b"*rmv")
    assert main(["replay", str(tmp_path / "deep"), "--table"]) == ExitCode.USAGE


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["missing.avf"], "missing.avf: No such file"),
        (["GAME", "--move", "5"], "--move is 0 to 4, or end"),
        (["GAME", "--move", "x"], "--move is 0 to 4, or end"),
        (["missing", "--table"], "needs a folder or a file"),
        (["GAME", "--game", "2"], "a recording is of one game"),
        (["EMPTY"], "no file that ends in"),
        (
            ["GAME", "--save", "game.txt"],
            "--save writes .rawvf, .sapr, .json, .jsonl, .gif, .apng: game.txt ends in none",
        ),
        (["BAD"], "the record says|is a JSON document"),
        (["LATIN"], "a record is UTF-8 text"),
    ],
)
def test_bad_input_is_one_line(words: list[str], said: str, game: Path, tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "bad.json").write_text('{"format": 3')
    (tmp_path / "latin.json").write_bytes(b'{"name": "\xe9"}')
    names = {
        "DIR": tmp_path,
        "GAME": game,
        "EMPTY": tmp_path / "empty",
        "BAD": tmp_path / "bad.json",
        "LATIN": tmp_path / "latin.json",
    }
    found = _ask([str(names.get(word, word)) for word in words], capsys, ExitCode.USAGE)
    assert any(one in found for one in said.split("|")), found


def test_a_game_is_saved_with_its_mouse(game: Path, tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "kept.sapr"
    assert _ask([str(game), "--save", str(path)], capsys) == ""
    record = unpack_record(path.read_bytes())
    recorded = some_game()
    assert record.mouse is not None
    assert [one[1:] for one in record.mouse] == [one[1:] for one in recorded.events]
    assert record.mouse[0].at < 0  # the press; the clock starts with the release
    assert (record.player, record.cell_size) == ("Ann", 16)
    assert replace(record, mouse=None, player=None, started=None) == replay(recorded).record
    assert _ask([str(path), "--move", "end"], capsys) == _ask([str(game), "--move", "end"], capsys)
    assert _ask([str(path), "--save", str(tmp_path / "kept.jsonl")], capsys) == ""
    assert Record.from_json((tmp_path / "kept.jsonl").read_text()) == record


def test_a_file_of_records_is_a_table(tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """By several processes, in order, with those that are damaged named by their numbers."""
    path = tmp_path / "games.sapr"
    words = ["simulate", "--preset", "kata", "--strategy", "single", "--games", "70", "--seed", "1"]
    assert main([*words, "--records", str(path)]) == 0
    pieces = record_pieces(path.read_bytes())
    pieces[65] = pieces[65][:-1] + bytes([pieces[65][-1] ^ 1])
    path.write_bytes(b"".join(pieces))
    found = []
    for many in (1000, 1):  # in this process, in two others
        monkeypatch.setattr("sapper.cli.replay_measuring.MANY", many)
        capsys.readouterr()
        assert main(["replay", str(path), "--table", "--json"]) == 0
        out, err = capsys.readouterr()
        assert err.startswith(f"sapper: {path}:66: the record is damaged")
        found.append(json.loads(out))
    assert found[0] == found[1]
    sources = [row["source"] for row in found[0]["games"]]
    assert sources == [f"{path}:{number}" for number in range(1, 71) if number != 66]
    assert main(["replay", str(path), "--table"]) == 0
    won = sum(row["won"] for row in found[0]["games"])
    assert f"69 games in 1 file, {won} won" in capsys.readouterr().out


SUPER_CLICK = """RawVF_Version: Rev6
Width: 4
Height: 1
Mines: 1
SquareSize: 64
SuperClick: On
Status: won
Board:
0*00
Events:
0.000 lc 0 0 (10 10)
0.000 lr 0 0 (10 10)
1.000 rc 1 0 (80 10)
1.000 rr 1 0 (80 10)
1.500 lc 2 0 (140 10)
1.500 lr 2 0 (140 10)
2.000 lc 2 0 (140 10)
2.000 lr 2 0 (140 10)
"""


def test_what_a_file_states_otherwise_is_said(tmp_path: Path, capsys: Captured) -> None:
    good, wrong, slow = (tmp_path / f"{name}.rawvf" for name in ("good", "wrong", "slow"))
    good.write_text(SUPER_CLICK)
    wrong.write_text(SUPER_CLICK.replace("SuperClick: On", "BBBV: 10\nMode: UPK"))
    slow.write_text(SUPER_CLICK.replace("Status", "Time: 1.000\nStatus"))
    assert main(["replay", str(good), "--json"]) == 0
    out, err = capsys.readouterr()
    assert (json.loads(out)["won"], json.loads(out)["differs"], err) == (True, "", "")
    told = f"sapper: {wrong}: the file says won, 3BV 10; the replay shows playing, 3BV 2\n"
    for words in (["replay", str(wrong), "--json"], ["replay", str(wrong), "--move", "end"], ["review", str(wrong)]):
        assert main(words) == ExitCode.NO
        out, err = capsys.readouterr()
        assert err == told
        assert out
    assert main(["replay", str(slow), "--json"]) == 0, "a time is no reason not to trust the game"
    assert capsys.readouterr().err == f"sapper: {slow}: the file says 1.000 s; the replay shows 2.000 s\n"

    assert main(["replay", str(tmp_path)]) == ExitCode.NO
    out, err = capsys.readouterr()
    assert sorted(err.splitlines()) == sorted(
        [told.rstrip(), f"sapper: {slow}: the file says 1.000 s; the replay shows 2.000 s"]
    )
    assert out.splitlines()[-1] == "3 games in 3 files, 2 won, best 2.000 s; 2 differ from what the file says"
    assert main(["replay", str(tmp_path), "--json"]) == ExitCode.NO
    (row,) = (row for row in json.loads(capsys.readouterr().out)["games"] if not row["trusted"])
    assert (row["source"], row["differs"]) == (str(wrong), "the file says won, 3BV 10; the replay shows playing, 3BV 2")


def test_a_recording_is_written_as_rawvf(game: Path, tmp_path: Path, capsys: Captured) -> None:
    text, again = tmp_path / "game.rawvf", tmp_path / "again.rawvf"
    assert _ask([str(game), "--save", str(text)], capsys) == ""
    of_avf = json.loads(_ask([str(game), "--json"], capsys))
    of_text = json.loads(_ask([str(text), "--json"], capsys))
    others = ("source", "format", "version")
    assert {k: v for k, v in of_avf.items() if k not in others} == {k: v for k, v in of_text.items() if k not in others}
    _ask([str(text), "--save", str(again)], capsys)
    assert again.read_text() == text.read_text()


@pytest.mark.parametrize("with_mouse", [True, False])
def test_a_record_is_written_as_rawvf(with_mouse: bool, tmp_path: Path, capsys: Captured) -> None:
    """With what the mouse did, or with the clicks that its moves would take."""
    replayed = replay(replace(some_game(), question_marks=True))
    record = replayed.whole_record if with_mouse else replayed.record
    records, text = tmp_path / "game.json", tmp_path / "game.rawvf"
    records.write_text(record.to_json())
    _ask([str(records), "--save", str(text)], capsys)
    ours, theirs = (json.loads(_ask([str(path), "--json"], capsys)) for path in (records, text))
    for name in ("mine_cells", "status", "bbbv", "solved_bbbv", "event_seconds", "moves"):
        assert ours[name] == theirs[name], name


def test_rawvf_of_a_game_given_up_is_warned_of(tmp_path: Path, capsys: Captured) -> None:
    game = new_game("beginner", seed=7)
    moves = (Move.reveal(game.grid.cell(4, 4)), Move.terminate())
    played = tuple(TimedMove(1000 * at, move, game.play(move)) for at, move in enumerate(moves, 1))
    mines = game.layout.mines
    record = Record(rules=game.rules, grid=game.grid, mine_count=game.board.mine_count, mines=mines, played=played)
    records, text = tmp_path / "game.json", tmp_path / "game.rawvf"
    records.write_text(record.to_json())
    assert main(["replay", str(records), "--save", str(text)]) == ExitCode.DONE
    warning = f"sapper: {text}: RAWVF cannot say that a game was given up; read back, this one is unfinished\n"
    assert capsys.readouterr() == ("", warning)
    assert json.loads(_ask([str(text), "--json"], capsys))["status"] == "playing"


def test_games_that_no_other_program_plays_are_not_written_as_rawvf(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "games.sapr"
    words = "simulate --preset beginner --rules kata --strategy least-risk --games 1 --seed 1".split()
    assert main([*words, "--backend", "reference", "--records", str(path)]) == 0
    capsys.readouterr()
    err = _ask([str(path), "--save", str(tmp_path / "x.rawvf")], capsys, ExitCode.USAGE)
    assert "are of the classic rules on a rectangle" in err


def test_the_examples_of_both_commands_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    """As they stand in the help, one after the other in an empty folder; those with the key of a stored game are left out."""
    monkeypatch.chdir(tmp_path)
    examples = [
        shlex.split(line)[1:]
        for command in (replay_command, review_command)
        for line in (command.epilog or "").splitlines()
        if line.startswith("  sapper ")
        and "bceKALZ7OcNmApwYnHS" not in line
        and "3f2a9c" not in line
        and ">" not in line
    ]
    assert len(examples) == 8
    for words in examples:
        assert main(words) == 0, words
    assert {path.name for path in tmp_path.iterdir()} == {"end.png", "game.gif", "game.rawvf"}
    assert capsys.readouterr().err == ""


def test_moves_that_follow_too_quickly_share_a_picture() -> None:
    events = [*click(0, 2, 2), *click(500, 0, 0), *click(505, 6, 0), *click(2_000, 7, 7)]
    frames = Frames(replay(recording(events)).record)
    longest = round(1000 * LONGEST_WAIT)
    assert moments(frames, 1.0) == [(1, 500), (3, 1500), (4, longest)]
    assert moments(frames, 2.0) == [(1, 250), (3, 750), (4, longest)]
    record = frames.record
    untimed = Frames(type(record).from_json(json.dumps(json.loads(record.to_json()) | {"played": [
        [0, *rest] for _, *rest in json.loads(record.to_json())["played"]
    ]})))  # fmt: skip
    assert moments(untimed, 2.0) == [(number, 100) for number in range(4)] + [(4, longest)]


@pytest.mark.parametrize("ending", ["apng", "gif"])
def test_a_game_becomes_a_moving_picture(tmp_path: Path, ending: str) -> None:
    game, path = tmp_path / "game.avf", tmp_path / f"game.{ending}"
    game.write_bytes(write_avf(some_game()))
    assert main(["replay", str(game), "--save", str(path)]) == 0
    shown = moments(Frames(replay(some_game()).record), 1.0)
    seen = []
    with Image.open(path) as image:
        assert getattr(image, "n_frames", 1) == len(shown) > 2
        for number, (_, milliseconds) in enumerate(shown):
            image.seek(number)
            # GIF counts in hundredths.
            assert abs(image.info["duration"] - milliseconds) < (10 if ending == "gif" else 1)
            seen.append(image.convert("RGB").tobytes())
    assert len(set(seen)) == len(shown)


def test_cells_are_as_large_as_the_length_allows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game, path = tmp_path / "game.rawvf", tmp_path / "game.gif"
    flags = [event for number in range(30) for event in flag(100 * number, 0, 0)]
    game.write_text(write_rawvf(recording([*click(0, 2, 2), *flags])))
    shown = len(moments(Frames(replay(recording([*click(0, 2, 2), *flags])).record), 1.0))
    monkeypatch.setattr("sapper.plots.png.MOST_PIXELS", shown * 12 * 12 * 5**2)
    assert main(["replay", str(game), "--save", str(path)]) == 0
    with Image.open(path) as image:
        assert max(image.size) <= 12 * 5
    monkeypatch.setattr("sapper.plots.png.MOST_PIXELS", shown * 12 * 12 * 3**2)
    assert main(["replay", str(game), "--save", str(path)]) == 2
    assert "pictures of this game are too many: raise --speed" in capsys.readouterr().err
