"""The tables, as the newest revision has them.

`kinds`, `players` and `strategies` are small; `games` refers to them by number, so that a million games stay narrow.
Two indexes hold all that statistics ask of a game, so that they read no table: `by_kind` for counts and times,
`by_time` for streaks and what changes over time (docs/store.md shows the plans).
"""

from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    SmallInteger,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy.types import TypeEngine

APPLICATION_ID: Final = 0x53415052
"""What an SQLite file of ours says it is: "SAPR"."""

HEAD: Final = "two"
"""The newest revision, which these tables are. A test compares it with the migrations."""

VERSION_TABLE: Final = "sapper_schema"
"""Where a database says which revision it is."""

METADATA: Final = MetaData()

VERSIONS: Final = Table(
    VERSION_TABLE, MetaData(), Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name=f"{VERSION_TABLE}_pkc"),
)  # fmt: skip
"""As alembic makes it."""

BIG = BigInteger().with_variant(Integer, "sqlite")
"""SQLite numbers rows by itself only where the column is plainly an INTEGER."""


def signed(seed: int) -> int:
    """0 to 2^64-1 in the signed 64 bits that databases have."""
    return seed - (1 << 64) if seed >= 1 << 63 else seed


class Seed(TypeDecorator[int]):
    """0 to 2^64-1 in the signed 64 bits that databases have."""

    impl: TypeEngine[Any] | type[TypeEngine[Any]] = BigInteger
    cache_ok: bool | None = True

    def process_bind_param(self, value: int | None, dialect: Dialect) -> int | None:
        return None if value is None else signed(value)

    def process_result_value(self, value: int | None, dialect: Dialect) -> int | None:
        return None if value is None else value % (1 << 64)


players = Table(
    "players", METADATA,
    Column("id", Integer, primary_key=True),
    Column("name", String(200), nullable=False, unique=True),
)  # fmt: skip

strategies = Table(
    "strategies", METADATA,
    Column("id", Integer, primary_key=True),
    Column("name", String(200), nullable=False, unique=True),
)  # fmt: skip

kinds = Table(
    "kinds", METADATA,
    Column("id", Integer, primary_key=True),
    # Empty rather than null: a null is never equal to another, so a unique constraint would not hold.
    Column("preset", String(200), nullable=False),
    Column("rules", String(200), nullable=False),
    Column("rules_values", Text, nullable=False),
    Column("start", String(8), nullable=False),
    Column("width", Integer, nullable=False),
    Column("height", Integer, nullable=False),
    Column("mines", Integer, nullable=False),
    Column("no_guess", Boolean, nullable=False),
    UniqueConstraint("preset", "rules", "rules_values", "width", "height", "mines", "no_guess", name="one_of_a_kind"),
)  # fmt: skip

games = Table(
    "games", METADATA,
    Column("id", BIG, primary_key=True),
    Column("key", String(64), nullable=False, unique=True),
    Column("category", SmallInteger, nullable=False),
    Column("kind_id", Integer, ForeignKey("kinds.id"), nullable=False),
    Column("player_id", Integer, ForeignKey("players.id")),
    Column("strategy_id", Integer, ForeignKey("strategies.id")),
    Column("face", String(200), nullable=False),
    Column("result", String(10), nullable=False),
    Column("started", BigInteger, nullable=False),
    Column("ended", BigInteger, nullable=False),
    Column("time_ms", BigInteger),
    Column("seed", Seed),
    Column("code", Text),
    Column("moves", BigInteger),
    Column("clicks", BigInteger),
    Column("effective_clicks", BigInteger),
    Column("bbbv", BigInteger),
    Column("solved_bbbv", BigInteger),
    Column("hints", BigInteger, nullable=False),
    Column("undos", BigInteger, nullable=False),
    Column("restarted", Boolean, nullable=False),
    Column("overlay", Boolean, nullable=False),
    Column("aided", Boolean, nullable=False),
    Index(
        "by_kind", "category", "kind_id", "result", "time_ms",
        "solved_bbbv", "clicks", "player_id", "strategy_id", "ended",
    ),
    Index("by_time", "category", "ended", "id", "result", "kind_id", "player_id", "strategy_id"),
    Index("by_player", "player_id", "ended", "id"),
)  # fmt: skip

INDEXES: Final = (
    "by_kind", "by_time", "by_player", "sessions_by_player", "sessions_by_retention", "attempts_by_time",
    "attempts_by_player", "names_by_time", "devices_by_player", "rankings_by_value", "rankings_by_player",
    "rankings_by_game", "held_by_player", "costs_by_player", "costs_waiting",
)  # fmt: skip
"""In the order in which they are made. Where two cost the same by its reckoning, SQLite takes the one that was made last."""

guesses = Table(
    "guesses", METADATA,
    Column("game_id", BIG, ForeignKey("games.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("risk", Float, nullable=False),
    Column("forced", Boolean, nullable=False),
    Column("exploded", Boolean, nullable=False),
)  # fmt: skip

records = Table(
    "records", METADATA,
    Column("game_id", BIG, ForeignKey("games.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("record", LargeBinary, nullable=False),
)  # fmt: skip


def _state() -> list[Column[Any]]:
    """When it was so, and what lists say of it."""
    return [
        Column("saved", BigInteger, nullable=False),
        Column("status", String(10), nullable=False),
        Column("elapsed", BigInteger, nullable=False),
        Column("flags", Integer, nullable=False),
        Column("covered", Integer, nullable=False),
        Column("paused", Boolean, nullable=False),
    ]


sessions = Table(
    "sessions", METADATA,
    Column("key", String(64), primary_key=True),
    Column("player_id", Integer, ForeignKey("players.id")),
    Column("kind_id", Integer, ForeignKey("kinds.id")),
    Column("title", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("retention", String(40), nullable=False),
    Column("inputs", BigInteger, nullable=False),
    *_state(),
    Column("text", Text, nullable=False),
    Index("sessions_by_player", "player_id"),
    Index("sessions_by_retention", "retention", "saved", "key"),
)  # fmt: skip
"""Games to be gone on with, as they were when they were written whole."""

session_log = Table(
    "session_log", METADATA,
    Column("key", String(64), ForeignKey("sessions.key", ondelete="CASCADE"), primary_key=True),
    Column("first", BigInteger, primary_key=True, autoincrement=False),
    Column("count", BigInteger, nullable=False),
    *_state(),
    Column("text", Text, nullable=False),
    sqlite_with_rowid=False,
)  # fmt: skip
"""What was done in them since: a row for the inputs of one game in one transaction, by the number of the first. The last row says how the game stands."""

simulations = Table(
    "simulations", METADATA,
    Column("id", Integer, primary_key=True),
    Column("key", String(64), nullable=False, unique=True),
    Column("kind_id", Integer, ForeignKey("kinds.id")),
    Column("strategy_id", Integer, ForeignKey("strategies.id"), nullable=False),
    Column("games", BigInteger, nullable=False),
    Column("won", BigInteger, nullable=False),
    Column("lost", BigInteger, nullable=False),
    Column("terminated", BigInteger, nullable=False),
    Column("faults", BigInteger, nullable=False),
    Column("moves", BigInteger, nullable=False),
    Column("guesses", BigInteger, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("backend", String(200), nullable=False),
    Column("seed", Seed),
    Column("boards", Text),
    Column("at", BigInteger, nullable=False),
)  # fmt: skip

notes = Table(
    "notes", METADATA,
    Column("name", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)  # fmt: skip
"""What an operator has decided, by name."""
