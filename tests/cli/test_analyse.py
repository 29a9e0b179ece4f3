"""`sapper analyse`: its JSON is the contract's, its text is for people, its errors say what to do."""

import fcntl
import json
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
from fractions import Fraction
from pathlib import Path
from typing import Any

import click
import pytest

from sapper.cli import analyse as analyse_command
from sapper.cli.analyse import MOST_DIGITS, _fraction, board_from
from sapper.cli.exits import ExitCode
from sapper.cli.main import main
from sapper.core.coordinates import column_name, place_name
from sapper.core.notation import write_board
from sapper.errors import NotationError
from tests.census import DATA, positions

EXPERT = json.loads((DATA / "census" / "expert.jsonl").read_text(encoding="ascii").splitlines()[0])
WINNING = ["candidates", "win", "forced"]
TEXT = "\n".join(EXPERT["rows"]) + "\n"


@pytest.fixture
def expert(tmp_path: Path) -> str:
    path = tmp_path / "expert.txt"
    path.write_text(TEXT, encoding="ascii")
    return str(path)


def _file(tmp_path: Path, text: str | bytes) -> str:
    path = tmp_path / "board.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def _json(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any], str]:
    code = main(["analyse", "--json", *words])
    out, err = capsys.readouterr()
    assert out.count("\n") == 1
    return code, json.loads(out), err


# --- JSON ---------------------------------------------------------------------------------------


def test_the_document(expert: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, found, err = _json(capsys, expert, "--mines", "99")
    assert (code, err) == (ExitCode.DONE, "")
    names = "width height mine_count census census_log10 cells safe mined best"
    assert list(found) == [*names.split(), *WINNING]
    assert (found["width"], found["height"], found["mine_count"], found["census"]) == (30, 16, 99, EXPERT["census"])
    assert found["census_log10"] == pytest.approx(4.2449447)
    places = [(x, y) for y, row in enumerate(EXPERT["rows"]) for x, symbol in enumerate(row) if symbol == "#"]
    assert [(cell["x"], cell["y"]) for cell in found["cells"]] == places
    assert [cell["p"] for cell in found["cells"]] == EXPERT["mine"]
    assert all(list(cell) == ["x", "y", "mine", "p"] for cell in found["cells"])
    assert all(float(Fraction(cell["mine"])) == cell["p"] for cell in found["cells"])
    assert all(re.fullmatch(r"\d+/\d+", cell["mine"]) for cell in found["cells"])
    assert [30 * y + x for x, y in found["safe"]] == EXPERT["safe"]
    assert [30 * y + x for x, y in found["mined"]] == EXPERT["mined"]
    best = found["best"]
    assert list(best) == ["x", "y", "win", "win_error", "win_low", "win_high", "exact", "why"]
    assert best["exact"] is None  # 17,577 layouts are too many to be searched
    assert 0 < best["win_low"] <= best["win"] <= best["win_high"] < 1
    assert found["candidates"][0].items() >= {key: best[key] for key in best if key != "why"}.items()
    assert all(list(one) == [*best, "risk", "clues", "can_wait"] for one in found["candidates"])
    assert EXPERT["lowest"] in [30 * one["y"] + one["x"] for one in found["candidates"]]
    assert all(sum(p for _, p in one["clues"]) + one["risk"] == pytest.approx(1) for one in found["candidates"])
    assert (
        found["win"].items() >= {"win": best["win"], "win_low": best["win_low"], "exact": None, "reason": None}.items()
    )


def test_a_solved_board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, found, _ = _json(capsys, _file(tmp_path, "3x2/2\n121\n###\n"))
    assert code == ExitCode.DONE
    sure = {"x": 1, "y": 1, "win": 1.0, "win_error": None, "win_low": 1.0, "win_high": 1.0, "exact": "1/1"}
    assert found == {
        "width": 3,
        "height": 2,
        "mine_count": 2,
        "census": "1",
        "census_log10": 0.0,
        "cells": [
            {"x": 0, "y": 1, "mine": "1/1", "p": 1.0},
            {"x": 1, "y": 1, "mine": "0/1", "p": 0.0},
            {"x": 2, "y": 1, "mine": "1/1", "p": 1.0},
        ],
        "safe": [[1, 1]],
        "mined": [[0, 1], [2, 1]],
        "best": sure | {"why": "b2 is safe: it is a mine in no layout that fits; you win for certain"},
        "candidates": [
            sure | {"why": "b2: safe, you win for certain", "risk": 0.0, "clues": [[2, 1.0]], "can_wait": True}
        ],
        "win": {"win": 1.0, "win_error": None, "win_low": 1.0, "win_high": 1.0, "exact": "1/1", "reason": None},
        "forced": [],
    }


def test_the_best_move_is_the_one_that_wins_most(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "6x6/8\n...1##\n...13#\n....2#\n221.1#\n##2111\n###1##\n"
    _, found, _ = _json(capsys, _file(tmp_path, text))
    best = found["best"]
    assert (best["x"], best["y"], best["exact"], best["win_low"], best["win_high"]) == (1, 5, "2/3", 2 / 3, 2 / 3)
    wins = {(one["x"], one["y"]): (one["exact"], one["risk"]) for one in found["candidates"]}
    assert wins[4, 5] == wins[5, 5] == wins[1, 5] == ("2/3", pytest.approx(1 / 3))
    assert wins[5, 0] == ("1/3", pytest.approx(1 / 3))
    assert main(["analyse", str(_file(tmp_path, text))]) == ExitCode.DONE
    assert "; guesses, the best first:\n  b6: " in capsys.readouterr().out
    _, flip, _ = _json(capsys, _file(tmp_path, "2x1/1\n##\n"))
    assert (flip["best"]["win"], flip["best"]["exact"]) == (0.5, "1/2")
    assert flip["forced"] == [{"cells": [[0, 0], [1, 0]], "chance": "1/2"}]
    assert [one["can_wait"] for one in flip["candidates"]] == [False, False]


@pytest.mark.parametrize(
    ("text", "mines"),
    [("1#", 1), ("1X#", 1), ("..\n..", 0), ("##", 2)],
    ids=["won", "lost", "nothing covered", "only mines"],
)
def test_no_best_cell(text: str, mines: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, found, _ = _json(capsys, _file(tmp_path, text), "--mines", str(mines))
    assert (code, found["best"]) == (ExitCode.DONE, None)
    assert main(["analyse", _file(tmp_path, text), "--mines", str(mines)]) == ExitCode.DONE
    assert "best: none, " in capsys.readouterr().out


def test_numbers_too_long_are_null(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "1" + "#" * 199 + ("\n" + "#" * 200) * 119
    code, found, _ = _json(capsys, _file(tmp_path, text), "--mines", "6000")
    assert code == ExitCode.DONE
    assert found["census"] is None
    assert found["census_log10"] == pytest.approx(5861, abs=20)
    near, far = found["cells"][0], found["cells"][-1]
    assert (near["mine"], near["p"]) == ("1/3", pytest.approx(1 / 3))  # short in lowest terms, however long the census
    assert (far["mine"], far["p"]) == ("1/4", 0.25)  # 5999 of 23996


def test_a_fraction_too_long_is_null(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Pairs of clues have one mine in two ways or two in nine, so that hardly any fraction gets shorter.
    rows = ["#1#1#!!!" * 5, "#####!!!" * 5, "!" * 40] * 3 + ["#" * 40] * 4
    file = _file(tmp_path, "\n".join(rows))
    code, found, _ = _json(capsys, file, "--mines", "60")
    assert code == ExitCode.DONE
    assert all(float(Fraction(cell["mine"])) == cell["p"] for cell in found["cells"])
    assert max(len(cell["mine"]) for cell in found["cells"]) > 30
    monkeypatch.setattr(analyse_command, "MOST_DIGITS", 30)
    shorter = _json(capsys, file, "--mines", "60")[1]
    assert {cell["mine"] for cell in shorter["cells"]} == {None}
    assert [cell["p"] for cell in shorter["cells"]] == [cell["p"] for cell in found["cells"]]


def test_flags_are_opinions_unless_trusted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = _file(tmp_path, "3x1/1\nF1#\n")
    assert [cell["mine"] for cell in _json(capsys, file)[1]["cells"]] == ["1/2", "1/2"]
    assert [cell["mine"] for cell in _json(capsys, file, "--trust-flags")[1]["cells"]] == ["1/1", "0/1"]


# --- standard input -----------------------------------------------------------------------------


@pytest.mark.parametrize("words", [[], ["-"]])
def test_standard_input(words: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sapper", "analyse", "--mines", "99", "--json", *words],
        input=TEXT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert json.loads(done.stdout)["census"] == EXPERT["census"]
    assert done.stderr == ""


def test_a_reader_that_leaves_is_no_error(expert: str) -> None:
    script = '"$1" -m sapper analyse --mines 99 --json "$0" | :'
    done = subprocess.run(
        ["sh", "-c", script, expert, sys.executable], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stderr == ""


# --- errors -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "words", "line"),
    [
        ("", [], "the board is empty: write each row in a line, as 1#F"),
        ("\n\n", [], "the board is empty: write each row in a line, as 1#F"),
        (
            "12\n##\n",
            [],
            "the number of mines is missing: give --mines N, or begin the board with a line WIDTHxHEIGHT/MINES",
        ),
        ("2x2\n12\n##\n", [], "mines are missing: 2x2/MINES, or --mines N"),
        ("2x3\n12\n##\n", [], "the first line says 2x3, but 2x2 follow"),
        ("12\n##\n", ["--mines", "5"], "5 mines"),
        ("12\n#\n", ["--mines", "1"], ":2:2: this row has 1 cell, the first has 2"),
        ("12\n#x\n", [], ":2:2: 'x' is not a tile"),
        ("3x2/2\n121\n", [], "the first line says 3x2, but 3x1 follow"),
        ("3x1/1\n1##", ["--mines", "2"], "the first line says 1 mine, but 2 were asked for"),
        (b"\x7fELF\x02\x00\xff", [], ":1:7: not a text: byte 0xff"),
        (b"12\n#\xc3", ["--mines", "1"], ":2:2: not a text: byte 0xc3"),
        ("12\n##\n", ["--mines", "-1"], "Invalid value for '--mines'"),
    ],
)
def test_what_cannot_be_read(
    content: str | bytes, words: list[str], line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in ("analyse", "hint"):
        assert main([command, _file(tmp_path, content), *words, "--json"]) == ExitCode.USAGE
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith("sapper: ")
        assert line in err
        assert err.count("\n") == 1


def test_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", str(tmp_path / "nothing"), "--mines", "1"]) == ExitCode.USAGE
    assert capsys.readouterr() == ("", f"sapper: {tmp_path / 'nothing'}: No such file or directory\n")
    assert main(["analyse", str(tmp_path), "--mines", "1"]) == ExitCode.USAGE
    assert capsys.readouterr() == ("", f"sapper: {tmp_path}: Is a directory\n")


def test_what_never_ends_is_no_board(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sapper.cli.analyse.MAX_SIZE", 1000)
    assert main(["analyse", "/dev/zero", "--mines", "1"]) == ExitCode.USAGE
    assert capsys.readouterr() == ("", "sapper: /dev/zero:1:1: it has more than 2,000 bytes, the limit\n")


def test_a_contradiction_names_its_clues(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = _file(tmp_path, "3x2/2\n13!\n###\n")
    message = "no layout fits the clues 1 at a1 and 3 at b1 together"
    assert main(["analyse", file]) == ExitCode.NO
    assert capsys.readouterr() == ("", f"sapper: {message}\n")
    code, found, err = _json(capsys, file)
    assert (code, err) == (ExitCode.NO, f"sapper: {message}\n")
    assert (found["census"], found["census_log10"], found["safe"], found["mined"], found["best"]) == (
        "0",
        None,
        [],
        [],
        None,
    )
    assert {(cell["mine"], cell["p"]) for cell in found["cells"]} == {(None, None)}
    assert found["error"] == {"message": message, "clues": [[0, 0], [1, 0]], "mine_count": False}


def test_a_board_too_hard_gives_what_is_certain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (lattice,) = positions("lattice-6")
    rows = [lattice.tiles[y * lattice.width :][: lattice.width] for y in range(lattice.height)]
    text = (
        "\n".join("".join(".12345678#"[tile] for tile in row) + "!!!" for row in rows)
        + "\n"
        + "!" * lattice.width
        + "!1#"
    )
    file = _file(tmp_path, text)
    words = ["--mines", str(lattice.mines + 1), "--cap", "100"]
    line = "the board takes more than 100 states to analyse exactly, which is the cap; raise it with --cap 1000\n"
    assert main(["analyse", file, *words]) == ExitCode.LIMIT
    out, err = capsys.readouterr()
    assert err == f"sapper: {line}"
    mine = place_name(lattice.width + 2, lattice.height)
    assert mine in out
    assert "1 too hard" in out
    code, found, err = _json(capsys, file, *words)
    assert (code, err) == (ExitCode.LIMIT, f"sapper: {line}")
    assert (found["census"], found["census_log10"]) == (None, None)
    assert [found["best"]["x"], found["best"]["y"]] == found["safe"][0]
    assert [lattice.width + 2, lattice.height] in found["mined"]
    certain = {(cell["x"], cell["y"]): cell["p"] for cell in found["cells"] if cell["p"] is not None}
    assert {place for place, chance in certain.items() if chance == 1} == {tuple(place) for place in found["mined"]}
    assert {place for place, chance in certain.items() if chance == 0} == {tuple(place) for place in found["safe"]}
    assert found["error"]["cap"] == 100
    assert len(found["error"]["unsolved"]) == 1


# --- text ---------------------------------------------------------------------------------------


def test_the_text(expert: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", expert, "--mines", "99"]) == ExitCode.DONE
    out, err = capsys.readouterr()
    assert err == ""
    assert "\x1b" not in out  # this is no terminal
    lines = out.splitlines()
    assert lines[0].split() == [column_name(x) for x in range(30)]
    assert lines[1].startswith(" 1 18 33 33")
    assert "[14]" in lines[3]
    assert "30×16 cells, 99 mines; 17,577 layouts fit" in lines
    assert "safe (0): none" in lines
    assert any(line.startswith(f"mines ({len(EXPERT['mined'])}): q1") and line.endswith(" more") for line in lines)
    assert any(line.startswith("winning: you win about ") for line in lines)
    assert re.fullmatch(
        r"best: .*14\.0 % at g3, (and|but).* you win about \d+ %.*",
        next(line for line in lines if line.startswith("best: ")),
    )
    assert lines[-1] == "a guess is all that is left"


def test_the_text_names_wrong_flags(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", _file(tmp_path, "3x2/2\n121\n#F#")]) == ExitCode.DONE
    lines = capsys.readouterr().out.splitlines()
    assert "flags on safe cells: b2" in lines
    assert "3×2 cells, 2 mines; 1 layout fits" in lines
    assert lines[-1].startswith("no need to guess")


def _on_a_terminal(columns: int, environment: dict[str, str], words: list[str]) -> str:
    """What the program shows on a terminal of that width."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    env = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLORTERM", "TERM")}
    with subprocess.Popen(
        [sys.executable, "-m", "sapper", *words], stdin=slave, stdout=slave, stderr=slave, env=env | environment
    ) as process:
        os.close(slave)
        shown = b""
        while select.select([master], [], [], 60)[0]:
            try:
                piece = os.read(master, 65536)
            except OSError:  # the other side is closed
                break
            if not piece:
                break
            shown += piece
        assert process.wait(timeout=60) == ExitCode.DONE
    os.close(master)
    return shown.decode().replace("\r\n", "\n")


@pytest.mark.parametrize(
    ("columns", "environment", "colour"),
    [
        (120, {"TERM": "xterm-256color"}, r"48;5;\d+m"),
        (120, {"TERM": "linux"}, r"\x1b\[30;42m"),
        (80, {"TERM": "xterm-256color", "NO_COLOR": "1"}, None),
        (20, {"TERM": "dumb"}, None),
    ],
)
def test_a_terminal(columns: int, environment: dict[str, str], colour: str | None, expert: str) -> None:
    shown = _on_a_terminal(columns, environment, ["analyse", expert, "--mines", "99"])
    plain = re.sub(r"\x1b\[[\d;]*m", "", shown)
    map_lines = plain.partition(" · ")[0].splitlines()[:-1]
    assert max(map(len, map_lines)) <= columns
    assert bool(re.search(colour or r"\x1b", shown)) is (colour is not None)
    assert bool(re.search(r"\[\d+\]", plain)) is (columns == 120)


def test_a_board_typed_in() -> None:
    """Without a file on a terminal it says what it waits for."""
    master, slave = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "sapper", "analyse", "--json"],
        stdin=slave, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        os.close(slave)
        assert process.stderr is not None
        assert process.stderr.readline() == "a board, a line a row; end it with Ctrl-D\n"
        os.write(master, b"3x2/2\n121\n###\n\x04")
        out, _ = process.communicate(timeout=60)
        assert json.loads(out)["safe"] == [[1, 1]]
    os.close(master)


def test_the_exact_value_of_a_game_that_is_not_begun(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board = tmp_path / "board.txt"
    board.write_text("5x5/6\n" + "#####\n" * 5, encoding="utf-8")
    assert main(["analyse", str(board)]) == ExitCode.DONE
    told = capsys.readouterr().out.splitlines()[-1]
    assert told.startswith("whole game: best play wins 67,536 of 177,100 layouts (38.1 %); best first cells: b1, d1, ")
    assert main(["analyse", "--json", str(board)]) == ExitCode.DONE
    found = json.loads(capsys.readouterr().out)["whole_game"]
    assert (found["wins"], found["layouts"], found["win"]) == (67536, 177100, "2412/6325")
    assert found["best"][0] == [1, 0]
    board.write_text("5x5/6\n" + "#####\n" * 4 + "####1\n", encoding="utf-8")
    assert main(["analyse", "--json", str(board)]) == ExitCode.DONE
    assert "whole_game" not in json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("numerator", "denominator", "text"), [(0, 7, "0/1"), (7, 7, "1/1"), (6, 9, "2/3"), (10**30, 4 * 10**30, "1/4")]
)
def test_lowest_terms(numerator: int, denominator: int, text: str) -> None:
    assert _fraction(numerator, denominator) == text


def test_what_is_short_in_lowest_terms_is_short() -> None:
    assert _fraction(2 * 10**5000, 4 * 10**5000) == "1/2"


@pytest.mark.parametrize(("digits", "fits"), [(MOST_DIGITS - 2, True), (MOST_DIGITS - 1, False), (9000, False)])
def test_a_fraction_of_many_digits(digits: int, fits: bool) -> None:
    """Numerator and denominator have one digit more than there are zeros, and one."""
    assert _fraction(1, 10**digits) == ("1/1" + "0" * digits if fits else None)


@pytest.mark.parametrize(
    "content",
    [b"3x1/1\n#1#\n", b"\xef\xbb\xbf3x1/1\r\n#1#\r\n", b"\n\n 3x1/1 \n#1#", b"3x1/1\r-1-\r"],
    ids=["plain", "Windows", "blank lines", "old Mac"],
)
def test_a_first_line_gives_the_mines(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "board"
    path.write_bytes(content)
    assert write_board(board_from(str(path), None)) == "3x1/1\n#1#\n"


def test_without_it_the_option_must(tmp_path: Path) -> None:
    path = tmp_path / "board"
    path.write_bytes(b"#1#\n")
    assert board_from(str(path), 1).mine_count == 1
    with pytest.raises(click.UsageError, match="give --mines N"):
        board_from(str(path), None)


def test_what_is_wrong_with_the_board_comes_first(tmp_path: Path) -> None:
    path = tmp_path / "board"
    path.write_bytes(b"#1\n#\n")
    with pytest.raises(NotationError, match=r"board:2:2: this row has 1 cell"):
        board_from(str(path), None)


def test_no_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(click.UsageError, match="standard input is closed: name a file"):
        board_from("-", 1)
