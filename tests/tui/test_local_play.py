"""One game after the other, kept in a store as the web keeps its own."""

import threading
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.errors import LayoutError, SavedGameError, StoreError, UnfinishedGameError
from sapper.store.filters import Filter
from sapper.store.luck import luck_over_time, luck_together
from sapper.store.models import Category
from sapper.store.repository import Store, open_store
from sapper.tui.advice import advise
from sapper.tui.keeper import GameArchive
from sapper.tui.local_play import LocalPlay, wanted_by_code, wanted_game
from sapper.web.games.summaries import entry_of_listed
from tests.recorded import check_stored
from tests.sessions import HandClock

PATIENCE = 60.0


class Player:
    """Somebody who plays, with a clock that is set by hand."""

    def __init__(self, database: Path) -> None:
        self.archive = GameArchive(lambda: open_store(database), player="ann")
        self.clock = HandClock()
        seeds = count(1)
        self.play = LocalPlay(self.archive, clock=self.clock, draw_seed=lambda: next(seeds))


@pytest.fixture
def player(tmp_path: Path) -> Iterator[Player]:
    one = Player(tmp_path / "games.db")
    yield one
    one.archive.close()


def test_a_game_put_away_stops_its_clock_and_comes_back(player: Player) -> None:
    first = player.play.new()
    first.left(40)
    player.clock.now = 5_000
    player.play.new(wanted_game("expert"))
    player.clock.now = 60_000
    assert [one.title for one in player.archive.unfinished()] == ["Beginner"]
    assert player.play.undo() is None
    assert (player.play.game, first.seconds) == (first, 5)
    player.clock.now = 61_000
    assert first.seconds == 6
    player.play.leave()
    player.archive.flush()
    again = Player(Path(str(player.archive._store.address.path))) if player.archive._store else player
    (saved,) = again.archive.unfinished()
    assert again.play.resume(saved.key).board == first.board
    assert (again.play.game.seconds, saved.covered) == (6, first.board.covered_count)
    again.archive.close()


def test_a_game_that_is_gone_on_with_shows_no_old_hint(player: Player, tmp_path: Path) -> None:
    """The store has its cells, and not which of them are mines."""
    game = player.play.new()
    game.left(40)
    advice = advise(game.board)
    game.take_hint(advice)
    assert game.hinted == advice.signs != {}
    player.play.leave()
    player.archive.flush()
    again = Player(tmp_path / "games.db")
    (saved,) = again.archive.unfinished()
    resumed = again.play.resume(saved.key)
    assert (resumed.session.overlay, resumed.hinted) == (advice.cells, {})
    again.archive.close()


def test_games_are_recorded_as_they_begin_and_end(player: Player, tmp_path: Path) -> None:
    game = player.play.new(wanted_game(start="any"))
    game.flag(0)
    player.archive.flush()
    assert player.archive.totals() == (1, 0, None)
    game.flag(0)
    mine = next(iter(game._referee.layout.mines)) if game._referee.layout else 0
    game.reveal(mine)
    assert game.status is Status.LOST
    game.undo()
    game.restart()
    game.reveal(mine)
    player.archive.flush()
    latest = player.archive.latest()
    assert [(one.result.value, one.category) for one in latest] == [
        ("lost", Category.ASSISTED),
        ("lost", Category.PLAIN),
    ]
    assert latest[0].restarted
    assert [check_stored(one).player for one in latest] == ["ann", "ann"]
    assert player.archive.totals()[:2] == (2, 0)
    assert player.archive.unfinished() == []
    player.archive._judging.submit(lambda: None).result()
    player.archive.flush()
    with open_store(tmp_path / "games.db") as store:
        luck = luck_together(luck_over_time(store, Filter(player="ann")))
    assert luck is not None
    assert (luck.games, luck.guesses, luck.survived, round(luck.expected, 3)) == (1, 1, 0, round(71 / 81, 3))


def test_help_marks_a_game(player: Player) -> None:
    game = player.play.new()
    game.left(40)
    game.take_hint(advise(game.session.board))
    game.show_chances(True)
    assert (game.session.assistance.hints, game.session.assistance.overlay) == (1, True)
    assert set(game.hinted) <= set(game.session.board.covered)


def test_by_rules_of_one_game_there_is_one(player: Player) -> None:
    game = player.play.new(wanted_game("formal"))
    game.flag(0)
    with pytest.raises(UnfinishedGameError, match="one unfinished game at a time"):
        player.play.new(wanted_game("formal"))
    player.play.new(wanted_game("expert"))
    with pytest.raises(UnfinishedGameError):
        player.play.new(wanted_game("formal"))
    player.play.undo()
    player.play.game.give_up()
    player.play.new(wanted_game("formal"))


def test_the_web_lists_what_is_saved_here(player: Player, tmp_path: Path) -> None:
    player.play.new().left(40)
    player.archive.flush()
    with open_store(tmp_path / "games.db") as store:
        (listed,) = store.listed_sessions("ann")
    summary = entry_of_listed(listed)
    assert summary is not None
    assert (summary.title, summary.status, summary.preset) == ("Beginner", Status.PLAYING, "beginner")


def test_the_code_gives_the_same_mines(player: Player) -> None:
    game = player.play.new()
    game.left(40)
    codes = [game.code]
    game.give_up()
    codes.append(game.code)
    assert codes[0] is None
    assert codes[1] is not None
    again = player.play.new(wanted_by_code(codes[1]))
    again.left(40)
    assert again._referee.layout == game._referee.layout
    assert again.session.assistance.seen
    assert player.play.new().code is None, "a code is for one game"


def test_the_end_shows_the_mines_and_nothing_before(player: Player) -> None:
    game = player.play.new()
    game.left(40)
    assert Tile.MINE not in game.board.tiles
    game.give_up()
    assert game.board.tiles.count(Tile.MINE) == 10


def test_a_store_that_fails_does_not_stop_a_game() -> None:
    def fails() -> Store:
        raise StoreError("the disk is full")

    archive = GameArchive(fails, player="ann")
    play = LocalPlay(archive)
    play.new().left(40)
    archive.flush()
    assert archive.trouble == "the disk is full"
    assert play.loses_by_new
    play.game.give_up()
    assert play.game.unsaved == "This end is not saved: the disk is full."
    assert (archive.unfinished(), archive.latest(), archive.totals()) == ([], [], (0, 0, None))
    with pytest.raises(SavedGameError):
        play.resume("x")
    archive.close()


def test_a_store_that_fails_for_a_moment_is_believed_again(tmp_path: Path) -> None:
    database, fails = tmp_path / "games.db", True

    def sometimes() -> Store:
        if fails:
            raise StoreError("somebody else is writing")
        return open_store(database)

    archive = GameArchive(sometimes, player="ann")
    play = LocalPlay(archive)
    game = play.new()
    game.left(40)
    archive.flush()
    assert (archive.trouble, archive.lost) == ("somebody else is writing", "somebody else is writing")
    assert (archive.keeps, play.loses_by_new) == (False, True)
    fails = False
    # A question that is answered does not say that something can be kept.
    assert (archive.unfinished(), archive.keeps) == ([], False)
    game.right(game.board.tiles.index(Tile.COVERED))
    archive.flush()
    assert (archive.keeps, play.loses_by_new) == (True, False)
    assert [one.title for one in archive.unfinished()] == ["Beginner"]
    # That it had begun could not be recorded; that it ended is, and then nothing is lost.
    game.give_up()
    archive.flush()
    assert game.unsaved is None
    assert (archive.trouble, archive.lost, len(archive.latest())) == (None, None, 1)
    # An end that was not recorded is lost, although the next game is kept.
    assert archive._store is not None
    store, archive._store, fails = archive._store, None, True
    lost = play.new()
    lost.left(40)
    lost.give_up()
    archive.flush()
    archive._store, fails = store, False
    kept = play.new()
    kept.left(40)
    archive.flush()
    assert (archive.keeps, archive.lost) == (True, "somebody else is writing")
    assert lost.unsaved == "This end is not saved: somebody else is writing."
    archive.close()


def test_an_end_is_on_the_disk_before_it_is_told(tmp_path: Path) -> None:
    database, may_go = tmp_path / "games.db", threading.Event()

    def slow() -> Store:
        assert may_go.wait(PATIENCE)
        return open_store(database)

    archive = GameArchive(slow, player="ann", keep_time=0.0)
    play = LocalPlay(archive)
    play.new().give_up()
    assert play.game.unsaved is None, "an untouched game counts nowhere"
    late = play.new()
    late.left(40)
    late.give_up()
    before = late.unsaved
    may_go.set()
    archive.flush()
    assert (before, late.unsaved) == ("This end is not saved yet.", None)
    archive.keep_time = PATIENCE
    for played in (2, 3):
        game = play.new()
        game.left(40)
        game.give_up()
        with open_store(database) as other:
            assert len(other.latest_games("ann", 10)) == played
        assert game.unsaved is None
    archive.close()


def test_a_game_that_cannot_be_is_refused() -> None:
    for size, mines in (((2000, 1000), 10), ((9, 9), 0), ((3, 3), 9)):
        with pytest.raises(LayoutError):
            wanted_game(size=size, mine_count=mines)
