"""Brings the site of compose.yaml up from plain processes: HAProxy, web processes, PostgreSQL. Tests and rigs start it too.

    .venv/bin/python deploy/site.py                     # http://127.0.0.1:8090/ until Ctrl-C or SIGTERM; what is played is gone then
    .venv/bin/python deploy/site.py --web 2 --port 80 --database postgresql://sapper@localhost/sapper

Without --database it makes a PostgreSQL of its own in a temporary folder, as tests do. HAProxy has deploy/haproxy.cfg, with this
machine's ports and as many web processes as there are.
"""

import argparse
import contextlib
import errno
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
from typing import Final, NoReturn

ROOT: Final = Path(__file__).resolve().parents[1]
PATIENCE: Final = 60.0
"""Seconds until something counts as not starting, or not ending."""
PORT: Final = 8090
"""The usual one; 8080 is that of `sapper web`."""
HOW: Final = "HAProxy is not installed (Debian: apt-get install haproxy)"


def find_haproxy() -> str | None:
    """The program; None where there is none."""
    return shutil.which("haproxy", path=f"{os.environ['PATH']}{os.pathsep}/usr/sbin")


_HELD: Final[list[socket.socket]] = []
"""Until this process ends."""


def free_port() -> int:
    """A port of this machine that nobody has, and that nobody else gets: it stays bound, though not listened on."""
    one = socket.socket()
    one.setsockopt(
        socket.SOL_SOCKET, socket.SO_REUSEADDR, 1
    )  # as the server's socket, which may then have it all the same
    one.bind(("127.0.0.1", 0))
    _HELD.append(one)
    port: int = one.getsockname()[1]
    return port


def answers(port: int) -> bool:
    """True if somebody listens there."""
    with socket.socket() as one:
        one.settimeout(1.0)
        return one.connect_ex(("127.0.0.1", port)) == 0


def check_port(port: int) -> None:
    """`RuntimeError` if HAProxy could not listen there: it would share the port with another HAProxy, and players with another site."""
    with socket.socket() as one:
        one.setsockopt(
            socket.SOL_SOCKET, socket.SO_REUSEADDR, 1
        )  # what a site that has ended left behind does not matter
        try:
            one.bind(("127.0.0.1", port))
        except OSError as error:
            why = "is in use" if error.errno == errno.EADDRINUSE else f"cannot be used ({error.strerror})"
            raise RuntimeError(f"port {port} {why}: choose another with --port") from None


def last_line(log: Path) -> str:
    """What a program that ended said last."""
    lines = [line for line in log.read_text(encoding="utf-8").splitlines() if line.strip()]
    return lines[-1] if lines else "it said nothing"


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
            raise RuntimeError(f"web{self.number} did not start: {last_line(self.log)}")

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
        """In order; its exit code. One that does not end is killed, and is an error."""
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self._reap(PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()
            raise

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
                subprocess.Popen([program, "-db", "-dR", "-f", str(configuration)], stdout=log, stderr=log) as proxy,
            ):
                self.proxy = proxy.pid
                try:
                    until = time.monotonic() + PATIENCE
                    while not answers(self.port):
                        if proxy.poll() is not None or time.monotonic() > until:
                            raise RuntimeError(f"HAProxy did not start: {last_line(self.proxy_log)}")
                        time.sleep(0.05)
                    yield self
                finally:
                    proxy.terminate()
                    proxy.wait(PATIENCE)
        finally:
            with contextlib.ExitStack() as ending:  # each of them, though another does not end
                for web in self.webs:
                    if web.is_running:
                        web.signal(signal.SIGCONT)
                        ending.callback(web.end)


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


def _number(least: int, most: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not (text.isascii() and text.isdecimal() and least <= int(text) <= most):
            raise argparse.ArgumentTypeError(f"a number from {least} to {most}, not {text!r}")
        return int(text)

    return number


def _end(*_: object) -> NoReturn:
    """A signal ends the site wherever it is, its start too; a second one must not end it before all is ended."""
    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, signal.SIG_IGN)
    raise KeyboardInterrupt


def _serve(database: str | None, count: int, port: int) -> None:
    """Until a signal, or the end of HAProxy, which is an error."""
    if port:
        check_port(port)
    with contextlib.ExitStack() as stack:
        database = database or stack.enter_context(own_database())
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sapper-site-")))
        site = stack.enter_context(Site(folder, database, count=count, port=port).running())
        print(f"http://127.0.0.1:{site.port}/, web processes: {count}, logs in {folder}", flush=True)
        os.waitid(os.P_PID, site.proxy, os.WEXITED | os.WNOWAIT)
        raise RuntimeError(f"HAProxy ended: {last_line(site.proxy_log)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--web", type=_number(1, 64), default=3, metavar="N", help="web processes (default: 3)")
    parser.add_argument("--port", type=_number(0, 65535), default=PORT, help=f"default: {PORT}; 0: any that is free")
    parser.add_argument("--database", help="the address of a PostgreSQL")
    asked = parser.parse_args()
    if find_haproxy() is None:
        raise SystemExit(HOW)
    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, _end)
    try:
        _serve(asked.database, asked.web, asked.port)
    except RuntimeError as error:
        raise SystemExit(f"site: {error}") from None
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
