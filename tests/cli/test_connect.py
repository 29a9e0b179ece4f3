"""`sapper connect` and `run_client.sh`: options and what is said about wrong ones."""

import socket
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from sapper.cli import connect
from sapper.cli.exits import ExitCode
from sapper.cli.main import main
from sapper.errors import ConfigError
from sapper.terminal.keys import HELP, Key
from tests.network import in_terminal, playing, served

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_explains_options_and_keys(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["connect", option]) == ExitCode.DONE
    text = capsys.readouterr().out
    for word in ("-r, --rows", "-c, --columns", "-l, --level", "-h, --help", "TAB", "SPACE", "RETURN", "w a s d"):
        assert word in text
    meanings = " ".join(text.split())
    for key in (
        "arrows move the cursor",
        "SPACE mark a mine, or unmark",
        "RETURN reveal the cell",
        "TAB start a new game",
        "X quit",
        "# debug mode on and off",
    ):
        assert key in meanings


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["-r", "0"], "Invalid value for '-r' / '--rows': the number of rows is a number from 1 to 255, not '0'."),
        (["--columns", "256"], "the number of columns is a number from 1 to 255, not '256'."),
        (["-l", "easy"], "the level is a number from 1 to 3, not 'easy'."),
        (["--rows", "²"], "the number of rows is a number from 1 to 255, not '²'."),
        (["--port", "0"], "Invalid value for '--port'"),
    ],
)
def test_wrong_values_are_explained(words: list[str], line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["connect", *words]) == ExitCode.USAGE
    err = capsys.readouterr().err
    assert line in err
    assert err.count("\n") == 1


def test_without_a_terminal_it_says_so() -> None:
    done = subprocess.run(
        [ROOT / "run_client.sh"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (ExitCode.USAGE, "")
    assert done.stderr == "sapper: the client needs a terminal, and standard input is none\n"


def test_the_script_passes_its_options_on() -> None:
    with served() as server:
        options = ("--port", str(server.port), "-c", "7", "-r", "3", "-l", "3")
        with in_terminal(str(ROOT / "run_client.sh"), *options) as player:
            player.wait_for("7 x 3, level 3 (hard).")
            player.type("X")
            assert player.end() == 0


def test_the_script_s_defaults() -> None:
    text = (ROOT / "run_client.sh").read_text()
    assert "set -- 127.0.0.1 --columns 20 --rows 10 --level 1" in text
    # Nobody serves on the protocol's own port here, or somebody does: either way it is that server.
    with in_terminal(str(ROOT / "run_client.sh")) as player:
        player.wait_until(lambda: any("127.0.0.1:9999" in line or "20 x 10, level 1" in line for line in player.lines))
        player.type("X")
        player.end()


def test_nothing_is_asked_for_a_server_that_is_not_there() -> None:
    with closing(socket.socket()) as taken:  # bound and not listening: nobody else can be there
        taken.bind(("127.0.0.1", 0))
        with playing(taken.getsockname()[1]) as player:
            player.wait_for("cannot connect to 127.0.0.1:")
            assert player.end() == ExitCode.NO
            assert b"Columns" not in player.written


def test_keys_and_colours_are_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    assert connect.keys_and_help()[1] == HELP
    monkeypatch.setenv("SAPPER_CLIENT_KEYS", "mark=m,space")
    reader, line = connect.keys_and_help()
    assert reader.feed(b"m ") == [Key.MARK, Key.MARK]
    assert "M marks" in line
    for choice, expected in (("auto", False), ("always", True), ("never", False)):
        monkeypatch.setenv("NO_COLOR", "1")
        monkeypatch.setenv("SAPPER_SCREEN_COLOUR", choice)
        assert connect.has_colours() is expected


def test_a_key_for_two_things_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAPPER_CLIENT_KEYS", "mark=w")
    with pytest.raises(ConfigError, match="the key 'w' cannot mean both up and mark"):
        connect.keys_and_help()
