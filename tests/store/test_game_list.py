"""Lists of finished games: filters, pages, and what they cost."""

import itertools
from dataclasses import fields
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from sapper.errors import StoreError
from sapper.store.game_list import GameEntry, GameQuery, finished_games
from sapper.store.models import Category, Result, StoredGame, to_ms
from sapper.store.repository import Store, open_store
from tests.stored import BEGIN, many, stored

_FILTERS: dict[str, tuple[Any, ...]] = {
    "player": (None, "ann", "nobody"),
    "category": (None, Category.PLAIN, Category.BOT),
    "preset": (None, "expert"),
    "result": (None, Result.WON, Result.TERMINATED),
    "size": (None, (9, 9), (30, 16)),
    "recorded": (False, True),
}


def _all(store: Store, wanted: GameQuery, most: int) -> list[str]:
    """The keys of all pages together."""
    keys: list[str] = []
    after = None
    while True:
        page = store.list_games(wanted, most=most, after=after)
        assert 0 < len(page.games) <= most or not keys
        keys += [one.key for one in page.games]
        after = page.next
        if after is None:
            return keys


def _is_wanted(game: StoredGame, wanted: GameQuery) -> bool:
    kind = game.kind
    asked = [
        (wanted.player, game.player), (wanted.category, game.category), (wanted.preset, kind.preset),
        (wanted.result, game.result), (wanted.size, (kind.width, kind.height)), (wanted.mine_count, kind.mine_count),
        (wanted.strategy, game.strategy), (wanted.face, game.face),
    ]  # fmt: skip
    return (
        game.result is not Result.PLAYING
        and all(value is None or value == of_game for value, of_game in asked)
        and (wanted.since is None or game.ended >= wanted.since)
        and (wanted.until is None or game.ended < wanted.until)
        and (game.record is not None or not wanted.recorded)
    )


def test_every_filter_gives_its_games_in_pages(store: Store) -> None:
    games = many(120, 5)
    store.record_many(games)
    listed = sorted(enumerate(games), key=lambda one: (one[1].ended, one[0]), reverse=True)
    queries = [
        GameQuery(**dict(zip(_FILTERS, values, strict=True))) for values in itertools.product(*_FILTERS.values())
    ]
    queries += [
        GameQuery(mine_count=99), GameQuery(strategy="least-risk"), GameQuery(face="web"), GameQuery(face="tui", player="bob"),
        GameQuery(since=BEGIN + timedelta(minutes=30), until=BEGIN + timedelta(minutes=90)),
    ]  # fmt: skip
    for number, wanted in enumerate(queries):
        expected = [game.key for _, game in listed if _is_wanted(game, wanted)]
        assert _all(store, wanted, (7, 50, 500)[number % 3]) == expected, wanted


def test_an_entry_says_what_the_game_says(store: Store) -> None:
    games = {game.key: game for game in many(60, 9)}
    store.record_many(games.values())
    page = store.list_games(GameQuery(), most=500)
    assert page.next is None
    for entry in page.games:
        game = games[entry.key]
        assert entry.recorded == (game.record is not None)
        for one in fields(entry):
            if one.name != "recorded":
                assert getattr(entry, one.name) == getattr(game, one.name)


def test_games_that_end_meanwhile_move_nothing(store: Store) -> None:
    games = [stored(str(number), ended=BEGIN + timedelta(seconds=number % 3)) for number in range(9)]
    store.record_many(games)
    first = store.list_games(GameQuery(), most=4)
    store.record(stored("later", ended=BEGIN + timedelta(seconds=5)))
    second = store.list_games(GameQuery(), most=5, after=first.next)
    assert [one.key for one in (*first.games, *second.games)] == ["8", "5", "2", "7", "4", "1", "6", "3", "0"]
    assert second.next is None
    for wrong in ("", "1", "1.2.3", "x.y", "9" * 16 + ".1"):
        with pytest.raises(StoreError, match="goes on from what a page has given"):
            store.list_games(GameQuery(), after=wrong)
    assert len(store.list_games(GameQuery(), most=0).games) == 1


@pytest.mark.parametrize(
    ("wanted", "index"),
    [
        (GameQuery(player="ann", result=Result.WON), "by_player"),
        (GameQuery(player="ann", category=Category.PLAIN), "by_player"),
        (GameQuery(category=Category.BOT, preset="expert"), "by_time"),
        (GameQuery(result=Result.LOST), "by_time"),
    ],
)
def test_pages_are_read_from_an_index_in_its_order(tmp_path: Path, wanted: GameQuery, index: str) -> None:
    asked: list[tuple[str, Any]] = []
    with open_store(tmp_path / "games.db") as store:
        event.listen(store.engine, "before_cursor_execute", lambda *args: asked.append((args[2], args[3])))
        store.list_games(wanted, after="5.5")
        lists = [one for one in asked if "LEFT OUTER JOIN" in one[0]]
        assert lists
        with store.reading() as connection:
            for statement, values in lists:
                plan = [row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)]
                assert any(f"SEARCH games USING INDEX {index}" in step for step in plan), plan
                assert not any("ORDER BY" in step for step in plan), plan


def _is_listed(game: StoredGame, wanted: GameQuery) -> bool:
    return (
        game.player == wanted.player
        and game.result is not Result.PLAYING
        and game.category in (Category.PLAIN, Category.ASSISTED)
        and wanted.preset in (None, game.kind.preset or "")
        and wanted.result in (None, game.result)
        and wanted.face in (None, game.face)
    )


def test_a_players_games_follow_each_other_in_pages_by_their_keys(store: Store) -> None:
    games = many(250, 12)
    store.record_many(games)
    preset = next(game.kind.preset for game in games if game.player == "ann" and game.kind.preset)
    for wanted in (
        GameQuery(player="ann"), GameQuery(player="ann", result=Result.WON), GameQuery(player="ann", preset=preset),
        GameQuery(player="ann", face="nowhere"), GameQuery(player="nobody"),
    ):  # fmt: skip
        found: list[GameEntry] = []
        after = None
        while page := finished_games(store, wanted, after=after, most=7):
            assert len(page) <= 7
            found += page
            after = page[-1].key
        expected = sorted(
            (game for game in games if _is_listed(game, wanted)), key=lambda game: to_ms(game.ended), reverse=True
        )
        assert [to_ms(one.ended) for one in found] == [to_ms(game.ended) for game in expected]
        assert {one.key for one in found} == {game.key for game in expected}
        by_key = {game.key: game for game in expected}
        for one in found:
            game = by_key[one.key]
            assert (one.kind, one.result, one.time_ms) == (game.kind, game.result, game.time_ms)
            assert one.recorded == (game.record is not None)
    # A game of somebody else's is no place to go on from.
    other = next(game.key for game in games if game.player not in (None, "ann"))
    assert finished_games(store, GameQuery(player="ann"), after=other) == ()
