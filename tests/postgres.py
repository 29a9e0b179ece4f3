"""A PostgreSQL of the tests' own: a cluster in a folder of its own, reached by a socket, gone afterwards.

PostgreSQL does not run as root; where the tests do, it runs as another user.
"""

import glob
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

HOW = "PostgreSQL is not installed (Debian: apt-get install postgresql), so only SQLite is tested"


def find_binaries() -> Path | None:
    """The folder with initdb and pg_ctl; the newest where there are several."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"), key=lambda name: int(name.split("/")[4]))  # noqa: PTH207
    initdb = shutil.which("initdb")
    if initdb is not None:
        found.append(os.path.realpath(initdb))
    folders = [Path(name).parent for name in found if (Path(name).parent / "pg_ctl").exists()]
    return folders[-1] if folders else None


def needed_binaries() -> Path:
    """The same; where there is none the test is skipped, but never in CI."""
    binaries = find_binaries()
    if binaries is None:
        import pytest  # bench/store.py starts a cluster too, and is no test

        if os.environ.get("CI"):
            pytest.fail(HOW)
        pytest.skip(HOW)
    return binaries


def _owner() -> dict[str, int | list[int]]:
    """Who runs it, for `subprocess`."""
    if os.geteuid() != 0:
        return {}
    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    entry = names.get("postgres") or names["nobody"]
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


# It waits for a line, or for the end of its input, which comes when nobody is there any more to write one.
_CLEANER = """
read -r _
"$1" -D "$2/data" -m immediate -w stop
rm -rf -- "$2"
"""


class Cluster:
    """A cluster in a folder; it can be stopped and started again."""

    def __init__(
        self, binaries: Path, folder: Path, *, durable: bool, options: str = "", standby_of: Path | None = None
    ) -> None:
        """Make it; it does not run yet. `standby_of`: the folder of a running one that it follows until it is promoted."""
        self.address = f"postgresql://sapper@/{{name}}?host={folder}"
        """Of its databases, but for the name."""
        self._binaries = binaries
        self._folder = folder
        self._owner = _owner()
        self._options = f"-c listen_addresses='' -c unix_socket_directories='{folder}' -c fsync={'on' if durable else 'off'} -c max_connections=40 {options}"
        if self._owner:
            os.chown(folder, self._owner["user"], self._owner["group"])  # type: ignore[arg-type]
        if standby_of is None:
            self._run("initdb", "-U", "sapper", "-A", "trust", "--no-sync", "-E", "UTF8")
        else:
            self._run("pg_basebackup", "-h", str(standby_of), "-U", "sapper", "-R", "-c", "fast", "-X", "stream")

    def start(self) -> None:
        """Let it run."""
        self._run("pg_ctl", "-w", "-l", str(self._folder / "log"), "-o", self._options, "start")

    def stop(self) -> None:
        """End it as a crash does: connections break."""
        self._run("pg_ctl", "-w", "-m", "immediate", "stop")

    def kill(self) -> None:
        """End it as a power cut does."""
        main = self.process
        for process in (main, *_children(main)):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    def promote(self) -> None:
        """A standby takes the place of what it followed."""
        self._run("pg_ctl", "-w", "promote")

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """For the length of a block none of its processes runs: nobody gets an answer, and no connection breaks."""
        stopped: list[int] = []
        try:
            # The first starts the others: from then on there are no new ones.
            for process in (main := self.process, *_children(main)):
                os.kill(process, signal.SIGSTOP)
                stopped.append(process)
            yield
        finally:
            for process in reversed(stopped):
                os.kill(process, signal.SIGCONT)

    @property
    def process(self) -> int:
        """The one that starts the others."""
        return int((self._folder / "data" / "postmaster.pid").read_text(encoding="ascii").split()[0])

    @contextmanager
    def gone_afterwards(self) -> Iterator[None]:
        """When the block ends, or this process is killed within it, the cluster ends and its folder goes."""
        command = ["sh", "-c", _CLEANER, "sh", str(self._binaries / "pg_ctl"), str(self._folder)]
        # Ctrl-C at a terminal is for the tests alone.
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/",
            start_new_session=True, **self._owner,  # type: ignore[call-overload]
        ) as cleaner:  # fmt: skip
            yield
            cleaner.communicate(b"\n")

    def _run(self, program: str, *words: str) -> None:
        command = [str(self._binaries / program), "-D", str(self._folder / "data"), *words]
        subprocess.run(command, check=True, capture_output=True, cwd=self._folder, timeout=300, **self._owner)  # type: ignore[call-overload]


def _children(process: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split()]


@contextmanager
def running(binaries: Path, *, parent: Path | None = None, durable: bool = False) -> Iterator[Cluster]:
    """A running cluster; it is gone afterwards, running or not.

    Durable, in a folder of `parent`, for whoever wants to know what it costs; else as quick as can be.
    """
    # Not under pytest's folder: a socket's path has at most some hundred characters.
    # In memory where there is room: each database is a thousand files, of 8 MB together.
    has_room = os.access("/dev/shm", os.W_OK) and shutil.disk_usage("/dev/shm").free > 1 << 30
    memory = "/dev/shm" if has_room else None
    folder = Path(tempfile.mkdtemp(prefix="sapper-pg-", dir=parent or memory))
    try:
        made = Cluster(binaries, folder, durable=durable)
        with made.gone_afterwards():
            made.start()
            yield made
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def cluster(binaries: Path, *, parent: Path | None = None, durable: bool = False) -> Iterator[str]:
    """`running`, for who needs no more than the address of its databases, but for the name."""
    with running(binaries, parent=parent, durable=durable) as made:
        yield made.address
