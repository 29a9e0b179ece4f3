"""What is to be kept, as values that can wait for a transaction.

A game that begins or ends, a saved game whole, what was done in one since, games and players that are to be forgotten. Carried out a
second time in the same order, none of them changes anything.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sapper.core.status import Status
from sapper.store.models import SavedSession, SessionState, StoredGame, StoredGuess


@dataclass(frozen=True, slots=True, kw_only=True)
class InputLog:
    """What was done in a saved game, from one of its inputs on."""

    key: str
    first: int
    """How many inputs came before: what does not follow what the database has is refused, and so is what is there already otherwise."""
    count: int
    """How many inputs it has. Where it is 0 it says only how the game stands, and the next takes its place."""
    text: str = field(repr=False)
    """The lines of `session.saving.tail_since`."""
    saved: datetime
    state: SessionState


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionGame:
    """A game that has begun or ended in a saved game, where several processes play it: recorded only if that is there and nothing of it was refused."""

    game: StoredGame
    session: str
    """The key of the saved game; its player is the game's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionDrop:
    """A saved game that is to be forgotten."""

    key: str
    only: frozenset[Status] | None = None
    """Where it stands so: somebody may have gone on with it. None: however it stands."""
    before: datetime | None = None
    """And where it was saved last before then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerDrop:
    """A player of whom nothing is to be kept."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LateGuesses:
    """The guesses of a game that was recorded without them."""

    key: str
    guesses: tuple[StoredGuess, ...]


Change = StoredGame | SessionGame | SavedSession | InputLog | SessionDrop | PlayerDrop | LateGuesses


class ChangeBatch:
    """What some changes come to: what was done in one game is one row, however many inputs it has."""

    __slots__ = ("_last", "drops", "games", "guesses", "logs", "sessions")

    def __init__(self) -> None:
        self.games: list[StoredGame | SessionGame] = []
        self.guesses: list[LateGuesses] = []
        self.sessions: dict[str, SavedSession] = {}
        self.logs: list[InputLog] = []
        self._last: dict[str, int] = {}
        """Where in `logs` the last of each game is."""
        self.drops: dict[str, SessionDrop] = {}

    def take(self, change: StoredGame | SessionGame | SavedSession | InputLog | SessionDrop | LateGuesses) -> None:
        """Add one, the latest."""
        match change:
            case InputLog():
                self._take_log(change)
            case StoredGame() | SessionGame():
                self.games.append(change)
            case LateGuesses():
                self.guesses.append(change)
            case SavedSession():
                self._leave_out(change.key)
                self.drops.pop(change.key, None)
                self.sessions[change.key] = change
            case SessionDrop():
                if change.only is None:
                    self._leave_out(change.key)
                    self.sessions.pop(change.key, None)
                self.drops[change.key] = change

    @property
    def stored_games(self) -> list[StoredGame]:
        """The games to be recorded, wherever they were played."""
        return [one.game if isinstance(one, SessionGame) else one for one in self.games]

    def _leave_out(self, key: str) -> None:
        """What was done in a game before counts no longer."""
        if self._last.pop(key, None) is not None:
            self.logs = [log for log in self.logs if log.key != key]
            self._last = {log.key: at for at, log in enumerate(self.logs)}

    def _take_log(self, log: InputLog) -> None:
        if (drop := self.drops.get(log.key)) is not None and drop.only is None:
            return
        at = self._last.get(log.key)
        before = None if at is None else self.logs[at]
        if at is None or before is None or before.first + before.count != log.first:
            self._last[log.key] = len(self.logs)
            self.logs.append(log)
        elif before.count == 0 and log.count > 0:
            self.logs[at] = log
        else:
            self.logs[at] = InputLog(
                key=log.key, first=before.first, count=before.count + log.count, text=before.text + log.text,
                saved=log.saved, state=log.state,
            )  # fmt: skip


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
