"""Guesses compared by playouts: the layouts drawn are uniform, the best move of a small board is found, budgets are kept."""

from array import array
from collections import Counter
from ctypes import c_double, memset, string_at
from dataclasses import replace
from itertools import combinations, count

import pytest

from sapper._kernels import batch
from sapper._kernels.native import deciding
from sapper._kernels.reference.analysis import analyse_plane
from sapper._kernels.reference.guess_parts import PLAYED
from sapper.core.cells import Cell
from sapper.core.grid import Grid
from sapper.core.rng import Rng
from sapper.core.rules import RULES, Start
from sapper.game.game import Game
from sapper.generator.uniform import UniformSource
from sapper.solver.analysis import analyse
from sapper.solver.strategies.best_reply import BestReplyStrategy

NO_ENDGAME = batch.PLAYOUTS._replace(layouts=0)
# Three layouts are left; the least risk alone says (5, 0), which wins one of them.
STUCK = ("...1##", "...13#", "....2#", "221.1#", "##2111", "###1##")


def _tiles(rows: tuple[str, ...]) -> bytes:
    return bytes(".12345678#".index(tile) for row in rows for tile in row)


def _decider(rows: tuple[str, ...], parts: batch.GuessParts) -> deciding.Decider:
    grid = Grid(len(rows[0]), len(rows))
    return deciding.Decider(*grid.table, grid.width, parts)


@pytest.mark.parametrize("mines", [6, 9])
def test_layouts_are_drawn_uniformly(mines: int) -> None:
    """Every layout comes up as often as its share says, within five standard errors; the seed is fixed."""
    rows = ("#######", "##1#1##", "#######", "###2###")
    tiles, decider = _tiles(rows), _decider(rows, NO_ENDGAME)
    starts, cells = Grid(7, 4).table
    decider.begin(tiles, mines)
    drawn = 40_000
    shares: Counter[int] = Counter()
    for _ in range(drawn):
        assert decider.draw()
        mapped = string_at(decider.decision.mapped, len(tiles))
        assert sum(mapped) == mines
        for cell, tile in enumerate(tiles):
            if tile < 9:
                assert not mapped[cell]
                assert sum(mapped[near] for near in cells[starts[cell] : starts[cell + 1]]) == tile
        shares.update(cell for cell, mine in enumerate(mapped) if mine)
    exact = analyse_plane(tiles, 7, 4, mines)
    chances = {cell: group.numerator / exact.census for group in exact.groups for cell in group.cells}
    for cell, tile in enumerate(tiles):
        if tile == 9:
            chance = chances[cell]
            error = max((chance * (1 - chance) / drawn) ** 0.5, 1e-9)
            assert abs(shares[cell] / drawn - chance) < 5 * error


def test_what_the_guesses_win_is_told_where_playouts_compared_them() -> None:
    decider = _decider(STUCK, NO_ENDGAME)
    chosen = decider.choose(_tiles(STUCK), 8)
    wins = decider.wins()
    assert all(0 < win < 1 for win in wins.values())
    assert wins[chosen] == pytest.approx(max(wins.values()), abs=0.05)
    replies = _decider(STUCK, batch.BEST_REPLY._replace(layouts=0))
    assert replies.choose(_tiles(STUCK), 8) in wins
    assert replies.wins() == {}


def test_playouts_find_the_move_that_wins_most() -> None:
    decider = _decider(STUCK, NO_ENDGAME)
    grid = Grid(6, 6)
    assert grid.xy(decider.choose(_tiles(STUCK), 8)) in {(4, 5), (5, 5), (1, 5)}
    assert decider.decision.used > 0


def test_a_budget_is_kept_and_repeats_itself() -> None:
    rows = ("#" * 9,) * 4 + ("####1####",) + ("#" * 9,) * 4
    tiles = _tiles(rows)
    chosen = set()
    for _ in range(2):
        decider = _decider(rows, batch.PLAYOUTS._replace(playouts=300))
        chosen.add(decider.choose(tiles, 10))
        assert 0 < decider.decision.used <= 300
    assert len(chosen) == 1


def test_guesses_that_are_kept_change_no_outcome() -> None:
    rows = ("#" * 9,) * 4 + ("####1####",) + ("#" * 9,) * 4
    values = []
    for forgets in (False, True):
        decider = _decider(rows, batch.PLAYOUTS)
        decision = decider.decision
        decider.begin(_tiles(rows), 10)
        for _ in range(50):
            if forgets:
                memset(decision.kept, 0, 8 * decision.kept_size)
            assert decider.play(1) == 1
        rows_of = range(decision.candidates)
        values.append([string_at(decision.value + 8 * decision.most_layouts * row, 8 * 50) for row in rows_of])
        assert any(string_at(decision.kept, 8 * decision.kept_size))
    assert values[0] == values[1]


def test_a_guess_that_is_survived_on_another_layout_counts_by_its_chance() -> None:
    """The mean over drawn layouts is the share of all layouts that are won, if each is played once and lost where a mine is hit."""
    rows = ("######", "##2###", "######", "###1##")
    tiles, mines, grid = _tiles(rows), 5, Grid(6, 4)
    covered = [cell for cell, tile in enumerate(tiles) if tile == 9]
    fitting = [
        layout
        for layout in map(set, combinations(covered, mines))
        if all(
            tile == 9 or sum(near in layout for near in grid.neighbours(cell)) == tile
            for cell, tile in enumerate(tiles)
        )
    ]
    player = _decider(rows, PLAYED)
    for guess in (0, 7):
        won = [_is_won(player, grid, tiles, layout, guess) for layout in fitting[::3]]
        decider = _decider(rows, batch.PLAYOUTS)
        assert decider.compare(tiles, mines, [guess, 23]) == guess
        assert decider.play(3_000) == 3_000
        decider.weigh()
        (score,) = (c_double * 1).from_address(decider.decision.score)
        share = sum(won) / len(won)
        assert abs(score - share) < 5 * (share * (1 - share) / len(won)) ** 0.5


def _is_won(player: deciding.Decider, grid: Grid, tiles: bytes, layout: set[int], guess: int) -> bool:
    """Whether `best-reply`, as it plays layouts out, wins this one after a guess."""
    clues = [
        9 if cell in layout else sum(near in layout for near in grid.neighbours(cell)) for cell in range(grid.size)
    ]
    seen, cell = bytearray(tiles), guess
    while clues[cell] != 9:
        waiting = [cell]
        while waiting:
            one = waiting.pop()
            if seen[one] == 9:
                seen[one] = clues[one]
                waiting += grid.neighbours(one) if clues[one] == 0 else []
        if seen.count(9) == len(layout):
            return True
        cell = player.choose(bytes(seen), len(layout))
    return False


def test_the_caller_can_end_it() -> None:
    rows = ("#" * 9,) * 4 + ("####1####",) + ("#" * 9,) * 4
    decider = _decider(rows, batch.PLAYOUTS)
    asked = count()
    assert decider.choose(_tiles(rows), 10, lambda: next(asked) < 5) >= 0
    assert decider.decision.layouts == 5
    usual = decider.choose(_tiles(rows), 10, lambda: False)
    assert usual >= 0
    assert decider.decision.layouts == 0


def test_a_board_that_no_layout_fits() -> None:
    assert _decider(("#8#",), batch.PLAYOUTS).choose(_tiles(("#8#",)), 1) == -1


def test_thinking_ends_when_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock moves a millisecond each time that it is looked at, so that the last layout is not begun in the last one."""
    looks = count()
    monkeypatch.setattr(deciding, "monotonic", lambda: next(looks) / 1000)
    rows = ("#" * 9,) * 4 + ("####1####",) + ("#" * 9,) * 4
    decider = _decider(rows, batch.PLAYOUTS._replace(milliseconds=30))
    assert decider.choose(_tiles(rows), 10) >= 0
    assert 28 <= next(looks) <= 32
    assert 20 <= decider.decision.layouts <= 30


def test_a_reveal_is_played_out_as_long_as_there_is_time(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = count()
    monkeypatch.setattr(deciding, "monotonic", lambda: next(looks) / 1000)
    rows = ("#" * 9,) * 4 + ("####1####",) + ("#" * 9,) * 4
    for milliseconds, is_known in ((60, True), (20, False)):
        decider = _decider(rows, batch.PLAYOUTS._replace(milliseconds=milliseconds))
        assert (decider.win(_tiles(rows), 10, 0, 500) is not None) == is_known
        assert milliseconds - 10 <= decider.decision.layouts <= milliseconds


def test_the_opinions_come_first_and_are_those_of_the_twins() -> None:
    """They are compared, with rivals after them."""
    grid, found = Grid(20, 12), Counter[int]()
    decider = deciding.Decider(*grid.table, 20, batch.SECOND_OPINION)
    for number in range(12):
        game = Game(
            rules=replace(RULES["classic"], start=Start.SAFE), source=UniformSource(grid, 50, number, Start.SAFE)
        )
        game.reveal(Cell(0))
        while not game.status.ended:
            chosen = decider.choose(game.board.tiles, 50)
            analysis = analyse(game.board)
            if decider.decision.candidates:
                heuristics = (batch.BEST_REPLY, *batch.OTHER_OPINIONS)
                opinions = [BestReplyStrategy(Rng(1), parts).best(analysis) for parts in heuristics]
                cells = [one.cell for one in opinions if one is not None]
                listed = array("i", string_at(decider.decision.cell, 4 * decider.decision.candidates)).tolist()
                opinions_listed = listed[: decider.decision.opinions]
                assert opinions_listed == list(dict.fromkeys(cells))
                assert len(listed) <= len(opinions_listed) + batch.SECOND_OPINION.rivals
                assert chosen in listed
                assert (decider.decision.used > 0) == (len(listed) > 1)
                assert decider.decision.used <= batch.SECOND_OPINION.playouts
                found[len(opinions_listed)] += 1
            game.reveal(chosen)
    assert found[1] > 10
    assert found[2] > 2


def test_given_guesses_are_compared() -> None:
    decider, grid = _decider(STUCK, NO_ENDGAME), Grid(6, 6)
    better, worse = grid.cell(4, 5), grid.cell(5, 0)
    assert decider.compare(_tiles(STUCK), 8, [worse, better]) == worse
    decider.play(200)
    assert decider.weigh() == 1
    assert decider.settle(1) == better
    assert decider.compare(_tiles(STUCK), 8, [0]) == -1


def test_a_guess_that_is_not_scored_yet_is_not_told_apart() -> None:
    """Whatever another guess in its place was on the board before."""
    decider, cells = _decider(STUCK, NO_ENDGAME), [Grid(6, 6).cell(5, 0), Grid(6, 6).cell(4, 5)]
    for is_weighed in (True, False):
        decider.compare(_tiles(STUCK), 8, cells)
        decider.play(40)
        if is_weighed:
            decider.weigh()
        assert (decider.apart(0, 1)[1] >= 0) == is_weighed


def test_of_more_than_two_guesses_the_better_half_stays() -> None:
    rows = ("#" * 9,) * 4 + ("####1####",) + ("#" * 9,) * 4
    decider = _decider(rows, batch.PLAYOUTS)
    decider.begin(_tiles(rows), 10)
    before = decider.decision.left
    assert before > 3
    decider.play(64)
    decider.weigh()
    assert 1 <= decider.decision.left <= (before + 1) // 2


def test_a_decisions_work_is_bounded_but_for_the_first_layouts() -> None:
    """By the clock it is not: there the caller looks at it."""
    rows = ("#" * 9,) * 4 + ("####1####",) + ("#" * 9,) * 4
    played = []
    for playouts, milliseconds in ((1, 0), (8, 0), (1, 1)):
        decider = _decider(rows, batch.PLAYOUTS._replace(playouts=playouts, milliseconds=milliseconds))
        decider.begin(_tiles(rows), 10)
        played.append([decider.play(100), decider.play(100)])
    # Sixteen layouts are played if that is not four times the work.
    assert played == [[2, 0], [16, 0], [100, 100]]
