"""The store: what was played, kept for years.

`open_store` opens one, makes it where there is none, and brings an older one up to date. A value that `Store` has taken is on the
disk: neither the end of the process nor that of the machine loses it. What many have to keep at the same moment goes into one
transaction, since a disk's answer costs more than all else (`play.writer`).
"""

import os
import time
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from sqlalchemy import Connection, Engine, exists, func, select
from sqlalchemy.exc import DBAPIError, IntegrityError

from sapper.core.status import Status
from sapper.errors import BadChangeError, SlowStoreError
from sapper.store import reading, schema, writing
from sapper.store.appending import CHANNEL, AgainError, Appender, named, number_key, settle
from sapper.store.changes import Change, ChangeBatch, PlayerDrop, SessionDrop, batches_of
from sapper.store.engine import (
    PERMISSIONS,
    WRITES,
    StoreAddress,
    check_file,
    find_address,
    make_engine,
    translated,
    translation,
)
from sapper.store.game_list import GamePage, GameQuery, read_game_page
from sapper.store.locks import StoreLock, hold
from sapper.store.models import (
    ListedSession,
    OldSession,
    SavedSession,
    SessionMark,
    StoredGame,
    StoredSimulation,
    to_ms,
)
from sapper.store.news import NewsReader, draw_name
from sapper.store.patience import AT_LEISURE, Patience
from sapper.store.upgrade import bring_up_to_date, check_owner

Answer = TypeVar("Answer")

_TRIES = 5
MOST_KNOWN = 10_000
"""Numbers of players and kinds that are remembered before all are forgotten: there is no end of players."""


def open_store(
    address: str | os.PathLike[str] | None = None,
    *,
    read_only: bool = False,
    on_copy: Callable[[Path], None] = lambda _: None,
    patience: Patience = AT_LEISURE,
    permissions: int = PERMISSIONS,
) -> "Store":
    """The store at an address: a file's path, `sqlite:///PATH`, `postgresql://USER@HOST/NAME`; None is the platform's place.

    `read_only` makes nothing and changes nothing. `on_copy` hears of the copy that is made before an older file is
    brought up to date.
    `StoreError` and its kinds: not there, damaged, newer, not permitted.
    """
    found = find_address(address)
    if found.path is not None:
        check_file(found.path, read_only=read_only)
    with translated(found):
        if found.path is not None:
            check_owner(found.path, read_only=read_only)
        engine = make_engine(found, read_only=read_only, patience=patience, permissions=permissions)
        try:
            copy = bring_up_to_date(engine, found, read_only=read_only, permissions=permissions)
        except BaseException:
            engine.dispose()
            raise
    if copy is not None:
        on_copy(copy)
    return Store(engine, found, patience=patience)


class Store:
    """An open store. Any thread may use it; close it, or use it as a context manager."""

    def __init__(self, engine: Engine, address: StoreAddress, *, patience: Patience = AT_LEISURE) -> None:
        """Of a database that is up to date; `open_store` makes sure of that."""
        self.engine = engine
        self.address = address
        self._patience = patience
        self._rests_until = 0.0
        self._has_deleted = False
        """Whether a player was deleted who may still stand in the write-ahead log."""
        self._known: dict[tuple[str, object], int] = {}
        self._locks: weakref.WeakSet[StoreLock] = weakref.WeakSet()
        self._appender = Appender(engine, address)
        self.own_name = ""
        """This process's name for the others of a shared store, who hear which games have gone on; empty: they hear nothing."""
        self.only_here: set[str] = set()
        """Games that no other process has in memory: of these the others hear nothing."""

    @property
    def is_shared(self) -> bool:
        """True if several processes may play the games of this store, since it says who of them was first: PostgreSQL."""
        return self.address.path is None

    @property
    def size(self) -> int:
        """Bytes of the file and of its write-ahead log; 0 for a database that is a server's."""
        path = self.address.path
        files = [] if path is None else [path, path.with_name(f"{path.name}-wal")]
        return sum(one.stat().st_size for one in files if one.exists())

    def hold(self, name: str, what: str) -> StoreLock:
        """Hold a name in this store for as long as this process lives; `HeldStoreError` if another holds it, saying who."""
        lock = hold(self.engine, self.address, name, what)
        self._locks.add(lock)
        return lock

    def close(self) -> None:
        """Let go of the database, and of what is held in it. Calls that run on other threads end as they would; later ones are a `StoreError`."""
        for lock in list(self._locks):
            lock.release()
        self._appender.close()
        self.engine.pool.dispose()

    @contextmanager
    def _patiently(self) -> Iterator[None]:
        """A call. After one that got no answer, others get none at once for a while."""
        if time.monotonic() < self._rests_until:
            raise SlowStoreError(f"{self.address.name}: the database did not answer a moment ago")
        try:
            yield
        except SlowStoreError:
            self._rests_until = time.monotonic() + self._patience.rest
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    # --- writing ------------------------------------------------------------------------------------

    def record(self, game: StoredGame) -> bool:
        """Keep a game; whether it was new. One whose key is there stays as it is, unless it was still being played.

        When this returns the game is on the disk. The session of a game that has ended is dropped.
        """
        return self.record_many([game]) > 0

    def record_many(self, games: Iterable[StoredGame]) -> int:
        """Keep games in one transaction, all or none; how many were new."""
        wanted = list(games)
        return self._write(lambda connection, numbers: writing.write_games(connection, numbers, wanted))

    def save_sessions(self, sessions: Iterable[SavedSession]) -> None:
        """Keep many in one transaction, all or none; of two with one key the later."""
        wanted = list(sessions)
        self._write(lambda connection, numbers: writing.write_sessions(connection, numbers, wanted))

    def drop_sessions(self, keys: Iterable[str]) -> int:
        """Forget saved games, and players of whom nothing else is kept; how many games there were."""
        wanted = [SessionDrop(key=key) for key in keys]
        return self._write(lambda connection, numbers: writing.drop_sessions(connection, numbers, wanted))

    def record_simulation(self, simulation: StoredSimulation) -> bool:
        """Keep the counts of a run; whether it was new. One whose key is there stays as it is."""
        return self._write(lambda connection, numbers: writing.write_simulation(connection, numbers, simulation))

    def delete_player(self, name: str) -> int | None:
        """Delete all that is kept of a player, saved games included; how many games that were. None: no such player."""
        self._known, self._has_deleted = {}, True
        return self._write(lambda connection, _: reading.delete_player(connection, name))

    def apply(self, changes: Sequence[Change]) -> list[str]:
        """Carry out changes in one transaction, all or none, in their order; the keys of saved games where an `InputLog` was refused.

        `BadChangeError` if one of them can never be carried out.
        """
        batches = batches_of(changes)
        if self.is_shared:
            return [key for batch in batches for key in self._append(batch)]
        if any(isinstance(batch, PlayerDrop) for batch in batches):
            self._known, self._has_deleted = {}, True

        def write(connection: Connection, numbers: writing.RowNumbers) -> list[str]:
            refused: list[str] = []
            for batch in batches:
                if isinstance(batch, PlayerDrop):
                    reading.delete_player(connection, batch.name)
                    numbers.forget()
                else:
                    refused += writing.write_batch(connection, numbers, batch)
                    settle(connection, batch.stored_games)
            return refused

        return self._write(write)

    def _append(self, batch: ChangeBatch | PlayerDrop) -> list[str]:
        """The same in PostgreSQL, where each batch is a transaction of its own."""
        if isinstance(batch, PlayerDrop):
            self.delete_player(batch.name)
            return []
        kinds, strategies = named(batch)

        def find(_: Connection, numbers: writing.RowNumbers) -> list[int | None]:
            return [*map(numbers.kind, kinds), *(numbers.name(schema.strategies, name) for name in strategies)]

        wanted = [number_key(kind) for kind in kinds] + [number_key(name) for name in strategies]
        tries = 0
        while True:
            tries += 1
            known = self._known
            if not all(one in known for one in wanted):
                known = dict(zip(wanted, (number or 0 for number in self._write(find)), strict=True))
            try:
                with self._patiently():
                    return self._appender.append(batch, known, self.own_name, self.only_here)
            except AgainError as error:
                # Another process was faster with the same key, or has deleted what a row refers to.
                self._known = {}
                if tries == _TRIES and error.is_of_a_row:
                    raise BadChangeError(str(error)) from error
                if tries == _TRIES:
                    raise

    def note(self, name: str, value: str) -> None:
        self._write(lambda connection, _: writing.write_note(connection, name, value))

    def first_note(self, name: str, value: str) -> str:
        """The note of that name; this one if there is none, whoever else keeps one at the same time."""
        self._write(lambda connection, _: writing.write_first_note(connection, name, value))
        return self.find_note(name) or value

    def listen(self, *, on_news: Callable[[Sequence[str]], None], on_gap: Callable[[], None]) -> NewsReader:
        """Say from now on which games go on here, and hear what other processes say; see `NewsReader`. Of a store that is shared."""
        self.own_name = draw_name()
        return NewsReader(self.engine, self.own_name, on_news=on_news, on_gap=on_gap)

    def say(self, *words: str) -> None:
        """Have other processes of a store that is shared hear something."""
        if self.own_name:
            said = " ".join([self.own_name, *words])
            self._write(lambda connection, _: connection.execute(select(func.pg_notify(CHANNEL, said))).close())

    def forget_note(self, name: str) -> None:
        self._write(lambda connection, _: writing.forget_note(connection, name))

    def change(self, do: Callable[[Connection, writing.RowNumbers], Answer]) -> Answer:
        """What `do` does in one transaction, and its answer. It may be called again."""
        return self._write(do)

    def _write(self, do: Callable[[Connection, writing.RowNumbers], Answer]) -> Answer:
        tries = 0
        while True:
            tries += 1
            try:
                with self._writing() as (connection, numbers):
                    answer = do(connection, numbers)
            except DBAPIError as error:
                # Another process was faster with the same key, has deleted a number that was remembered here, or was in the way.
                self._known = {}
                if tries == _TRIES:
                    kept = translation(self.address, error.orig)
                    raise (BadChangeError(str(kept)) if isinstance(error, IntegrityError) else kept) from error
            else:
                if numbers.found or numbers.known is not self._known:
                    known = {**numbers.known, **numbers.found}
                    self._known = known if len(known) <= MOST_KNOWN else numbers.found
                if self._has_deleted:
                    self._empty_log()
                return answer

    def _empty_log(self) -> None:
        """Write the database anew where the write-ahead log has changes, and empty that; after a later change if somebody is reading now."""
        if self.address.path is None:
            self._has_deleted = False
            return
        with translated(self.address):
            connection = self.engine.raw_connection()
            try:
                connection.info["ends"][0] = float("inf")
                cursor = connection.cursor()
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                (is_busy, *_) = cursor.fetchone() or (1,)
                self._has_deleted = bool(is_busy)
            finally:
                connection.close()

    @contextmanager
    def _writing(self) -> Iterator[tuple[Connection, writing.RowNumbers]]:
        with self._patiently(), _but_again(self.address), self.engine.connect() as plain:
            connection = plain.execution_options(**{WRITES: True})
            with connection.begin():
                yield connection, writing.RowNumbers(connection, self._known)

    # --- reading ------------------------------------------------------------------------------------

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection for questions; all of them are answered as of one moment."""
        with self._patiently(), translated(self.address), self.engine.connect() as connection:
            if self.address.path is None:
                # What a transaction has in SQLite anyway.
                connection = connection.execution_options(isolation_level="REPEATABLE READ")  # noqa: PLW2901
            yield connection

    def find_game(self, key: str) -> StoredGame | None:
        with self.reading() as connection:
            return next(iter(reading.read_games(connection, key=key)), None)

    def unfinished_games(self, player: str, *, face: str) -> list[StoredGame]:
        """A player's games on one face that were started and have no end yet."""
        with self.reading() as connection:
            return [
                game
                for key in reading.read_unfinished(connection, player, face)
                for game in reading.read_games(connection, key=key)
            ]

    def games(self) -> Iterator[StoredGame]:
        """All games, in the order in which they were recorded."""
        with self.reading() as connection:
            yield from reading.read_games(connection)

    def latest_games(self, player: str, most: int = 20) -> list[StoredGame]:
        """The games of a player that ended last, those first."""
        with self.reading() as connection:
            return reading.read_latest_games(connection, player, most)

    def list_games(self, wanted: GameQuery, *, most: int = 50, after: str | None = None) -> GamePage:
        """Games that have ended, the last first; at most so many, from where the page ended whose `next` is `after`.

        `StoreError` for an `after` that is none.
        """
        with self.reading() as connection:
            return read_game_page(connection, wanted, most, after)

    def find_session(self, key: str) -> SavedSession | None:
        return self.find_sessions([key]).get(key)

    def find_sessions(self, keys: Collection[str]) -> dict[str, SavedSession]:
        """The saved games of these keys that there are."""
        with self.reading() as connection:
            return {one.key: one for one in reading.read_sessions(connection, keys=keys)}

    def session_mark(self, key: str) -> SessionMark | None:
        """How far the saved game of a key is, without its text."""
        with self.reading() as connection:
            return reading.read_session_mark(connection, key)

    def sessions(self, *, player: str | None = None) -> list[SavedSession]:
        """The saved games (of a player), the last saved first."""
        with self.reading() as connection:
            return list(reading.read_sessions(connection, player=player))

    def listed_sessions(self, player: str) -> list[ListedSession]:
        """The same of a player as a list needs them, without the texts: however long those are, this is quick."""
        with self.reading() as connection:
            return reading.read_listed_sessions(connection, player)

    def old_sessions(
        self, retention: str, statuses: Collection[Status], before: datetime, *, after: OldSession | None = None,
        most: int = 500,
    ) -> list[OldSession]:  # fmt: skip
        """Games of a retention class that stand so and were saved last before some time, the one begun first first; at most so many, those behind `after`."""
        with self.reading() as connection:
            return reading.read_old_sessions(connection, retention, statuses, to_ms(before), after, most)

    def find_note(self, name: str) -> str | None:
        with self.reading() as connection:
            return reading.read_note(connection, name)

    def last_write(self) -> datetime | None:
        """The latest time that anything here has; None if there is nothing."""
        with self.reading() as connection:
            return reading.read_last_write(connection)

    def simulations(self) -> list[StoredSimulation]:
        """The runs that were kept, oldest first."""
        with self.reading() as connection:
            return list(reading.read_simulations(connection))

    def players(self) -> list[str]:
        with self.reading() as connection:
            return reading.read_players(connection)

    def has_player(self, name: str) -> bool:
        """True if there is anything of a player of that name."""
        with self.reading() as connection:
            return bool(connection.execute(select(exists().where(schema.players.c.name == name))).scalar())


@contextmanager
def _but_again(address: StoreAddress) -> Iterator[None]:
    """`translated`, but for what is to be tried again: broken constraints, and two transactions that wait for each other."""
    with translated(address):
        try:
            yield
        except DBAPIError as error:
            if not (isinstance(error, IntegrityError) or getattr(error.orig, "sqlstate", None) in _IN_EACH_OTHERS_WAY):
                raise
            again = error
        else:
            return
    raise again


_IN_EACH_OTHERS_WAY = ("40001", "40P01")
"""PostgreSQL's serialization failure and deadlock."""
