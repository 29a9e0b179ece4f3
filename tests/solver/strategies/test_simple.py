"""The two simplest strategies: uniform where they guess, right where they are certain."""

import pytest
from hypothesis import given

from sapper.core.move import Action, Move
from sapper.core.notation import read_board
from sapper.core.rng import Rng
from sapper.core.rules import Rules, find_rules
from sapper.game.layout import Layout
from sapper.game.referee import Referee
from sapper.game.source import FixedLayout
from sapper.solver.strategies.base import Choice
from sapper.solver.strategies.simple import RandomStrategy, SingleStrategy
from tests.enumeration import every_draw
from tests.playing import Script, play
from tests.strategies import any_rules, layouts, scripts


def _choose(
    strategy: type[RandomStrategy | SingleStrategy], rows: str, mine_count: int, rules: str = "modern"
) -> Choice:
    return strategy(Rng(1)).choose(read_board(rows.replace("/", "\n"), mine_count=mine_count, rules=find_rules(rules)))


def _guesses(
    strategy: type[RandomStrategy | SingleStrategy], rows: str, mine_count: int, rules: str = "modern"
) -> list[Move]:
    """All the moves it may choose; each must come from as many numbers."""
    drawn = list(every_draw(lambda: _choose(strategy, rows, mine_count, rules).move))
    assert len({weight for weight, _ in drawn}) == 1
    return [move for _, move in drawn]


def test_random_reveals_every_covered_cell_as_likely() -> None:
    assert _guesses(RandomStrategy, "##/1#", 1) == [Move.reveal(0), Move.reveal(1), Move.reveal(3)]
    assert _guesses(RandomStrategy, "F?/1#", 1) == [Move.unflag(0), Move.reveal(1), Move.reveal(3)]


def test_random_takes_a_flag_away_only_where_it_must() -> None:
    assert _guesses(RandomStrategy, "FF/1#", 1, "kata") == [Move.reveal(0), Move.reveal(1), Move.reveal(3)]
    assert _guesses(RandomStrategy, "FF/1#", 1, "engine") == [Move.unflag(0), Move.unflag(1), Move.reveal(3)]


@pytest.mark.parametrize("strategy", [RandomStrategy, SingleStrategy])
def test_what_is_left_is_flagged_where_flags_win(strategy: type[RandomStrategy | SingleStrategy]) -> None:
    for rules in ("jminesweeper", "formal+question_marks=on"):
        choice = _choose(strategy, "F2#/?31", 3, rules)
        assert choice == Choice(Move.flag(2), "only mines are left: flag them all", 0.0)
    assert _choose(strategy, "F2#/?31", 3, "engine").move.action is not Action.FLAG
    # All flagged and still no victory: the flags were wrong, or the board is.
    assert _choose(strategy, "F1/11", 1, "jminesweeper").move == Move.unflag(0)


def test_single_reveals_the_lowest_cell_that_one_clue_makes_safe() -> None:
    """a2 sees one covered cell and says 1: that is the mine, and the clues beside it have it too."""
    choice = _choose(SingleStrategy, "#1#/11#", 1)
    assert choice == Choice(Move.reveal(2), "b2 has all its mines: c1 is safe", 0.0)


def test_single_hears_what_a_zero_says() -> None:
    """Where cascades spread over four neighbours, or went around a flag that is gone, zeros have covered neighbours."""
    choice = _choose(SingleStrategy, "###/#1./#..", 1, "jminesweeper")
    assert choice == Choice(Move.reveal(1), "c2 has all its mines: b1 is safe", 0.0)


def test_single_counts_no_flag_as_a_mine() -> None:
    """A flag is an opinion: a wrong one is taken away, and then revealed."""
    first = _choose(SingleStrategy, "#1F/11#", 1)
    assert first.move == Move.unflag(2)
    assert _choose(SingleStrategy, "#1F/11#", 1, "kata").move == Move.reveal(2)


def test_single_guesses_among_cells_that_are_not_known_mines() -> None:
    assert _guesses(SingleStrategy, "#1##/11##/####", 3)  # it may be any that is no known mine
    assert Move.reveal(0) not in _guesses(SingleStrategy, "#2##/2###", 3)
    assert _guesses(SingleStrategy, "#1/1#", 1) == [Move.reveal(0), Move.reveal(3)]


def test_single_goes_on_where_a_board_contradicts_itself() -> None:
    for rows in ("#3#/222", "#3#/111"):
        assert _guesses(SingleStrategy, rows, 1) == [Move.reveal(0), Move.reveal(2)]


@given(any_rules(), layouts(), scripts())
def test_what_single_is_certain_of_is_so(rules: Rules, layout: Layout, script: Script) -> None:
    referee = Referee(rules=rules, source=FixedLayout(layout))
    list(play(referee, script))
    if referee.status.ended:
        return
    choice = SingleStrategy(Rng(1)).choose(referee.board)
    if "guess" not in choice.reason:
        assert layout.is_mine(choice.move.cell) == (choice.move.action is Action.FLAG)
