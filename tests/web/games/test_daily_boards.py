"""The boards of many days: each is certified, its proof holds, and none is another turned or mirrored."""

import json
from collections.abc import Iterator
from datetime import date, timedelta

from sapper.core.cells import CellSet
from sapper.core.grid import Grid
from sapper.generator.game_code import game_of_code
from sapper.generator.no_guess.certificate import read_certificate
from sapper.generator.no_guess.verify import verify_certificate
from sapper.store.daily import BOTS, PEOPLE, SIZES, BoardName
from sapper.web.games.social.making import make_board
from tests.sizes import sized

SECRET = "5a" * 32


def _images(grid: Grid, mines: CellSet) -> Iterator[int]:
    """A layout turned and mirrored in all ways that leave its size."""
    width, height = grid.width - 1, grid.height - 1
    places = [grid.xy(cell) for cell in mines]
    for turned in (False, True) if width == height else (False,):
        for right in (False, True):
            for up in (False, True):
                moved = [(width - x if right else x, height - y if up else y) for x, y in places]
                yield sum(1 << grid.cell(*((y, x) if turned else (x, y))) for x, y in moved)


def test_boards_of_a_year() -> None:
    seen: dict[tuple[str, int], BoardName] = {}
    for number in range(sized(12, 365)):
        day = (date(2026, 1, 1) + timedelta(days=number)).isoformat()
        for name in (BoardName(day=day, size=size, audience=who) for size in SIZES for who in (PEOPLE, BOTS)):
            board = make_board(SECRET, name)
            coded = game_of_code(board.code)
            assert coded.layout is not None
            assert coded.first is not None
            assert coded.layout.clue(coded.first) == 0
            certificate = read_certificate(json.loads(board.proof))
            assert verify_certificate(coded.layout, coded.first, certificate)
            assert certificate.difficulty == board.difficulty
            image = min(_images(coded.grid, coded.layout.mines))
            assert seen.setdefault((name.size, image), name) == name


def test_a_board_is_its_secret_s() -> None:
    name = BoardName(day="2026-11-29", size="expert")
    assert make_board(SECRET, name) == make_board(SECRET, name)
    assert make_board(SECRET, name).code != make_board("5b" * 32, name).code


def test_images_of_a_layout() -> None:
    grid = Grid(3, 3)
    assert len(set(_images(grid, CellSet.of(map(grid.check, (0, 1)))))) == 8
    assert len(set(_images(Grid(3, 2), CellSet.of(map(grid.check, (0, 1)))))) == 4
