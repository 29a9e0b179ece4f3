"""Where a player is signed in: a row a session, of players who have a recovery phrase or have ended sessions.

Of those only the sessions in these rows that have not ended are the player's; of all others every signed cookie is.
"""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, delete, insert, or_, select, update

from sapper.store import schema
from sapper.store.models import to_ms
from sapper.store.social_schema import devices
from sapper.store.writing import RowNumbers, lock_players

if TYPE_CHECKING:
    from sapper.store.repository import Store

MOST: Final = 20
"""Sessions of a player; of more, that seen longest ago ends."""
DAY: Final = timedelta(days=1) // timedelta(milliseconds=1)
UNUSED: Final = 0
"""When a session was seen that is to take the place of all others, while nobody has used it: the answer with its cookie may be lost."""

OpenSessions = dict[str, int]
"""Each session of a player that has not ended, and the day on which it was seen last, in milliseconds since 1970."""


class Device(NamedTuple):
    """A session of a player, as the player is told of it."""

    session: str
    label: str
    begun: int
    """The day, in milliseconds since 1970; so with the next."""
    seen: int


def read_open(store: "Store", player: str | None = None) -> dict[str, OpenSessions]:
    """The sessions of all players who have rows, or of one of them."""
    columns = (schema.players.c.name, devices.c.session, devices.c.seen, devices.c.ended)
    query = select(*columns).join(devices, devices.c.player_id == schema.players.c.id)
    if player is not None:
        query = query.where(schema.players.c.name == player)
    found: dict[str, OpenSessions] = {}
    with store.reading() as connection:
        for name, session, seen, ended in connection.execute(query):
            sessions = found.setdefault(name, {})
            if not ended:
                sessions[session] = seen
    return found


def list_devices(store: "Store", player: str) -> list[Device]:
    """A player's sessions, the one seen last first."""
    query = (
        select(devices.c.session, devices.c.label, devices.c.begun, devices.c.seen)
        .join(schema.players, schema.players.c.id == devices.c.player_id)
        .where(schema.players.c.name == player, devices.c.ended.is_(False), devices.c.seen > UNUSED)
        .order_by(devices.c.seen.desc(), devices.c.begun.desc(), devices.c.session)
    )
    with store.reading() as connection:
        return [Device(*row) for row in connection.execute(query)]


def add_device(
    store: "Store", player: str, session: str, label: str, now: datetime, *, asker: str | None = None
) -> None:
    """Note a new session. One that an `asker` wants instead of all others ends these, but the asker's own only when it is first used."""

    def write(connection: Connection, numbers: RowNumbers) -> None:
        number, day = numbers.name(schema.players, player), to_ms(now) // DAY * DAY
        own = devices.c.player_id == number
        lock_players(connection, select(schema.players.c.id).where(schema.players.c.id == number))
        row = {"session": session, "player_id": number, "label": label, "begun": day, "seen": day, "ended": False}
        if asker is None:
            _replace_others(connection, own, day)
            kept = select(devices.c.session).where(own, ~devices.c.ended)
            kept = kept.order_by(devices.c.seen.desc(), devices.c.session).limit(MOST - 1)
            gone = or_(devices.c.ended, devices.c.session.not_in(kept.scalar_subquery()))
            connection.execute(delete(devices).where(own, gone))
        else:
            connection.execute(delete(devices).where(own, devices.c.session != asker))
            if connection.execute(select(devices.c.session).where(own)).first() is None:
                connection.execute(insert(devices).values(row | {"session": asker}))
            row["seen"] = UNUSED
        connection.execute(insert(devices).values(row))

    store.change(write)


def _replace_others(connection: Connection, own: ColumnElement[bool], day: int) -> None:
    """The answer with the cookie of a session that nobody has used has arrived, if there is such a session: the others end."""
    unused = connection.execute(select(devices.c.session).where(own, devices.c.seen == UNUSED)).scalar()
    if unused is not None:
        connection.execute(delete(devices).where(own, devices.c.session != unused))
        connection.execute(update(devices).where(devices.c.session == unused).values(seen=day))


def end_device(store: "Store", player: str, session: str) -> bool:
    """End a session of a player; False if there is none. The row stays, so that an older cookie is not the player's again."""
    whose = select(schema.players.c.id).where(schema.players.c.name == player).scalar_subquery()
    this = update(devices).where(devices.c.player_id == whose, devices.c.session == session, devices.c.ended.is_(False))
    return store.change(lambda connection, _: connection.execute(this.values(ended=True)).rowcount > 0)


def see_device(store: "Store", session: str, day: int) -> None:
    """Note that a session was used on a day."""

    def write(connection: Connection, _: RowNumbers) -> None:
        this = devices.c.session == session
        lock_players(connection, select(devices.c.player_id).where(this))
        row = connection.execute(select(devices.c.player_id, devices.c.seen).where(this)).first()
        if row is not None and row.seen == UNUSED:
            _replace_others(connection, devices.c.player_id == row.player_id, day)
        connection.execute(update(devices).where(this).values(seen=day))

    store.change(write)
