"""What a new game may be, what is refused and how."""

import json
from dataclasses import replace
from typing import Any

import pytest

from sapper.core.grid import TORUS, Grid
from sapper.core.preset import PRESETS
from sapper.core.rules import RULES, Start, find_rules
from sapper.errors import RequestError
from sapper.generator.game_code import CodedGame
from sapper.generator.layout_spec import Method
from sapper.generator.new_game import new_referee
from sapper.session.game_request import MOST_NO_GUESS_CELLS, GameRequest, coded_game
from sapper.session.kinds import kind_of, one_name, preset_of, title_of
from sapper.web.games.bodies import PageLook
from sapper.web.games.messages import RulesData
from sapper.web.games.new_game import presets_data, read_new_game
from sapper.web.games.play_policy import PlayPolicy
from tests.live_games import arrived

LOOK = PageLook(keys={"reveal": ["x"]}, palette="classic", theme="dark")


def _read(values: object, most_cells: int = 10_000) -> GameRequest:
    return read_new_game(json.dumps(values), most_cells=most_cells)


def _game(**values: Any) -> CodedGame:
    return _read(values).game(5)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_the_game_that_every_face_plays(name: str) -> None:
    game = _game(preset=name)
    assert game == coded_game(name, seed=5)
    assert kind_of(game).preset == name
    assert game.referee().layout == new_referee(name, seed=5).layout


def test_nothing_asked_for_is_a_beginners_game() -> None:
    wanted = _read({}, 81)
    assert (wanted.game(5), wanted.seen) == (coded_game("beginner", seed=5), False)


def test_a_seed_is_a_number_or_its_digits_and_may_be_known() -> None:
    for seed in (2**64 - 1, str(2**64 - 1)):
        wanted = _read({"seed": seed}, 81)
        assert (wanted.game(5).seed, wanted.seen) == (2**64 - 1, True)


def test_rules_keep_their_name_unless_they_are_changed() -> None:
    assert _game(question_marks=False, chording=True, start="open").rules.name == "modern"
    changed = _game(question_marks=True, start="safe")
    assert changed.rules == find_rules("modern+start=safe+question_marks=on")
    assert kind_of(changed).preset == "beginner"
    assert kind_of(_game(preset="expert", rules="classic")).preset == "expert"
    assert kind_of(_game(preset="expert", rules="engine")).preset == "engine"


def test_the_same_rules_are_one_kind_whatever_they_were_called() -> None:
    names = ["modern", "classic+start=open", "engine+start=open+cascade_clears_flags=off", "modern+start=open"]
    kinds = [kind_of(_game(width=12, height=7, mine_count=20, rules=name)) for name in names]
    assert [kind.rules.name for kind in kinds] == ["modern"] * 4
    for rules in RULES.values():
        for start in Start:
            for switch in (False, True):
                changed = rules.replace(start=start, chording=switch, question_marks=switch)
                again = one_name(replace(changed, name="another"))
                assert (again, again.name) == (changed, one_name(changed).name)
                assert find_rules(again.name) == changed


def test_a_custom_game_has_its_size_and_mines() -> None:
    game = _game(width=12, height=7, mine_count=20)
    assert (game.grid, game.mine_count, title_of(game)) == (Grid(12, 7), 20, "12×7, 20 mines")
    assert preset_of(game.rules, game.grid, game.mine_count) is None
    assert title_of(_game(width=30, height=16, mine_count=99, no_guess=True)) == "Expert, no guess"


def test_no_guess_is_waited_for_or_repaired_by_density() -> None:
    specs = [_game(preset="expert", no_guess=True).spec, _game(width=30, height=16, mine_count=120, no_guess=True).spec]
    assert [spec.method for spec in specs if spec is not None] == [Method.REJECTION, Method.REPAIR]


def test_a_code_is_its_game_and_may_be_known() -> None:
    for game in (_game(preset="expert"), _game(no_guess=True, seed=9)):
        wanted = _read({"code": game.code})
        assert (wanted.game(6).code, wanted.seen) == (game.code, True)


TORUS_CODE = CodedGame(rules=find_rules("modern"), grid=Grid(9, 9, TORUS), mine_count=10, seed=1).code
KABOOM_CODE = CodedGame(rules=find_rules("modern"), grid=Grid(9, 9), mine_count=10, seed=1, kaboom=True).code
LARGE_CODE = CodedGame(rules=find_rules("modern"), grid=Grid(1000, 1000), mine_count=10, seed=1).code


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([], "an object"),
        ({"size": 3}, 'has no "size"'),
        ({"preset": "hard"}, "unknown preset"),
        ({"preset": 3}, "preset is a text"),
        ({"rules": "mine"}, "unknown rules"),
        ({"start": "never"}, "start is one of any, safe, open"),
        ({"chording": 1}, "chording is true or false"),
        ({"no_guess": "yes"}, "no_guess is true or false"),
        ({"width": 9.0, "mine_count": 10}, "width is a whole number"),
        ({"width": True, "mine_count": 10}, "width is a whole number"),
        ({"width": 20}, "say how many mines"),
        ({"width": 0, "height": 5, "mine_count": 1}, "1x1"),
        ({"mine_count": 0}, "1 to 72 mines"),
        ({"mine_count": 73}, "1 to 72 mines"),
        ({"mine_count": 81, "start": "any"}, "1 to 80 mines"),
        ({"width": 101, "height": 100, "mine_count": 10}, "at most 10000 cells"),
        ({"width": 10**9, "height": 1, "mine_count": 10}, "cells"),
        ({"width": 100, "height": 26, "mine_count": 10, "no_guess": True}, "at most 2500 cells"),
        ({"seed": -1}, "seed is"),
        ({"seed": 2**64}, "seed is"),
        ({"seed": "1e3"}, "seed is"),
        ({"seed": True}, "seed is"),
        ({"code": "modern#9x9x10.7.g1.zzzz"}, "mistyped"),
        ({"code": 7}, "code is a text"),
        ({"code": "x" * 5000}, "code is a text"),
        ({"code": coded_game("expert", seed=1).code, "mine_count": 3}, "without mine_count"),
        ({"code": TORUS_CODE}, "torus"),
        ({"code": KABOOM_CODE}, "not played here"),
        ({"code": LARGE_CODE}, "at most 10000 cells"),
    ],
)
def test_what_cannot_be_is_refused_with_words(values: object, words: str) -> None:
    with pytest.raises(RequestError, match=words) as caught:
        _read(values)
    assert caught.value.code == "bad-request"


def test_all_presets_with_their_rules() -> None:
    found = arrived(presets_data(PlayPolicy(), LOOK))
    assert [one["name"] for one in found["presets"]] == list(PRESETS)
    expert = next(one for one in found["presets"] if one["name"] == "expert")
    assert expert == {
        "name": "expert",
        "rules": arrived(RulesData.of(RULES["modern"])),
        "width": 30,
        "height": 16,
        "mine_counts": [99],
    }
    assert found["limits"] == {
        "width": [1, 10_000], "height": [1, 10_000], "cells": 10_000, "no_guess_cells": MOST_NO_GUESS_CELLS,
    }  # fmt: skip
    assert found["defaults"] == {
        "preset": "beginner", "advisor": "second-opinion", "keys": {"reveal": ["x"]}, "palette": "classic", "theme": "dark",
    }  # fmt: skip


def test_presets_that_are_too_large_here_are_left_out() -> None:
    found = arrived(presets_data(PlayPolicy(cells=100), LOOK))
    assert [one["name"] for one in found["presets"]] == ["kata", "beginner", "beginner8", "formal"]
    assert found["limits"]["no_guess_cells"] == 100
