"""The requirements of the component Grid, each named by its anchor; by the rules `engine` where they differ.

What holds in every rule set is in test_conformance.py; docs/requirements.md leads from each requirement to its tests.
"""

import pytest

from sapper.core.move import Move
from sapper.core.notation import read_board
from sapper.core.rules import RULES
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.errors import AccessError, MoveFault
from tests.playing import game_on, layout_of, seen
from tests.refusals import refused


@pytest.mark.requirement("53b0466c", "e93d531d", "bab9887f", "22f16924", "ede4812f")
def test_a_board_has_size_mines_visible_and_flagged_squares() -> None:
    board = read_board("5x2/3\nF1..1\nF3#F#")
    assert (board.grid.width, board.grid.height, board.mine_count) == (5, 2, 3)
    assert (list(board.revealed), board.revealed_count) == ([1, 2, 3, 4, 6], 5)
    assert (list(board.flagged), board.flag_count) == ([0, 5, 8], 3)


@pytest.mark.requirement("53b0466c", "544f0ab3", "174c1320")
def test_a_layout_has_mines_and_clues() -> None:
    layout = layout_of("*..*/..../*...")
    assert [cell for cell in range(12) if layout.is_mine(cell)] == [0, 3, 8]
    assert [layout.clue(cell) for cell in range(12)] == [0, 1, 1, 0, 2, 2, 1, 1, 0, 1, 0, 0]


@pytest.mark.requirement("cb6545f1", "b196dd53")
def test_a_clue_is_known_where_its_square_is_visible() -> None:
    game = game_on("*..../.....", "engine")
    game.reveal(1)
    assert game.board.clue(1) == 1
    for cell in (0, 2, 3, 4, 5, 6, 7, 8, 9):
        with pytest.raises(AccessError):
            game.board.clue(cell)


@pytest.mark.requirement("7161862a", "39ca2c9a")
def test_a_left_click_on_a_covered_square_makes_it_visible() -> None:
    game = game_on("*..../.....", "engine")
    assert list(game.left_click(1).cells()) == [(1, Tile.ONE)]
    assert seen(game) == "#1###/#####"


@pytest.mark.requirement("7161862a", "b9dd5682")
def test_a_left_click_on_a_mine_loses_at_once() -> None:
    game = game_on("*..../....*", "engine")
    game.left_click(2)
    update = game.left_click(0)
    assert (update.status, list(update.cells())) == (Status.LOST, [(0, Tile.EXPLODED)])


@pytest.mark.requirement("7161862a", "78c5c6b6")
def test_a_left_click_on_a_flagged_square_does_nothing() -> None:
    game = game_on("*..../.....", "engine")
    for cell in (0, 4):
        game.right_click(cell)
        assert game.left_click(cell).is_empty
    assert seen(game) == "F###F/#####"


@pytest.mark.requirement("7161862a", "707ea419")
def test_a_left_click_on_a_visible_square_does_nothing_or_chords() -> None:
    game = game_on("*..../.....", "engine")
    game.left_click(1)
    assert game.left_click(1).is_empty
    game.right_click(0)
    assert not game.left_click(1).is_empty
    assert game.status is Status.WON


@pytest.mark.requirement("7161862a", "7c0354cf", "2ab18af2", "46675b82")
@pytest.mark.parametrize("cell", range(10))
def test_after_the_end_no_click_does_anything(cell: int) -> None:
    game = game_on("*..../....*", "engine")
    game.right_click(3)
    game.left_click(1)
    game.left_click(0)
    before = game.board
    assert game.left_click(cell).is_empty
    assert game.right_click(cell).is_empty
    assert game.board == before


@pytest.mark.requirement("2ab18af2", "077c330a", "340c33a7")
def test_a_right_click_flags_and_takes_the_flag_away() -> None:
    game = game_on("*..../.....", "engine")
    assert list(game.right_click(3).cells()) == [(3, Tile.FLAGGED)]
    assert list(game.right_click(3).cells()) == [(3, Tile.COVERED)]


@pytest.mark.requirement("2ab18af2", "f003796c")
def test_a_right_click_on_a_visible_square_does_nothing() -> None:
    game = game_on("*..../.....", "engine")
    game.left_click(3)
    board = game.board
    for cell in board.revealed:
        assert game.right_click(cell).is_empty
    assert game.board == board


@pytest.mark.requirement("7293c5bc", "b9c080c6")
def test_a_zero_opens_its_neighbours_and_so_on() -> None:
    game = game_on("*...../....../.....*", "engine")
    update = game.left_click(2)
    assert seen(game) == "#1..../11..11/....1#"
    assert len(update) == 16
    assert update.status is Status.WON


@pytest.mark.requirement("7293c5bc", "b9c080c6")
def test_a_chain_stops_at_clues() -> None:
    game = game_on("...*../......", "engine")
    game.left_click(0)
    assert seen(game) == "..1###/..1###"


@pytest.mark.requirement("7293c5bc", "de17fa41")
def test_a_chain_takes_flags_away() -> None:
    game = game_on("*...../....../.....*", "engine")
    for cell in (0, 1, 3, 17):
        game.right_click(cell)
    game.left_click(2)
    assert seen(game) == "F1..../11..11/....1F"
    assert game.board.flag_count == 2


@pytest.mark.requirement("de17fa41")
@pytest.mark.parametrize("rules", [name for name, rules in RULES.items() if not rules.cascade_clears_flags])
def test_other_rules_go_around_a_flag(rules: str) -> None:
    game = game_on(".../..*", rules)
    game.right_click(1)
    game.left_click(0)
    assert game.board.tile(1) is Tile.FLAGGED


# --- chording ---------------------------------------------------------------------------------------------


@pytest.mark.requirement("961c88b1", "5484072c")
def test_a_chord_uncovers_what_is_not_flagged() -> None:
    game = game_on("*..*/..../....", "engine")
    game.left_click(1)
    game.right_click(0)
    update = game.left_click(1)
    assert [cell for cell, _ in update.cells()] == [2, 4, 5, 6]
    assert seen(game) == "F11#/111#/####"


@pytest.mark.requirement("961c88b1", "5484072c")
def test_a_chord_needs_as_many_flags_as_the_clue() -> None:
    game = game_on("*.*/.../...", "engine")
    game.left_click(1)
    for cell, flags in ((3, 1), (4, 2), (5, 3)):
        assert game.board.is_legal(Move.chord(1)) == (flags == 3)  # there are two now, right or wrong
        game.right_click(cell)
        assert game.board.flag_count == flags
    for flags in (3, 4):
        assert game.left_click(1).is_empty
        with refused(MoveFault.CHORD, f"needs 2 flags beside it, and has {flags}"):
            game.chord(1)
        game.right_click(0)


@pytest.mark.requirement("5484072c", "b9c080c6", "de17fa41")
def test_a_chord_has_cascades_of_its_own() -> None:
    game = game_on("*...../....../......", "engine")
    game.left_click(7)
    game.right_click(0)
    game.right_click(5)  # a wrong flag, which the cascade will take away
    update = game.left_click(7)
    assert seen(game) == "F1..../11..../......"
    assert update.status is Status.WON


@pytest.mark.requirement("961c88b1", "85c38ac5", "b9dd5682")
def test_a_chord_that_uncovers_a_mine_loses() -> None:
    game = game_on("*..../.....", "engine")
    game.left_click(1)
    game.right_click(5)
    update = game.left_click(1)
    assert (update.status, list(update.cells())) == (Status.LOST, [(0, Tile.EXPLODED)])


@pytest.mark.requirement("85c38ac5")
def test_a_chord_goes_in_index_order_and_the_first_mine_ends_it() -> None:
    """Two mines and two wrong flags: what comes before the first mine opens, its cascade included; nothing after."""
    game = game_on("......./...*.../..*..../.......", "engine")
    clue = game.grid.cell(3, 2)
    game.left_click(clue)
    assert game.board.clue(clue) == 2
    for x, y in ((2, 1), (4, 1)):
        game.right_click(game.grid.cell(x, y))
    update = game.left_click(clue)
    assert update.status is Status.LOST
    assert [tile for _, tile in update.cells()].count(Tile.EXPLODED) == 1
    assert seen(game) == "#######/##FXF##/###2###/#######"


@pytest.mark.requirement("5484072c")
def test_a_chord_on_a_zero_that_flags_have_left() -> None:
    """A zero whose neighbours were flagged keeps them covered by rules that leave flags: it can be chorded without."""
    game = game_on("....*/.....", "modern+start=any")
    game.right_click(1)
    game.left_click(0)
    assert seen(game) == ".F.1#/...1#"
    assert game.left_click(0).is_empty  # one flag beside a zero
    game.right_click(1)
    assert list(game.left_click(0).cells()) == [(1, Tile.ZERO)]
