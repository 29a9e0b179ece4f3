"""The boards of the days: the same for everybody, dealt once, counted if unaided, and shown to nobody before the day is over."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert

from sapper.generator.game_code import game_of_code
from sapper.generator.no_guess.certificate import read_certificate
from sapper.generator.no_guess.verify import verify_certificate
from sapper.store import schema, social_schema
from sapper.store.daily import DailyAttempt
from sapper.store.held_games import held_games
from sapper.store.repository import Store, open_store
from sapper.store.settling import decide_game
from sapper.web.games.messages import (
    AidRequest,
    EndMessage,
    ErrorMessage,
    HintRequest,
    PauseRequest,
    RestartRequest,
    UndoRequest,
)
from sapper.web.http.daily import streak_of
from tests.registries import until
from tests.social import Days, Deaf, Site, open_site
from tests.web.http.test_endpoints import _fits
from tests.web_app import ANN, BOB, Visitor


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with open_store(tmp_path / "games.db") as opened:
        yield opened


async def _begin(who: Visitor, size: str = "beginner", audience: str = "people") -> dict[str, Any]:
    answer = await who("POST", "/api/daily", json.dumps({"size": size, "audience": audience}).encode())
    assert answer.status in (200, 201), answer.body
    _fits(answer, "post", "/api/daily") if answer.status == 201 else None
    found: dict[str, Any] = answer.json
    return found


async def _own(site: Site, who: Visitor | None = None, size: str = "beginner") -> dict[str, Any]:
    answer = await (who or site.ann)("GET", "/api/daily")
    _fits(answer, "get", "/api/daily")
    (found,) = [one for one in answer.json["sizes"] if one["size"] == size]
    return dict(found)


def _name_players(store: Store) -> None:
    """Give all players names, and places."""

    def write(connection: Any, _: object) -> None:
        for row in connection.execute(schema.players.select()).all():
            name = row.name[-8:]
            values = {"player_id": row.id, "name": name, "skeleton": name, "seen": 0}
            connection.execute(insert(social_schema.player_names).values(values))
        connection.execute(social_schema.daily_attempts.update().values(placed=True))

    store.change(write)


async def test_everybody_gets_the_same_board_opened_and_programs_another(store: Store) -> None:
    async with open_site(store) as site:
        bob = site.visitor(BOB)
        for size in ("beginner", "intermediate", "expert"):
            ann_s, bob_s = await _begin(site.ann, size), await _begin(bob, size)
            assert ann_s["game"] != bob_s["game"]
            assert ann_s["state"]["board"] == bob_s["state"]["board"]
            assert ann_s["state"]["status"] == "playing"
            assert ann_s["state"]["running"]
            assert ann_s["state"]["time"] == 0
            assert ann_s["state"]["preset"] == f"daily-{size}"
            program_s = await _begin(bob, size, "bots")
            assert program_s["state"]["board"] != bob_s["state"]["board"]


async def test_a_board_is_certified_and_published_with_its_proof_the_day_after(store: Store) -> None:
    async with open_site(store) as site:
        await _begin(site.ann)
        day = site.days.now().date().isoformat()
        today = await site.ann("GET", "/api/daily/board")
        _fits(today, "get", "/api/daily/board")
        assert (today.json["day"], today.json["code"], today.json["proof"], today.json["bbbv"]) == (
            day,
            None,
            None,
            None,
        )
        site.days.go(hours=12, minutes=59)
        assert (await site.ann("GET", "/api/daily/board", query=f"day={day}")).json["code"] is None
        site.days.go(minutes=2)
        shown = (await site.ann("GET", "/api/daily/board", query=f"day={day}")).json
        coded = game_of_code(shown["code"])
        assert coded.layout is not None
        assert coded.first is not None
        assert verify_certificate(coded.layout, coded.first, read_certificate(shown["proof"]))
        for wrong, status in (
            ("day=2026-12-24", 404),
            ("day=2020-01-01", 404),
            ("day=2026-02-31", 400),
            ("day=x", 400),
        ):
            assert (await site.ann("GET", "/api/daily/board", query=wrong)).status == status


async def test_a_win_has_a_time_and_a_percentile_and_with_a_name_a_place(store: Store) -> None:
    async with open_site(store) as site:
        bob, cid = site.visitor(BOB), site.visitor("web-" + "c" * 32)
        await site.win((await _begin(site.ann))["game"], pace=400)
        await site.win((await _begin(bob))["game"], BOB, pace=900)
        await site.lose((await _begin(cid))["game"], cid.player)
        own = await _own(site)
        assert (own["own"]["state"], own["own"]["won"], own["attempts"], own["won"]) == ("counted", True, 3, 2)
        assert own["standing"] == {"attempts": 3, "place": None, "percentile": 100.0}
        _name_players(store)
        assert (await _own(site, bob))["standing"] == {"attempts": 3, "place": 2, "percentile": 50.0}
        assert (await _own(site, cid))["standing"] == {"attempts": 3, "place": None, "percentile": 0.0}
        rows = (await site.ann("GET", "/api/daily/board")).json["rows"]
        assert [(row["name"], row["game"]) for row in rows] == [("aaaaaaaa", None), ("bbbbbbbb", None)]
        assert rows[0]["time"] == own["own"]["time"]


@pytest.mark.parametrize("help_", ["hint", "undo", "aid", "restart", "slow"])
async def test_help_and_an_hour_end_the_attempt(store: Store, help_: str) -> None:
    async with open_site(store) as site:
        game = (await _begin(site.ann))["game"]
        live = await site.live(game)
        if help_ == "hint":
            live.do(HintRequest(), Deaf())
            await until(lambda: live.session.assistance.hints > 0)
        elif help_ == "undo":
            live.do(UndoRequest(), Deaf())
        elif help_ == "aid":
            live.do(AidRequest(), Deaf())
        elif help_ == "restart":
            live.do(RestartRequest(), Deaf())
        else:
            site.days.go(minutes=60)
        await site.win(game)
        own = (await _own(site))["own"]
        # Who starts over has given up, which is an attempt.
        state = "counted" if help_ == "restart" else "void"
        assert (own["state"], own["won"], own["time"]) == (state, False, None)


async def test_the_clock_never_stops_not_even_while_no_server_runs(store: Store) -> None:
    days = Days()
    async with open_site(store, days) as site:
        game: str = (await _begin(site.ann))["game"]
        live, told = await site.live(game), Deaf()
        live.do(PauseRequest(), told)
        assert not live.session.is_paused
        (refused,) = told.told
        assert isinstance(refused, ErrorMessage)
        assert "never stops" in refused.message
        days.go(seconds=10)
        assert live.state().time == 10_000
    days.go(seconds=60)
    async with open_site(store, days) as site:
        assert (await site.live(game)).state().time == 70_000
        again = await _begin(site.ann)
        assert (again["game"], again["state"]["time"]) == (game, 70_000)


async def test_nothing_of_it_is_shown_before_the_day_is_over(store: Store) -> None:
    async with open_site(store) as site:
        game = (await _begin(site.ann))["game"]
        told = await site.lose(game)
        (end,) = [one for one in told.told if isinstance(one, EndMessage)]
        assert end.code is None
        assert end.seed is None
        assert end.runs  # one's own end shows the mines
        key = f"{game}.0"
        live = await site.live(game)
        code = live.session.code
        await site.context.registry.settle(ANN)
        for path in (f"/api/played/{key}", f"/api/played/{key}/review"):
            answer = await site.ann("GET", path)
            assert (answer.status, answer.code) == (423, "not-yet")
            _fits(answer, "get", path.replace(key, "{id}"))
        assert (await site.ann("PUT", f"/api/played/{key}/shared", b'{"shared": true}')).status == 423
        assert (await site.ann("GET", "/api/practice")).json["games"] == 0
        named = await site.visitor(BOB)("POST", "/api/games", json.dumps({"code": code}).encode())
        assert (named.status, named.code) == (423, "not-yet")
        site.days.go(hours=14)
        assert (await site.ann("GET", f"/api/played/{key}")).json["code"] == code
        assert (await site.visitor(BOB)("POST", "/api/games", json.dumps({"code": code}).encode())).status == 201


async def test_two_requests_at_once_are_one_attempt_and_a_second_game_never_counts(store: Store) -> None:
    async with open_site(store) as site:
        made = await asyncio.gather(*(_begin(site.ann) for _ in range(5)))
        assert len({one["game"] for one in made}) == 1
        game = made[0]["game"]
        await site.lose(game)
        live = await site.live(game)
        live.do(UndoRequest(), Deaf())
        await site.win(game)
        own = (await _own(site))["own"]
        assert (own["state"], own["won"]) == ("counted", False)
        live.do(RestartRequest(), Deaf())
        await site.win(game)
        assert (await _own(site))["own"] == own


async def test_a_machine_s_time_waits_for_the_operator(store: Store) -> None:
    async with open_site(store) as site:
        game = (await _begin(site.ann, "intermediate"))["game"]
        await site.win(game, pace=12)
        own = await _own(site, size="intermediate")
        assert (own["own"]["state"], own["attempts"], own["standing"]) == ("held", 0, None)
        (held,) = held_games(store)
        assert (held.game, held.player) == (f"{game}.0", ANN)
        assert decide_game(store, held.game, accept=True)
        assert (await _own(site, size="intermediate"))["own"]["state"] == "counted"
        assert decide_game(store, held.game, accept=False)
        assert (await _own(site, size="intermediate"))["own"]["state"] == "void"
        # Programs are as quick as they are.
        await site.win((await _begin(site.ann, "intermediate", "bots"))["game"], pace=5)
        assert held_games(store) == []


async def test_a_new_day_has_new_boards_and_an_attempt_belongs_to_the_day_of_its_beginning(store: Store) -> None:
    async with open_site(store) as site:
        site.days.go(hours=11, minutes=59, seconds=50)
        first = await _begin(site.ann)
        site.days.go(seconds=20)
        await site.win(first["game"])
        answer = (await site.ann("GET", "/api/daily")).json
        assert (answer["day"], [one["day"] for one in answer["calendar"]], answer["streak"]) == (
            "2026-11-30",
            ["2026-11-29"],
            1,
        )
        assert answer["sizes"][0]["own"] is None
        second = await _begin(site.ann)
        assert second["game"] != first["game"]
        assert second["state"]["board"] != first["state"]["board"]


async def test_who_is_forgotten_leaves_no_attempt(store: Store) -> None:
    async with open_site(store) as site:
        await site.win((await _begin(site.ann))["game"])
        assert (await _own(site, site.visitor(BOB)))["attempts"] == 1
        assert (await site.ann("DELETE", "/api/player")).status == 204
        assert (await _own(site, site.visitor(BOB)))["attempts"] == 0


def test_streaks() -> None:
    from datetime import UTC, datetime

    from sapper.store.daily import BoardName

    def attempt(day: str, *, won: bool = True, state: str = "counted") -> DailyAttempt:
        return DailyAttempt(
            name=BoardName(day=day, size="expert"), game=day, begun=datetime(2026, 1, 1, tzinfo=UTC), state=state, won=won, time_ms=1, placed=False
        )  # fmt: skip

    days = [attempt("2026-03-01"), attempt("2026-02-28"), attempt("2026-02-26")]
    assert streak_of(days, "2026-03-01") == 2
    assert streak_of(days, "2026-03-02") == 2
    assert streak_of(days, "2026-03-03") == 0
    assert streak_of([attempt("2026-03-01", won=False)], "2026-03-01") == 0
    assert streak_of([attempt("2026-03-01", state="held")], "2026-03-01") == 0


async def test_without_a_store_there_are_no_boards(tmp_path: Path) -> None:
    from tests.web_app import open_app

    async with open_app() as (_, ann):
        assert (await ann("GET", "/api/daily")).status == 404
        assert (await ann("POST", "/api/daily", b"{}")).status == 404
