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
            "No such command 'beginner'; did you mean --preset beginner? (see: sapper simulate --help)",
        ),
        ("config set server.port 9000 --project --system", "--project and --system: one file"),
        ("config unset server.port --user --system", "--user and --system: one file"),
        ("config set play.keys quit=i", "'i' is the key of both hint and quit"),
        (_GENERATE + "--proof", "needs --json"),
        (_GENERATE + "--format mbf --json", "--format mbf and --json"),
        (_GENERATE + "--codes --format list", "--codes and --format list"),
        (_GENERATE + "--svg x.svg --png x.svg", "name two files"),
        (_GENERATE + "--difficulty hard-easy", "hard is harder than easy"),
        (
            _SIMULATE + "--per-game same.txt --records ./same.txt",
            "--per-game and --records: same.txt cannot be used for both",
        ),
        (_SIMULATE + "--records -", "records cannot go to standard output"),
        ("benchmark --games 5", "--games is about a strategy"),
        ("benchmark --results board --set beginner-safe", "--results is about a strategy"),
        ("stats --games 5 --csv", "--games and --csv"),
        ("stats --calibration --csv", "--calibration and --csv"),
        ("stats --strategies --luck", "--luck and --strategies"),
        ("stats --size 0x0", "0"),
        ("stats --strategies --player ann", "--player and --strategies"),
        ("stats --strategies --table bots", "--table and --strategies"),
        ("bot --boards board --preset beginner", "leave out --preset"),
        ("play --lines --no-store --database games.db", "--no-store or --database"),
        ("review board --samples 5", "needs --deep"),
        ("review folder", "folder has no recordings and no records"),
        ("replay ''", "the name of the game is empty"),
        ("help bot extra", "help takes one command"),
        ("bot --boards random", "random"),
        ("dataset d --preset beginner --size 1x1 --mines 0 --seed 1", "a board of 1 cell has no positions"),
        ("hint nope\udcff.txt", "nope\N{REPLACEMENT CHARACTER}.txt: "),
        (_SIMULATE + f"--per-game {FULL}", f"{FULL}: "),
        (_SIMULATE + f"--records {FULL}", f"{FULL}: "),
        (f"analyse board --svg {FULL}", f"{FULL}: "),
    ],
)
def test_what_is_wrong_is_said_in_a_line(words: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    if FULL in words and not Path(FULL).exists():
        pytest.skip("no device here is always full")
    assert main([word.strip("'") for word in words.split()]) == (ExitCode.LIMIT if FULL in words else ExitCode.USAGE)
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
    assert done.returncode == ExitCode.LIMIT
    assert done.stderr == f"sapper: standard output: {os.strerror(28)}\n"


def test_a_run_that_is_interrupted_while_it_loads_says_which_games_stay(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [*_SIMULATE.split(), "--strategy", "random", "--backend", "reference", "--workers", "1", "--resume", "kept"]
    assert main(words) == ExitCode.DONE

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sapper.cli.playing.simulate", interrupted)
    assert main(words) == ExitCode.NO
    said = capsys.readouterr()
    assert "sapper: 2 games of random of before stay in kept: " in said.err
    assert said.out.splitlines()[-1] == "interrupted before another game was played"
