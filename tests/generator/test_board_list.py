"""Board lists: round trips, and errors that say where."""

from functools import partial

import pytest
from hypothesis import given, strategies as st

from sapper.core.cells import CellSet
from sapper.core.grid import PLANE, TORUS, Grid
from sapper.errors import CellError, LayoutError, NotationError
from sapper.game.layout import Layout
from sapper.generator.board_list import ListedGame, read_board_list, write_game
from tests.playing import outcome
from tests.strategies import grids, layouts

LINE = "4 3 2 1,11 5"
GAME = ListedGame(Layout(Grid(4, 3), CellSet.of([1, 11])), Grid(4, 3).check(5))


def test_a_line() -> None:
    assert list(read_board_list([LINE])) == [GAME]
    assert write_game(*GAME) == LINE
    assert write_game(Layout(Grid(2, 1), CellSet()), 1) == "2 1 0 - 1"


@given(st.data())
def test_text_round_trip(data: st.DataObject) -> None:
    games = []
    for _ in range(data.draw(st.integers(0, 3))):
        layout = data.draw(layouts(data.draw(grids(topologies=(PLANE,)))))
        games.append(ListedGame(layout, layout.grid.check(data.draw(st.integers(0, layout.grid.size - 1)))))
    lines = [write_game(*game) for game in games]
    assert list(read_board_list(lines)) == games
    assert list(read_board_list("\n".join(lines))) == games
    assert list(read_board_list([f"  {line} \r\n" for line in lines])) == games


def test_comments_empty_lines_and_a_byte_order_mark_are_skipped() -> None:
    lines = ["\ufeff# two games", "", "  # and nothing else", LINE, " \t", LINE]
    assert list(read_board_list(lines)) == [GAME, GAME]


def test_games_come_one_at_a_time() -> None:
    games = read_board_list(["2 2 1 0 3", "nonsense"])
    assert next(games).layout.mine_count == 1
    with pytest.raises(NotationError):
        next(games)


@pytest.mark.parametrize(
    ("line", "column", "message"),
    [
        ("4 3 2 1,11", 7, "a game is WIDTH HEIGHT MINES i,j,k… FIRST: 5 words, not 4"),
        ("4 3 2 1,11 5 6", 14, "a game is WIDTH HEIGHT MINES i,j,k… FIRST: 5 words, not 6"),
        ("x 3 2 1,11 5", 1, "WIDTH is a number of at most nine digits, not 'x'"),
        ("4 -3 2 1,11 5", 3, "HEIGHT is a number of at most nine digits, not '-3'"),
        ("4 0 2 1,11 5", 1, "a grid has at least 1x1 cells, not 4x0"),
        ("99999 99999 0 - 5", 1, "a grid has at most 100,000,000 cells"),
        ("4 3 2 1,12 5", 9, "mine 12 is off the board: cells are 0 to 11"),
        ("4 3 2 1,1 5", 9, "mine 1 is listed twice"),
        ("4 3 2 1,,2 5", 9, "a mine is a number of at most nine digits, not ''"),
        ("4 3 2 1,2, 5", 11, "a mine is a number"),
        ("4 3 2 - 5", 5, "MINES says 2, but 0 are listed"),
        ("4 3 1 1,2 5", 5, "MINES says 1, but 2 are listed"),
        ("4 3 2 1,11 12", 12, "the first cell 12 is off the board: cells are 0 to 11"),
        ("4 3 2 1,11 1234567890", 12, "FIRST is a number of at most nine digits"),
        ("٤ 3 2 1,11 5", 1, "WIDTH is a number"),
    ],
)
def test_lines_that_are_no_games(line: str, column: int, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        list(read_board_list(["# a comment", LINE, line], source="b.txt"))
    error = caught.value
    assert (error.source, error.line, error.column) == ("b.txt", 3, column)
    assert error.message.startswith(message)


@given(st.one_of(st.text(), st.text(alphabet="0123456789 ,-\n#"), st.from_regex(r"[1-9] [1-9] \d \d,\d+ \d\n")))
def test_any_text_is_a_list_or_a_named_error(text: str) -> None:
    result = outcome(partial(lambda lines: list(read_board_list(lines)), text))
    if isinstance(result, list):
        assert list(read_board_list(write_game(*game) for game in result)) == result
    else:
        assert isinstance(result, NotationError)
        assert 1 <= result.line <= len(text.splitlines())
        assert "\n" not in str(result)


def test_what_cannot_be_written() -> None:
    with pytest.raises(CellError, match="cell 12 is off the board"):
        write_game(GAME.layout, 12)
    with pytest.raises(LayoutError, match="holds layouts on a plane, not on a torus"):
        write_game(Layout(Grid(4, 3, TORUS), CellSet.of([1])), 0)
