"""What takes thought is answered later, once, and changes the game only when it is."""

import asyncio
from typing import Any

import pytest

from sapper.core.board import Board
from sapper.errors import RequestError
from sapper.play import jobs
from sapper.solver.advisor import Advisor
from sapper.web.games.messages import read_request
from tests.live_games import Client, Seat


def _playing() -> Seat:
    seat = Seat()
    seat.client.do("left", (4, 4))
    seat.client.heard.clear()
    return seat


def test_a_hint_is_told_to_all_and_counted() -> None:
    seat = _playing()
    other = Client(seat.live)
    assert seat.client.do("hint", id=9) == []
    busy = [seat.live.game.is_busy]
    seat.services.work()
    assert [*busy, seat.live.game.is_busy] == [True, False]
    told, hint = seat.client.heard
    assert (told["what"], told["assistance"]["hints"]) == ("hinted", 1)
    assert (hint["type"], hint["id"], hint["number"]) == ("hint", 9, told["number"])
    last = hint["steps"][-1]
    assert len(last["values"]) == len(last["clues"]) > 0
    assert last["safe"], "the step to act on shows a safe cell"
    assert hint["may_guess"] is False
    assert [message["type"] for message in other.heard] == ["update", "hint"]
    assert "id" not in other.heard[1]
    layout = seat.live.game.referee.layout
    assert layout is not None
    assert not {seat.live.grid.cell(x, y) for x, y in last["safe"]} & set(layout.mines)


def test_a_hint_names_whose_guess_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Advisor | None] = []
    hint = jobs.hint

    def noted(board: Board, advisor: Advisor) -> jobs.FoundHint:
        asked.append(advisor)
        return hint(board)

    monkeypatch.setattr(jobs, "hint", noted)
    seat = _playing()
    for more in ({}, {"strategy": "playouts"}, {"strategy": None}):
        seat.client.do("hint", **more)
        seat.services.work()
    assert asked == [Advisor(), Advisor(strategy="playouts"), Advisor()]
    with pytest.raises(RequestError, match="best-reply"):
        read_request('{"do": "hint", "strategy": "random"}', seat.live.grid)


def test_a_hint_about_a_board_that_has_changed_says_which() -> None:
    seat = _playing()
    number = seat.live.game.number
    seat.client.do("hint")
    seat.client.do("flag", seat.mines()[0])
    seat.services.work()
    assert seat.client.heard[-1]["number"] == number < seat.live.game.number


def test_the_same_is_not_asked_twice_at_once() -> None:
    seat = _playing()
    seat.client.do("hint")
    assert seat.client.do("hint", id=2)[0]["code"] == "busy"
    assert seat.client.do("may_guess") == []
    assert seat.services.work() == 2
    assert seat.client.types() == ["busy", "update", "hint", "update", "may_guess"]
    assert seat.client.heard[-1]["answer"] is False
    assert seat.live.session.assistance.hints == 2


@pytest.mark.parametrize(("verb", "code"), [("hint", "failed"), ("hint", "busy"), ("may_guess", "busy")])
def test_a_hint_that_is_not_given_is_not_counted(verb: str, code: str) -> None:
    seat = _playing()
    seat.client.do(verb, id=5)
    seat.services.refuse(code)
    assert (seat.client.types(), seat.client.heard[0]["id"]) == ([code], 5)
    assert seat.live.session.assistance.hints == 0
    assert not seat.live.game.is_busy


def test_whether_to_guess_may_be_too_hard_to_say() -> None:
    seat = _playing()
    seat.client.do("may_guess")
    seat.services.refuse("failed")
    assert seat.client.heard[-1]["answer"] is None


@pytest.mark.parametrize("verb", ["pause", "terminate"])
def test_a_hint_that_comes_too_late_is_an_error(verb: str) -> None:
    seat = _playing()
    seat.client.do("hint", id=5)
    seat.client.do(verb)
    seat.services.work()
    assert "illegal-move" in seat.client.types()
    assert "hint" not in seat.client.types()
    assert seat.client.do("hint")[0]["code"] == "illegal-move"


def test_chances_follow_each_move_and_are_not_found_for_boards_in_between() -> None:
    seat = Seat()
    (told,) = seat.client.do("overlay", on=True, id=1)
    assert (told["what"], told["overlay"], told["assistance"]["overlay"], told["id"]) == ("overlay", True, True, 1)
    seat.client.do("left", (4, 4))
    seat.client.do("flag", seat.mines()[0])
    assert len(seat.services.waiting) == 1, "of the board as it was at first"
    seat.services.work()
    assert len(seat.services.waiting) == 1, "of the board as it is"
    seat.services.work()
    assert not seat.services.waiting
    first, last = (message for message in seat.client.heard if message["type"] == "chances")
    assert len(first["chances"]) == 81
    assert first["number"] == told["number"]
    board = seat.live.game.referee.board
    assert last["number"] == seat.live.game.number
    assert [[x, y] for x, y, _ in last["chances"]] == [list(seat.xy(cell)) for cell in board.covered]
    assert all(0 <= chance <= 1 for _, _, chance in last["chances"])
    seat.client.do("overlay", on=False)
    seat.client.do("unflag", seat.mines()[0])
    assert not seat.services.waiting


def test_chances_are_not_told_of_a_board_that_is_hidden() -> None:
    seat = _playing()
    seat.client.do("overlay", on=True)
    seat.client.do("pause")
    seat.services.work()
    assert "chances" not in seat.client.types()
    seat.client.do("go_on")
    seat.services.work()
    assert seat.client.types()[-1] == "chances"


@pytest.mark.parametrize(
    ("verb", "fields", "what"), [("overlay", {"on": True}, "overlay"), ("aid", {}, "aided")], ids=["chances", "flags"]
)
def test_help_that_is_asked_for_in_a_pause_is_told_to_all(verb: str, fields: dict[str, Any], what: str) -> None:
    seat = _playing()
    other = Client(seat.live)
    seat.client.do("pause")
    (told,) = seat.client.do(verb, **fields)
    assert (told["type"], told["what"]) == ("update", what)
    assert other.heard[-1] == told


def test_chances_follow_a_state() -> None:
    seat = _playing()
    assert [message["type"] for message in seat.client.do("state")] == ["state"]
    assert not seat.services.waiting, "they are not shown"
    seat.client.do("overlay", on=True)
    seat.services.work()
    inputs = seat.live.session.input_count
    newcomer = Client(seat.live)
    seat.live.tell_state(newcomer)
    seat.client.do("state")
    assert seat.services.work() == 1, "for both at once"
    seat.services.work()
    assert newcomer.types()[:2] == ["state", "chances"]
    assert newcomer.heard[1]["number"] == newcomer.heard[0]["number"] == seat.live.game.number
    assert seat.live.session.input_count == inputs


def test_chances_that_are_too_hard_are_null() -> None:
    seat = _playing()
    seat.client.do("overlay", on=True)
    seat.services.refuse("failed")
    assert seat.client.heard[-1] == {
        "type": "chances", "number": seat.live.game.number, "chances": None, "win": None, "win_low": None, "win_high": None, "unknown": None,
    }  # fmt: skip


# --- layouts that take a search -----------------------------------------------------------------------------


def test_a_layout_that_needs_no_guess_is_found_before_the_first_reveal() -> None:
    seat = Seat(no_guess=True)
    other = Client(seat.live)
    (working,) = seat.client.do("left", (0, 0), id=1)
    assert (working["what"], working["status"], "id" in working) == ("working", "ready", False)
    assert seat.client.do("flag", (8, 8))[0]["what"] == "moved", "what needs no layout is done"
    assert seat.client.do("left", (4, 4))[0]["code"] == "busy"
    seat.clock.now += 900
    seat.services.work()
    told = seat.client.heard[-1]
    assert (told["what"], told["id"], told["status"], told["time"]) == ("moved", 1, "playing", 0)
    assert other.heard[-1]["what"] == "moved"
    seat.client.do("unflag", (8, 8))
    for _ in range(81):
        risks = jobs.chances(seat.live.game.referee.board, Advisor()).risks or {}
        safe = [seat.xy(cell) for cell, risk in risks.items() if risk == 0]
        if seat.client.copy["status"] == "playing":
            seat.client.do("left", safe[0])  # there is one: no guess is needed
    assert seat.client.copy["status"] == "won"
    assert seat.client.copy["end"]["code"].startswith("modern#9x9x10.7.f0-0.n")


def test_a_layout_that_is_not_found_is_said_and_can_be_asked_for_again() -> None:
    seat = Seat(no_guess=True)
    other = Client(seat.live)
    seat.client.do("left", (0, 0), id=1)
    seat.services.refuse("failed")
    assert (seat.client.types(), seat.client.heard[-1]["id"]) == (["update", "failed"], 1)
    assert other.types() == ["update", "failed"]
    seat.client.do("left", (4, 4))
    seat.services.work()
    assert seat.client.copy["status"] == "playing"
    seat.client.do("undo")
    assert seat.client.do("left", (0, 0))[0]["what"] == "moved", "the layout stays when its first reveal is undone"


def test_a_game_that_was_given_up_meanwhile_is_not_played() -> None:
    seat = Seat(no_guess=True)
    seat.client.do("left", (0, 0), id=1)
    seat.client.do("terminate")
    seat.services.work()
    assert [one["runs"] for one in seat.client.heard if one.get("id") == 1] == [[]]
    assert seat.client.copy["status"] == "terminated"
    assert seat.live.game.referee.layout is None


def test_a_click_that_reveals_nothing_needs_no_layout() -> None:
    seat = Seat(no_guess=True)
    seat.client.do("flag", (0, 0))
    assert seat.client.do("left", (0, 0))[0]["runs"] == []
    assert seat.client.do("reveal", (0, 0))[0]["code"] == "illegal-move"
    seat.client.do("pause")
    assert seat.client.do("left", (1, 0))[0]["runs"] == []
    assert not seat.services.waiting


# --- plain endpoints -----------------------------------------------------------------------------------------


def test_a_hint_and_chances_for_who_has_no_socket() -> None:
    seat = _playing()

    async def ask() -> None:
        hint = asyncio.create_task(seat.live.hint())
        await asyncio.sleep(0)
        seat.services.work()
        assert (await hint).steps
        assert seat.client.types() == ["update", "hint"]
        chances = asyncio.create_task(seat.live.chances())
        await asyncio.sleep(0)
        busy = [seat.live.game.is_busy]
        seat.services.work()
        assert (await chances).number == seat.live.game.number
        assert [*busy, seat.live.game.is_busy] == [True, False]
        assert (seat.live.session.shows_chances, seat.live.session.assistance.overlay) == (False, True)
        for question in (seat.live.hint, seat.live.chances):
            refused = asyncio.create_task(question())
            await asyncio.sleep(0)
            seat.services.refuse("busy")
            with pytest.raises(RequestError):
                await refused
        seat.client.do("pause")
        for question in (seat.live.hint, seat.live.chances):
            with pytest.raises(RequestError, match="paused"):
                await question()

    asyncio.run(ask())
    assert seat.client.copy["number"] == seat.live.game.number


async def test_chances_for_who_has_no_socket_take_room_once_and_are_refused_where_there_is_none() -> None:
    seat = _playing()
    before = seat.live.session.input_count
    for _ in range(3):
        chances = asyncio.create_task(seat.live.chances())
        await asyncio.sleep(0)
        seat.services.work()
        assert (await chances).chances
    assert seat.live.session.input_count == before + 2
    seat.live.game.most_inputs = before + 2
    for question in (seat.live.hint, seat.live.chances):
        with pytest.raises(RequestError, match="more inputs"):
            await question()
    seat.live.game.is_gone = True
    for question in (seat.live.hint, seat.live.chances):
        with pytest.raises(RequestError, match="forgotten"):
            await question()
    assert not seat.services.waiting
