"""The games that were won, one by one, for whoever draws them."""

from sqlalchemy import select

from sapper.store import schema
from sapper.store.filters import Filter, conditions
from sapper.store.models import Result
from sapper.store.repository import Store

_GAMES = schema.games.c


def win_times(store: Store, wanted: Filter) -> list[tuple[int, int]]:
    """When each won game whose time is known ended, in milliseconds since 1970, and its time; the oldest first."""
    query = (
        select(_GAMES.ended, _GAMES.time_ms)
        .where(*conditions(wanted), _GAMES.result == Result.WON.value, _GAMES.time_ms.is_not(None))
        .order_by(_GAMES.ended, _GAMES.id)
    )
    with store.reading() as connection:
        return [(ended, time) for ended, time in connection.execute(query)]
