"""A setting checks what it is given, and says what would be right."""

import pytest
from hypothesis import given

from sapper.config.setting import Setting, Value, shown
from sapper.config.settings import SETTINGS
from sapper.errors import ConfigError
from tests.strategies import json_values

TEXT = Setting(key="a.text", default="x", help="")
CHOICE = Setting(key="a.choice", default="x", help="", choices=("x", "y"))
WHOLE = Setting(key="a.whole", default=3, help="", least=1, most=9)
OPEN = Setting(key="a.open", default=3, help="", least=1)
NUMBER = Setting(key="a.number", default=3.0, help="", least=0, most=60)
SWITCH = Setting(key="a.switch", default=True, help="")
LIST = Setting(key="a.list", default=("x",), help="", environment="OTHER")


@pytest.mark.parametrize(
    ("setting", "text", "value"),
    [
        (TEXT, "", ""),
        (TEXT, " a:b ", " a:b "),
        (CHOICE, "y", "y"),
        (WHOLE, "9", 9),
        (OPEN, "123456", 123456),
        (NUMBER, "2.5", 2.5),
        (NUMBER, "2", 2.0),
        (SWITCH, " False", False),
        (LIST, "a, b", ("a", "b")),
    ],
)
def test_a_value_from_text(setting: Setting, text: str, value: Value) -> None:
    parsed = setting.parse(text)
    assert parsed == value
    assert type(parsed) is type(setting.default)


@pytest.mark.parametrize(
    ("setting", "text", "wanted"),
    [
        (CHOICE, "z", 'a.choice is one of x, y, not "z"'),
        (WHOLE, "0", "a.whole is a whole number from 1 to 9, not 0"),
        (WHOLE, "10", "a.whole is a whole number from 1 to 9, not 10"),
        (WHOLE, "two", 'a.whole is a whole number from 1 to 9, not "two"'),
        (OPEN, "0", "a.open is a whole number from 1 on, not 0"),
        (NUMBER, "nan", "a.number is a number from 0 to 60, not NaN"),
        (NUMBER, "61", "a.number is a number from 0 to 60, not 61.0"),
        (SWITCH, "yes", 'a.switch is true or false, not "yes"'),
        (LIST, "", 'a.list is a list of texts, not [""]'),
        (LIST, "a,,b", "a.list is a list of texts"),
        (TEXT, "a\udcff", "a.text is text; "),
        (LIST, "b,a\udcff", "a.list is a list of texts; "),
    ],
)
def test_what_would_be_right(setting: Setting, text: str, wanted: str) -> None:
    with pytest.raises(ConfigError) as caught:
        setting.parse(text)
    assert str(caught.value).startswith(wanted)


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        (WHOLE, True),
        (WHOLE, 3.0),
        (NUMBER, True),
        (NUMBER, float("inf")),
        (TEXT, 3),
        (LIST, []),
        (LIST, [1]),
        (LIST, "a"),
    ],
)
def test_types_are_not_bent(setting: Setting, value: object) -> None:
    with pytest.raises(ConfigError):
        setting.check(value)


@given(json_values)
def test_whatever_is_checked_is_a_value_of_the_type_or_an_error_of_one_line(value: object) -> None:
    for setting in SETTINGS.values():
        try:
            found = setting.check(value)
        except ConfigError as error:
            assert "\n" not in str(error)
            assert str(error).startswith((f"{setting.key} is {setting.wanted}, not ", f"{setting.key} has no action "))
        else:
            assert type(found) is type(setting.default)


def test_long_values_are_cut() -> None:
    assert len(shown("x" * 1000)) == 60


def test_secrets_and_passwords_are_masked() -> None:
    secret = Setting(key="a.secret", default="", help="", is_secret=True)
    assert (secret.shown("hunter2"), secret.masked(""), secret.masked("x" * 99)) == ('"****"', "", "****")
    with pytest.raises(ConfigError) as caught:
        secret.check(271828)
    assert str(caught.value) == 'a.secret is text, not "****"'
    url = Setting(key="a.url", default="", help="", is_url=True)
    assert url.masked("sqlite:///games.db") == "sqlite:///games.db"
    assert url.masked("postgresql://ann@host/db") == "postgresql://ann@host/db"
    assert url.masked("postgresql://ann:p@ss:w@host:5/db?password=x") == "postgresql://ann:****@host:5/db?password=****"
    assert TEXT.masked("a:b@c") == "a:b@c"
