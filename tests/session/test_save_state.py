"""The truth of a session shows itself to nobody by accident, and at the end the code names it."""

from dataclasses import replace

import pytest

from sapper.core.cells import Cell
from sapper.core.grid import Grid
from sapper.core.rules import find_rules
from sapper.generator.game_code import CodedGame, game_of_code
from sapper.session.game_request import coded_game, new_session, no_guess_spec
from sapper.session.saving import load_session, save_session
from tests.sessions import HandClock, Play

SMALL = CodedGame(rules=find_rules("modern"), grid=Grid(5, 5), mine_count=4, seed=1)
LAYOUT = replace(SMALL, first=Cell(12)).generate()
GAMES = {
    "open": coded_game("beginner", seed=1),
    "safe": replace(SMALL, rules=find_rules("modern+start=safe")),
    "any": coded_game("kata", seed=1),
    "no guess": replace(SMALL, spec=no_guess_spec(SMALL)),
    "no room": replace(SMALL, grid=Grid(4, 4), mine_count=10),
    "a first cell": replace(SMALL, first=Cell(12)),
    "a layout": replace(SMALL, seed=None, layout=LAYOUT),
}


def test_its_text_does_not_tell_where_the_mines_are() -> None:
    play = Play("beginner").run([("left", 40, 0)])
    truth = play.session.truth(play.referee)
    assert truth.layout is not None
    assert repr(truth) == "SaveState(drawn_first=False)"


@pytest.mark.parametrize("name", GAMES)
def test_at_the_end_the_code_names_the_layout_whatever_was_revealed_first(name: str) -> None:
    game = GAMES[name]
    session, referee = new_session(game, clock=HandClock())
    session.left_click(6)
    layout = referee.layout
    assert layout is not None
    assert session.code is None
    codes = set()

    def end() -> None:
        if not session.status.ended:
            session.terminate()
        code = session.code
        assert code is not None
        assert session.record().code == code
        codes.add(code)
        assert session.truth(referee).record.code == game.code, "the game was begun with that, and is loaded by it"

    if not session.status.ended or session.can_undo:
        session.undo()
        session.left_click(0)  # another cell first
    end()
    session.restart()
    assert session.code is None
    end()  # with nothing revealed
    session.restart()
    session, referee = load_session(save_session(session, referee), clock=HandClock())
    session.left_click(game.grid.size - 1)
    end()
    (code,) = codes
    assert game_of_code(code).generate() == layout == referee.layout
    assert (code == game.code) == (name in ("any", "a first cell", "a layout"))


def test_a_game_that_ended_without_a_layout_keeps_the_code_that_it_was_begun_with() -> None:
    session, _ = new_session(GAMES["open"], clock=HandClock())
    session.terminate()
    assert (session.code, session.record().code) == (None, GAMES["open"].code)
