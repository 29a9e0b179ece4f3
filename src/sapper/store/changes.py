"""What is to be kept, as values that can wait: in memory, in a line of a journal, on their way into a transaction.

A game that begins or ends, a saved game whole, what was appended to one since, games and players that are to be forgotten. Each has a
form in JSON (`change_to_json`); carried out a second time in the same order, none of them changes anything.

Knows: the kinds of change, their form in JSON, what several of them come to.
Does not know: files, databases, threads.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from typing import Any

from sapper.errors import StoreError
from sapper.store.models import (
    LONGEST_KEY,
    SavedSession,
    StoredGame,
    StoredGuess,
    check_name,
    from_ms,
    game_from_json,
    game_to_json,
    to_ms,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionTail:
    """What was done in a saved game since it was saved: to be appended to its text, at one place and nowhere else."""

    key: str
    start: int
    """Characters that the text has before: where it has another number, the tail is there already, or does not fit."""
    text: str = field(repr=False)
    saved: datetime
    retention: str = ""
    summary: str = ""

    def __post_init__(self) -> None:
        check_name("a session's key", self.key, LONGEST_KEY)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionDrop:
    """A saved game that is to be forgotten."""

    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerDrop:
    """A player of whom nothing is to be kept."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LateGuesses:
    """The guesses of a game that was recorded without them."""

    key: str
    guesses: tuple[StoredGuess, ...]


_SESSION_FIELDS = tuple(one.name for one in fields(SavedSession))
_TAIL_FIELDS = tuple(one.name for one in fields(SessionTail))


def _values(change: SavedSession | SessionTail, names: Sequence[str]) -> dict[str, Any]:
    return {name: getattr(change, name) for name in names}  # `asdict` copies deeply, which takes ten times as long


Change = StoredGame | SavedSession | SessionTail | SessionDrop | PlayerDrop | LateGuesses


def change_to_json(change: Change) -> dict[str, Any]:
    """A change as values that JSON has: an object with one key, the kind."""
    match change:
        case StoredGame():
            return {"game": game_to_json(change)}
        case SavedSession():
            return {"session": {**_values(change, _SESSION_FIELDS), "saved": to_ms(change.saved)}}
        case SessionTail():
            return {"tail": {**_values(change, _TAIL_FIELDS), "saved": to_ms(change.saved)}}
        case SessionDrop():
            return {"drop": change.key}
        case PlayerDrop():
            return {"forget": change.name}
        case LateGuesses():
            return {"guesses": {"key": change.key, "guesses": [list(one) for one in change.guesses]}}


def change_from_json(values: dict[str, Any]) -> Change:
    """What `change_to_json` made; `StoreError` (or the error of a value) for anything else."""
    ((kind, value),) = values.items()
    match kind:
        case "game":
            return game_from_json(value)
        case "session":
            return SavedSession(**{**value, "saved": from_ms(value["saved"])})
        case "tail":
            return SessionTail(**{**value, "saved": from_ms(value["saved"])})
        case "drop":
            return SessionDrop(key=value)
        case "forget":
            return PlayerDrop(name=value)
        case "guesses":
            return LateGuesses(key=value["key"], guesses=tuple(StoredGuess(*one) for one in value["guesses"]))
        case _:
            raise StoreError(f"{kind!r:.40} is not a change that this sapper knows")


class ChangeBatch:
    """What some changes come to: at most one for each saved game, so that a game of fifty moves is written once."""

    __slots__ = ("drops", "games", "guesses", "sessions", "tails")

    def __init__(self) -> None:
        self.games: list[StoredGame] = []
        self.guesses: list[LateGuesses] = []
        self.sessions: dict[str, SavedSession] = {}
        self.tails: dict[str, SessionTail] = {}
        self.drops: dict[str, None] = {}

    def take(self, change: StoredGame | SavedSession | SessionTail | SessionDrop | LateGuesses) -> None:
        """Add one, the latest."""
        match change:
            case StoredGame():
                self.games.append(change)
            case LateGuesses():
                self.guesses.append(change)
            case SavedSession():
                self.tails.pop(change.key, None)
                self.drops.pop(change.key, None)
                self.sessions[change.key] = change
            case SessionTail():
                self._take_tail(change)
            case SessionDrop():
                self.tails.pop(change.key, None)
                self.sessions.pop(change.key, None)
                self.drops[change.key] = None

    def _take_tail(self, tail: SessionTail) -> None:
        whole, before = self.sessions.get(tail.key), self.tails.get(tail.key)
        if tail.key in self.drops:
            return
        if whole is not None:
            if len(whole.text) == tail.start:
                self.sessions[tail.key] = replace(
                    whole, text=whole.text + tail.text, saved=tail.saved, retention=tail.retention, summary=tail.summary
                )
        elif before is not None and before.start + len(before.text) == tail.start:
            self.tails[tail.key] = replace(tail, start=before.start, text=before.text + tail.text)
        else:
            self.tails[tail.key] = tail


def batches_of(changes: Iterable[Change]) -> Sequence[ChangeBatch | PlayerDrop]:
    """Changes put together, in an order that comes to the same: nothing moves past the forgetting of a player."""
    found: list[ChangeBatch | PlayerDrop] = []
    for change in changes:
        if isinstance(change, PlayerDrop):
            found.append(change)
            continue
        if not found or not isinstance(found[-1], ChangeBatch):
            found.append(ChangeBatch())
        last = found[-1]
        assert isinstance(last, ChangeBatch)
        last.take(change)
    return found
