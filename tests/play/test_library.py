"""The unfinished games of a player: listed as they stand, gone on with where they were, and so many at a time."""

from datetime import UTC, datetime, timedelta
from itertools import count

import pytest

from sapper.core.cells import Cell
from sapper.core.preset import find_preset
from sapper.core.status import Status
from sapper.errors import RecordError, RequestError
from sapper.play.game_parts import GameOptions
from sapper.play.library import GameLibrary, check_room, listed_game
from sapper.play.ports import GamePorts, InlineJobs
from sapper.play.writer import Writer
from sapper.session.game_request import GameRequest
from sapper.session.inputs import Verb
from sapper.session.kinds import kind_of
from sapper.store.models import ListedSession, SessionState
from sapper.store.repository import Store
from tests.sessions import HandClock
from tests.stored import BEGIN

PATIENCE = 60.0
BEGINNER = GameRequest(preset=find_preset("beginner"))


def test_games_are_listed_gone_on_with_and_forgotten(store: Store) -> None:
    clock, times, writer = HandClock(), count(), Writer(store)
    ports = GamePorts(
        jobs=InlineJobs(), sink=writer, now=lambda: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=next(times))
    )
    ann, bob = (
        GameLibrary(name, store, ports=ports, options=GameOptions(face="test"), clock=clock) for name in ("ann", "bob")
    )
    first = ann.new(BEGINNER, key="first", seed=7)
    first.do(Verb.LEFT, Cell(40))
    clock.now = 1_500
    first.do(Verb.RIGHT, next(iter(first.session.board.covered)))
    first.do(Verb.PAUSE)
    second = ann.new(GameRequest(preset=find_preset("expert"), seed=3), key="second", seed=8)
    second.do(Verb.PAUSE)
    second.do(Verb.GO_ON)
    ended = ann.new(BEGINNER, key="ended", seed=9)
    ended.do(Verb.LEFT, Cell(40))
    ended.do(Verb.TERMINATE)
    assert writer.flush(PATIENCE)
    assert ann.unfinished() == [listed_game(second), listed_game(first)]
    assert (bob.unfinished(), second.session.assistance.seen) == ([], True)
    listed = ann.unfinished()[1]
    assert (listed.title, listed.state.elapsed, listed.state.flags, listed.state.paused) == ("Beginner", 1_500, 1, True)
    with pytest.raises(RecordError, match="no such saved game"):
        bob.resume("first")
    again = ann.resume("first")
    assert (again.session.is_paused, again.referee.board) == (True, first.referee.board)
    again.do(Verb.GO_ON)
    again.do(Verb.UNDO)
    assert writer.flush(PATIENCE)
    assert ann.resume("first").referee.board == again.referee.board
    ann.drop("first")
    assert writer.flush(PATIENCE)
    assert [one.key for one in ann.unfinished()] == ["second"]
    assert writer.close(PATIENCE) == 0


def _listed(key: str, status: Status, preset: str = "beginner") -> ListedSession:
    kind = kind_of(GameRequest(preset=find_preset(preset)).game(1))
    return ListedSession(key, "", kind, BEGIN, SessionState(status))


def test_by_some_rules_there_is_one_unfinished_game() -> None:
    formal = GameRequest(preset=find_preset("formal"))
    check_room(formal, [_listed("a", Status.PLAYING)])
    check_room(BEGINNER, [_listed("a", Status.PLAYING, "formal")])
    with pytest.raises(RequestError, match="one unfinished game at a time"):
        check_room(formal, [_listed("a", Status.PLAYING), _listed("b", Status.PLAYING, "formal")])


def test_there_are_so_many_unfinished_games_and_the_oldest_unbegun_ones_go() -> None:
    begun = [_listed(f"begun {number}", Status.PLAYING) for number in range(2)]
    unbegun = [_listed(f"unbegun {number}", Status.READY) for number in range(4)]
    assert check_room(BEGINNER, [*begun, *unbegun], most=3) == ["unbegun 3", "unbegun 2"]
    assert check_room(BEGINNER, [*begun, *unbegun[:2]], most=3) == []
    assert check_room(BEGINNER, [*begun, *unbegun]) == []
    with pytest.raises(RequestError, match="there are 2 unfinished games"):
        check_room(BEGINNER, begun, most=2)
