"""Unfinished games as a list shows them, whether they are in memory or put away.

What is said of a game is written beside it when it is put away: a list reads that, and not the game, which may be long.

Knows: what a list says of a game.
Does not know: registry, stores; who asks.
"""

import json
from typing import Any, Final

import msgspec

from sapper.core.board import Board
from sapper.core.notation import read_tiles
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.errors import SapperError
from sapper.generator.game_code import CodedGame, game_of_code
from sapper.session.kinds import kind_of, title_of
from sapper.store.models import ListedSession, SavedSession, to_ms
from sapper.web.games.bodies import GameSummary, StoredSummary

_DECODER: Final = msgspec.json.Decoder(StoredSummary)


def entry_of(name: str, game: CodedGame, board: Board, *, time: int, paused: bool, saved: int) -> GameSummary:
    """A game; `saved`: when it was played last, in milliseconds since 1970."""
    kind = kind_of(game)
    return GameSummary(
        game=name,
        title=title_of(game),
        preset=kind.preset,
        rules=kind.rules.name,
        width=kind.width,
        height=kind.height,
        mines=kind.mines,
        no_guess=kind.no_guess,
        status=board.status,
        time=time,
        flags=board.flag_count,
        covered=board.covered_count,
        paused=paused,
        saved=saved,
    )


def summary_of(entry: GameSummary) -> str:
    """An entry to be put away with its game."""
    return msgspec.json.encode(StoredSummary(**_fields(entry))).decode()


def _fields(entry: StoredSummary) -> dict[str, Any]:
    return {name: getattr(entry, name) for name in StoredSummary.__struct_fields__}


def entry_of_listed(listed: ListedSession) -> GameSummary | None:
    """A game that was put away with a summary; None if it has none, or one of another form."""
    try:
        entry = _DECODER.decode(listed.summary)
    except (ValueError, RecursionError):
        return None
    return GameSummary(game=listed.key, saved=to_ms(listed.saved), **_fields(entry))


def entry_of_saved(saved: SavedSession) -> GameSummary | None:
    """A game that was put away without a summary, by an older sapper; None if it cannot be read.

    Only what changed is looked at: playing a game again, however long it is, is for who goes on with it.
    """
    try:
        whole, *lines = saved.text.splitlines()
        document, tails = json.loads(whole), [json.loads(line) for line in lines]
        last = tails[-1] if tails else document
        game = game_of_code(document["game"]["code"])
        return entry_of(
            saved.key,
            game,
            _last_board(game, [*(one[3:] for one in document["game"]["played"]), *(tail["update"] for tail in tails)]),
            time=last["elapsed"],
            paused=last["paused"] is True,
            saved=to_ms(saved.saved),
        )
    except (SapperError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None


def _last_board(game: CodedGame, updates: list[Any]) -> Board:
    tiles, status = bytearray([Tile.COVERED]) * game.grid.size, Status.READY.value
    for status, runs in updates:  # noqa: B007  # the last one counts
        for start, changed in runs:
            tiles[start : start + len(changed)] = read_tiles(changed)
    return Board(grid=game.grid, rules=game.rules, mines=game.mines, tiles=bytes(tiles), status=Status(status))
