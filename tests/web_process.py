"""`sapper web` for tests: a real process on a real port, which can be stopped, killed and started again on the same port."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sapper.config.settings import SETTINGS

PATIENCE = 60.0
"""Seconds until a test gives up: machines may be busy."""


PROGRAM = """
import sys
from sapper.cli.main import main
from sapper.server import worker_pool
from sapper.store.daily import SECRET
from sapper.web import serving
from sapper.web.games import played_games, pool_jobs, registry
from sapper.web.games.social import daily
from sapper.web.http import endpoints, played

async def nothing(*_): pass

serving._warm = daily.DailyGames.run = nothing
worker_pool.NICENESS = 0
worker_pool.WorkerPool.__init__.__kwdefaults__["job_time"] = 120.0
for place, name in ((endpoints, "ANALYSIS_TIME"), (pool_jobs, "JOB_TIME"), (played, "POSITION_TIME"), (played_games, "PLAYED_TIME")):
    getattr(place, name)
    setattr(place, name, 120.0)
registry.SETTLE_TIME *= 5  # no longer: some tests ask while the database is gone
registry.GameRegistry.__init__.__kwdefaults__["draw_seed"] = lambda: 7
daily.daily_secret = lambda store: store.first_note(SECRET, "5a" * 32)
sys.exit(main(sys.argv[1:]))
"""
"""`sapper` whose games have the same board each time, whatever a test asks for, and each day's games too. It starts worker processes when they are needed, which takes
0.8 s of processor less, and waits longer for them than players would: on a machine with more tests than cores, a hint may take half a minute."""


def settings_among(options: Iterable[str]) -> tuple[list[str], dict[str, str]]:
    """Options of a server, and its environment: words such as `web.max_cells=81` are settings."""
    words = list(options)
    settings = [word.partition("=") for word in words if not word.startswith("-") and "=" in word]
    variables = {SETTINGS[key].variable: value for key, _, value in settings}
    return [word for word in words if word.startswith("-") or "=" not in word], variables


class WebProcess:
    """A web server whose store is in a folder of its own, unless it is told another `database`.

    By its clock it starts at noon: no test sees two days. `real`: with the boards and limits that players have, for what measures or attacks it.
    """

    def __init__(self, folder: Path, *options: str, database: str | None = None, real: bool = False) -> None:
        self.folder = folder
        self._program = ("-m", "sapper") if real else ("-c", PROGRAM)
        now = datetime.now(UTC)
        self._ahead = now.replace(hour=12, minute=0, second=0, microsecond=0) - now
        (folder / "clock").write_text(str(self._ahead / timedelta(seconds=1)), encoding="ascii")
        self.database = database or f"sqlite:///{folder / 'web.db'}"
        """The address of its store."""
        self.options, self._settings = settings_among(options)
        self.port = 0
        self.process: subprocess.Popen[str] | None = None
        self._held: socket.socket | None = None
        """The port, while no server has it."""
        self.start()

    @property
    def url(self) -> str:
        """Where the menu is."""
        return f"http://127.0.0.1:{self.port}/"

    def start(self) -> None:
        """Start it; on the same port as before, if it ran before."""
        with (self.folder / "log").open("a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [sys.executable, *self._program, "web", "--port", str(self.port), *self.options],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=os.environ
                | {
                    "SAPPER_DATABASE": self.database,
                    "PYTHONUNBUFFERED": "1",
                    "SAPPER_TEST_CLOCK": str(self.folder / "clock"),
                }
                | self._settings,
            )
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if (ready := re.search(r"http://127\.0\.0\.1:(\d+)", line)) is not None:
                self.port = int(ready[1])
                self._let_go()
                return
        self.stop()
        raise AssertionError(f"the server did not start:\n{self.log}")

    @property
    def now(self) -> datetime:
        """The time by its clock."""
        return datetime.now(UTC) + self._ahead

    @property
    def log(self) -> str:
        """What it has written so far."""
        return (self.folder / "log").read_text(encoding="utf-8")

    def stop(self, number: int = signal.SIGTERM) -> int:
        """End it; its exit code."""
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(number)
        code = self.process.wait(PATIENCE)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self._hold()
        return code

    def _hold(self) -> None:
        """Keep others from the port: it is bound, not listened on, and so the next server can have it all the same."""
        if self._held is None and self.port:
            self._held = socket.socket()
            self._held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with contextlib.suppress(OSError):  # somebody was quicker, or this is a system where that cannot be
                self._held.bind(("127.0.0.1", self.port))

    def _let_go(self) -> None:
        if self._held is not None:
            self._held.close()
            self._held = None

    def close(self) -> None:
        """End it for good."""
        try:
            self.stop()
        finally:
            self._let_go()

    def kill(self) -> None:
        """End it as a power cut does."""
        self.stop(signal.SIGKILL)


@contextlib.contextmanager
def web_process(folder: Path, *options: str, database: str | None = None, real: bool = False) -> Iterator[WebProcess]:
    """A web server for the length of a block."""
    server = WebProcess(folder, *options, database=database, real=real)
    try:
        yield server
    finally:
        server.close()
