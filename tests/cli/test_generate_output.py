"""How `sapper generate` prints a layout."""

import pytest

from sapper.cli.generate_output import FORMATS, Generated, board_data
from sapper.core.cells import Cell, CellSet
from sapper.core.grid import Grid
from sapper.core.rules import RULES
from sapper.game.layout import Layout
from sapper.generator.board_list import read_board_list
from sapper.generator.game_code import CodedGame, game_of_code
from sapper.generator.mbf import read_mbf
from sapper.generator.no_guess.prove import prove
from sapper.generator.search_values import GeneratedLayout

LAYOUT = Layout(Grid(4, 3), CellSet.of([3, 8]))
MADE = Generated(
    found=GeneratedLayout(layout=LAYOUT, first=Cell(0), certificate=prove(LAYOUT, 0), tries=3),
    game=CodedGame(rules=RULES["modern"], grid=LAYOUT.grid, mine_count=2, first=Cell(0), seed=7),
)


@pytest.mark.parametrize(("name", "text"), [("text", "4x3/2\n..1*\n1111\n*1..\n"), ("list", "4 3 2 3,8 0\n")])
def test_formats(name: str, text: str) -> None:
    assert FORMATS[name].write(MADE) == text


def _text(name: str) -> str:
    written = FORMATS[name].write(MADE)
    assert isinstance(written, str)
    return written


def test_what_is_printed_can_be_read() -> None:
    (listed,) = read_board_list(_text("list"))
    assert listed == (LAYOUT, 0)
    assert game_of_code(_text("code")) == MADE.game
    assert game_of_code(_text("layout-code")).layout == LAYOUT
    mbf = FORMATS["mbf"].write(MADE)
    assert isinstance(mbf, bytes)
    assert read_mbf(mbf) == LAYOUT


def test_json() -> None:
    data = board_data(MADE, with_proof=False)
    assert (data["mines"], data["first"], data["3bv"], data["openings"], data["tries"]) == ([3, 8], (0, 0), 2, 2, 3)
    assert "proof" not in data
    assert data["no_guess"] == {
        "difficulty": "medium",
        "hardest": "overlap",
        "mine_count": False,
        "steps": {"overlap": 1},
    }
    assert board_data(MADE, with_proof=True)["proof"]["first"] == 0
