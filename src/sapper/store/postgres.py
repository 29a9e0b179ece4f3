"""PostgreSQL's connections, none of whose calls lasts forever.

The server's own limits (`statement_timeout`, `lock_timeout`) end what takes too long there. A server that has stopped answering ends
nothing: a call is given up here, and its connection with it, a moment after the server should have.
"""

from collections.abc import Generator
from time import monotonic
from typing import Any, TypeVar

import psycopg

from sapper.store.patience import Patience
from sapper.store.schema import HEAD

Answer = TypeVar("Answer")

PROGRAM = "sapper"
"""How the names of all our connections begin; the form that the program knows follows (`store.upgrade`)."""
GRACE = 1.0
"""Seconds that the server has to end a statement itself before its connection is given up."""


class LimitedConnection(psycopg.Connection[Any]):
    """A connection that is given up when the server has not answered for too long."""

    seconds: float = 60.0
    """For how long a call may wait."""

    def wait(self, gen: Generator[Any, Any, Answer], *args: Any, **values: Any) -> Answer:
        """Wait as psycopg does, and no longer than that."""
        return super().wait(self._limited(gen), *args, **values)

    def _limited(self, gen: Generator[Any, Any, Answer]) -> Generator[Any, Any, Answer]:
        end = monotonic() + self.seconds + GRACE
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                # Nothing is ready: psycopg asks again every tenth of a second.
                if not ready and monotonic() > end:
                    self.pgconn.finish()
                    raise psycopg.OperationalError(f"the server has not answered for {self.seconds:g} seconds")
                wanted = gen.send(ready)
        except StopIteration as stop:
            answer: Answer = stop.value
            return answer


def connect(patience: Patience, *args: Any, **values: Any) -> LimitedConnection:
    """A connection with limits on both sides."""
    limits = f"-c statement_timeout={_ms(patience.statement)} -c lock_timeout={_ms(patience.lock)}"
    values["options"] = f"{values.get('options', '')} {limits}".strip()
    values.setdefault("connect_timeout", max(2, round(patience.connect)))
    values.setdefault("application_name", f"{PROGRAM} {HEAD}")
    connection = LimitedConnection.connect(*args, **values)
    connection.seconds = patience.statement
    return connection


def _ms(seconds: float) -> int:
    return max(1, round(seconds * 1000))
