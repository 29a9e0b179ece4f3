"""The first form of the store that can be upgraded. No store is made by it: a new one gets the tables of the newest form (`schema`).

A later form is a file beside this one: it names this one as `down_revision`, and changes tables in `upgrade`. A revision is never changed
once a release has it.
"""

revision = "two"
down_revision = None
