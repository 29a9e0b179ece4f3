"""Unfinished games as a list shows them, whether they are in memory or put away.

Knows: what a list says of a game.
Does not know: tables, stores; who asks.
"""

import json
from typing import Any

from sapper.core.board import Board
from sapper.core.record import Record
from sapper.errors import SapperError
from sapper.generator.game_code import CodedGame, game_of_code
from sapper.store.games import SavedSession, to_ms
from sapper.web.new_game import kind_of, title_of

Entry = dict[str, Any]


def entry_of(name: str, game: CodedGame, board: Board, *, time: int, paused: bool, saved: int) -> Entry:
    """A game; `saved`: when it was played last, in milliseconds since 1970."""
    kind = kind_of(game)
    return {
        "game": name,
        "title": title_of(game),
        "preset": kind.preset,
        "rules": kind.rules.name,
        "width": kind.width,
        "height": kind.height,
        "mines": kind.mines,
        "no_guess": kind.no_guess,
        "status": board.status.value,
        "time": time,
        "flags": board.flag_count,
        "covered": board.covered_count,
        "paused": paused,
        "saved": saved,
    }


def entry_of_saved(saved: SavedSession) -> Entry | None:
    """A game that was put away; None if it has ended, or cannot be read."""
    try:
        document = json.loads(saved.text)
        record = Record.from_json(json.dumps(document["game"]))
        if record.status.ended or record.code is None:
            return None
        *_, board = record.boards()
        return entry_of(
            saved.key,
            game_of_code(record.code),
            board,
            time=document["elapsed"],
            paused=document["paused"] is True,
            saved=to_ms(saved.saved),
        )
    except (SapperError, ValueError, LookupError, TypeError):
        return None
