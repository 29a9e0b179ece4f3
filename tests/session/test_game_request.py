"""Sessions from names and codes are the games of those names."""

import pytest

from sapper.core.preset import PRESETS
from sapper.generator.game_code import game_of_code
from sapper.generator.new_game import new_referee
from sapper.session.game_request import coded_game, new_session
from tests.sessions import HandClock


@pytest.mark.parametrize("name", PRESETS)
def test_it_is_the_game_of_that_preset_and_seed(name: str) -> None:
    session, referee = new_session(coded_game(name, seed=9), clock=HandClock())
    other = new_referee(PRESETS[name], seed=9)
    session.left_click(4)
    other.play(session.played[0].move)
    assert (session.board, referee.layout) == (other.board, other.layout)


def test_the_end_tells_its_code_and_seed() -> None:
    session, _ = new_session(coded_game("kata", seed=9), clock=HandClock())
    assert (session.record().code, session.record().seed) == (None, None)
    session.terminate()
    code = session.record().code
    assert code is not None
    assert game_of_code(code).seed == session.record().seed == 9
