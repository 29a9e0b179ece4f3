"""What games lost by choices, from their ends to the ranking: in the application, and on real servers that are killed."""

import asyncio
import json
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from sapper.core.record import Record
from sapper.errors import StoreError
from sapper.metrics.interval import mean_at_most
from sapper.review.judging import review_game
from sapper.server.worker_pool import WorkerPool
from sapper.session.inputs import Verb
from sapper.session.saving import save_session
from sapper.store import schema
from sapper.store.changes import Change
from sapper.store.held_games import held_games
from sapper.store.models import MOST_MOVES, Result, StoredGame
from sapper.store.repository import Store, open_store
from sapper.store.skill import skill_of, waiting_keys
from sapper.web.games import reviewing
from sapper.web.games.costs import CostTask, judge_abandoned, judge_game
from sapper.web.games.live_game import LiveGame
from sapper.web.games.messages import (
    FlagRequest,
    HintRequest,
    OverlayRequest,
    PlayerRequest,
    RevealRequest,
    TerminateRequest,
    UndoRequest,
    UnflagRequest,
)
from tests.played_games import Table
from tests.postgres import needed_binaries, running
from tests.registries import until
from tests.social import Deaf, Site, open_site
from tests.web_app import ANN, BOB, BUSY
from tests.web_players import Player, hear, say
from tests.web_process import PATIENCE, WebProcess, web_process


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "games.db") as opened:
        yield opened


async def _new(site: Site) -> str:
    answer = await site.ann("POST", "/api/games", json.dumps({"preset": "beginner"}).encode())
    game: str = answer.json["game"]
    return game


async def _begin(site: Site, game: str) -> None:
    """Reveal the middle."""
    (await site.live(game)).do(RevealRequest(cell=(4, 4)), Deaf())
    site.days.go(seconds=1)


async def _is_judged(site: Site, store: Store, count: int) -> None:
    def is_so() -> bool:
        return not waiting_keys(store) and sum(one.games for one in skill_of(store, ANN)) == count

    await until(is_so)


def _lost(store: Store) -> float:
    """What the only game lost."""
    (skill,) = skill_of(store, ANN)
    assert (skill.board, skill.games) == ("beginner", 1)
    return skill.mean


def _left(store: Store, key: str) -> float:
    """The chance to win that the first move of a game left: judged here, by the library."""
    left = review_game(_record(store, key)).moves[0].win_after
    assert left is not None
    return left


def _lost_by(store: Store, key: str) -> float:
    """What the choices of a game lost: judged here, by the library."""
    return min(1.0, review_game(_record(store, key)).cost or 0.0)


def _is_worse_of_both(store: Store, *, sure: float, held: float) -> None:
    """A player stands as the worse of two says: without the game that waits for the operator, or with it. Which one that is depends on the boards."""
    games, mean = max(((1, sure), (2, (sure + held) / 2)), key=lambda one: mean_at_most(one[1], one[0]))
    (skill,) = skill_of(store, ANN)
    assert skill.bound == pytest.approx(mean_at_most(mean, games), abs=1e-6)
    assert skill.games == games
    assert skill.mean == pytest.approx(mean, abs=2e-6)


def _record(store: Store, key: str) -> Record:
    game = store.find_game(key)
    assert game is not None
    assert game.record is not None
    return Record.from_json(game.record)


async def test_an_end_is_judged_as_its_review_says_and_shown_in_the_statistics(store: Store) -> None:
    async with open_site(store) as site:
        game = await _new(site)
        await site.lose(game)
        await _is_judged(site, store, 1)
        verdicts = (await site.ann("GET", f"/api/played/{game}.0/review")).json
        assert _lost(store) == pytest.approx(verdicts["cost"], abs=1e-6)
        (told,) = (await site.ann("GET", "/api/statistics")).json["skill"]
        assert told == {"board": "beginner", "games": 1, "mean": _lost(store), "bound": pytest.approx(1, abs=0.1)}
        ranking = await site.ann("GET", "/api/rankings", query="board=beginner&measure=skill")
        assert ranking.json["rows"] == []  # a place needs thirty games, and a name


@pytest.mark.parametrize("how", ["end", "hint", "undo", "chances", "day"])
async def test_who_leaves_a_game_loses_all_that_was_left(store: Store, how: str) -> None:
    """By giving it up, by help, and by not going on with it for a day: the end that comes later changes nothing."""

    async with open_site(store) as site:
        game, costs = await _new(site), site.context.registry.costs
        assert costs is not None
        await _begin(site, game)
        live = await site.live(game)
        assert live.session.status.value == "playing"
        if how == "undo":
            live.do(RevealRequest(cell=_safe(live)), Deaf())
        asked: dict[str, PlayerRequest] = {
            "end": TerminateRequest(), "hint": HintRequest(), "undo": UndoRequest(), "chances": OverlayRequest(on=True),
        }  # fmt: skip
        if how == "day":
            await until(lambda: live.game.is_kept)
            for hours, count in ((23, 0), (2, 1)):
                site.days.go(hours=hours)
                await costs.look_at_all()
                assert sum(one.games for one in skill_of(store, ANN)) == count
        else:
            live.do(asked[how], Deaf())
        if how != "end":
            await until(lambda: live.session.assistance.is_assisted or how == "day")
            await site.win(game)
        await _is_judged(site, store, 1)
        assert _lost(store) == pytest.approx(_left(store, f"{game}.0"), abs=2e-6)
        assert 0 < _lost(store) <= 1


def _safe(live: Any) -> tuple[int, int]:
    """A covered cell without a mine."""
    layout, board = live.game.referee.layout, live.session.board
    place: tuple[int, int] = live.grid.xy(
        next(cell for cell in range(live.grid.size) if cell not in layout.mines and not board.tile(cell).is_clue)
    )
    return place


async def test_a_win_by_certain_moves_loses_nothing_and_a_machine_s_waits_for_the_operator(store: Store) -> None:
    async with open_site(store) as site:
        await site.win(slow := await _new(site))
        await _is_judged(site, store, 1)
        assert _lost(store) == pytest.approx(_lost_by(store, f"{slow}.0"), abs=1e-6)
        await site.win(quick := await _new(site), pace=12)
        await until(lambda: not waiting_keys(store))
        assert [held.game for held in held_games(store)] == [f"{quick}.0"]
        _is_worse_of_both(store, sure=_lost_by(store, f"{slow}.0"), held=_lost_by(store, f"{quick}.0"))


async def test_who_leaves_a_game_at_a_machine_s_pace_loses_what_was_left_too(store: Store) -> None:
    async with open_site(store) as site:
        await _begin(site, game := await _new(site))
        live = await site.live(game)
        cell = _safe(live)
        for number in range(30):
            live.do(UnflagRequest(cell=cell) if number % 2 else FlagRequest(cell=cell), Deaf())
            site.days.go(milliseconds=20)
        live.do(TerminateRequest(), Deaf())
        await until(lambda: len(held_games(store)) == 1)
        assert skill_of(store, ANN) == []
        await site.win(won := await _new(site))
        await until(lambda: not waiting_keys(store))
        _is_worse_of_both(store, sure=_lost_by(store, f"{won}.0"), held=_left(store, f"{game}.0"))


async def test_chances_before_the_first_reveal_take_the_game_out_whatever_is_done_in_it(store: Store) -> None:
    """Nothing of the board is known then, so that nothing is chosen by it; what is done later brings no row and no loss."""
    async with open_site(store) as site:
        costs = site.context.registry.costs
        assert costs is not None
        for on in (True, False):
            live = await site.live(game := await _new(site))
            live.do(OverlayRequest(on=True), Deaf())
            live.do(OverlayRequest(on=on), Deaf())
            await _begin(site, game)
            live.do(HintRequest(), Deaf())
            await until(partial(_has_hint, live))
            assert waiting_keys(store) == []
            if on:
                await site.win(game)
        site.days.go(hours=25)
        await costs.look_at_all()
        assert waiting_keys(store) == []
        assert skill_of(store, ANN) == []


def _has_hint(live: LiveGame) -> bool:
    return live.session.assistance.hints == 1 and live.game.is_kept


def test_a_game_of_very_many_inputs_counts() -> None:
    """Its record is shortened: what was lost is all that was left where it goes on, however it ended."""
    table = Table("expert")
    table.do(Verb.LEFT, 93)
    covered, other = table.mines[:2]
    for number in range(MOST_MOVES + 100):
        table.clock.now += 300
        table.do(Verb.UNFLAG if number % 2 else Verb.FLAG, covered)
    table.do(Verb.REVEAL, other)
    (game,) = table.sink.of(ended=True)
    assert game.record is not None
    record = Record.from_json(game.record)
    assert record.left_out
    left = review_game(replace(record, played=record.played[:1], left_out=0, mines=None)).moves[0].win_after
    judged = judge_game(game)
    assert judged.lost == pytest.approx(left)
    assert judged.doubt is None


async def test_what_there_is_no_thought_for_is_judged_later(store: Store) -> None:
    async with open_site(store, pool=WorkerPool(job_time=BUSY)) as site:
        costs = site.context.registry.costs
        assert costs is not None
        # All that this player's address may have waiting is waiting already.
        busy = [
            asyncio.create_task(site.context.pool.run(time.sleep, 0.5, timeout=60, urgent=False, whose=ANN, address="10.0.0.1"))
            for _ in range(20)
        ]  # fmt: skip
        for _ in range(3):
            await site.lose(await _new(site))
        await until(lambda: len(waiting_keys(store)) == 3)
        await asyncio.gather(*busy, return_exceptions=True)
        await costs.look_at_all()
        await _is_judged(site, store, 3)


async def test_a_record_that_is_another_game_s_does_not_count(store: Store) -> None:
    async with open_site(store) as site:
        await site.lose(game := await _new(site))
        await _is_judged(site, store, 1)
        kept = store.find_game(f"{game}.0")
        assert kept is not None
        assert judge_game(kept).lost == pytest.approx(_lost(store), abs=1e-6)
        assert judge_game(kept.replace(result=Result.WON)).lost is None
        assert judge_game(kept.replace(record=None)).lost is None
        await _begin(site, given_up := await _new(site))
        (await site.live(given_up)).do(TerminateRequest(), Deaf())
        await _is_judged(site, store, 2)


async def test_what_takes_too_long_to_judge_counts_as_given_up_there(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_site(store) as site:
        await site.win(game := await _new(site))
        kept = store.find_game(f"{game}.0")
        assert kept is not None
        monkeypatch.setattr(reviewing, "REVIEW_TIME", 0)
        assert judge_game(kept).lost == _left(store, f"{game}.0")


# --- real servers ---------------------------------------------------------------------------------------


@pytest.fixture(params=["sqlite", "postgresql"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[WebProcess]:
    """A server on a database of its own."""
    with nullcontext() if request.param == "sqlite" else running(needed_binaries()) as cluster:
        database = None if cluster is None else cluster.address.format(name="postgres")
        with web_process(tmp_path, database=database) as process:
            yield process


async def _play(player: Player, *, end: bool) -> None:
    """Begin a game, and end it."""
    async with player.socket(player.game(preset="beginner")) as one:
        await hear(one, "state")
        await say(one, "reveal", cell=[4, 4])
        if end:
            await say(one, "terminate")


def test_a_server_that_is_killed_before_games_are_judged_forgets_none(server: WebProcess) -> None:
    """Neither those that have ended nor one that nobody ends, which is lost after a day."""
    ann, bob = Player.new(server), Player.new(server)

    async def play() -> None:
        for _ in range(4):
            await _play(ann, end=True)
        await _play(bob, end=False)

    asyncio.run(play())
    server.kill()  # none, some or all of them are judged
    with open_store(server.database) as store:
        (unfinished,) = [game for game in store.games() if game.result is Result.PLAYING]
        saved = store.find_session(unfinished.key.partition(".")[0])
        assert saved is not None
        name, other = (
            next(one for one in store.players() if (one == unfinished.player) is is_bob) for is_bob in (False, True)
        )
        # Whatever was judged, it is as if it had not been; and as if a day had gone by.
        table, games, day = schema.METADATA.tables["game_costs"], schema.games.c, 86_400_000
        store.change(lambda connection, _: [connection.execute(statement) for statement in (
            update(table).values(waits=True, lost=None),
            update(schema.games).values(started=games.started - day, ended=games.ended - day),
        )])  # fmt: skip
        assert len(waiting_keys(store)) == 4
        server.start()
        asyncio.run(until(lambda: not waiting_keys(store) and bool(skill_of(store, other)), gap=0.1))
        (skill,) = skill_of(store, name)
        assert skill.games == 4
        (told,) = ann.ask("GET", "/api/statistics").json()["skill"]
        assert (told["games"], told["mean"]) == (4, pytest.approx(skill.mean))
        (left,) = skill_of(store, other)
        assert left.games == 1
        assert 0 < left.mean <= 1
        assert judge_abandoned(unfinished, saved.text).lost == pytest.approx(left.mean, abs=1e-6)


def test_a_pause_saves_nothing_of_a_game_that_nobody_ends() -> None:
    table = Table()
    table.do(Verb.LEFT, 40)
    (game,) = table.sink.of(ended=False)
    session, referee = table.game.session, table.game.referee
    running = judge_abandoned(game, save_session(session, referee))
    assert running.lost
    table.do(Verb.AUTO_PAUSE)
    assert judge_abandoned(game, save_session(session, referee)) == running


async def test_an_end_that_the_database_takes_late_is_judged_all_the_same(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked, apply, look = threading.Event(), store.apply, CostTask._look_at_ends

    def apply_late(changes: Sequence[Change]) -> list[str]:
        if any(isinstance(one, StoredGame) and one.result is Result.LOST for one in changes):
            assert looked.wait(PATIENCE)
        return apply(changes)

    async def look_and_say(task: CostTask) -> bool:
        has_all = await look(task)
        looked.set()
        return has_all

    monkeypatch.setattr("sapper.web.games.registry.SETTLE_TIME", 0.05)
    monkeypatch.setattr("sapper.web.games.costs.LATER", 0.1)
    monkeypatch.setattr(store, "apply", apply_late)
    monkeypatch.setattr(CostTask, "_look_at_ends", look_and_say)
    async with open_site(store) as site:
        await site.lose(await _new(site))
        await _is_judged(site, store, 1)


async def test_a_game_whose_end_the_database_takes_late_is_joined_after_it(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_end, apply = threading.Event(), store.apply

    def apply_late(changes: Sequence[Change]) -> list[str]:
        if any(isinstance(one, StoredGame) and one.result is Result.TERMINATED for one in changes):
            assert may_end.wait(PATIENCE)
        return apply(changes)

    monkeypatch.setattr("sapper.web.games.live_game.KEEP_TIME", 0.05)
    monkeypatch.setattr(store, "apply", apply_late)
    async with open_site(store) as site:
        bob, phrase = site.visitor(BOB), (await site.ann("POST", "/api/player/phrase")).json["phrase"]
        game = (await bob("POST", "/api/games", json.dumps({"preset": "beginner"}).encode())).json["game"]
        live = await site.live(game, BOB)
        live.do(RevealRequest(cell=(4, 4)), Deaf())
        live.do(TerminateRequest(), Deaf())
        join = json.dumps({"phrase": phrase, "join": True}).encode()
        refused = await bob("POST", "/api/player/recovery", join)
        may_end.set()
        assert (refused.status, refused.json["error"]["code"]) == (503, "busy")
        await until(lambda: live.game.is_kept)
        assert (await bob("POST", "/api/player/recovery", join)).status == 200
        await until(lambda: not waiting_keys(store))
        assert [(one.key, one.player) for one in store.games()] == [(f"{game}.0", ANN)]
        assert skill_of(store, ANN) == skill_of(store, BOB) == []


async def test_a_look_that_fails_ends_no_looking(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_site(store) as site:
        calls = []

        async def fail(_: CostTask) -> None:
            calls.append(1)
            raise ZeroDivisionError

        monkeypatch.setattr(CostTask, "_look_at_ends", fail)
        await site.lose(await _new(site))
        await until(lambda: len(calls) > 0)
        await site.lose(await _new(site))
        await until(lambda: len(calls) > 1)


async def test_an_outage_ends_where_nothing_is_left_to_judge(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Else the log would say nothing of the next one."""

    def refuse(*_: object, **__: object) -> list[tuple[int, str]]:
        raise StoreError("the store is away")

    monkeypatch.setattr("sapper.web.games.costs.ROUND", 0.05)
    async with open_site(store):
        for times in (1, 2):
            with monkeypatch.context() as patch:
                patch.setattr("sapper.web.games.costs.waiting_keys", refuse)
                await until(lambda: caplog.messages.count("games cannot be judged now") == times)  # noqa: B023
            await until(lambda: caplog.messages.count("games are judged again") == times)  # noqa: B023


async def test_what_the_database_refuses_is_tried_again_after_a_while(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """However many other games end meanwhile: to judge one costs much more than to keep what it lost. The log has a line, not one a game."""
    later = 0.5
    refused: dict[str, list[float]] = {}

    def refuse(_: Store, game: StoredGame, *__: object, **___: object) -> None:
        refused.setdefault(game.key, []).append(time.monotonic())
        raise StoreError("the store is read-only")

    monkeypatch.setattr("sapper.web.games.costs.GAP", 0.01)
    monkeypatch.setattr("sapper.web.games.costs.LATER", later)
    monkeypatch.setattr("sapper.web.games.costs.keep_cost", refuse)
    async with open_site(store) as site:
        costs = site.context.registry.costs
        assert costs is not None
        await until(lambda: costs._seen is not None)  # the round of all games is another one
        for _ in range(4):
            game = await _new(site)
            await site.lose(game)
            await until(lambda key=f"{game}.0": key in refused)  # type: ignore[misc]
        await until(lambda: all(len(times) > 1 for times in refused.values()))
        assert caplog.messages.count("games cannot be judged now") == 1
        monkeypatch.undo()
        await _is_judged(site, store, 4)
        await until(lambda: "games are judged again" in caplog.messages)
    for times in refused.values():
        assert all(two - one > 0.9 * later for one, two in pairwise(times))
