"""How one player stands: what a page says beside its Play button, asked for with every new game, so it is one short question.

Statistics group all games; this reads one player's, from the index `by_player`, however many others there are.
"""

from typing import NamedTuple

from sqlalchemy import bindparam, case, func, select

from sapper.store import schema
from sapper.store.models import Category, GameKind, Result
from sapper.store.repository import Store

_GAMES, _KINDS, _PLAYERS = schema.games.c, schema.kinds.c, schema.players.c
_KIND_COLUMNS = ("preset", "rules", "rules_values", "width", "height", "mines", "no_guess")


class StoredTotals(NamedTuple):
    """A player's counts and best time."""

    played: int
    """Every game of a person's that was started, unaided or not."""
    won: int
    best_ms: int | None
    """The least time of an unaided win of the kind that was asked for, in milliseconds."""


_PLAYER = select(_PLAYERS.id).where(_PLAYERS.name == bindparam("name")).scalar_subquery()
_KIND = (
    select(_KINDS.id).where(*(_KINDS[name] == bindparam(f"kind_{name}") for name in _KIND_COLUMNS)).scalar_subquery()
)
# Made once: a statement that is known by sight is not compiled again. The groups are few: categories by results.
_STANDING = (
    select(
        _GAMES.category,
        _GAMES.result,
        func.count().label("games"),
        func.min(case((_GAMES.kind_id == _KIND, _GAMES.time_ms))).label("best"),
    )
    .where(_GAMES.player_id == _PLAYER)
    .group_by(_GAMES.category, _GAMES.result)
)


def standing_of(store: Store, player: str, kind: GameKind | None = None) -> StoredTotals:
    """How a player stands; without a kind there is no best time. Somebody unknown has played nothing."""
    values = dict.fromkeys((f"kind_{name}" for name in _KIND_COLUMNS), None) if kind is None else _kind_values(kind)
    played = won = 0
    best = None
    with store.reading() as connection:
        for category, result, games, least in connection.execute(_STANDING, {"name": player, **values}):
            if category not in (Category.PLAIN, Category.ASSISTED):
                continue
            played += games
            if result == Result.WON.value:
                won += games
                best = least if category == Category.PLAIN else best
    return StoredTotals(played, won, best)


def _kind_values(kind: GameKind) -> dict[str, object]:
    return {
        "kind_preset": kind.preset or "", "kind_rules": kind.rules.name, "kind_rules_values": kind.rules_text,
        "kind_width": kind.width, "kind_height": kind.height, "kind_mines": kind.mine_count, "kind_no_guess": kind.no_guess,
    }  # fmt: skip
