"""The exact analysis against boards with known answers, every layout of small boards, and itself."""

from math import comb

import pytest

from sapper._kernels.reference.analysis import INTERIOR, Analysed, analyse_plane, analyse_table
from sapper.core.grid import PLANE, Grid
from sapper.core.rng import Rng
from sapper.errors import ContradictionError, TooHardError
from tests.census import CENSUS_FILES, layouts_of, positions, some_board


def _numerators(found: Analysed) -> dict[int, int]:
    """For each covered cell, the layouts in which it is a mine."""
    numerators = dict.fromkeys(found.safe, 0) | dict.fromkeys(found.mined, found.census)
    for group in found.groups:
        for cell in group.cells:
            assert numerators.setdefault(cell, group.numerator) == group.numerator
    return numerators


def _analyse(tiles: bytes, grid: Grid, mine_count: int, trust_flags: bool = False) -> Analysed:
    """The analysis over the neighbour table; on a rectangle it must be that of the rectangle."""
    found = analyse_table(tiles, *grid.table, mine_count, trust_flags)
    if grid.is_plane:
        plane = analyse_plane(tiles, grid.width, grid.height, mine_count, trust_flags)
        assert (plane.census, plane.safe, plane.mined) == (found.census, found.safe, found.mined)
        assert _numerators(plane) == _numerators(found)
    return found


@pytest.mark.parametrize("file", CENSUS_FILES)
def test_census_files(file: str) -> None:
    for position in positions(file):
        found = analyse_plane(position.tiles, position.width, position.height, position.mines)
        assert found.census == position.census, position.name
        assert found.safe == position.safe, position.name
        assert found.mined == position.mined, position.name
        chances = {cell: count / found.census for cell, count in _numerators(found).items()}
        assert chances == position.chances, position.name


@pytest.mark.parametrize("trust_flags", [False, True])
@pytest.mark.parametrize("seeds", [range(start, start + 40) for start in range(0, 160, 40)], ids=str)
def test_every_layout_of_small_boards(seeds: range, trust_flags: bool) -> None:
    for seed in seeds:
        tiles, grid, mines = some_board(seed)
        layouts = layouts_of(tiles, grid, mines, trust_flags=trust_flags)
        if not layouts:  # a trusted flag may be wrong
            with pytest.raises(ContradictionError):
                _analyse(tiles, grid, mines, trust_flags)
            continue
        found = _analyse(tiles, grid, mines, trust_flags)
        assert found.census == len(layouts), seed
        known = {cell for cell, tile in enumerate(tiles) if trust_flags and tile == 10}
        covered = [cell for cell, tile in enumerate(tiles) if tile in (9, 10, 11)]
        numerators = {cell: sum(cell in layout or cell in known for layout in layouts) for cell in covered}
        assert _numerators(found) == numerators, seed


def _check_parts(found: Analysed, position: str) -> None:
    """The components and the interior, joined anew, give the whole."""
    together = {0: 1}
    for component in found.components:
        joined: dict[int, int] = {}
        for used, ways in together.items():
            for above, more in enumerate(component.ways):
                mines = used + component.least + above
                joined[mines] = joined.get(mines, 0) + ways * more
        together = joined
    interior = sum(len(group.cells) for group in found.groups if group.component == INTERIOR)
    census = sum(
        ways * comb(interior, found.mines_left - used) for used, ways in together.items() if used <= found.mines_left
    )
    assert census == found.census, position
    for component in found.components:
        groups = [found.groups[group] for group in component.groups]
        for above, ways in enumerate(component.ways):
            hits = [hit[above] if above < len(hit) else 0 for hit in component.hits]
            mined = sum(len(group.cells) * hit for group, hit in zip(groups, hits, strict=True))
            assert mined == ways * (component.least + above), position
            for clue, need in zip(component.clues, component.needs, strict=True):
                beside = [len(g.cells) * hit for g, hit in zip(groups, hits, strict=True) if clue in g.clues]
                assert sum(beside) == need * ways, position


@pytest.mark.parametrize("file", ["intermediate", "hard-50x50-550", "scatter-30x24", "lattice-6"])
def test_components_joined_are_the_whole(file: str) -> None:
    for position in positions(file):
        found = analyse_plane(position.tiles, position.width, position.height, position.mines)
        _check_parts(found, position.name)
        expected = sum(_numerators(found).values())
        assert expected == found.census * position.mines, "the chances add up to the number of mines"
        in_groups = [cell for group in found.groups for cell in group.cells]
        assert len(set(in_groups)) == len(in_groups)
        assert {*in_groups, *found.safe, *found.mined} == set(position.chances)


def test_many_equal_components() -> None:
    """A pair of clues has its mine in the middle, or two at the ends; 40 such pairs, in 200 cells."""
    found = analyse_plane(bytes([9, 1, 9, 1, 9, 14] * 40), 240, 1, 60)
    assert found.census == comb(40, 20)
    assert {component.ways for component in found.components} == {(1, 1)}
    assert len(found.components) == 40
    for group in found.groups:
        assert group.numerator == (comb(39, 20) if len(group.clues) == 2 else comb(39, 19))


def test_a_cap_that_is_just_enough() -> None:
    position = positions("scatter-30x24")[0]
    shape = (position.width, position.height, position.mines)
    states = analyse_plane(position.tiles, *shape).states
    assert analyse_plane(position.tiles, *shape, cap=states).census == position.census
    with pytest.raises(TooHardError):
        analyse_plane(position.tiles, *shape, cap=states - 1)


def test_a_very_large_board_needs_no_recursion() -> None:
    """One component of 2,000 clues in a row."""
    tiles = bytes([9] * 2000 + [14] + [1] * 1998 + [14])
    found = analyse_plane(tiles, 2000, 2, 666)
    assert len(found.components) == 1
    assert found.census == 1
    assert len(found.mined) == 666


@pytest.mark.parametrize(
    ("tiles", "width", "height", "words"),
    [
        (b"", 0, 0, "0x0"),
        (bytes(5), 2, 3, "5 tiles for 6 cells"),
        (bytes([9, 15]), 2, 1, "tile code 15"),
        (bytes(6), -2, -3, "-2x-3"),
    ],
)
def test_what_is_no_board(tiles: bytes, width: int, height: int, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        analyse_plane(tiles, width, height, 1)


def test_what_is_no_board_over_a_table() -> None:
    with pytest.raises(ValueError, match="2 tiles for 3 cells"):
        analyse_table(bytes(2), [0, 0, 0, 0], [], 1)


def test_any_tiles_give_a_value_or_a_documented_error() -> None:
    rng = Rng(7)
    values = 0
    for _ in range(1500):
        grid = Grid(1 + rng.below(8), 1 + rng.below(8), PLANE)
        codes = (bytes(range(15)), bytes([9, 9, 9, 0, 1, 1, 2]), bytes([9, 9, 9, 9, 9, 1, 2, 3]))[rng.below(3)]
        tiles = bytes(codes[rng.below(len(codes))] for _ in range(grid.size))
        mines = rng.below(grid.size + 4) - 1
        trust_flags = rng.below(2) == 1
        caught: ContradictionError | TooHardError | None = None
        try:
            found = analyse_plane(tiles, grid.width, grid.height, mines, trust_flags, 2000)
        except (ContradictionError, TooHardError) as error:
            caught = error
        else:
            values += 1
            assert found.census > 0
        if isinstance(caught, ContradictionError):
            assert caught.mine_count or caught.clues
        elif caught is not None:
            assert caught.cap == 2000
    assert values > 30
