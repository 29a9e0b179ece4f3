"""Brings the site of compose.yaml up from plain processes: HAProxy, web processes, PostgreSQL. Tests and rigs start it too.

    .venv/bin/python deploy/site.py                     # http://127.0.0.1:8080/ until Ctrl-C; what is played is gone then
    .venv/bin/python deploy/site.py --web 2 --port 80 --database postgresql://sapper@localhost/sapper

Without --database it makes a PostgreSQL of its own in a temporary folder, as tests do. HAProxy has deploy/haproxy.cfg, with this
machine's ports and as many web processes as there are.
"""

import argparse
import contextlib
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
PATIENCE: Final = 60.0
"""Seconds until something counts as not starting, or not ending."""
HOW: Final = "HAProxy is not installed (Debian: apt-get install haproxy)"


def find_haproxy() -> str | None:
    """The program; None where there is none."""
    return shutil.which("haproxy", path=f"{os.environ['PATH']}{os.pathsep}/usr/sbin")


def free_port() -> int:
    """A port of this machine that nobody has."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def answers(port: int) -> bool:
    """True if somebody listens there."""
    with socket.socket() as one:
        one.settimeout(1.0)
        return one.connect_ex(("127.0.0.1", port)) == 0


def proxy_configuration(ports: Sequence[int], *, port: int, game: int | None = None, game_port: int = 0) -> str:
    """deploy/haproxy.cfg for web processes at these ports of this machine; without a game server where there is none."""
    text = (ROOT / "deploy" / "haproxy.cfg").read_text(encoding="utf-8")
    if game is None:
        text = text.partition("defaults plain")[0]
    servers = "".join(f"    server web{number} 127.0.0.1:{one}\n" for number, one in enumerate(ports, 1))
    text, count = re.subn(r"(?m)(?:^    server web\d web\d:8080\n)+", servers, text)
    assert count == 2
    for written, here in (
        ("bind :8080", f"bind 127.0.0.1:{port}"),
        ("bind :9999", f"bind 127.0.0.1:{game_port}"),
        ("game:9999", f"127.0.0.1:{game}"),
    ):
        text = text.replace(written, here)
    return text


class Web:
    """A web process on a machine of its own, as far as files go: a home of its own, and nothing but the database in common."""

    def __init__(self, number: int, folder: Path, database: str, settings: Mapping[str, str]) -> None:
        self.number = number
        self.database = database
        self.port = free_port()
        self.log = folder / f"web{number}.log"
        self._home = folder / f"web{number}"
        self._home.mkdir()
        self._settings = settings
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start it, on the same port each time; returns when it serves."""
        homes = {f"XDG_{name}_HOME": str(self._home / name.lower()) for name in ("DATA", "STATE", "CACHE", "CONFIG")}
        values = {"SAPPER_DATABASE": self.database, "SAPPER_CONFIG": os.devnull, "SAPPER_WEB_PROXIES": "127.0.0.1"}
        with self.log.open("a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "sapper", "web", "--host", "127.0.0.1", "--port", str(self.port)],
                stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True,
                env=os.environ | {"HOME": str(self._home)} | homes | values | dict(self._settings),
            )  # fmt: skip
        assert self.process.stdout is not None
        if not self.process.stdout.readline():
            raise RuntimeError(f"web{self.number} did not start: {self.log.read_text(encoding='utf-8')[-2000:]}")

    def signal(self, number: int) -> None:
        """To the process and its workers."""
        assert self.process is not None
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)

    def kill(self) -> None:
        """As a power cut ends it."""
        self.signal(signal.SIGKILL)
        self._reap(PATIENCE)

    def end(self) -> int:
        """In order; its exit code."""
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self._reap(PATIENCE)

    def _reap(self, within: float) -> int:
        assert self.process is not None
        code = self.process.wait(within)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code

    @property
    def is_running(self) -> bool:
        """True from its start to its end."""
        return self.process is not None and self.process.poll() is None


class Site:
    """All processes of a site, behind one port."""

    def __init__(
        self,
        folder: Path,
        database: str,
        *,
        count: int = 3,
        port: int = 0,
        settings: Mapping[str, str] | None = None,
        database_of: Callable[[int], str] | None = None,
        front_of: Callable[[Web], int] = lambda web: web.port,
    ) -> None:
        """`settings`: variables of the web processes. `database_of` a web process by its number from 1 on, and `front_of`: where the proxy finds it, are for who puts something between."""
        variables = {"SAPPER_WEB_SECRET": os.environ.get("SAPPER_WEB_SECRET") or secrets.token_hex(32)}
        variables |= settings or {}
        self.folder = folder
        self.database = database
        self.port = port or free_port()
        self.webs = [
            Web(number, folder, database if database_of is None else database_of(number), variables)
            for number in range(1, count + 1)
        ]
        self.proxy = 0
        """HAProxy's process."""
        self.proxy_log = folder / "haproxy.log"
        self._front_of = front_of

    @contextlib.contextmanager
    def running(self) -> Iterator["Site"]:
        """All of it for the length of a block."""
        program = find_haproxy()
        if program is None:
            raise RuntimeError(HOW)
        configuration = self.folder / "haproxy.cfg"
        fronts = [self._front_of(web) for web in self.webs]
        configuration.write_text(proxy_configuration(fronts, port=self.port), encoding="utf-8")
        try:
            for web in self.webs:
                web.start()
            with (
                self.proxy_log.open("w", encoding="utf-8") as log,
                subprocess.Popen([program, "-db", "-f", str(configuration)], stdout=log, stderr=log) as proxy,
            ):
                self.proxy = proxy.pid
                try:
                    until = time.monotonic() + PATIENCE
                    while not answers(self.port):
                        if proxy.poll() is not None or time.monotonic() > until:
                            raise RuntimeError(
                                f"HAProxy did not start: {self.proxy_log.read_text(encoding='utf-8')[-2000:]}"
                            )
                        time.sleep(0.05)
                    yield self
                finally:
                    proxy.terminate()
                    proxy.wait(PATIENCE)
        finally:
            for web in self.webs:
                if web.is_running:
                    web.signal(signal.SIGCONT)
                    web.end()


@contextlib.contextmanager
def own_database() -> Iterator[str]:
    """A PostgreSQL for the length of a block."""
    sys.path.insert(0, str(ROOT))
    from tests.postgres import find_binaries, running  # only where none is named

    binaries = find_binaries()
    if binaries is None:
        raise SystemExit("PostgreSQL is not installed (Debian: apt-get install postgresql)")
    with running(binaries) as cluster:
        yield cluster.address.format(name="postgres")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--web", type=int, default=3, help="web processes")
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--database", help="the address of a PostgreSQL")
    asked = parser.parse_args()
    if find_haproxy() is None:
        raise SystemExit(HOW)
    with contextlib.ExitStack() as stack:
        database = asked.database or stack.enter_context(own_database())
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sapper-site-")))
        site = stack.enter_context(Site(folder, database, count=asked.web, port=asked.port).running())
        print(f"http://127.0.0.1:{site.port}/, {asked.web} web processes, logs in {folder}", flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            signal.sigwait((signal.SIGINT, signal.SIGTERM))


if __name__ == "__main__":
    main()
