"""`sapper bot` prints every move of its games, or one JSON document; and refuses what cannot be in one line."""

import json
import os
import pty
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyte
import pytest

from sapper.cli.exits import ExitCode
from sapper.cli.main import main
from sapper.core.cells import Cell
from sapper.core.coordinates import read_cell
from sapper.core.notation import read_board
from sapper.core.status import Status
from sapper.generator.game_code import game_of_code
from sapper.generator.new_game import new_game
from sapper.session.game_request import coded_game

Sapper = Callable[..., tuple[int, str, str]]


@pytest.fixture
def sapper(capsys: pytest.CaptureFixture[str]) -> Sapper:
    """Runs a command line in this process: exit code, output, errors."""

    def run(line: str) -> tuple[int, str, str]:
        code = main(shlex.split(line))
        out, err = capsys.readouterr()
        return code, out, err

    return run


CODE = replace(coded_game("beginner", seed=7), first=Cell(20)).code
CREATED = "+-+-+-+\n" + "| | | |\n+-+-+-+\n" * 3 + "[Sandbox 3x3] Game created\n"
ENDS = ("[Sandbox 3x3] BOOM! – Game Over.", "[Sandbox 3x3] the land is cleared! GOOD JOB!")


def test_the_bot_plays_a_whole_game_of_the_kata(sapper: Sapper) -> None:
    code, out, err = sapper("bot --preset kata")
    assert (code, err) == (ExitCode.DONE, "")
    head, again, blank, *rest = out.split("\n")
    assert re.fullmatch(r"the bot plays kata: 3x3, 1 or 3 bombs, rules kata, strategy best-reply, seed \d+", head)
    assert again == f"again: sapper bot --preset kata --seed {head.split()[-1]}"
    assert blank == ""
    body = "\n".join(rest)
    assert body.startswith(CREATED)
    moves = re.findall(
        r"^(\d+): (?:step on|mark) \d;\d\b.*\n(?:\+-\+-\+-\+\n\|.\|.\|.\|\n){3}\+-\+-\+-\+\n(\[.*)$", body, re.MULTILINE
    )
    assert [int(number) for number, _ in moves] == list(range(1, len(moves) + 1))
    assert moves[-1][1] in ENDS
    assert all(message not in ENDS for _, message in moves[:-1])
    assert re.search(rf"^the game: (won|lost) in {len(moves)} moves?, [13] bombs?$", body, re.MULTILINE)


def test_the_same_seed_is_the_same_game_and_again_says_how(sapper: Sapper) -> None:
    first = sapper("bot --size 9x9 --mines 10 --rules 'modern+start=safe'")[1]
    again = next(line for line in first.split("\n") if line.startswith("again: "))
    assert sapper(again.removeprefix("again: sapper "))[1] == first
    other = sapper("bot --size 9x9 --mines 10 --rules 'modern+start=safe' --seed 1")[1]
    assert other != first


def test_the_moves_printed_are_those_of_the_seed_s_layout(sapper: Sapper) -> None:
    out = sapper("bot --preset beginner --seed 3")[1]
    boards = re.findall(r"(?:^[.\d#F?*X!]{9}\n){9}", out, re.MULTILINE)
    last = read_board(boards[-1], mine_count=10)
    assert last.status is Status.WON
    game = new_game("beginner", seed=3)
    first = re.search(r"^1: reveal ([a-i]\d)", out, re.MULTILINE)
    assert first is not None
    game.reveal(read_cell(game.grid, first[1]))
    assert read_board(boards[1], mine_count=10).tiles == game.board.tiles


@pytest.mark.parametrize("strategy", ["random", "single"])
@pytest.mark.parametrize("preset", ["kata", "beginner8", "formal", "jminesweeper-1"])
def test_every_game_ends_with_a_win_or_a_loss(sapper: Sapper, preset: str, strategy: str) -> None:
    code, out, _ = sapper(f"bot --preset {preset} --strategy {strategy} --seed 5")
    assert code == ExitCode.DONE
    assert re.search(r"^the game: (won|lost) in ", out, re.MULTILINE)


def test_several_games_end_with_a_summary(sapper: Sapper) -> None:
    out = sapper("bot --preset kata --games 3 --seed 5")[1]
    assert out.count("Game created") == 3
    won = len(re.findall(r"^game \d of 3, seed \d+: won in ", out, re.MULTILINE))
    lost = len(re.findall(r"^game \d of 3, seed \d+: lost in ", out, re.MULTILINE))
    assert won + lost == 3
    assert out.rstrip().split("\n")[-1].startswith(f"3 games: {won} won, {lost} lost (")
    assert sapper("bot --preset kata --seed 5")[1].split("Game created")[1].split("\nthe game")[0] in out


def test_quiet_prints_no_moves(sapper: Sapper) -> None:
    lines = sapper("bot --preset kata --games 2 --seed 5 --quiet")[1].split("\n")
    assert len(lines) == 2 + 2 + 1 + 1 + 1
    assert "[Sandbox" not in "".join(lines)


def test_a_start_rule_that_cannot_be_kept_is_said_aloud_once_a_game(sapper: Sapper) -> None:
    code, out, err = sapper("bot --size 3x3 --mines 8 --rules modern --seed 3")
    assert code == ExitCode.DONE
    assert err == "note: with 8 mines on 3x3 cells start 'open' cannot be kept at c3; start 'safe' is\n"
    assert "note" not in out
    assert sapper("bot --size 3x3 --mines 9 --start safe --seed 3 --strategy single")[2].endswith("start 'any' is\n")
    assert sapper("bot --size 9x9 --mines 10 --start open --seed 3")[2] == ""


# --- for programs -----------------------------------------------------------------------------------


def test_json_is_one_document_and_nothing_else(sapper: Sapper) -> None:
    code, out, err = sapper("bot --preset beginner --seed 3 --games 2 --strategy random --json")
    assert (code, err) == (ExitCode.DONE, "")
    data = json.loads(out)
    assert data["won"] + data["lost"] == data["games"] == 2
    assert data["rate"] == data["won"] / 2
    asked = {key: data[key] for key in ("preset", "rules", "width", "height", "start", "strategy", "seed")}
    assert list(asked.values()) == ["beginner", "modern", 9, 9, "open", "random", 3]
    for game in data["played"]:
        assert game["result"] in ("won", "lost")
        assert game["mine_count"] == 10
        assert game["move_count"] == len(game["moves"])
        last = game["moves"][-1]
        assert last["status"] == game["result"]
        assert read_board("\n".join(last["board"]), mine_count=10).grid.size == 81


def test_json_is_the_game_that_is_printed(sapper: Sapper) -> None:
    (game,) = json.loads(sapper("bot --preset kata --seed 5 --json")[1])["played"]
    out = sapper("bot --preset kata --seed 5")[1]
    squares = [f"{move['x']};{2 - move['y']}" for move in game["moves"]]
    assert re.findall(r"^\d+: \w+ on (\d;\d)", out, re.MULTILINE) == squares
    assert "Sandbox" not in sapper("bot --preset kata --seed 5 --json")[1], "the kata's messages are for people"


def test_quiet_json_has_no_moves(sapper: Sapper) -> None:
    data = json.loads(sapper("bot --seed 5 --games 20 --quiet --json")[1])
    assert all("moves" not in game for game in data["played"])
    assert data["won"] == sum(game["result"] == "won" for game in data["played"])


# --- what cannot be ---------------------------------------------------------------------------------


def test_a_code_names_the_game(sapper: Sapper) -> None:
    code, out, err = sapper(f"bot --code '{CODE}' --seed 3 --json")
    assert (code, err) == (ExitCode.DONE, "")
    data = json.loads(out)
    assert (data["code"], data["preset"], data["kaboom"]) == (CODE, None, False)
    (played,) = data["played"]
    first = played["moves"][0]
    assert (first["action"], first["x"], first["y"], first["reason"]) == ("reveal", 2, 2, "the game begins here")
    layout = game_of_code(CODE).generate()
    assert layout is not None
    for row, y in zip(played["moves"][-1]["board"], range(9), strict=True):
        for symbol, x in zip(row, range(9), strict=True):
            assert symbol not in "12345678." or ".12345678".index(symbol) == layout.clues[9 * y + x]
    other = json.loads(sapper(f"bot --code '{CODE}' --seed 4 --json")[1])["played"][0]
    assert other["moves"][0]["board"] == first["board"]


def test_a_code_can_be_played_again(sapper: Sapper) -> None:
    _, out, _ = sapper(f"bot --code '{CODE}' --strategy random --seed 3")
    head, again, *_ = out.split("\n")
    assert head.startswith("the bot plays a code: 9x9, 10 mines, rules modern, strategy random, seed 3")
    assert again == f"again: sapper bot --code '{CODE}' --strategy random --seed 3"
    assert sapper(again.removeprefix("again: sapper "))[1] == out


def test_kaboom_punishes_a_needless_risk_and_no_other(sapper: Sapper) -> None:
    _, out, _ = sapper("bot --preset beginner --kaboom --strategy least-risk --games 3 --seed 5")
    assert out.startswith("the bot plays beginner, Kaboom: 9x9, 10 mines")
    assert out.split("\n")[1] == "again: sapper bot --preset beginner --kaboom --strategy least-risk --games 3 --seed 5"
    # It takes no risk where a cell is safe, so all its guesses are forced.
    assert "3 games: 3 won, 0 lost" in out
    data = json.loads(sapper("bot --preset beginner --kaboom --strategy random --seed 5 --json")[1])
    assert (data["kaboom"], data["won"]) == (True, 0)


def test_a_strategy_that_somebody_wrote(sapper: Sapper, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine_alone.py").write_text(
        "from sapper.solver.strategies.simple import SingleStrategy as Player\n", encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path])
    for name in ("mine_alone:Player", "mine_alone.py:Player"):
        code, out, err = sapper(f"bot --strategy {name} --preset beginner --seed 5")
        assert (code, err) == (ExitCode.DONE, "")
        assert sapper(f"bot --strategy {name} --preset beginner --seed 5")[1] == out
    # Whatever it guesses, what is certain to `single` is said in the same words.
    assert "1: reveal" in sapper("bot --strategy mine_alone.py:Player --seed 5")[1]


FAULTY = """\
import gc
import sapper

class NoRng:
    def choose(self, board):
        return None

class Cell:
    def __init__(self, rng):
        self.rng = rng
    def choose(self, board):
        return 4

class Raising(Cell):
    def choose(self, board):
        return sapper.Choice(sapper.Move.reveal(1 // 0), "never")

class Illegal(Cell):
    def choose(self, board):
        cells = list(board.revealed) or [0]
        return sapper.Choice(sapper.Move.reveal(cells[0]), "again")

class Silent:
    def __init__(self, rng):
        pass

class Inherits(sapper.Strategy):
    def choose(self, board):
        return None

class Curious(Cell):
    def choose(self, board):
        names = ("Layout", "Referee", "Game")
        raise LookupError([type(one).__name__ for one in gc.get_objects() if type(one).__name__ in names])
"""


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("NoRng", "move 2: raised: NoRng(rng) raised TypeError: NoRng() takes no arguments: it is called with one argument, an Rng; write def __init__(self, rng) (faulty.py, line 4)"),
        ("Cell", "move 2: nonsense: choose returned 4 (int): return a Choice, as sapper.Choice(sapper.Move.reveal(cell), 'why') (faulty.py, line 11)"),
        ("Raising", "move 2: raised: ZeroDivisionError: integer division or modulo by zero (faulty.py, line 16)"),
        ("Inherits", "it is called with one argument, an Rng; write def __init__(self, rng) (faulty.py, line 27)"),
        ("Silent", "has no method choose(self, board) (faulty.py, line 23)"),
        ("Curious", "move 2: raised: LookupError: [] (faulty.py, line 34)"),
    ],
)  # fmt: skip
def test_the_faults_of_a_strategy_are_named_as_its_own(
    sapper: Sapper, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, why: str
) -> None:
    """And it plays in a process that holds no layout, in the bot too."""
    (tmp_path / "faulty.py").write_text(FAULTY, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    code, _, err = sapper(f"bot --strategy faulty.py:{name} --preset beginner --seed 5 --quiet")
    assert code == ExitCode.NO
    assert err.startswith(f"sapper: strategy faulty.py:{name}, move 2: ")
    assert err.endswith(f"{why}\n")
    assert "bug" not in err


def test_a_file_of_several_strategies_or_none(sapper: Sapper, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "faulty.py").write_text(FAULTY.partition("class Silent")[0], encoding="utf-8")
    (tmp_path / "nothing.py").write_text("x = 1\n", encoding="utf-8")
    (tmp_path / "broken.py").write_text("x = 1\ny = (\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for file, why in (
        ("faulty.py", "has several strategies; name one: faulty.py:NoRng, faulty.py:Cell, faulty.py:Raising, faulty.py:Illegal"),
        ("nothing.py", "nothing.py has no class with a method choose(self, board)"),
        ("broken.py", "could not be loaded: SyntaxError: '(' was never closed (broken.py, line 2)"),
        ("absent.py", "no file 'absent.py' (make one: sapper strategy new absent)"),
    ):  # fmt: skip
        code, _, err = sapper(f"bot --strategy {file} --seed 5")
        assert code == ExitCode.USAGE
        assert why in err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--size 0x5", "a grid has at least 1x1 cells, not 0x5"),
        ("--size 5x5 --mines 99", "99 mines do not fit 5x5 cells: 0 to 25 are possible"),
        ("--mines -1", "-1 mines do not fit 9x9 cells"),
        ("--size 9y9", "a size is WIDTHxHEIGHT, for instance 9x9, not '9y9'"),
        ("--size=-3x3", "a size is WIDTHxHEIGHT"),
        ("--size 99999x99999", "a grid has at most 100,000,000 cells"),
        ("--size 2000x2000 --mines 5", "at most 1,000,000 cells, not 4,000,000"),
        ("--preset nope", "unknown preset 'nope'; known are: kata"),
        ("--rules nope", "unknown rules 'nope'; known are: engine"),
        ("--strategy nope", "unknown strategy 'nope'; known are: random, "),
        ("--strategy nowhere:Player", "'nowhere:Player' could not be loaded: ModuleNotFoundError: No module named"),
        ("--strategy sys:Player", "'sys:Player' could not be loaded: AttributeError: "),
        ("--code modern", "not a code; a code looks like modern#9x9x10."),
        (f"--code '{CODE}' --preset expert", "--code names one game, all of it: leave out --preset"),
        *(
            (f"--code '{CODE}' {option}", f"leave out {option.split()[0]}")
            for option in ("--size 4x4", "--kaboom", "--first a1")
        ),
        (f"--code '{CODE}' --games 2", "--code names one game, all of it: leave out --games"),
        (f"--code '{CODE}' --record", "--record keeps games of presets, neither Kaboom's nor a code's"),
        ("--kaboom --record", "--record keeps games of presets, neither Kaboom's nor a code's"),
        ("--rules modern+spread=5", "spread is one of 8, 4, not '5'"),
        ("--start nowhere", "'nowhere' is not one of 'any', 'safe', 'open'"),
        ("--seed -1", "a seed is an integer from 0 to 2**64 - 1, not -1"),
        ("--seed 18446744073709551616", "a seed is an integer from 0 to 2**64 - 1"),
        ("--seed many", "'many' is not a valid integer"),
        ("--games 0", "0 is not in the range"),
        ("nonsense", "unexpected extra argument (nonsense) (see"),
        ("--preset expert nonsense", "unexpected extra argument (nonsense) (see"),
        ("expert nonsense", "unexpected extra arguments (expert nonsense); did you mean --preset expert? (see"),
        ("--no-such-option", "no option --no-such-option (see"),
    ],
)
@pytest.mark.parametrize("json_too", ["", " --json"])
def test_what_cannot_be_is_one_clear_line(sapper: Sapper, options: str, message: str, json_too: str) -> None:
    code, out, err = sapper(f"bot {options}{json_too}")
    assert (code, out) == (ExitCode.USAGE, "")
    assert message in err
    assert err.count("\n") == 1
    assert err.startswith("sapper: ")


@pytest.mark.parametrize(
    "options", ["--size 1x1 --mines 0", "--size 1x1 --mines 1", "--size 1x9 --mines 9", "--size 9x1 --mines 0"]
)
@pytest.mark.parametrize("rules", ["kata", "jminesweeper", "formal", "modern", "jminesweeper+start=safe"])
def test_the_smallest_and_strangest_boards_end_too(sapper: Sapper, options: str, rules: str) -> None:
    code, out, _ = sapper(f"bot {options} --rules {rules} --seed 1 --quiet")
    assert code == ExitCode.DONE
    assert re.search(r"^the game: (won|lost) in ", out, re.MULTILINE)


def test_help_has_an_example(sapper: Sapper) -> None:
    code, out, _ = sapper("bot --help")
    assert code == ExitCode.DONE
    assert "sapper bot --preset expert" in out
    assert "--strategy" in out


# --- a process of its own ------------------------------------------------------------------------------


def _command(*words: str) -> list[str]:
    return [sys.executable, "-m", "sapper", *words]


def test_sapper_alone_prints_the_boards_of_a_game_of_beginner_where_there_is_no_terminal() -> None:
    done = subprocess.run(_command(), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    first, *further, end = done.stdout.split("\n\n")
    assert first == "\n".join([*["#" * 9] * 9, "9x9, 10 mines"])
    assert [board.count("\n") for board in further] == [9] * len(further)
    *_, last, result, nothing = end.split("\n")
    found = re.fullmatch(r"(?:won|lost) in (\d+) moves?; each move and its reason: sapper (bot --seed \d+)", result)
    assert found is not None
    assert (last.partition(":")[0], nothing) == (found[1], "")
    assert "\x1b" not in done.stdout
    again = subprocess.run(_command(*found[2].split()), capture_output=True, text=True, check=True).stdout
    assert f"{last}\n" in again


def test_sapper_alone_redraws_the_board_in_place_in_colour() -> None:
    screen = _on_a_terminal(_command("bot", "--watch", "--seed", "7"), {"TERM": "xterm"})
    rows = [row.rstrip() for row in screen.display if row.strip()]
    assert len(rows) == 9 + 2, "nothing is left of earlier boards"
    assert all(re.fullmatch(r"(?:[#.\dF*X!] ){8}[#.\dF*X!]", row) for row in rows[:9])
    assert re.match(r"\d+: reveal [a-i]\d \(", rows[9])
    assert len({screen.buffer[y][x].fg for y in range(9) for x in range(17)}) > 2
    plain = _on_a_terminal(_command("bot", "--watch", "--seed", "7"), {"TERM": "xterm", "NO_COLOR": "1"})
    assert {plain.buffer[y][x].fg for y in range(9) for x in range(17)} == {"default"}


def test_a_reader_that_leaves_early_is_no_error() -> None:
    with subprocess.Popen(
        _command("bot", "--preset", "expert", "--games", "100", "--seed", "1"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith("the bot plays expert")
        process.stdout.close()
        assert process.wait(timeout=60) == ExitCode.NO
        assert process.stderr.read() == ""


def _on_a_terminal(words: list[str], environment: dict[str, str]) -> pyte.Screen:
    """What a terminal shows after the command."""
    screen = pyte.Screen(100, 60)
    stream = pyte.ByteStream(screen)
    ours, theirs = pty.openpty()
    env = {key: value for key, value in os.environ.items() if key != "NO_COLOR"} | environment
    with subprocess.Popen(words, stdout=theirs, stderr=theirs, stdin=theirs, env=env) as process:
        os.close(theirs)
        while True:
            try:
                data = os.read(ours, 4096)
            except OSError:  # the other end is closed
                break
            if not data:
                break
            stream.feed(data)
        assert process.wait(timeout=60) == 0
    os.close(ours)
    return screen


def _colours_of(screen: pyte.Screen, text: str) -> set[str]:
    rows = [number for number, line in enumerate(screen.display) if text in line]
    assert rows
    start = screen.display[rows[-1]].index(text)
    return {screen.buffer[rows[-1]][x].fg for x in range(start, start + len(text))}


@pytest.mark.parametrize(
    ("seed", "message", "colour"), [("4", "the land is cleared!", "green"), ("7", "BOOM! – Game Over.", "red")]
)
def test_on_a_terminal_the_end_is_green_or_red(seed: str, message: str, colour: str) -> None:
    words = _command("bot", "--preset", "kata", "--seed", seed)
    assert _colours_of(_on_a_terminal(words, {"TERM": "xterm"}), message) == {colour}
    assert _colours_of(_on_a_terminal(words, {"TERM": "xterm", "NO_COLOR": "1"}), message) == {"default"}
