"""The tables of what players share: the boards of the days and who has played them, names, rankings. Tables of `schema.METADATA`.

All that is a player's goes with the player.
"""

from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    SmallInteger,
    String,
    Table,
    Text,
    text,
)

from sapper.store.schema import BIG, METADATA, games, players


def _board_columns() -> list[Column[Any]]:
    """What names a board of a day."""
    return [
        Column("day", String(10), primary_key=True),
        Column("audience", String(6), primary_key=True),
        Column("size", String(12), primary_key=True),
    ]


def _player(*, is_key: bool) -> Column[Any]:
    key = ForeignKey(players.c.id, ondelete="CASCADE")
    return Column("player_id", Integer, key, primary_key=is_key, nullable=False, autoincrement=False)


daily_boards: Final = Table(
    "daily_boards", METADATA, *_board_columns(),
    Column("code", Text, nullable=False),
    Column("proof", LargeBinary, nullable=False),
    Column("difficulty", SmallInteger, nullable=False),
    Column("bbbv", Integer, nullable=False),
)  # fmt: skip
"""The board of a day, an audience and a size: the code of its layout, and the proof that it needs no guess."""

daily_attempts: Final = Table(
    "daily_attempts", METADATA, *_board_columns(), _player(is_key=True),
    Column("game", String(64), nullable=False, unique=True),
    Column("begun", BigInteger, nullable=False),
    Column("state", String(8), nullable=False),
    Column("won", Boolean, nullable=False),
    Column("placed", Boolean, nullable=False),
    Column("time_ms", BigInteger),
    Index("attempts_by_time", "day", "audience", "size", "state", "won", "time_ms", "player_id"),
    Index("attempts_by_player", "player_id", "day"),
)  # fmt: skip
"""Each player's first attempt at a board."""

player_names: Final = Table(
    "player_names", METADATA, _player(is_key=True),
    Column("name", String(20), nullable=False),
    Column("skeleton", String(200), nullable=False, unique=True),
    Column("seen", BigInteger, nullable=False),
    Index("names_by_time", "seen"),
)  # fmt: skip
"""The name that a player has chosen, and when the player was here last."""

held_names: Final = Table(
    "held_names", METADATA,
    Column("digest", String(64), primary_key=True),
    Column("until", BigInteger, nullable=False),
)  # fmt: skip
"""Names that were freed: the SHA-256 of the skeleton, which says nothing of whose it was."""

recovery_phrases: Final = Table(
    "recovery_phrases", METADATA, _player(is_key=True),
    Column("digest", String(64), nullable=False, unique=True),
)  # fmt: skip
"""The SHA-256 of a phrase that is its player."""

devices: Final = Table(
    "devices", METADATA, _player(is_key=False),
    Column("session", String(16), primary_key=True),
    Column("label", String(40), nullable=False),
    Column("begun", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
    Column("ended", Boolean, nullable=False),
    Index("devices_by_player", "player_id"),
)  # fmt: skip
"""Where a player is signed in, and where that was ended. Times are whole days."""

rankings: Final = Table(
    "rankings", METADATA,
    Column("board", String(24), primary_key=True),
    Column("measure", String(12), primary_key=True),
    Column("period", String(10), primary_key=True),
    _player(is_key=True),
    Column("value", BigInteger, nullable=False),
    Column("ended", BigInteger, nullable=False),
    Column("game", String(64), nullable=False),
    Column("shown", Boolean, nullable=False),
    Index("rankings_by_value", "board", "measure", "period", "shown", "value", "ended", "player_id"),
    Index("rankings_by_player", "player_id"),
    Index("rankings_by_game", "game"),
)  # fmt: skip
"""The best of each player in a period; the least value is the best."""

game_costs: Final = Table(
    "game_costs", METADATA,
    Column("game_id", BIG, ForeignKey(games.c.id, ondelete="CASCADE"), primary_key=True, autoincrement=False),
    _player(is_key=False),
    Column("board", String(24), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("waits", Boolean, nullable=False),
    Column("record", LargeBinary),
    Column("lost", Integer),
    Index("costs_by_player", "player_id", "board", "at", "game_id"),
    # `postgresql_where` would import the dialect with every store: `store.upgrade` sets it.
    Index("costs_waiting", "game_id", sqlite_where=text("waits = 1"), info={"postgresql_where": "waits"}),
)  # fmt: skip
"""The chance to win that each game's choices lost, in millionths, once that is worked out; null then if the game does not count. `record`: of a game
that was given up by taking help, what was played until then. `board` is empty where an unfinished game has joined another player's."""

held_games: Final = Table(
    "held_games", METADATA,
    Column("game", String(64), primary_key=True),
    _player(is_key=False),
    Column("reason", Text, nullable=False),
    Column("state", String(8), nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("held_by_player", "player_id"),
)  # fmt: skip
"""Games that wait for an operator before they count, and what the operator decided."""
