"""Board text: round trips, and errors that say where."""

from functools import partial

import pytest
from hypothesis import given, strategies as st

from sapper.core.board import Board
from sapper.core.grid import Grid
from sapper.core.notation import SYMBOLS, read_board, read_tiles, write_board, write_tiles
from sapper.core.rules import RULES
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.errors import NotationError
from tests.playing import outcome
from tests.strategies import boards

TEXT = """\
4x3/2
F1.?
*X!#
1288
"""


def test_a_board_with_every_kind_of_tile() -> None:
    board = read_board(TEXT)
    assert (board.grid, board.mine_count, board.rules) == (Grid(4, 3), 2, RULES["modern"])
    assert [Tile(code).name for code in board.tiles] == [
        *("FLAGGED", "ONE", "ZERO", "QUESTION"),
        *("MINE", "EXPLODED", "WRONG_FLAG", "COVERED"),
        *("ONE", "TWO", "EIGHT", "EIGHT"),
    ]
    assert write_board(board) == TEXT
    assert write_board(board, header=False) == TEXT.removeprefix("4x3/2\n")


@given(boards())
def test_text_round_trip(board: Board) -> None:
    for again in (
        read_board(write_board(board), rules=board.rules),
        read_board(write_board(board, header=False), mine_count=board.mine_count, rules=board.rules),
        read_board(
            write_board(board).replace(".", "0").replace("#", "-"), mine_count=board.mine_count, rules=board.rules
        ),
        read_board(write_board(board).replace("\n", " \r\n").replace(".", "_"), rules=board.rules),
    ):
        assert (again.grid, again.mine_count, again.tiles, again.rules) == (
            *(board.grid, board.mine_count, board.tiles, board.rules),
        )


@given(st.lists(st.sampled_from(list(Tile))))
def test_tiles_round_trip(row: list[Tile]) -> None:
    text = write_tiles(bytes(row))
    assert len(text) == len(row)
    assert set(text) <= set(SYMBOLS)
    assert read_tiles(text) == bytes(row)


@pytest.mark.parametrize(
    ("rows", "mines", "rules", "status"),
    [
        ("##\n##", 1, "modern", Status.READY),
        ("##\n##", 4, "modern", Status.READY),
        ("F#\n##", 1, "modern", Status.PLAYING),
        ("1#\n##", 1, "modern", Status.PLAYING),
        ("1#\n11", 1, "modern", Status.WON),
        ("1F\n11", 1, "formal", Status.WON),
        ("1#\n11", 1, "jminesweeper", Status.PLAYING),
        ("X#\n11", 1, "modern", Status.LOST),
        ("X1\n11", 1, "modern", Status.LOST),
        ("..\n..", 0, "modern", Status.WON),
        ("#3#", 2, "modern", Status.PLAYING),  # no layout is like that: nobody has won it
        ("#2#", 2, "modern", Status.WON),
        ("*3*", 2, "modern", Status.PLAYING),
        ("F", 1, "modern", Status.WON),
    ],
)
def test_how_the_game_stands_is_read_off_the_tiles(rows: str, mines: int, rules: str, status: Status) -> None:
    assert read_board(rows, mine_count=mines, rules=RULES[rules]).status is status


def test_blank_lines_around_and_a_byte_order_mark_do_not_matter() -> None:
    assert read_board("\ufeff\n\n2x1/1\n#1\n\n\n") == read_board("#1", mine_count=1)


@pytest.mark.parametrize(
    ("text", "mines", "line", "column", "message"),
    [
        ("", 1, 1, 1, "the board is empty"),
        ("\n \n", 1, 1, 1, "the board is empty"),
        ("3x1/1\n", None, 2, 1, "the board is empty"),
        ("###", None, 1, 1, "the number of mines is missing: give it, or begin with a line WIDTHxHEIGHT/MINES"),
        ("3x1\n###", None, 1, 1, "the number of mines is missing: give it, or begin with a line 3x1/MINES"),
        ("3x1/1\n###", 2, 1, 1, "the first line says 1 mine, but 2 were asked for"),
        ("3x2/1\n###", None, 1, 1, "the first line says 3x2, but 3x1 follow"),
        ("\n3x1/4\n###", None, 2, 1, "4 mines do not fit 3x1 cells: 0 to 3 are possible"),
        ("###", 4, 1, 1, "4 mines do not fit 3x1 cells"),
        ("###\n#z#", 1, 2, 2, "'z' is not a tile; tiles are . 1 2 3 4 5 6 7 8 # F ? * X !, and 0 _ - are read too"),
        ("3x2/1\n###\n##9", None, 3, 3, "'9' is not a tile"),
        ("###\n##", 1, 2, 3, "this row has 2 cells, the first has 3"),
        ("##\n\n##", 1, 2, 1, "an empty line inside the board"),
        ("##\n###", 1, 2, 3, "this row has 3 cells, the first has 2"),
        (" ##", 1, 1, 1, "' ' is not a tile"),
        ("٣x1/1\n###", 1, 1, 1, "a first line is WIDTHxHEIGHT/MINES, numbers of at most nine digits, not '٣x1/1'"),
        ("12345678901x3/4\n###", None, 1, 1, "a first line is WIDTHxHEIGHT/MINES, numbers of at most nine digits"),
        ("\n3x1/\n###", 1, 2, 1, "a first line is WIDTHxHEIGHT/MINES, numbers of at most nine digits, not '3x1/'"),
        ("x#", 1, 1, 1, "'x' is not a tile"),
        ("\n\n#f", 1, 3, 2, "'f' is not a tile"),
    ],
)
def test_text_that_is_no_board(text: str, mines: int | None, line: int, column: int, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_board(text, mine_count=mines, source="b.txt")
    error = caught.value
    assert (error.source, error.line, error.column) == ("b.txt", line, column)
    assert error.message.startswith(message)
    assert str(error).startswith(f"b.txt:{line}:{column}: {message}")


@given(st.one_of(st.text(), st.text(alphabet=SYMBOLS + "x/0_- \n\r\t"), st.from_regex(r"\d\d?x\d\d?/\d+\n[#F.1\n]*")))
def test_any_text_is_a_board_or_a_named_error(text: str) -> None:
    for mines in (None, 1):
        result = outcome(partial(read_board, text, mine_count=mines))
        if isinstance(result, Board):
            assert read_board(write_board(result)) == result
        else:
            assert isinstance(result, NotationError)
            assert 1 <= result.line <= len(text.splitlines()) + 1
            assert "\n" not in str(result)


def test_read_tiles_says_the_column() -> None:
    with pytest.raises(NotationError, match="<text>:1:3: 'k' is not a tile"):
        read_tiles("..k.")


def test_a_first_line_may_have_the_size_alone() -> None:
    assert read_board("3x1\n1##", mine_count=1) == read_board("3x1/1\n1##")


@given(board=boards())
def test_the_text_of_a_board_can_be_read_back(board: Board) -> None:
    text = str(board)
    assert text.count("\n") == board.grid.height - 1
    assert read_board(text, mine_count=board.mine_count, rules=board.rules).tiles == board.tiles
