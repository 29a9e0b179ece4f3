"""Unfinished games as a list shows them, whether they are in memory or put away.

Knows: what a list says of a game.
Does not know: tables, stores; who asks.
"""

import json
from typing import Any

from sapper.core.status import Status
from sapper.errors import SapperError
from sapper.generator.game_code import CodedGame, game_of_code
from sapper.session.session import Session
from sapper.store.games import SavedSession
from sapper.web.new_game import kind_of, title_of

Entry = dict[str, Any]


def entry_of(name: str, game: CodedGame, session: Session) -> Entry:
    """A game in memory."""
    return _entry(name, game, session.status.value, session.elapsed, paused=session.is_paused)


def entry_of_saved(saved: SavedSession) -> Entry | None:
    """A game that was put away; None if it has ended, or cannot be read."""
    try:
        document = json.loads(saved.text)
        record = document["game"]
        status = record["played"][-1][3] if record["played"] else Status.READY.value
        if Status(status).ended:
            return None
        return _entry(
            saved.key, game_of_code(record["code"]), status, document["elapsed"], paused=document["paused"] is True
        )
    except (SapperError, ValueError, LookupError, TypeError, AttributeError):
        return None


def _entry(name: str, game: CodedGame, status: str, elapsed: int, *, paused: bool) -> Entry:
    return {
        "game": name,
        "title": title_of(game),
        "preset": kind_of(game).preset,
        "rules": game.rules.name,
        "width": game.grid.width,
        "height": game.grid.height,
        "mines": game.mines,
        "status": status,
        "time": elapsed,
        "paused": paused,
    }
