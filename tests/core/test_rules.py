"""Rules are values with names that can be read back."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given

from sapper.core import rules as module
from sapper.core.rules import RULES, Rules, Start, Win, find_rules
from sapper.errors import InvalidValueError, UnknownNameError
from tests.plugins import install
from tests.strategies import custom_rules

# What the four documents say, and the two usual ways to play: a column each.
TABLE = {
    #                win         spread clears reveals chord start      one
    "engine": ("revealed", 8, True, False, True, "any", False),
    "kata": ("revealed", 8, True, True, False, "any", False),
    "jminesweeper": ("flagged", 4, False, False, False, "any", False),
    "formal": ("either", 8, True, False, False, "any", True),
    "classic": ("revealed", 8, False, False, True, "safe", False),
    "modern": ("revealed", 8, False, False, True, "open", False),
}


def test_the_registered_rules_are_those_of_the_table() -> None:
    assert {
        name: (
            rules.win.value,
            rules.spread,
            rules.cascade_clears_flags,
            rules.click_reveals_flagged,
            rules.chording,
            rules.start.value,
            rules.one_game,
        )
        for name, rules in RULES.items()
    } == TABLE
    assert not any(rules.question_marks for rules in RULES.values())
    assert all(rules.name == name for name, rules in RULES.items())


@pytest.mark.parametrize("base", RULES)
@given(wanted=custom_rules())
def test_changed_rules_have_a_name_that_can_be_read(base: str, wanted: Rules) -> None:
    changes = {
        "win": wanted.win,
        "spread": wanted.spread,
        "cascade_clears_flags": wanted.cascade_clears_flags,
        "click_reveals_flagged": wanted.click_reveals_flagged,
        "chording": wanted.chording,
        "start": wanted.start,
        "question_marks": wanted.question_marks,
        "one_game": wanted.one_game,
    }
    changed = RULES[base].replace(**changes)
    assert changed == wanted
    found = find_rules(changed.name)
    assert (found, found.name) == (changed, changed.name)
    # One at a time or all at once, and back again: the same rules have the same name.
    step = RULES[base]
    for name, value in changes.items():
        step = step.replace(**{name: value})
    assert step.name == changed.name
    assert changed.replace(**{name: getattr(RULES[base], name) for name in changes}).name == base


def test_names_of_changes() -> None:
    assert RULES["modern"].replace(start=Start.SAFE, question_marks=True).name == "modern+start=safe+question_marks=on"
    assert RULES["engine"].replace(cascade_clears_flags=False).name == "engine+cascade_clears_flags=off"
    assert RULES["engine"].replace(cascade_clears_flags=True) is RULES["engine"]
    assert Rules(name="mine").replace(win=Win.EITHER).name == "mine+win=either"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"spread": 6}, "8 or 4 neighbours, not 6"),
        ({"spread": 8.0}, "8 or 4 neighbours, not 8.0"),
        ({"win": "revealed"}, "win is one of Win.REVEALED, Win.FLAGGED, Win.EITHER, not 'revealed'"),
        ({"start": "open"}, "start is one of Start.ANY, Start.SAFE, Start.OPEN, not 'open'"),
        ({"chording": 1}, "chording is True or False, not 1"),
        ({"one_game": None}, "one_game is True or False, not None"),
    ],
)
def test_values_that_are_no_rules(values: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        Rules(**values)  # type: ignore[arg-type]
    with pytest.raises(InvalidValueError, match=message):
        RULES["modern"].replace(**values)


def test_a_change_of_something_that_rules_do_not_have() -> None:
    with pytest.raises(InvalidValueError, match="rules have no 'lives'; they have win, spread, "):
        RULES["modern"].replace(lives=3)
    with pytest.raises(InvalidValueError, match="rules have no 'name'"):
        RULES["modern"].replace(name="x")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("modern+", "a change of rules is NAME=VALUE"),
        ("modern+lives=3", "a change of rules is NAME=VALUE with a name of win, .*, not 'lives=3'"),
        ("modern+start", "a change of rules is NAME=VALUE"),
        ("modern+start=never", "start is one of any, safe, open, not 'never'"),
        ("modern+spread=6", "spread is one of 8, 4, not '6'"),
        ("modern+chording=yes", "chording is one of on, off, not 'yes'"),
        ("modern+win=", "win is one of revealed, flagged, either, not ''"),
    ],
)
def test_changes_that_are_none(name: str, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        find_rules(name)


@pytest.mark.parametrize("name", ["", "clasic", "+start=any", "Modern"])
def test_a_name_that_nobody_registered(name: str) -> None:
    with pytest.raises(UnknownNameError, match=r"unknown rules .*; known are: engine, kata, jminesweeper, formal"):
        find_rules(name)


# --- rules of other packages ------------------------------------------------------------------


def _install(code: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    install(folder, monkeypatch, module="mild_rules", code=code, group="sapper.rules", points="mild = mild_rules:MILD")
    module._others.cache_clear()
    yield
    module._others.cache_clear()
    sys.modules.pop("mild_rules", None)


@pytest.fixture
def mild(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    plugin = "from sapper import Rules, Start\nMILD = Rules(name='whatever', start=Start.OPEN, chording=False)\n"
    yield from _install(plugin, tmp_path, monkeypatch)


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from _install("MILD = 'no rules'\n", tmp_path, monkeypatch)


@pytest.mark.usefixtures("mild")
def test_other_packages_register_rules() -> None:
    rules = find_rules("mild")
    assert (rules.name, rules.start, rules.chording) == ("mild", Start.OPEN, False)
    changed = find_rules("mild+spread=4").replace(start=Start.SAFE)
    assert (changed.spread, changed.start) == (4, Start.SAFE)
    assert find_rules(changed.name) == changed
    with pytest.raises(UnknownNameError, match=r", mild$"):
        find_rules("wild")


@pytest.mark.usefixtures("broken")
def test_an_entry_point_that_is_no_rules() -> None:
    assert find_rules("modern") is RULES["modern"]
    with pytest.raises(
        InvalidValueError, match=r"entry point 'mild' of group sapper.rules is not Rules but 'no rules'"
    ):
        find_rules("mild")
