"""The plain endpoints: each answers what its description says, to whom it should, and says what was wrong."""

import json
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from openapi_schema_validator import OAS31Validator

from sapper.errors import StoreError
from sapper.server.connections import ConnectionTracker
from sapper.server.rate_limits import RateLimit
from sapper.server.worker_process import LostError, WorkerProcess
from sapper.store.repository import open_store
from sapper.web.games import jobs
from sapper.web.http import endpoints
from sapper.web.http.context import AppContext
from sapper.web.http.limits import WebLimits
from tests.asking import Answered
from tests.live_games import Client
from tests.web_app import ANN, BOB, Visitor, description, open_app

DESCRIPTION = description()
SAFE_BOARD = "4x1/1\n1#1#\n"


def _fits(answer: Answered, method: str, path: str) -> None:
    """AssertionError unless the answer is one that the description has."""
    operation = DESCRIPTION["paths"][path][method]
    described = operation["responses"][str(answer.status)]
    if "$ref" in described:
        described = DESCRIPTION["components"]["responses"][described["$ref"].rpartition("/")[2]]
    if "content" not in described:
        assert answer.body == b""
        return
    schema = described["content"]["application/json"]["schema"] | {"components": DESCRIPTION["components"]}
    errors = [f"{error.json_path}: {error.message}" for error in OAS31Validator(schema).iter_errors(answer.json)]
    assert errors == []


async def _wait_until_it_thinks(context: AppContext) -> None:
    """A process has to start for that, on a busy machine for longer than a player would wait."""
    await context.pool.run(jobs.warm, timeout=60.0)


async def _new(visit: Visitor, **request: Any) -> str:
    answer = await visit("POST", "/api/games", json.dumps(request).encode())
    assert answer.status == 201, answer.body
    _fits(answer, "post", "/api/games")
    name: str = answer.json["game"]
    return name


async def test_a_game_is_made_seen_and_nobody_else_s() -> None:
    async with open_app() as (_, ann):
        made = await ann("POST", "/api/games", b'{"preset": "expert"}')
        game, state = made.json["game"], made.json["state"]
        assert (made.status, made.headers["location"]) == (201, f"/api/games/{game}")
        assert made.json["socket"] == f"/api/games/{game}/socket"
        assert (state["width"], state["height"], state["mine_count"], state["status"]) == (30, 16, 99, "ready")
        seen = await ann("GET", f"/api/games/{game}")
        _fits(seen, "get", "/api/games/{id}")
        assert seen.json == state
        listed = await ann("GET", "/api/games")
        _fits(listed, "get", "/api/games")
        bob = Visitor(ann.app, BOB)
        for method, path in (("GET", ""), ("POST", "/hint"), ("POST", "/analysis")):
            answer = await bob(method, f"/api/games/{game}{path}")
            assert (answer.status, answer.code) == (404, "not-found")
            _fits(answer, method.lower(), f"/api/games/{{id}}{path}")
        assert (await bob("GET", "/api/games")).json == {"games": []}


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [(b"{", 400, "is one JSON object"), (b"[]", 400, "is an object"), (b"\xff", 400, "in UTF-8"), (b"NaN", 400, "one JSON object"),
     (b'{"width": Infinity}', 400, "one JSON object"), (b"[" * 900, 400, "one JSON object"), (b'{"seed": 1}}', 400, "one JSON object"), (b"\xef\xbb\xbf{}", 400, "one JSON object"), (b'{"preset": "huge"}', 400, "unknown preset"),
     (b'{"width": 101, "height": 100, "mine_count": 9}', 400, "at most 10000 cells"), (b'{"width": 1000000, "mine_count": 1}', 400, "at most"),
     (b'{"mine_count": 81}', 400, "1 to 72"), (b'{"seed": -1}', 400, "seed is"), (b'{"code": "nonsense"}', 400, ""),
     (b" " * 70_000, 413, "at most 65536 bytes")],
)  # fmt: skip
async def test_what_is_no_game_is_said(body: bytes, status: int, words: str) -> None:
    async with open_app() as (_, ann):
        answer = await ann("POST", "/api/games", body)
        assert answer.status == status
        assert words in answer.json["error"]["message"]
        _fits(answer, "post", "/api/games")


async def test_hints_and_chances() -> None:
    async with open_app() as (context, ann):
        await _wait_until_it_thinks(context)
        game = await _new(ann, preset="beginner", seed=7)
        hint = await ann("POST", f"/api/games/{game}/hint")
        _fits(hint, "post", "/api/games/{id}/hint")
        assert hint.json["type"] == "hint"
        chances = await ann("POST", f"/api/games/{game}/analysis")
        _fits(chances, "post", "/api/games/{id}/analysis")
        assert len(chances.json["chances"]) == 81
        assert (await ann("GET", f"/api/games/{game}")).json["assistance"]["hints"] >= 1


async def test_any_board_is_analysed() -> None:
    async with open_app() as (context, ann):
        await _wait_until_it_thinks(context)
        answer = await ann("POST", "/api/analysis", json.dumps({"board": SAFE_BOARD}).encode())
        _fits(answer, "post", "/api/analysis")
        assert (answer.json["safe"], answer.json["mined"]) == ([[3, 0]], [[1, 0]])
        for body in (
            b"{}", b'{"board": 3}', b'{"board": "#", "mine_count": -1}', b'{"board": "#", "mine_count": true}', b'{"board": "x"}',
            b'{"board": "#", "lines": 1}', json.dumps({"board": "1x2/1\n1\n1\n"}).encode(),
        ):  # fmt: skip
            refused = await ann("POST", "/api/analysis", body)
            assert (refused.status, refused.code) == (400, "bad-request"), body
            _fits(refused, "post", "/api/analysis")


async def test_the_player_and_what_is_the_same_for_all(tmp_path: Path) -> None:
    with open_store(tmp_path / "store.db") as store:
        async with open_app(store) as (_, ann):
            await _new(ann)
            for path in ("/api/player", "/api/statistics", "/api/presets", "/api/page", "/api/openapi.json"):
                answer = await ann("GET", path)
                assert (answer.status, answer.headers["cache-control"]) == (200, "no-store")
                _fits(answer, "get", path)
            assert (await ann("GET", "/api/openapi.json")).json == DESCRIPTION
            wrong = await ann("GET", "/api/statistics", query="category=bots")
            assert (wrong.status, wrong.code) == (400, "bad-request")
            gone = await ann("DELETE", "/api/player")
            assert (gone.status, gone.body) == (204, b"")
            assert "Max-Age=0" in gone.cookies[0]
            assert (await ann("GET", "/api/games")).json == {"games": []}


async def test_the_store_takes_so_many_games_of_an_address_and_of_all() -> None:
    few = RateLimit(per_second=0.0001, burst=2)
    limits = replace(WebLimits(), kept=few, kept_of_all=replace(few, burst=3))
    async with open_app(limits=limits) as (context, ann):
        bob, cid = (Visitor(ann.app, BOB, address) for address in ("10.0.0.2", "10.0.0.3"))
        assert [(await ann("POST", "/api/games")).status for _ in range(3)] == [201, 201, 429]
        assert [(await one("POST", "/api/games")).status for one in (bob, cid)] == [201, 429]
        refused = await ann("POST", "/api/practice", b'{"board": "#1#\\n", "mine_count": 1}')
        assert (refused.status, refused.code) == (429, "slow-down")
        assert context.rates.not_kept == {"address": 2, "all": 1}
        connections = ConnectionTracker(connections=1, per_address=1, patience=1.0)
        lines = context.metrics.text(context.registry, connections, context.rates, None, context.pool).splitlines()
        assert 'sapper_new_games_refused_total{quota="address"} 2.0' in lines
        assert "sapper_new_games_left 0.0" in lines
        assert "sapper_store_bytes 0.0" in lines


async def test_who_asks_too_often_waits_and_others_do_not() -> None:
    limits = replace(
        WebLimits(), new_games=RateLimit(per_second=0.01, burst=2), address_work=RateLimit(per_second=0.01, burst=1)
    )
    async with open_app(limits=limits) as (_, ann):
        await _new(ann)
        await _new(ann)
        slow = await ann("POST", "/api/games", b"{}")
        assert (slow.status, slow.code, int(slow.headers["retry-after"]) > 50) == (429, "slow-down", True)
        _fits(slow, "post", "/api/games")
        bob = Visitor(ann.app, BOB)
        await _new(bob)
        assert (await ann("GET", "/api/statistics")).status == 200
        assert (await bob("GET", "/api/statistics")).status == 429
        bob.address = "10.0.0.2"
        assert (await bob("GET", "/api/statistics")).status == 200


async def test_trouble_is_told_and_stays_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_app() as (context, ann):
        for error, status, code in (
            (StoreError("/secret/path: disk"), 503, "busy"),
            (ZeroDivisionError("x"), 500, "failed"),
        ):

            def fail(*_: object, error: Exception = error) -> None:
                raise error

            monkeypatch.setattr(endpoints, "statistics_data", fail)
            answer = await ann("GET", "/api/statistics")
            assert (answer.status, answer.code) == (status, code)
            assert b"secret" not in answer.body
            _fits(answer, "get", "/api/statistics")
        assert context.metrics.errors == {"endpoint": 1}  # a store that gives trouble is no mistake of ours
        assert (await ann("GET", "/api/player")).status == 200


async def test_a_server_whose_workers_do_not_start_is_not_well(monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_app() as (context, ann):
        assert (await ann("GET", "/health")).status == 200
        position = b'{"text": "3x1/1\n#1#\n"}'.replace(b"\n", b"\\n")

        def ask(*_: object) -> None:
            raise LostError("exit code 255", at_once=True)

        monkeypatch.setattr(WorkerProcess, "ask", ask)
        statuses = [(await ann("POST", "/api/positions", position)).status for _ in range(2)]
        assert statuses == [500, 503]
        answer = await ann("GET", "/health")
        assert (answer.status, answer.code) == (503, "busy")
        assert "no worker process starts" in answer.body.decode()
        connections = ConnectionTracker(connections=1, per_address=1, patience=1.0)
        lines = context.metrics.text(context.registry, connections, context.rates, None, context.pool).splitlines()
        assert "sapper_workers_lost_total 3.0" in lines


async def test_a_server_whose_store_does_not_answer_is_not_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_store(tmp_path / "store.db") as store:
        async with open_app(store) as (_, ann):
            assert (await ann("GET", "/health")).json == {"status": "ok", "games": 0, "sockets": 0}

            def fail(_: str) -> None:
                raise StoreError("gone")

            monkeypatch.setattr(store, "find_session", fail)
            assert (await ann("GET", "/health")).status == 503
            monkeypatch.setattr(endpoints, "HEALTH_TIME", 0.01)
            answered = threading.Event()
            monkeypatch.setattr(store, "find_session", lambda _: answered.wait(60))
            late = await ann("GET", "/health")
            answered.set()
            assert (late.status, "within 0.01 s" in late.json["error"]["message"]) == (503, True)


async def test_a_player_lists_games_so_often() -> None:
    async with open_app(limits=replace(WebLimits(), work=RateLimit(per_second=0.01, burst=2))) as (_, ann):
        answers = [await ann("GET", "/api/games") for _ in range(3)]
        assert [answer.status for answer in answers] == [200, 200, 429]


async def test_what_was_done_just_now_is_in_all_answers(tmp_path: Path) -> None:
    """A move waits for company before the database gets it, but not where somebody asks the database."""
    with open_store(tmp_path / "web.db") as store:
        async with open_app(store) as (context, ann):
            name = await _new(ann, preset="beginner", seed=9)
            live = await context.registry.find(ANN, name)
            assert live is not None
            client = Client(live)
            client.do("left", (4, 4))
            assert (await ann("GET", "/api/player")).json["played"] == 1
            client.do("terminate")
            assert [one["game"] for one in (await ann("GET", "/api/played")).json["games"]] == [f"{name}.0"]
            assert store.find_game(f"{name}.0") is not None
