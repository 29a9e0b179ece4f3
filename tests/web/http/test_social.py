"""Names, recovery phrases, and rankings of games that the server has seen."""

import asyncio
import json
import threading
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from sapper.errors import StoreError
from sapper.server.rate_limits import RateLimit
from sapper.store import devices as rows, schema, social_schema
from sapper.store.devices import list_devices
from sapper.store.held_games import held_games
from sapper.store.names import find_by_phrase, lapse_names, take_name
from sapper.store.rankings import MEASURES, read_ranking
from sapper.store.repository import Store, open_store
from sapper.store.settling import decide_game
from sapper.web.games.messages import AidRequest, HintRequest, PauseRequest, PlayerRequest, RestartRequest, UndoRequest
from sapper.web.games.social.naming import draw_phrase
from sapper.web.http.devices import Devices, label_of
from sapper.web.http.limits import WebLimits
from tests.asking import Answered, ask
from tests.registries import until
from tests.social import Deaf, Site, open_site
from tests.web.http.test_endpoints import _fits
from tests.web_app import ANN, BOB, PLAYERS, Visitor, open_app


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with open_store(tmp_path / "games.db") as opened:
        yield opened


async def _new(who: Visitor, **body: Any) -> str:
    answer = await who("POST", "/api/games", json.dumps({"preset": "beginner"} | body).encode())
    assert answer.status == 201, answer.body
    game: str = answer.json["game"]
    return game


async def _ended(site: Site, who: Visitor, count: int) -> None:
    for _ in range(count):
        await site.lose(await _new(who), who.player)


async def _name(who: Visitor, name: str) -> Any:
    answer = await who("PUT", "/api/player/name", json.dumps({"name": name}).encode())
    _fits(answer, "put", "/api/player/name")
    return answer


async def _ranking(who: Visitor, **query: str) -> Any:
    text = "&".join(f"{name}={value}" for name, value in query.items())
    answer = await who("GET", "/api/rankings", query=text)
    _fits(answer, "get", "/api/rankings")
    return answer.json


async def test_a_name_needs_ten_ended_games_and_is_nobody_else_s(store: Store) -> None:
    async with open_site(store) as site:
        bob = site.visitor(BOB)
        await _ended(site, site.ann, 9)
        refused = await _name(site.ann, "Ann")
        assert (refused.status, refused.code) == (409, "conflict")
        assert "you have 9" in refused.json["error"]["message"]
        await _ended(site, site.ann, 1)
        assert (await _name(site.ann, " Ann ")).json == {"name": "Ann", "games": 10, "needed": 10, "has_phrase": False}
        await _ended(site, bob, 10)
        for alike in ("Ann", "ann", "Αnn", "A n n"):
            assert (await _name(bob, alike)).status in (400, 409), alike
        assert (await _name(bob, "Анна")).json["name"] == "Анна"
        assert (await bob("DELETE", "/api/player/name")).json["name"] is None
        # Freed, it is held; a year without a game frees one too.
        assert (await _name(site.ann, "Анна")).status == 409
        site.days.go(days=91)
        assert (await _name(site.ann, "Анна")).status == 200
        site.days.go(days=366)
        assert lapse_names(store, site.days.now()) == 1
        assert (await site.ann("GET", "/api/player/name")).json["name"] is None


@pytest.mark.parametrize(
    ("name", "words"),
    [("", "1 to 20"), ("x" * 21, "1 to 20"), ("a\u200db", "U\\+200D"), ("a\u0007", "U\\+0007"), ("раураl", "one script"), ("ﬁsh", "plain letters"),
     ("-a", "begins with"), ("a😀", "U\\+1F600")],
)  # fmt: skip
def test_what_is_no_name_is_said(name: str, words: str) -> None:
    from sapper.errors import RequestError
    from sapper.web.games.social.naming import read_name

    with pytest.raises(RequestError, match=words):
        read_name(name)


def test_names_of_many_scripts() -> None:
    from sapper.web.games.social.naming import read_name

    for name in ("Ann", "山田Taro", "한글abc", "Иван", "O’Neill Jr.", "José-María", "ひらカナ漢字"):
        assert read_name(name)[0] == name
    assert read_name("paypal")[1] == read_name("PayPaI")[1] == read_name("paypa1")[1]


async def test_an_operator_takes_a_name_and_forgetting_frees_it(store: Store) -> None:
    async with open_site(store) as site:
        await _ended(site, site.ann, 10)
        assert (await _name(site.ann, "Ann")).status == 200
        assert take_name(store, "Ann", site.days.now())
        assert not take_name(store, "Ann", site.days.now())
        assert (await _name(site.ann, "Beth")).status == 200
        assert (await site.ann("DELETE", "/api/player")).status == 204
        with store.reading() as connection:
            assert connection.execute(social_schema.player_names.select()).all() == []
            assert len(connection.execute(social_schema.held_names.select()).all()) == 2


async def test_a_phrase_is_its_player_on_another_device(store: Store) -> None:
    async with open_site(store) as site:
        await site.win(await _new(site.ann))
        made = await site.ann("POST", "/api/player/phrase")
        _fits(made, "post", "/api/player/phrase")
        phrase = made.json["phrase"]
        assert len(phrase.replace("-", "")) * 5 >= 128
        with store.reading() as connection:
            assert phrase not in str(connection.execute(schema.notes.select()).all())
        again = (await site.ann("POST", "/api/player/phrase")).json["phrase"]
        assert find_by_phrase(store, phrase) is None
        bob = site.visitor(BOB)
        for wrong, status in ((phrase, 404), ("nonsense", 400)):
            assert (await bob("POST", "/api/player/recovery", json.dumps({"phrase": wrong}).encode())).status == status
        written = again.upper().replace("-", " ").replace("0", "O").replace("1", "l")
        answer = await bob("POST", "/api/player/recovery", json.dumps({"phrase": written}).encode())
        _fits(answer, "post", "/api/player/recovery")
        assert answer.status == 200
        cookie = next(one for one in answer.cookies if one.startswith("sapper_player="))
        bearer = PLAYERS.read(cookie.partition(";")[0])
        assert bearer is not None
        assert bearer.player == ANN


async def test_wrong_phrases_of_an_address_are_counted_and_right_ones_are_not(store: Store) -> None:
    async with open_site(store) as site:
        right = json.dumps({"phrase": (await site.ann("POST", "/api/player/phrase")).json["phrase"]}).encode()
        wrong = json.dumps({"phrase": draw_phrase()}).encode()
        for body, status, times in (
            (right, 200, 12),
            (wrong, 404, 9),
            (right, 200, 2),
            (wrong, 404, 1),
            (right, 429, 1),
        ):
            for _ in range(times):
                answer = await site.ann("POST", "/api/player/recovery", body)
                assert answer.status == status
        answer = await site.ann("POST", "/api/player/recovery", right)
        told = "too many wrong recovery phrases from this address: try again in 60 seconds"
        assert answer.json["error"]["message"] == told


async def test_a_new_phrase_ends_all_other_sessions(store: Store) -> None:
    async with open_site(store) as site:
        assert (await site.ann("GET", "/api/player/sessions")).json == {"sessions": []}
        other = site.visitor(ANN)
        other.session = "f" * 16
        assert (await other("GET", "/api/player/sessions")).cookies == []
        await site.ann("POST", "/api/player/phrase")
        answer = await other("GET", "/api/player/sessions")
        assert (answer.json, len(answer.cookies)) == ({"sessions": []}, 1)  # somebody new
        (own,) = (await site.ann("GET", "/api/player/sessions")).json["sessions"]
        assert own["own"]


@pytest.mark.parametrize(
    ("method", "path", "is_kept"),
    [("POST", "/api/player/phrase", True), ("DELETE", "/api/player/sessions", True), ("DELETE", "/api/player/sessions", False)],
)  # fmt: skip
async def test_a_lost_answer_locks_nobody_out(store: Store, method: str, path: str, *, is_kept: bool) -> None:
    async with open_app(store if is_kept else None) as (context, ann):
        game = f"/api/games/{await _new(ann)}"
        copied, elsewhere = (Visitor(ann.app, ANN) for _ in range(2))
        elsewhere.session = "f" * 16
        for _ in range(2):
            before = ann.session
            assert (await ann(method, path)).status in (200, 204)
            ann.session = before  # the answer did not arrive
            assert [(await one("GET", game)).status for one in (elsewhere, ann)] == [404, 200]
        if is_kept:
            listed = (await ann("GET", "/api/player/sessions")).json["sessions"]
            assert [one["own"] for one in listed] == [True]
        await ann(method, path)
        assert [(await one("GET", game)).status for one in (copied, ann, copied, ann)] == [200, 200, 404, 200]
        if is_kept:
            assert [one.session for one in list_devices(store, ANN)] == [ann.session]
            assert not await Devices(context).admits(ANN, copied.session)


async def test_a_phrase_that_was_used_says_that_its_answer_arrived(store: Store) -> None:
    async with open_site(store) as site:
        phrase = json.dumps({"phrase": (await site.ann("POST", "/api/player/phrase")).json["phrase"]}).encode()
        phone, copied = site.visitor(BOB), site.visitor(ANN)
        assert (await phone("POST", "/api/player/recovery", phrase)).status == 200
        assert (await copied("GET", "/api/player/sessions")).json["sessions"] == []
        found = (await site.ann("GET", "/api/player/sessions")).json["sessions"]
        assert sorted(one["own"] for one in found) == [False, True]


async def test_a_player_sees_devices_and_signs_one_out(store: Store) -> None:
    async with open_site(store) as site:
        phrase = json.dumps({"phrase": (await site.ann("POST", "/api/player/phrase")).json["phrase"]}).encode()
        phone, laptop = (Visitor(site.ann.app, ANN, "10.0.0.8") for _ in range(2))
        for one in (phone, laptop):
            assert (await one("POST", "/api/player/recovery", phrase)).status == 200
        site.days.go(days=1)
        listed = await laptop("GET", "/api/player/sessions")
        _fits(listed, "get", "/api/player/sessions")
        found = listed.json["sessions"]
        assert [one["own"] for one in found] == [True, False, False]
        assert found[0]["seen"] - found[1]["seen"] == 24 * 3600 * 1000
        path = f"/api/player/sessions/{phone.session}"
        assert [(await laptop("DELETE", path)).status for _ in range(2)] == [204, 404]
        assert (await site.visitor(BOB)("DELETE", f"/api/player/sessions/{laptop.session}")).status == 404
        before = phone.session
        assert (await phone("GET", "/api/player/sessions")).json["sessions"] == []
        # Signed in again with the session that it has: in its place.
        assert (await laptop("POST", "/api/player/recovery", phrase)).status == 200
        assert len((await laptop("GET", "/api/player/sessions")).json["sessions"]) == 2
        # The last one ends too, and no older cookie is the player's again.
        for one in (site.ann, laptop):
            answer = await one("DELETE", f"/api/player/sessions/{one.session}")
            assert (answer.status, "Max-Age=0" in answer.cookies[0]) == (204, True)
        assert await Devices(site.context).admits(BOB, "0" * 16)
        for session in (before, laptop.session, ANN[-16:]):
            assert not await Devices(site.context).admits(ANN, session)
        for _ in range(25):
            session = await Devices(site.context).add(ANN, "x")
        assert await Devices(site.context).admits(ANN, session)
        assert len(list_devices(store, ANN)) == 20


async def test_ended_sessions_are_none_of_the_twenty(store: Store) -> None:
    async with open_site(store) as site:
        devices = Devices(site.context)
        first = [await devices.add(ANN, "x") for _ in range(10)]
        site.days.go(days=1)
        for session in [await devices.add(ANN, "x") for _ in range(10)]:
            assert await devices.end(ANN, session)
        last = await devices.add(ANN, "x")
        assert sorted(one.session for one in list_devices(store, ANN)) == sorted([*first, last])


async def test_other_servers_hear_of_an_ended_session_when_the_database_takes_it_at_last(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_site(store) as site:
        devices, said = Devices(site.context), list[tuple[str, ...]]()
        session, other = [await devices.add(ANN, "x") for _ in range(2)]

        def refuse_first(*words: str) -> None:
            said.append(words)
            if len(said) == 1:
                raise StoreError("no")

        monkeypatch.setattr(store, "say", refuse_first)
        assert await devices.end(ANN, session)
        assert [await devices.admits(ANN, one) for one in (session, other)] == [False, True]
        await until(lambda: len(said) == 2)
        assert said == [("devices", ANN)] * 2


@pytest.mark.parametrize("reader", ["a session that is not known", "news of another server"])
async def test_what_was_read_before_a_session_ended_does_not_open_it_again(
    store: Store, reader: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_site(store) as site:
        devices = Devices(site.context)
        session, _ = [await devices.add(ANN, "x") for _ in range(2)]
        has_read, goes_on, told = threading.Event(), threading.Event(), list[Any]()
        read_open, tell = rows.read_open, Devices._set

        def read_slowly(store: Store, player: str | None = None) -> Any:
            monkeypatch.setattr(rows, "read_open", read_open)
            found = read_open(store, player)
            has_read.set()
            assert goes_on.wait(60)
            return found

        def tell_and_note(*values: Any) -> None:
            tell(*values)
            told.append(values)

        monkeypatch.setattr(rows, "read_open", read_slowly)
        monkeypatch.setattr(Devices, "_set", tell_and_note)
        devices.follow()
        asks = reader.startswith("a session")
        late = asyncio.ensure_future(devices.admits(ANN, "f" * 16) if asks else asyncio.sleep(0, result=False))
        if not asks:
            site.context.registry.on_other_news(["devices", ANN])
        await asyncio.to_thread(has_read.wait)
        assert await devices.end(ANN, session)
        goes_on.set()
        await until(lambda: len(told) == 2)
        assert not await late
        assert not await devices.admits(ANN, session)


@pytest.mark.parametrize("has_cookie", [True, False])
async def test_a_visitor_of_whom_nothing_is_kept_fills_no_store(store: Store, *, has_cookie: bool) -> None:
    limits = WebLimits(kept=RateLimit(per_second=0.001, burst=2))
    async with open_app(store, limits) as (context, ann):

        async def visit(method: str, path: str, number: int) -> Answered:
            if has_cookie:
                return await Visitor(ann.app, f"web-{number:032x}")(method, path)
            return await ask(ann.app, path, method=method, address="10.0.0.1")

        for number in range(5):
            answer = await visit("DELETE", "/api/player/sessions", number)
            assert answer.status == 204
            bearer = PLAYERS.read(answer.cookies[0].partition(";")[0])
            assert bearer is not None
            assert bearer.player != f"web-{number:032x}"
        assert store.players() == []
        # A phrase makes a row: it is one of the new games that an address may have kept.
        assert [(await visit("POST", "/api/player/phrase", number)).status for number in range(4)] == [
            200,
            200,
            429,
            429,
        ]
        assert len(store.players()) == 2
        assert context.rates.not_kept["address"] == 2


async def test_who_has_a_game_has_a_phrase_whatever_the_address_has_begun(store: Store) -> None:
    async with open_app(store, WebLimits(kept=RateLimit(per_second=0.001, burst=1))) as (_, ann):
        await _new(ann)
        assert (await ann("POST", "/api/player/phrase")).status == 200
        assert (await ann("DELETE", "/api/player/sessions")).status == 204
        assert store.players() == [ANN]


@pytest.mark.parametrize(
    ("agent", "label"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox, Linux"),
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36 Edg/138", "Edge, Windows"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1", "Safari, iPhone"),
        ("sapper play", "sapper play"), ("python-httpx/0.28.1", "python-httpx"), ("<b>\u202e", ""), ("Mozilla/5.0", ""), ("", ""),
    ],
)  # fmt: skip
def test_a_device_has_a_short_name(agent: str, label: str) -> None:
    assert label_of(agent) == label


async def test_phrases_cannot_be_tried_often(store: Store) -> None:
    async with open_site(store) as site:
        wrong = json.dumps({"phrase": "0000-" * 6 + "0000"}).encode()
        found = [(await site.ann("POST", "/api/player/recovery", wrong)).status for _ in range(12)]
        assert found == [404] * 10 + [429] * 2
        # Whoever throws cookies away gains nothing, nor does a phrase in an address, which logs would have.
        again = await site.visitor(BOB, "10.0.0.1")("POST", "/api/player/recovery", wrong)
        asked = await site.visitor(BOB, "10.0.0.2")("GET", "/api/player/recovery", query="phrase=x")
        assert (again.status, asked.status) == (429, 405)


async def test_games_of_a_second_device_join_and_the_earlier_attempt_stays(store: Store) -> None:
    async with open_site(store) as site:
        bob = site.visitor(BOB)
        await site.win(await _new(site.ann))
        phrase = (await site.ann("POST", "/api/player/phrase")).json["phrase"]
        game = (await bob("POST", "/api/daily", b"{}")).json["game"]
        await site.lose(game, BOB)
        site.days.go(minutes=1)
        later = (await site.ann("POST", "/api/daily", b"{}")).json["game"]
        await site.win(later)
        await _ended(site, bob, 2)
        body = json.dumps({"phrase": phrase, "join": True}).encode()
        assert (await bob("POST", "/api/player/recovery", body)).json["games"] == 5
        calendar = (await site.ann("GET", "/api/daily")).json["calendar"]
        assert [(one["game"], one["won"]) for one in calendar] == [(game, False)]
        assert store.players() == [ANN]


async def test_rankings_have_one_row_a_named_player(store: Store) -> None:
    async with open_site(store) as site:
        bob = site.visitor(BOB)
        for who in (site.ann, bob):
            await _ended(site, who, 10)
        slow = await _new(site.ann)
        await site.win(slow, pace=900)
        await site.win(quick := await _new(site.ann), pace=500, flags=True)
        await site.win(await _new(bob), BOB, pace=600)
        assert (await _ranking(site.ann)) == {"rows": [], "more": False, "own": None}
        assert (await bob("GET", f"/api/played/{quick}.0")).status == 404
        for who, name in ((site.ann, "Ann"), (bob, "Bob")):
            assert (await _name(who, name)).status == 200
        found = await _ranking(site.ann)
        assert {row["name"] for row in found["rows"]} == {"Ann", "Bob"}
        times = [row["value"] for row in found["rows"]]
        assert times == sorted(times)
        assert found["own"]["name"] == "Ann"
        flagless = await _ranking(site.ann, measure="no-flag")
        assert {row["game"]: row["name"] for row in flagless["rows"]}[f"{slow}.0"] == "Ann"
        assert [row["value"] for row in (await _ranking(site.ann, measure="streak"))["rows"]] == [2, 1]
        for measure in ("speed", "efficiency"):
            values = [row["value"] for row in (await _ranking(site.ann, measure=measure))["rows"]]
            assert len(values) == 2
            assert values == sorted(values, reverse=True)
        assert (await _ranking(site.ann, board="expert"))["rows"] == []
        # A ranked game's replay is everybody's; the others are not.
        best = found["own"]["game"]
        assert (await bob("GET", f"/api/played/{best}")).status == 200
        site.days.go(days=8)
        assert (await _ranking(site.ann))["rows"] == []
        assert len((await _ranking(site.ann, period="ever"))["rows"]) == 2


@pytest.mark.parametrize("how", ["seed", "code", "hint", "undo", "aid", "pause", "restart", "machine", "even"])
async def test_what_does_not_count(store: Store, how: str) -> None:
    async with open_site(store) as site:
        asked: dict[str, Any] = {
            "seed": {"seed": 3},
            "machine": {"preset": "intermediate"},
            "even": {"preset": "intermediate"},
        }
        game = await _new(site.ann, **asked.get(how, {}))
        live, count = await site.live(game), 0
        if how in ("undo", "hint", "aid", "pause", "restart"):
            await _begin(site, game)
            asks: dict[str, PlayerRequest] = {
                "undo": UndoRequest(),
                "hint": HintRequest(),
                "aid": AidRequest(),
                "pause": PauseRequest(),
                "restart": RestartRequest(),
            }
            live.do(asks[how], Deaf())
            if how == "hint":
                await until(lambda: live.session.assistance.hints > 0)
            if how == "pause":
                site.days.go(seconds=5)
                live.session.go_on()
        await site.win(game, pace={"machine": 15}.get(how, 400), jitter=how != "even")
        if how == "code":
            code = live.session.code
            game = (await site.ann("POST", "/api/games", json.dumps({"code": code}).encode())).json["game"]
            with store.reading() as connection:
                count = len(connection.execute(social_schema.rankings.select()).all())
            await site.win(game, pace=200)
        page = [read_ranking(store, "beginner", "time", "ever", site.days.now(), player=ANN)]
        assert page[0].own is None
        with store.reading() as connection:
            rows = connection.execute(social_schema.rankings.select()).all()
        assert len(rows) == (count if how == "code" else 0)
        assert [one.game for one in held_games(store)] == ([f"{game}.0"] if how in ("machine", "even") else [])


async def _begin(site: Site, game: str) -> None:
    from sapper.web.games.messages import RevealRequest

    live = await site.live(game)
    live.do(RevealRequest(cell=(4, 4)), Deaf())


async def test_what_an_operator_decides_changes_the_ranking(store: Store) -> None:
    async with open_site(store) as site:
        await _ended(site, site.ann, 10)
        await _name(site.ann, "Ann")
        await site.win(first := await _new(site.ann), pace=700)
        await site.win(second := await _new(site.ann), pace=12)

        def best() -> list[str]:
            return [row.game for row in read_ranking(store, "beginner", "time", "ever", site.days.now()).rows]

        assert best() == [f"{first}.0"]
        assert decide_game(store, f"{second}.0", accept=True)
        assert best() == [f"{second}.0"]
        assert decide_game(store, f"{second}.0", accept=False)
        assert best() == [f"{first}.0"]
        assert not decide_game(store, "nothing", accept=True)


async def test_ranks_of_games_whose_moves_are_not_kept_any_more_stay(store: Store) -> None:
    async with open_site(store) as site:
        bob = site.visitor(BOB)
        await site.win(await _new(site.ann), pace=700)
        await site.win(await _new(site.ann), pace=500, flags=True)
        await site.win(forged := await _new(site.ann), pace=12)
        await _ended(site, bob, 10)
        await _name(bob, "Bob")
        phrase = (await bob("POST", "/api/player/phrase")).json["phrase"]
        told = _ranks(store)
        assert {row[1] for row in told} == set(MEASURES)
        with store.engine.begin() as connection:
            connection.execute(schema.records.delete())
        assert decide_game(store, f"{forged}.0", accept=False)
        assert _ranks(store) == told
        body = json.dumps({"phrase": phrase, "join": True}).encode()
        assert (await site.ann("POST", "/api/player/recovery", body)).status == 200
        assert _ranks(store) == told
        assert [row.name for row in read_ranking(store, "beginner", "no-flag", "ever", site.days.now()).rows] == ["Bob"]


def _ranks(store: Store) -> list[tuple[Any, ...]]:
    ranks = social_schema.rankings.c
    columns = (ranks.board, ranks.measure, ranks.period, ranks.value, ranks.ended, ranks.game)
    with store.reading() as connection:
        return [tuple(row) for row in connection.execute(select(*columns).order_by(*columns))]
