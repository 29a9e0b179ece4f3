"""How a player stands is what counting the player's games says, on both databases."""

from pathlib import Path
from typing import Any

from sqlalchemy import event

from sapper.store.models import Category, Result
from sapper.store.repository import Store, open_store
from sapper.store.standing import StoredTotals, standing_of
from tests.stored import many

GAMES = many(250, 12)


def test_a_player_stands_as_the_games_say(store: Store) -> None:
    store.record_many(GAMES)
    kinds = {game.kind for game in GAMES}
    for player in {game.player for game in GAMES} - {None}:
        assert player is not None
        of_player = [
            game for game in GAMES if game.player == player and game.category in (Category.PLAIN, Category.ASSISTED)
        ]
        won = [game for game in of_player if game.result is Result.WON]
        for kind in kinds:
            times = [
                game.time_ms
                for game in won
                if game.kind == kind and game.category is Category.PLAIN and game.time_ms is not None
            ]
            expected = StoredTotals(len(of_player), len(won), min(times, default=None))
            assert standing_of(store, player, kind) == expected
        assert standing_of(store, player) == StoredTotals(len(of_player), len(won), None)
    assert any(standing_of(store, game.player or "", game.kind).best_ms for game in GAMES)


def test_nobody_has_played_nothing(store: Store) -> None:
    store.record_many(GAMES[:5])
    assert standing_of(store, "nobody", GAMES[0].kind) == StoredTotals(0, 0, None)


def _plans(store: Store) -> list[str]:
    """How SQLite finds one player's standing and saved games."""
    asked: list[tuple[str, Any]] = []
    event.listen(store.engine, "before_cursor_execute", lambda *args: asked.append((args[2], args[3])))
    standing_of(store, "ann", GAMES[0].kind)
    store.sessions(player="ann")
    with store.reading() as connection:
        return [
            " ".join(row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values))
            for statement, values in list(asked)
            if statement.lstrip().startswith("SELECT")
        ]


def test_one_player_is_found_without_reading_the_others(tmp_path: Path) -> None:
    with open_store(tmp_path / "games.db") as store:
        plans = _plans(store)
    assert any("by_player" in plan for plan in plans)
    assert any("sessions_by_player" in plan for plan in plans)
    assert not any(part in plan for plan in plans for part in ("SCAN games", "SCAN sessions"))
