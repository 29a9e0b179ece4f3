"""Completion as a shell has it: bash runs the script and asks."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sapper.cli.commands import COMMANDS
from sapper.cli.completion import SHELLS
from sapper.cli.exits import ExitCode
from sapper.cli.main import main


def _answers(words: str, shell: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What is offered for the last word."""
    monkeypatch.setenv("_SAPPER_COMPLETE", f"{shell}_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    count = len(words.split(" ")) - 1
    monkeypatch.setenv("COMP_CWORD", words.rsplit(" ", maxsplit=1)[-1] if shell == "fish" else str(count))
    assert main([]) == ExitCode.DONE
    return capsys.readouterr().out.split("\n")


def test_commands_options_and_values(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def found(words: str) -> list[str]:
        lines = _answers(words, "bash", monkeypatch, capsys)
        return [line.partition(",")[2] for line in lines if line]

    assert found("sapper ") == list(COMMANDS)
    assert found("sapper simu") == ["simulate"]
    assert "--per-game" in found("sapper simulate --p")
    assert found("sapper bot --strategy l")[:1] == ["least-risk"]
    assert found("sapper generate --preset int") == ["intermediate"]
    assert found("sapper simulate --start ") == ["any", "safe", "open"]
    assert found("sapper strategy ") == ["new"]
    assert found("sapper completion z") == ["zsh"]
    assert found("sapper nonsense --") == ["--help"]


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_is_answered(
    shell: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert any("simulate" in line for line in _answers("sapper sim", shell, monkeypatch, capsys))


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_one_that_the_shell_takes(shell: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["completion", shell]) == ExitCode.DONE
    script = capsys.readouterr().out
    assert "_SAPPER_COMPLETE" in script
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    (tmp_path / "script").write_text(script, encoding="utf-8")
    done = subprocess.run([shell, "-n", str(tmp_path / "script")], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_bash_completes_with_it() -> None:
    """The whole way: the script is evaluated, and the function that it defines is called as bash does."""
    program = """
        eval "$(sapper completion bash)"
        COMP_WORDS=(sapper simulate --lo); COMP_CWORD=2
        _sapper_completion sapper
        printf '%s\\n' "${COMPREPLY[@]}"
    """
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-c", program], env=os.environ | {"PATH": path}, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("--losses\n", "")


def test_an_unknown_shell_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "tcsh"]) == ExitCode.USAGE
    assert "'tcsh' is not one of 'bash', 'zsh', 'fish'" in capsys.readouterr().err
