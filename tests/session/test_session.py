"""A session: time, history, undo, pause, help, events; and no way to the mines."""

import pytest
from hypothesis import assume, given, settings

from sapper.core.board import Board
from sapper.core.cells import CellSet
from sapper.core.move import Action, Move
from sapper.core.preset import Preset
from sapper.core.record import Record, TimedMove
from sapper.core.rng import Rng
from sapper.core.rules import Rules, Win, find_rules
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.core.update import Update
from sapper.errors import AccessError, IllegalMoveError, MoveFault
from sapper.game.layout import Layout
from sapper.game.referee import Referee
from sapper.game.source import FixedLayout
from sapper.metrics.game import measure_game
from sapper.session.events import Assistance, Event, What
from sapper.session.inputs import Verb
from sapper.session.session import History, Session
from tests.playing import Script, layout_of, play
from tests.refusals import refused
from tests.sessions import HandClock, Play, SessionScript
from tests.strategies import any_rules, layouts, scripts, seeds, session_scripts, small_presets
from tests.worlds import other_worlds

ROWS = "*..../...../....*"


def _session(rules: str = "engine", rows: str = ROWS) -> tuple[Session, HandClock, Referee, list[Event]]:
    clock = HandClock(500)
    heard: list[Event] = []
    referee = Referee(rules=find_rules(rules), source=FixedLayout(layout_of(rows)))
    return Session(referee, clock=clock, code="a code", seed=1, observer=heard.append), clock, referee, heard


# --- properties ---------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(small_presets(), seeds, session_scripts())
def test_time_passes_only_while_a_game_is_played(preset: Preset, seed: int, script: SessionScript) -> None:
    play = Play(preset, seed)
    session = play.session
    for deed, number, wait in script:
        before, was_running = session.elapsed, session.is_running
        play.do(deed, number, wait)
        # The wait is before the deed: a clock that ran counts it once, unless the deed starts over.
        restarted = any(event.what is What.RESTARTED for event in play.heard[-1:])
        assert session.elapsed == (0 if restarted and deed == "restart" else before + max(0, wait) * was_running)
        assert not (session.is_running and (session.is_paused or session.status.ended))
        times = [event.at for event in play.heard]
        assert all(at >= 0 for at in times)
        assert [one.at for one in session.played] == sorted(one.at for one in session.played)


@settings(max_examples=60)
@given(small_presets(), seeds, session_scripts())
def test_a_screen_that_follows_the_events_shows_the_board(preset: Preset, seed: int, script: SessionScript) -> None:
    play = Play(preset, seed)
    board = play.session.board
    told = 0
    for step in script:
        play.do(*step)
        for event in play.heard[told:]:
            board = board.apply(event.update)
        told = len(play.heard)
        assert board == play.session.board
    ends = [event for event in play.heard if event.what is What.FINISHED]
    starts = 1 + sum(event.what is What.RESTARTED for event in play.heard)
    assert len(ends) <= starts
    assert play.session.status.ended <= bool(ends)


@settings(max_examples=60)
@given(small_presets(), seeds, session_scripts())
def test_the_record_is_the_game_as_it_stands(preset: Preset, seed: int, script: SessionScript) -> None:
    play = Play(preset, seed).run(script)
    play.session.go_on()
    record = play.session.record()
    assert Record.from_json(record.to_json()) == record
    *_, last = record.boards()
    assert last == play.session.board or not record.played
    assert (record.mines is None) or play.session.status.ended


# --- time -----------------------------------------------------------------------------------------------


def test_the_clock_starts_with_the_first_reveal_and_stops_at_the_end() -> None:
    session, clock, _, _ = _session()
    session.right_click(0)
    clock.now += 1000
    assert (session.elapsed, session.is_running) == (0, False)
    session.left_click(5)
    clock.now += 1500
    assert (session.elapsed, session.is_running) == (1500, True)
    session.left_click(14)
    assert session.status is Status.LOST
    clock.now += 1000
    assert (session.elapsed, session.is_running) == (1500, False)
    assert [one.at for one in session.played] == [0, 0, 1500]


def test_where_marks_can_win_the_first_mark_starts_it() -> None:
    session, clock, _, _ = _session("jminesweeper")
    session.right_click(0)
    clock.now += 700
    session.right_click(14)
    assert (session.status, session.elapsed) == (Status.WON, 700)


def test_a_pause_stops_the_clock_and_hides_the_board() -> None:
    session, clock, _, heard = _session()
    session.left_click(5)
    clock.now += 100
    seen, status = session.board, session.status
    session.hint(CellSet.of([0]))
    session.pause()
    session.pause()
    clock.now += 10_000
    assert session.elapsed == 100
    assert set(session.board.tiles) == {Tile.COVERED}
    assert (session.status, session.played, session.overlay) == (status, (), CellSet())
    with refused(MoveFault.PAUSED):
        session.record()
    with refused(MoveFault.PAUSED):
        session.play(Move.flag(0))
    with refused(MoveFault.PAUSED):
        session.hint(CellSet())
    assert session.left_click(14).is_empty
    assert not session.is_legal(Move.flag(0))
    assert not session.can_undo
    session.go_on()
    session.go_on()
    clock.now += 1
    assert (session.board, session.elapsed, session.assistance.pauses) == (seen, 101, 1)
    assert [event.what for event in heard][-2:] == [What.PAUSED, What.WENT_ON]


def test_a_paused_game_can_be_given_up() -> None:
    session, _, _, _ = _session()
    session.pause()
    session.terminate()
    assert (session.status, session.is_paused) == (Status.TERMINATED, False)


# --- clicks ------------------------------------------------------------------------------------------------


def test_clicks_that_change_nothing_are_counted() -> None:
    session, _, _, _ = _session("kata")
    session.left_click(1)
    session.left_click(1)
    session.right_click(1)
    session.terminate()
    assert [one.move.action for one in session.played] == [Action.REVEAL, Action.CHORD, Action.FLAG, Action.TERMINATE]
    metrics = measure_game(session.record())
    assert (metrics.clicks, metrics.effective_clicks) == (3, 1)


def test_after_the_end_clicks_are_nothing_and_moves_errors() -> None:
    session, _, _, heard = _session()
    session.left_click(0)
    told = len(heard)
    assert session.left_click(5).is_empty
    assert session.right_click(5).is_empty
    assert session.pause().is_empty
    with pytest.raises(IllegalMoveError):
        session.play(Move.reveal(5))
    assert (len(heard), len(session.played)) == (told, 1)


@pytest.mark.parametrize("act", ["left_click", "right_click"])
def test_off_the_grid_there_is_nothing_to_click(act: str) -> None:
    session, _, _, _ = _session()
    with pytest.raises(IndexError):
        getattr(session, act)(15)
    session.terminate()
    with pytest.raises(IndexError):
        getattr(session, act)(15)


# --- undo and restart ---------------------------------------------------------------------------------------


def test_undo_takes_a_move_back_and_says_so() -> None:
    session, clock, _, heard = _session()
    session.right_click(0)
    before = session.board
    session.left_click(5)
    clock.now += 50
    session.undo()
    assert (session.board, session.assistance, session.elapsed) == (before, Assistance(undone=1), 50)
    assert session.is_running
    assert len(session.played) == 1
    session.redo()
    assert session.board.tile(5) is Tile.ONE
    assert (session.played[-1].at, session.assistance.undone) == (50, 1)
    assert [event.what for event in heard][-2:] == [What.UNDONE, What.REDONE]
    with refused(MoveFault.UNDO):
        session.redo()


def test_a_loss_can_be_undone_and_was_the_end_all_the_same() -> None:
    session, clock, _, heard = _session()
    session.left_click(5)
    session.left_click(0)
    assert session.status is Status.LOST
    clock.now += 5000
    session.undo()
    with pytest.raises(AccessError):
        session.layout  # noqa: B018  # reading it is what is tried
    assert (session.status, session.elapsed, session.is_running) == (Status.PLAYING, 0, True)
    session.left_click(14)
    finished = [event.finished for event in heard if event.what is What.FINISHED]
    assert len(finished) == 1
    assert finished[0] is not None
    assert (finished[0].record.status, finished[0].assistance) == (Status.LOST, Assistance())


@pytest.mark.parametrize("end", ["win", "terminate"])
def test_what_is_won_or_given_up_stays_so(end: str) -> None:
    session, _, _, _ = _session("modern", "*.")
    if end == "win":
        session.left_click(1)
    else:
        session.terminate()
    assert not session.can_undo
    with refused(MoveFault.UNDO):
        session.undo()


def test_undo_does_not_draw_another_layout() -> None:
    play = Play("beginner")
    play.session.left_click(40)
    layout = play.referee.layout
    play.session.undo()
    play.session.left_click(0)
    assert play.referee.layout == layout


def test_a_restart_is_the_same_board_and_marked() -> None:
    session, clock, referee, heard = _session()
    session.left_click(5)
    clock.now += 400
    session.hint(CellSet.of([1]))
    layout = referee.layout
    session.restart()
    assert (session.status, session.elapsed, session.is_running) == (Status.READY, 0, False)
    assert (session.assistance, session.played, session.overlay) == (Assistance(restarts=1), (), CellSet())
    assert referee.layout == layout
    # The game that was running was given up, and counts.
    (finished,) = [event.finished for event in heard if event.finished is not None]
    assert (finished.record.status, finished.milliseconds, finished.assistance) == (
        Status.TERMINATED,
        400,
        Assistance(hints=1),
    )
    session.pause()
    session.restart()
    assert (session.is_paused, session.assistance.restarts) == (False, 2)
    assert sum(event.what is What.FINISHED for event in heard) == 1


def test_a_session_without_undo_takes_no_move_back() -> None:
    referee = Referee(rules=find_rules("engine"), source=FixedLayout(layout_of(ROWS)))
    session = Session(referee, clock=HandClock(500), undoable=False)
    session.left_click(5)
    assert not session.can_undo
    with refused(MoveFault.UNDO):
        session.undo()
    assert len(session.record().played) == 1


def test_a_restart_gives_up_a_game_whose_moves_were_all_taken_back() -> None:
    session, _, _, heard = _session()
    session.left_click(5)
    session.undo()
    assert session.status is Status.READY
    session.restart()
    (finished,) = [event.finished for event in heard if event.finished is not None]
    assert (finished.record.status, finished.assistance) == (Status.TERMINATED, Assistance(undone=1))
    assert not session.has_begun


# --- help ----------------------------------------------------------------------------------------------------


def test_a_hint_is_counted_and_shown_until_the_board_changes() -> None:
    session, _, _, heard = _session()
    session.hint(CellSet.of([1, 2]))
    assert (session.overlay, session.assistance.hints) == (CellSet.of([1, 2]), 1)
    session.left_click(5)
    assert session.overlay == CellSet()
    assert heard[0].what is What.HINTED


def test_a_game_whose_mines_are_shown_is_marked() -> None:
    session, _, _, heard = _session()
    assert not session.assistance.shown
    session.do(Verb.SHOW)
    assert session.assistance.is_assisted
    assert heard[-1].what is What.SHOWN
    session.restart()
    session.terminate()
    session.do(Verb.SHOW)
    assert not session.assistance.shown


# --- the end ---------------------------------------------------------------------------------------------------


def test_the_end_is_told_once_with_all_that_is_to_be_stored() -> None:
    session, clock, _, heard = _session("modern")
    session.left_click(9)
    clock.now += 2500
    session.left_click(0)
    (finished,) = [event.finished for event in heard if event.finished is not None]
    assert heard[-1].what is What.FINISHED
    assert finished.milliseconds == 2500
    assert finished.record == session.record()
    assert (finished.record.code, finished.record.seed) == ("a code", 1)
    assert finished.record.mines == session.layout.mines == layout_of(ROWS).mines


def test_a_game_that_ended_before_its_layout_has_none() -> None:
    play = Play("beginner")
    play.session.terminate()
    with pytest.raises(AccessError, match="no layout was ever generated"):
        play.session.layout  # noqa: B018  # reading it is what is tried
    assert play.session.record().mines is None


# --- access ------------------------------------------------------------------------------------------------------


@settings(max_examples=30)
@given(any_rules(), layouts(), scripts(12), seeds)
def test_two_worlds_that_look_the_same_are_one_session_to_their_player(
    rules: Rules, truth: Layout, script: Script, seed: int
) -> None:
    one = Referee(rules=rules, source=FixedLayout(truth))
    steps = [step for step in play(one, script) if not step.after.status.ended]
    board = steps[-1].after if steps else Board.new(truth.grid, rules, truth.mine_count)
    other = next(other_worlds(board, truth, Rng(seed)), None)
    assume(other is not None)
    assert other is not None
    told = []
    for layout in (truth, other):
        clock, heard = HandClock(), list[Event]()
        session = Session(
            Referee(rules=rules, source=FixedLayout(layout)),
            clock=clock,
            code=str(seed),
            seed=seed,
            observer=heard.append,
        )
        shown = []
        for number, step in enumerate(steps):
            clock.now += 10 * number
            session.play(step.move)
            if rules.win is not Win.REVEALED and session.board.flagged in (truth.mines, other.mines):
                return  # that marks win, or do not, is to be seen
            session.undo()
            session.redo()
            shown.append(
                (session.board, session.status, session.played, session.assistance, session.record().to_json())
            )
        told.append((shown, heard, session.elapsed, repr(session.record())))
        session.pause()
    assert told[0] == told[1]


@given(any_rules(), layouts(), scripts(12))
def test_undone_move_by_move_every_board_comes_back(rules: Rules, layout: Layout, script: Script) -> None:
    referee = Referee(rules=rules, source=FixedLayout(layout))
    history = History(referee.board.tiles)
    steps = [step for step in play(referee, script) if not step.update.is_empty]
    for number, step in enumerate(steps):
        history.add(TimedMove(number, step.move, step.update), step.before.status)
    for step in reversed(steps):
        undone = history.undo()
        assert (undone.played.move, undone.tiles, undone.status) == (step.move, step.before.tiles, step.before.status)
    assert history.played == []
    assert not history.can_undo
    assert [history.redo() for _ in steps] == [step.move for step in steps]


FLAG = TimedMove(1, Move.flag(0), Update(((Move.flag(0).cell, b"\x0a"),), Status.PLAYING))


def test_clicks_that_changed_nothing_stay_and_tell_the_status_before() -> None:
    history = History(bytes([9, 9]))
    history.add(FLAG, Status.READY)
    history.add(TimedMove(2, Move.reveal(0), Update.nothing(Status.PLAYING)), Status.PLAYING)
    history.undo()
    assert history.played == [TimedMove(2, Move.reveal(0), Update.nothing(Status.READY))]
    assert history.can_redo


def test_another_move_forgets_what_was_undone() -> None:
    history = History(bytes([9, 9]))
    history.add(FLAG, Status.READY)
    history.undo()
    history.add(FLAG, Status.READY)
    assert not history.can_redo


def test_a_move_that_is_redone_does_not() -> None:
    history = History(bytes([9, 9]))
    history.add(FLAG, Status.READY)
    history.add(FLAG, Status.PLAYING)
    history.undo()
    history.undo()
    history.redo()
    history.add(FLAG, Status.READY, redone=True)
    assert history.can_redo
