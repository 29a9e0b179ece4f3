"""What prevails, and where it comes from."""

from pathlib import Path

import pytest

from sapper.config.configuration import Configuration, _warn, load
from sapper.config.places import ConfigFileKind
from sapper.config.settings import SETTINGS
from sapper.errors import ConfigError


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
    assert list(configuration.said()) == []
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
        (1, f"system file {system}:2"),
        (2, f"user file {user}:3"),
        (3, f"project file {project}:1"),
        (4, "environment SAPPER_SERVER_PORT"),
        (5, "command line"),
    ]
    configuration = load(environ, tmp_path)
    assert configuration.value("server.max_connections") == 2
    assert list(configuration.said()) == ["server.port", "server.max_connections"]


def test_a_folder_above_has_no_say(environ: dict[str, str], tmp_path: Path) -> None:
    _write(tmp_path / "sapper.toml", "server.port = 3\n")
    (tmp_path / "below").mkdir()
    assert load(environ, tmp_path / "below").origin("server.port").kind is ConfigFileKind.DEFAULT


def test_one_file_in_place_of_all(environ: dict[str, str], tmp_path: Path) -> None:
    _write(tmp_path / "sapper.toml", "play.preset = 'expert'\n")
    one = _write(tmp_path / "one.toml", "server.port = 3\n")
    configuration = load(environ | {"SAPPER_CONFIG": str(one)}, tmp_path)
    assert list(configuration.said()) == ["server.port"]
    assert str(configuration.origin("server.port")) == f"SAPPER_CONFIG {one}:1"
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
