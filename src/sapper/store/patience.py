"""How long a database may take to answer."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """Seconds that each step of a call may take."""

    connect: float = 10.0
    lock: float = 20.0
    """Waiting for others who write."""
    statement: float = 600.0
    pool: float = 10.0
    """Waiting for a connection of this process."""
    idle: float | None = None
    """For so long a PostgreSQL transaction that writes may wait for its process, which others may be waiting for; None: forever."""
    rest: float = 0.0
    """After a call that was given up, so long all others fail at once: they would only wait as well."""


AT_LEISURE: Final = Patience()
"""For who asks at a terminal: statistics of ten million games take a while."""
SERVING: Final = Patience(connect=3.0, lock=4.0, statement=5.0, pool=3.0, idle=1.0, rest=2.0)
"""For servers, whose players wait."""
