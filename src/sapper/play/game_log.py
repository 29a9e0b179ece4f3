"""What of a game is kept, and what has to follow: its head (the whole of it), and then what each input added.

Knows: saved games (`session.saving`), the changes that carry them; what lists say of a game.
Does not know: who keeps the changes, when a game begins or ends.
"""

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

from sapper.core.status import Status
from sapper.game.referee import Referee
from sapper.session.saving import VERSION, SavedMark, snapshot, tail_since
from sapper.session.session import Session
from sapper.store.changes import Change, SessionTail
from sapper.store.models import GameKind, SavedSession


class GameLog:
    """The saved form of one game, as far as it was handed out."""

    __slots__ = ("_has_layout", "_key", "_kind", "_length", "_mark", "_needs_search", "_player", "_retention", "_title")

    def __init__(
        self,
        *,
        key: str,
        player: str,
        title: str,
        kind: GameKind,
        needs_search: bool,
        retention: Callable[[Status], str],
    ) -> None:
        """`needs_search`: the layout takes a search, which is not to be done twice."""
        self._key = key
        self._player = player
        self._title = title
        self._kind = kind
        self._needs_search = needs_search
        self._retention = retention
        self._mark: SavedMark | None = None
        self._length = 0
        self._has_layout = False

    def adopt(self, session: Session, referee: Referee, text: str) -> None:
        """The game has come from the store, where it has this text: what follows is appended to it."""
        if text.endswith("\n") and text.isascii():
            self._note(session, referee, len(text))

    def forget(self) -> None:
        """The store has nothing of the game any more, or something else: the next change is the whole of it."""
        self._mark = None

    def next(self, session: Session, referee: Referee, when: datetime) -> Change:
        """What is new of a game, to be kept after all that was handed out before."""
        retention, summary = self._retention(session.status), json.dumps(self._summary(session, referee))
        if self._mark is None or (self._needs_search and not self._has_layout and referee.layout is not None):
            text = snapshot(session, referee).to_json() + "\n"
            self._note(session, referee, len(text))
            return SavedSession(
                key=self._key, version=VERSION, text=text, saved=when, player=self._player, title=self._title,
                retention=retention, summary=summary,
            )  # fmt: skip
        line, self._mark = tail_since(session, referee, self._mark)
        start, self._length = self._length, self._length + len(line)
        return SessionTail(key=self._key, start=start, text=line, saved=when, retention=retention, summary=summary)

    def _note(self, session: Session, referee: Referee, length: int) -> None:
        self._mark = SavedMark(session.input_count, referee.board.tiles)
        self._length = length
        self._has_layout = referee.layout is not None

    def _summary(self, session: Session, referee: Referee) -> dict[str, Any]:
        kind, board = self._kind, referee.board
        return {
            "title": self._title, "preset": kind.preset, "rules": kind.rules.name, "width": kind.width,
            "height": kind.height, "mines": kind.mines, "no_guess": kind.no_guess, "status": board.status.value,
            "time": session.elapsed, "flags": board.flag_count, "covered": board.covered_count,
            "paused": session.is_paused,
        }  # fmt: skip
