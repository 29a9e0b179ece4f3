"""The end tells the numbers of the game, and a code that gives the same board again."""

import pytest
from hypothesis import given, settings

from sapper.core.move import Move
from sapper.generator.game_code import game_of_code
from sapper.metrics.game import measure_game, measure_played
from tests.live_games import Seat
from tests.sessions import Play, SessionScript
from tests.strategies import seeds, session_scripts


@settings(max_examples=60)
@given(seeds, session_scripts())
def test_the_numbers_are_those_of_the_record(seed: int, script: SessionScript) -> None:
    play = Play("beginner", seed).run(script)
    session = play.session
    if not session.status.ended:
        session.terminate()
    layout = play.referee.layout
    if layout is not None:
        assert measure_played(layout, session.board.tiles, session.played) == measure_game(session.record())


@pytest.mark.parametrize(
    "values",
    [
        {"preset": "expert"},
        {"preset": "expert", "start": "any"},
        {"preset": "expert", "start": "safe"},
        {"no_guess": True},
        {"width": 3, "height": 3, "mine_count": 1, "start": "safe"},
        {"width": 4, "height": 4, "mine_count": 7},
    ],
)
@pytest.mark.parametrize("place", [(0, 0), (2, 2)])
def test_the_code_gives_the_same_board_whatever_is_revealed_first(
    values: dict[str, object], place: tuple[int, int]
) -> None:
    seat = Seat(**values)
    seat.client.do("left", place)
    seat.services.work()
    layout = seat.live.game.referee.layout
    assert layout is not None
    if not seat.live.session.status.ended:
        seat.client.do("terminate")
    code = seat.client.copy["end"]["code"]
    assert f'"code":"{code}"' in (seat.services.records[-1].record or ""), "the record names the layout that it has"
    game = game_of_code(code)
    assert game.generate() == layout
    again = Seat(code=code)
    assert again.client.copy["first"] in (None, list(place))
    assert again.client.copy["assistance"]["seen"]
    other = next(cell for cell in range(layout.grid.size) if cell not in layout.mines)
    again.client.do("left", again.xy(other))
    again.services.work()
    assert again.live.game.referee.layout == layout


def test_mines_are_shown_and_wrong_flags_and_nothing_else() -> None:
    seat = Seat(preset="engine")
    mines = seat.mines()
    safe = next(seat.xy(cell) for cell in range(480) if seat.xy(cell) not in mines)
    seat.client.do("flag", safe)
    seat.client.do("flag", mines[0])
    seat.client.do("reveal", mines[1])
    board = seat.live.game.referee.board.show(seat.live.session.layout.mines)
    for start, tiles in seat.client.copy["end"]["runs"]:
        seat.client.cells[start : start + len(tiles)] = tiles
    assert "".join(seat.client.cells) == "".join(".12345678#F?*X!"[tile] for tile in board.tiles)
    assert Move.reveal(0) not in board.legal_moves
