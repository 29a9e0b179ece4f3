"""A PostgreSQL of the tests' own: a cluster in a folder of its own, reached by a socket, gone afterwards.

PostgreSQL does not run as root; where the tests do, it runs as another user.
"""

import glob
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
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


def _owner() -> dict[str, int | list[int]]:
    """Who runs it, for `subprocess`."""
    if os.geteuid() != 0:
        return {}
    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    entry = names.get("postgres") or names["nobody"]
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


@contextmanager
def cluster(binaries: Path, *, parent: Path | None = None, durable: bool = False) -> Iterator[str]:
    """A running cluster: the address of its databases, but for the name.

    Durable, in a folder of `parent`, for whoever wants to know what it costs; else as quick as can be.
    """
    # Not under pytest's folder: a socket's path has at most some hundred characters.
    # In memory where that can be: each database is a thousand files.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    folder = Path(tempfile.mkdtemp(prefix="sapper-pg-", dir=parent or memory))
    owner = _owner()
    if owner:
        os.chown(folder, owner["user"], owner["group"])  # type: ignore[arg-type]
    data = folder / "data"

    def run(*words: str) -> None:
        subprocess.run(words, check=True, capture_output=True, cwd=folder, timeout=60, **owner)  # type: ignore[call-overload]

    try:
        run(str(binaries / "initdb"), "-D", str(data), "-U", "sapper", "-A", "trust", "--no-sync", "-E", "UTF8")
        options = f"-c listen_addresses='' -c unix_socket_directories='{folder}' -c fsync={'on' if durable else 'off'} -c max_connections=40"
        run(str(binaries / "pg_ctl"), "-D", str(data), "-w", "-l", str(folder / "log"), "-o", options, "start")
        try:
            yield f"postgresql://sapper@/{{name}}?host={folder}"
        finally:
            run(str(binaries / "pg_ctl"), "-D", str(data), "-w", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
