"""The exact chance to win: against known answers, and against a game tree that is played out move by move."""

from fractions import Fraction
from functools import cache

import pytest

from sapper._kernels.reference.analysis import analyse_table
from sapper._kernels.reference.endgame import Endgame, solve_endgame, symmetries_of
from sapper._kernels.reference.scan import plane_table
from sapper.core.grid import Grid
from tests.census import layouts_of, some_board
from tests.sizes import sized
from tests.small_boards import KnownWin, known_wins, whole_games

RULES = ("first_click_any", "safe_first", "zero_first")
"""The names of the start rules in the data, in the kernels' order."""


def _solved(tiles: bytes, width: int, height: int, mine_count: int, *, start: int = 0, nodes: int = 10**6) -> Endgame:
    table = plane_table(width, height)
    found = analyse_table(tiles, *table, mine_count)
    symmetries = symmetries_of(tiles, width, height)
    return solve_endgame(found, *table, start=start, symmetries=lambda: symmetries, nodes=nodes)


def _moves(game: Endgame) -> dict[int, Fraction]:
    """The chance to win after each uncertain cell."""
    whole = Fraction(game.low, game.layouts)
    return {
        move.cell: Fraction(move.low, move.layouts) / Fraction(region.low, region.layouts) * whole
        for region in game.regions
        for move in region.moves
        if move.low == move.high
    }


@pytest.mark.parametrize("known", known_wins(), ids=lambda known: known.name)
def test_known_positions(known: KnownWin) -> None:
    game = _solved(known.tiles, known.width, known.height, known.mines)
    assert game.low == game.high
    assert Fraction(game.low, game.layouts) == known.best
    moves = _moves(game)
    assert all(known.moves[cell] == win for cell, win in moves.items())
    certain = {win for cell, win in known.moves.items() if cell not in moves}
    assert certain <= {0, known.best}  # a mine, or a safe cell, which changes nothing


def test_whole_games_up_to_two_thousand_layouts() -> None:
    for (width, height, mines), known in whole_games(sized(500, 2_000)).items():
        name = f"{width}x{height}/{mines}"
        for start, rule in enumerate(RULES):
            if rule not in known:
                continue
            game = _solved(bytes([9]) * (width * height), width, height, mines, start=start)
            moves = [move for region in game.regions for move in region.moves]
            if (
                rule == "zero_first"
            ):  # where the rule cannot be kept, the nearest that can is; the data leave such cells out
                grid = Grid(width, height)
                moves = [move for move in moves if len(grid.neighbours(move.cell)) + 1 + mines <= grid.size]
            assert all(move.low == move.high for move in moves), name
            best = max(Fraction(move.low, move.layouts) for move in moves)
            assert best == Fraction(known[rule]), (name, rule)
            if rule == "first_click_any":
                assert game.low == game.high == best * game.layouts, name
                first = [list(divmod(move.cell, width)) for move in moves if Fraction(move.low, move.layouts) == best]
                assert sorted(first) == known["best_first_cells_rowcol"], name


def _by_playing(layouts: frozenset[frozenset[int]], grid: Grid, covered: set[int]) -> tuple[int, dict[int, int]]:
    """Layouts that best play wins of those given, and by first cell: every move tried, reveal by reveal."""

    @cache
    def after(some: frozenset[frozenset[int]], cell: int, seen: frozenset[int]) -> int:
        by_clue: dict[int, set[frozenset[int]]] = {}
        for layout in some:
            if cell not in layout:
                by_clue.setdefault(len(layout & set(grid.neighbours(cell))), set()).add(layout)
        return sum(best(frozenset(left), seen | {cell}) for left in by_clue.values())

    @cache
    def best(some: frozenset[frozenset[int]], seen: frozenset[int]) -> int:
        if any(seen >= set(range(grid.size)) - layout for layout in some):
            assert len(some) == 1
            return 1
        return max(after(some, cell, seen) for cell in set(range(grid.size)) - seen)

    seen = frozenset(range(grid.size)) - covered
    moves = {cell: after(layouts, cell, seen) for cell in covered}
    return max(moves.values()), moves


def test_small_boards_by_playing_them_out() -> None:
    regions = 0
    for seed, most in (*((seed, 7) for seed in range(150)), (21, 12), (1472, 12)):  # the last two have two regions
        tiles, grid, mines = some_board(seed, most=most)
        layouts = frozenset(frozenset(one) for one in layouts_of(tiles, grid, mines))
        if not 1 < len(layouts) <= 12 or 12 in tiles or 13 in tiles or 14 in tiles:
            continue
        wins, moves = _by_playing(layouts, grid, {cell for cell, tile in enumerate(tiles) if tile > 8})
        found = analyse_table(tiles, grid.table.starts, grid.table.cells, mines)
        game = solve_endgame(found, *grid.table)
        assert (game.low, game.high, game.layouts) == (wins, wins, len(layouts)), seed
        assert {cell: win * len(layouts) for cell, win in _moves(game).items()}.items() <= moves.items(), seed
        regions += len(game.regions) > 1
    assert regions == 2


def test_a_search_that_ends_early_has_bounds_that_hold() -> None:
    for name, exact in ((("6x3/3"), 607), ("5x4/3", 864), ("5x3/4", 614)):
        size, mines = name.split("/")
        width, height = map(int, size.split("x"))
        widths = []
        for nodes in (1, 300, 3_000, 60_000):
            game = _solved(bytes([9]) * (width * height), width, height, int(mines), nodes=nodes)
            assert 0 < game.low <= exact <= game.high <= game.layouts
            for move in game.regions[0].moves:
                assert move.low <= min(exact, move.high)
                assert move.high <= move.safe
            widths.append(game.high - game.low)
        assert widths[-1] == 0 < widths[0]
        assert widths == sorted(widths, reverse=True)


def test_memory_bounds_a_search_too() -> None:
    tiles, table = bytes([9]) * 15, plane_table(5, 3)
    found = analyse_table(tiles, *table, 4)
    few = solve_endgame(found, *table, nodes=10**6, memory=100_000)
    assert few.low <= 614 <= few.high
    assert few.low < few.high


def test_regions_that_are_too_large_are_left_out() -> None:
    # Left a cell or its neighbour is a mine, whatever else there is; right of a wall of mines is an open field.
    known = next(known for known in known_wins() if known.name == "nosafe-4")
    table = plane_table(known.width, known.height)
    found = analyse_table(known.tiles, *table, known.mines)
    game = solve_endgame(found, *table, most_layouts=100)
    assert [region.is_searched for region in game.regions] == [False]
    assert (game.low, game.high, game.nodes) == (1, game.layouts, 0)


def test_a_start_rule_that_cannot_be_kept_gives_way() -> None:
    # 3x2/1: the middle cells touch all others, so that `open` is `safe` there.
    game = _solved(bytes([9]) * 6, 3, 2, 1, start=2)
    layouts = {move.cell: move.layouts for move in game.regions[0].moves}
    assert layouts == {0: 2, 1: 5, 2: 2, 3: 2, 4: 5, 5: 2}
    assert Fraction(game.low, game.layouts) == Fraction(3, 5)
