"""The first form of the store: players, kinds of games, games, guesses, records, sessions, simulations.

Knows: the tables as they were then. A revision is never changed once a release has it.
Does not know: the tables as they are now (see `schema`).
"""

import sqlalchemy as sa
from alembic import op

revision = "first"
down_revision = None

_BIG = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Make the tables."""
    _make_names()
    _make_games()
    _make_what_belongs_to_games()
    _make_sessions()
    _make_simulations()


def _make_names() -> None:
    for name in ("players", "strategies"):
        op.create_table(
            name,
            sa.Column("id", sa.Integer, primary_key=True),
            sa.Column("name", sa.String(200), nullable=False, unique=True),
        )
    op.create_table(
        "kinds",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("preset", sa.String(200), nullable=False),
        sa.Column("rules", sa.String(200), nullable=False),
        sa.Column("rules_values", sa.Text, nullable=False),
        sa.Column("start", sa.String(8), nullable=False),
        sa.Column("width", sa.Integer, nullable=False),
        sa.Column("height", sa.Integer, nullable=False),
        sa.Column("mines", sa.Integer, nullable=False),
        sa.Column("no_guess", sa.Boolean, nullable=False),
        sa.UniqueConstraint(
            "preset", "rules", "rules_values", "width", "height", "mines", "no_guess", name="one_of_a_kind"
        ),
    )


def _make_games() -> None:
    op.create_table(
        "games",
        sa.Column("id", _BIG, primary_key=True),
        sa.Column("key", sa.String(64), nullable=False, unique=True),
        sa.Column("category", sa.SmallInteger, nullable=False),
        sa.Column("kind_id", sa.Integer, sa.ForeignKey("kinds.id"), nullable=False),
        sa.Column("player_id", sa.Integer, sa.ForeignKey("players.id")),
        sa.Column("strategy_id", sa.Integer, sa.ForeignKey("strategies.id")),
        sa.Column("face", sa.String(200), nullable=False),
        sa.Column("result", sa.String(10), nullable=False),
        sa.Column("started", sa.BigInteger, nullable=False),
        sa.Column("ended", sa.BigInteger, nullable=False),
        sa.Column("time_ms", sa.BigInteger),
        sa.Column("seed", sa.BigInteger),
        sa.Column("code", sa.Text),
        sa.Column("moves", sa.BigInteger),
        sa.Column("clicks", sa.BigInteger),
        sa.Column("effective_clicks", sa.BigInteger),
        sa.Column("bbbv", sa.BigInteger),
        sa.Column("solved_bbbv", sa.BigInteger),
        sa.Column("hints", sa.BigInteger, nullable=False),
        sa.Column("undos", sa.BigInteger, nullable=False),
        sa.Column("restarted", sa.Boolean, nullable=False),
        sa.Column("overlay", sa.Boolean, nullable=False),
    )
    measured = ["category", "kind_id", "result", "time_ms", "solved_bbbv", "clicks", "player_id", "strategy_id"]
    op.create_index("by_kind", "games", [*measured, "ended"])
    op.create_index("by_time", "games", ["category", "ended", "id", "result", "kind_id", "player_id", "strategy_id"])
    op.create_index("by_player", "games", ["player_id"])


def _make_what_belongs_to_games() -> None:
    def game() -> "sa.Column[int]":
        owner = sa.ForeignKey("games.id", ondelete="CASCADE")
        return sa.Column("game_id", _BIG, owner, primary_key=True, autoincrement=False)

    op.create_table(
        "guesses",
        game(),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("risk", sa.Float, nullable=False),
        sa.Column("forced", sa.Boolean, nullable=False),
        sa.Column("exploded", sa.Boolean, nullable=False),
    )
    op.create_table("records", game(), sa.Column("record", sa.LargeBinary, nullable=False))


def _make_sessions() -> None:
    op.create_table(
        "sessions",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("player_id", sa.Integer, sa.ForeignKey("players.id")),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("saved", sa.BigInteger, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
    )


def _make_simulations() -> None:
    counts = ("games", "won", "lost", "terminated", "faults", "moves", "guesses")
    op.create_table(
        "simulations",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("key", sa.String(64), nullable=False, unique=True),
        sa.Column("kind_id", sa.Integer, sa.ForeignKey("kinds.id")),
        sa.Column("strategy_id", sa.Integer, sa.ForeignKey("strategies.id"), nullable=False),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in counts),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("backend", sa.String(200), nullable=False),
        sa.Column("seed", sa.BigInteger),
        sa.Column("boards", sa.Text),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
