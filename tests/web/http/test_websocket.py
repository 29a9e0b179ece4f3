"""The socket of a game: what is said is heard, what is answered arrives, and nobody can make others wait."""

import asyncio
import json
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any

import pytest

from sapper.core.grid import Grid
from sapper.errors import StoreError
from sapper.server.rate_limits import RateLimit
from sapper.server.worker_pool import WorkerPool
from sapper.web.games.messages import ClosingMessage, ErrorMessage, write_json
from sapper.web.games.play_policy import PlayPolicy
from sapper.web.http.context import AppContext
from sapper.web.http.limits import RateLimits, WebLimits
from sapper.web.http.page_look import Look
from sapper.web.http.transport import LINE
from sapper.web.http.websocket import WebSocketEndpoint
from tests.asking import Line, scope_of

LIMITS = WebLimits()


@pytest.fixture(autouse=True)
def _no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sapper.web.http.websocket.thread_time", lambda: 0.0)  # a garbage collection would be a lot


class Seat:
    """A live that says what it hears."""

    def __init__(self) -> None:
        self.id = "1"
        self.grid = Grid(9, 9)
        self.subscribers: list[Any] = []
        self.receipt = None
        self.confirms = False

    def tell_state(self, subscriber: Any) -> None:
        subscriber.send({"type": "state"})

    def join(self, subscriber: Any) -> None:
        self.subscribers.append(subscriber)

    def leave(self, subscriber: Any) -> None:
        self.subscribers.remove(subscriber)

    def do(self, request: Any, subscriber: Any) -> None:
        for one in self.subscribers:
            one.send(
                {
                    "type": "update",
                    "verb": request.verb,
                    "cell": getattr(request, "cell", None),
                    "mine": one is subscriber,
                }
            )


class Room:
    """One live, ann's."""

    def __init__(self) -> None:
        self.seat = Seat()

    async def find(self, player: str, game: str, *, address: str) -> Seat | None:
        if game == "lost":
            raise StoreError("the disk is gone")
        return self.seat if (player, game) == ("ann", "1") else None


class Place:
    """A door with a room behind it; the clock stands still."""

    def __init__(self, limits: WebLimits = LIMITS) -> None:
        self.room = Room()
        self.now = 0.0
        self.context = AppContext(
            registry=self.room,  # type: ignore[arg-type]  # all of it that sockets ask for
            pool=WorkerPool(), store=None, policy=PlayPolicy(), limits=limits, rates=RateLimits(limits, lambda: self.now), look=Look(),
        )  # fmt: skip
        self.door = WebSocketEndpoint(self.context)

    def enter(
        self, line: Line, *, player: str | None = "ann", game: str = "1", address: str = "10.0.0.1"
    ) -> "asyncio.Task[None]":
        scope = scope_of("websocket", f"/api/games/{game}/socket", (), address=address)
        scope |= {
            "player": player,
            "session": "",
            "address": address,
            "path_params": {"id": game},
            "state": {LINE: line},
        }
        return asyncio.ensure_future(self.door(scope, line.receive, line.send))


async def _settle() -> None:
    """Until everybody has done what they can do now."""
    for _ in range(50):
        await asyncio.sleep(0)


def _left(cell: int = 0, **more: object) -> str:
    return json.dumps({"do": "left", "cell": [cell, 0], **more})


async def test_the_server_speaks_first_and_all_see_every_update() -> None:
    place, one, two = Place(), Line(), Line()
    tasks = [place.enter(one), place.enter(two)]
    await _settle()
    assert one.sent[0] == {"type": "websocket.accept"}
    assert one.texts == two.texts == [{"type": "state"}]
    one.say(_left(3))
    two.say(_left(4).encode())
    await _settle()
    assert [message["mine"] for message in one.texts[1:]] == [True, False]
    assert [message["cell"] for message in two.texts[1:]] == [[3, 0], [4, 0]]
    assert len(place.context.sockets) == 2
    place.context.tell_all(ClosingMessage())
    await _settle()
    assert one.texts[-1] == two.texts[-1] == {"type": "closing"}
    one.leave()
    two.leave()
    await asyncio.gather(*tasks)
    assert (place.room.seat.subscribers, place.context.sockets, one.closed) == ([], {}, None)


@pytest.mark.parametrize("said", ["nonsense", "", b"\xff", "[]", '{"do":"left"}', '{"do":"left","cell":[9,0]}', "[" * 4000, '{"do":"fly","id":7}'])  # fmt: skip
async def test_a_bad_message_is_an_error_and_the_game_goes_on(said: str | bytes) -> None:
    place, line = Place(), Line()
    task = place.enter(line)
    line.say(said)
    line.say(_left())
    await _settle()
    line.leave()
    await task
    assert [message["type"] for message in line.texts] == ["state", "error", "update"]
    assert line.texts[1]["code"] == "bad-message"


@pytest.mark.parametrize(("who", "closed"), [({"player": None}, 1008), ({"player": "bob"}, 4404), ({"game": "2"}, 4404), ({"game": "lost"}, 1013)])  # fmt: skip
async def test_who_may_not_come_in_is_told_why(who: dict[str, Any], closed: int) -> None:
    place, line = Place(), Line()
    await place.enter(line, **who)
    assert line.sent[0] == {"type": "websocket.accept"}
    assert line.closed is not None
    assert line.closed[0] == closed
    assert line.texts == []


async def test_a_player_has_so_many_sockets_and_an_address_opens_so_many() -> None:
    place = Place(replace(LIMITS, sockets_per_player=2, opened=RateLimit(per_second=1, burst=4)))
    lines = [Line() for _ in range(6)]
    tasks = []
    for line in lines[:3]:
        tasks.append(place.enter(line))
        await _settle()
    assert [line.closed and line.closed[0] for line in lines[:3]] == [None, None, 1013]
    lines[0].leave()
    await tasks[0]
    tasks += [place.enter(line) for line in lines[3:5]]
    await _settle()
    assert lines[3].closed is None
    assert lines[4].closed == (1013, "too many connections from this address")
    tasks.append(place.enter(lines[5], address="10.0.0.2"))
    await _settle()
    assert lines[5].closed == (1013, "too many connections of this player")
    for line in lines:
        line.leave()
    await asyncio.gather(*tasks)


async def test_what_comes_too_fast_is_dropped_and_then_cut_off() -> None:
    limits = replace(
        LIMITS, messages=RateLimit(per_second=1, burst=3), dropped=4, opened=RateLimit(per_second=1, burst=30)
    )
    place, line = Place(limits), Line()
    task = place.enter(line)
    for number in range(5):
        line.say(_left(id=number))
    await _settle()
    assert [message["type"] for message in line.texts[1:]] == ["update"] * 3 + ["error"] * 2
    assert [(message["code"], message["id"]) for message in line.texts[-2:]] == [("slow-down", 3), ("slow-down", 4)]
    place.now = 1.0
    for _ in range(10):
        line.say(_left())
    await task
    assert [message["type"] for message in line.texts[6:]] == ["update", "error", "error"]
    assert line.closed == (1008, "too many messages")
    # It counts for many: whoever goes on like that has to wait.
    assert place.context.rates.opened.wait("10.0.0.1") == 0
    assert not place.context.rates.opened.take("10.0.0.1", 11)


async def test_what_was_dropped_is_forgiven_after_a_rest() -> None:
    """A socket that is open for days is no flood, even if it was too fast now and then."""
    place = Place(replace(LIMITS, messages=RateLimit(per_second=1, burst=3), dropped=4))
    line = Line()
    task = place.enter(line)
    for _ in range(5):
        for _ in range(6):
            line.say(_left())
        await _settle()
        place.now += 3.0
    assert line.closed is None
    assert [message["type"] for message in line.texts[1:]] == (["update"] * 3 + ["error"] * 3) * 5
    line.leave()
    await task


async def test_what_many_watch_is_written_once_and_counts_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[Any] = []

    def write(message: Any) -> bytes:
        written.append(message)
        return write_json(message)

    place = Place(replace(LIMITS, messages=RateLimit(per_second=1, burst=40)))
    lines = [Line() for _ in range(3)]
    tasks = [place.enter(line) for line in lines]
    await _settle()
    monkeypatch.setattr("sapper.web.http.responses.write_json", write)
    long = ErrorMessage(code="failed", message="x" * 10 * 32_768)
    for subscriber in place.room.seat.subscribers:
        subscriber.send(long)
    assert written == [long]
    await _settle()
    assert [line.texts[-1]["message"] for line in lines] == [long.message] * 3
    # Three times ten, and the player has ten left.
    for _ in range(12):
        lines[0].say("{}")
        await _settle()
    assert [message["code"] for message in lines[0].texts[2:]] == ["bad-message"] * 9 + ["slow-down"] * 3
    for line in lines:
        line.leave()
    await asyncio.gather(*tasks)


async def test_messages_are_counted_over_all_sockets_of_a_player() -> None:
    place = Place(replace(LIMITS, messages=RateLimit(per_second=1, burst=4)))
    lines = [Line(), Line()]
    tasks = [place.enter(line) for line in lines]
    for line in lines * 3:
        line.say(_left())
        await _settle()
    assert sum(message["type"] == "error" for line in lines for message in line.texts) == 2
    for line in lines:
        line.leave()
    await asyncio.gather(*tasks)


@pytest.mark.parametrize("limits", [replace(LIMITS, queued=20), replace(LIMITS, queued_size=1000)])
async def test_who_does_not_read_is_cut_off_and_nobody_waits_for_that(limits: WebLimits) -> None:
    place, stuck, other = Place(limits), Line(), Line()
    tasks = [place.enter(stuck), place.enter(other)]
    await _settle()
    stuck.stick()
    for number in range(40):
        other.say(_left(number % 9))
        await _settle()
    assert len(other.texts) == 41
    assert place.room.seat.subscribers == [place.room.seat.subscribers[-1]]
    stuck.unstick()
    await tasks[0]
    assert stuck.closed == (1008, "messages were not read")
    other.leave()
    await tasks[1]


async def test_who_does_not_read_and_asks_is_cut_off_too() -> None:
    place, stuck = Place(replace(LIMITS, queued=5)), Line()
    task = place.enter(stuck)
    await _settle()
    stuck.stick()
    stuck.say(_left())
    await _settle()  # its own answer is on its way, and what it says now is not heard
    for _ in range(10):
        stuck.say(_left())
    await _settle()
    for _ in range(10):
        place.room.seat.subscribers[0].send({"type": "update"}) if place.room.seat.subscribers else None
    await _settle()
    stuck.unstick()
    await task
    assert stuck.closed == (1008, "messages were not read")


async def test_a_client_that_has_gone_is_no_error() -> None:
    place, line = Place(), Line()
    task = place.enter(line)
    await _settle()

    async def gone(message: Any) -> None:
        raise ConnectionResetError

    line.send = gone  # type: ignore[method-assign]
    line.write = lambda texts: None  # type: ignore[method-assign]
    place.room.seat.subscribers[0].send({"type": "update"})
    line.say(_left())
    await _settle()
    line.leave()
    await task
    for player in ("ann", None):
        lost = Line()
        lost.send = gone  # type: ignore[method-assign]
        await place.enter(lost, player=player)


async def test_a_mistake_of_ours_ends_the_socket_and_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    place, line = Place(), Line()
    monkeypatch.setattr(place.room.seat, "do", lambda *_: 1 // 0)
    task = place.enter(line)
    line.say(_left())
    with pytest.raises(ZeroDivisionError):
        await task
    assert (place.context.metrics.errors, place.room.seat.subscribers) == ({"socket": 1}, [])


async def test_sockets_that_are_opened_at_once_are_counted() -> None:
    place = Place(replace(LIMITS, sockets_per_player=2))
    lines = [Line() for _ in range(5)]
    tasks = [place.enter(line) for line in lines]
    await _settle()
    assert [line.closed and line.closed[0] for line in lines] == [None, None, 1013, 1013, 1013]
    for line in lines:
        line.leave()
    await asyncio.gather(*tasks)


async def test_a_message_that_is_much_work_counts_as_many(monkeypatch: pytest.MonkeyPatch) -> None:
    moments = iter([0.0, 0.0001, 1.0, 1.02, 2.0, 2.0001])  # the second takes 20 ms
    place, line = Place(replace(LIMITS, messages=RateLimit(per_second=1, burst=10))), Line()
    task = place.enter(line)
    await _settle()
    monkeypatch.setattr("sapper.web.http.websocket.thread_time", lambda: next(moments))
    monkeypatch.setattr(
        "sapper.web.http.websocket.perf_counter", partial(next, count())
    )  # so that the thread's is asked for
    for _ in range(3):
        line.say(_left())
    await _settle()
    assert [message["type"] for message in line.texts[1:]] == ["update", "update", "error"]
    place.now = 13.0
    line.say(_left())
    await _settle()
    assert line.texts[-1]["type"] == "update"
    line.leave()
    await task


async def test_a_restart_counts_as_a_new_game_of_the_player_and_of_the_address() -> None:
    once = RateLimit(per_second=1, burst=2)
    for limits in (replace(LIMITS, new_games=once), replace(LIMITS, address_new_games=once)):
        place, lines = Place(limits), [Line(), Line()]
        tasks = [place.enter(line) for line in lines]
        await _settle()
        for number in range(3):
            lines[number % 2].say(json.dumps({"do": "restart", "id": number}))
            await _settle()
        assert [message["type"] for message in lines[1].texts] == ["state", "update", "update"]
        assert (lines[0].texts[-1]["code"], lines[0].texts[-1]["id"]) == ("slow-down", 2)
        lines[0].say(_left())
        place.now += 1
        lines[0].say('{"do": "restart"}')
        await _settle()
        assert [message["verb"] for message in lines[1].texts[-2:]] == ["left", "restart"]
        for line in lines:
            line.leave()
        await asyncio.gather(*tasks)


async def test_the_end_of_the_server_is_no_cut() -> None:
    place, line = Place(), Line()
    task = place.enter(line)
    await _settle()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (line.closed, place.room.seat.subscribers) == (None, [])
