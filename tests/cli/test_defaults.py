"""Commands take their defaults from the configuration, and their options prevail."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest

from sapper.cli import connect, serve, simulate
from sapper.cli.exits import ExitCode
from sapper.cli.main import main


def _params(command: click.Command, *words: str) -> dict[str, Any]:
    return command.make_context(str(command.name), list(words), help_option_names=["-h", "--help"]).params


def test_what_is_said_is_a_default_and_an_option_prevails(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (_params(serve.command)["hosts"], _params(connect.command)["port"]) == (("127.0.0.1",), 9999)
    monkeypatch.setenv("SAPPER_SERVER_HOST", "::1,127.0.0.1")
    monkeypatch.setenv("SAPPER_CLIENT_PORT", "2")
    monkeypatch.setenv("SAPPER_CLIENT_HOST", "games.example")
    monkeypatch.setenv("SAPPER_SIMULATE_WORKERS", "3")
    assert _params(serve.command)["hosts"] == ("::1", "127.0.0.1")
    assert _params(serve.command, "--host", "::")["hosts"] == ("::",)
    assert (_params(connect.command)["port"], _params(connect.command)["host"]) == (2, "games.example")
    assert _params(connect.command, "--port", "5")["port"] == 5
    assert _params(simulate.command)["workers"] == 3


def test_a_default_that_the_command_refuses_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SAPPER_SCREEN_PALETTE", "claer")
    assert main(["bot"]) == ExitCode.USAGE
    assert (
        "environment variable SAPPER_SCREEN_PALETTE: screen.palette is one of classic, clear, "
        in capsys.readouterr().err
    )


@pytest.mark.parametrize(
    ("command", "table", "setting", "told"),
    [
        ("bot", "screen", 'palette = "exprt"', "screen.palette is one of classic, clear, "),
        ("simulate", "simulate", "workers = 0", "simulate.workers is a whole number from 1 to 256, not 0"),
        ("play", "play", 'preset = "nope"', "play.preset is one of kata, beginner, "),
    ],
)
def test_a_wrong_value_in_a_file_is_named_with_its_line(
    command: str,
    table: str,
    setting: str,
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "sapper.toml").write_text(f"# mine\n[{table}]\n\n{setting}\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SAPPER_CONFIG", raising=False)
    assert main([command, "--lines"] if command == "play" else [command]) == ExitCode.USAGE
    line = capsys.readouterr().err
    assert line.startswith(f"sapper: sapper.toml: {told}")
    assert line.count("\n") == 1


def test_the_first_help_imports_no_configuration() -> None:
    program = (
        "import sys; from sapper.cli.main import main; main(['--help']);"
        "print([name for name in sys.modules if name.startswith(('sapper.config', 'tomlkit', 'click'))])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_reading_settings_needs_no_package_and_no_toml_where_there_is_no_file() -> None:
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); from sapper.config.configuration import load; load();"
        "print([name for name in sys.modules if name.startswith(('tomllib', 'tomlkit', 'platformdirs', 'difflib'))])"
    )
    source = Path(__file__).parents[2] / "src"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program, str(source)], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
