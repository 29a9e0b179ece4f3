"""What the processes that share a PostgreSQL tell each other: which games have gone on, which players are gone.

Who hears nothing finds out when the database refuses what they append, or when somebody comes to a game; until then a board on a screen may be
old. So what the database does not take is said again (`GameRegistry.say`), and who may have missed something looks at everything.
"""

import contextlib
import secrets
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from sapper.errors import StoreError
from sapper.store.appending import CHANNEL

if TYPE_CHECKING:
    import psycopg

BEAT: Final = 1.0
"""Seconds between two looks at whether the connection still is one."""
AGAIN: Final = 2.0
"""Seconds until it is tried to have a new one."""
ANSWER_TIME: Final = 5.0


def draw_name() -> str:
    """A name for a process, so that none hears itself."""
    return secrets.token_hex(6)


class NewsReader:
    """Listens, on a thread and a connection of its own, until it is closed."""

    def __init__(
        self, engine: Engine, own_name: str, *, on_news: Callable[[Sequence[str]], None], on_gap: Callable[[], None]
    ) -> None:
        """Both are called on the thread. `on_news` hears the words of what others say; `on_gap` that something may have been missed."""
        self._engine = engine
        self._own_name = own_name
        self._on_news = on_news
        self._on_gap = on_gap
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="sapper-news", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._closing.set()
        self._thread.join(2 * BEAT)

    def _run(self) -> None:
        import psycopg  # noqa: PLC0415  # only where there is a PostgreSQL

        while not self._closing.is_set():
            with contextlib.suppress(psycopg.Error, SQLAlchemyError, StoreError):
                pooled = self._engine.raw_connection()
                connection: psycopg.Connection[Any] = pooled.driver_connection  # type: ignore[assignment]  # what the engine makes
                pooled.detach()
                with contextlib.closing(connection):
                    self._listen(connection)
            self._closing.wait(AGAIN)

    def _listen(self, connection: "psycopg.Connection[Any]") -> None:
        connection.autocommit = True
        connection.execute(f"LISTEN {CHANNEL}")
        self._on_gap()
        while not self._closing.is_set():
            connection.seconds = float("inf")  # type: ignore[attr-defined]  # a `LimitedConnection`, which may wait here
            for said in connection.notifies(timeout=BEAT):
                name, *words = said.payload.split(" ")
                if name != self._own_name:
                    self._on_news(words)
            connection.seconds = ANSWER_TIME  # type: ignore[attr-defined]
            connection.execute("SELECT 1")
