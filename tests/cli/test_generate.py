"""`sapper generate`: boards on stdout, what came of it on stderr, exit codes as the contract says."""

import json
from typing import Any

import pytest

from sapper._kernels import values_of
from sapper.cli.exits import ExitCode
from sapper.cli.generate import FORMATS, Generated, board_data
from sapper.cli.main import main
from sapper.core.cells import Cell, CellSet
from sapper.core.grid import Grid
from sapper.core.move import Move
from sapper.core.rules import RULES
from sapper.game.layout import Layout
from sapper.generator.board_file import read_board_list, read_mbf
from sapper.generator.game_code import CodedGame, game_of_code
from sapper.generator.new_game import new_referee
from sapper.generator.no_guess.certificate import read_certificate
from sapper.generator.no_guess.prove import prove
from sapper.generator.no_guess.verify import verify_certificate
from sapper.generator.search_values import GeneratedLayout


def _run(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> tuple[str, str]:
    assert main(["generate", *words]) == code
    captured = capsys.readouterr()
    return captured.out, captured.err


def _json(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(_run(capsys, *words, "--json", code=code)[0])
    return data


def test_one_seed_is_the_same_boards(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--preset", "beginner", "--seed", "7", "--format", "list"]
    three, _ = _run(capsys, *words, "--count", "3")
    assert _run(capsys, *words)[0] == three.splitlines(keepends=True)[0]
    for listed in read_board_list(three):
        assert (listed.layout.mine_count, listed.first) == (10, 20)


def test_text_is_boards_with_an_empty_line_between(capsys: pytest.CaptureFixture[str]) -> None:
    out, err = _run(capsys, "--preset", "beginner8", "--seed", "7", "--count", "2")
    boards = out.split("\n\n")
    assert [board.splitlines()[0] for board in boards] == ["8x8/10", "8x8/10"]
    assert [board.count("*") for board in boards] == [10, 10]
    assert err == "2 boards from seed 7; first cell c3\n"


@pytest.mark.parametrize("start", ["any", "safe", "open"])
@pytest.mark.parametrize("preset", ["expert", "kata"])
def test_its_boards_are_those_of_games_with_the_seeds_it_tells(
    preset: str, start: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if (preset, start) == ("kata", "open"):
        return  # 3x3 with three mines has no such start at c3... and says so below
    data = _json(capsys, "--preset", preset, "--start", start, "--seed", "5", "--count", "4")
    for board in data["boards"]:
        game = game_of_code(board["code"])
        layout = Layout(game.grid, CellSet.of(board["mines"]))
        assert game.generate() == game_of_code(board["layout_code"]).layout == layout
        if start == {"expert": "open", "kata": "any"}[preset]:
            referee = new_referee(preset, seed=board["seed"])
            referee.play(Move.reveal(game.grid.cell(*board["first"])))
            assert referee.layout == layout


def test_no_guess_with_proofs(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--preset", "beginner", "--no-guess", "--seed", "3", "--count", "5"]
    data = _json(capsys, *words, "--proof")
    assert (data["found"], data["wanted"], data["method"], data["error"]) == (5, "no guess", "rejection", None)
    assert sum(data["difficulties"].values()) == 5
    for board in data["boards"]:
        layout = Layout(Grid(9, 9), CellSet.of(board["mines"]))
        assert verify_certificate(layout, 20, read_certificate(board["proof"]))
    assert [game_of_code(board["code"]).generate() for board in data["boards"]] == [
        game_of_code(line).generate() for line in _run(capsys, *words, "--format", "code")[0].split()
    ]
    assert "has no guess" in _run(capsys, *words)[1] or "at the first try" in _run(capsys, *words)[1]


def test_wanted_properties(capsys: pytest.CaptureFixture[str]) -> None:
    data = _json(
        capsys, "--size", "9x9", "--mines", "12.4%", "--start", "safe", "--first", "i1", "--bbbv", "10-14",
        "--openings", "-3", "--difficulty", "easy-medium", "--seed", "1", "--count", "2",
    )  # fmt: skip
    assert data["wanted"] == "3BV 10-14, openings -3, no guess, difficulty easy-medium"
    for board in data["boards"]:
        layout = Layout(Grid(9, 9), CellSet.of(board["mines"]))
        assert layout.mine_count == 10
        values = values_of(*layout.grid.table, layout.clues)
        assert (values.bbbv, values.openings) == (board["3bv"], board["openings"])
        assert 10 <= values.bbbv <= 14
        assert values.openings <= 3
        assert board["no_guess"]["difficulty"] in ("easy", "medium")


def test_the_method_is_chosen_and_named(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--size", "16x16", "--mines", "150", "--no-guess", "--seed", "4"]
    assert _json(capsys, *words)["method"] == "pack"
    assert "; method pack; " in _run(capsys, *words)[1]


def test_repair(capsys: pytest.CaptureFixture[str]) -> None:
    data = _json(capsys, "--size", "10x10", "--mines", "25", "--no-guess", "--method", "repair", "--seed", "1")
    assert (data["found"], data["method"]) == (1, "repair")


@pytest.mark.parametrize(
    ("words", "code", "line"),
    [
        (["--size", "5x5", "--mines", "99"], 2, "99 mines do not fit 5x5 cells: 0 to 25 are possible"),
        (["--size", "5x5", "--mines", "17"], 2, "17 mines do not fit 5x5 cells with start 'open' at c3: 16 cells"),
        (["--preset", "beginner", "--first", "9,0"], 2, "sapper: j1 is off the board: cells are a1 to i9"),
        (["--first", "3;3"], 2, "a cell is a letter and a number, as c4"),
        (["--bbbv", "ten"], 2, "a range is A-B, A-, -B or A with numbers"),
        (["--bbbv", "-"], 2, "a range is"),
        (["--difficulty", "easy-fun"], 2, "a range is A-B, A-, -B or A with names (trivial, easy, "),
        (["--bbbv", "9-3"], 2, "no 3BV is both 9 at least and 3 at most"),
        (["--method", "repair"], 2, "repair can be asked for only of layouts that need no guess"),
        (["--mines", "101%"], 2, "a number of mines is 40 or 20%, not '101%'"),
        (["--seed", "-1"], 2, "a seed is"),
        (["--preset", "beginner", "--bbbv", "62-", "--tries", "50"], 3, "found in 50 tries; 0 had the wanted numbers"),
        (["--preset", "beginner", "--bbbv", "72-"], 2, "no layout of 10 mines on 9x9 cells has 3BV 72-: it can be 1 to 63"),
        (["--preset", "beginner", "--no-guess", "--mines", "50", "--method", "rejection", "--seconds", "0.05"], 3, "no layout with no guess found"),
        (["--size", "2x2", "--mines", "2", "--start", "safe", "--no-guess"], 1, "no layout exists with no guess: all 3"),
    ],
)  # fmt: skip
def test_what_cannot_be_had(words: list[str], code: int, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    out, err = _run(capsys, *words, code=code)
    assert out == ""
    assert line in err
    assert err.count("\n") == 1


def test_what_was_found_before_the_budget_ended_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--preset", "beginner", "--bbbv", "-8", "--tries", "25", "--seed", "2", "--count", "40"]
    data = _json(capsys, *words, code=ExitCode.LIMIT)
    assert 0 < len(data["boards"]) == data["found"] < 40
    assert "found in" in data["error"]
    assert data["tries_per_board"] == data["tries"] / data["found"]
    out, err = _run(capsys, *words, "--format", "list", code=ExitCode.LIMIT)
    assert len(out.splitlines()) == data["found"]
    assert err.count("\n") == 2


def test_help_has_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = _run(capsys, "--help")
    assert "Example" in out
    assert "sapper generate --preset expert --no-guess" in out


def test_mbf_is_one_layout_in_bytes(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    options = ["generate", "--preset", "beginner", "--seed", "4", "--format"]
    assert main([*options, "mbf"]) == 0
    data = capfdbinary.readouterr().out
    assert main([*options, "list"]) == 0
    [(layout, _)] = read_board_list(capfdbinary.readouterr().out.decode("ascii"))
    assert read_mbf(data) == layout
    assert main([*options, "mbf", "--count", "2"]) == 2
    assert b"holds one board" in capfdbinary.readouterr().err


@pytest.mark.parametrize(
    ("size", "density", "mines"),
    [("5x1", "50", 3), ("1x1", "50", 1), ("3x1", "50", 2), ("100x10", "0.35", 4), ("9x9", "0", 0)],
)
def test_a_density_rounds_as_levels_do(size: str, density: str, mines: int, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["generate", "--size", size, "--mines", f"{density}%", "--start", "any", "--seed", "1", "--format", "list"]
    assert main(words) == ExitCode.DONE
    assert capsys.readouterr().out.split()[:3] == [*size.split("x"), str(mines)]


LAYOUT = Layout(Grid(4, 3), CellSet.of([3, 8]))
MADE = Generated(
    found=GeneratedLayout(layout=LAYOUT, first=Cell(0), certificate=prove(LAYOUT, 0), tries=3),
    game=CodedGame(rules=RULES["modern"], grid=LAYOUT.grid, mine_count=2, first=Cell(0), seed=7),
)


@pytest.mark.parametrize(("name", "text"), [("text", "4x3/2\n..1*\n1111\n*1..\n"), ("list", "4 3 2 3,8 0\n")])
def test_formats(name: str, text: str) -> None:
    assert FORMATS[name].write(MADE) == text


def _text(name: str) -> str:
    written = FORMATS[name].write(MADE)
    assert isinstance(written, str)
    return written


def test_what_is_printed_can_be_read() -> None:
    (listed,) = read_board_list(_text("list"))
    assert listed == (LAYOUT, 0)
    assert game_of_code(_text("code")) == MADE.game
    assert game_of_code(_text("layout-code")).layout == LAYOUT
    mbf = FORMATS["mbf"].write(MADE)
    assert isinstance(mbf, bytes)
    assert read_mbf(mbf) == LAYOUT


def test_json() -> None:
    data = board_data(MADE, with_proof=False)
    assert (data["mines"], data["first"], data["3bv"], data["openings"], data["tries"]) == ([3, 8], (0, 0), 2, 2, 3)
    assert "proof" not in data
    assert data["no_guess"] == {
        "difficulty": "medium",
        "hardest": "overlap",
        "mine_count": False,
        "steps": {"overlap": 1},
    }
    assert board_data(MADE, with_proof=True)["proof"]["first"] == 0
