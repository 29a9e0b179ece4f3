"""A live does what it is asked, tells all who watch the same, and keeps the mines to itself."""

import json

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from sapper.core.grid import Grid
from sapper.core.tile import Tile
from sapper.metrics.game import measure_game
from sapper.play.events import GameEnded
from sapper.play.game_parts import GameOptions, most_inputs, saved_parts
from sapper.play.played_game import PlayedGame
from sapper.play.player_totals import PlayerTotals
from sapper.play.prepared_source import PreparedSource
from sapper.session.saving import load_session, save_session
from sapper.store.standing import StoredTotals
from sapper.web.games.live_game import LiveGame
from sapper.web.games.play_policy import PlayPolicy
from tests.live_games import Client, HandServices, Seat, arrived, new_live_game
from tests.sessions import HandClock, SessionScript
from tests.strategies import session_scripts

VERBS = {
    "go on": "go_on", "chances": "overlay", "no chances": "overlay", "mark": "flag", "unmark": "unflag",
}  # fmt: skip
OTHERS = ("undo", "redo", "restart", "pause", "go_on", "hint", "terminate")


def _play(seat: Seat, script: SessionScript) -> None:
    for deed, number, wait in script:
        seat.clock.now += wait
        cell = seat.xy(number % seat.live.grid.size)
        verb = VERBS.get(deed, deed)
        if verb == "overlay":
            seat.client.do(verb, on=deed == "chances")
        elif verb in OTHERS:
            seat.client.do(verb)
        elif verb in ("left", "right", "reveal", "flag", "unflag", "question", "unquestion", "chord"):
            seat.client.do(verb, cell)
        if number % 3 == 0:
            seat.services.work()


@settings(max_examples=40, deadline=None)
@given(session_scripts())
def test_what_is_told_leads_to_the_state_and_is_the_same_for_all(script: SessionScript) -> None:
    seat = Seat(width=5, height=4, mine_count=4, question_marks=True)
    other = Client(seat.live)
    _play(seat, script)
    seat.services.work()
    seat.client.do("state")
    other.copy["time"] = seat.client.copy["time"]  # time goes on between two messages
    assert other.state() == seat.client.state() == arrived(seat.live.state())
    said = [{**message, "id": None} for message in seat.client.heard if message["type"] in ("update", "end", "review")]
    assert said == [
        {**message, "id": None} for message in other.heard if message["type"] in ("update", "end", "review")
    ]


@settings(max_examples=25, deadline=None)
@given(session_scripts())
def test_a_game_that_is_saved_and_loaded_has_the_same_state(script: SessionScript) -> None:
    seat = Seat(width=5, height=4, mine_count=4)
    _play(seat, script)
    seat.services.work()
    live = seat.live
    clock, services = HandClock(5), HandServices()
    totals = PlayerTotals(live.game.totals.played, live.game.totals.won)
    totals.bests |= live.game.totals.bests
    text = save_session(live.session, live.game.referee)
    again = new_live_game(services, clock, totals, parts=saved_parts(text, clock=clock))
    services.work()
    assert replace(again.state(), number=0) == replace(live.state(), number=0)


def test_a_move_is_told_with_its_id_to_who_made_it_alone() -> None:
    seat = Seat()
    other = Client(seat.live)
    (told,) = seat.client.do("left", (4, 4), id=12)
    assert (told["what"], told["number"], told["id"], told["status"]) == ("moved", 1, 12, "playing")
    assert other.heard == [{name: value for name, value in told.items() if name != "id"}]
    seat.live.leave(other)
    seat.live.leave(other)
    seat.client.do("right", (0, 0))
    assert len(other.heard) == 1


def test_what_can_do_nothing_changes_nothing_and_is_answered() -> None:
    seat = Seat()
    seat.client.do("left", (4, 4))
    (told,) = seat.client.do("left", (4, 4), id=1)
    assert (told["runs"], told["id"]) == ([], 1)
    (error,) = seat.client.do("reveal", (4, 4), id=2)
    assert (error["code"], error["id"]) == ("illegal-move", 2)
    assert "is revealed already" in error["message"]
    assert seat.client.do("ping", id=3) == [{"type": "pong", "id": 3}]


def test_a_message_that_comes_late_is_refused_if_somebody_else_changed_the_game_meanwhile() -> None:
    """As one on a connection that was lost, whose player went on with another: it was told as not done."""
    seat = Seat()
    late, live = seat.client, seat.live
    before = late.copy["number"]
    other = Client(live)
    other.do("left", (4, 4), after=other.copy["number"])
    board = live.state().board
    (told,) = late.do("right", (0, 0), id=7, after=before)
    assert (told["type"], told["code"], told["id"]) == ("error", "went-on", 7)
    assert late.do("hint", after=before)[0]["code"] == "went-on"
    assert live.state().board == board
    assert not live.session.assistance.is_assisted
    assert late.do("state", id=8, after=before)[0]["id"] == 8, "this changes nothing"
    # Who has heard of it goes on; several moves may be under way at once, and who says nothing of it is not asked.
    seen = late.copy["number"]
    for x in range(3):
        assert late.do("right", (x, 0), after=seen)[-1]["type"] == "update"
    assert late.do("right", (3, 0))[-1]["type"] == "update"
    assert other.do("right", (0, 0), after=seen)[-1]["code"] == "went-on"
    assert other.do("right", (0, 0))[-1]["type"] == "update"
    assert late.do("right", (1, 0), after=seen)[-1]["code"] == "went-on"


def test_a_message_from_before_a_game_went_on_elsewhere_is_refused() -> None:
    seat = Seat()
    seat.client.do("left", (4, 4))
    before = seat.client.copy["number"]
    parts = saved_parts(save_session(seat.live.session, seat.live.game.referee), clock=seat.clock)
    game = PlayedGame(
        parts, key="game", player="ann", ports=seat.services.ports(seat.clock), options=GameOptions(face="web")
    )
    seat.live.replace(game)
    assert seat.client.copy["number"] > before
    assert seat.client.do("right", (0, 0), after=before)[-1]["code"] == "went-on"
    assert seat.client.do("right", (0, 0), after=seat.client.copy["number"])[-1]["type"] == "update"


def test_undo_redo_restart_and_pause() -> None:
    seat = Seat()
    seat.client.do("left", (4, 4))
    seat.clock.now += 1500
    before = seat.live.state().board
    (told,) = seat.client.do("pause")
    assert (told["what"], told["paused"], told["running"], told["time"]) == ("paused", True, False, 1500)
    assert set("".join(seat.client.state()["board"])) == {"#"}
    seat.clock.now += 10_000
    assert seat.client.do("left", (0, 0))[0]["runs"] == []
    assert seat.client.do("reveal", (0, 0))[0]["code"] == "illegal-move"
    (told,) = seat.client.do("go_on")
    assert (told["what"], told["time"], seat.client.state()["board"]) == ("went on", 1500, before)
    (told,) = seat.client.do("undo")
    assert (told["what"], told["can_redo"], told["assistance"]["undone"]) == ("undone", True, 1)
    (told,) = seat.client.do("redo")
    assert (told["what"], seat.client.state()["board"]) == ("redone", before)
    (told,) = seat.client.do("restart")
    assert (told["what"], told["status"], told["time"], told["assistance"]["restarts"]) == ("restarted", "ready", 0, 1)
    assert seat.client.do("undo")[0]["code"] == "illegal-move"


def test_a_win_is_told_with_its_numbers() -> None:
    seat = Seat()
    seat.client.do("left", (4, 4))
    end = seat.win()[-1]
    numbers = measure_game(seat.live.session.record())
    runs = end.pop("runs")
    assert end.pop("code").startswith("modern#9x9x10.7.f4-4.")
    assert end == {
        "type": "end",
        "status": "won",
        "seed": "7",
        "bbbv": numbers.bbbv,
        "solved_bbbv": numbers.bbbv,
        "clicks": numbers.clicks,
        "effective_clicks": numbers.effective_clicks,
        "efficiency": round(numbers.ioe or 0, 4),
        "bbbv_per_second": round(numbers.bbbv_per_second or 0, 4),
        "played": 1,
        "won": 1,
        "best": True,
    }
    assert sum(tiles.count("*") for _, tiles in runs) == 10
    seat.services.work()
    assert seat.client.heard[-1]["type"] == "review"


def test_a_pause_leaves_a_win_its_count_and_takes_its_time() -> None:
    seat = Seat()
    seat.client.do("pause")
    seat.client.do("go_on")
    assert seat.client.copy["assistance"]["pauses"] == 0, "nothing was to be seen yet"
    seat.client.do("left", (4, 4))
    seat.client.do("pause")
    seat.clock.now += 60_000  # and the board is remembered
    seat.client.do("go_on")
    end = seat.win()[-1]
    assert seat.client.copy["assistance"]["pauses"] == 1
    assert (end["won"], end["best"], end["bbbv_per_second"]) == (1, False, None)
    assert end["efficiency"] is not None


def test_before_the_end_nothing_names_the_mines() -> None:
    seat = Seat(preset="beginner", seed=123456789)
    seat.client.do("left", (4, 4))
    seat.client.do("hint")
    seat.services.work()
    said = json.dumps([arrived(seat.live.state()), seat.client.heard])
    assert "123456789" not in said
    assert str(seat.live.session.truth(seat.live.game.referee).record.code) not in said
    end = seat.lose()[-1]
    assert (end["seed"], "123456789" in end["code"]) == ("123456789", True)


def test_a_game_that_is_given_up_before_it_began_has_no_layout() -> None:
    seat = Seat()
    told, end = seat.client.do("terminate")
    assert (told["status"], end["code"], end["seed"], end["runs"], end["bbbv"]) == ("terminated", None, None, [], None)
    assert not seat.services.waiting or seat.services.work()
    seat.client.do("restart")
    assert seat.client.do("left", (4, 4))[0]["status"] == "playing"


def test_a_loss_shows_the_board_and_can_be_undone() -> None:
    seat = Seat()
    seat.client.do("left", (4, 4))
    mines = seat.mines()
    wrong = next(
        seat.xy(c)
        for c in range(81)
        if seat.xy(c) not in mines and seat.live.game.referee.board.tiles[c] == Tile.COVERED
    )
    seat.client.do("flag", wrong)
    told, end = seat.lose()
    assert (told["status"], end["status"]) == ("lost", "lost")
    assert sorted("".join(tiles for _, tiles in end["runs"])) == ["!"] + ["*"] * 9
    seat.services.work()
    state = arrived(seat.live.state())
    assert state["end"]["status"] == "lost"
    assert set(state["review"]) == {"type", "safe", "mined", "risk", "least", "forced"}
    seat.client.do("undo")
    assert not {"end", "review"} & set(arrived(seat.live.state()))


def test_the_last_of_many_ends_is_judged_and_one_at_a_time() -> None:
    seat = Seat(preset="engine")
    for _ in range(10):
        seat.lose()
        seat.client.do("restart")
    seat.lose()
    assert len(seat.services.waiting) == 1
    assert [seat.services.work(), seat.services.work(), seat.services.work()] == [1, 1, 0]
    assert seat.client.types().count("review") == 1
    assert seat.live.state().review


def test_the_time_of_a_win_is_one_however_long_the_move_takes() -> None:
    seat = Seat(preset="engine", width=3, height=1, mine_count=1)
    clock = seat.clock

    def tick() -> int:
        clock.now += 1
        return clock.now

    seat.live.session._watch._clock = tick
    mine = seat.mines()[0]
    for x in range(3):
        if (x, 0) != mine:
            seat.client.do("reveal", (x, 0))
    end = seat.client.copy["end"]
    assert (end["status"], end["best"]) == ("won", True)
    assert seat.client.copy["time"] == seat.live.session.played[-1].at


def test_a_review_of_a_game_that_went_on_is_not_told() -> None:
    seat = Seat()
    seat.client.do("left", (4, 4))
    seat.lose()
    seat.client.do("undo")
    seat.services.work()
    assert "review" not in seat.client.types()


def test_who_toggles_a_flag_for_ever_is_stopped_and_can_give_up() -> None:
    seat = Seat(width=2, height=2, mine_count=1, start="any")
    most = most_inputs(seat.live.grid)
    for _ in range(most):
        seat.client.do("right", (0, 0))
    seat.client.heard.clear()
    for verb, fields in (
        ("right", {"cell": (0, 0)}),
        ("hint", {}),
        ("overlay", {"on": True}),
        ("undo", {}),
        ("restart", {}),
    ):
        seat.client.do(verb, **fields)
    assert seat.client.types() == ["too-long"] * 5
    assert [message["type"] for message in seat.client.do("terminate")] == ["update", "end"]
    assert seat.client.do("state")[0]["status"] == "terminated"


@pytest.mark.parametrize(("size", "least"), [(1, 2), (480, 960), (10_000, 20_000), (65_025, 130_050)])
def test_there_are_inputs_enough_for_any_game(size: int, least: int) -> None:
    assert least < most_inputs(Grid(size, 1)) <= 22_000 + 2 * size


def test_a_table_that_was_forgotten_does_nothing() -> None:
    seat = Seat()
    seat.live.game.is_gone = True
    assert seat.client.do("left", (4, 4), id=4)[0]["code"] == "failed"
    assert seat.services.sink.changes == []


def test_each_input_is_a_change_to_save() -> None:
    seat = Seat()
    for verb in ("left", "right"):
        seat.client.do(verb, (4, 4))
    seat.client.do("pause")
    seat.client.do("ping")
    assert len(seat.services.sink.changes) - len(seat.services.records) == 3


def test_a_game_that_nobody_has_in_view_is_paused_and_marked() -> None:
    seat = Seat()
    seat.client.do("page", hidden=True)
    assert not seat.services.timers, "no clock runs yet"
    seat.client.do("left", (4, 4))
    assert [one.seconds for one in seat.services.timers] == [5.0]
    other = Client(seat.live)
    assert seat.services.ring() == [], "somebody looks"
    seat.live.leave(other)
    seat.client.do("page", hidden=False)
    assert seat.services.ring() == [], "that was shorter than five seconds"
    seat.client.do("page", hidden=True)
    seat.clock.now += 5_000
    seat.client.heard.clear()
    assert seat.services.ring() == [5.0]
    (told,) = seat.client.heard
    assert (told["what"], told["paused"], told["time"]) == ("paused", True, 5_000)
    assert (told["assistance"]["auto_pauses"], told["assistance"]["pauses"]) == (1, 0)
    assert seat.services.ring() == []
    seat.client.do("page", hidden=False)
    assert seat.client.copy["paused"], "its player goes on"
    seat.client.do("go_on")
    end = seat.win()[-1]
    assert (end["won"], end["best"], end["bbbv_per_second"]) == (1, False, None)


def test_a_game_that_somebody_has_in_view_in_another_process_is_not_paused() -> None:
    seat = Seat()
    asked: list[LiveGame] = []
    seat.live.on_unseen = asked.append
    seat.client.do("left", (4, 4))
    seat.client.do("page", hidden=True)
    assert seat.services.ring() == [2.5]
    assert asked == [seat.live]
    seat.live.seen_elsewhere()
    assert seat.services.ring() == [2.5], "it is asked again"
    assert not seat.client.copy["paused"]
    assert seat.services.ring() == [2.5]
    assert seat.client.copy["paused"], "nobody has said anything for five seconds"
    assert asked == 2 * [seat.live]
    seat.live.seen_elsewhere()
    assert seat.services.ring() == []


def test_a_game_whose_last_socket_is_gone_is_paused_unless_the_operator_says_not() -> None:
    for policy, seconds in ((PlayPolicy(), [5.0]), (PlayPolicy(auto_pause=False), [])):
        seat = Seat(policy=policy)
        seat.client.do("left", (4, 4))
        seat.live.leave(seat.client)
        assert seat.services.ring() == seconds
        assert seat.live.session.is_paused is bool(seconds)
        text = save_session(seat.live.session, seat.live.game.referee)
        loaded, _ = load_session(text, clock=HandClock(5), source_of=PreparedSource)
        assert loaded.assistance == seat.live.session.assistance


def test_an_end_whose_totals_are_still_asked_for_is_in_no_state() -> None:
    """What this process counted itself is not the player's total where others count games too."""
    seat = Seat(width=5, height=4, mine_count=4)
    ends: list[GameEnded] = []
    seat.live.on_end = lambda _, told: ends.append(told)
    seat.client.do("reveal", (0, 0))
    seat.client.do("terminate")
    assert arrived(seat.live.state())["status"] == "terminated"
    assert "end" not in arrived(seat.live.state())
    seat.live.tell_end(ends[0], StoredTotals(7, 3, None))
    end = arrived(seat.live.state())["end"]
    assert (end["played"], end["won"]) == (7, 3)
    assert [one["played"] for one in seat.client.heard if one["type"] == "end"] == [7]
