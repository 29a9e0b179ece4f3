"""The operations of the formal specification and their pre-conditions."""

from collections.abc import Callable

import pytest

from sapper.core.preset import PRESETS, Preset
from sapper.core.rules import RULES
from sapper.core.status import Status
from sapper.errors import IllegalMoveError, InvalidValueError, MoveFault, UnknownNameError
from sapper.formal.counts import MemoryCounts
from sapper.formal.game import FormalGame, FormalTile
from sapper.formal.minesweeper import Minesweeper
from tests.refusals import refused


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
    with refused(MoveFault.GAME_OVER, "the game is over: it was terminated"):
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
