"""One game after the other, kept in a store as the web keeps its own."""

import threading
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from sapper.core.board import Board
from sapper.core.status import Status
from sapper.errors import LayoutError, RequestError, StoreError
from sapper.play import jobs
from sapper.play.events import Changed, GameEvent, HintFound, Working
from sapper.play.played_game import Question
from sapper.session.events import What
from sapper.session.inputs import Verb
from sapper.solver.advisor import Advisor
from sapper.store.filters import Filter
from sapper.store.luck import luck_over_time, luck_together
from sapper.store.models import Category
from sapper.store.repository import Store, open_store
from sapper.tui.keeper import GameArchive
from sapper.tui.local_play import LocalPlay, game_request
from sapper.web.games.summaries import entry_of_listed
from tests.played_games import LaterJobs
from tests.recorded import check_stored
from tests.sessions import HandClock

PATIENCE = 60.0


class Player:
    """Somebody who plays, with a clock that is set by hand."""

    def __init__(self, database: Path) -> None:
        self.archive = GameArchive(lambda: open_store(database), player="ann")
        self.clock = HandClock()
        seeds = count(1)
        self.play = LocalPlay(self.archive, clock=self.clock, new_seed=lambda: next(seeds))


@pytest.fixture
def player(tmp_path: Path) -> Iterator[Player]:
    one = Player(tmp_path / "games.db")
    yield one
    one.archive.close()


def _changed(events: list[GameEvent] | None) -> list[What]:
    assert events is not None
    return [event.what for event in events if isinstance(event, Changed)]


def test_a_game_put_away_stops_its_clock_and_comes_back(player: Player, tmp_path: Path) -> None:
    first = player.play.new()
    player.play.do(Verb.LEFT, 40)
    player.clock.now = 5_000
    player.play.new(game_request("expert"))
    player.clock.now = 60_000
    player.archive.flush()
    assert [one.title for one in player.archive.unfinished()] == ["Beginner"]
    assert player.play.undo() is None
    assert (player.play.game, player.play.seconds) == (first, 5)
    player.clock.now = 61_000
    assert player.play.seconds == 6
    player.play.leave()
    player.archive.flush()
    again = Player(tmp_path / "games.db")
    (saved,) = again.archive.unfinished()
    again.play.resume(saved.key)
    assert again.play.board == player.play.board
    assert (again.play.seconds, saved.state.covered) == (6, player.play.board.covered_count)
    again.archive.close()


def test_the_chances_of_a_game_are_those_of_the_advisor_that_hints_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Advisor] = []

    def chances(board: Board, advisor: Advisor) -> jobs.FoundChances:
        asked.append(advisor)
        return jobs.FoundChances(None)

    monkeypatch.setattr(jobs, "chances", chances)
    archive = GameArchive(lambda: open_store(tmp_path / "games.db"), player="ann")
    play = LocalPlay(archive, advisor=Advisor("best-reply"))
    play.new()
    play.do(Verb.LEFT, 40)
    play.do(Question.CHANCES)
    archive.close()
    assert asked == [Advisor("best-reply")]


def test_games_are_recorded_as_they_begin_and_end(player: Player, tmp_path: Path) -> None:
    game = player.play.new(game_request(start="any"))
    player.play.do(Verb.FLAG, 0)
    assert player.archive.totals() == (1, 0, None), "it is on the disk when it is told"
    player.play.do(Verb.UNFLAG, 0)
    assert game.referee.layout is not None
    mine = next(iter(game.referee.layout.mines))
    player.play.do(Verb.REVEAL, mine)
    assert player.play.status is Status.LOST
    assert _changed(player.play.undo()) == [What.UNDONE]
    player.play.do(Verb.RESTART)
    player.play.do(Verb.REVEAL, mine)
    latest = player.archive.latest()
    assert [(one.result.value, one.category) for one in latest] == [
        ("lost", Category.ASSISTED),
        ("lost", Category.PLAIN),
    ]
    assert latest[0].restarted
    assert [check_stored(one).player for one in latest] == ["ann", "ann"]
    assert player.archive.totals()[:2] == (2, 0)
    assert player.archive.unfinished() == []
    player.archive.flush()
    player.archive._judging.submit(lambda: None).result()
    player.archive.flush()
    with open_store(tmp_path / "games.db") as store:
        luck = luck_together(luck_over_time(store, Filter(player="ann")))
    assert luck is not None
    assert (luck.games, luck.guesses, luck.survived, round(luck.expected, 3)) == (1, 1, 0, round(71 / 81, 3))


def test_a_layout_that_is_searched_for_while_its_game_is_away(player: Player) -> None:
    jobs = LaterJobs()
    player.play.make_jobs = lambda: jobs
    heard: list[list[GameEvent]] = []
    player.play.on_later = heard.append
    first = player.play.new(game_request(no_guess=True))
    assert [type(event) for event in player.play.do(Verb.LEFT, 40)] == [Working]
    player.play.new()
    player.clock.now = 5_000
    assert jobs.work() == 1
    assert (heard, first.session.status) == ([], Status.PLAYING)
    player.clock.now = 60_000
    assert player.play.undo() is None
    assert player.play.seconds == 0
    player.clock.now = 61_000
    assert player.play.seconds == 1
    player.play.do(Verb.HINT)
    jobs.work()
    assert [type(event) for event in heard[0]] == [Changed, HintFound]


def test_by_rules_of_one_game_there_is_one(player: Player) -> None:
    player.play.new(game_request("formal"))
    player.play.do(Verb.FLAG, 0)
    with pytest.raises(RequestError, match="one unfinished game at a time"):
        player.play.new(game_request("formal"))
    player.play.new(game_request("expert"))
    player.archive.flush()
    with pytest.raises(RequestError):
        player.play.new(game_request("formal"))
    player.play.undo()
    player.play.do(Verb.TERMINATE)
    player.play.new(game_request("formal"))


def test_the_web_lists_what_is_saved_here(player: Player, tmp_path: Path) -> None:
    player.play.new()
    player.play.do(Verb.LEFT, 40)
    player.archive.flush()
    with open_store(tmp_path / "games.db") as store:
        (listed,) = store.listed_sessions("ann")
    summary = entry_of_listed(listed)
    assert summary is not None
    assert (summary.title, summary.status, summary.preset) == ("Beginner", Status.PLAYING, "beginner")


def test_a_store_that_fails_does_not_stop_a_game() -> None:
    def fails() -> Store:
        raise StoreError("the disk is full")

    archive = GameArchive(fails, player="ann", keep_time=PATIENCE)
    play = LocalPlay(archive)
    play.new()
    play.do(Verb.PAUSE)
    assert not archive.flush()
    play.do(Verb.GO_ON)
    play.do(Verb.LEFT, 40)
    assert archive.trouble == "the disk is full"
    assert play.loses_by_new
    play.do(Verb.TERMINATE)
    assert play.unsaved == "This end is not saved yet: the disk is full."
    assert (archive.unfinished(), archive.latest(), archive.totals()) == ([], [], (0, 0, None))
    with pytest.raises(StoreError):
        play.resume("x")
    archive.close()
    assert archive.lost > 0


def test_a_store_that_fails_for_a_moment_gets_all_there_is(tmp_path: Path) -> None:
    database, fails = tmp_path / "games.db", [True]

    def sometimes() -> Store:
        if fails:
            raise StoreError("somebody else is writing")
        return open_store(database)

    archive = GameArchive(sometimes, player="ann", keep_time=0.1)
    play = LocalPlay(archive)
    play.new()
    play.do(Verb.LEFT, 40)
    assert not archive.flush()
    assert (archive.trouble, archive.keeps, play.loses_by_new) == ("somebody else is writing", False, True)
    fails.clear()
    # A question that is answered does not say that something can be kept.
    assert archive.totals() == (0, 0, None)
    while not archive.flush():
        pass
    assert (archive.keeps, play.loses_by_new) == (True, False)
    assert [one.title for one in archive.unfinished()] == ["Beginner"]
    play.do(Verb.TERMINATE)
    assert (play.unsaved, archive.keeps, len(archive.latest())) == (None, True, 1)
    archive.close()
    assert archive.lost == 0


def test_an_end_is_on_the_disk_before_it_is_told(tmp_path: Path) -> None:
    database, may_go = tmp_path / "games.db", threading.Event()

    def slow() -> Store:
        assert may_go.wait(PATIENCE)
        return open_store(database)

    archive = GameArchive(slow, player="ann", keep_time=0.0)
    play = LocalPlay(archive)
    play.new()
    play.do(Verb.TERMINATE)
    assert play.unsaved is None, "an untouched game counts nowhere"
    play.new()
    play.do(Verb.LEFT, 40)
    play.do(Verb.TERMINATE)
    said = [play.unsaved]
    may_go.set()
    archive.flush()
    said.append(play.unsaved)
    assert said == ["This end is not saved yet.", None]
    archive.keep_time = PATIENCE
    for played in (2, 3):
        play.new()
        play.do(Verb.LEFT, 40)
        play.do(Verb.TERMINATE)
        with open_store(database) as other:
            assert len(other.latest_games("ann", 10)) == played
        assert play.unsaved is None
    archive.close()


def test_a_game_that_cannot_be_is_refused() -> None:
    for size, mines in (((2000, 1000), 10), ((9, 9), 0), ((3, 3), 9)):
        with pytest.raises(LayoutError):
            game_request(size=size, mine_count=mines)
