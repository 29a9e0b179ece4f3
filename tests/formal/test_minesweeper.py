"""The operations of the formal specification and their pre-conditions."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings

from sapper.core.cells import CellSet
from sapper.core.grid import Grid
from sapper.core.move import Move
from sapper.core.preset import PRESETS, Preset
from sapper.core.rules import RULES
from sapper.core.status import Status
from sapper.errors import AccessError, CellError, IllegalMoveError, InvalidValueError, MoveFault, UnknownNameError
from sapper.formal.minesweeper import FormalGame, FormalTile, GameCounts, MemoryCounts, Minesweeper
from sapper.game.game import Game
from sapper.game.layout import Layout
from sapper.game.referee import Referee
from sapper.game.source import FixedLayout
from tests.playing import Script, play
from tests.refusals import refused
from tests.strategies import layouts, scripts


def _safe(minesweeper: Minesweeper, game: FormalGame) -> list[FormalTile]:
    """The tiles that are no mines, found by playing a game with the same number to its end."""
    twin = Minesweeper(seed=7, counts=MemoryCounts(played=minesweeper.games_played() - 1))
    layout = twin.terminate_game(twin.start_game()).layout
    return [tile for tile in game.tiles() if tile.cell not in layout.mines]


def _win(minesweeper: Minesweeper) -> FormalGame:
    game = minesweeper.start_game()
    for tile in _safe(minesweeper, game):
        if not tile.is_revealed:
            minesweeper.reveal(tile)
    return game


def _lose(minesweeper: Minesweeper) -> FormalGame:
    game = minesweeper.start_game()
    safe = _safe(minesweeper, game)
    minesweeper.reveal(next(tile for tile in game.tiles() if tile not in safe))
    return game


def test_a_game_is_the_specifications() -> None:
    game = Minesweeper(seed=7).start_game()
    assert len(list(game.tiles())) == 100
    assert (game.mines(), game.flags(), game.status) == (15, 0, Status.READY)
    assert all(tile.is_hidden for tile in game.tiles())


@pytest.mark.parametrize("end", [_win, _lose, lambda one: one.terminate_game(one.start_game())])
def test_only_one_game_is_unfinished(end: Callable[[Minesweeper], FormalGame]) -> None:
    """start_game and [V.Game.only_one_uncompleted_game]"""
    minesweeper = Minesweeper(seed=7)
    assert end(minesweeper).is_ended
    game = minesweeper.start_game()
    for act in (lambda: None, lambda: minesweeper.flag(game.tile(0, 0))):
        act()
        with pytest.raises(IllegalMoveError, match="a game is still unfinished: end it, or terminate it"):
            minesweeper.start_game()
    assert minesweeper.games_played() == 2
    minesweeper.terminate_game(game)
    assert minesweeper.start_game() is not game


def test_one_unfinished_game_is_per_player() -> None:
    one, other = Minesweeper(seed=7), Minesweeper(seed=7)
    one.start_game()
    assert not other.start_game().is_ended
    assert (one.games_played(), other.games_played()) == (1, 1)


def test_other_rules_allow_several() -> None:
    minesweeper = Minesweeper(seed=7, preset="beginner")
    one, other = minesweeper.start_game(), minesweeper.start_game()
    assert not one.is_ended
    assert not other.is_ended
    assert minesweeper.games_played() == 2


def test_terminate_game() -> None:
    minesweeper = Minesweeper(seed=7)
    game = minesweeper.start_game()
    assert minesweeper.terminate_game(game) is game
    assert game.status is Status.TERMINATED
    with refused(MoveFault.GAME_OVER, "the game is over: it was given up"):
        minesweeper.terminate_game(game)
    assert (minesweeper.games_played(), minesweeper.games_won()) == (1, 0)


def test_reveal_flag_and_remove_flag() -> None:
    minesweeper = Minesweeper(seed=7)
    game = minesweeper.start_game()
    one, other = _safe(minesweeper, game)[:2]
    assert minesweeper.flag(one).is_flagged
    with refused(MoveFault.FLAGGED, "remove the flag to reveal it"):
        minesweeper.reveal(one)
    with refused(MoveFault.FLAGGED, "is flagged already"):
        minesweeper.flag(one)
    with refused(MoveFault.NOT_FLAGGED, "has no flag to remove"):
        minesweeper.remove_flag(other)
    assert minesweeper.remove_flag(one).is_hidden
    assert minesweeper.reveal(one).is_revealed
    for operation in (minesweeper.reveal, minesweeper.flag, minesweeper.remove_flag):
        with refused(MoveFault.REVEALED, "is revealed already"):
            operation(one)


@pytest.mark.parametrize("end", [_win, _lose, lambda one: one.terminate_game(one.start_game())])
def test_nothing_can_be_done_after_the_end(end: Callable[[Minesweeper], FormalGame]) -> None:
    minesweeper = Minesweeper(seed=7)
    game = end(minesweeper)
    before = game.board
    for tile in game.tiles():
        for operation in (minesweeper.reveal, minesweeper.flag, minesweeper.remove_flag):
            with refused(MoveFault.GAME_OVER):
                operation(tile)
    with refused(MoveFault.GAME_OVER):
        minesweeper.terminate_game(game)
    assert game.board == before


def test_games_are_counted() -> None:
    """games_played and games_won"""
    minesweeper = Minesweeper(seed=7)
    assert (minesweeper.games_played(), minesweeper.games_won()) == (0, 0)
    for end, counts in (
        (_win, (1, 1)),
        (_lose, (2, 1)),
        (lambda one: one.terminate_game(one.start_game()), (3, 1)),
        (_win, (4, 2)),
    ):
        assert isinstance(end(minesweeper), FormalGame)
        assert (minesweeper.games_played(), minesweeper.games_won()) == counts
    minesweeper.start_game()
    assert minesweeper.games_played() == 5


def test_flagging_all_mines_wins_too() -> None:
    minesweeper = Minesweeper(seed=7)
    game = minesweeper.start_game()
    safe = _safe(minesweeper, game)
    mined = [tile for tile in game.tiles() if tile not in safe]
    minesweeper.flag(safe[0])
    for tile in mined:
        minesweeper.flag(tile)
    assert game.status is Status.PLAYING
    minesweeper.remove_flag(safe[0])
    assert (game.status.value, minesweeper.games_won()) == ("won", 1)


def test_counts_and_games_go_on_after_a_restart() -> None:
    counts = MemoryCounts()
    first = Minesweeper(seed=7, counts=counts)
    _win(first)
    unfinished = first.start_game()
    again = Minesweeper(seed=7, counts=MemoryCounts(played=counts.played, won=counts.won))
    assert (again.games_played(), again.games_won()) == (2, 1)  # the unfinished one: played, not won
    third = again.terminate_game(again.start_game())
    first.terminate_game(unfinished)
    assert third.layout != unfinished.layout
    assert first.terminate_game(first.start_game()).layout == third.layout


def test_any_preset_and_its_errors() -> None:
    preset = Preset(name="full", rules=RULES["formal"], width=10, height=10, mine_counts=(100,))
    assert Minesweeper(seed=1, preset=preset).start_game().mines() == 100
    assert Minesweeper(seed=1, preset=PRESETS["kata"]).start_game().mines() in (1, 3)
    with pytest.raises(UnknownNameError):
        Minesweeper(seed=1, preset="formel")
    with pytest.raises(InvalidValueError):
        Minesweeper(seed=-1)


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


def test_counts_go_on_from_what_they_were() -> None:
    counts: GameCounts = MemoryCounts()
    assert (counts.played, counts.won) == (0, 0)
    first, second = (counts.record_start(one_game=False) for _ in range(2))
    counts.record_end(second, Status.LOST)
    counts.record_end(first, Status.WON)
    counts.record_end(first, Status.WON)
    assert (counts.played, counts.won) == (2, 1)
    later = MemoryCounts(played=counts.played, won=counts.won)
    later.record_end(later.record_start(one_game=True), Status.TERMINATED)
    assert (later.played, later.won) == (3, 1)
