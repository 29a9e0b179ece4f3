"""Puts values into tables, within a transaction that somebody else began.

Numbers of names and kinds are remembered from one transaction to the next, since there are few and each game needs three. One
that another process deleted meanwhile is noticed by the database, and the transaction made again (see `Store`).
"""

import zlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import (
    ARRAY,
    ColumnElement,
    Connection,
    Select,
    Table,
    Text,
    any_,
    bindparam,
    delete,
    exists,
    insert,
    literal,
    or_,
    select,
)
from sqlalchemy.dialects import sqlite

from sapper.core.status import Status
from sapper.store import schema
from sapper.store.changes import ChangeBatch, InputLog, SessionDrop
from sapper.store.models import (
    GameKind,
    Result,
    SavedSession,
    SessionState,
    StoredGame,
    StoredGuess,
    StoredSimulation,
    to_ms,
)
from sapper.store.social_schema import devices, recovery_phrases

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql

AT_ONCE = 500
"""Values in one IN (…): old SQLites take 999."""
KEEPS_PLAYER: Final = (schema.games, schema.sessions, recovery_phrases, devices)
"""Tables with what is a player's own: who has no row in any of them is forgotten with the last saved game. A phrase is there to come back with; and
sessions that were ended stay ended (`devices`).
"""


class _Statement:
    """A statement as the drivers take it: a server writes thousands of rows a second, and SQLAlchemy would work on each of them."""

    __slots__ = ("_postgres", "_sqlite")

    def __init__(self, text: str) -> None:
        self._sqlite = text
        self._postgres = text.replace("?", "%s")

    def run(self, connection: Connection, rows: Sequence[tuple[Any, ...]]) -> int:
        """Run it once a row; how many rows of the table were made or changed."""
        text = self._sqlite if connection.dialect.name == "sqlite" else self._postgres
        return connection.execution_options(preserve_rowcount=True).exec_driver_sql(text, list(rows)).rowcount


def _upsert(table: Table, key: str, *, fixed: Sequence[str] = (), where: str = "") -> str:
    """Insert, or change the row that is there, where that is to be; columns in the table's order, but for a number that the database gives."""
    names = _names(table)
    changed = ", ".join(f"{name} = excluded.{name}" for name in names if name not in (key, *fixed))
    return f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))}) ON CONFLICT ({key}) DO UPDATE SET {changed} {where}"  # noqa: S608


def _names(table: Table) -> list[str]:
    return [column.name for column in table.c if column.name != "id"]


HAS_GONE_ON: Final = """games.result = 'playing' AND (excluded.result <> 'playing' OR excluded.category > games.category
OR excluded.category = games.category
AND (excluded.hints > games.hints OR excluded.undos > games.undos OR excluded.overlay AND NOT games.overlay))"""
"""When a game that is there is changed. Once it has ended it stays as it is. One with help, or whose mines were shown, is apart from then on, and not
only when it ends; what says the same again changes nothing.
"""

_GAME = _Statement(
    _upsert(
        schema.games,
        "key",
        fixed=["started"],  # it began when it was said to have begun
        where=f"WHERE {HAS_GONE_ON}",
    )
)
_RECORD = _Statement(
    "INSERT INTO records (game_id, record) SELECT id, ? FROM games WHERE key = ? AND result = ? AND ended = ?"
    " ON CONFLICT (game_id) DO UPDATE SET record = excluded.record"  # what there is may be of the game before it ended
)
_GUESS = _Statement(
    "INSERT INTO guesses (game_id, number, risk, forced, exploded) SELECT id, ?, ?, ?, ? FROM games WHERE key = ?"
    " ON CONFLICT (game_id, number) DO NOTHING"
)
_END_SESSION = _Statement("DELETE FROM sessions WHERE key = ?")
_FORGET_LOG = _Statement("DELETE FROM session_log WHERE key = ?")
_SESSION = _Statement(_upsert(schema.sessions, "key"))
_LOG_NAMES = _names(schema.session_log)
_LOG = _Statement(
    # It follows what is there, or is refused. What only says how the game stands gives way to what comes next.
    f"INSERT INTO session_log ({', '.join(_LOG_NAMES)}) SELECT {', '.join('?' * len(_LOG_NAMES))} WHERE ? = coalesce("  # noqa: S608
    "(SELECT first + count FROM session_log WHERE key = ? ORDER BY first DESC LIMIT 1),"
    " (SELECT inputs FROM sessions WHERE key = ?)) ON CONFLICT (key, first) DO UPDATE SET "
    + ", ".join(f"{name} = excluded.{name}" for name in _LOG_NAMES if name not in ("key", "first"))
    + " WHERE session_log.count = 0"
)
_IS_THERE = select(schema.session_log.c.text).where(
    schema.session_log.c.key == bindparam("log_key"), schema.session_log.c.first == bindparam("log_first")
)


class RowNumbers:
    """The numbers of names and kinds as one transaction sees them."""

    __slots__ = ("_connection", "found", "known")

    def __init__(self, connection: Connection, known: Mapping[tuple[str, object], int]) -> None:
        self._connection = connection
        self.known = known
        self.found: dict[tuple[str, object], int] = {}
        """Those that were not known before; for others to know once they are committed."""

    def forget(self) -> None:
        """Rows were deleted: look for all of them again."""
        self.known = {}
        self.found = {}

    def forget_players(self, numbers: Collection[int]) -> None:
        """These rows were deleted: whoever has such a name next gets another number."""
        self.known = {
            key: number for key, number in self.known.items() if key[0] != schema.players.name or number not in numbers
        }

    def name(self, table: Table, name: str | None) -> int | None:
        """The number of a player or strategy, new if need be."""
        return None if name is None else self._number(table, name, {"name": name})

    def kind(self, kind: GameKind | None) -> int | None:
        """The number of a kind, new if need be."""
        if kind is None:
            return None
        row = {
            "preset": kind.preset or "", "rules": kind.rules.name, "rules_values": kind.rules_text,
            "start": kind.rules.start.value, "width": kind.width, "height": kind.height, "mines": kind.mine_count,
            "no_guess": kind.no_guess,
        }  # fmt: skip
        # The name of rules does not count when they are compared, and here it does.
        return self._number(schema.kinds, (kind, kind.rules.name), row)

    def _number(self, table: Table, what: object, row: dict[str, Any]) -> int:
        key = (table.name, what)
        number = self.known.get(key) or self.found.get(key)
        if number is None:
            insert_new(self._connection, table, [row])
            same = [table.c[name] == value for name, value in row.items()]
            number = int(self._connection.execute(select(table.c.id).where(*same)).scalar_one())
            self.found[key] = number
        return number


def _insert(connection: Connection, table: Table) -> "postgresql.Insert | sqlite.Insert":
    """An insert that can say what to do about a row that is there."""
    if connection.dialect.name == "postgresql":
        # An eighth of what importing all of SQLAlchemy takes, which SQLite has no use for.
        from sqlalchemy.dialects import postgresql  # noqa: PLC0415

        return postgresql.insert(table)
    return sqlite.insert(table)


def insert_new(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    """Insert the rows that break no unique constraint."""
    connection.execute(_insert(connection, table).on_conflict_do_nothing(), rows)


def upsert(
    connection: Connection,
    table: Table,
    rows: Sequence[dict[str, Any]],
    *,
    where: Callable[[Any, Any], ColumnElement[bool]],
) -> None:
    """Insert rows with the same columns, one after the other, or put each in the place of the one with its key where `where` holds of the old and the new."""
    if not rows:
        return
    made = _insert(connection, table)
    new = made.excluded
    changed = {name: new[name] for name in rows[0] if not table.c[name].primary_key}
    keys = [column.name for column in table.primary_key]
    connection.execute(made.on_conflict_do_update(index_elements=keys, set_=changed, where=where(table.c, new)), rows)


def lock_players(connection: Connection, players: Select[tuple[int]], *, alone: bool = False) -> None:
    """Have all others wait who lock one of these players, until this transaction ends: what is read of them from now on is as those have left it.

    `alone`: those too who keep them (`keep_players`). SQLite lets one process write at a time.
    """
    _lock(connection, players, read=False, key_share=not alone)


def keep_players(connection: Connection, players: Select[tuple[int]]) -> None:
    """Have those wait who delete one of these players, or give the player's games to another (`lock_players`, `alone`).

    Before any other row of a player is changed: whoever has such a row then waits for nobody who waits for it.
    """
    _lock(connection, players, read=True, key_share=True)


def _lock(connection: Connection, players: Select[tuple[int]], *, read: bool, key_share: bool) -> None:
    """Lock players in one order, so that nobody waits for a row that the other has."""
    if connection.dialect.name == "sqlite":
        return
    number = schema.players.c.id
    query = select(number).where(number.in_(players)).order_by(number)
    connection.execute(query.with_for_update(read=read, key_share=key_share)).all()


def write_games(connection: Connection, numbers: RowNumbers, games: Iterable[StoredGame]) -> int:
    """Record games; how many of those were new, or had been started and have ended now."""
    wanted: dict[str, StoredGame] = {}
    for game in games:
        earlier = wanted.get(game.key)
        if earlier is None or earlier.result is Result.PLAYING:
            # It began when it was said to have begun.
            wanted[game.key] = game if earlier is None else game.replace(started=earlier.started)
    if not wanted:
        return 0
    rows = [_game_row(numbers, game) for game in wanted.values()]
    _keep_owners(connection, wanted.values())
    count = _GAME.run(connection, rows)
    records = [
        (zlib.compress(game.record.encode()), game.key, game.result.value, to_ms(game.ended))
        for game in wanted.values()
        if game.record is not None
    ]
    if records:
        _RECORD.run(connection, records)
    for game in wanted.values():
        write_guesses(connection, game.key, game.guesses)
    over = [(game.key,) for game in wanted.values() if game.result is not Result.PLAYING]
    if over:
        _END_SESSION.run(connection, over)
    return count


def _keep_owners(connection: Connection, games: Collection[StoredGame]) -> None:
    """`keep_players`: those of these games, and of the rows that are there."""
    found, players = schema.games.c, schema.players.c
    names = list({game.player for game in games if game.player is not None})
    # Arrays: however many games there are, these are two values.
    keys, own = (any_(literal(values, ARRAY(Text()))) for values in ([game.key for game in games], names))
    owners = select(found.player_id).where(found.key == keys)
    keep_players(connection, select(players.id).where(or_(players.name == own, players.id.in_(owners))))


def _game_row(numbers: RowNumbers, game: StoredGame) -> tuple[Any, ...]:
    kind, player = numbers.kind(game.kind), numbers.name(schema.players, game.player)
    return game_values(game, kind=kind, player=player, strategy=numbers.name(schema.strategies, game.strategy))


def game_values(game: StoredGame, *, kind: int | None, player: int | None, strategy: int | None) -> tuple[Any, ...]:
    """In the order of the table's columns."""
    seed = game.seed
    return (
        game.key,
        int(game.category),
        kind,
        player,
        strategy,
        game.face,
        game.result.value,
        to_ms(game.started),
        to_ms(game.ended),
        game.time_ms,
        None if seed is None else schema.signed(seed),
        game.code,
        game.moves,
        game.clicks,
        game.effective_clicks,
        game.bbbv,
        game.solved_bbbv,
        game.hints,
        game.undos,
        game.restarted,
        game.overlay,
        game.aided,
    )


def write_sessions(connection: Connection, numbers: RowNumbers, sessions: Iterable[SavedSession]) -> None:
    """Keep sessions whole, each in place of an older one of its key and of what was done in that; of two with one key the later."""
    wanted = {session.key: session for session in sessions}
    if not wanted:
        return
    _FORGET_LOG.run(connection, [(key,) for key in wanted])
    rows = [
        (
            one.key, numbers.name(schema.players, one.player), numbers.kind(one.kind), one.title, one.version, one.retention,
            one.inputs, *state_values(one.saved, one.state), one.text,
        )
        for one in wanted.values()
    ]  # fmt: skip
    _SESSION.run(connection, rows)


def state_values(saved: datetime, state: SessionState) -> tuple[Any, ...]:
    """In the order of the tables' columns."""
    return (to_ms(saved), state.status._value_, state.elapsed, state.flags, state.covered, state.paused)


def write_logs(connection: Connection, logs: Sequence[InputLog]) -> list[str]:
    """Keep what was done in saved games; the keys of those where it was refused: it does not follow what is there."""
    rows = [
        (one.key, one.first, one.count, *state_values(one.saved, one.state), one.text, one.first, one.key, one.key)
        for one in logs
    ]
    if not rows or _LOG.run(connection, rows) == len(rows):
        return []
    return list(dict.fromkeys(one.key for one in logs if not _is_there(connection, one)))


def _is_there(connection: Connection, log: InputLog) -> bool:
    found = connection.execute(_IS_THERE, {"log_key": log.key, "log_first": log.first}).scalar()
    return found is not None and found == log.text


def write_batch(connection: Connection, numbers: RowNumbers, batch: ChangeBatch) -> list[str]:
    """Carry out changes that were put together; the keys of saved games where what was done since was refused."""
    write_games(connection, numbers, batch.stored_games)
    for late in batch.guesses:
        write_guesses(connection, late.key, late.guesses)
    write_sessions(connection, numbers, batch.sessions.values())
    refused = write_logs(connection, batch.logs)
    if batch.drops:
        drop_sessions(connection, numbers, batch.drops.values())
    return refused


def write_note(connection: Connection, name: str, value: str) -> None:
    statement = _insert(connection, schema.notes)
    changed = {"value": statement.excluded["value"]}
    connection.execute(
        statement.on_conflict_do_update(index_elements=["name"], set_=changed), [{"name": name, "value": value}]
    )


def write_first_note(connection: Connection, name: str, value: str) -> None:
    """Keep a note, unless there is one of that name."""
    insert_new(connection, schema.notes, [{"name": name, "value": value}])


def drop_sessions(connection: Connection, numbers: RowNumbers, drops: Iterable[SessionDrop]) -> int:
    """Forget sessions, and players of whom nothing is left then; how many sessions there were."""
    table, count = schema.sessions, 0
    for some in _slices([drop.key for drop in drops if drop.only is None or _stands_so(connection, drop)]):
        are_these = table.c.key.in_(some)
        owners = connection.execute(select(table.c.player_id).where(are_these).distinct()).scalars().all()
        count += connection.execute(delete(table).where(are_these)).rowcount
        _drop_empty(connection, numbers, [owner for owner in owners if owner is not None])
    return count


def _stands_so(connection: Connection, drop: SessionDrop) -> bool:
    for table in (schema.session_log, schema.sessions):
        last = select(table.c.status, table.c.saved).where(table.c.key == drop.key)
        if table is schema.session_log:
            last = last.order_by(table.c.first.desc()).limit(1)
        if (found := connection.execute(last).first()) is not None:
            is_old = drop.before is None or found.saved < to_ms(drop.before)
            return is_old and Status(found.status) in (drop.only or ())
    return False


def _drop_empty(connection: Connection, numbers: RowNumbers, owners: Sequence[int]) -> None:
    """Forget those of some players who have nothing in `KEEPS_PLAYER`."""
    if not owners:
        return
    players = schema.players.c.id
    has_any = [exists().where(table.c.player_id == players) for table in KEEPS_PLAYER]
    empty = connection.execute(select(players).where(players.in_(owners), *(~any_ for any_ in has_any))).scalars().all()
    if empty:
        connection.execute(delete(schema.players).where(players.in_(empty)))
        numbers.forget_players(set(empty))


def write_guesses(connection: Connection, key: str, guesses: Sequence[StoredGuess]) -> None:
    """Keep the guesses of a recorded game, unless it has some; nothing where there is no such game."""
    if guesses:
        rows = [(number, one.risk, one.forced, one.exploded, key) for number, one in enumerate(guesses)]
        _GUESS.run(connection, rows)


def write_simulation(connection: Connection, numbers: RowNumbers, simulation: StoredSimulation) -> bool:
    """Keep the counts of a run, once; whether it was new."""
    known = select(schema.simulations.c.id).where(schema.simulations.c.key == simulation.key)
    if connection.execute(known).first() is not None:
        return False
    row = {
        "key": simulation.key,
        "kind_id": numbers.kind(simulation.kind),
        "strategy_id": numbers.name(schema.strategies, simulation.strategy),
        "at": to_ms(simulation.at),
        **{name: getattr(simulation, name) for name in SIMULATION_VALUES},
    }
    connection.execute(insert(schema.simulations), [row])
    return True


SIMULATION_VALUES = (
    "games", "won", "lost", "terminated", "faults", "moves", "guesses", "seconds", "backend", "seed", "boards",
)  # fmt: skip


def _slices(keys: Sequence[str]) -> Iterable[Sequence[str]]:
    return (keys[start : start + AT_ONCE] for start in range(0, len(keys), AT_ONCE))


def forget_note(connection: Connection, name: str) -> None:
    connection.execute(delete(schema.notes).where(schema.notes.c.name == name))
