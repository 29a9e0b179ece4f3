"""How PostgreSQL takes what many games have to keep: one transaction in one round trip, however many processes write.

The database decides who was first: a row of a game's log gets in only where it follows the last one, and of two processes one finds the
place taken. What such a row began or ended is recorded only if the row got in; all in one statement, since nothing is asked in between.
Rows are sorted, so that two transactions wait for each other in one direction only. Nobody's commit waits for a process that has
stopped within a transaction for longer than `IDLE`.
"""

import threading
import zlib
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import BigInteger, Boolean, Connection, Engine, Integer, LargeBinary, SmallInteger, Table
from sqlalchemy.exc import DBAPIError

from sapper.errors import BadChangeError, StoreError
from sapper.store import schema
from sapper.store.changes import ChangeBatch, InputLog, SessionGame
from sapper.store.engine import StoreAddress, translated, translation
from sapper.store.models import GameKind, Result, StoredGame, to_ms
from sapper.store.writing import HAS_GONE_ON, KEEPS_PLAYER, game_values, state_values

if TYPE_CHECKING:
    import psycopg

IDLE: Final = 1.0
"""Seconds that a transaction may wait for its process."""
CHANNEL: Final = "sapper_games"
"""Where it is said which games have gone on."""
LONGEST: Final = 7_900
"""Bytes of what is said at once."""

Numbers = Mapping[tuple[str, object], int]
"""Those of kinds and strategies."""

_TYPES: Final = {
    BigInteger: "bigint", Integer: "integer", SmallInteger: "smallint", Boolean: "boolean", LargeBinary: "bytea",
    schema.Seed: "bigint",
}  # fmt: skip


def _names(table: Table) -> list[str]:
    return [column.name for column in table.c if column.name != "id"]


def _given(table: Table, name: str, *more: str) -> str:
    """Rows of a table as they are given: a list for each column; `more` are columns of text in front."""
    types = [_TYPES.get(type(column.type), "text") for column in table.c if column.name != "id"]
    lists = ", ".join(f"%s::{kind}[]" for kind in [*("text" for _ in more), *types])
    return f"{name} AS (SELECT * FROM unnest({lists}) AS given({', '.join([*more, *_names(table)])}))"  # noqa: S608


def _lists(rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)]


def _changed(table: Table, *fixed: str) -> str:
    return ", ".join(f"{name} = excluded.{name}" for name in _names(table) if name not in fixed)


_PLAYERS = "INSERT INTO players (name) SELECT name FROM unnest(%s::text[]) AS given(name) ON CONFLICT (name) DO NOTHING"
# As `writing.keep_players`: the owners of games and of saved games that are there, and players by name.
_OWNERS = """
SELECT FROM players WHERE id IN (
  SELECT player_id FROM games WHERE key = ANY(%s) UNION SELECT player_id FROM sessions WHERE key = ANY(%s)
  UNION SELECT id FROM players WHERE name = ANY(%s))
ORDER BY id FOR KEY SHARE
"""
_OLD_LOGS = "DELETE FROM session_log WHERE key = ANY(%s)"
_HEAD_NAMES = _names(schema.sessions)
_HEADS = f"""
WITH {_given(schema.sessions, "head", "player")}
INSERT INTO sessions ({", ".join(_HEAD_NAMES)})
SELECT {", ".join("players.id" if name == "player_id" else f"head.{name}" for name in _HEAD_NAMES)}
FROM head LEFT JOIN players ON players.name = head.player ORDER BY head.key
ON CONFLICT (key) DO UPDATE SET {_changed(schema.sessions, "key")}
"""  # noqa: S608
_LOG_NAMES = ", ".join(_names(schema.session_log))
_LOGS = f"""
WITH {_given(schema.session_log, "log")},
added AS (
  INSERT INTO session_log ({_LOG_NAMES}) SELECT {_LOG_NAMES} FROM log
  WHERE log.first = coalesce(
    (SELECT last.first + last.count FROM session_log AS last WHERE last.key = log.key ORDER BY last.first DESC LIMIT 1),
    (SELECT inputs FROM sessions WHERE sessions.key = log.key))
  ORDER BY log.key
  ON CONFLICT (key, first) DO UPDATE SET {_changed(schema.session_log, "key", "first")} WHERE session_log.count = 0
  RETURNING key
),
refused AS (
  SELECT key FROM log WHERE key NOT IN (SELECT key FROM added) AND NOT EXISTS (
    SELECT FROM session_log AS same WHERE same.key = log.key AND same.first = log.first AND same.text = log.text)
)
"""  # noqa: S608
"""A row that is there already is one whose commit was not heard of."""
_GAME_NAMES = _names(schema.games)
_GAMES = f""",
{_given(schema.games, "game", "session", "player")},
recorded AS (
  INSERT INTO games ({", ".join(_GAME_NAMES)})
  SELECT {", ".join("coalesce(sessions.player_id, players.id)" if name == "player_id" else f"game.{name}" for name in _GAME_NAMES)}
  FROM game LEFT JOIN sessions ON sessions.key = game.session LEFT JOIN players ON game.session IS NULL AND players.name = game.player
  WHERE game.session IS NULL OR (sessions.key IS NOT NULL AND game.session NOT IN (SELECT key FROM refused))
  ORDER BY game.key
  ON CONFLICT (key) DO UPDATE SET {_changed(schema.games, "key", "started")}
  WHERE {HAS_GONE_ON}
  RETURNING key
)
"""  # noqa: S608
_REFUSED = "SELECT key, false FROM refused"
_RECORDED = "SELECT key, false FROM refused UNION ALL SELECT key, true FROM recorded"
_RECORDS = """
INSERT INTO records (game_id, record) SELECT games.id, given.record
FROM unnest(%s::text[], %s::text[], %s::bigint[], %s::bytea[]) AS given(key, result, ended, record)
JOIN games ON games.key = given.key AND games.result = given.result AND games.ended = given.ended
ORDER BY games.id ON CONFLICT (game_id) DO UPDATE SET record = excluded.record
"""
_GUESSES = """
INSERT INTO guesses (game_id, number, risk, forced, exploded) SELECT games.id, number, risk, forced, exploded
FROM unnest(%s::text[], %s::integer[], %s::float8[], %s::boolean[], %s::boolean[]) AS given(key, number, risk, forced, exploded)
JOIN games ON games.key = given.key ORDER BY games.id, number ON CONFLICT (game_id, number) DO NOTHING
"""
# Locked first: what is looked at afterwards is what nobody goes on with meanwhile.
_LOCKED = "SELECT FROM sessions WHERE key = ANY(%s) ORDER BY key FOR UPDATE"
# A statement sees the saved games that it deletes itself.
_HAS_NONE = " AND ".join(
    f"NOT EXISTS (SELECT FROM {table} WHERE player_id = players.id{' AND key NOT IN (SELECT key FROM gone)' if table is schema.sessions else ''})"  # noqa: S608
    for table in KEEPS_PLAYER
)
_DROPS = f"""
WITH gone AS (
  DELETE FROM sessions USING unnest(%s::text[], %s::text[], %s::bigint[]) AS given(key, statuses, before)
  WHERE sessions.key = given.key AND (given.statuses = '' OR EXISTS (
    SELECT FROM (
      SELECT last.status, last.saved, last.first FROM session_log AS last WHERE last.key = sessions.key
      UNION ALL SELECT sessions.status, sessions.saved, -1 ORDER BY 3 DESC LIMIT 1
    ) AS now WHERE now.status = ANY(string_to_array(given.statuses, ',')) AND now.saved < given.before))
  RETURNING sessions.key, sessions.player_id
)
DELETE FROM players WHERE id IN (SELECT player_id FROM gone) AND {_HAS_NONE}
"""  # noqa: S608


def append(
    connection: Connection, batch: ChangeBatch, numbers: Numbers, own_name: str, only_here: Collection[str] = ()
) -> list[str]:
    """Carry out changes; the keys of saved games where what was done since was refused. Other processes hear from `own_name` which
    games have gone on, but for those in `only_here`; they hear nothing if it is empty.

    The connection commits by itself, but for what stands between BEGIN and COMMIT.
    """
    logs = {one.key: one for one in reversed(batch.logs)}  # of two that do not go together the first
    games = _games(batch)
    has_ended = any(map(counts_now, batch.stored_games))
    said = _said(own_name, {key: one for key, one in logs.items() if key not in only_here}) if own_name else ""
    values = _lists([_log_row(logs[key]) for key in sorted(logs)]) or [[]] * len(_names(schema.session_log))
    driver: psycopg.Connection[Any] = connection.connection.driver_connection  # type: ignore[assignment]  # what the engine makes
    cursor = None
    with driver.pipeline():
        driver.execute("BEGIN")
        for statement, given in _before_logs(batch, games, numbers):
            driver.execute(statement, given)
        if games:
            rows = _lists([_game_row(games[key], numbers) for key in sorted(games)])
            cursor = driver.execute(_LOGS + _GAMES + _RECORDED, [*values, *rows])
        elif logs:
            cursor = driver.execute(_LOGS + _REFUSED, values)
        for statement, given in _after_logs(batch, games):
            driver.execute(statement, given)
        if not has_ended:
            _commit(driver, said)
    answers = [] if cursor is None else cursor.fetchall()
    if has_ended:
        recorded = {key for key, is_recorded in answers if is_recorded}
        settle(connection, [one for one in batch.stored_games if one.key in recorded])
        with driver.pipeline():
            _commit(driver, said)
    refused = [key for key, is_recorded in answers if not is_recorded]
    return refused + [one.key for one in batch.logs if logs[one.key] is not one]


def _commit(driver: "psycopg.Connection[Any]", said: str) -> None:
    driver.execute("COMMIT")
    if said:
        # On its own: a commit that says something makes all others that do wait until it is on the disk.
        driver.execute("SELECT pg_notify(%s, %s)", (CHANNEL, said))


def counts_now(game: StoredGame) -> bool:
    """True if a game has ended, or has got its moves with the first help that was had in it."""
    return game.result is not Result.PLAYING or game.record is not None


def settle(connection: Connection, games: Sequence[StoredGame]) -> None:
    """What follows from games that have ended, in the transaction that records them."""
    if any(map(counts_now, games)):
        # Who only asks for statistics plays no games again, and need not wait for what does.
        from sapper.store.settling import settle_games  # noqa: PLC0415

        settle_games(connection, games)


def _said(own_name: str, logs: Mapping[str, InputLog]) -> str:
    """Which games have gone on, and how far; none, where there are too many to say. Nothing where none has."""
    if not logs:
        return ""
    said = " ".join([own_name, "games", *(f"{key}:{one.first + one.count}" for key, one in sorted(logs.items()))])
    return said if len(said) <= LONGEST else f"{own_name} games"


def _before_logs(
    batch: ChangeBatch, games: Mapping[str, tuple[StoredGame, str | None]], numbers: Numbers
) -> Sequence[tuple[str, list[Any]]]:
    statements: list[tuple[str, list[Any]]] = []
    heads = [batch.sessions[key] for key in sorted(batch.sessions)]
    players = {one.player for one in heads} | {one.player for one in batch.games if isinstance(one, StoredGame)}
    names = sorted(name for name in players if name is not None)
    if names:
        statements.append((_PLAYERS, [names]))
    if games or heads or batch.drops:
        sessions = [key for _, key in games.values() if key is not None]
        statements.append((_OWNERS, [list(games), [*sessions, *batch.sessions, *batch.drops], names]))
    if heads:
        rows = [
            (
                one.player, one.key, None, numbers[number_key(one.kind)] if one.kind else None, one.title,
                one.version, one.retention, one.inputs, *state_values(one.saved, one.state), one.text,
            )
            for one in heads
        ]  # fmt: skip
        statements += [(_OLD_LOGS, [[one.key for one in heads]]), (_HEADS, _lists(rows))]
    return statements


def _after_logs(
    batch: ChangeBatch, games: Mapping[str, tuple[StoredGame, str | None]]
) -> Sequence[tuple[str, list[Any]]]:
    statements: list[tuple[str, list[Any]]] = []
    records = [
        (one.key, one.result.value, to_ms(one.ended), zlib.compress(one.record.encode()))
        for one, _ in games.values()
        if one.record is not None
    ]
    if records:
        statements.append((_RECORDS, _lists(records)))
    guesses = [
        (key, number, *guess)
        for key, found in (*((one.key, one.guesses) for one, _ in games.values()), *((one.key, one.guesses) for one in batch.guesses))
        for number, guess in enumerate(found)
    ]  # fmt: skip
    if guesses:
        statements.append((_GUESSES, _lists(guesses)))
    over = sorted(one.key for one, session in games.values() if session is None and one.result is not Result.PLAYING)
    if over:
        statements.append(("DELETE FROM sessions WHERE key = ANY(%s)", [over]))
    if batch.drops:
        drops = [batch.drops[key] for key in sorted(batch.drops)]
        rows = [
            (one.key, ",".join(status.value for status in one.only or ()), (1 << 62) if one.before is None else to_ms(one.before))
            for one in drops
        ]  # fmt: skip
        statements += [(_LOCKED, [[one.key for one in drops]]), (_DROPS, _lists(rows))]
    return statements


def _games(batch: ChangeBatch) -> dict[str, tuple[StoredGame, str | None]]:
    """The games to be recorded, and in which saved game each was played; of one that begins and ends here only the end."""
    found: dict[str, tuple[StoredGame, str | None]] = {}
    for one in batch.games:
        game, session = (one.game, one.session) if isinstance(one, SessionGame) else (one, None)
        earlier = found.get(game.key)
        if earlier is None:
            found[game.key] = game, session
        elif earlier[0].result is Result.PLAYING:
            found[game.key] = game.replace(started=earlier[0].started), session
    return found


def _log_row(log: InputLog) -> tuple[Any, ...]:
    return (log.key, log.first, log.count, *state_values(log.saved, log.state), log.text)


def _game_row(one: tuple[StoredGame, str | None], numbers: Numbers) -> tuple[Any, ...]:
    game, session = one
    strategy = None if game.strategy is None else numbers[number_key(game.strategy)]
    kind = numbers[number_key(game.kind)]
    return (session, game.player, *game_values(game, kind=kind, player=None, strategy=strategy))


def number_key(one: GameKind | str) -> tuple[str, object]:
    """Under what the number of a kind, or of a strategy, is found."""
    if isinstance(one, GameKind):
        return schema.kinds.name, (one, one.rules.name)
    return schema.strategies.name, one


def named(batch: ChangeBatch) -> tuple[list[GameKind], list[str]]:
    """The kinds and the strategies whose numbers a batch needs."""
    games = [one.game if isinstance(one, SessionGame) else one for one in batch.games]
    kinds = {one.kind for one in games} | {one.kind for one in batch.sessions.values() if one.kind is not None}
    return list(kinds), list({one.strategy for one in games if one.strategy is not None})


class AgainError(StoreError):
    """What failed is to be tried again at once: two processes were in each other's way, or the connection was ended, as of a process that stood still (`IDLE`)."""

    is_of_a_row: bool = False
    """True if a row was refused: it may be one that can never be kept."""


def _is_cut(error: BaseException | None) -> bool:
    """True if the server ended the connection and did not say why, as may be where it says so just while the next statement is sent."""
    return getattr(error, "sqlstate", None) is None and "server closed the connection" in str(error)


class Appender:
    """Keeps a connection for what is appended. Any thread may use it."""

    def __init__(self, engine: Engine, address: StoreAddress) -> None:
        self._engine = engine
        self._address = address
        self._taking_turns = threading.Lock()
        self._connection: Connection | None = None

    def append(self, batch: ChangeBatch, numbers: Numbers, own_name: str, only_here: Collection[str]) -> list[str]:
        """See `append`; `AgainError`, `BadChangeError` where the fault is in a value, `StoreError`."""
        import psycopg  # noqa: PLC0415  # only where there is a PostgreSQL

        again = (
            psycopg.IntegrityError, psycopg.errors.DeadlockDetected, psycopg.errors.SerializationFailure,
            psycopg.errors.IdleInTransactionSessionTimeout,
        )  # fmt: skip
        with self._taking_turns:
            try:
                if self._connection is None:
                    self._connection = self._connected()
                refused = append(self._connection, batch, numbers, own_name, only_here)
                self._connection.commit()  # in SQLAlchemy's books; the database has done so
            except (psycopg.Error, DBAPIError) as raised:
                self._drop()
                error = raised.orig if isinstance(raised, DBAPIError) else raised
                if isinstance(error, again) or _is_cut(error):
                    wanted = AgainError(f"{self._address.name}: {str(error).splitlines()[0]}")
                    wanted.is_of_a_row = isinstance(error, psycopg.IntegrityError)
                    raise wanted from raised
                if isinstance(error, psycopg.DataError) or "adapt" in str(error):
                    raise BadChangeError(f"{self._address.name}: {str(error).splitlines()[0]}") from raised
                raise translation(self._address, error) from raised
            except BaseException:
                self._drop()
                raise
            return refused

    def _connected(self) -> Connection:
        with translated(self._address):
            connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            connection.exec_driver_sql(f"SET idle_in_transaction_session_timeout = {round(IDLE * 1000)}")
            connection.commit()
        return connection

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.invalidate()
            connection.close()

    def close(self) -> None:
        with self._taking_turns:
            self._drop()
