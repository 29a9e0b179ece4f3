"""The analysis of a board: boards with known answers, every layout of small ones, and what it says when there is none."""

import json
from fractions import Fraction
from math import comb
from typing import Any

import pytest
from hypothesis import given, strategies as st

from sapper.core.board import Board
from sapper.core.cells import CellSet
from sapper.core.coordinates import cell_name
from sapper.core.grid import PLANE, TORUS, Grid
from sapper.core.notation import read_board
from sapper.core.rules import RULES
from sapper.core.tile import Tile
from sapper.errors import CellError, ContradictionError, TooHardError
from sapper.generator.new_game import new_game
from sapper.solver.analysis import Analysis, PartialAnalysis, analyse, analyse_what_can_be
from tests import halves
from tests.census import DATA, layouts_of, positions, some_board
from tests.solver_boards import board_at, board_of

SMALL = json.loads((DATA / "small" / "positions.json").read_text(encoding="utf-8"))["positions"]
MODERN = RULES["modern"]

# A lattice of clues that share cells: few cells, many states.
_LATTICE = next(iter(positions("lattice-4")))


def _chances(analysis: Analysis) -> list[Fraction | None]:
    """The exact chance of each covered cell; None elsewhere."""
    known = analysis.risks()
    return [analysis.probability(cell) if cell in known else None for cell in range(analysis.board.grid.size)]


@pytest.mark.parametrize("file", ["expert-stuck", "intermediate", "hard-50x50-500", "scatter-30x24"])
def test_census_boards(file: str) -> None:
    for position in positions(file):
        analysis = analyse(board_at(position))
        assert analysis.census == position.census, position.name
        assert tuple(analysis.safe) == position.safe, position.name
        assert tuple(analysis.mined) == position.mined, position.name
        assert analysis.risks() == pytest.approx(position.chances, rel=1e-12), position.name
        least = min(position.chances.values())
        assert analysis.least_risk == pytest.approx(least, rel=1e-12), position.name
        assert analysis.least_risky == min(c for c, risk in position.chances.items() if risk <= least + 1e-9)
        assert analysis.may_guess is not bool(position.safe)


@pytest.mark.parametrize("entry", SMALL, ids=[entry["id"] for entry in SMALL])
def test_small_boards(entry: dict[str, Any]) -> None:
    board = read_board("\n".join(entry["rows"]), mine_count=entry["mines"])
    if not entry["consistent"]:
        with pytest.raises(ContradictionError):
            analyse(board)
        return
    analysis = analyse(board)
    assert str(analysis.census) == entry["solutions"]
    assert _chances(analysis) == _fractions(entry["prob"])


def _fractions(rows: list[list[str | None]]) -> list[Fraction | None]:
    return [None if chance is None else Fraction(chance) for row in rows for chance in row]


FLAGGED = [entry for entry in SMALL if "flags_as_mines" in entry]


@pytest.mark.parametrize("entry", FLAGGED, ids=[entry["id"] for entry in FLAGGED])
def test_small_boards_with_flags_taken_for_mines(entry: dict[str, Any]) -> None:
    board = read_board("\n".join(entry["rows"]), mine_count=entry["mines"])
    trusted = entry["flags_as_mines"]
    if not trusted["consistent"]:
        with pytest.raises(ContradictionError):
            analyse(board, trust_flags=True)
        return
    analysis = analyse(board, trust_flags=True)
    assert str(analysis.census) == trusted["solutions"]
    assert _chances(analysis) == _fractions(trusted["prob"])
    assert board.flagged <= analysis.mined


@given(st.integers(0, 2**32))
def test_every_layout_of_small_boards(seed: int) -> None:
    tiles, grid, mines = some_board(seed)
    layouts = layouts_of(tiles, grid, mines)
    analysis = analyse(board_of(tiles, grid, mines))
    assert analysis.census == len(layouts)
    for cell, risk in analysis.risks().items():
        mined = sum(cell in layout for layout in layouts)
        assert analysis.layouts_with_mine(cell) == mined
        assert analysis.probability(cell) == Fraction(mined, len(layouts))
        assert risk == analysis.risk(cell) == pytest.approx(mined / len(layouts), abs=1e-12)
        assert (cell in analysis.safe, cell in analysis.mined) == (mined == 0, mined == len(layouts))


@given(st.integers(0, 2**32))
def test_a_turned_board_has_a_turned_analysis(seed: int) -> None:
    tiles, grid, mines = some_board(seed, topology=PLANE)
    width, height = grid.width, grid.height
    straight = _chances(analyse(board_of(tiles, grid, mines)))
    mirrored = [y * width + width - 1 - x for y in range(height) for x in range(width)]
    found = _chances(analyse(board_of(bytes(tiles[c] for c in mirrored), grid, mines)))
    assert found == [straight[c] for c in mirrored]
    turned = [x * width + y for y in reversed(range(width)) for x in range(height)]
    found = _chances(analyse(board_of(bytes(tiles[c] for c in turned), Grid(height, width), mines)))
    assert found == [straight[c] for c in turned]


@given(st.integers(0, 2**32), st.integers(0, 6), st.integers(0, 6))
def test_a_torus_has_no_edges(seed: int, right: int, down: int) -> None:
    """Moved around, across the seams, it is the same board."""
    tiles, grid, mines = some_board(seed, topology=TORUS)
    width, height = grid.width, grid.height
    moved = [(y + down) % height * width + (x + right) % width for y in range(height) for x in range(width)]
    straight = _chances(analyse(board_of(tiles, grid, mines)))
    found = _chances(analyse(board_of(bytes(tiles[c] for c in moved), grid, mines)))
    assert found == [straight[c] for c in moved]


@pytest.mark.parametrize(
    ("text", "mines", "trust", "clues", "count", "message"),
    [
        ("3##", 2, False, [(0, 0)], False, "no layout fits the clue 3 at a1: it has 0 known mines and 1 covered cell"),
        ("FF\n1#", 2, True, [(0, 1)], False, "no layout fits the clue 1 at a2: it has 2 known mines and 1 covered cell"),
        ("#1###1#", 1, False, [(1, 0), (5, 0)], True, "1 mine in 5 covered cells"),
        ("131\n###", 2, False, [(1, 0), (2, 0)], False, "no layout fits the clues 3 at b1 and 1 at c1 together"),
        ("##\n..", 3, False, None, None, None),
        ("**#", 1, False, [], True, "no layout fits: the board shows 2 mines, and has only 1"),
        ("...\n...\n...", 3, False, [], True, "no layout fits: there cannot be 3 mines in 0 covered cells"),
        ("*#.", 3, False, None, None, None),
    ],
)  # fmt: skip
def test_a_contradiction_names_the_clues(
    text: str, mines: int, trust: bool, clues: list[tuple[int, int]] | None, count: bool | None, message: str | None
) -> None:
    board = read_board(text, mine_count=mines)
    with pytest.raises(ContradictionError) as caught:
        analyse(board, trust_flags=trust)
    if clues is not None:
        assert [board.grid.xy(cell) for cell in caught.value.clues] == clues
        assert caught.value.mine_count is count
    assert all(cell_name(board.grid, cell) in str(caught.value) for cell in caught.value.clues)
    assert message is None or message in str(caught.value)


@given(st.integers(0, 2**32), st.integers(-3, 3))
def test_clues_that_contradict_each_other_really_do(seed: int, change: int) -> None:
    tiles, grid, mines = some_board(seed, most=10)
    clues = [cell for cell, tile in enumerate(tiles) if tile <= 8]
    if clues:
        wrong = bytearray(tiles)
        wrong[clues[seed % len(clues)]] = (tiles[clues[seed % len(clues)]] + change) % 9
        tiles = bytes(wrong)
    board = board_of(tiles, grid, mines)
    layouts = layouts_of(tiles, grid, mines)
    try:
        census = analyse(board).census
    except ContradictionError as error:
        assert not layouts
        assert not layouts_of(tiles, grid, mines if error.mine_count else None, clues=error.clues)
        for one in error.clues:  # none of them is superfluous
            others = [clue for clue in error.clues if clue != one]
            assert layouts_of(tiles, grid, mines if error.mine_count else None, clues=others)
    else:
        assert census == len(layouts)


def test_very_many_contradicting_clues_are_not_all_named() -> None:
    strip = read_board("#1#!!" * 30, mine_count=29)  # thirty clues with a mine each
    with pytest.raises(ContradictionError) as caught:
        analyse(strip)
    assert len(caught.value.clues) == 30
    assert "11 more" in str(caught.value)


@pytest.mark.usefixtures("half")
def test_a_board_too_hard_gives_what_is_exact() -> None:
    grid = Grid(_LATTICE.width + 4, _LATTICE.height)
    rows = [_LATTICE.tiles[y * _LATTICE.width :][: _LATTICE.width] for y in range(_LATTICE.height)]
    # To the right of it something easy: a clue with all its neighbours, and cells that touch nothing.
    right = {0: bytes([0, 9, 1, 9]), 1: bytes([0, 9, 9, 9])}
    tiles = b"".join(row + right.get(y, bytes([0, 0, 0, 0])) for y, row in enumerate(rows))
    easy = bytearray(tiles)
    for cell, tile in enumerate(tiles):
        if tile == 0 and any(tiles[near] == 9 for near in grid.neighbours(cell)):
            easy[cell] = 14  # a wrong flag: safe, and says nothing
    board = board_of(bytes(easy), grid, _LATTICE.mines + 1)
    with pytest.raises(TooHardError, match="more than 50 states") as caught:
        analyse(board, cap=50)
    partial = caught.value.partial
    assert isinstance(partial, PartialAnalysis)
    assert caught.value.cap == 50
    assert partial == analyse_what_can_be(board, cap=50)
    whole = analyse(board)
    assert isinstance(analyse_what_can_be(board), Analysis)
    assert partial.safe <= whole.safe
    assert partial.mined <= whole.mined
    assert [len(component.clues) for component in partial.components] == [1]
    assert len(partial.unsolved) == 1
    assert set(partial.unsolved[0]) | {grid.cell(_LATTICE.width + 2, 0)} == {
        c for c, t in enumerate(easy) if 1 <= t <= 8
    }


def test_what_is_exact_of_a_board_too_hard_is_the_same_whichever_half_finds_it_too_hard() -> None:
    # Two lattices side by side: at some caps the smaller is counted, at others neither is.
    small, large = (next(iter(positions(f"lattice-{size}"))) for size in (4, 5))
    grid = Grid(small.width + 1 + large.width, large.height)
    tiles = bytearray([14]) * grid.size
    for lattice, begin in ((large, 0), (small, large.width + 1)):
        for cell, tile in enumerate(lattice.tiles):
            x, y = cell % lattice.width, cell // lattice.width
            tiles[grid.cell(begin + x, y)] = tile
    board = board_of(bytes(tiles), grid, small.mines + large.mines)
    states = analyse(board).states
    solved = set()
    for cap in (1, 10, 50, 100, states // 4, states // 2, states - 1):
        found = []
        for half in ("native", "reference"):
            with halves.by(half):
                found.append(analyse_what_can_be(board, cap=cap))
        one, other = found
        assert isinstance(one, PartialAnalysis)
        assert one == other, cap
        solved.add(len(one.components))
    assert solved == {0, 1}


def test_a_revealed_cell_has_no_chance() -> None:
    analysis = analyse(read_board("1#", mine_count=1))
    with pytest.raises(CellError, match=r"a1 is revealed"):
        analysis.probability(0)
    with pytest.raises(CellError):
        analysis.risk(2)


def test_nothing_covered() -> None:
    analysis = analyse(read_board("..", mine_count=0))
    assert (analysis.census, analysis.least_risk, analysis.least_risky, analysis.risks()) == (1, None, None, {})
    assert not analysis.may_guess  # the game is won


def test_only_mines_covered() -> None:
    analysis = analyse(board_of(bytes([Tile.COVERED, Tile.TWO, Tile.COVERED]), Grid(3, 1), 2))
    assert (analysis.least_risk, analysis.least_risky) == (1.0, 0)


def test_a_census_of_any_size_has_a_logarithm() -> None:
    board = Board.new(Grid(300, 300), RULES["engine"], 16_000)
    analysis = analyse(board)
    assert 18_000 < analysis.census_log10 < 19_000
    assert analysis.risk(0) == 16_000 / 90_000
    assert analysis.probability(0) == Fraction(16_000, 90_000)
    assert analysis.safe == analysis.mined == CellSet()


def test_the_first_reveal_is_protected_by_the_start_rule() -> None:
    """Beginner with start open: the census counts all layouts, and no cell is a risk."""
    game = new_game("beginner", seed=7)
    analysis = analyse(game.board)
    assert analysis.census == comb(81, 10)
    assert (analysis.least_risk, analysis.least_risky, analysis.may_guess) == (0.0, game.grid.cell(2, 2), False)
    assert set(analysis.risks().values()) == {0.0}
    assert (analysis.probability(5), analysis.risk(5)) == (Fraction(0), 0.0)
    assert analysis.layouts_with_mine(5) == comb(80, 9)
    assert len(analysis.safe) == 81
    game.reveal(40)
    assert analyse(game.board).census < comb(81, 10)
    for rules in ("engine", "formal"):  # start any: the first reveal may meet a mine
        analysis = analyse(Board.new(Grid(9, 9), RULES[rules], 10))
        assert (analysis.least_risk, analysis.least_risky, analysis.may_guess) == (10 / 81, 0, True)
    classic = analyse(Board.new(Grid(9, 9), RULES["classic"], 10))
    assert (classic.least_risk, classic.least_risky, classic.may_guess) == (0.0, 0, False)
    assert not analyse(Board.new(Grid(3, 3), MODERN, 9)).safe  # nothing but mines: no rule can be kept


def test_a_bare_text_has_no_rules_that_protect() -> None:
    analysis = analyse(read_board("###\n###\n###", mine_count=1))
    assert (analysis.least_risk, analysis.least_risky, analysis.may_guess) == (1 / 9, 0, True)


def test_a_game_that_is_over_has_no_least_risk() -> None:
    won = read_board("1#", mine_count=1)
    assert won.is_won
    assert (analyse(won).least_risk, analyse(won).least_risky) == (None, None)
    lost = read_board("X#", mine_count=1)
    assert (analyse(lost).least_risk, analyse(lost).least_risky) == (None, None)


@given(st.integers(0, 2**32), st.booleans())
def test_supposing_a_clue_counts_the_layouts_that_give_it(seed: int, trust_flags: bool) -> None:
    tiles, grid, mines = some_board(seed, most=10)
    board = board_of(tiles, grid, mines)
    try:
        analysis = analyse(board, trust_flags=trust_flags)
    except ContradictionError:
        return
    layouts = layouts_of(tiles, grid, mines, trust_flags=trust_flags)
    known = {cell for cell, tile in enumerate(tiles) if tile in (12, 13) or (trust_flags and tile == Tile.FLAGGED)}
    for cell in sorted(analysis.risks()):
        if trust_flags and board.tiles[cell] == Tile.FLAGGED:
            continue
        near = board.grid.neighbours(cell)
        found = [len(set(near) & (layout | known)) for layout in layouts if cell not in layout]
        assert [analysis.supposing(cell, clue) for clue in range(9)] == [found.count(clue) for clue in range(9)]


def test_supposing_remembers_flags_and_cap() -> None:
    board = read_board("F1#", mine_count=1)
    assert analyse(board).supposing(2, 0) == 1
    assert analyse(board).supposing(2, 1) == 0
    analysis = analyse(read_board("F2#\n###", mine_count=2), trust_flags=True, cap=1_000)
    assert (analysis.trust_flags, analysis.cap) == (True, 1_000)
    assert sum(analysis.supposing(2, clue) for clue in range(9)) == analysis.census - analysis.layouts_with_mine(2)
    with pytest.raises(CellError, match="not covered"):
        analysis.supposing(0, 1)
    with pytest.raises(CellError, match="not covered"):
        analysis.supposing(1, 1)
    with pytest.raises(CellError, match="a clue is 0 to 8, not 9"):
        analysis.supposing(2, 9)
