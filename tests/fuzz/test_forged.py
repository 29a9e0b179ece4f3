"""Ranks that players were told of, on a server that is killed; and the rig that looks for forged ones."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, insert, select, update

from fuzz import forged_skill
from fuzz.forged import HONEST, Honest, earn, look, seat, told_again, untruth
from sapper.core.record import Record
from sapper.store import schema, social_schema
from sapper.store.held_games import held_games
from sapper.store.rankings import MEASURES
from sapper.store.repository import open_store
from tests.postgres import needed_binaries, running
from tests.web_process import WebProcess, web_process


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.full)])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[WebProcess]:
    """A server on a database of its own."""
    with nullcontext() if request.param == "sqlite" else running(needed_binaries()) as cluster:
        database = None if cluster is None else cluster.address.format(name="postgres")
        with web_process(tmp_path, "web.max_address_rate=100000", database=database) as process:
            yield process


def test_a_told_rank_survives_a_kill(server: WebProcess) -> None:
    earned = asyncio.run(earn(server.port, HONEST))
    for _, key, rows in earned:
        assert set(rows) == set(MEASURES)
        assert {None if row is None else row["game"] for row in rows.values()} == {key}
    server.kill()
    server.start()
    assert asyncio.run(told_again(earned)) == HONEST
    # A win whose end was told, and no rank yet, counts too; where it is better it takes the place of the player's first.
    player, first, before = earned[0]
    second = asyncio.run(player.win())
    server.kill()
    server.start()
    after = asyncio.run(player.ranks())
    for measure, row in after.items():
        old = before[measure]
        assert row is not None
        assert old is not None
        assert row["game"] in (first, second)
        more_is_better = measure in ("speed", "efficiency", "streak")
        assert row["value"] >= old["value"] if more_is_better else row["value"] <= old["value"]
    streak = after["streak"]
    assert streak is not None
    assert (streak["game"], streak["value"]) == (second, 2)
    with open_store(server.database) as store:
        assert held_games(store) == []
        assert look(store, player.straight | earned[1][0].straight).forged == []


def test_the_rig_sees_what_is_forged(tmp_path: Path) -> None:
    """A game in a ranking that nobody played straight, one with other times, and one beyond the limits."""

    async def play(port: int) -> Honest:
        player = Honest(port, 7)
        await player.win()
        async with seat(player, await player.new(no_guess=True)) as one:
            await one.play()
            player.straight[f"{one.game}.0"] = one.moves
        return player

    with web_process(tmp_path, "web.max_address_rate=100000") as server:
        player = asyncio.run(play(server.port))
    (slow, moves), (quick, _) = player.straight.items()
    with open_store(server.database) as store:
        game = store.find_game(slow)
        assert game is not None
        assert game.record is not None
        assert untruth(game, moves) is None
        played = Record.from_json(game.record).played
        faster = replace(Record.from_json(game.record), played=tuple(one._replace(at=one.at // 2) for one in played))
        edited = replace(game, record=faster.to_json(), time_ms=played[-1].at // 2)
        assert "from when the moves were made" in str(untruth(edited, moves))
        assert "of 999 ms" in str(untruth(replace(game, time_ms=999), moves))
        assert "moves were made" not in str(untruth(game, moves[1:]))
        assert look(store, player.straight).forged == []
        assert [line.partition(": ")[2] for line in look(store, {}).forged] == ["it was not played straight"]

        def put(connection: object, _: object) -> None:
            connection.execute(social_schema.rankings.update().values(game=quick))  # type: ignore[attr-defined]
            connection.execute(delete(social_schema.held_games))  # type: ignore[attr-defined]

        store.change(put)
        (line,) = look(store, player.straight).forged
        assert "moves" in line
        assert line.startswith(quick)


@pytest.mark.full
def test_the_rig_sees_games_that_are_left_out_of_skill(tmp_path: Path) -> None:
    """Nothing is left out; and it is seen if a costly game is, or one counts that must not."""
    with web_process(tmp_path, "web.max_address_rate=100000") as server:
        players = [forged_skill.SkillCheat(server.port, 5, way) for way in ("left", "restart", "seed")]
        for player in players:
            player.plan = ["well", player.way]
        assert forged_skill.run(server, players, 0, Counter()) == []
    left, restarted, seeded = players
    costs = social_schema.game_costs

    def spoil(connection: Any, _: object) -> None:
        keys = left.costly[0], restarted.costly[0], seeded.worthless[0]
        query = select(schema.games.c.key, schema.games.c.id, schema.games.c.player_id).where(
            schema.games.c.key.in_(keys)
        )
        rows = {row.key: row for row in connection.execute(query)}
        away, cheap, known = (rows[key] for key in keys)
        connection.execute(delete(costs).where(costs.c.game_id == away.id))
        connection.execute(update(costs).where(costs.c.game_id == cheap.id).values(lost=1000))
        values = {
            "game_id": known.id,
            "player_id": known.player_id,
            "board": "beginner",
            "at": 0,
            "waits": False,
            "lost": 0,
        }
        connection.execute(insert(costs).values(**values))

    with open_store(server.database) as store:
        store.change(spoil)
        told = forged_skill.left_out(store, players)
    assert {line.split(" ", 2)[2] for line in told if " games with " not in line} >= {
        "is left out", "lost 0.00", "counts, with 0.00",
    }  # fmt: skip
