"""`sapper kata` reports red or green on the screen, in a log and as JSON; its exit code is the answer."""

import io
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sapper.cli import kata
from sapper.cli.exits import ExitCode
from sapper.cli.main import main
from sapper.kata import sandbox as layouts

DOCUMENT = Path(__file__).parents[1] / "data/kata.md"
TEXT = DOCUMENT.read_text(encoding="utf-8")
SMALL = "### Example 1\nThe game\n\n----\n[Sandbox 4x1] Game created\n"
SMALL_RED = SMALL.replace("created", "crated")

Sapper = Callable[..., tuple[int, str, str]]


@pytest.fixture
def sapper(capsys: pytest.CaptureFixture[str]) -> Sapper:
    """Runs `sapper kata` in this process: exit code, output, errors."""

    def run(*words: str | Path) -> tuple[int, str, str]:
        code = main(["kata", *map(str, words)])
        out, err = capsys.readouterr()
        return code, out, err

    return run


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], Path]:
    def make(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return make


Write = Callable[[str, str], Path]


def test_the_document_of_the_kata_is_green(sapper: Sapper) -> None:
    code, out, err = sapper(DOCUMENT)
    assert (code, err) == (ExitCode.DONE, "")
    lines = out.rstrip("\n").split("\n")
    assert lines[0] == str(DOCUMENT)
    assert lines[-1] == "46 green, 0 red"
    assert len(lines) == 46 + 2
    assert all(line.startswith("green  ") for line in lines[1:-1])
    assert lines[1] == "green  Scenario 1   Game Board Creation phase:"


def test_a_broken_copy_is_red_and_says_what_was_expected_and_got(sapper: Sapper, write: Write) -> None:
    broken = TEXT.replace("--b\nb--\nb--", "--b\nb--\n-b-").replace("When I unmark it", "When I eat it")
    code, out, err = sapper(write("broken.md", broken))
    assert (code, err) == (ExitCode.NO, "")
    assert "\n44 green, 2 red: Example 5, UAT 7.2\n" in out
    red = out[out.index("red    Example 5") :].split("\n")[:8]
    assert red == [
        "red    Example 5    Game Over - Step on a bomb on 0;1",
        "       line 161: no move leads here; the nearest, step on 2;1, leads elsewhere: square 2;1 shows 2, not 1 (bombs --b / b-- / -b-)",
        "       expected                                    got",
        "       ---                                         ---",
        "       --1                                         --2",
        "       ---                                         ---",
        "       [Sandbox 3x3] 1 bomb around your square.    [Sandbox 3x3] 2 bombs around your square.",
        "",
    ]
    assert "       line 710: 'When I eat it' is not understood\n" in out


def test_several_files_are_summed_up(sapper: Sapper, write: Write) -> None:
    code, out, _ = sapper(write("green.md", SMALL), write("red.md", SMALL_RED))
    assert code == ExitCode.NO
    assert "\n1 green, 0 red\n" in out
    assert "\n0 green, 1 red: Example 1\n" in out
    assert out.endswith("all files: 1 green, 1 red: Example 1\n")


def test_the_log_has_the_report_and_what_was_played(sapper: Sapper, write: Write, tmp_path: Path) -> None:
    document, log = write("small.md", SMALL), tmp_path / "log.txt"
    code, out, _ = sapper(document, "--log", log)
    assert code == ExitCode.DONE
    text = log.read_text(encoding="utf-8")
    assert text == (
        f"{document}\n\ngreen  Example 1    The game\n       a new game\n       ----\n"
        "       [Sandbox 4x1] Game created\n       (the same in each of the 2 games that are as shown)\n\n1 green, 0 red\n"
    )
    assert "a new game" not in out
    sapper(document, "--log", log)
    assert log.read_text(encoding="utf-8") == text


def test_the_log_of_the_whole_document_is_clean(sapper: Sapper, tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    assert sapper(DOCUMENT, "--log", log)[0] == ExitCode.DONE
    text = log.read_text(encoding="utf-8")
    assert "\x1b" not in text
    assert text.count("\ngreen  ") == 46
    assert "BOOM! – Game Over." in text
    assert text.endswith("\n46 green, 0 red\n")


def test_json_is_one_document_and_nothing_else(sapper: Sapper, write: Write, tmp_path: Path) -> None:
    green, red, log = write("green.md", SMALL), write("red.md", SMALL_RED), tmp_path / "log.txt"
    code, out, err = sapper(green, red, "--json", "--log", log)
    assert (code, err) == (ExitCode.NO, "")
    data = json.loads(out)
    assert (data["green"], data["red"]) == (1, 1)
    assert [(one["file"], one["green"], one["red"]) for one in data["files"]] == [(str(green), 1, 0), (str(red), 0, 1)]
    (result,) = data["files"][1]["results"]
    assert result["colour"] == "red"
    assert result["fault"]["line"] == 4
    assert log.read_text(encoding="utf-8").count("Example 1") == 3


def test_standard_input_is_a_dash(sapper: Sapper, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SMALL.encode())))
    assert sapper("-")[:2] == (ExitCode.DONE, "-\ngreen  Example 1    The game\n1 green, 0 red\n\n")


# --- what cannot be ---------------------------------------------------------------------------------


def _one_line(result: tuple[int, str, str], message: str) -> None:
    code, out, err = result
    assert (code, out) == (ExitCode.USAGE, "")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_files_that_cannot_be_read(sapper: Sapper, write: Write, tmp_path: Path, options: list[str]) -> None:
    good = write("good.md", SMALL)
    _one_line(sapper(good, tmp_path / "none.md", *options), "none.md: No such file or directory")
    _one_line(sapper(good, tmp_path, *options), f"{tmp_path}: Is a directory")
    _one_line(sapper(*options), "Missing argument 'FILE...'")
    _one_line(sapper(write("empty.md", ""), *options), "empty.md:1:1: no scenario, example or UAT")
    binary = tmp_path / "binary.md"
    binary.write_bytes(b"### Example 1\n--\xff\n")
    _one_line(sapper(binary, *options), "binary.md:2:3: not a text: byte 0xff")


def test_a_file_without_an_end_is_not_read_for_ever(
    sapper: Sapper, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kata, "MOST_BYTES", 10)
    _one_line(sapper(write("long.md", SMALL)), "long.md:1:1: this is longer than 10 bytes: no document of the kata")


def test_logs_that_cannot_be_written(sapper: Sapper, write: Write, tmp_path: Path) -> None:
    document = write("good.md", SMALL)
    _one_line(sapper(document, "--log", tmp_path), "Is a directory")
    _one_line(sapper(document, "--log", tmp_path / "no/log.txt"), "No such file or directory")
    _one_line(sapper(document, "--log", document), f"the log would overwrite {document}")
    assert document.read_text(encoding="utf-8") == SMALL


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
def test_a_log_on_a_full_disk_is_named(sapper: Sapper, write: Write) -> None:
    code, out, err = sapper(write("good.md", SMALL), "--log", "/dev/full")
    assert (code, err) == (ExitCode.FULL, "sapper: /dev/full: No space left on device\n")
    assert "1 green, 0 red" in out


def test_what_would_take_for_ever_is_a_limit(sapper: Sapper, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layouts, "MOST_LAYOUTS", 10)
    code, _, err = sapper(DOCUMENT)
    assert code == ExitCode.LIMIT
    assert err == "sapper: Scenario 2, line 27: more than 10 layouts agree with the board: say where the bombs are\n"


def test_help_has_an_example(sapper: Sapper) -> None:
    code, out, _ = sapper("--help")
    assert code == ExitCode.DONE
    assert "sapper kata tests/data/kata.md --log report.txt" in out


# --- a process of its own ------------------------------------------------------------------------------


def test_a_process_s_exit_code_is_the_answer(write: Write, tmp_path: Path) -> None:
    copy = tmp_path / "kata.md"
    shutil.copy(DOCUMENT, copy)
    command = [sys.executable, "-m", "sapper", "kata"]
    green = subprocess.run([*command, copy], capture_output=True, text=True, check=False)
    assert (green.returncode, green.stderr) == (0, "")
    red = subprocess.run([*command, write("red.md", SMALL_RED)], capture_output=True, text=True, check=False)
    assert (red.returncode, red.stderr) == (1, "")
    assert "\x1b" not in green.stdout + red.stdout
