"""The streak that a game ends, counted in the database, is the one that is counted game by game."""

import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select

from sapper.store import rankings, schema
from sapper.store.models import Category, Result, StoredGame, from_ms
from sapper.store.rankings import ABANDONED
from sapper.store.repository import Store
from sapper.store.writing import write_games
from tests.stored import stored

BEGIN = datetime(2026, 6, 26, tzinfo=UTC)
"""A Friday: days, weeks and a season change within the games below."""
STEPS = (0, 0, 1, 60, 60, 60, 600, 1440)
"""Minutes from one game to the next: some end at one moment, and a game that was left is lost after a day."""
RESULTS = (Result.WON,) * 12 + (Result.LOST, Result.TERMINATED, Result.PLAYING)


def _one_by_one(games: list[Any], row: Any, starts: dict[str, int], most: int) -> dict[str, int]:
    """The same, as the rule says it."""
    limit = row.ended - ABANDONED // timedelta(milliseconds=1)
    back = [
        one
        for one in sorted(games, key=lambda one: (one.ended, one.id), reverse=True)
        if (one.player_id, one.kind_id) == (row.player_id, row.kind_id)
        and (one.ended, one.id) <= (row.ended, row.id)
        and (one.result != "playing" or one.ended < limit)
    ]
    counts = dict.fromkeys(starts, 0)
    for one in back[:most]:
        if one.category != Category.PLAIN or one.result != "won":
            break
        for period, start in starts.items():
            counts[period] += one.ended >= start
    return counts


def _games(seed: int) -> list[StoredGame]:
    draw, minute, games = random.Random(seed), 0, []
    for number in range(150):
        minute += draw.choice(STEPS)
        when = BEGIN + timedelta(minutes=minute)
        games.append(
            stored(
                key=f"{number}.0", player=draw.choice(("ann", "ann", "bob")), result=draw.choice(RESULTS), started=when, ended=when,
                hints=draw.choice((0,) * 20 + (1,)), face="web",
            )
        )  # fmt: skip
    draw.shuffle(games)  # another process may record first what ended later
    return games


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("most", [5, rankings.LONGEST_STREAK])
def test_a_streak_is_counted_in_the_database_as_game_by_game(
    store: Store, seed: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rankings, "LONGEST_STREAK", most)
    store.change(lambda connection, numbers: write_games(connection, numbers, _games(seed)))
    seen = set()
    with store.reading() as connection:
        games = list(connection.execute(select(schema.games)).all())
        assert len(games) == 150
        for row in games:
            starts = rankings._starts(from_ms(row.ended))
            counts = rankings._streaks(connection, row, starts)
            assert counts == _one_by_one(games, row, starts, most)
            seen.add(tuple(counts.values()))
    assert len(seen) > 10  # none, short and long ones, and such as began before a day or a week
    assert max(max(counts) for counts in seen) >= 5
