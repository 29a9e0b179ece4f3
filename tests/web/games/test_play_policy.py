"""What an operator allows comes whole from the configuration."""

import os

from sapper.config.configuration import load
from sapper.web.games.play_policy import PlayPolicy


def test_a_policy_is_what_the_settings_say() -> None:
    nothing = {"SAPPER_CONFIG": os.devnull}
    assert PlayPolicy.of(load(nothing)) == PlayPolicy()
    said = PlayPolicy.of(load(nothing | {"SAPPER_WEB_MAX_CELLS": "81"}, options={"web.max_open_games": 3}))
    assert (said.cells, said.open_games) == (81, 3)
