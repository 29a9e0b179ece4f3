"""A board as SVG: what is in the picture is what is on the board, and it is a document that everybody can read."""

import pytest
from hypothesis import given

from sapper.core.board import Board
from sapper.core.grid import TORUS, Grid
from sapper.core.notation import read_board
from sapper.core.rules import RULES
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.errors import CellError, InvalidValueError
from sapper.render.picture_palette import CLASSIC, CLEAR
from sapper.render.svg import Overlay, ShownStep, svg
from tests.pictures import NS, labels_of, parsed_of, tips_of, uses_of
from tests.strategies import boards

EVERY_TILE = read_board("9x3/9\n12345678.\n.#F?*X!##\n#########\n")
HINT = read_board("3x2/2\n121\n###\n")


def _name(tile: Tile) -> list[str]:
    if tile is Tile.ZERO:
        return []
    return [f"n{int(tile)}" if tile.is_clue else tile.name.lower()]


@given(boards())
def test_each_cell_shows_its_tile(board: Board) -> None:
    uses = uses_of(svg(board))
    for cell in range(board.grid.size):
        assert uses.get(board.grid.xy(cell), []) == _name(board.tile(cell))


def test_who_cannot_see_it_is_told_what_it_is() -> None:
    root = parsed_of(svg(EVERY_TILE))
    assert root.attrib["role"] == "img"
    assert [child.tag for child in root][:2] == [f"{NS}title", f"{NS}desc"]
    assert root.findtext(f"{NS}title") == "Minesweeper, 9 × 3, 9 mines"
    assert root.findtext(f"{NS}desc") == "14 of 27 cells are covered, 1 of them flagged; the game is lost."


# --- what is laid over --------------------------------------------------------------------------------


def test_chances_are_written_in_percent() -> None:
    text = svg(HINT, heat={3: 0.5, 4: 0.1238, 5: 1e-9})
    assert [uses_of(text)[x, 1] for x in range(3)] == [["p50"], ["p12"], ["p1"]]
    assert tips_of(text) == {(0, 1): "a2 mine: 50.0 %", (1, 1): "b2 mine: 12.4 %", (2, 1): "c2 mine: under 0.1 %"}
    assert "chance of a mine in percent" in text


@pytest.mark.parametrize(("chance", "shown"), [(0.0, "p1"), (1.0, "p99"), (0.999999, "p99"), (0.004, "p1")])
def test_what_is_not_certain_does_not_look_certain(chance: float, shown: str) -> None:
    assert uses_of(svg(HINT, heat={3: chance}))[0, 1] == [shown]


def test_what_is_certain_has_a_sign() -> None:
    text = svg(HINT, heat={3: 1.0, 4: 0.0, 5: 1.0}, safe=[4], mined=[3, 5])
    assert [uses_of(text)[x, 1] for x in range(3)] == [["mined"], ["safe"], ["mined"]]
    assert tips_of(text)[1, 1] == "b2 safe"
    assert "Safe: b2. Mines: a2 and c2." in text


def test_a_flag_is_still_seen_below_a_chance() -> None:
    uses = uses_of(svg(read_board("F?1#\n", mine_count=1), heat={0: 0.25, 1: 0.25, 3: 0.5}))
    assert uses[0, 0] == ["p25", "small-flagged"]
    assert uses[1, 0] == ["p25", "small-question"]
    assert uses[3, 0] == ["p50"]


def test_cells_that_are_shown_keep_their_look() -> None:
    every = dict.fromkeys(range(EVERY_TILE.grid.size), 0.5)
    uses = uses_of(svg(EVERY_TILE, heat=every))
    assert uses[0, 0] == ["n1"]
    assert (uses[4, 1], uses[5, 1]) == (["mine"], ["exploded"])
    assert uses[6, 1] == ["p50", "small-wrong_flag"]


def test_one_step_has_signs() -> None:
    uses = uses_of(svg(HINT, steps=[ShownStep(clues=(0, 1, 2), safe=(4,), mined=(3, 5))]))
    assert uses[1, 1] == ["safe"]
    assert uses[0, 1] == uses[2, 1] == ["mined"]
    assert [uses[x, 0] for x in range(3)] == [["n1", "read"], ["n2", "read"], ["n1", "read"]]


def test_several_steps_have_numbers() -> None:
    board = read_board("5x1/2\n#2#1#\n")
    text = svg(board, steps=[ShownStep(clues=(1,), mined=(0, 2)), ShownStep(clues=(3,), safe=(4,))])
    uses = uses_of(text)
    assert (uses[0, 0], uses[2, 0], uses[4, 0]) == (["mined1"], ["mined1"], ["safe2"])
    assert tips_of(text)[4, 0] == "e1 step 2: safe"


def test_a_cell_has_the_number_of_the_step_that_settled_it() -> None:
    uses = uses_of(svg(HINT, steps=[ShownStep(safe=(4,)), ShownStep(safe=(4, 5))]))
    assert (uses[1, 1], uses[2, 1]) == (["safe1"], ["safe2"])


def test_marks_say_what_a_caller_likes() -> None:
    text = svg(HINT, overlays={3: Overlay.MINE, 4: Overlay.SAFE, 5: Overlay.BEST, 0: Overlay.READ}, last_move=1)
    uses = uses_of(text)
    assert uses == {
        (0, 0): ["n1", "read"],
        (1, 0): ["n2", "last"],
        (2, 0): ["n1"],
        (0, 1): ["mined"],
        (1, 1): ["safe"],
        (2, 1): ["covered", "best"],
    }
    assert "Best: c2." in text


def test_many_cells_are_not_all_listed() -> None:
    board = Board.new(Grid(30, 1), RULES["modern"], 3)
    described = parsed_of(svg(board, safe=range(30))).findtext(f"{NS}desc")
    assert described is not None
    assert "s1 and 11 more." in described


@pytest.mark.parametrize(
    "overlay", [{"heat": {6: 0.5}}, {"safe": [-1]}, {"mined": [6]}, {"overlays": {9: Overlay.BEST}}, {"last_move": 6}]
)
def test_cells_must_be_on_the_board(overlay: dict[str, object]) -> None:
    with pytest.raises(CellError):
        svg(HINT, **overlay)  # type: ignore[arg-type]  # one of several


@pytest.mark.parametrize("chance", [-0.1, 1.1, float("nan"), float("inf")])
def test_a_chance_is_from_0_to_1(chance: float) -> None:
    with pytest.raises(InvalidValueError, match="a chance is from 0 to 1, not"):
        svg(HINT, heat={3: chance})


@pytest.mark.parametrize("size", [0, -5, 1001, float("nan")])
def test_a_cell_has_a_size(size: float) -> None:
    with pytest.raises(InvalidValueError, match="a cell is 1 to 1000 pixels wide, not"):
        svg(HINT, cell_size=size)


def test_a_guess_is_marked_as_best() -> None:
    assert uses_of(svg(HINT, steps=[ShownStep(best=4)]))[1, 1] == ["covered", "best"]


def test_any_topology_is_drawn_flat() -> None:
    plane, torus = (Board.new(grid, RULES["modern"], 2) for grid in (Grid(4, 3), Grid(4, 3, TORUS)))
    assert svg(plane) == svg(torus)


def test_a_picture_is_small() -> None:
    expert = Board.new(Grid(30, 16), RULES["modern"], 99)
    assert len(svg(expert)) < 32_000
    assert len(svg(expert, palette=CLEAR, heat=dict.fromkeys(range(480), 99 / 480))) < 50_000


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
