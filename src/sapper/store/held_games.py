"""Games that wait for an operator before they count."""

from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Connection, Row, select

from sapper.store import schema, social_schema
from sapper.store.models import from_ms
from sapper.store.writing import insert_new

if TYPE_CHECKING:
    from sapper.store.repository import Store

_HELD = social_schema.held_games


class HeldGame(NamedTuple):
    """A game that an operator may decide about."""

    game: str
    player: str
    name: str | None
    reason: str
    state: str
    """`held`, `accepted` or `refused`."""
    at: datetime
    """When it ended."""


def hold_game(connection: Connection, row: Row[Any], reason: str, state: str = "held") -> None:
    """Have a game wait for the operator, or refuse it; `row` is the game's. One that was looked at stays as it is."""
    held = {"game": row.key, "player_id": row.player_id, "reason": reason, "state": state, "at": row.ended}
    insert_new(connection, _HELD, [held])


def held_games(store: "Store", state: str = "held") -> list[HeldGame]:
    """The games that wait, or that were decided so, the oldest first."""
    players, names = schema.players.c, social_schema.player_names
    query = (
        select(_HELD, players.name.label("player"), names.c.name)
        .join(schema.players, players.id == _HELD.c.player_id)
        .outerjoin(names, names.c.player_id == _HELD.c.player_id)
        .where(_HELD.c.state == state)
        .order_by(_HELD.c.at, _HELD.c.game)
    )
    with store.reading() as connection:
        rows = connection.execute(query).all()
    return [HeldGame(row.game, row.player, row.name, row.reason, row.state, from_ms(row.at)) for row in rows]
