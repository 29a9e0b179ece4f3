"""`sapper strategy new`: the file that it writes is a strategy, and runs at once."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from sapper.cli.exits import ExitCode
from sapper.cli.main import main


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_new_strategy_runs_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["strategy", "new", "first_try"]) == ExitCode.DONE
    told = capsys.readouterr().out
    text = (tmp_path / "first_try.py").read_text(encoding="utf-8")
    assert "class FirstTry:" in text
    assert "xample" not in text
    assert told.startswith("first_try.py has the strategy FirstTry.")
    commands = [line.split()[1:] for line in [*told.splitlines()[1:], *text.splitlines()[2:5]]]
    assert len(commands) == 5
    for words in commands:
        assert main([word if word != "1000" else "30" for word in words]) == ExitCode.DONE
    assert "first_try.py and least-risk: " in capsys.readouterr().out
    # It takes all that is random from the rng: a lost game is lost again.
    assert (
        main(
            ["simulate", "--strategy", "first_try.py", "--preset", "expert", "--games", "9", "--losses", "--seed", "1"]
        )
        == 0
    )
    out = capsys.readouterr().out
    assert "it went otherwise" not in out
    assert re.search(r"^game \d: move ", out, re.MULTILINE)


def test_it_passes_strict_types(tmp_path: Path) -> None:
    main(["strategy", "new", "Mine"])
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file=", "--strict", "mine.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "Success: no issues found in 1 source file\n")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["new", "mine"], "mine.py exists; choose another name"),
        (["new", "a-b"], "a name has letters, digits and _, like a module, not 'a-b'"),
        (["new", "../a"], "a name has letters, digits and _"),
        (
            ["new", "Sapper.py"],
            "'sapper' is a module of sapper itself, which the file would hide; choose another name, as my_sapper",
        ),
        (["new", "types"], "'types' is a module of Python itself, which the file would hide"),
        (["new", "class"], "'class' is a Python keyword; choose another name, such as my_class"),
        ([], "name a subcommand: new (see: sapper strategy --help)"),
        (["new"], "Missing argument"),
        (["old"], "no command 'old' of sapper strategy; commands: new"),
    ],
)
def test_what_cannot_be_is_one_line(words: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.py").write_text("kept\n", encoding="utf-8")
    assert main(["strategy", *words]) == ExitCode.USAGE
    err = capsys.readouterr().err
    assert why in err
    assert err.count("\n") == 1
    assert Path("mine.py").read_text(encoding="utf-8") == "kept\n"
