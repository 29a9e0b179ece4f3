"""What prevails, where it comes from, and what files may say."""

import os
import socket
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

import platformdirs
import pytest
from hypothesis import given, strategies as st

from sapper.config.configuration import (
    MOST_BYTES,
    ConfigFileKind,
    Configuration,
    _warn,
    config_files,
    load,
    read_file,
    system_file,
    user_file,
)
from sapper.config.setting import Value
from sapper.config.settings import SETTINGS
from sapper.errors import ConfigError


def _said(configuration: Configuration) -> list[str]:
    return [key for key in SETTINGS if configuration.origin(key).kind is not ConfigFileKind.DEFAULT]


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    """The environment of a machine with a user."""
    return {
        "HOME": str(tmp_path / "home"),
        "XDG_CONFIG_HOME": str(tmp_path / "user"),
        "XDG_CONFIG_DIRS": str(tmp_path / "system"),
    }


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_nobody_says_anything(environ: dict[str, str], tmp_path: Path) -> None:
    configuration = load(environ, tmp_path)
    assert _said(configuration) == []
    for key, setting in SETTINGS.items():
        assert configuration.value(key) == setting.default
        assert str(configuration.origin(key)) == "default"


def test_each_origin_prevails_over_those_before(environ: dict[str, str], tmp_path: Path) -> None:
    found = []

    def look(**options: int) -> None:
        configuration = load(environ, tmp_path, options={f"server.{name}": value for name, value in options.items()})
        found.append((configuration.value("server.port"), str(configuration.origin("server.port"))))

    system = _write(tmp_path / "system/sapper/config.toml", "[server]\nport = 1\nmax_connections = 2\n")
    look()
    user = _write(tmp_path / "user/sapper/config.toml", "\n[server]\nport = 2\n")
    look()
    project = _write(tmp_path / "sapper.toml", "server.port = 3\n")
    look()
    environ["SAPPER_SERVER_PORT"] = "4"
    look()
    look(port=5)
    assert found == [
        (1, f"system file {system}"),
        (2, f"user file {user}"),
        (3, f"project file {project}"),
        (4, "environment SAPPER_SERVER_PORT"),
        (5, "command line"),
    ]
    configuration = load(environ, tmp_path)
    assert configuration.value("server.max_connections") == 2
    assert _said(configuration) == ["server.port", "server.max_connections"]


def test_a_folder_above_has_no_say(environ: dict[str, str], tmp_path: Path) -> None:
    _write(tmp_path / "sapper.toml", "server.port = 3\n")
    (tmp_path / "below").mkdir()
    assert load(environ, tmp_path / "below").origin("server.port").kind is ConfigFileKind.DEFAULT


def test_one_file_in_place_of_all(environ: dict[str, str], tmp_path: Path) -> None:
    _write(tmp_path / "sapper.toml", "play.preset = 'expert'\n")
    one = _write(tmp_path / "one.toml", "server.port = 3\n")
    configuration = load(environ | {"SAPPER_CONFIG": str(one)}, tmp_path)
    assert _said(configuration) == ["server.port"]
    assert str(configuration.origin("server.port")) == f"SAPPER_CONFIG {one}"
    with pytest.raises(ConfigError, match="which does not exist"):
        load({"SAPPER_CONFIG": str(tmp_path / "two.toml")}, tmp_path)
    _write(tmp_path / "empty.toml", "")
    assert load({"SAPPER_CONFIG": str(tmp_path / "empty.toml")}, tmp_path).layers == ()


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("SAPPER_SERVER_PORT", "many", "environment variable SAPPER_SERVER_PORT: server.port is a whole number"),
        ("SAPPER_PLAY_KEYS", "jump=j", "play.keys has no action 'jump'"),
        ("SAPPER_STORE_DATABASE", "a.db", "the variable of store.database is SAPPER_DATABASE"),
    ],
)
def test_a_wrong_variable_is_named(name: str, text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        load({"SAPPER_CONFIG": "/dev/null", name: text})


def test_variables_that_are_no_settings(capsys: pytest.CaptureFixture[str]) -> None:
    environ = {"SAPPER_CONFIG": "/dev/null", "SAPPER_DEBUG": "1", "SAPPER_PYTHON": "x", "SAPPER_SERVER_PORT": ""}
    assert load(environ | {"SAPPER_TESTS_FULL": "1"}).layers == ()
    assert capsys.readouterr().err == ""


def test_variables_with_names_of_their_own() -> None:
    configuration = load({"SAPPER_CONFIG": "/dev/null", "SAPPER_DATABASE": "sqlite:///x"})
    assert configuration.text("store.database") == "sqlite:///x"
    assert str(configuration.origin("store.database")) == "environment SAPPER_DATABASE"


def test_the_environment_of_the_process_is_the_usual_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAPPER_CLIENT_KEYS", "mark=m,space; quit=q")
    keys = load().keys("client.keys")
    assert (keys["mark"], keys["quit"], keys["reveal"]) == (("m", "space"), ("q",), ("enter",))


def test_each_layer_changes_the_keys_that_it_names(environ: dict[str, str], tmp_path: Path) -> None:
    _write(tmp_path / "sapper.toml", "[client.keys]\nmark = ['m']\nquit = ['q']\n")
    configuration = load(environ | {"SAPPER_CLIENT_KEYS": "quit=z"}, tmp_path)
    keys = configuration.keys("client.keys")
    assert (keys["mark"], keys["quit"]) == (("m",), ("z",))
    assert configuration.value("client.keys") == keys


def test_a_variable_that_is_no_setting_is_warned_of_once(capsys: pytest.CaptureFixture[str]) -> None:
    _warn.cache_clear()
    environment = {
        "SAPPER_CONFIG": "/dev/null",
        "SAPPER_SERVER_PROT": "1",
        "SAPPER_NOSUCH": "1",
        "SAPPER_SERVER_PORT": "7",
    }
    assert [load(environment).whole("server.port") for _ in range(2)] == [7, 7]
    assert capsys.readouterr().err == (
        "sapper: warning: environment variable SAPPER_SERVER_PROT: no setting 'server.prot'; did you mean 'server.port'?\n"
        "sapper: warning: environment variable SAPPER_NOSUCH: no setting 'nosuch'; sapper config lists all settings\n"
    )


def test_what_is_asked_for_must_be_there() -> None:
    configuration = Configuration()
    for ask in (configuration.value, configuration.origin):
        with pytest.raises(ConfigError, match="no setting"):
            ask("server.prot")
    assert configuration.number("server.port") == 9999.0


def test_the_files_that_give_way_come_first() -> None:
    found = config_files({"HOME": "home"}, Path("here"))
    assert list(found) == [ConfigFileKind.SYSTEM, ConfigFileKind.USER, ConfigFileKind.PROJECT]
    assert found[ConfigFileKind.PROJECT] == Path("here/sapper.toml")


def test_they_are_where_others_look_too(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_CONFIG_HOME", "XDG_CONFIG_DIRS"):
        monkeypatch.delenv(name, raising=False)
    assert user_file(os.environ) == platformdirs.user_config_path("sapper", appauthor=False) / "config.toml"
    assert system_file(os.environ) == platformdirs.site_config_path("sapper", appauthor=False) / "config.toml"


@pytest.mark.parametrize(
    ("platform", "user", "system"),
    [
        ("linux", "home/.config/sapper/config.toml", "/etc/xdg/sapper/config.toml"),
        (
            "darwin",
            "home/Library/Application Support/sapper/config.toml",
            "/Library/Application Support/sapper/config.toml",
        ),
        ("win32", "home/AppData/Local/sapper/config.toml", "C:/ProgramData/sapper/config.toml"),
    ],
)
def test_each_platform_has_its_own(platform: str, user: str, system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert user_file({"HOME": "home"}) == Path(user)
    assert system_file({}) == Path(system)


def test_xdg_is_minded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    environ = {"HOME": "home", "XDG_CONFIG_HOME": "mine", "XDG_CONFIG_DIRS": "first:second"}
    assert user_file(environ) == Path("mine/sapper/config.toml")
    assert system_file(environ) == Path("first/sapper/config.toml")


def test_the_null_device_is_none() -> None:
    assert config_files({"SAPPER_CONFIG": os.devnull}, Path()) == {}


# --- files


GOOD = """\
# a comment
[server]
port = 9998
host = [
    "0.0.0.0",
    "::1",
]

[client.keys]
mark = ["m"]
"""


def _read(folder: Path, text: str, warnings: list[str] | None = None) -> dict[str, Value]:
    path = folder / "c.toml"
    path.write_text(text)
    return read_file(path, warn=(warnings if warnings is not None else []).append)


def test_what_it_says(tmp_path: Path) -> None:
    assert _read(tmp_path, GOOD) == {
        "server.port": 9998,
        "server.host": ("0.0.0.0", "::1"),
        "client.keys": {"mark": ("m",)},
    }


@pytest.mark.parametrize(
    "text",
    ["server.port = 1", "server = {port = 1}", "[server]\nport = 1", '"server"."port" = 1', "[ server ]\n'port'=1"],
)
def test_all_the_ways_to_say_it(text: str, tmp_path: Path) -> None:
    assert _read(tmp_path, text) == {"server.port": 1}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[play]\n[server]\nport = 'x'", 'server.port is a whole number from 0 to 65535, not "x"'),
        ("[server]\nport = 65536", "server.port is a whole number from 0 to 65535, not 65536"),
        ("[server]\nhost = '::'", 'server.host is a list of texts, not "::"'),
        ("[play]\npreset = 'exprt'", "play.preset is one of kata, beginner, "),
        ("[play.keys]\nundo = 'u'", 'play.keys.undo is a list of texts, not "u"'),
        ("play.keys = ['u']", "play.keys is a table of keys by action, as left = "),
        ("[server.port]\nx = 1", 'server.port is a whole number from 0 to 65535, not {"x": 1}'),
        ("[server]\nport = \n", "not valid TOML: Invalid value"),
        ("[server]\nport = 1\nport = 2\n", "not valid TOML: Cannot overwrite a value"),
        ("[server]\nhost = [", "not valid TOML"),
    ],
)
def test_a_mistake_is_named(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        _read(tmp_path, text)
    assert str(caught.value).startswith(f"{tmp_path / 'c.toml'}: {message}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[server]\n\nprot = 1", "no setting 'server.prot'; did you mean 'server.port'?"),
        ("[play.keys]\nundo = ['u']\nzzz = ['j']", "play.keys has no action 'zzz'; there are left, down, "),
        ("[play.keys]\nundoo = ['u']", "play.keys has no action 'undoo'; did you mean 'undo'?"),
        ("\nserver = 1", "'server' is a table, [server], not a value"),
        ("[sever]\nport = 1", "no table [sever]; there are [advice], [client]"),
        ("port = 1", "no setting 'port'"),
        ("[[server]]\nport = 1", "'server' is a table, [server], not a value"),
    ],
)
def test_a_key_that_is_no_setting_is_warned_of_and_the_rest_counts(text: str, message: str, tmp_path: Path) -> None:
    warnings: list[str] = []
    said = _read(tmp_path, f"{text}\n[web]\nport = 7\n", warnings)
    assert said["web.port"] == 7
    (warning,) = warnings
    assert warning.startswith(f"{tmp_path / 'c.toml'}: {message}")


def test_a_file_that_is_not_there_says_nothing(tmp_path: Path) -> None:
    assert read_file(tmp_path / "none.toml") == {}
    (tmp_path / "file").touch()
    assert read_file(tmp_path / "file" / "below") == {}


def test_a_file_names_itself(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_text("[play]\npreset = 'katta'\n")
    with pytest.raises(ConfigError, match=r"c\.toml: play.preset is one of "):
        read_file(path)


def test_bytes_that_are_no_text_are_found(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_bytes(b"[bot]\nview = '\xff'\n")
    with pytest.raises(ConfigError, match=r"c\.toml: this is not UTF-8 text: byte 0xff \(at line 2\)"):
        read_file(path)


def test_what_has_no_end_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_bytes(b"#" * (MOST_BYTES + 1))
    with pytest.raises(ConfigError, match="longer than"):
        read_file(path)


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))


@pytest.mark.parametrize("make", [os.mkfifo, _socket, Path.mkdir, lambda path: path.symlink_to("/dev/zero")])
def test_only_regular_files_are_opened(make: Callable[[Path], None], tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    make(path)
    with pytest.raises(ConfigError) as caught:
        read_file(path)
    assert (
        str(caught.value)
        == f"{path}: settings are read from a regular file, and this is none: move it away or correct it"
    )


def test_a_link_to_the_null_device_is_an_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.symlink_to(os.devnull)
    assert read_file(path) == {}


def test_a_pipe_that_was_asked_for_is_read(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_text, args=("[play]\npreset = 'expert'\n",))
    writer.start()
    said = load({"SAPPER_CONFIG": str(path)})
    writer.join()
    assert said.text("play.preset") == "expert"


@given(st.text(alphabet="[]=.\"'\n #abcserverpot{},19", max_size=60))
def test_any_text_is_read_or_refused_with_its_name(text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        try:
            _read(Path(folder), text)
        except ConfigError as error:
            assert str(error).startswith(folder)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[server]\nport = " + "9" * 5_000, "not valid TOML: "),
        ("[server]\nport = " + "9" * 200, "server.port is a whole number from 0 to 65535, not 9"),
        ("[server]\nmax_connections = -" + "9" * 299, "server.max_connections is a whole number from 1 on, not -9"),
        ("[server]\nidle_timeout = 1e999", "server.idle_timeout is a number from 1 on, not Infinity"),
        ('[store]\ndatabase = "a\\u0000b"', "store.database is text; a text cannot contain NUL"),
        ('[server]\nhost = ["a\\u0000b"]', "server.host is a list of texts; a text cannot contain NUL"),
        ("[server]\nport = 2026-02-30", "not valid TOML: "),
        ("a = " + "[" * 5000, "not valid TOML: "),
    ],
)
def test_values_that_cannot_be(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        _read(tmp_path, text)
    assert str(caught.value).startswith(f"{tmp_path / 'c.toml'}: {message}")


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_bytes(b"\xef\xbb\xbf[server]\r\nport = 1\r\n")
    assert read_file(path) == {"server.port": 1}
