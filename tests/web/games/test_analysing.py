"""The bytes of an analysis are the analysis."""

import json

import pytest

from sapper.errors import RequestError
from sapper.web.games.analysing import analysis_json
from sapper.web.games.jobs import analyse_text
from tests.live_games import arrived

BOARD = "3x3/1\n###\n#1#\n###\n"


def test_the_bytes_are_the_analysis() -> None:
    assert json.loads(analysis_json(BOARD, None, 9)) == arrived(analyse_text(BOARD, None, 9))


def test_errors_are_the_same() -> None:
    with pytest.raises(RequestError, match="at most 8 cells"):
        analysis_json(BOARD, None, 8)
