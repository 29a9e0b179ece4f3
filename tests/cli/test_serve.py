"""`sapper serve` and `run_server.sh`: options, and the line that says why it cannot serve."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from sapper.cli.exits import ExitCode
from sapper.cli.main import main
from tests.network import Wire, rows_of, served, start
from tests.web_process import settings_among

ROOT = Path(__file__).parents[2]


def test_a_port_that_is_taken_is_one_line(capfd: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == ExitCode.NO
        out, err = capfd.readouterr()
        assert out == ""
        assert err == (
            f"sapper: cannot serve on 127.0.0.1:{port}: the port is taken "
            "(another server is running; --port chooses another)\n"
        )


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--port", "70000"], "Invalid value for '--port'"),
        (["server.metrics=9998"], "server.metrics: write HOST:PORT, such as 127.0.0.1:9998 ([::1]:9998), not '9998'"),
        (["server.idle_timeout=0"], "server.idle_timeout is a number from 1 on, not 0"),
        (["log.format=xml"], "log.format is one of logfmt, json"),
    ],
)
def test_wrong_values_are_one_line(
    words: list[str], line: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words, settings = settings_among(words)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    assert main(["serve", *words]) == ExitCode.USAGE
    err = capsys.readouterr().err
    assert line in err
    assert err.count("\n") == 1


def test_the_options_reach_the_server() -> None:
    options = ("server.max_connections=2", "log.level=debug")
    with served("--host", "127.0.0.1", *options) as server, Wire(server.port) as wire:
        assert rows_of(wire.ask(start(3, 1)))[0] == "???"
        server.wait_for("level=debug .*opened")


def test_the_script_starts_the_server() -> None:
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        [ROOT / "run_server.sh", "--help"], capture_output=True, text=True, check=False, env=environment
    )
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "Usage: sapper serve [OPTIONS]")
