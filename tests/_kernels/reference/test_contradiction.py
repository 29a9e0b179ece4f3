"""Contradictions: the clues named really contradict each other, and none of them is superfluous."""

import contextlib

import pytest

from sapper._kernels.reference import contradiction
from sapper._kernels.reference.analysis import analyse_plane, analyse_table
from sapper._kernels.reference.scan import constraints_of, open_cells
from sapper.core.grid import Grid
from sapper.core.rng import Rng
from sapper.errors import ContradictionError
from tests.census import layouts_of, positions, tiles_of


def _contradiction(tiles: bytes, grid: Grid, mine_count: int) -> ContradictionError:
    with pytest.raises(ContradictionError) as caught:
        analyse_table(tiles, *grid.table, mine_count)
    return caught.value


@pytest.mark.parametrize(
    ("rows", "mines", "clues", "mine_count", "words"),
    [
        (["3#", "00"], 1, (0,), False, "needs 3 more mines, and has 1"),
        (["##"], 3, (), True, "3 mines cannot be in 2 covered cells"),
        (["##"], -1, (), True, "more mines are known"),
        (["0#2", "###"], 1, (0, 2), False, "clues at cells 0, 2"),
        (["#1##1#"], 1, (1, 4), True, "with 1 mine in 4 covered cells"),
    ],
)
def test_contradictions_in_words(
    rows: list[str], mines: int, clues: tuple[int, ...], mine_count: bool, words: str
) -> None:
    with pytest.raises(ContradictionError, match=words) as caught:
        analyse_plane(tiles_of(rows), len(rows[0]), len(rows), mines)
    assert (caught.value.clues, caught.value.mine_count) == (clues, mine_count)


def test_a_wrong_clue_on_a_large_board_is_found_near_it() -> None:
    """Each board has one clue changed; what is named is few clues, one of them within reach of it."""
    rng = Rng(1)
    named = []
    for position in positions("hard-50x50-500"):
        for _ in range(3):
            tiles = bytearray(position.tiles)
            cell = rng.choice([cell for cell, tile in enumerate(tiles) if 1 <= tile <= 7])
            tiles[cell] += 1
            with contextlib.suppress(ContradictionError):
                analyse_plane(bytes(tiles), position.width, position.height, position.mines)
                continue  # the other clues leave room for it
            error = _contradiction(bytes(tiles), position.grid, position.mines)
            assert not error.mine_count
            assert cell in error.clues
            named.append(len(error.clues))
    assert len(named) > 5
    assert max(named) < 30


def test_a_wrong_count_on_a_board_of_many_components() -> None:
    position = positions("expert-stuck")[0]
    with pytest.raises(ContradictionError) as caught:
        analyse_plane(position.tiles, position.width, position.height, 3)
    assert caught.value.mine_count
    only = bytes(tile if cell in caught.value.clues or tile == 9 else 14 for cell, tile in enumerate(position.tiles))
    with pytest.raises(ContradictionError):
        analyse_plane(only, position.width, position.height, 3)


def test_a_search_that_is_cut_short_still_names_a_contradiction(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contradiction, "_MOST_WORK", 0)
    tiles = tiles_of(["1#0#4#1", "#######"])
    error = _contradiction(tiles, Grid(7, 2), 3)
    assert layouts_of(tiles, Grid(7, 2), None, clues=error.clues) == []


def test_a_long_contradiction_is_cut_short_in_words_only() -> None:
    """Twelve clues, each with cells of its own, need twelve mines."""
    with pytest.raises(
        ContradictionError, match=r"cells 1, 5, 9, 13, 17, 21, 25, 29 and 4 more with 11 mines"
    ) as caught:
        analyse_plane(bytes([9, 1, 9, 14] * 12), 48, 1, 11)
    assert caught.value.clues == tuple(range(1, 48, 4))


def test_what_is_too_hard_to_count_is_taken_to_fit() -> None:
    """With a cap of 10 states nothing can be said of parts of a lattice: all of it is named."""
    lattice = positions("lattice-5")[0]
    constraints = constraints_of(lattice.tiles, *lattice.grid.table, False)
    found = contradiction.contradiction_of(constraints, open_cells(lattice.tiles, False), lattice.mines, 10)
    assert found.mine_count
    assert set(found.clues) == {constraint.clue for constraint in constraints}
