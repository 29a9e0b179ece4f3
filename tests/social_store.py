"""A store with players who have names, ranks, and attempts at today's boards: for looking at screens."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import insert

from sapper.store import schema, social_schema
from sapper.store.daily import SIZES, BoardName, daily_secret, keep_board
from sapper.store.models import to_ms
from sapper.store.rankings import BOARDS, MEASURES, SKILL, period_names
from sapper.store.repository import Store
from sapper.web.games.social.making import make_board

NAMES = ("Ann", "Иван", "Ζωή", "O’Neill Jr.", "José-María", "a name of twenty ch")


def fill_social(store: Store, me: str, now: datetime) -> None:
    """Players with names; `me` is the fourth of them."""
    today = now.date()
    for back in (0, 3):
        day = (today - timedelta(days=back)).isoformat()
        for size in SIZES:
            keep_board(store, make_board(daily_secret(store), BoardName(day=day, size=size)))

    def write(connection: Any, numbers: Any) -> None:
        for at, name in enumerate(NAMES):
            number = numbers.name(schema.players, me if at == 3 else f"web-{at:032x}")
            connection.execute(
                insert(social_schema.player_names).values(player_id=number, name=name, skeleton=name, seen=to_ms(now))
            )
            for back in range(0, 20, 1 + at % 3):
                day = (today - timedelta(days=back)).isoformat()
                for place, size in enumerate(SIZES[: 1 + back % 3]):
                    won = (back + at + place) % 4 != 0
                    connection.execute(
                        insert(social_schema.daily_attempts).values(
                            player_id=number, day=day, audience="people", size=size, game=f"{at}-{back}-{size}",
                            begun=to_ms(now - timedelta(days=back)), state="counted", won=won,
                            time_ms=12_345 * (1 + at + place) if won else None, placed=True,
                        )
                    )  # fmt: skip
            rows = [
                {
                    "board": board, "measure": measure, "period": period, "player_id": number,
                    "value": {"time": 9_876, "no-flag": 10_000, "speed": -3_217, "efficiency": -10_250, "streak": -7}[measure] + at,
                    "ended": to_ms(now), "game": f"{at}.0", "shown": True,
                }
                for board in BOARDS for measure in MEASURES for period in period_names(now).values()
            ]  # fmt: skip
            rows += [
                {
                    "board": board, "measure": SKILL, "period": "ever", "player_id": number, "value": 41_000 + 1_000 * at,
                    "ended": to_ms(now), "game": f"{at}.0", "shown": True,
                }
                for board in BOARDS
            ]  # fmt: skip
            connection.execute(insert(social_schema.rankings), rows)

    store.change(write)
