"""The native analysis against boards with known answers, all layouts of small boards, exact fractions, and itself."""

import math
import threading
from array import array
from fractions import Fraction
from math import comb
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from sapper._kernels.chances import Chances
from sapper._kernels.native.analysis import Analyser, Neighbours, analyse_many, analyse_one, smallest_region
from sapper._kernels.reference.analysis import DEFAULT_CAP, analyse_plane, analyse_table
from sapper._kernels.reference.layouts import regions_of
from sapper.core.grid import PLANE, TORUS, Grid
from sapper.core.rng import Rng
from sapper.errors import ContradictionError, TooHardError
from tests.census import CENSUS_FILES, layouts_of, positions, some_board, tiles_of

EXACT = 1e-12  # relative error
SAFE, MINED = 1, 2
OK, CONTRADICTION, CAPPED, GIVEN_UP = range(4)


class Row(NamedTuple):
    """What was found of one board, in arrays."""

    status: int
    chances: NDArray[np.float64]
    marks: NDArray[np.uint8]
    lowest: int
    log_census: float
    interior: float


def _row(found: Chances | None, size: int) -> Row:
    if found is None or found.fault is not None:
        faults = {ContradictionError: CONTRADICTION, TooHardError: CAPPED}
        status = GIVEN_UP if found is None or found.fault is None else faults[found.fault]
        return Row(status, np.full(size, np.nan), np.zeros(size, np.uint8), -1, math.nan, math.nan)
    marks = [(found.safe >> cell & 1) * SAFE + (found.mined >> cell & 1) * MINED for cell in range(size)]
    return Row(OK, np.array(found.chances), np.array(marks, np.uint8), found.lowest, found.census_log10, found.inside)


def analyse(
    tiles: bytes,
    width: int,
    height: int,
    mine_count: int,
    trust_flags: bool = False,
    cap: int = DEFAULT_CAP,
    table: Neighbours | None = None,
) -> Row:
    return _row(analyse_one(tiles, width, height, table, mine_count, trust_flags, cap), width * height)


def _marked(found: Row, mark: int) -> tuple[int, ...]:
    return tuple(int(cell) for cell in np.flatnonzero(found.marks == mark))


def _lowest(chances: dict[int, float]) -> int:
    return min((cell for cell, chance in chances.items() if chance <= min(chances.values()) + 1e-9), default=-1)


def _assert_chances(found: Row, expected: dict[int, float], name: object = "") -> None:
    """Every covered cell has its chance, no other has one; the least likely mine is the first within 1e-9."""
    assert found.status == OK, name
    assert {int(cell) for cell in np.flatnonzero(~np.isnan(found.chances))} == set(expected), name
    for cell, chance in expected.items():
        assert abs(found.chances[cell] - chance) <= EXACT * chance, (name, cell)
    assert found.lowest == _lowest(expected), name


@pytest.mark.parametrize("over_table", [False, True], ids=["rows", "table"])
@pytest.mark.parametrize("file", CENSUS_FILES)
def test_census_files(file: str, over_table: bool) -> None:
    for position in positions(file):
        table = position.grid.table if over_table else None
        found = analyse(position.tiles, position.width, position.height, position.mines, table=table)
        _assert_chances(found, position.chances, position.name)
        assert _marked(found, SAFE) == position.safe, position.name
        assert _marked(found, MINED) == position.mined, position.name
        assert found.log_census == pytest.approx(math.log10(position.census), rel=1e-12, abs=1e-12), position.name


@pytest.mark.parametrize("trust_flags", [False, True])
@pytest.mark.parametrize("begin", range(0, 400, 100))
def test_small_boards_against_every_layout(begin: int, trust_flags: bool) -> None:
    for seed in range(begin, begin + 100):
        tiles, grid, mines = some_board(seed)
        for count in (mines, mines + 1):
            layouts = layouts_of(tiles, grid, count, trust_flags=trust_flags)
            flagged = [cell for cell, tile in enumerate(tiles) if tile == 10 and trust_flags]
            covered = [cell for cell, tile in enumerate(tiles) if tile in (9, 10, 11)]
            for table in [None, grid.table] if grid.is_plane else [grid.table]:
                found = analyse(tiles, grid.width, grid.height, count, trust_flags, table=table)
                if not layouts:
                    assert found.status == CONTRADICTION, seed
                    continue
                counts = {cell: sum(cell in mined for mined in layouts) for cell in covered}
                counts |= dict.fromkeys(flagged, len(layouts))
                _assert_chances(found, {cell: hits / len(layouts) for cell, hits in counts.items()}, seed)
                assert _marked(found, SAFE) == tuple(cell for cell in covered if counts[cell] == 0), seed
                assert _marked(found, MINED) == tuple(cell for cell in covered if counts[cell] == len(layouts)), seed
                assert found.log_census == pytest.approx(math.log10(len(layouts)), abs=1e-12), seed


@pytest.mark.parametrize("topology", [PLANE, TORUS])
def test_middling_boards_against_the_exact_backend(topology: object) -> None:
    grid = Grid(9, 8, TORUS if topology is TORUS else PLANE)
    for seed in range(60):
        rng = Rng(seed)
        mined = rng.sample(grid.size, 14)
        seen = rng.sample(grid.size, 20 + rng.below(25)) - mined
        tiles = bytes(sum(n in mined for n in grid.neighbours(c)) if c in seen else 9 for c in range(grid.size))
        exact = analyse_table(tiles, *grid.table, 14)
        chances = dict.fromkeys(exact.safe, 0.0) | dict.fromkeys(exact.mined, 1.0)
        for group in exact.groups:
            chances |= dict.fromkeys(group.cells, group.numerator / exact.census)
        found = analyse(tiles, grid.width, grid.height, 14, table=grid.table)
        _assert_chances(found, chances, seed)
        assert (_marked(found, SAFE), _marked(found, MINED)) == (exact.safe, exact.mined), seed
        assert found.log_census == pytest.approx(math.log10(exact.census), rel=1e-12, abs=1e-12)


def test_numbers_of_mines_with_gaps_are_certain_from_integers() -> None:
    # A cell that three clues share, each with one cell more: one mine or three, never two.
    hub = tiles_of(["#####", "#1#1#", "#####"])
    star = (array("i", [0, 3, 4, 5, 6, 8, 10, 12, 12]), array("i", [4, 5, 6, 4, 5, 6, 0, 1, 0, 2, 0, 3]))
    tiles = bytes([9, 9, 9, 9, 1, 1, 1, 9])
    three = analyse(tiles, 8, 1, 3, table=star)  # the star has three; the cell apart has none
    assert (_marked(three, SAFE), _marked(three, MINED)) == ((0, 7), (1, 2, 3))
    two = analyse(tiles, 8, 1, 2, table=star)
    assert (_marked(two, SAFE), _marked(two, MINED)) == ((1, 2, 3), (0, 7))
    assert analyse(tiles, 8, 1, 5, table=star).status == CONTRADICTION
    assert analyse(hub, 5, 3, 1).status == OK


# The last ones are far from what the share of mines on the board suggests, to both ends and beyond.
@pytest.mark.parametrize(
    ("width", "height", "mines"),
    [(60, 90, 900), (100, 99, 1650), (30, 90, 1000), (60, 90, 2300), (60, 90, 301), (60, 90, 300), (100, 99, 4455)],
)
def test_pairs_in_great_number(width: int, height: int, mines: int) -> None:
    """A 1 above a 1, again and again, no cell beside two such pairs: the answer is a closed form."""
    tiles = bytearray(9 for _ in range(width * height))
    rows = range(1, height - 2, 6)
    columns = range(1, width - 1, 3)
    for y in rows:
        for x in columns:
            tiles[y * width + x] = tiles[(y + 1) * width + x] = 1
    found = analyse(bytes(tiles), width, height, mines)
    pairs = len(rows) * len(columns)
    # A pair of clues has 4 cells in common and 3 of its own each: one mine in common, or one on either side.
    inside = width * height - 12 * pairs
    left = [mines - pairs - two for two in range(pairs + 1)]  # for the cells of no clue
    terms = [
        comb(pairs, two) * 9**two * 4 ** (pairs - two) * comb(inside, max(rest, 0)) * (rest >= 0)
        for two, rest in enumerate(left)
    ]
    total = sum(terms)
    two_mines = Fraction(sum(two * term for two, term in enumerate(terms)), total * pairs)
    apart = Fraction(sum(rest * term for rest, term in zip(left, terms, strict=True)), total * inside)
    own, common = float(two_mines / 3), float((1 - two_mines) / 4)
    assert found.status == OK
    assert found.interior == pytest.approx(float(apart), rel=EXACT)
    for y in rows:
        for x in columns:
            for dx in (-1, 0, 1):
                assert found.chances[(y - 1) * width + x + dx] == pytest.approx(own, rel=EXACT)
                assert found.chances[(y + 2) * width + x + dx] == pytest.approx(own, rel=EXACT)
            assert found.chances[y * width + x + 1] == pytest.approx(common, rel=EXACT)
    assert found.log_census == pytest.approx(math.log10(total), rel=1e-12)


@pytest.mark.parametrize("file", [file for file in CENSUS_FILES if file not in {"lattice-8", "lattice-9"}])
def test_both_halves_count_the_same_states(file: str) -> None:
    for position in positions(file):
        board = position.tiles, position.width, position.height
        found = analyse_one(*board, None, position.mines, False, DEFAULT_CAP)
        assert found is not None
        assert found.states == analyse_plane(*board, position.mines).states, position.name


def test_without_clues_the_mine_count_decides() -> None:
    found = analyse(bytes([9] * 12), 4, 3, 3)
    assert found.chances == pytest.approx([0.25] * 12, rel=EXACT)
    assert (found.lowest, found.interior) == (0, 0.25)
    assert found.log_census == pytest.approx(math.log10(comb(12, 3)))
    assert _marked(analyse(bytes([9] * 12), 4, 3, 0), SAFE) == tuple(range(12))
    assert _marked(analyse(bytes([9] * 12), 4, 3, 12), MINED) == tuple(range(12))
    done = analyse(bytes([0] * 12), 4, 3, 0)
    assert (done.status, done.lowest, done.log_census) == (OK, -1, 0.0)


@pytest.mark.parametrize(
    ("tiles", "mines"),
    [
        (bytes([9] * 12), 13),
        (bytes([9] * 12), -1),
        (bytes([9] * 12), 10**30),
        (bytes([0] * 12), 1),
        (tiles_of(["2#..", "....", "...."]), 1),
        (tiles_of(["1#1.", "1111", "...."]), 2),
        (tiles_of(["....", ".1..", "...."]), 0),
    ],
)
def test_contradictions(tiles: bytes, mines: int) -> None:
    for table in (None, Grid(4, 3).table):
        found = analyse(tiles, 4, 3, mines, table=table)
        assert (found.status, found.lowest) == (CONTRADICTION, -1)
        assert np.isnan(found.chances).all()


def test_beyond_the_cap() -> None:
    position = positions("lattice-6")[0]
    board = position.tiles, position.width, position.height, position.mines
    assert analyse(*board, cap=200).status == CAPPED
    found = analyse_one(*board[:3], None, position.mines, False, DEFAULT_CAP)
    assert found is not None
    assert analyse(*board, cap=found.states).status == OK
    assert analyse(*board, cap=found.states - 1).status == CAPPED


def test_garbage_has_a_status() -> None:
    rng = Rng(5)
    boards = np.array([[rng.below(15) for _ in range(30)] for _ in range(2000)], np.uint8)
    boards[::2] = np.where(boards[::2] < 4, boards[::2], 9)
    mines = [rng.below(14) for _ in range(2000)]
    tiles = [board.tobytes() for board in boards]
    rows = [_row(one, 30) for one in analyse_many(tiles, 6, 5, None, mines, False, DEFAULT_CAP)]
    table = [_row(one, 30) for one in analyse_many(tiles, 6, 5, Grid(6, 5).table, mines, False, DEFAULT_CAP)]
    assert {row.status for row in rows} == {OK, CONTRADICTION}
    for one, other in zip(rows, table, strict=True):
        assert one.status == other.status
        np.testing.assert_allclose(one.chances, other.chances, rtol=EXACT)
    assert analyse(bytes([15] * 30), 6, 5, 3).status == GIVEN_UP
    assert analyse(bytes([255] * 30), 6, 5, 3).status == GIVEN_UP


@pytest.mark.parametrize("size", [(1, 1), (1, 7), (9, 1), (62, 2), (63, 2)])
def test_thin_and_wide_boards_agree_with_the_exact_backend(size: tuple[int, int]) -> None:
    grid = Grid(*size)
    for seed in range(20):
        rng = Rng(seed)
        mined = rng.sample(grid.size, grid.size // 5)
        tiles = bytes(
            9 if c in mined or rng.below(2) else sum(n in mined for n in grid.neighbours(c)) for c in range(grid.size)
        )
        exact = analyse_table(tiles, *grid.table, len(mined))
        found = analyse(tiles, *size, len(mined))
        assert found.status == OK
        assert (_marked(found, SAFE), _marked(found, MINED)) == (exact.safe, exact.mined)
        for group in exact.groups:
            for cell in group.cells:
                assert found.chances[cell] == pytest.approx(group.numerator / exact.census, rel=EXACT)


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(ValueError, match="0x3"):
        analyse(b"", 0, 3, 0)
    with pytest.raises(ValueError, match="11 tiles for 1 boards of 12 cells"):
        analyse(bytes(11), 4, 3, 0)
    starts, cells = Grid(2, 2).table
    for table in (
        (starts[:-1], cells),
        (starts, cells[:-1]),
        (starts, array("i", [4, *cells[1:]])),
        (starts, array("i", [0, *cells[1:]])),
    ):
        with pytest.raises(ValueError, match="neighbour"):
            analyse(bytes(4), 2, 2, 0, table=table)


def test_a_batch_is_its_boards() -> None:
    found = positions("intermediate")
    tiles, mines = [position.tiles for position in found], [position.mines for position in found]
    batch = list(Analyser(16, 16).analyse(b"".join(tiles), array("i", mines), trust_flags=False, cap=DEFAULT_CAP))
    for row, position in zip(batch, found, strict=True):
        alone = analyse_one(position.tiles, 16, 16, None, position.mines, False, DEFAULT_CAP)
        assert row is not None
        assert alone is not None
        assert row.chances.tobytes() == alone.chances.tobytes()
        assert row._replace(chances=alone.chances, inside=alone.inside) == alone


def test_threads_have_scratch_of_their_own() -> None:
    found = positions("expert-stuck")[:40]
    expected = [analyse(p.tiles, p.width, p.height, p.mines).chances.tobytes() for p in found]
    wrong: list[str] = []

    def work(turn: int) -> None:
        for at in range(len(found)):
            position = found[(at + turn) % len(found)]
            chances = analyse(position.tiles, position.width, position.height, position.mines).chances
            if chances.tobytes() != expected[(at + turn) % len(found)]:
                wrong.append(position.name)

    threads = [threading.Thread(target=work, args=(turn,)) for turn in (0, 13)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_the_smallest_region_is_that_of_the_reference() -> None:
    known = 0
    for seed in range(400):
        rng = Rng(seed)
        grid = Grid(5 + rng.below(9), 4 + rng.below(6), TORUS if seed % 5 == 0 else PLANE)
        mined = rng.sample(grid.size, grid.size // 5)
        seen = rng.sample(grid.size, grid.size // 4 + rng.below(grid.size // 2)) - mined
        tiles = bytes(
            sum(n in mined for n in grid.neighbours(cell))
            if cell in seen
            else 12
            if cell in mined and seed % 8 == cell % 8
            else 9
            for cell in range(grid.size)
        )
        regions = regions_of(analyse_table(tiles, *grid.table, len(mined)), *grid.table)
        expected = min((math.log(region.layouts) for region in regions), default=math.inf)
        board = tiles, grid.width, grid.height, grid.table
        found = smallest_region(*board, grid.is_plane, len(mined), False, DEFAULT_CAP)
        known += found is not None
        assert found is None or found == pytest.approx(expected, rel=1e-9)
    assert known > 380
    assert smallest_region(bytes([9] * 4), 2, 2, Grid(2, 2).table, True, 5, False, DEFAULT_CAP) is None
