"""What can be played here, and how the page looks where nobody said otherwise."""

from sapper.config.configuration import load
from sapper.core.preset import PRESETS
from sapper.core.rules import RULES
from sapper.session.wanted_game import MOST_NO_GUESS_CELLS
from sapper.web.games.messages import RulesData
from sapper.web.games.play_policy import PlayPolicy
from sapper.web.http.presets import Look, presets_data
from tests.live_games import arrived


def test_all_presets_with_their_rules() -> None:
    found = arrived(presets_data(PlayPolicy(), Look()))
    assert [one["name"] for one in found["presets"]] == list(PRESETS)
    expert = next(one for one in found["presets"] if one["name"] == "expert")
    assert expert == {
        "name": "expert",
        "rules": arrived(RulesData.of(RULES["modern"])),
        "width": 30,
        "height": 16,
        "mines": [99],
    }
    assert found["limits"] == {
        "width": [1, 10_000], "height": [1, 10_000], "cells": 10_000, "no_guess_cells": MOST_NO_GUESS_CELLS,
    }  # fmt: skip
    assert found["defaults"]["preset"] == "beginner"


def test_presets_that_are_too_large_here_are_left_out() -> None:
    found = arrived(presets_data(PlayPolicy(cells=100), Look()))
    assert [one["name"] for one in found["presets"]] == ["kata", "beginner", "beginner8", "formal"]
    assert found["limits"]["no_guess_cells"] == 100


def test_the_look_is_what_settings_say() -> None:
    environment = {"SAPPER_WEB_THEME": "dark", "SAPPER_WEB_PALETTE": "clear", "SAPPER_WEB_KEYS_FLAG": "Space,x"}
    look = Look.of(load(environment | {"SAPPER_CONFIG": "/dev/null"}))
    assert (look.theme, look.palette) == ("dark", "clear")
    assert look.as_data().keys["flag"] == [" ", "x"]
    assert look.as_data().keys["reveal"] == [" ", "Enter"]
    assert Look.of(load({"SAPPER_CONFIG": "/dev/null"})) == Look()
