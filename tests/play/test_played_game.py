"""The rules of a game in time, without a face: each stands at the head of `play.played_game`."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings

from sapper.core.cells import Cell
from sapper.core.preset import find_preset
from sapper.core.status import Status
from sapper.errors import IllegalMoveError, RequestError
from sapper.generator.game_code import CodedGame
from sapper.metrics.game import measure_game
from sapper.play.events import ChancesFound, Changed, GameEnded, HintFound, Judged, MayGuessFound, Refused, Working
from sapper.play.game_parts import most_inputs, new_parts, saved_parts
from sapper.play.played_game import Question
from sapper.play.player_totals import PlayerTotals
from sapper.session.game_request import coded_game
from sapper.session.inputs import Verb
from sapper.session.saving import save_session
from sapper.store.changes import ChangeBatch, InputLog, SessionDrop, batches_of
from sapper.store.models import SavedSession, StoredGame
from tests.played_games import LaterJobs, Table, changes
from tests.sessions import SessionScript
from tests.strategies import session_scripts

MIDDLE = 40


def _lose(table: Table) -> list[object]:
    return list(table.do(Verb.REVEAL, table.mines[0]))


def _no_guess() -> CodedGame:
    from sapper.session.game_request import GameRequest

    return GameRequest(preset=find_preset("beginner"), no_guess=True).game(7)


def _saved(table: Table) -> str:
    """The saved game that the sink's changes come to."""
    (batch,) = batches_of(one for one in table.sink.changes if isinstance(one, SavedSession | InputLog))
    assert isinstance(batch, ChangeBatch)
    return batch.sessions["game"].text + "".join(log.text for log in batch.logs)


# --- counting ----------------------------------------------------------------------------------------------------


def test_a_beginning_counts_once_from_the_first_changed_cell_on() -> None:
    table = Table()
    table.do(Verb.PAUSE)
    table.do(Verb.GO_ON)
    assert table.sink.games == []
    table.do(Verb.LEFT, MIDDLE)
    table.do(Verb.UNDO)
    table.do(Verb.LEFT, MIDDLE)
    assert table.sink.games == ["game.0 playing", "game.0 playing aided"]
    assert table.ports.counts == {"begun": 1}


def test_what_is_not_kept_is_not_counted() -> None:
    """Another process was first, say."""
    table = Table()
    table.sink.holds = True
    table.do(Verb.LEFT, MIDDLE)
    assert table.ports.counts == {}
    table.sink.commit()
    assert table.ports.counts == {"begun": 1}


def test_a_game_that_ends_with_its_first_move_has_begun_too() -> None:
    table = Table("engine")
    (changed, end, judged) = _lose(table)
    assert isinstance(changed, Changed)
    assert isinstance(judged, Judged)
    assert isinstance(end, GameEnded)
    assert (end.played, end.won, table.sink.games) == (1, 0, ["game.0 lost"])


def test_a_game_that_is_given_up_untouched_counts_nowhere() -> None:
    table = Table()
    assert changes(table.do(Verb.TERMINATE)) == ["moved"]
    assert table.sink.games == []
    assert table.game.end is not None
    assert table.game.end.played == 0


def test_a_restart_gives_up_a_running_game_and_is_another() -> None:
    table = Table()
    table.do(Verb.LEFT, MIDDLE)
    assert changes(table.do(Verb.RESTART)) == ["restarted"], "what led there is of no interest"
    table.do(Verb.LEFT, MIDDLE)
    table.do(Verb.RESTART)
    table.do(Verb.TERMINATE)
    assert table.sink.games == [
        "game.0 playing", "game.0 terminated", "game.1 playing aided", "game.1 terminated aided",
    ]  # fmt: skip
    assert table.ports.counts == {"begun": 2, "terminated": 2}


def test_after_an_undone_loss_the_game_goes_on_and_is_not_counted_again() -> None:
    table = Table()
    table.do(Verb.LEFT, MIDDLE)
    _lose(table)
    table.do(Verb.UNDO)
    assert table.game.session.status is Status.PLAYING
    _lose(table)
    assert table.sink.games == ["game.0 playing", "game.0 lost"]
    assert table.game.end is not None
    assert table.game.end.played == 1


def test_a_game_whose_only_move_was_undone_before_it_was_put_away_ends_all_the_same() -> None:
    first = Table(drops_ended=True)
    first.do(Verb.REVEAL, 20)
    first.do(Verb.UNDO)
    again = Table(parts=saved_parts(_saved(first)), drops_ended=True)
    again.do(Verb.TERMINATE)
    assert again.sink.games == ["game.0 terminated aided"]


@pytest.mark.parametrize("ask", [Verb.HINT, Question.MAY_GUESS, Question.CHANCES, Verb.OVERLAY, Verb.UNDO])
def test_the_store_hears_of_help_before_the_end_and_once(ask: Verb | Question) -> None:
    table = Table()
    table.do(Verb.LEFT, MIDDLE)
    table.do(ask)
    table.do(Verb.HINT) if ask is not Verb.UNDO else table.do(Verb.LEFT, MIDDLE)
    assert table.sink.games == ["game.0 playing", "game.0 playing aided"]


def test_mines_that_are_shown_mark_the_game() -> None:
    table = Table("engine")
    table.do(Verb.FLAG, 0)
    table.do(Verb.SHOW)
    *_, told = (one for one in table.sink.changes if isinstance(one, StoredGame))
    assert told.debugged


# --- what is kept -------------------------------------------------------------------------------------------------


def test_a_start_help_and_an_end_are_durable_before_they_are_told() -> None:
    table = Table(holds=True)
    assert table.game.do(Verb.PAUSE).receipt is None
    table.do(Verb.GO_ON)
    start = table.game.do(Verb.LEFT, Cell(MIDDLE)).receipt
    assert start is not None
    heard: list[str] = []
    start.when_settled(lambda: heard.append("start"))
    table.sink.commit()
    start.when_settled(lambda: heard.append("late"))
    assert (heard, start.wait(0), table.game.receipt, table.game.is_kept) == (["start", "late"], True, None, True)
    table.do(Verb.FLAG, 0) if table.game.session.board.tiles[0] else None
    help_told, end = table.game.do(Verb.HINT).receipt, table.game.do(Verb.TERMINATE).receipt
    assert help_told is not None
    assert end is not None
    assert not end.wait(0)
    table.sink.commit()
    assert end.is_durable


def test_each_input_is_kept_before_the_record_of_what_it_began() -> None:
    table = Table()
    table.do(Verb.LEFT, MIDDLE)
    table.do(Verb.TERMINATE)
    assert [type(one) for one in table.sink.changes] == [SavedSession, StoredGame, InputLog, StoredGame]


def test_where_ended_games_are_dropped_an_undone_loss_is_kept_again() -> None:
    table = Table(drops_ended=True)
    table.do(Verb.LEFT, MIDDLE)
    _lose(table)
    table.do(Verb.UNDO)
    _lose(table)
    kinds = [type(one) for one in table.sink.changes]
    assert kinds == [SavedSession, StoredGame, StoredGame, SessionDrop, SavedSession, SessionDrop], "one record"
    table.game.drop()
    with pytest.raises(RequestError, match="forgotten"):
        table.do(Verb.UNDO)


def test_without_a_log_only_what_is_told_is_kept() -> None:
    table = Table(keeps_log=False)
    table.do(Verb.LEFT, MIDDLE)
    _lose(table)
    assert {type(one) for one in table.sink.changes} == {StoredGame}
    assert table.game.save().is_durable


@settings(max_examples=40, deadline=None)
@given(session_scripts())
def test_what_is_kept_leads_to_the_same_game_and_every_end_has_its_numbers(script: SessionScript) -> None:
    table = Table(replace(find_preset("beginner"), width=5, height=4, mine_counts=(4,)))
    verbs = {
        "go on": Verb.GO_ON,
        "chances": Verb.OVERLAY,
        "no chances": Verb.NO_OVERLAY,
        "mark": Verb.FLAG,
        "unmark": Verb.UNFLAG,
    }
    by_value = {verb.value: verb for verb in Verb}
    for deed, number, wait in script:
        table.clock.now += wait
        ask = verbs.get(deed) or by_value.get(deed)
        try:
            if ask is not None:
                table.do(ask, number % 20)
        except IllegalMoveError:
            continue
    for one in table.sink.changes:
        if isinstance(one, StoredGame) and one.record is not None and one.bbbv is not None:
            from sapper.core.record import Record

            assert (one.bbbv, one.solved_bbbv) == (
                (numbers := measure_game(Record.from_json(one.record))).bbbv, numbers.solved_bbbv,
            )  # fmt: skip
    if any(isinstance(one, SavedSession) for one in table.sink.changes):
        session, referee = table.game.session, table.game.referee
        again = Table(parts=saved_parts(_saved(table), clock=table.clock))
        assert again.game.session.truth(again.game.referee).inputs == session.truth(referee).inputs
        assert again.game.session.board == session.board
        assert (again.game.end is None) == (not session.status.ended)


def test_a_game_that_is_loaded_ended_is_recorded_and_judged_again() -> None:
    table = Table()
    table.do(Verb.LEFT, MIDDLE)
    _lose(table)
    assert table.game.verdict is not None
    again = Table(parts=saved_parts(save_session(table.game.session, table.game.referee)))
    assert again.sink.games == ["game.0 lost"]
    assert again.game.end is not None
    assert again.game.end.metrics == table.game.end.metrics  # type: ignore[union-attr]
    assert (again.game.verdict, again.ports.counts) == (table.game.verdict, {})
    again.do(Verb.UNDO)
    assert again.game.session.status is Status.PLAYING


def test_what_the_store_lacks_is_kept_whole_again() -> None:
    table = Table()
    table.do(Verb.LEFT, MIDDLE)
    table.do(Verb.UNDO)
    assert table.game.save_whole().is_durable
    whole = table.sink.changes[-1]
    assert isinstance(whole, SavedSession)
    assert saved_parts(whole.text).session.input_count == 2


# --- what is worked out ---------------------------------------------------------------------------------------------


def test_a_first_reveal_waits_for_a_layout_that_takes_a_search() -> None:
    jobs = LaterJobs()
    table = Table(parts=new_parts(_no_guess()), jobs=jobs)
    assert table.do(Verb.LEFT, MIDDLE, "me") == [Working(1)]
    with pytest.raises(RequestError, match="being looked for already"):
        table.do(Verb.REVEAL, 3)
    table.do(Verb.FLAG, 0)
    jobs.work()
    (happened,) = table.later
    assert (changes(happened.events), happened.asker, table.game.is_busy) == (["moved"], "me", False)
    assert table.game.session.status is Status.PLAYING
    kept = [one.text for one in table.sink.changes if isinstance(one, SavedSession | InputLog)]
    assert ["layout" in json.loads(line) for text in kept for line in text.splitlines()[1:] or [text]] == [True, True]
    found = saved_parts("".join(kept)).referee.layout
    assert found is not None, "the layout is not to be searched for again"
    assert found == table.game.referee.layout


def test_a_search_that_fails_is_told_to_who_asked() -> None:
    jobs = LaterJobs()
    table = Table(parts=new_parts(_no_guess()), jobs=jobs)
    table.do(Verb.LEFT, MIDDLE, "me")
    jobs.refuse("failed")
    (happened,) = table.later
    assert isinstance(happened.events[0], Refused)
    assert happened.asker == "me"
    assert table.game.session.input_count == 0
    inline = Table(parts=new_parts(_no_guess()))
    events = inline.do(Verb.LEFT, MIDDLE)
    assert [type(one) for one in events] == [Working, Changed]


def test_nothing_is_asked_twice_at_once() -> None:
    jobs = LaterJobs()
    table = Table(jobs=jobs)
    table.do(Verb.LEFT, MIDDLE)
    for ask in (Verb.HINT, Question.MAY_GUESS, Question.CHANCES):
        assert table.do(ask) == []
        with pytest.raises(RequestError, match="worked on already"):
            table.do(ask)
    assert len(jobs.waiting) == 3
    assert jobs.work() == 3
    assert not table.game.is_busy
    found = [type(one) for happened in table.later for one in happened.events]
    assert found == [Changed, HintFound, Changed, MayGuessFound, Changed, Changed, ChancesFound]


def test_a_paused_game_and_one_that_has_ended_have_nothing_to_ask_about() -> None:
    table = Table()
    table.do(Verb.LEFT, MIDDLE)
    table.do(Verb.PAUSE)
    for ask in (Verb.HINT, Question.MAY_GUESS, Question.CHANCES):
        with pytest.raises(IllegalMoveError):
            table.do(ask)
    table.do(Verb.TERMINATE)
    with pytest.raises(IllegalMoveError):
        table.do(Verb.HINT)


@pytest.mark.parametrize(("verb", "mark"), [(Verb.OVERLAY, "overlay"), (Verb.AID, "aided")])
def test_help_that_is_asked_for_in_a_pause_is_told_and_kept(verb: Verb, mark: str) -> None:
    table = Table()
    table.do(Verb.LEFT, MIDDLE)
    table.do(Verb.PAUSE)
    (told,) = table.do(verb)
    assert isinstance(told, Changed)
    assert getattr(table.game.session.assistance, mark)
    _, game = table.sink.of(ended=False)
    assert (game.overlay, game.aided) == (verb is Verb.OVERLAY, verb is Verb.AID)
    assert (game.record is None) is (verb is Verb.AID), "moves are kept with advice only"
    assert not any(isinstance(one, ChancesFound) for one in [told, *table.do(Question.STATE)])
    assert any(isinstance(one, ChancesFound) for one in table.do(Verb.GO_ON)) is (verb is Verb.OVERLAY)


def test_a_hint_for_a_game_that_has_ended_meanwhile_is_refused() -> None:
    jobs = LaterJobs()
    table = Table(jobs=jobs)
    table.do(Verb.LEFT, MIDDLE)
    table.do(Verb.HINT, 0, "me")
    table.do(Verb.TERMINATE)
    jobs.work()
    assert any(isinstance(one, Refused) for happened in table.later for one in happened.events)
    assert table.game.session.assistance.hints == 0


def test_help_that_takes_too_much_work_is_counted_and_a_busy_pool_is_not() -> None:
    jobs = LaterJobs()
    table = Table(jobs=jobs)
    table.do(Verb.LEFT, MIDDLE)
    table.do(Question.MAY_GUESS)
    jobs.refuse("busy")
    assert isinstance(table.later[-1].events[0], Refused)
    table.do(Question.MAY_GUESS)
    table.do(Question.CHANCES)
    jobs.refuse("failed")
    last, before = table.later[-1].events[-1], table.later[-2].events[-1]
    assert isinstance(last, ChancesFound)
    assert (last.chances.risks, before) == (None, MayGuessFound(None))
    assert table.game.session.assistance.hints == 1
    assert table.game.session.assistance.overlay


def test_chances_follow_the_board_once_for_all_changes_that_come_meanwhile() -> None:
    jobs = LaterJobs()
    table = Table(jobs=jobs)
    table.do(Verb.LEFT, MIDDLE)
    assert changes(table.do(Verb.OVERLAY)) == ["overlay"]
    covered = [cell for cell in range(81) if table.game.session.board.tiles[cell] == 9 or cell in table.mines]
    table.do(Verb.FLAG, covered[0])
    table.do(Verb.UNFLAG, covered[0])
    assert jobs.work(1) == 1
    assert jobs.work() == 1
    numbers = [one.number for happened in table.later for one in happened.events if isinstance(one, ChancesFound)]
    assert numbers == [4, 4], "the board is the same again"
    table.do(Verb.PAUSE)
    table.do(Question.STATE)
    assert jobs.waiting == []
    table.do(Verb.GO_ON)
    table.do(Verb.NO_OVERLAY)
    table.later.clear()
    jobs.work()
    assert table.later == [], "nobody wants to see them any more"


def test_the_last_move_is_judged_as_long_as_this_end_is_the_games() -> None:
    jobs = LaterJobs()
    table = Table(jobs=jobs)
    table.do(Verb.LEFT, MIDDLE)
    _lose(table)
    table.do(Verb.UNDO)
    table.do(Verb.REVEAL, table.mines[1])
    assert len(jobs.waiting) == 1, "one at a time"
    jobs.work()
    assert table.later == []
    jobs.work()
    (happened,) = table.later
    (judged,) = happened.events
    assert isinstance(judged, Judged)
    assert table.game.verdict == judged.verdict


# --- totals and limits ------------------------------------------------------------------------------------------------


def test_a_win_without_help_and_pause_may_be_the_best() -> None:
    def win(table: Table, *before: Verb) -> GameEnded:
        table.do(Verb.LEFT, MIDDLE)
        for ask in before:
            table.do(ask)
        mines = set(table.mines)
        for cell in range(81):
            if cell not in mines and table.game.end is None:
                table.clock.now += 10
                table.do(Verb.LEFT, cell)
        assert table.game.end is not None
        return table.game.end

    totals = PlayerTotals()
    assert win(Table(totals=totals)).is_best
    assert not win(Table(totals=totals), Verb.PAUSE, Verb.GO_ON).is_best
    assert not win(Table(totals=totals), Verb.HINT).is_best
    assert not win(Table(totals=totals, seen=True)).is_best
    assert (totals.played, totals.won) == (4, 4)


def test_a_game_with_too_many_inputs_can_only_be_given_up() -> None:
    table = Table()
    assert table.game.most_inputs == most_inputs(table.game.grid) == 3_620
    table.game.most_inputs = 1
    table.do(Verb.LEFT, MIDDLE)
    with pytest.raises(RequestError) as refused:
        table.do(Verb.FLAG, 0)
    assert refused.value.code == "too-long"
    table.do(Question.STATE)
    assert isinstance(table.do(Verb.TERMINATE)[1], GameEnded)


def test_the_record_says_who_played_only_where_the_face_wants_it() -> None:
    for names in (False, True):
        table = Table(names_player=names)
        table.do(Verb.LEFT, MIDDLE)
        table.do(Verb.TERMINATE)
        last = table.sink.changes[-1]
        assert isinstance(last, StoredGame)
        assert ('"ann"' in (last.record or "")) is names
        assert last.face == "test"


def test_moves_that_set_a_game_up_are_counted_and_kept() -> None:
    from sapper.core.move import Move

    table = Table(parts=new_parts(coded_game("beginner", seed=7), practice=True))
    table.game.set_up([Move.reveal(MIDDLE)])
    assert table.sink.games == ["game.0 playing aided"]
    assert table.game.number == 1
