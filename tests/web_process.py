"""`sapper web` for tests: a real process on a real port, which can be stopped, killed and started again on the same port."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from sapper.config.settings import SETTINGS

PATIENCE = 60.0
"""Seconds until a test gives up: machines may be busy."""


PATIENT = """
import sys
from sapper.cli.main import main
from sapper.server import worker_pool
from sapper.web.games import played_games, registry
from sapper.web.http import endpoints, played

worker_pool.NICENESS = 0
worker_pool.WorkerPool.__init__.__kwdefaults__["job_time"] = 120.0
endpoints.ANALYSIS_TIME = registry.JOB_TIME = played.POSITION_TIME = played_games.PLAYED_TIME = 120.0
sys.exit(main(sys.argv[1:]))
"""
"""`sapper` whose server waits longer for its worker processes than players would: on a machine with more tests than cores, a hint may take
half a minute, and no test is about that."""


def settings_among(options: Iterable[str]) -> tuple[list[str], dict[str, str]]:
    """Options of a server, and its environment: words such as `web.max_cells=81` are settings."""
    words = list(options)
    settings = [word.partition("=") for word in words if not word.startswith("-") and "=" in word]
    variables = {SETTINGS[key].variable: value for key, _, value in settings}
    return [word for word in words if word.startswith("-") or "=" not in word], variables


class WebProcess:
    """A web server whose store is in a folder of its own, unless it is told another `database`; `patient` is for tests of what takes work."""

    def __init__(self, folder: Path, *options: str, database: str | None = None, patient: bool = False) -> None:
        self.folder = folder
        self._program = ("-c", PATIENT) if patient else ("-m", "sapper")
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
                env=os.environ | {"SAPPER_DATABASE": self.database, "PYTHONUNBUFFERED": "1"} | self._settings,
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
def web_process(
    folder: Path, *options: str, database: str | None = None, patient: bool = False
) -> Iterator[WebProcess]:
    """A web server for the length of a block."""
    server = WebProcess(folder, *options, database=database, patient=patient)
    try:
        yield server
    finally:
        server.close()
