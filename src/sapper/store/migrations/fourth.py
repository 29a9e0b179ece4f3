"""How far the database has got with the journals of processes that write to it, and notes of an operator's decisions.

Knows: the tables that it adds. A revision is never changed once a release has it.
Does not know: the tables as they are now (see `schema`); what a journal is.
"""

import sqlalchemy as sa
from alembic import op

revision = "fourth"
down_revision = "third"


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "journals",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("applied", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "notes",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
