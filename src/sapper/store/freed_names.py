"""Names that were somebody's: nobody may have them for a while, so that nobody is taken for who had them."""

import hashlib
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection, delete, literal, select

from sapper.store.models import to_ms
from sapper.store.social_schema import held_names, player_names
from sapper.store.writing import upsert

HELD: Final = timedelta(days=90)
"""How long nobody may have a name that was freed."""


def digest_of(text: str) -> str:
    """The SHA-256 of a phrase or of a name's skeleton."""
    return hashlib.sha256(text.encode()).hexdigest()


def is_held(connection: Connection, skeleton: str, now: datetime) -> bool:
    """True if a name was freed not long ago."""
    freed = held_names.c
    query = select(freed.until).where(freed.digest == digest_of(skeleton), freed.until > to_ms(now))
    return connection.execute(query).first() is not None


def free_names(connection: Connection, players: Sequence[int], now: datetime) -> int:
    """Free the names of these players, and have them held; how many there were."""
    where = player_names.c.player_id.in_(players)
    skeletons = connection.execute(select(player_names.c.skeleton).where(where)).scalars().all()
    for skeleton in skeletons:
        row = {"digest": digest_of(skeleton), "until": to_ms(now + HELD)}
        upsert(connection, held_names, [row], where=lambda _old, _new: literal(value=True))
    connection.execute(delete(player_names).where(where))
    return len(skeletons)
