"""Updates: sorted runs of changed cells."""

import pytest

from sapper.core.cells import Cell
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.core.update import Update
from sapper.errors import InvalidValueError

UPDATE = Update(((Cell(2), b"\x00\x01"), (Cell(7), b"\x0a")), Status.PLAYING)


def test_its_cells_in_order() -> None:
    assert list(UPDATE.cells()) == [(2, Tile.ZERO), (3, Tile.ONE), (7, Tile.FLAGGED)]
    assert len(UPDATE) == 3
    assert not UPDATE.is_empty


def test_an_update_of_nothing_is_still_one() -> None:
    nothing = Update.nothing(Status.WON)
    assert (nothing.is_empty, len(nothing), list(nothing.cells()), nothing.status) == (True, 0, [], Status.WON)
    assert bool(nothing)


@pytest.mark.parametrize(
    "runs",
    [
        ((Cell(-1), b"\x00"),),
        ((Cell(3), b""),),
        ((Cell(3), b"\x00"), (Cell(2), b"\x00")),
        ((Cell(3), b"\x00\x00"), (Cell(4), b"\x00")),
    ],
)
def test_runs_are_sorted_apart_and_not_empty(runs: tuple[tuple[Cell, bytes], ...]) -> None:
    with pytest.raises(InvalidValueError, match="sorted, apart and not empty; the one at"):
        Update(runs, Status.PLAYING)
