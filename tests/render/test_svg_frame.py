"""Around the cells of a picture: frame, counter, face, the numbers of columns and rows."""

import pytest

from sapper.core.board import Board
from sapper.core.grid import Grid
from sapper.core.notation import read_board
from sapper.core.rules import RULES
from sapper.core.status import Status
from sapper.render.picture_palette import CLASSIC
from sapper.render.svg import svg
from tests.pictures import NS, labels_of, parsed_of

EVERY_TILE = read_board("9x3/9\n12345678.\n.#F?*X!##\n#########\n")
HINT = read_board("3x2/2\n121\n###\n")


def test_it_is_as_large_as_wanted() -> None:
    root = parsed_of(svg(EVERY_TILE, cell_size=20, header=False, coordinates=False))
    assert root.attrib["viewBox"] == "0 0 10 4"
    assert (root.attrib["width"], root.attrib["height"]) == ("200", "80")
    root = parsed_of(svg(EVERY_TILE, cell_size=20))
    assert root.attrib["viewBox"] == "0 0 10.5 6.75"


def test_a_narrow_board_is_in_the_middle_below_the_counter_and_the_face() -> None:
    narrow = parsed_of(svg(HINT))
    assert narrow.attrib["viewBox"].split()[2] == "6.5"
    assert any(group.get("transform") == "translate(2 3.25)" for group in narrow.iter(f"{NS}g"))
    assert parsed_of(svg(HINT, header=False)).attrib["viewBox"].split()[2] == "4.5"


def test_columns_and_rows_are_numbered_where_wanted() -> None:
    columns, rows = {(x, -1): str(x) for x in range(9)}, {(-1, y): str(y) for y in range(3)}
    assert labels_of(svg(EVERY_TILE)) == columns | rows
    assert labels_of(svg(EVERY_TILE, coordinates=False)) == {}


def test_of_a_very_wide_board_not_every_column_is_numbered() -> None:
    labels = labels_of(svg(Board.new(Grid(1001, 1), RULES["modern"], 5)))
    assert sorted(x for x, _ in labels) == [-1, *range(0, 1001, 5)]


@pytest.mark.parametrize(
    ("text", "face"), [("##1\n", "playing"), ("X1\n", "lost"), ("1#1\n", "won"), ("##\n", "ready")]
)
def test_the_face_tells_how_the_game_is(text: str, face: str) -> None:
    board = read_board(text, mine_count=1)
    assert board.status.value == face
    faces = {status: svg(_with(board, status)) for status in Status}
    same = {status for status, picture in faces.items() if _face(picture) == _face(svg(board))}
    usual = {Status.READY, Status.PLAYING, Status.TERMINATED}
    assert same == (usual if board.status in usual else {board.status})


def _with(board: Board, status: Status) -> Board:
    return Board(grid=board.grid, rules=board.rules, mine_count=board.mine_count, tiles=board.tiles, status=status)


def _face(picture: str) -> str:
    return picture.partition('<circle cx="12" cy="12"')[2].partition("\n")[0]


@pytest.mark.parametrize(("flags", "signs"), [(0, 3), (1, 3), (4, 3)])
def test_the_counter_counts_mines_without_a_flag(flags: int, signs: int) -> None:
    picture = svg(read_board("F" * flags + "#" * (9 - flags) + "\n", mine_count=2))
    assert picture.count(f'fill="{CLASSIC.counter}"') == signs
    others = {svg(read_board("F" * n + "#" * (9 - n) + "\n", mine_count=2)) for n in range(5)}
    assert len({_counter(other) for other in others}) == 5


def _counter(picture: str) -> str:
    return "".join(line for line in picture.splitlines() if CLASSIC.counter in line)
