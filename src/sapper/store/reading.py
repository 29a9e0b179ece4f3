"""Takes values out of tables, as they were put in."""

import json
import zlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, delete, func, literal, select, tuple_

from sapper.core.status import Status
from sapper.store import schema
from sapper.store.freed_names import free_names
from sapper.store.models import (
    SHARED,
    Category,
    GameKind,
    ListedSession,
    OldSession,
    Result,
    SavedSession,
    SessionMark,
    SessionState,
    StoredGame,
    StoredGuess,
    StoredSimulation,
    from_ms,
    rules_from_values,
    to_ms,
)
from sapper.store.writing import SIMULATION_VALUES, lock_players

AT_ONCE = 500

_GAMES, _KINDS = schema.games, schema.kinds
SAME = (
    "key", "face", "time_ms", "seed", "code", "moves", "clicks", "effective_clicks", "bbbv", "solved_bbbv",
    "hints", "undos", "restarted", "overlay", "aided",
)  # fmt: skip


def read_kinds(connection: Connection, numbers: Iterable[int] | None = None) -> dict[int, GameKind]:
    """The kinds of these numbers, by their numbers; all of them, if none are given."""
    if numbers is None:
        return {row.id: _kind(row) for row in connection.execute(select(_KINDS))}
    wanted = list(numbers)
    found: dict[int, GameKind] = {}
    for start in range(0, len(wanted), AT_ONCE):
        query = select(_KINDS).where(_KINDS.c.id.in_(wanted[start : start + AT_ONCE]))
        found |= {row.id: _kind(row) for row in connection.execute(query)}
    return found


def _kind(row: Row[Any]) -> GameKind:
    rules = rules_from_values({"name": row.rules, **json.loads(row.rules_values)})
    return GameKind(
        rules=rules, width=row.width, height=row.height, mine_count=row.mines, preset=row.preset or None,
        no_guess=row.no_guess,
    )  # fmt: skip


def _names(connection: Connection, table: Any, numbers: Collection[int | None]) -> dict[int | None, str | None]:
    """The names that these numbers have in a table. There may be a million players: never all of them."""
    names: dict[int | None, str | None] = {None: None}
    wanted = [number for number in numbers if number is not None]
    if wanted:
        query = select(table.c.id, table.c.name).where(table.c.id.in_(wanted))
        names.update((number, name) for number, name in connection.execute(query))
    return names


def read_games(connection: Connection, *, key: str | None = None) -> Iterator[StoredGame]:
    """The game of a key, or all of them in the order of their numbers."""
    last = 0
    while True:
        query = select(_GAMES).where(_GAMES.c.id > last).order_by(_GAMES.c.id).limit(AT_ONCE)
        if key is not None:
            query = query.where(_GAMES.c.key == key)
        rows = connection.execute(query).all()
        if not rows:
            return
        yield from _games_of(connection, rows)
        last = rows[-1].id


def read_latest_games(connection: Connection, player: str, most: int) -> list[StoredGame]:
    """The games of a player that ended last, those first; without games that have not ended."""
    players = schema.players.c
    whose = select(players.id).where(players.name == player).scalar_subquery()
    query = (
        select(_GAMES)
        .where(_GAMES.c.player_id == whose, _GAMES.c.result != Result.PLAYING.value)
        .order_by(_GAMES.c.ended.desc(), _GAMES.c.id.desc())
        .limit(most)
    )
    return _games_of(connection, connection.execute(query).all())


def _games_of(connection: Connection, rows: Sequence[Row[Any]]) -> list[StoredGame]:
    """The games of these rows. What they refer to is looked up for them alone, so that one game costs the same in any store."""
    if not rows:
        return []
    numbers = [row.id for row in rows]
    kinds = read_kinds(connection, {row.kind_id for row in rows})
    players = _names(connection, schema.players, {row.player_id for row in rows})
    strategies = _names(connection, schema.strategies, {row.strategy_id for row in rows})
    guesses = _guesses(connection, numbers)
    records = _records(connection, numbers)
    return [
        StoredGame(
            kind=kinds[row.kind_id],
            result=Result(row.result),
            started=from_ms(row.started),
            ended=from_ms(row.ended),
            player=players[row.player_id],
            strategy=strategies[row.strategy_id],
            debugged=row.category == Category.DEBUGGED,
            guesses=tuple(guesses[row.id]),
            record=records.get(row.id),
            **{name: getattr(row, name) for name in SAME},
        )
        for row in rows
    ]


def read_unfinished(connection: Connection, player: str, face: str) -> list[str]:
    """The keys of a player's games on one face that were started and have no end yet."""
    query = (
        select(_GAMES.c.key)
        .join(schema.players, schema.players.c.id == _GAMES.c.player_id)
        .where(schema.players.c.name == player, _GAMES.c.face == face, _GAMES.c.result == Result.PLAYING.value)
        .order_by(_GAMES.c.id)
    )
    return [str(key) for (key,) in connection.execute(query)]


def _guesses(connection: Connection, numbers: list[int]) -> dict[int, list[StoredGuess]]:
    table = schema.guesses.c
    found: dict[int, list[StoredGuess]] = defaultdict(list)
    query = select(schema.guesses).where(table.game_id.in_(numbers)).order_by(table.game_id, table.number)
    for row in connection.execute(query):
        found[row.game_id].append(StoredGuess(row.risk, row.forced, row.exploded))
    return found


def _records(connection: Connection, numbers: list[int]) -> dict[int, str]:
    query = select(schema.records).where(schema.records.c.game_id.in_(numbers))
    return {row.game_id: zlib.decompress(row.record).decode() for row in connection.execute(query)}


_HEADS, _LOG = schema.sessions.c, schema.session_log.c
_EARLIER = schema.session_log.alias()
_IS_LAST = and_(
    _LOG.key == _HEADS.key,
    _LOG.first
    == select(func.max(_EARLIER.c.first))
    .where(_EARLIER.c.key == _HEADS.key)
    .correlate(schema.sessions)
    .scalar_subquery(),
)
_WITH_LOG = schema.sessions.outerjoin(schema.players).outerjoin(schema.session_log, _IS_LAST)
"""Saved games with the last of what was done in them."""
_STATE = {name: func.coalesce(_LOG[name], _HEADS[name]) for name in ("status", "elapsed", "flags", "covered", "paused")}
_SAVED: ColumnElement[int] = func.coalesce(_LOG.saved, _HEADS.saved)
_NOW = (
    *(value.label(name) for name, value in _STATE.items()), _SAVED.label("now"),
    func.coalesce(_LOG.first + _LOG.count, _HEADS.inputs).label("done"),
)  # fmt: skip


def _state_of(row: Row[Any]) -> SessionState:
    return SessionState(Status(row.status), row.elapsed, row.flags, row.covered, bool(row.paused))


def read_sessions(
    connection: Connection, *, keys: Collection[str] | None = None, player: str | None = None
) -> Iterator[SavedSession]:
    """Saved games, the last saved first."""
    query: Select[Any] = (
        select(_HEADS.key, _HEADS.version, _HEADS.title, _HEADS.retention, _HEADS.kind_id, _HEADS.text, *_NOW, schema.players.c.name)
        .select_from(_WITH_LOG)
        .order_by(_SAVED.desc(), _HEADS.key)
    )  # fmt: skip
    if keys is not None:
        query = query.where(_HEADS.key.in_(keys))
    if player is not None:
        query = query.where(schema.players.c.name == player)
    rows = connection.execute(query).all()
    kinds = read_kinds(connection, {row.kind_id for row in rows if row.kind_id is not None})
    for start in range(0, len(rows), AT_ONCE):
        some = rows[start : start + AT_ONCE]
        texts = {row.key: [row.text] for row in some}
        lines = select(_LOG.key, _LOG.text).where(_LOG.key.in_(texts)).order_by(_LOG.key, _LOG.first)
        for key, line in connection.execute(lines):
            texts[key].append(line)
        for row in some:
            yield SavedSession(
                key=row.key, version=row.version, text="".join(texts[row.key]), saved=from_ms(row.now), inputs=row.done,
                player=row.name, kind=kinds.get(row.kind_id), title=row.title, retention=row.retention, state=_state_of(row),
            )  # fmt: skip


def read_session_mark(connection: Connection, key: str) -> SessionMark | None:
    """How far a saved game is; None if there is none."""
    query = select(schema.players.c.name, *_NOW).select_from(_WITH_LOG).where(_HEADS.key == key)
    row = connection.execute(query).first()
    return None if row is None else SessionMark(row.name, row.done, Status(row.status))


def read_listed_sessions(connection: Connection, player: str) -> list[ListedSession]:
    """A player's saved games without their texts, the last saved first."""
    query = (
        select(_HEADS.key, _HEADS.title, _HEADS.kind_id, *_NOW)
        .select_from(_WITH_LOG)
        .where(schema.players.c.name == player)
        .order_by(_SAVED.desc(), _HEADS.key)
    )
    rows = connection.execute(query).all()
    kinds = read_kinds(connection, {row.kind_id for row in rows if row.kind_id is not None})
    return [ListedSession(row.key, row.title, kinds.get(row.kind_id), from_ms(row.now), _state_of(row)) for row in rows]


def read_old_sessions(
    connection: Connection, retention: str, statuses: Collection[Status], before: int, after: OldSession | None,
    most: int,
) -> list[OldSession]:  # fmt: skip
    """Games of a retention class that stand so and were saved last before some time, the one begun first first; what comes behind `after`."""
    query = (
        select(_HEADS.saved, _HEADS.key, schema.players.c.name)
        .select_from(_WITH_LOG)
        # The first two are the index's; few games are gone on with for longer than they may lie.
        .where(_HEADS.retention == retention, _HEADS.saved < before, before > _SAVED)
        .where(_STATE["status"].in_([status.value for status in statuses]))
        .order_by(_HEADS.saved, _HEADS.key)
        .limit(most)
    )
    if after is not None:
        query = query.where(tuple_(_HEADS.saved, _HEADS.key) > (to_ms(after.begun), after.key))
    return [OldSession(from_ms(saved), key, name) for saved, key, name in connection.execute(query)]


def read_simulations(connection: Connection) -> Iterator[StoredSimulation]:
    """Runs, oldest first."""
    kinds = read_kinds(connection)
    table, strategies = schema.simulations, schema.strategies
    query = select(table, strategies.c.name).join(strategies).order_by(table.c.at, table.c.id)
    for row in connection.execute(query):
        yield StoredSimulation(
            key=row.key,
            kind=None if row.kind_id is None else kinds[row.kind_id],
            strategy=row.name,
            at=from_ms(row.at),
            **{name: getattr(row, name) for name in SIMULATION_VALUES},
        )


def read_players(connection: Connection) -> list[str]:
    return list(connection.execute(select(schema.players.c.name).order_by(schema.players.c.name)).scalars())


def read_note(connection: Connection, name: str) -> str | None:
    return connection.execute(select(schema.notes.c.value).where(schema.notes.c.name == name)).scalar()


def read_last_write(connection: Connection) -> datetime | None:
    """The latest time in the store, by the clocks of those who wrote it: when a game began or ended."""
    games, sessions = _GAMES.c, schema.sessions.c
    # Each is the end of an index: nothing is read through.
    latest = [
        connection.execute(select(func.max(games.ended)).where(games.category == int(category))).scalar()
        for category in Category
    ]
    latest += [
        connection.execute(select(func.max(sessions.saved)).where(sessions.retention == retention)).scalar()
        for retention in connection.execute(select(sessions.retention).distinct()).scalars().all()
    ]
    found = [when for when in latest if when is not None]
    return from_ms(max(found)) if found else None


def delete_player(connection: Connection, name: str) -> int | None:
    """Delete a player, their games and all that belongs to these, notes included, and their saved games."""
    players = schema.players.c
    number = connection.execute(select(players.id).where(players.name == name)).scalar()
    if number is None:
        return None
    # The player first, then the saved games in one order, as those who write them take them: neither waits for a row that the other has.
    lock_players(connection, select(players.id).where(players.id == number), alone=True)
    mine = select(_HEADS.key).where(_HEADS.player_id == number).order_by(_HEADS.key).with_for_update()
    connection.execute(mine).all()
    connection.execute(delete(schema.sessions).where(schema.sessions.c.player_id == number))
    free_names(connection, [number], datetime.now(UTC))
    shared = select(literal(SHARED) + _GAMES.c.key).where(_GAMES.c.player_id == number)
    connection.execute(delete(schema.notes).where(schema.notes.c.name.in_(shared)))
    games = connection.execute(delete(_GAMES).where(_GAMES.c.player_id == number)).rowcount
    connection.execute(delete(schema.players).where(players.id == number))
    return games
