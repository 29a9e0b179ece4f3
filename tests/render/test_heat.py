"""Heat maps: legible without colour, coloured where that is wanted, no wider than the terminal."""

import re
from dataclasses import replace

import pytest

from sapper.core.cells import Cell
from sapper.core.coordinates import column_name
from sapper.core.notation import read_board
from sapper.render.heat import Heat, heat_map, legend

BOARD = read_board("3x2/2\n121\n###\n")
CERTAIN = Heat(board=BOARD, chances={}, safe={Cell(4)}, mined={Cell(3), Cell(5)}, best=Cell(4))


def _strip(text: str) -> str:
    return re.sub(r"\x1b\[[\d;]*m", "", text)


def _heat(text: str, chances: dict[int, float], *, best: int | None = None, colours: int = 0) -> Heat:
    known = {Cell(cell): chance for cell, chance in chances.items()}
    return Heat(
        board=read_board(text, mine_count=1), chances=known, best=None if best is None else Cell(best), colours=colours
    )


def test_the_wide_form() -> None:
    assert heat_map(CERTAIN) == "   a  b  c\n1  1  2  1\n2  *[ok] *\n"
    assert legend(CERTAIN) == "ok safe · * mine · 1-99 chance of a mine in % · [ ] best"


@pytest.mark.parametrize(
    ("chance", "shown"), [(1e-300, " 1"), (0.004, " 1"), (0.124, "12"), (0.5, "50"), (0.996, "99"), (1 - 1e-16, "99")]
)
def test_a_chance_never_looks_certain(chance: float, shown: str) -> None:
    assert heat_map(_heat("1#", {1: chance})).splitlines()[1] == f"1  1 {shown}"


@pytest.mark.parametrize(("chance", "letter"), [(0.0, "a"), (0.0999, "a"), (0.1, "b"), (0.95, "j"), (1.0, "j")])
def test_the_narrow_form_has_a_letter_for_a_tenth(chance: float, letter: str) -> None:
    heat = _heat("1#F?.*!", {1: chance})
    assert heat_map(heat, width=9) == f"  a\n1 1{letter}F?.*!\n"


def test_the_narrow_form() -> None:
    assert heat_map(CERTAIN, width=8) == "  a\n1 121\n2 *+*\n"
    assert legend(CERTAIN, width=8) == "+ safe · * mine · a-j under 10 % to over 90 % likely a mine"


def test_a_board_that_is_wider_still_is_cut() -> None:
    heat = _heat("1234567812345678#.", {16: 0.55})
    assert heat_map(heat, width=14) == "  a         k\n1 123456781234\n\n\n1 5678f.\n"
    assert heat_map(heat, width=1).count("\n\n") >= 17  # not even that: a column at a time


def test_what_is_not_known_is_drawn_as_the_board_has_it() -> None:
    heat = _heat("#F?*!.\n1X8##2", {})
    assert heat_map(heat) == "   a  b  c  d  e  f\n1  #  F  ?  *  !  .\n2  1  X  8  #  #  2\n"


def test_coordinates_of_wide_boards() -> None:
    for width, every in ((130, 1), (710, 5)):
        board = read_board("#" * width, mine_count=1)
        header = heat_map(Heat(board=board, chances={})).splitlines()[0]
        assert [(match[0], match.end()) for match in re.finditer(r"[a-z]+", header)] == [
            (column_name(x), 4 + 3 * x) for x in range(0, width, every)
        ]  # at the end of each column


@pytest.mark.parametrize("colours", [8, 256])
@pytest.mark.parametrize("width", [None, 8])
def test_colours_only_repeat_what_is_written(colours: int, width: int | None) -> None:
    painted = heat_map(replace(CERTAIN, colours=colours), width=width)
    assert painted != heat_map(CERTAIN, width=width)
    assert _strip(painted) == heat_map(CERTAIN, width=width)


def test_eight_colours_are_enough_where_there_are_no_more() -> None:
    heat = _heat("1###", {1: 0.1, 2: 0.3, 3: 0.7}, best=1, colours=8)
    codes = re.findall(r"\x1b\[([\d;]+)m", heat_map(heat))
    assert codes == ["1;30;42", "30;43", "37;41"]
    assert len(set(re.findall(r"\x1b\[([\d;]+)m", heat_map(_heat("1###", {1: 0.1, 2: 0.3, 3: 0.7}, colours=256))))) == 3
