"""Everything in a store as one text file, and back.

JSON lines: the first says the form and its version, the last how many lines are between them, so that a file which was cut short is
noticed; each other line is one value, `{"game": …}`, `{"session": …}`, `{"simulation": …}` or `{"daily": …}`. What is of the board of a day that is not
published yet is left out: an exported file must not show it. Importing adds what is not there yet, so that a file can be read twice, and two stores can be put together.
"""

import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, fields
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import func, select

from sapper.core.status import Status
from sapper.errors import NotationError, SapperError
from sapper.store import schema
from sapper.store.daily import DailyBoard, board_from_json, board_to_json, is_sealed, keep_board, published_boards
from sapper.store.models import (
    SavedSession,
    SessionState,
    StoredGame,
    StoredSimulation,
    from_ms,
    game_from_json,
    game_to_json,
    kind_from_json,
    kind_to_json,
    to_ms,
)
from sapper.store.repository import Store

FORMAT: Final = "sapper-store"
VERSION: Final = 2
AT_ONCE: Final = 500
"""Games in one transaction."""
REST: Final = 0.005
"""Seconds between two of those, in which a server that uses the same store has its turn (`engine.TURN`)."""


class Imported(NamedTuple):
    """Values of a file that were new to the store."""

    games: int
    sessions: int
    simulations: int


def count_lines(store: Store) -> int:
    """How many lines `export_lines` gives of the store as it is now: for who shows how far an export has come."""
    with store.reading() as connection:
        tables = (schema.games, schema.sessions, schema.simulations)
        return 2 + sum(connection.scalar(select(func.count()).select_from(table)) or 0 for table in tables)


def export_lines(store: Store) -> Iterator[str]:
    """All that a store has, line by line, without line feeds."""
    yield _line({"format": FORMAT, "version": VERSION})
    count = 0
    for value in _values(store):
        yield _line(value)
        count += 1
    yield _line({"end": count})


def _values(store: Store) -> Iterator[dict[str, Any]]:
    now = datetime.now(UTC)
    for game in store.games():
        if not is_sealed(game.kind, game.started, now):
            yield {"game": game_to_json(game)}
    for session in store.sessions():
        if session.kind is None or not is_sealed(session.kind, session.saved, now):
            yield {"session": _session_to_json(session)}
    for board in published_boards(store, now):
        yield {"daily": board_to_json(board)}
    for run in store.simulations():
        kind = None if run.kind is None else kind_to_json(run.kind)
        yield {"simulation": {**asdict(run), "kind": kind, "at": to_ms(run.at)}}


def _session_to_json(session: SavedSession) -> dict[str, Any]:
    values = {one.name: getattr(session, one.name) for one in fields(session)}
    kind = None if session.kind is None else kind_to_json(session.kind)
    state = {**session.state._asdict(), "status": session.state.status.value}
    return {**values, "kind": kind, "state": state, "saved": to_ms(session.saved)}


def _session_from_json(values: dict[str, Any]) -> SavedSession:
    state = SessionState(**{**values["state"], "status": Status(values["state"]["status"])})
    kind = None if values["kind"] is None else kind_from_json(values["kind"])
    return SavedSession(**{**values, "kind": kind, "state": state, "saved": from_ms(values["saved"])})


def import_lines(store: Store, lines: Iterable[str], *, source: str = "<text>") -> Imported:
    """Add what the lines say and the store has not; `NotationError` names the line that cannot be read.

    What was read before that line is kept: the same file, put right, can be imported again. One that was cut short is kept as far
    as it goes, and is an error.
    """
    taken = _Taken(store)
    try:
        count = _take_all(taken, lines, source)
    finally:
        taken.keep_games()
    if count is not None:
        raise NotationError(
            f"the file was cut short: all {taken.values:,} values of it are kept, and there were more",
            source=source,
            line=count,
        )
    return Imported(**taken.counts)


class _Taken:
    """What was taken from a file."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._games: list[StoredGame] = []
        self.counts = {"games": 0, "sessions": 0, "simulations": 0}
        self.values = 0

    def take(self, value: StoredGame | SavedSession | StoredSimulation | DailyBoard) -> None:
        """Keep a value; games wait for each other."""
        self.values += 1
        if isinstance(value, StoredGame):
            self._games.append(value)
            if len(self._games) >= AT_ONCE:
                self.keep_games()
        elif isinstance(value, SavedSession):
            # One that was saved here later is worth more, and one whose game has ended nothing.
            here = self._store.find_session(value.key)
            if (here is None or here.saved < value.saved) and not _is_over(self._store, self._games, value.key):
                self._store.save_sessions([value])
                self.counts["sessions"] += 1
        elif isinstance(value, DailyBoard):
            keep_board(self._store, value)
        else:
            self.counts["simulations"] += self._store.record_simulation(value)

    def keep_games(self) -> None:
        games, self._games = self._games, []
        self.counts["games"] += self._store.record_many(games)
        time.sleep(REST)


def _take_all(taken: _Taken, lines: Iterable[str], source: str) -> int | None:
    """Take every value; the number of the last line if the one that says the end is missing."""
    number, is_over = 0, False
    try:
        for number, line in enumerate(lines, 1):
            if number == 1:
                _check_head(line, source)
            elif line.strip():
                value = _read(line, number, source)
                if is_over or (isinstance(value, int) and value != taken.values):
                    raise NotationError("lines are missing, or were put together", source=source, line=number)
                if isinstance(value, int):
                    is_over = True
                else:
                    taken.take(value)
    except UnicodeDecodeError:
        raise NotationError("this is not UTF-8 text", source=source, line=number + 1) from None
    if number == 0:
        _check_head("", source)
    return None if is_over else number


def _is_over(store: Store, waiting: Iterable[StoredGame], key: str) -> bool:
    game = next((game for game in waiting if game.key == key), None) or store.find_game(key)
    return game is not None and game.result.value != "playing"


def _line(value: dict[str, Any]) -> str:
    return json.dumps(value, separators=(",", ":"))


def _check_head(line: str, source: str) -> None:
    try:
        head = json.loads(line)
    except (ValueError, RecursionError):
        head = None
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise NotationError(f'the first line of an exported store says "format": "{FORMAT}"', source=source, line=1)
    if head.get("version") != VERSION:
        raise NotationError(
            f"this file has version {head.get('version')!r}; this sapper reads version {VERSION}", source=source, line=1
        )


def _read(line: str, number: int, source: str) -> StoredGame | SavedSession | StoredSimulation | DailyBoard | int:
    """The value of a line; of the last one the count of those before it."""
    try:
        ((what, values),) = json.loads(line).items()
        match what:
            case "game":
                return game_from_json(values)
            case "session":
                return _session_from_json(values)
            case "simulation":
                kind = None if values["kind"] is None else kind_from_json(values["kind"])
                return StoredSimulation(**{**values, "kind": kind, "at": from_ms(values["at"])})
            case "daily":
                return board_from_json(values)
            case "end":
                return int(values)
            case _:
                pass
    except SapperError as error:
        raise NotationError(str(error), source=source, line=number) from None
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as error:
        raise NotationError(f"not a line of an exported store: {error}", source=source, line=number) from None
    raise NotationError(f"{str(what)[:40]!r} is unknown here", source=source, line=number)
