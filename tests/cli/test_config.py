"""`sapper config`: what holds, whence, and how it is changed."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from sapper.cli.exits import ExitCode
from sapper.cli.main import main
from sapper.config.configuration import _warn
from sapper.config.settings import SETTINGS


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine of its own: files for the system, the user and the project (the current folder), none there yet."""
    monkeypatch.delenv("SAPPER_CONFIG")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "user"))
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(tmp_path / "system"))
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _json(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert main(["config", *words, "--json"]) == ExitCode.DONE
    out, err = capsys.readouterr()
    assert err == ""
    return json.loads(out)


def test_every_setting_its_value_and_where_it_comes_from(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (place / "sapper.toml").write_text("[play]\npreset = 'expert'\n")
    monkeypatch.setenv("SAPPER_SERVER_PORT", "1")
    data = {one["key"]: one for one in _json(capsys)["settings"]}
    assert list(data) == list(SETTINGS)
    assert data["play.preset"]["value"] == "expert"
    assert (data["play.preset"]["origin"], data["play.preset"]["where"]) == ("project file", "sapper.toml")
    assert (data["server.port"]["value"], data["server.port"]["default"]) == (1, 9999)
    assert (data["server.port"]["origin"], data["server.port"]["where"]) == ("environment", "SAPPER_SERVER_PORT")
    assert (data["play.keys"]["origin"], data["play.keys"]["where"]) == ("default", None)
    assert main(["config"]) == ExitCode.DONE
    out = capsys.readouterr().out
    assert 'play.preset = "expert"  (project file sapper.toml)\n    The game that' in out
    assert out.count("\n") == 2 * len(SETTINGS)


def test_one_setting(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "get", "client.keys"]) == ExitCode.DONE
    assert "reveal=enter;mark=space;" in capsys.readouterr().out
    assert main(["config", "get", "server.port"]) == ExitCode.DONE
    assert capsys.readouterr().out == "9999\n"
    assert main(["config", "get", "server.prot"]) == ExitCode.USAGE
    assert capsys.readouterr().err == "sapper: no setting 'server.prot'; did you mean 'server.port'?\n"
    assert main(["config", "--json", "get", "server.port"]) == ExitCode.USAGE


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["play.preset"], "name what to do with the setting: sapper config get play.preset (see"),
        (["play.preset", "expert"], "name what to do with the setting: sapper config set play.preset expert (see"),
        (
            ["client.keys", "mark=a b"],
            "name what to do with the setting: sapper config set client.keys 'mark=a b' (see",
        ),
        (["play.prest"], "no setting 'play.prest'; did you mean 'play.preset'?"),
        (["nonsense"], "no command 'nonsense' of sapper config; commands: get, path, set, unset"),
    ],
)
def test_a_setting_without_a_word_is_told_the_word(
    words: list[str], message: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["config", *words]) == ExitCode.USAGE
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"sapper: {message}")


def test_a_pipe_in_the_place_of_a_file_keeps_nobody_waiting(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(place / "sapper.toml")
    said = "sapper: sapper.toml: settings are read from a regular file, and this is none: move it away or correct it\n"
    for words in (["bot", "--games", "1"], ["config"], ["config", "set", "play.preset", "expert", "--file", "project"]):
        assert main(words) == ExitCode.USAGE
        assert capsys.readouterr().err == said
    assert main(["bot", "--help"]) == ExitCode.DONE
    monkeypatch.setenv("SAPPER_CONFIG", os.devnull)
    assert main(["config", "get", "play.preset"]) == ExitCode.DONE


@pytest.mark.parametrize(
    ("option", "file"),
    [
        ((), "user/sapper/config.toml"),
        (("--file", "system"), "system/sapper/config.toml"),
        (("--file", "project"), "sapper.toml"),
    ],
)
def test_set_and_unset(option: tuple[str, ...], file: str, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "set", "server.port", "9998", *option]) == ExitCode.DONE
    out, err = capsys.readouterr()
    assert out.endswith(
        "config.toml: server.port = 9998\n" if "project" not in option else "sapper.toml: server.port = 9998\n"
    )
    assert err == ""
    assert (place / file).read_text() == "[server]\nport = 9998\n"
    assert main(["config", "get", "server.port"]) == ExitCode.DONE
    assert capsys.readouterr().out == "9998\n"
    assert main(["config", "unset", "server.port", *option]) == ExitCode.DONE
    assert main(["config", "unset", "server.port", *option]) == ExitCode.NO
    assert capsys.readouterr().err.endswith("server.port is not in it\n")


def test_a_value_that_does_not_count_is_said(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SAPPER_SERVER_PORT", "1")
    assert main(["config", "set", "server.port", "2"]) == ExitCode.DONE
    assert "set elsewhere too, and that value is used: environment SAPPER_SERVER_PORT" in capsys.readouterr().err


def test_a_number_below_zero_is_no_option(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "set", "server.port", "-1"]) == ExitCode.USAGE
    assert capsys.readouterr().err == "sapper: server.port is a whole number from 0 to 65535, not -1\n"


def test_what_cannot_be_is_said(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "set", "server.port", "many"]) == ExitCode.USAGE
    assert capsys.readouterr().err == 'sapper: server.port is a whole number from 0 to 65535, not "many"\n'


def test_a_wrong_value_stops_commands_and_can_be_mended(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "sapper.toml").write_text("[screen]\ncolour = 1\n")
    for words in (["config"], ["bot", "--quiet"]):
        assert main(words) == ExitCode.USAGE
        assert capsys.readouterr().err.startswith("sapper: sapper.toml: screen.colour is one of auto, always, never")
    assert main(["bot", "--help"]) == ExitCode.DONE
    capsys.readouterr()
    assert main(["config", "set", "play.preset", "expert"]) == ExitCode.DONE
    assert "screen.colour is one of" in capsys.readouterr().err
    assert main(["config", "unset", "screen.colour", "--file", "project"]) == ExitCode.DONE
    capsys.readouterr()
    assert main(["bot", "--quiet", "--seed", "1"]) == ExitCode.DONE


def test_a_key_that_is_no_setting_is_a_warning(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _warn.cache_clear()
    (place / "sapper.toml").write_text("[server]\nprot = 1\n")
    assert main(["bot", "--quiet", "--seed", "1"]) == ExitCode.DONE
    out, err = capsys.readouterr()
    assert "the game: won in" in out
    assert err == "sapper: warning: sapper.toml: no setting 'server.prot'; did you mean 'server.port'?\n"
    assert main(["config", "unset", "server.prot", "--file", "project"]) == ExitCode.DONE


def test_the_files(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "sapper.toml").touch()
    assert main(["config", "path"]) == ExitCode.DONE
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{place / 'system/sapper/config.toml'}  (system file, not there)"
    assert lines[2] == "sapper.toml  (project file)"
    assert [file["exists"] for file in _json(capsys)["files"]] == [False, False, True]


def test_one_file_in_place_of_all(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SAPPER_CONFIG", str(place / "one.toml"))
    assert main(["config", "set", "server.port", "3"]) == ExitCode.DONE
    assert (place / "one.toml").read_text() == "[server]\nport = 3\n"
    monkeypatch.setenv("SAPPER_CONFIG", os.devnull)
    assert main(["config", "set", "server.port", "3"]) == ExitCode.USAGE
    assert "there is no file to change" in capsys.readouterr().err


def test_secrets_are_printed_only_where_one_is_asked_for(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SAPPER_WEB_SECRET", "correct horse battery")
    monkeypatch.setenv("SAPPER_DATABASE", "postgresql://ann:staple@host/db")
    assert main(["config"]) == ExitCode.DONE
    assert main(["config", "--json"]) == ExitCode.DONE
    out = capsys.readouterr().out
    assert "correct horse" not in out
    assert "staple" not in out
    assert 'web.secret = "****"  (environment SAPPER_WEB_SECRET)' in out
    assert out.count("postgresql://ann:****@host/db") == 2
    assert main(["config", "set", "web.secret", "another long secret"]) == ExitCode.DONE
    told, complained = capsys.readouterr()
    assert "another" not in told + complained
    assert "another long secret" in (place / "user/sapper/config.toml").read_text()
    for key, value in (("web.secret", "correct horse battery"), ("store.database", "postgresql://ann:staple@host/db")):
        assert main(["config", "get", key]) == ExitCode.DONE
        assert capsys.readouterr().out == f"{value}\n"
