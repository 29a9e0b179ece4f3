"""Playouts: what they say of a board is what is exact there, but for chance; and the same each time, whatever flags say."""

from collections import defaultdict
from fractions import Fraction
from itertools import combinations
from statistics import fmean, pstdev

import pytest

from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.grid import Grid
from sapper.core.notation import read_board
from sapper.core.rules import RULES, Start
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.game.layout import Layout
from sapper.generator.new_game import new_game
from sapper.solver.analysis import analyse
from sapper.solver.playouts import compare, play_first, play_out
from sapper.solver.win import win_chance
from tests.census import positions
from tests.halves import by_reference
from tests.small_boards import KnownWin, known_wins, whole_games

ANY = RULES["classic"].replace(start=Start.ANY)
FORCED = """30x16/99
#1.2####11#21.2###############
11.3####322#1.2###############
...2#####1233225##############
11.12333212##2#3##3#2#########
#3211...113#322332212#########
##3#21..1#211.1#22211#########
3#32#21.222...112##11#########
11123#1.1#1..11112322#########
2222#21.112111#1.12#2#########
##3#2211..1#112211#44#########
#5#222#1..12223#212###########
##212#5421.1#2##31234#########
##212####1.112222#11#2#1######
#5#1135#31......22222312######
##31.1#32......12#22#2#2######
##2..12#1......1#22#22########
"""
"""Some pairs of cells of which one is a mine, whatever is played: `best-reply` wins 17.5 % of 16,000 playouts."""


def _board(known: KnownWin) -> Board:
    return Board(
        grid=Grid(known.width, known.height), rules=ANY, mine_count=known.mines, tiles=known.tiles, status=Status.PLAYING
    )  # fmt: skip


def _stuck(place: int) -> Board:
    one = positions("expert-stuck")[place]
    return Board(grid=one.grid, rules=ANY, mine_count=one.mines, tiles=one.tiles, status=Status.PLAYING)


def test_playouts_agree_with_what_is_exact() -> None:
    """Each guess that is played out, against its exact chance: off by chance, and as much as the standard error says."""
    off = []
    for known in known_wins():
        if len(known.moves) < 8 or known.best in (0, 1):
            continue
        found = win_chance(_board(known), most_layouts=1)
        assert found.exact is None
        assert found.win is not None
        assert found.win_error is not None
        assert found.win_low is not None
        assert found.win_high is not None
        assert found.win_low <= found.win <= found.win_high
        # Who plays on is not the best player: a little less is won.
        off += [
            (one.win - float(known.moves[one.cell])) / (one.win_error + 0.01)
            for one in found.candidates
            if one.win is not None and one.win_error
        ]
    assert len(off) > 20
    assert -0.6 < fmean(off) < 0.4
    assert pstdev(off) < 1.5
    assert max(map(abs, off)) < 4.5


@pytest.mark.parametrize("start", [Start.ANY, Start.SAFE])
def test_starts_agree_with_what_is_exact(start: Start) -> None:
    for width, height, mines in whole_games(2_000):
        if width * height < 9 or not 1 < mines <= width * height // 4:
            continue
        board = Board.new(Grid(width, height), ANY.replace(start=start), mines)
        found = win_chance(board, most_layouts=1)
        assert found.win is not None
        assert found.win_error is not None
        assert found.best is not None
        # The usual first cell is not always the best one.
        exact = win_chance(board, nodes=10**6).of(found.best.cell)
        if exact is not None and exact.exact is not None:
            assert found.win == pytest.approx(float(exact.exact), abs=4 * found.win_error + 0.03)


def test_an_open_start_wins_what_the_opened_board_does() -> None:
    board = Board.new(Grid(9, 9), RULES["modern"], 10)
    first = board.first_cell
    assert first is not None
    tiles = bytearray(board.tiles)
    tiles[first] = Tile.ZERO
    opened = Board(grid=board.grid, rules=board.rules, mine_count=10, tiles=bytes(tiles), status=Status.PLAYING)
    begun, found = win_chance(board), win_chance(opened)
    assert begun.win is not None
    assert found.win is not None
    assert found.win_error is not None
    assert begun.win == pytest.approx(found.win, abs=3 * found.win_error)


@pytest.mark.parametrize(("preset", "won"), [("beginner", 0.9718), ("intermediate", 0.8908), ("expert", 0.5431)])
def test_presets_win_before_the_first_reveal_what_games_do(preset: str, won: float) -> None:
    """`best-reply` won that share of 100,000 games (docs/strength.md)."""
    chance = win_chance(new_game(preset, seed=1).board)
    assert chance.win is not None
    assert chance.win_error is not None
    assert chance.win_error < 0.008
    assert chance.win == pytest.approx(won, abs=3 * chance.win_error)


@pytest.mark.parametrize(("size", "mines"), [((8, 8), 57), ((9, 9), 75), ((30, 16), 475)])
def test_mines_that_leave_no_room_for_an_open_start_leave_a_safe_one(size: tuple[int, int], mines: int) -> None:
    found = win_chance(Board.new(Grid(*size), ANY.replace(start=Start.OPEN), mines)).best
    assert found is not None
    assert found.win is not None
    assert 0 < found.win <= found.win_high
    assert found.clues[0][0] > 0, "a zero has no mine beside it"


def test_it_is_the_same_each_time_and_flags_count_for_nothing() -> None:
    for place in (3, 119):
        board = _stuck(place)
        found = win_chance(board)
        assert found.win is not None
        assert found == win_chance(board)
        covered = list(board.covered)[::3]
        tiles = bytearray(board.tiles)
        for cell in covered:
            tiles[cell] = Tile.FLAGGED if cell % 2 else Tile.QUESTION
        flagged = Board(grid=board.grid, rules=ANY, mine_count=99, tiles=bytes(tiles), status=Status.PLAYING)
        again = win_chance(flagged)
        assert (again.win, again.win_error, again.level) == (found.win, found.win_error, found.level)


def test_flags_that_are_trusted_are_mines() -> None:
    """A trusted flag on a certain mine says nothing new, and one elsewhere is a condition."""
    board = read_board(FORCED)
    mined = analyse(board).mined
    tiles = bytearray(board.tiles)
    for cell in mined:
        tiles[cell] = Tile.FLAGGED
    flagged = Board(grid=board.grid, rules=board.rules, mine_count=99, tiles=bytes(tiles), status=Status.PLAYING)
    found = win_chance(flagged, trust_flags=True)
    assert found.win == pytest.approx(0.175, abs=0.06)
    shown = bytes(tiles).replace(bytes([Tile.FLAGGED]), bytes([Tile.MINE]))
    assert win_chance(Board(grid=board.grid, rules=board.rules, mine_count=99, tiles=shown, status=Status.PLAYING)).win == found.win  # fmt: skip


def test_trusted_flags_are_conditions() -> None:
    board = read_board("5x5/5\nF####\n##2##\n#####\n##1##\n####F\n", rules=ANY)
    exact = win_chance(board, trust_flags=True, nodes=10**6)
    played = win_chance(board, trust_flags=True, most_layouts=1)
    assert exact.win is not None
    assert exact.exact is not None
    assert played.exact is None
    assert played.win_error is not None
    assert played.win == pytest.approx(exact.win, abs=4 * played.win_error + 0.03)
    assert exact.win > (win_chance(board, nodes=10**6).win or 1) + 0.05


def test_guesses_that_are_forced_later_are_seen() -> None:
    board = read_board(FORCED)
    found = win_chance(board)
    assert found.win == pytest.approx(0.175, abs=0.06)
    assert found.win_error is not None
    assert 0 < found.win_error < 0.03
    # A cell that says nothing more is covered again: the board wins what it did.
    covered = win_chance(read_board(FORCED.replace("...2#####1233225", "#..2#####1233225")))
    assert [str(cell) for cell in covered.analysis.safe] == ["60"]
    assert covered.win == pytest.approx(0.175, abs=0.06)
    assert {one.win for one in covered.candidates} == {covered.win}


def test_without_the_native_library_no_chance_is_claimed() -> None:
    with by_reference():
        found = win_chance(read_board(FORCED))
        assert found.win is None
        assert found.win_error is None
        assert found.best is not None
        assert "native library" in (found.reason or "")
        assert play_out(analyse(read_board(FORCED))) is None
        assert play_first(Board.new(Grid(9, 9), ANY, 10), Cell(0)) is None
        assert compare(analyse(read_board(FORCED)), Cell(0), [Cell(60)], 1.0) is None


def _layouts(board: Board) -> list[Layout]:
    """All that fit, by trying each."""
    covered = list(board.covered)
    every = (Layout(board.grid, CellSet.of(mines)) for mines in combinations(covered, board.mine_count))
    return [one for one in every if all(one.clues[cell] == board.tiles[cell] for cell in board.revealed)]


def _exact_of(board: Board, cells: list[Cell]) -> Fraction:
    """What revealing cells together wins: the exact chances of the boards after it, weighted."""
    layouts = _layouts(board)
    after: dict[bytes, int] = defaultdict(int)
    for layout in layouts:
        if not any(layout.is_mine(cell) for cell in cells):
            tiles = bytearray(board.tiles)
            for cell in cells:
                tiles[cell] = layout.clues[cell]
            after[bytes(tiles)] += 1
    won = Fraction(0)
    for found, count in after.items():
        later = win_chance(
            Board(grid=board.grid, rules=board.rules, mine_count=board.mine_count, tiles=found, status=Status.PLAYING)
        )
        assert later.exact is not None
        won += later.exact * Fraction(count, len(layouts))
    return won


@pytest.mark.parametrize("cells", [[(0, 0)], [(4, 0)], [(0, 0), (1, 0)], [(2, 0), (4, 0), (0, 0)]])
@pytest.mark.parametrize("text", ["5x4/4\n#####\n#####\n112##\n..1##\n", "5x4/3\n#####\n##2##\n#####\n#####\n"])
def test_two_reveals_are_compared_as_what_is_exact_says(text: str, cells: list[tuple[int, int]]) -> None:
    board = read_board(text, rules=ANY)
    analysis = analyse(board)
    best = next(iter(analysis.safe), None)
    if best is None:
        found = win_chance(board, nodes=10**6).best
        assert found is not None
        best = found.cell
    others = [board.grid.cell(*place) for place in cells]
    if others == [best] or any(cell in analysis.mined for cell in others):
        pytest.skip("nothing to compare")
    survived = sum(not any(one.is_mine(cell) for cell in others) for one in _layouts(board)) / len(_layouts(board))
    more = compare(analysis, best, others, survived)
    assert more is not None
    expected = float(_exact_of(board, [best]) - _exact_of(board, others))
    assert more.win == pytest.approx(expected, abs=3.5 * more.error + 0.03)
    assert more == compare(analysis, best, others, survived)
