"""What of a game is kept, and what has to follow: its head (the whole of it), and then what each input added."""

from datetime import datetime
from typing import Final

from sapper.game.referee import Referee
from sapper.session.events import Event, What
from sapper.session.saving import VERSION, SavedMark, snapshot, tail_since
from sapper.session.session import Session
from sapper.session.storing import state_of
from sapper.store.changes import Change, InputLog
from sapper.store.models import GameKind, SavedSession

_PLAYED: Final = (What.MOVED, What.UNDONE, What.REDONE)
"""Events of one input, whose update is what it changed of the board."""


class GameLog:
    """The saved form of one game, as far as it was handed out."""

    __slots__ = ("_has_layout", "_key", "_kind", "_mark", "_needs_search", "_player", "_retention", "_title")

    def __init__(
        self, *, key: str, player: str | None, title: str, kind: GameKind, needs_search: bool, retention: str
    ) -> None:
        """`needs_search`: the layout takes a search, which is not to be done twice."""
        self._key = key
        self._player = player
        self._title = title
        self._kind = kind
        self._needs_search = needs_search
        self._retention = retention
        self._mark: SavedMark | None = None
        self._has_layout = False

    def adopt(self, session: Session, referee: Referee, text: str) -> None:
        """The game has come from the store, where it has this text: what follows is appended to it."""
        if text.endswith("\n"):
            self._note(session, referee)

    def forget(self) -> None:
        """The store has nothing of the game any more, or something else: the next change is the whole of it."""
        self._mark = None

    def next(self, session: Session, referee: Referee, when: datetime, last: Event | None = None) -> Change:
        """What is new of a game, to be kept after all that was handed out before; `last`: what happened last."""
        state, before = state_of(session, referee.board), self._mark
        if before is None:
            self._note(session, referee)
            return SavedSession(
                key=self._key, version=VERSION, text=snapshot(session, referee).to_json() + "\n", saved=when,
                inputs=session.input_count, player=self._player, kind=self._kind, title=self._title,
                retention=self._retention, state=state,
            )  # fmt: skip
        update = last.update if last is not None and last.what in _PLAYED else None
        with_layout = self._needs_search and not self._has_layout and referee.layout is not None
        line, self._mark = tail_since(session, referee, before, with_layout=with_layout, update=update)
        self._has_layout |= with_layout
        count = self._mark.inputs - before.inputs
        return InputLog(key=self._key, first=before.inputs, count=count, text=line, saved=when, state=state)

    def _note(self, session: Session, referee: Referee) -> None:
        self._mark = SavedMark(session.input_count, referee.board.tiles)
        self._has_layout = referee.layout is not None
