"""The library, called with what cannot be, says what would be right."""

from collections.abc import Callable
from typing import Any

import pytest

import sapper
from sapper.core.arguments import check_type
from sapper.errors import ArgumentError

LIBRARY: Any = sapper
"""Without its types, as most who call it have it."""

BOARD = sapper.read_board("3x2/2\n#F#\n121")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: LIBRARY.new_game("beginner", seed="x"), "seed is an integer, not 'x'"),
        (lambda: LIBRARY.new_game(5, seed=1), "preset is the name of a preset or a Preset, not 5"),
        (lambda: LIBRARY.run_games(5, seed=1), "preset is the name of a preset or a Preset, not 5"),
        (lambda: LIBRARY.analyse("##"), "board is a Board, as read_board and Game.board give it, not '##'"),
        (lambda: LIBRARY.win_chance("##"), "board is a Board, as read_board and Game.board give it, not '##'"),
        (lambda: LIBRARY.hint("##"), "board is a Board, as read_board and Game.board give it, not '##'"),
        (lambda: LIBRARY.next_safe("##"), "board is a Board, as read_board and Game.board give it, not '##'"),
        (lambda: LIBRARY.svg("##"), "board is a Board, as read_board and Game.board give it, not '##'"),
        (lambda: LIBRARY.write_board("##"), "board is a Board, as read_board and Game.board give it, not '##'"),
        (lambda: LIBRARY.read_board(5), "text is text, not 5"),
        (lambda: LIBRARY.measure("*"), "layout is a Layout, as place_mines and read_board_list give it, not '*'"),
        (
            lambda: LIBRARY.review_game("x"),
            "record is a Record, as Record.from_json and unpack_record give it, not 'x'",
        ),
        (lambda: LIBRARY.analyse(BOARD, trust_flags="yes"), "trust_flags is True or False, not 'yes'"),
        (lambda: LIBRARY.win_chance(BOARD, trust_flags=3), "trust_flags is True or False, not 3"),
        (lambda: LIBRARY.next_safe(BOARD, cap=None), "cap is an integer, not None"),
        (lambda: LIBRARY.win_chance(BOARD, nodes="x"), "nodes is an integer, not 'x'"),
        (lambda: LIBRARY.read_board("#", mine_count="x"), "mine_count is an integer, not 'x'"),
        (
            lambda: LIBRARY.read_board("#", rules="modern"),
            "rules is rules, as find_rules and RULES give them, not 'modern'",
        ),
        (lambda: LIBRARY.find_rules(3), "name is text, not 3"),
        (lambda: LIBRARY.find_preset(["expert"]), "name is text, not ['expert']"),
        (lambda: LIBRARY.game_of_code(b"modern"), "text is text, not b'modern'"),
        (lambda: LIBRARY.cell_name(None, 3), "grid is a Grid, as Grid(9, 9), not None"),
        (lambda: LIBRARY.read_cell(LIBRARY.Grid(9, 9), 3), "text is text, not 3"),
        (lambda: LIBRARY.pack_record({}), "record is a Record, as Record.from_json and unpack_record give it, not {}"),
        (lambda: LIBRARY.unpack_record("x"), "data is bytes, not 'x'"),
        (lambda: LIBRARY.run_games("beginner", "single", games=2.5, seed=1), "games is an integer, not 2.5"),
        (lambda: LIBRARY.Grid(3, 3, "torus"), "topology is a Topology, as PLANE or TORUS, not 'torus'"),
        (lambda: LIBRARY.Layout(LIBRARY.Grid(3, 3), {1}), "mines is a CellSet, as CellSet.of([1, 2]), not {1}"),
        (lambda: LIBRARY.place_mines("9x9", 1, LIBRARY.Rng(1)), "grid is a Grid, as Grid(9, 9), not '9x9'"),
        (lambda: LIBRARY.place_mines(LIBRARY.Grid(9, 9), "1", LIBRARY.Rng(1)), "mine_count is an integer, not '1'"),
        (
            lambda: LIBRARY.place_mines(LIBRARY.Grid(9, 9), 1, LIBRARY.Rng(1), start="safe"),
            "start is a Start, as Start.SAFE, not 'safe'",
        ),
        (
            lambda: LIBRARY.generate_layout("9x9", 1),
            "spec is a LayoutSpec, as LayoutSpec(grid=Grid(9, 9), mine_count=10), not '9x9'",
        ),
        (lambda: LIBRARY.next_step(BOARD, up_to=3.5), "up_to is a Technique, as Technique.CASES, not 3.5"),
        (lambda: list(LIBRARY.read_board_list(5)), "lines is text, not 5"),
        (lambda: list(LIBRARY.read_board_list([b"3 3"])), "a line is text, not b'3 3'"),
        (lambda: LIBRARY.svg(BOARD, cell_size="x"), "cell_size is a number of pixels, not 'x'"),
        (lambda: LIBRARY.svg(BOARD, palette=3), "palette is the name of a palette or a PicturePalette, not 3"),
        (lambda: LIBRARY.Move.reveal("a"), "cell is an integer, not 'a'"),
        (lambda: LIBRARY.Move.chord(2.0), "cell is an integer, not 2.0"),
        (lambda: LIBRARY.Choice(3, "x"), "move is a Move, as Move.reveal(3), not 3"),
        (lambda: LIBRARY.place_mines(LIBRARY.Grid(9, 9), 1, 7), "rng is an Rng, as Rng(7), not 7"),
    ],
)
def test_what_would_be_right_is_said(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ArgumentError) as raised:
        call()
    assert str(raised.value) == message
    assert isinstance(raised.value, TypeError)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sapper.analyse(BOARD, cap=-1), "cap is an integer from 0, not -1"),
        (lambda: sapper.win_chance(BOARD, most_layouts=-1), "most_layouts is an integer from 1, not -1"),
        (lambda: sapper.win_chance(BOARD, nodes=0), "nodes is an integer from 1, not 0"),
        (
            lambda: sapper.run_games("beginner", "single", games=1, seed=1, workers=0),
            "workers is an integer from 1, not 0",
        ),
        (lambda: sapper.wilson(11, 10), "11 of 10 games cannot be won"),
        (lambda: sapper.wilson(-1, 10), "-1 of 10 games cannot be won"),
        (lambda: sapper.wilson(1, 0), "1 of 0 games cannot be won"),
        (lambda: sapper.Budget(tries=0), "a budget is 1 try at least, not 0"),
        (lambda: sapper.CellSet.of([-1]), "a cell is an index from 0, not -1"),
        (lambda: sapper.CellSet(-1), "the mask of a set of cells is an integer from 0, not -1"),
    ],
)
def test_an_impossible_value(call: Callable[[], object], message: str) -> None:
    with pytest.raises(sapper.InvalidValueError) as raised:
        call()
    assert str(raised.value) == message


def test_a_long_value_is_cut() -> None:
    with pytest.raises(ArgumentError, match=r"^count is an integer, not '#{59}$"):
        check_type("count", "#" * 1000, int)
