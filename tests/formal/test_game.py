"""Game and tile with the specification's names."""

import pytest
from hypothesis import given, settings

from sapper.core.cells import CellSet
from sapper.core.grid import Grid
from sapper.core.move import Move
from sapper.core.rules import RULES
from sapper.core.status import Status
from sapper.errors import AccessError, CellError, MoveFault
from sapper.formal.counts import MemoryCounts
from sapper.formal.game import FormalGame
from sapper.game.game import Game
from sapper.game.layout import Layout
from sapper.game.referee import Referee
from sapper.game.source import FixedLayout
from tests.playing import Script, play
from tests.refusals import refused
from tests.strategies import layouts, scripts

FORMAL = RULES["formal"]


def _game(layout: Layout) -> tuple[FormalGame, Referee]:
    referee = Referee(rules=FORMAL, source=FixedLayout(layout))
    return FormalGame(Game.of(referee), MemoryCounts(), "a game"), referee


@settings(max_examples=30)
@given(layouts(Grid(10, 10)), scripts())
def test_mines_and_flags_are_counts_from_0_to_100(layout: Layout, script: Script) -> None:
    """mines(): (0..100) and flags(): (0..100)"""
    game, referee = _game(layout)
    for step in play(referee, script):
        assert game.mines() == len(layout.mines)
        assert game.flags() == sum(tile.is_flagged for tile in game.tiles()) == len(step.after.flagged)
        assert 0 <= game.mines() <= 100
        assert 0 <= game.flags() <= 100


@settings(max_examples=15)
@given(layouts(Grid(4, 3)), layouts(Grid(4, 3)))
def test_is_adjacent_is_one_step_in_the_same_game(layout: Layout, other_layout: Layout) -> None:
    """is_adjacent(tile: Tile): Boolean"""
    game, _ = _game(layout)
    other, _ = _game(other_layout)
    for one in game.tiles():
        for two in game.tiles():
            steps = max(abs(one.x - two.x), abs(one.y - two.y))
            assert one.is_adjacent(two) == (steps == 1)
            assert not one.is_adjacent(other.tile(two.x, two.y))


@given(layouts(), scripts())
def test_adjacent_mines_is_known_of_revealed_empty_tiles_only(layout: Layout, script: Script) -> None:
    """adjacent_mines(): (0..8)"""
    game, referee = _game(layout)
    list(play(referee, script))
    for tile in game.tiles():
        if tile.is_revealed and tile.cell not in layout.mines:
            beside = [near for near in game.tiles() if near.is_adjacent(tile)] if layout.grid.is_plane else None
            if beside is not None:
                assert tile.adjacent_mines() == sum(near.cell in layout.mines for near in beside)
            assert 0 <= tile.adjacent_mines() <= 8
        else:
            with pytest.raises(AccessError):
                tile.adjacent_mines()


@given(layouts(), scripts())
def test_a_tile_is_hidden_or_flagged_or_revealed(layout: Layout, script: Script) -> None:
    game, referee = _game(layout)
    for step in play(referee, script):
        for tile in game.tiles():
            assert tile.is_hidden + tile.is_flagged + tile.is_revealed == 1
            assert tile.is_revealed == (tile.cell in step.after.revealed)
            assert (tile.x, tile.y) == layout.grid.xy(tile.cell)
            assert game.tile(tile.x, tile.y) == tile


def test_a_game_says_what_changed_and_how_it_stands() -> None:
    game, _ = _game(Layout(Grid(3, 1), CellSet.of([0])))
    assert (game.last_update.is_empty, game.status, game.is_ended) == (True, Status.READY, False)
    with pytest.raises(AccessError):
        game.layout  # noqa: B018
    update = game.play(Move.reveal(1))
    assert game.last_update is update
    assert len(update) == 1
    with refused(MoveFault.REVEALED):
        game.play(Move.reveal(1))
    assert game.last_update is update
    game.play(Move.flag(0))
    assert (game.status, game.is_ended, game.board.flag_count) == (Status.WON, True, 1)
    assert game.layout.mines == {0}


def test_a_tile_off_the_board() -> None:
    game, _ = _game(Layout(Grid(3, 1), CellSet.of([0])))
    with pytest.raises(CellError, match=r"\(0, 1\) is off the board"):
        game.tile(0, 1)
    assert "mines" not in repr(game.tile(0, 0))
