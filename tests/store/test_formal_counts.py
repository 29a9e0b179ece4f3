"""Counts of games that survive a restart, for the formal specification's operations."""

import gc
import itertools
import os
import subprocess
import sys
import time

import pytest

from sapper.core.preset import find_preset
from sapper.core.status import Status
from sapper.errors import IllegalMoveError
from sapper.formal.minesweeper import GameCounts, Minesweeper
from sapper.store.formal_counts import StoreCounts
from sapper.store.models import GameKind, Result
from sapper.store.repository import Store, open_store
from tests.stored import BEGIN, stored

_KEYS = itertools.count()


def _counts(store: Store, *, player: str = "ann", records: bool = True) -> GameCounts:
    kind = GameKind.of(find_preset("formal"))
    return StoreCounts(
        store, kind=kind, player=player, face="web", now=lambda: BEGIN, new_key=lambda: f"key {next(_KEYS)}", records=records
    )  # fmt: skip


def test_counts_go_on_after_a_restart(address: str) -> None:
    with open_store(address) as store:
        minesweeper = Minesweeper(seed=1, counts=_counts(store))
        game = minesweeper.start_game()
        minesweeper.terminate_game(game)
        minesweeper.start_game()
        assert (minesweeper.games_played(), minesweeper.games_won()) == (2, 0)
    # That game was never ended: a crash.
    with open_store(address) as store:
        minesweeper = Minesweeper(seed=1, counts=_counts(store))
        assert (minesweeper.games_played(), minesweeper.games_won()) == (2, 0)
        counts = _counts(store)
        key = counts.record_start(one_game=True)
        counts.record_end(key, Status.WON)
        counts.record_end(key, Status.LOST)
        assert (minesweeper.games_played(), minesweeper.games_won()) == (3, 1)
        assert [game.result for game in store.games()] == [Result.TERMINATED, Result.TERMINATED, Result.WON]
        assert _counts(store, player="bob").played == 0


def test_two_objects_of_a_player_have_one_unfinished_game(address: str) -> None:
    with open_store(address) as store, open_store(address) as other_store:
        one, other = Minesweeper(seed=1, counts=_counts(store)), Minesweeper(seed=1, counts=_counts(other_store))
        game = one.start_game()
        here = rf"unfinished elsewhere: host \S+, process {os.getpid()}; end it"
        for again in (other, Minesweeper(seed=2, counts=_counts(store))):
            with pytest.raises(IllegalMoveError, match=here):
                again.start_game()
        assert other.games_played() == 1
        bob = Minesweeper(seed=1, counts=_counts(store, player="bob"))
        bob.start_game()
        one.terminate_game(game)
        lost = other.start_game()
        with pytest.raises(IllegalMoveError):
            one.start_game()
        del other, again, lost  # nobody can play that one on
        gc.collect()
        one.start_game()
        results = [(game.player, game.result) for game in store.games()]
        assert results == [
            ("ann", Result.TERMINATED), ("bob", Result.PLAYING), ("ann", Result.TERMINATED), ("ann", Result.PLAYING)
        ]  # fmt: skip


_PLAY = """
import sys
from tests.store.test_formal_counts import formal_of, open_store
with open_store(sys.argv[1]) as store:
    game = formal_of(store, sys.argv[2]).start_game()
    print("started", flush=True)
    sys.stdin.read()
"""


def test_a_game_of_another_process_is_live_until_that_is_killed(address: str) -> None:
    play = subprocess.Popen(
        [sys.executable, "-c", _PLAY, address, "theirs"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert play.stdout is not None
        assert play.stdout.readline() == "started\n"
        with open_store(address) as store:
            mine = formal_of(store, "mine")
            with pytest.raises(IllegalMoveError, match=rf"process {play.pid};"):
                mine.start_game()
            assert [game.result for game in store.games()] == [Result.PLAYING]
            play.kill()
            play.wait()
            _wait_until_free(mine)
            assert {game.key: game.result for game in store.games()} == {
                "theirs": Result.TERMINATED, "mine": Result.PLAYING
            }  # fmt: skip
            assert (mine.games_played(), mine.games_won()) == (2, 0)
    finally:
        play.kill()
        play.communicate()


def _wait_until_free(minesweeper: Minesweeper) -> None:
    """PostgreSQL notices some moments later that a process has gone."""
    for _ in range(3_000):
        try:
            minesweeper.start_game()
        except IllegalMoveError:
            time.sleep(0.02)
        else:
            return
    pytest.fail("the game of a process that was killed stays unfinished")


def formal_of(store: Store, key: str) -> Minesweeper:
    """Ann's, whose next game has that key."""
    kind = GameKind.of(find_preset("formal"))
    counts = StoreCounts(store, kind=kind, player="ann", face="web", now=lambda: BEGIN, new_key=lambda: key)
    return Minesweeper(seed=1, counts=counts)


def test_rules_that_allow_several_games_hold_nobody_back(store: Store) -> None:
    one, other = (Minesweeper(seed=1, preset="beginner", counts=_counts(store)) for _ in range(2))
    games = [one.start_game(), other.start_game(), one.start_game()]
    one.terminate_game(games[0])
    assert [game.result for game in store.games()] == [Result.TERMINATED, Result.PLAYING, Result.PLAYING]


def test_a_face_that_records_its_games_itself(store: Store) -> None:
    counts = _counts(store, records=False)
    counts.record_end(counts.record_start(one_game=True), Status.WON)
    assert counts.played == 0
    store.record_many(
        [stored("a", player="ann"), stored("b", player="ann", hints=1), stored("c", player="ann", debugged=True)]
    )
    assert (counts.played, counts.won) == (2, 2)
