"""What is wrong is said in a line of its own: options that would be ignored or in each other's way, files that cannot be."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sapper.cli.exits import ExitCode
from sapper.cli.main import main

FULL = "/dev/full"
_GENERATE = "generate --preset beginner --seed 1 "
_SIMULATE = "simulate --preset beginner --games 2 --seed 1 "


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with a few files in it, and settings of its own."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "config.toml").touch()
    (tmp_path / "random").write_bytes(b"\xff\xfe\x80")
    (tmp_path / "board").write_text("3x2/2\n121\n###\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SAPPER_CONFIG", str(tmp_path / "config.toml"))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            "generate beginner",
            "Got unexpected extra argument (beginner); did you mean --preset beginner? (see: sapper generate --help)",
        ),
        (
            "simulate beginner",
            "no command 'beginner' of sapper simulate; commands: benchmark, cluster, merge, plot; did you mean --preset beginner? (see: sapper simulate --help)",
        ),
        ("config set play.keys quit=i", "'i' is the key of both hint and quit"),
        (_GENERATE + "--proof", "needs --json"),
        (_GENERATE + "--format mbf --json", "--format mbf and --json"),
        (_GENERATE + "--difficulty hard-easy", "hard is harder than easy"),
        (
            _SIMULATE + "--per-game same.txt --records ./same.txt",
            "--per-game and --records: same.txt cannot be used for both",
        ),
        (_SIMULATE + "--records -", "records cannot go to standard output"),
        ("simulate benchmark --games 5", "--games is about a strategy"),
        ("simulate benchmark --results board --set beginner-safe", "--results is about a strategy"),
        ("stats games --csv", "games and --csv"),
        ("stats --preset 0x0/0", "0"),
        ("stats nonsense", "'nonsense' is not one of 'games', 'best'"),
        ("stats strategies --player ann", "--player and strategies"),
        ("stats strategies --table bots", "--table and strategies"),
        ("play --lines --no-store --database games.db", "--no-store or --database"),
        ("review folder", "folder has no recordings and no records"),
        ("replay ''", "the name of the game is empty"),
        ("bot --sizze 3x3", "no option --sizze; did you mean --size? (see: sapper bot --help)"),
        ("bot --view text", "no option --view (see: sapper bot --help)"),
        ("store check --database x", "no option --database; it comes earlier: sapper store --database …"),
        ("help bot extra", "help takes one command"),
        ("simulate --boards random", "random"),
        ("dataset d --preset 1x1/0 --seed 1", "a board of 1 cell has no positions"),
        ("dataset /dev/null --seed 1", "/dev/null is no folder"),
        (
            "simulate plot board --out x.svg",
            "board:1:1: neither a result of sapper simulate --json nor a layout: a layout",
        ),
        ("connect 127.0.0.1:1", "the port is an option: sapper connect 127.0.0.1 --port 1 (see"),
        ("connect [::1]:9998", "the port is an option: sapper connect ::1 --port 9998 (see"),
        ("hint nope\udcff.txt", "nope\N{REPLACEMENT CHARACTER}.txt: "),
        (_SIMULATE + f"--per-game {FULL}", f"{FULL}: "),
        (_SIMULATE + f"--records {FULL}", f"{FULL}: "),
        (f"store export {FULL}", f"{FULL}: "),
    ],
)
def test_what_is_wrong_is_said_in_a_line(words: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    if FULL in words and not Path(FULL).exists():
        pytest.skip("no device here is always full")
    assert main([word.strip("'") for word in words.split()]) == (ExitCode.FULL if FULL in words else ExitCode.USAGE)
    said = capsys.readouterr().err
    line = said.splitlines()[-1]
    assert line.startswith("sapper: ")
    assert told in line
    assert "Error" not in said
    assert not Path("-").exists()


@pytest.mark.skipif(not Path(FULL).exists(), reason="no device here is always full")
def test_standard_output_is_named_where_it_is_full() -> None:
    with Path(FULL).open("wb") as full:
        words = [sys.executable, "-m", "sapper", "--help"]
        buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, check=False, env=buffered)
    assert done.returncode == ExitCode.FULL
    assert done.stderr == f"sapper: standard output: {os.strerror(28)}\n"


def test_a_run_that_is_interrupted_while_it_loads_says_which_games_stay(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [*_SIMULATE.split(), "--strategy", "random", "--backend", "reference", "--workers", "1", "--resume", "kept"]
    assert main(words) == ExitCode.DONE

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sapper.cli.simulation_run.simulate", interrupted)
    assert main(words) == ExitCode.NO
    said = capsys.readouterr()
    assert "sapper: 2 games of random of before stay in kept: " in said.err
    assert said.out.splitlines()[-1] == "interrupted before another game was played"
