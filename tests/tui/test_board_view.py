"""Where the cursor goes."""

import pytest

from sapper.core.notation import read_board
from sapper.tui.board_view import found, is_unfinished, moved

BOARD = read_board("5x4/4\n#####\n#212F\n#1.11\n11...\n")


@pytest.mark.parametrize(
    ("motion", "count", "to"),
    [
        ("left", None, (1, 2)), ("left", 9, (0, 2)), ("right", 2, (4, 2)), ("up", None, (2, 1)), ("down", 40, (2, 3)),
        ("row_start", None, (0, 2)), ("row_end", None, (4, 2)), ("top", None, (2, 0)), ("top", 3, (2, 2)),
        ("bottom", None, (2, 3)), ("bottom", 2, (2, 1)), ("bottom", 99, (2, 3)),
    ],
)  # fmt: skip
def test_motions_stay_on_the_board(motion: str, count: int | None, to: tuple[int, int]) -> None:
    cell = moved(BOARD, BOARD.grid.cell(2, 2), motion, count)
    assert cell is not None
    assert BOARD.grid.xy(cell) == to


def test_what_is_no_motion() -> None:
    assert moved(BOARD, 0, "reveal") is None


def test_clues_that_are_not_finished_are_gone_round() -> None:
    unfinished = [cell for cell in range(BOARD.grid.size) if is_unfinished(BOARD, cell)]
    assert [BOARD.grid.xy(cell) for cell in unfinished] == [(1, 1), (2, 1), (3, 1), (1, 2), (0, 3), (1, 3)]
    seen, at = [], 0
    for _ in unfinished:
        cell = moved(BOARD, at, "next_clue")
        assert cell is not None
        at = cell
        seen.append(at)
    assert seen == unfinished
    assert moved(BOARD, unfinished[0], "previous_clue") == unfinished[-1]
    assert moved(BOARD, unfinished[0], "next_clue", 3) == unfinished[3]
    assert moved(read_board("2x1/1\n1F\n"), 0, "next_clue") is None


def test_a_tile_is_searched_for() -> None:
    assert found(BOARD, 0, "2") == BOARD.grid.cell(1, 1)
    assert found(BOARD, 0, "2", 2) == BOARD.grid.cell(3, 1)
    assert found(BOARD, 0, "f") == BOARD.grid.cell(4, 1)
    assert found(BOARD, 19, "#") == 0
    assert found(BOARD, 0, "8") is None
    assert found(BOARD, 0, "~") is None
