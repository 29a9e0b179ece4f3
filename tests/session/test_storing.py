"""What a session tells is what the store keeps."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from sapper.core.cells import CellSet
from sapper.core.record import Record
from sapper.metrics.game import measure_game
from sapper.session.events import Assistance, Finished
from sapper.session.inputs import Verb
from sapper.session.storing import stored_game
from sapper.store.models import Category, Result, StoredGame
from tests.sessions import Play

ENDED = datetime(2026, 11, 28, 12, 0, tzinfo=UTC)


def _finished(play: Play) -> list[Finished]:
    return [event.finished for event in play.heard if event.finished is not None]


def _stored(play: Play) -> StoredGame:
    (finished,) = _finished(play)
    return stored_game(finished, key="k", ended=ENDED, face="tui", player="ann", preset="beginner")


def _lost() -> Play:
    play = Play("beginner").run([("left", 40, 0), ("right", 0, 300)])
    layout = play.referee.layout
    assert layout is not None
    play.do("left", next(cell for cell in layout.mines if cell != 0), 1200)
    return play


def test_a_game_with_all_its_numbers() -> None:
    play = _lost()
    game = _stored(play)
    assert (game.result, game.time_ms, game.category) == (Result.LOST, 1500, Category.PLAIN)
    assert (game.started, game.ended) == (ENDED - timedelta(milliseconds=1500), ENDED)
    assert (game.player, game.kind.preset, game.kind.mine_count, game.face) == ("ann", "beginner", 10, "tui")
    assert (game.clicks, game.moves, game.seed) == (3, 3, 7)
    assert game.record is not None
    assert Record.from_json(game.record) == play.session.record()


def test_help_puts_it_into_a_table_of_its_own() -> None:
    play = Play("beginner")
    play.session.hint(CellSet.of([1]))
    play.run([("left", 40, 0), ("undo", 0, 5), ("left", 40, 5)])
    play.session.terminate()
    game = _stored(play)
    assert (game.hints, game.undos, game.category) == (1, 1, Category.ASSISTED)


def test_help_with_flags_is_kept() -> None:
    play = Play("beginner").run([("left", 40, 0)])
    play.session.aid()
    play.session.terminate()
    game = _stored(play)
    assert (game.aided, game.category) == (True, Category.ASSISTED)


def test_a_board_that_was_played_before_is_no_plain_game() -> None:
    play = Play("beginner").run([("left", 40, 0), ("restart", 0, 5), ("left", 40, 5)])
    play.session.terminate()
    games = [stored_game(one, key="k", ended=ENDED, face="tui") for one in _finished(play)]
    assert [(game.result, game.category) for game in games] == [
        (Result.TERMINATED, Category.PLAIN),
        (Result.TERMINATED, Category.ASSISTED),
    ]


def test_a_game_that_was_paused_is_plain_and_has_no_time() -> None:
    play = Play("beginner").run([("pause", 0, 0), ("go on", 0, 5_000), ("left", 40, 0)])
    assert play.session.assistance.pauses == 0, "there was nothing to think about, and no clock to stop"
    play.run([("pause", 0, 10), ("go on", 0, 5_000)])
    play.session.terminate()
    game = _stored(play)
    assert (game.time_ms, game.category, game.clicks) == (None, Category.PLAIN, 1)
    assert (_finished(play)[0].milliseconds, game.started) == (10, ENDED - timedelta(milliseconds=10))


def test_who_saw_the_mines_counts_nowhere() -> None:
    play = Play("kata")
    play.session.do(Verb.SHOW)
    play.session.terminate()
    assert _stored(play).category is Category.DEBUGGED


def test_chances_and_a_board_that_may_be_known_set_a_game_apart() -> None:
    play = Play("beginner").run([("chances", 0, 0)])
    play.session.terminate()
    game = _stored(play)
    assert (game.overlay, game.restarted, game.category) == (True, False, Category.ASSISTED)
    finished = replace(_finished(play)[0], assistance=Assistance(seen=True))
    game = stored_game(finished, key="k", ended=ENDED, face="web")
    assert (game.overlay, game.restarted, game.category) == (False, True, Category.ASSISTED)


def test_numbers_that_are_known_are_not_measured_again() -> None:
    play = _lost()
    (finished,) = _finished(play)
    measured = stored_game(finished, key="k", ended=ENDED, face="web")
    metrics = measure_game(finished.record)
    assert stored_game(finished, key="k", ended=ENDED, face="web", metrics=metrics) == measured
    told = stored_game(finished, key="k", ended=ENDED, face="web", metrics=replace(metrics, bbbv=1))
    assert told.bbbv == 1
