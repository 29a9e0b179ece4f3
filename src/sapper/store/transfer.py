"""Everything in a store as one text file, and back.

JSON lines: the first says the form and its version, each other line is one value, `{"game": …}`, `{"session": …}` or
`{"simulation": …}`. Importing adds what is not there yet, so that a file can be read twice, and two stores can be put together.

Knows: the form of the file.
Does not know: files (it takes and gives lines), tables.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any, Final, NamedTuple

from sapper.errors import NotationError, SapperError
from sapper.store.games import (
    SavedSession,
    StoredGame,
    StoredSimulation,
    from_ms,
    game_from_json,
    game_to_json,
    kind_from_json,
    kind_to_json,
    to_ms,
)
from sapper.store.store import Store

FORMAT: Final = "sapper-store"
VERSION: Final = 1
AT_ONCE: Final = 2_000
"""Games in one transaction."""


class Imported(NamedTuple):
    """What a file had that the store had not."""

    games: int
    sessions: int
    simulations: int


def export_lines(store: Store) -> Iterator[str]:
    """All that a store has, line by line, without line feeds."""
    yield _line({"format": FORMAT, "version": VERSION})
    for game in store.games():
        yield _line({"game": game_to_json(game)})
    for session in store.sessions():
        yield _line({"session": {**asdict(session), "saved": to_ms(session.saved)}})
    for run in store.simulations():
        kind = None if run.kind is None else kind_to_json(run.kind)
        yield _line({"simulation": {**asdict(run), "kind": kind, "at": to_ms(run.at)}})


def import_lines(store: Store, lines: Iterable[str], *, source: str = "<text>") -> Imported:
    """Add what the lines say and the store has not; `NotationError` names the line that cannot be read.

    What was read before that line is kept: the same file, put right, can be imported again.
    """
    numbered = enumerate(lines, 1)
    _check_head(next(numbered, (1, "")), source)
    games: list[StoredGame] = []
    counts = {"game": 0, "session": 0, "simulation": 0}
    for number, line in numbered:
        if not line.strip():
            continue
        value = _read(line, number, source)
        if isinstance(value, StoredGame):
            games.append(value)
            if len(games) >= AT_ONCE:
                counts["game"] += store.record_many(games)
                games = []
        elif isinstance(value, SavedSession):
            # One that was saved here later is worth more, and one whose game has ended nothing.
            here = store.find_session(value.key)
            if (here is None or here.saved < value.saved) and not _is_over(store, games, value.key):
                store.save_session(value)
                counts["session"] += 1
        else:
            counts["simulation"] += store.record_simulation(value)
    counts["game"] += store.record_many(games)
    return Imported(counts["game"], counts["session"], counts["simulation"])


def _is_over(store: Store, waiting: Iterable[StoredGame], key: str) -> bool:
    game = next((game for game in waiting if game.key == key), None) or store.find_game(key)
    return game is not None and game.result.value != "playing"


def _line(value: dict[str, Any]) -> str:
    return json.dumps(value, separators=(",", ":"))


def _check_head(first: tuple[int, str], source: str) -> None:
    try:
        head = json.loads(first[1])
    except (ValueError, RecursionError):
        head = None
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise NotationError(f'the first line of an exported store says "format": "{FORMAT}"', source=source, line=1)
    if head.get("version") != VERSION:
        raise NotationError(
            f"this file has version {head.get('version')!r}; this sapper reads version {VERSION}", source=source, line=1
        )


def _read(line: str, number: int, source: str) -> StoredGame | SavedSession | StoredSimulation:
    try:
        ((what, values),) = json.loads(line).items()
        match what:
            case "game":
                return game_from_json(values)
            case "session":
                return SavedSession(**{**values, "saved": from_ms(values["saved"])})
            case "simulation":
                kind = None if values["kind"] is None else kind_from_json(values["kind"])
                return StoredSimulation(**{**values, "kind": kind, "at": from_ms(values["at"])})
            case _:
                pass
    except SapperError as error:
        raise NotationError(str(error), source=source, line=number) from None
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as error:
        raise NotationError(f"no line of an exported store: {error}", source=source, line=number) from None
    raise NotationError(f"{str(what)[:40]!r} is unknown here", source=source, line=number)
