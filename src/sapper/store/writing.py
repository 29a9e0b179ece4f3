"""Puts values into tables, within a transaction that somebody else began.

Numbers of names and kinds are remembered from one transaction to the next, since there are few and each game needs three. One
that another process deleted meanwhile is noticed by the database, and the transaction made again (see `Store`).

Knows: which table each value goes into; that a key is recorded once.
Does not know: transactions, errors, who calls.
"""

import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Table, bindparam, delete, exists, func, insert, select, update
from sqlalchemy.dialects import sqlite

from sapper.store import schema
from sapper.store.changes import ChangeBatch, SessionTail
from sapper.store.models import GameKind, Result, SavedSession, StoredGame, StoredGuess, StoredSimulation, to_ms

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql

AT_ONCE = 500
"""Values in one IN (…): old SQLites take 999."""


# Made once: a statement that is known by sight is not compiled again.
_NEW_GAME = sqlite.insert(schema.games).on_conflict_do_nothing()
_FIND = select(schema.games.c.key, schema.games.c.id, schema.games.c.result, schema.games.c.category).where(
    schema.games.c.key.in_(bindparam("keys", expanding=True))
)
_ENDED = tuple(one.name for one in schema.games.c if one.name not in ("id", "key", "started"))
_END = (
    update(schema.games)
    .where(schema.games.c.key == bindparam("ended_key"))
    .values({name: bindparam(name) for name in _ENDED})
)
_DROP = delete(schema.sessions).where(schema.sessions.c.key == bindparam("over"))


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

    def name(self, table: Table, name: str | None) -> int | None:
        """The number of a player or strategy, new if need be."""
        return None if name is None else self._number(table, name, {"name": name})

    def kind(self, kind: GameKind | None) -> int | None:
        """The number of a kind, new if need be."""
        if kind is None:
            return None
        row = {
            "preset": kind.preset or "", "rules": kind.rules.name, "rules_values": kind.rules_text,
            "start": kind.rules.start.value, "width": kind.width, "height": kind.height, "mines": kind.mines,
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


def write_games(connection: Connection, numbers: RowNumbers, games: Iterable[StoredGame]) -> set[str]:
    """Record games; the keys of those that were new, or had been started and have ended now."""
    wanted: dict[str, StoredGame] = {}
    for game in games:
        earlier = wanted.get(game.key)
        if earlier is None or earlier.result is Result.PLAYING:
            # It began when it was said to have begun.
            wanted[game.key] = game if earlier is None else game.replace(started=earlier.started)
    # PostgreSQL's driver does not say how many rows such a statement has made.
    is_alone = len(wanted) == 1 and connection.dialect.name == "sqlite"
    if is_alone and (alone := _write_alone(connection, numbers, *wanted.values())):
        return alone
    found = _find(connection, list(wanted))
    fresh = [game for key, game in wanted.items() if key not in found]
    ended = [game for key, game in wanted.items() if key in found and _is_news(game, *found[key][1:])]
    if fresh:
        connection.execute(insert(schema.games), [_game_row(numbers, game) for game in fresh])
    if ended:
        rows = [_game_row(numbers, game) for game in ended]
        # It began when it was said to have begun.
        connection.execute(_END, [{"ended_key": row["key"], **{name: row[name] for name in _ENDED}} for row in rows])
    _write_details(connection, fresh + ended)
    _drop_sessions(connection, wanted.values())
    return {game.key for game in fresh + ended}


def _is_news(game: StoredGame, result: str, category: int) -> bool:
    """Whether a game that is there, so, is to become what it is now: once it has ended it stays as it is."""
    if result != Result.PLAYING.value:
        return False
    # A game with help, or whose mines were shown, is apart from then on, and not only when it ends.
    return game.result is not Result.PLAYING or game.category > category


def _write_alone(connection: Connection, numbers: RowNumbers, game: StoredGame) -> set[str]:
    """Record one game that is new, which most are: nothing has to be looked for. Nothing is done for one that is not."""
    if connection.execute(_NEW_GAME, _game_row(numbers, game)).rowcount != 1:
        return set()
    _write_details(connection, [game])
    _drop_sessions(connection, [game])
    return {game.key}


def _drop_sessions(connection: Connection, games: Iterable[StoredGame]) -> None:
    over = [{"over": game.key} for game in games if game.result is not Result.PLAYING]
    if over:
        connection.execute(_DROP, over)


def _find(connection: Connection, keys: Sequence[str]) -> dict[str, tuple[int, str, int]]:
    """Number, result and category of the games that are there already."""
    found: dict[str, tuple[int, str, int]] = {}
    for some in _slices(keys):
        for key, number, result, category in connection.execute(_FIND, {"keys": some}):
            found[key] = (number, result, category)
    return found


def _write_details(connection: Connection, games: Sequence[StoredGame]) -> None:
    """Guesses and whole records."""
    detailed = [game for game in games if game.guesses or game.record is not None]
    if not detailed:
        return
    found = _find(connection, [game.key for game in detailed])
    guesses = [
        {"game_id": found[game.key][0], "number": number, **guess._asdict()}
        for game in detailed
        for number, guess in enumerate(game.guesses)
    ]
    records = [
        {"game_id": found[game.key][0], "record": zlib.compress(game.record.encode())}
        for game in detailed
        if game.record is not None
    ]
    for table, rows in ((schema.guesses, guesses), (schema.records, records)):
        if rows:
            insert_new(connection, table, rows)


def _game_row(numbers: RowNumbers, game: StoredGame) -> dict[str, Any]:
    return {
        "key": game.key,
        "category": int(game.category),
        "kind_id": numbers.kind(game.kind),
        "player_id": numbers.name(schema.players, game.player),
        "strategy_id": numbers.name(schema.strategies, game.strategy),
        "face": game.face,
        "result": game.result.value,
        "started": to_ms(game.started),
        "ended": to_ms(game.ended),
        "time_ms": game.time_ms,
        "seed": game.seed,
        "code": game.code,
        "moves": game.moves,
        "clicks": game.clicks,
        "effective_clicks": game.effective_clicks,
        "bbbv": game.bbbv,
        "solved_bbbv": game.solved_bbbv,
        "hints": game.hints,
        "undos": game.undos,
        "restarted": game.restarted,
        "overlay": game.overlay,
    }


def write_sessions(connection: Connection, numbers: RowNumbers, sessions: Iterable[SavedSession]) -> None:
    """Keep sessions, each in place of an older one of its key; of two with one key the later."""
    rows = {
        session.key: {
            "key": session.key,
            "player_id": numbers.name(schema.players, session.player),
            "title": session.title,
            "version": session.version,
            "saved": to_ms(session.saved),
            "text": session.text,
            "shelf": session.retention,
            "summary": session.summary,
        }
        for session in sessions
    }
    if rows:
        statement = _insert(connection, schema.sessions)
        changed = {
            name: statement.excluded[name]
            for name in ("player_id", "title", "version", "saved", "text", "shelf", "summary")
        }
        connection.execute(statement.on_conflict_do_update(index_elements=["key"], set_=changed), list(rows.values()))


_LENGTH = func.length(schema.sessions.c.text)
_LENGTHS = select(schema.sessions.c.key, _LENGTH.label("length")).where(
    schema.sessions.c.key.in_(bindparam("keys", expanding=True))
)
_APPEND = (
    update(schema.sessions)
    .where(schema.sessions.c.key == bindparam("tail_key"), bindparam("tail_start") == _LENGTH)
    .values(
        text=schema.sessions.c.text + bindparam("tail_text"), saved=bindparam("tail_saved"),
        shelf=bindparam("tail_shelf"), summary=bindparam("tail_summary"),
    )
)  # fmt: skip


def append_to_sessions(connection: Connection, tails: Iterable[SessionTail]) -> list[str]:
    """Append to saved games what was done in them since; the keys of those where it does not fit.

    A tail that is there already is left out: its text is then longer than the tail's start by as much or more.
    """
    wanted = list(tails)
    rows = [
        {
            "tail_key": tail.key, "tail_start": tail.start, "tail_text": tail.text, "tail_saved": to_ms(tail.saved),
            "tail_shelf": tail.retention, "tail_summary": tail.summary,
        }
        for tail in wanted
    ]  # fmt: skip
    if not rows or connection.execute(_APPEND, rows).rowcount == len(rows):
        return []
    lengths: dict[str, int] = {}
    for keys in _slices([tail.key for tail in wanted]):
        lengths |= {row.key: row.length for row in connection.execute(_LENGTHS, {"keys": keys})}
    failed = []
    for tail, row in zip(wanted, rows, strict=True):
        length = lengths.get(tail.key)
        if length is None or length <= tail.start:
            failed.append(tail.key)
        elif length < tail.start + len(tail.text):
            # A part of it is there: a transaction before had the first of its lines.
            connection.execute(_APPEND, [row | {"tail_start": length, "tail_text": tail.text[length - tail.start :]}])
    return failed


def write_batch(connection: Connection, numbers: RowNumbers, batch: ChangeBatch) -> list[str]:
    """Carry out changes that were put together; the keys of saved games that a tail did not fit."""
    if batch.games:
        write_games(connection, numbers, batch.games)
    for late in batch.guesses:
        write_guesses(connection, late.key, late.guesses)
    write_sessions(connection, numbers, batch.sessions.values())
    failed = append_to_sessions(connection, batch.tails.values())
    if batch.drops:
        drop_sessions(connection, list(batch.drops))
    return failed


def note_applied(connection: Connection, journal: str, number: int) -> None:
    """Remember up to which number the changes of a journal are in the database."""
    statement = _insert(connection, schema.journals)
    changed = {"applied": statement.excluded["applied"]}
    row = [{"name": journal, "applied": number}]
    connection.execute(statement.on_conflict_do_update(index_elements=["name"], set_=changed), row)


def read_applied(connection: Connection, journal: str) -> int:
    """That number; 0 where nothing is."""
    found = select(schema.journals.c.applied).where(schema.journals.c.name == journal)
    return int(connection.execute(found).scalar() or 0)


def forget_journal(connection: Connection, journal: str) -> None:
    """A journal is no more."""
    connection.execute(delete(schema.journals).where(schema.journals.c.name == journal))


def write_note(connection: Connection, name: str, value: str) -> None:
    """Keep a note, in place of the one of that name."""
    statement = _insert(connection, schema.notes)
    changed = {"value": statement.excluded["value"]}
    connection.execute(
        statement.on_conflict_do_update(index_elements=["name"], set_=changed), [{"name": name, "value": value}]
    )


def drop_sessions(connection: Connection, keys: Sequence[str]) -> int:
    """Forget sessions, and players of whom nothing is left then; how many sessions there were."""
    table, count = schema.sessions, 0
    for some in _slices(keys):
        are_these = table.c.key.in_(some)
        owners = connection.execute(select(table.c.player_id).where(are_these).distinct()).scalars().all()
        count += connection.execute(delete(table).where(are_these)).rowcount
        _drop_empty(connection, [owner for owner in owners if owner is not None])
    return count


def _drop_empty(connection: Connection, numbers: Sequence[int]) -> None:
    """Forget those of some players who have neither games nor sessions."""
    if not numbers:
        return
    players = schema.players.c.id
    has_any = [exists().where(table.c.player_id == players) for table in (schema.games, schema.sessions)]
    connection.execute(delete(schema.players).where(players.in_(numbers), *(~any_ for any_ in has_any)))


def write_guesses(connection: Connection, key: str, guesses: Sequence[StoredGuess]) -> None:
    """Keep the guesses of a recorded game, unless it has some; nothing where there is no such game."""
    found = _find(connection, [key])
    if found and guesses:
        number = found[key][0]
        rows = [{"game_id": number, "number": at, **guess._asdict()} for at, guess in enumerate(guesses)]
        insert_new(connection, schema.guesses, rows)


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
    """Delete a note."""
    connection.execute(delete(schema.notes).where(schema.notes.c.name == name))
