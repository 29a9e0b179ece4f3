"""Names and recovery phrases of players, who have none unless they want to.

A phrase is kept as its SHA-256 only: it has as many random bits as a key, so that there is nothing to guess.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, delete, exists, literal, select, update

from sapper.errors import RequestError
from sapper.store import schema, social_schema
from sapper.store.daily import count_ended
from sapper.store.freed_names import digest_of, free_names, is_held
from sapper.store.models import to_ms
from sapper.store.rankings import rebuild_ranks, show_player
from sapper.store.skill import leave_out
from sapper.store.social_schema import held_names
from sapper.store.writing import RowNumbers, lock_players, upsert

if TYPE_CHECKING:
    from sapper.store.repository import Store

GAMES_BEFORE: Final = 10
"""Ended games that rankings are made of which a name needs."""
IDLE: Final = timedelta(days=365)
"""How long nobody has played by a name when it lapses."""

_NAMES, _PHRASES = social_schema.player_names, social_schema.recovery_phrases
_ATTEMPTS = social_schema.daily_attempts


class NamedPlayer(NamedTuple):
    """What others may know of a player, and whether there may be a name."""

    name: str | None
    games: int
    """Ended games that rankings are made of, counted up to `GAMES_BEFORE`."""
    has_phrase: bool


def read_named(store: "Store", player: str) -> NamedPlayer:
    """A player's name, and what there is of a name's conditions."""
    with store.reading() as connection:
        number = _number(connection, player)
        if number is None:
            return NamedPlayer(None, 0, has_phrase=False)
        name = connection.execute(select(_NAMES.c.name).where(_NAMES.c.player_id == number)).scalar()
        games = count_ended(connection, number, most=GAMES_BEFORE)
        has_phrase = connection.execute(select(exists().where(_PHRASES.c.player_id == number))).scalar()
    return NamedPlayer(name, games, has_phrase=bool(has_phrase))


def name_player(store: "Store", player: str, name: str, skeleton: str, now: datetime) -> None:
    """Give a player a name, in place of another; `RequestError` (`conflict`) if it is somebody's, or the player has not played enough."""

    def write(connection: Connection, _: RowNumbers) -> None:
        number = _locked(connection, player)
        games = 0 if number is None else count_ended(connection, number, most=GAMES_BEFORE)
        if number is None or games < GAMES_BEFORE:
            raise RequestError("conflict", f"a name needs {GAMES_BEFORE} ended ranked games; you have {games}")
        owner = connection.execute(select(_NAMES.c.player_id).where(_NAMES.c.skeleton == skeleton)).scalar()
        if owner not in (None, number) or (owner is None and is_held(connection, skeleton, now)):
            raise RequestError("conflict", "this name, or one that looks like it, is somebody's")
        if owner is None:
            _free(connection, [number], now)
        row = {"player_id": number, "name": name, "skeleton": skeleton, "seen": to_ms(now)}
        upsert(connection, _NAMES, [row], where=lambda _old, _new: literal(value=True))
        show_player(connection, number, shown=True)

    store.change(write)


def unname_player(store: "Store", player: str, now: datetime) -> bool:
    """Take a player's name away; False if there was none."""

    def write(connection: Connection, _: RowNumbers) -> bool:
        number = _locked(connection, player)
        return number is not None and _free(connection, [number], now) > 0

    return store.change(write)


def take_name(store: "Store", name: str, now: datetime) -> bool:
    """Take a name away, as an operator; False if it is nobody's."""

    def write(connection: Connection, _: RowNumbers) -> bool:
        return _free_those(connection, _NAMES.c.name == name, now) > 0

    return store.change(write)


def lapse_names(store: "Store", now: datetime) -> int:
    """Free the names by which nobody has played for long; how many those were."""

    def write(connection: Connection, _: RowNumbers) -> int:
        connection.execute(delete(held_names).where(held_names.c.until <= to_ms(now)))
        return _free_those(connection, _NAMES.c.seen < to_ms(now - IDLE), now)

    return store.change(write)


def see_player(connection: Connection, player: str, when: datetime) -> None:
    """A player with a name, if this is one, has played."""
    whose = select(schema.players.c.id).where(schema.players.c.name == player).scalar_subquery()
    seen = to_ms(when)
    connection.execute(update(_NAMES).where(_NAMES.c.player_id == whose, _NAMES.c.seen < seen).values(seen=seen))


def _free_those(connection: Connection, are_these: ColumnElement[bool], now: datetime) -> int:
    """Free the names of which this is so, of players who are locked before it is looked at for good."""
    found = select(_NAMES.c.player_id).where(are_these)
    lock_players(connection, found)
    return _free(connection, connection.execute(found).scalars().all(), now)


def _free(connection: Connection, players: Sequence[int], now: datetime) -> int:
    for player in players:
        show_player(connection, player, shown=False)
    return free_names(connection, players, now)


# --- phrases ----------------------------------------------------------------------------------------------


def set_phrase(store: "Store", player: str, phrase: str) -> None:
    """Have a phrase be a player, in place of an earlier one."""

    def write(connection: Connection, numbers: RowNumbers) -> None:
        row = {"player_id": numbers.name(schema.players, player), "digest": digest_of(phrase)}
        upsert(connection, _PHRASES, [row], where=lambda _old, _new: literal(value=True))

    store.change(write)


def find_by_phrase(store: "Store", phrase: str) -> str | None:
    players = schema.players
    query = select(players.c.name).join(_PHRASES, _PHRASES.c.player_id == players.c.id)
    with store.reading() as connection:
        return connection.execute(query.where(_PHRASES.c.digest == digest_of(phrase))).scalar()


def join_players(store: "Store", source: str, target: str) -> bool:
    """Give a player all games of another, who is nobody from then on; False if there is no such player, who may just have joined somebody else.

    Of two attempts at one board the earlier stays; none of the games counts for skill.
    """

    def write(connection: Connection, numbers: RowNumbers) -> bool:
        # Who records a game of the old one meanwhile waits, and finds that it is the new one's.
        both = select(schema.players.c.id).where(schema.players.c.name.in_([source, target]))
        lock_players(connection, both, alone=True)
        old, new = _number(connection, source), _number(connection, target)
        if old is None or new is None or old == new:
            return new is not None
        for row in connection.execute(select(_ATTEMPTS).where(_ATTEMPTS.c.player_id == old)).all():
            where = [_ATTEMPTS.c.player_id == new, *(_ATTEMPTS.c[name] == getattr(row, name) for name in _BOARD)]
            other = connection.execute(select(_ATTEMPTS).where(*where)).first()
            if other is not None:
                later = new if row.begun < other.begun else old
                same = [_ATTEMPTS.c.player_id == later, *where[1:]]
                connection.execute(delete(_ATTEMPTS).where(*same))
        leave_out(connection, new, of=old)
        for table in (_ATTEMPTS, schema.games, schema.sessions, social_schema.held_games):
            connection.execute(update(table).where(table.c.player_id == old).values(player_id=new))
        rebuild_ranks(connection, new, joined=old)
        connection.execute(delete(schema.players).where(schema.players.c.id == old))
        numbers.forget()
        return True

    return store.change(write)


_BOARD: Final = ("day", "audience", "size")


def _locked(connection: Connection, player: str) -> int | None:
    """The number of a player, who is locked."""
    lock_players(connection, select(schema.players.c.id).where(schema.players.c.name == player))
    return _number(connection, player)


def _number(connection: Connection, player: str) -> int | None:
    found: Any = connection.execute(select(schema.players.c.id).where(schema.players.c.name == player)).scalar()
    return None if found is None else int(found)
