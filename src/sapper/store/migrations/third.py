"""Saved games lie on shelves, each with games that are kept for equally long: old ones are found without reading the others. And
lists of them need not read what was saved.

Knows: the columns and the index that it adds. A revision is never changed once a release has it.
Does not know: the tables as they are now (see `schema`); what shelves there are.
"""

import sqlalchemy as sa
from alembic import op

revision = "third"
down_revision = "second"


def upgrade() -> None:
    """Add them; what was saved before lies on no shelf and has no summary until it is saved again."""
    op.add_column("sessions", sa.Column("shelf", sa.String(40), nullable=False, server_default=""))
    op.add_column("sessions", sa.Column("summary", sa.Text, nullable=False, server_default=""))
    op.create_index("sessions_by_shelf", "sessions", ["shelf", "saved", "key"])
