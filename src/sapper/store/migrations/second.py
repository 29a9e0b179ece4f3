"""Saved games are found by their player: one who comes back must not have those of everybody else read first.

Knows: the index that it adds. A revision is never changed once a release has it.
Does not know: the tables as they are now (see `schema`).
"""

from alembic import op

revision = "second"
down_revision = "first"


def upgrade() -> None:
    """Add the index."""
    op.create_index("sessions_by_player", "sessions", ["player_id"])
