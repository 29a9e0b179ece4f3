"""The pictures that commands write: which there are, what is in them, what cannot be drawn."""

import re
import struct
from pathlib import Path

import pytest

from sapper.cli.exits import ExitCode
from sapper.cli.main import main
from sapper.cli.pictures import Picture, fitting_cell_size
from sapper.core.board import Board
from sapper.core.grid import Grid
from sapper.core.rules import RULES
from sapper.render.picture_palette import CLEAR
from tests.missing import run_without
from tests.pictures import drawn_in

BOT = ["bot", "--preset", "beginner", "--seed", "3", "--quiet"]


def _size(png: bytes) -> tuple[int, int]:
    width, height = struct.unpack(">II", png[16:24])
    return width, height


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "board.txt").write_text("3x2/2\n121\n###\n", encoding="utf-8")
    (tmp_path / "guess.txt").write_text("3x1/1\n#1#\n", encoding="utf-8")
    (tmp_path / "impossible.txt").write_text("5x1/2\n1#3##\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("name", ["-", "board.txt"])
def test_the_name_says_which_picture(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in (["analyse", "board.txt"], ["hint", "board.txt"], BOT, ["generate"]):
        assert main([*command, "--picture", name]) == ExitCode.USAGE
        out, err = capsys.readouterr()
        assert out == ""
        assert f"a picture's name ends in .svg or .png, and '{name}' does not" in err
    assert not (folder / "-").exists()


# --- analyse ------------------------------------------------------------------------------------------


def test_analyse_draws_what_is_certain(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", "board.txt"]) == ExitCode.DONE
    alone = capsys.readouterr().out
    assert main(["analyse", "board.txt", "--picture", "a.svg"]) == ExitCode.DONE
    assert capsys.readouterr().out == alone
    cells = drawn_in(folder / "a.svg")
    assert [cells[x, 1] for x in range(3)] == [{"mined"}, {"safe", "best"}, {"mined"}]


def test_analyse_draws_chances_and_the_best_cell(folder: Path) -> None:
    assert main(["analyse", "guess.txt", "--picture", "a.svg", "--json"]) == ExitCode.DONE
    cells = drawn_in(folder / "a.svg")
    assert (cells[0, 0], cells[2, 0]) == ({"p50", "best"}, {"p50"})


def test_analyse_marks_the_clues_that_contradict_each_other(folder: Path) -> None:
    assert main(["analyse", "impossible.txt", "--picture", "a.svg"]) == ExitCode.NO
    assert drawn_in(folder / "a.svg") == {
        (0, 0): {"n1"},
        (1, 0): {"covered"},
        (2, 0): {"n3", "read"},
        (3, 0): {"covered"},
        (4, 0): {"covered"},
    }


def test_analyse_draws_what_is_certain_of_a_board_that_is_too_hard(folder: Path) -> None:
    # On the left one mine that a single clue shows, on the right more states than the cap.
    (folder / "hard.txt").write_text("12x3/8\n11....1#####\n#1....2#3#3#\n11....1#####\n", encoding="utf-8")
    assert main(["analyse", "hard.txt", "--picture", "a.svg", "--cap", "1"]) == ExitCode.LIMIT
    cells = drawn_in(folder / "a.svg")
    assert (cells[0, 1], cells[7, 1]) == ({"mined"}, {"covered"})


# --- hint ---------------------------------------------------------------------------------------------


def test_hint_draws_the_step(folder: Path) -> None:
    assert main(["hint", "board.txt", "--picture", "h.svg"]) == ExitCode.DONE
    cells = drawn_in(folder / "h.svg")
    assert [cells[x, 1] for x in range(3)] == [{"mined"}, {"safe"}, {"mined"}]
    assert all("read" in cells[x, 0] for x in range(3))


def test_hint_numbers_several_steps(folder: Path) -> None:
    (folder / "chain.txt").write_text("5x1/2\n#2#1#\n", encoding="utf-8")
    assert main(["hint", "chain.txt", "--all", "--picture", "h.svg"]) == ExitCode.DONE
    cells = drawn_in(folder / "h.svg")
    assert (cells[0, 0], cells[2, 0], cells[4, 0]) == ({"mined1"}, {"mined1"}, {"safe2"})


def test_hint_marks_a_guess_and_a_contradiction(folder: Path) -> None:
    assert main(["hint", "guess.txt", "--picture", "h.svg"]) == ExitCode.DONE
    assert drawn_in(folder / "h.svg")[0, 0] == {"covered", "best"}
    assert main(["hint", "impossible.txt", "--picture", "h.svg"]) == ExitCode.NO
    assert drawn_in(folder / "h.svg")[2, 0] == {"n3", "read"}


# --- generate -----------------------------------------------------------------------------------------


def test_generate_draws_each_board(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["generate", "--preset", "beginner", "--seed", "2", "--count", "2", "--format", "list"]
    assert main([*words, "--picture", "{number}.svg"]) == ExitCode.DONE
    for number, line in enumerate(capsys.readouterr().out.splitlines(), 1):
        mines = {int(mine) for mine in line.split()[3].split(",")}
        cells = drawn_in(folder / f"{number:03d}.svg")
        assert {9 * y + x for (x, y), shapes in cells.items() if "mine" in shapes} == mines
        assert [place for place, shapes in cells.items() if "last" in shapes] == [(2, 2)]


def test_generate_says_that_several_boards_need_several_names(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", "--count", "2", "--picture", "board.svg"]) == ExitCode.USAGE
    assert "put {number} into 'board.svg'" in capsys.readouterr().err


# --- all of them --------------------------------------------------------------------------------------


def test_a_png_is_as_large_as_its_cells(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["hint", "board.txt", "--picture", "a.png"]) == ExitCode.DONE
    assert _size((folder / "a.png").read_bytes()) == (208, 184)
    monkeypatch.setattr("sapper.cli.pictures.fitting_cell_size", lambda _: 16)
    assert main(["hint", "board.txt", "--picture", "a.png"]) == ExitCode.DONE
    assert _size((folder / "a.png").read_bytes()) == (104, 92)


def test_cells_of_a_large_png_are_smaller() -> None:
    assert [fitting_cell_size(Grid(width, 200)) for width in (10, 200)] == [32, 32]
    assert fitting_cell_size(Grid(200, 200), largest=64) == 49


def test_the_palette_is_a_setting(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAPPER_SCREEN_PALETTE", "clear")
    assert main(["hint", "board.txt", "--picture", "a.svg"]) == ExitCode.DONE
    assert CLEAR.clues[1] in (folder / "a.svg").read_text(encoding="utf-8")


def test_a_file_that_cannot_be_written_is_an_error(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hint", "board.txt", "--picture", "nowhere/a.svg"]) == ExitCode.USAGE
    assert capsys.readouterr().err == "sapper: nowhere/a.svg: No such file or directory\n"


def test_without_what_makes_png_that_is_said_first(folder: Path) -> None:
    done = run_without("resvg_py", [*BOT, "--picture", "end.png"], folder)
    assert (done.returncode, done.stdout) == (ExitCode.USAGE, "")
    assert done.stderr == "sapper: resvg_py is not installed: pip install '.[pictures]' in the clone of sapper\n"
    done = run_without("resvg_py", [*BOT, "--picture", "end.svg"], folder)
    assert (done.returncode, done.stderr) == (ExitCode.DONE, "")
    assert (folder / "end.svg").is_file()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--size", "501x500", "--picture", "a.svg"], "a picture has at most 250,000 cells, not 250,500"),
        (["--size", "201x200", "--picture", "a.png"], "a PNG has at most 40,000 cells, not 40,200: draw an SVG"),
        (["--picture", "dir.svg"], "File 'dir.svg' is a directory."),
    ],
)
def test_what_cannot_be_drawn_is_said(
    words: list[str], why: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "dir.svg").mkdir()
    assert main(["generate", "--mines", "10", *words]) == ExitCode.USAGE
    out, err = capsys.readouterr()
    assert out == ""
    assert re.search(why, err)
    assert list(folder.glob("a.*")) == []


def test_no_picture_is_drawn_unless_wanted(folder: Path) -> None:
    board = Board.new(Grid(2, 2), RULES["modern"], 1)
    Picture().draw(board)
    Picture().check(board.grid)
    assert {path.name for path in folder.iterdir()} == {"board.txt", "guess.txt", "impossible.txt"}
