"""The declarations are whole: they say what faces say, and the document says what they say."""

import re

import pytest

from sapper.cli.connect import KEYS
from sapper.config.setting import Setting
from sapper.config.settings import CLIENT_KEYS, SECTIONS, SETTINGS, find_setting, hint
from sapper.errors import ConfigError
from sapper.net.settings import ServerLimits
from sapper.render.picture_palette import PICTURE_PALETTES
from sapper.terminal.keys import KeyReader, bind
from scripts.settings_table import table


@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
def test_a_default_is_a_value(setting: Setting) -> None:
    assert setting.check(setting.default) == setting.default
    assert re.fullmatch(r"[a-z_]+(\.[a-z_]+)+", setting.key)
    assert setting.help.endswith(".")
    assert setting.key.rpartition(".")[0] in SECTIONS


def test_the_limits_of_the_server_are_settings() -> None:
    names = {"connections": "max_connections", "per_address": "max_per_address", "idle": "idle_timeout"}
    limits = ServerLimits()
    assert {name: SETTINGS[f"server.{key}"].default for name, key in names.items()} == {
        name: getattr(limits, name) for name in names
    }


def test_the_keys_are_the_client_s_own() -> None:
    bound = bind({key: CLIENT_KEYS[name] for key, name in KEYS.items()})
    for data in (b"w", b"a", b"s", b"d", b"\t", b" ", b"\r", b"\n", b"x", b"#", b"\x0c", b"q", b"X"):
        assert KeyReader(bound).feed(data) == KeyReader().feed(data)


def test_the_palettes_are_those_of_pictures() -> None:
    assert SETTINGS["screen.palette"].choices == tuple(PICTURE_PALETTES)


def test_the_table_of_the_document_has_every_setting_as_it_is_declared() -> None:
    rows = table().splitlines()[2:]
    assert len(rows) == len(SETTINGS)
    for row, setting in zip(rows, SETTINGS.values(), strict=True):
        assert row.startswith(f"| `{setting.key}` |")
        assert setting.variable in row
        assert setting.help in row


def test_an_unknown_setting_is_told_which_is_likeliest() -> None:
    assert find_setting("server.port") is SETTINGS["server.port"]
    with pytest.raises(ConfigError, match=r"no setting 'server.prot'; did you mean 'server.port'\?"):
        find_setting("server.prot")
    assert hint("zzzzzzzz") == "sapper config lists all settings"
