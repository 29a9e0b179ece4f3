"""The invariants of the formal specification, checked against random games.

At-most-one and loss hold in every rule set; revealed-empty where cascades spread over eight neighbours and clear flags;
victory and only-one-unfinished in `formal`; the ranges 0..100 at 10×10. They are written as the specification writes them,
over tiles, and not with the engine's own counts.
"""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings, strategies as st

from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.grid import Grid
from sapper.core.move import Move
from sapper.core.preset import Preset
from sapper.core.rules import RULES, Rules, Start
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.errors import IllegalMoveError
from sapper.formal.minesweeper import FormalGame, Minesweeper
from sapper.game.layout import Layout
from sapper.game.referee import Referee
from sapper.game.source import FixedLayout
from sapper.generator.uniform import UniformSource
from tests.playing import Script, play
from tests.strategies import any_rules, custom_rules, layouts, scripts, seeds

every_rules = pytest.mark.parametrize("rules", RULES.values(), ids=RULES)

Positions = Iterator[tuple[Board, Layout]]


def _positions(rules: Rules, layout: Layout, script: Script, *, late: bool) -> Positions:
    """The boards of a game once its layout is drawn, with the truth beside each."""
    source = UniformSource(layout.grid, layout.mine_count, 11, rules.start) if late else FixedLayout(layout)
    referee = Referee(rules=rules, source=source)
    if referee.layout is not None:
        yield referee.board, referee.layout
    for step in play(referee, script):
        if referee.layout is not None:
            yield step.after, referee.layout


def _revealed(board: Board, cell: int) -> bool:
    return board.tile(cell).is_revealed


def _at_most_one_and_loss(board: Board, layout: Layout) -> None:
    revealed_mines = [mine for mine in layout.mines if _revealed(board, mine)]
    assert len(revealed_mines) <= 1
    assert (board.status is Status.LOST) == bool(revealed_mines)
    shown = board.show(layout.mines) if board.status.ended else board
    assert [mine for mine in layout.mines if _revealed(shown, mine)] == revealed_mines


@every_rules
@given(layout=layouts(), script=scripts(40), late=st.booleans())
def test_at_most_one_uncovered_mine_and_loss(rules: Rules, layout: Layout, script: Script, late: bool) -> None:
    """[V.Game.at_most_one_uncovered_mine] and [V.Game.loss_condition]"""
    for board, truth in _positions(rules, layout, script, late=late):
        _at_most_one_and_loss(board, truth)


@pytest.mark.parametrize("rules", [rules for rules in RULES.values() if rules.chording], ids=lambda rules: rules.name)
def test_a_chord_with_wrong_flags_uncovers_one_mine_only(rules: Rules) -> None:
    """Two mines beside a 2, and two wrong flags: the chord meets the first of them, and that is the end."""
    layout = Layout(Grid(3, 3), CellSet.of((0, 2)))
    referee = Referee(rules=rules, source=FixedLayout(layout))
    referee.play(Move.reveal(Cell(4)))
    for wrong in (6, 8):
        referee.play(Move.flag(Cell(wrong)))
    referee.play(Move.chord(Cell(4)))
    assert [_revealed(referee.board, mine) for mine in (0, 2)] == [True, False]
    assert referee.status is Status.LOST
    _at_most_one_and_loss(referee.board, layout)


@given(custom_rules(), layouts(), scripts(40), st.booleans())
def test_so_it_is_with_any_rules(rules: Rules, layout: Layout, script: Script, late: bool) -> None:
    """[V.Game.at_most_one_uncovered_mine] and [V.Game.loss_condition]"""
    for board, truth in _positions(rules, layout, script, late=late):
        _at_most_one_and_loss(board, truth)


@given(any_rules(), layouts(), scripts(40), st.booleans())
def test_a_revealed_empty_tile_reveals_its_neighbours(rules: Rules, layout: Layout, script: Script, late: bool) -> None:
    """[V.Empty.revealed_empty_tile_reveals_adjacents], where cascades spread over eight and clear flags"""
    rules = rules.replace(spread=8, cascade_clears_flags=True)
    for board, truth in _positions(rules, layout, script, late=late):
        for safe in range(board.grid.size):
            if _revealed(board, safe) and not truth.is_mine(safe) and truth.clue(safe) == 0:
                assert all(_revealed(board, adjacent) for adjacent in board.grid.neighbours(safe))


@given(layouts(), scripts(40))
def test_victory(layout: Layout, script: Script) -> None:
    """[V.Game.victory_condition], from the first move on"""
    for board, truth in _positions(RULES["formal"], layout, script, late=False):
        tiles = range(board.grid.size)
        empty = [tile for tile in tiles if not truth.is_mine(tile)]
        mines = [tile for tile in tiles if truth.is_mine(tile)]
        all_mines_flagged = all(board.tile(mine) is Tile.FLAGGED for mine in mines)
        no_empty_flagged = not any(board.tile(tile) is Tile.FLAGGED for tile in empty)
        all_empty_revealed = all(_revealed(board, tile) for tile in empty)
        lost = any(_revealed(board, mine) for mine in mines)
        if board.status is Status.READY:
            continue
        victory = (all_mines_flagged and no_empty_flagged) or all_empty_revealed
        assert (board.status is Status.WON) == (victory and not lost)


@pytest.mark.parametrize("mines", [0, 15, 100])
@settings(max_examples=30)
@given(seed=seeds, script=scripts())
def test_the_ranges_at_10_by_10(mines: int, seed: int, script: Script) -> None:
    """mines(): (0..100), flags(): (0..100), adjacent_mines(): (0..8)"""
    grid = Grid(10, 10)
    referee = Referee(rules=RULES["formal"], source=UniformSource(grid, mines, seed, Start.ANY))
    for step in play(referee, script):
        assert 0 <= step.after.mine_count <= 100
        assert 0 <= step.after.flag_count <= 100
        for cell in range(100):
            if step.after.tile(cell).is_clue:
                assert 0 <= step.after.clue(cell) <= 8


@given(seeds, st.lists(st.sampled_from(["start", "terminate", "play"]), max_size=25), scripts(8))
def test_only_one_uncompleted_game(seed: int, actions: list[str], script: Script) -> None:
    """[V.Game.only_one_uncompleted_game], and what games_played and games_won count"""
    preset = Preset(name="small", rules=RULES["formal"], width=3, height=3, mine_counts=(1, 8))
    minesweeper = Minesweeper(seed=seed, preset=preset)
    games: list[FormalGame] = []
    for action in actions:
        running = [game for game in games if not game.is_ended]
        if action == "start" and running:
            with pytest.raises(IllegalMoveError):
                minesweeper.start_game()
        elif action == "start":
            games.append(minesweeper.start_game())
        elif running and action == "terminate":
            minesweeper.terminate_game(running[0])
        elif running:
            _play_on(running[0], script)
        assert len([game for game in games if not game.is_ended]) <= 1
        assert minesweeper.games_played() == len(games) >= minesweeper.games_won() >= 0
        assert minesweeper.games_won() == len([game for game in games if game.status is Status.WON])


def _play_on(game: FormalGame, script: Script) -> None:
    for _, number in script:
        moves = [move for move in game.board.legal_moves if move.action.name != "TERMINATE"]
        if moves:
            game.play(moves[number % len(moves)])
