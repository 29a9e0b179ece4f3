import math

import pytest

from sapper.core.cells import CellSet
from sapper.core.grid import Grid
from sapper.core.move import Move
from sapper.core.record import Record, TimedMove
from sapper.core.rules import RULES, Rules
from sapper.core.update import Update
from sapper.errors import RecordError
from sapper.game.game import Game
from sapper.game.layout import Layout
from sapper.game.source import FixedLayout
from sapper.metrics.game import Guess, guess_of, measure_game, ratios
from sapper.session.storing import guesses_in


def _record(layout: Layout, moves: list[tuple[int, Move]], rules: Rules = RULES["engine"]) -> Record:
    """The record of a game; a move that is not legal is a click that changed nothing."""
    game = Game(rules=rules, source=FixedLayout(layout))
    played = []
    for at, move in moves:
        update = game.play(move) if game.is_legal(move) else Update.nothing(game.status)
        played.append(TimedMove(at, move, update))
    mines = layout.mines if game.status.ended else None
    return Record(rules=rules, grid=layout.grid, mine_count=layout.mine_count, mines=mines, played=tuple(played))


ROW = Layout(Grid(4, 2), CellSet.of([1]))
"""1*1. over 111.: an opening on the right, and two clues apart from it on the left: 3BV 4 with the one between."""


def test_a_game_won_counts_its_clicks_and_solves_all_of_its_3bv() -> None:
    record = _record(
        ROW,
        [
            (0, Move.reveal(3)),  # the opening
            (500, Move.reveal(3)),  # a click on a revealed cell: nothing
            (900, Move.flag(1)),
            (1000, Move.reveal(0)),
            (1500, Move.reveal(4)),
            (2000, Move.reveal(5)),
        ],
    )
    found = measure_game(record)
    assert record.status.value == "won"
    assert (found.seconds, found.bbbv, found.solved_bbbv) == (2.0, 4, 4)
    assert (found.clicks, found.effective_clicks) == (6, 5)
    assert found.bbbv_per_second == 2.0
    assert found.ioe == pytest.approx(4 / 6)
    assert found.correctness == pytest.approx(5 / 6)
    assert found.throughput == pytest.approx(4 / 5)
    assert found.rqp == 1.0
    assert found.qg == pytest.approx(2**1.7 / 4)
    assert found.ios == pytest.approx(math.log(2) / math.log(4))
    assert found.stnb is None


def test_a_game_lost_has_solved_what_it_opened() -> None:
    found = measure_game(_record(ROW, [(0, Move.reveal(3)), (1000, Move.reveal(0)), (3000, Move.reveal(1))]))
    assert (found.bbbv, found.solved_bbbv, found.clicks) == (4, 2, 3)
    assert found.bbbv_per_second == pytest.approx(2 / 3)


def test_giving_up_is_no_click() -> None:
    found = measure_game(_record(ROW, [(0, Move.reveal(0)), (10, Move.terminate())]))
    assert (found.clicks, found.solved_bbbv) == (1, 1)


def test_a_game_that_goes_on_tells_nothing_of_its_layout() -> None:
    with pytest.raises(RecordError, match="where the mines were"):
        measure_game(_record(ROW, [(0, Move.reveal(3))]))


def test_numbers_without_a_value_are_none_and_the_constants_belong_to_sizes() -> None:
    nothing = ratios(seconds=0, bbbv=0, solved=0, clicks=0, effective=0, size=(8, 8))
    assert [nothing.ioe, nothing.rqp, nothing.stnb, nothing.ios, nothing.bbbv_per_second] == [None] * 5
    expert = ratios(seconds=60.0, bbbv=160, solved=160, clicks=200, effective=190, size=(30, 16))
    assert expert.stnb == pytest.approx(435.001 * 160 / 60**1.7)
    half = ratios(seconds=60.0, bbbv=160, solved=40, clicks=200, effective=190, size=(16, 16))
    assert half.stnb == pytest.approx(153.73 * 160 / 60**1.7 / 2)


# --- guesses ----------------------------------------------------------------------------------------


def _guesses(record: Record) -> list[Guess | None]:
    pairs = zip(record.played, record.boards(), strict=False)
    return [
        None if before.is_protected(one.move.cell) else guess_of(before, one.move, one.update) for one, before in pairs
    ]


def test_the_first_click_of_start_any_is_a_forced_guess() -> None:
    first, second = _guesses(_record(ROW, [(0, Move.reveal(0)), (1, Move.reveal(1))]))
    assert first == (1 / 8, True, True)
    # 1 at (0, 0): one mine among its three neighbours, so the four cells on the right are safe.
    assert second is not None
    assert (second.forced, second.survived) == (False, False)
    assert second.risk == pytest.approx(1 / 3)


def test_a_start_that_protects_is_no_guess_and_certain_moves_are_none() -> None:
    rules = RULES["engine"].replace(start=RULES["modern"].start)
    # The opening tells where the only mine is; nothing after it is a guess.
    moves = [(0, Move.reveal(3)), (1, Move.reveal(0)), (2, Move.flag(1))]
    assert _guesses(_record(ROW, moves, rules)) == [None, None, None]
    first, second = _guesses(_record(ROW, moves[:2]))
    assert first is not None
    assert second is None


def test_the_last_move_of_a_shortened_record_is_no_guess() -> None:
    record = _record(ROW, [(0, Move.reveal(0)), (1, Move.reveal(3)), (2, Move.reveal(1))])
    assert len(guesses_in(record)) == 2
    assert len(guesses_in(record.shortened(2))) == 1  # the board before its last move is not known


def test_a_chord_is_as_risky_as_all_its_cells_together() -> None:
    # 2 at (1, 0) of a 3x2 board with 2 mines, one flag right or wrong: the chord opens four cells.
    layout = Layout(Grid(3, 2), CellSet.of([0, 2]))
    moves = [(0, Move.reveal(1)), (1, Move.flag(0)), (2, Move.flag(3)), (3, Move.chord(1))]
    chord = _guesses(_record(layout, moves))[-1]
    assert chord is not None
    # Ten places for two mines among five neighbours; the chord survives in one of them.
    assert (chord.forced, chord.survived) == (True, False)
    assert chord.risk == pytest.approx(9 / 10)


def test_a_chord_that_no_layout_survives_has_a_risk_of_one() -> None:
    # 1*1 in a row of three: a mine is left, and a flag on the wrong one of two.
    layout = Layout(Grid(3, 1), CellSet.of([1]))
    moves = [(0, Move.reveal(0)), (1, Move.flag(1)), (2, Move.unflag(1)), (3, Move.reveal(1))]
    assert _guesses(_record(layout, moves))[-1] == (1.0, False, False)
