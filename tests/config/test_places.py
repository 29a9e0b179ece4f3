"""Where configuration files lie, on this platform as others know it."""

import os
import sys
from pathlib import Path

import platformdirs
import pytest

from sapper.config.places import ConfigFile, ConfigFileKind, places, system_file, user_file


def test_the_files_that_give_way_come_first() -> None:
    found = places({"HOME": "home"}, Path("here"))
    assert [place.kind for place in found] == [ConfigFileKind.SYSTEM, ConfigFileKind.USER, ConfigFileKind.PROJECT]
    assert found[-1].path == Path("here/sapper.toml")


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


def test_one_file_in_place_of_all() -> None:
    assert places({"SAPPER_CONFIG": "one.toml"}, Path()) == [ConfigFile(ConfigFileKind.ONE_FILE, Path("one.toml"))]


def test_the_null_device_is_none() -> None:
    assert places({"SAPPER_CONFIG": os.devnull}, Path()) == []
