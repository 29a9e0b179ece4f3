"""The library, called with what cannot be, says what would be right."""

from collections.abc import Callable
from typing import Any

import pytest

import sapper
from sapper.core.arguments import check_type
from sapper.errors import ArgumentError

LIBRARY: Any = sapper
"""Without its types, as most who call it have it."""


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
        (lambda: LIBRARY.place_mines("9x9", 1, LIBRARY.Rng(1)), "grid is a Grid, as Grid(9, 9), not '9x9'"),
        (lambda: LIBRARY.place_mines(LIBRARY.Grid(9, 9), 1, 7), "rng is an Rng, as Rng(7), not 7"),
    ],
)
def test_what_would_be_right_is_said(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ArgumentError) as raised:
        call()
    assert str(raised.value) == message
    assert isinstance(raised.value, TypeError)


def test_a_long_value_is_cut() -> None:
    with pytest.raises(ArgumentError, match=r"^count is an integer, not '#{59}$"):
        check_type("count", "#" * 1000, int)
