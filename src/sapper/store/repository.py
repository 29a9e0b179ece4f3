"""The store: what was played, kept for years.

`open_store` opens one, makes it where there is none, and brings an older one up to date. A value that `Store` has taken is on the
disk: neither the end of the process nor that of the machine loses it. Threads that record at the same moment share one
transaction, since a disk's answer costs more than all else.

Knows: transactions, retries, what may be done with a store.
Does not know: SQL (see `writing`, `reading`, `statistics`), clocks, settings.
"""

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import IntegrityError

from sapper.errors import StoreError
from sapper.store import reading, writing
from sapper.store.engine import WRITES, StoreAddress, check_file, find_place, make_engine, translated
from sapper.store.models import (
    ListedSession,
    OldSession,
    SavedSession,
    StoredGame,
    StoredGuess,
    StoredSimulation,
    to_ms,
)
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
) -> "Store":
    """The store at an address: a file's path, `sqlite:///PATH`, `postgresql://USER@HOST/NAME`; None is the platform's place.

    `read_only` makes nothing and changes nothing. `on_copy` hears of the copy that is made before an older file is
    brought up to date. `StoreError` and its kinds: not there, damaged, newer, not permitted.
    """
    place = find_place(address)
    if place.path is not None:
        check_file(place.path, read_only=read_only)
    with translated(place):
        if place.path is not None:
            check_owner(place.path, read_only=read_only)
        engine = make_engine(place, read_only=read_only)
        try:
            copy = bring_up_to_date(engine, place, read_only=read_only)
        except BaseException:
            engine.dispose()
            raise
    if copy is not None:
        on_copy(copy)
    return Store(engine, place)


class _Ticket:
    """A game that waits for its transaction."""

    __slots__ = ("error", "game", "is_done", "is_new")

    def __init__(self, game: StoredGame) -> None:
        self.game = game
        self.is_done = False
        self.is_new = False
        self.error: BaseException | None = None


class Store:
    """An open store. Any thread may use it; close it, or use it as a context manager."""

    def __init__(self, engine: Engine, place: StoreAddress) -> None:
        """Of a database that is up to date; `open_store` makes sure of that."""
        self.engine = engine
        self.place = place
        self._known: dict[tuple[str, object], int] = {}
        self._waiting: list[_Ticket] = []
        self._queue = threading.Lock()
        self._turn = threading.Lock()

    def close(self) -> None:
        """Let go of the database."""
        self.engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    # --- writing ------------------------------------------------------------------------------------

    def record(self, game: StoredGame) -> bool:
        """Keep a game; whether it was new. One whose key is there stays as it is, unless it was still being played.

        When this returns the game is on the disk. The session of a game that has ended is dropped.
        """
        ticket = _Ticket(game)
        with self._queue:
            self._waiting.append(ticket)
        with self._turn:
            # Whoever had the turn before may have taken this one along.
            if not ticket.is_done:
                self._commit_waiting()
        if ticket.error is not None:
            raise ticket.error
        return ticket.is_new

    def _commit_waiting(self) -> None:
        with self._queue:
            tickets, self._waiting = self._waiting, []
        try:
            new = self._write(lambda connection, numbers: writing.write_games(
                connection, numbers, [ticket.game for ticket in tickets]
            ))  # fmt: skip
        except BaseException as error:
            for ticket in tickets:
                ticket.error, ticket.is_done = error, True
            if not isinstance(error, StoreError):
                raise
        else:
            for ticket in tickets:
                ticket.is_new, ticket.is_done = ticket.game.key in new, True

    def record_many(self, games: Iterable[StoredGame]) -> int:
        """Keep games in one transaction, all or none; how many were new."""
        return len(self._write(lambda connection, numbers: writing.write_games(connection, numbers, games)))

    def save_session(self, session: SavedSession) -> None:
        """Keep a game that is not over, in place of what was kept of it before."""
        self.save_sessions([session])

    def save_sessions(self, sessions: Iterable[SavedSession]) -> None:
        """Keep many in one transaction, all or none; of two with one key the later."""
        wanted = list(sessions)
        self._write(lambda connection, numbers: writing.write_sessions(connection, numbers, wanted))

    def add_guesses(self, key: str, guesses: Sequence[StoredGuess]) -> bool:
        """Keep the guesses of a game that was recorded without them; whether there is such a game."""
        return self._write(lambda connection, _: writing.write_guesses(connection, key, guesses))

    def drop_session(self, key: str) -> bool:
        """Forget a saved game; whether there was one."""
        return self.drop_sessions([key]) > 0

    def drop_sessions(self, keys: Iterable[str]) -> int:
        """Forget saved games, and players of whom nothing else is kept; how many games there were."""
        wanted = list(keys)
        return self._write(lambda connection, _: writing.drop_sessions(connection, wanted))

    def record_simulation(self, simulation: StoredSimulation) -> bool:
        """Keep the counts of a run; whether it was new. One whose key is there stays as it is."""
        return self._write(lambda connection, numbers: writing.write_simulation(connection, numbers, simulation))

    def delete_player(self, name: str) -> int | None:
        """Delete all that is kept of a player, saved games included; how many games that were. None: no such player."""
        self._known = {}
        return self._write(lambda connection, _: reading.delete_player(connection, name))

    def _write(self, do: Callable[[Connection, writing.RowNumbers], Answer]) -> Answer:
        tries = 0
        while True:
            tries += 1
            try:
                with self._writing() as (connection, numbers):
                    answer = do(connection, numbers)
            except IntegrityError as error:
                # Another process was faster with the same key, or has deleted a number that was remembered here.
                self._known = {}
                if tries == _TRIES:
                    raise StoreError(f"{self.place.name}: {str(error.orig).splitlines()[0]}") from error
            else:
                if numbers.found:
                    known = {**self._known, **numbers.found}
                    self._known = known if len(known) <= MOST_KNOWN else numbers.found
                return answer

    @contextmanager
    def _writing(self) -> Iterator[tuple[Connection, writing.RowNumbers]]:
        with _but_integrity(self.place), self.engine.connect() as plain:
            connection = plain.execution_options(**{WRITES: True})
            with connection.begin():
                yield connection, writing.RowNumbers(connection, self._known)

    # --- reading ------------------------------------------------------------------------------------

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection for questions; all of them are answered as of one moment."""
        with translated(self.place), self.engine.connect() as connection:
            if self.place.path is None:
                # What a transaction has in SQLite anyway.
                connection = connection.execution_options(isolation_level="REPEATABLE READ")  # noqa: PLW2901
            yield connection

    def find_game(self, key: str) -> StoredGame | None:
        """The game of a key."""
        with self.reading() as connection:
            return next(iter(reading.read_games(connection, key=key)), None)

    def games(self) -> Iterator[StoredGame]:
        """All games, in the order in which they were recorded."""
        with self.reading() as connection:
            yield from reading.read_games(connection)

    def find_session(self, key: str) -> SavedSession | None:
        """The saved game of a key."""
        with self.reading() as connection:
            return next(iter(reading.read_sessions(connection, key=key)), None)

    def sessions(self, *, player: str | None = None) -> list[SavedSession]:
        """The saved games (of a player), the last saved first."""
        with self.reading() as connection:
            return list(reading.read_sessions(connection, player=player))

    def listed_sessions(self, player: str) -> list[ListedSession]:
        """The same of a player as a list needs them, without the texts: however long those are, this is quick."""
        with self.reading() as connection:
            return reading.read_listed_sessions(connection, player)

    def old_sessions(
        self, shelf: str, before: datetime, *, after: OldSession | None = None, most: int = 500
    ) -> list[OldSession]:
        """Games that have lain on a shelf since before some time, oldest first; at most so many, those behind `after`."""
        with self.reading() as connection:
            return reading.read_old_sessions(connection, shelf, to_ms(before), after, most)

    def simulations(self) -> list[StoredSimulation]:
        """The runs that were kept, oldest first."""
        with self.reading() as connection:
            return list(reading.read_simulations(connection))

    def players(self) -> list[str]:
        """The names of all players."""
        with self.reading() as connection:
            return reading.read_players(connection)


@contextmanager
def _but_integrity(place: StoreAddress) -> Iterator[None]:
    """`translated`, but for broken constraints, which are tried again."""
    with translated(place):
        try:
            yield
        except IntegrityError as error:
            broken = error
        else:
            return
    raise broken
