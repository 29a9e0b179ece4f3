"""A PostgreSQL with a standby that has every commit before it is answered, for rigs of a failover."""

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.postgres import Cluster


@dataclass(frozen=True, slots=True, kw_only=True)
class Replicated:
    """The primary, and the standby beside it."""

    primary: Cluster
    standby: Cluster
    address: str
    """Of whichever of the two takes writes."""

    def fail_over(self) -> None:
        """The primary dies as in a power cut, and the standby takes its place."""
        self.primary.kill()
        self.standby.promote()


@contextlib.contextmanager
def replicated(binaries: Path) -> Iterator[Replicated]:
    """Both of them, running; gone afterwards."""
    parent = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with contextlib.ExitStack() as stack:
        folders = [Path(tempfile.mkdtemp(prefix="sapper-pg-", dir=parent)) for _ in range(2)]
        for folder in folders:
            stack.callback(shutil.rmtree, folder, ignore_errors=True)
        options = "-c wal_level=replica -c max_wal_senders=4 -c hot_standby=on"
        primary = Cluster(binaries, folders[0], durable=False, options=options)
        stack.enter_context(primary.gone_afterwards())
        primary.start()
        standby = Cluster(binaries, folders[1], durable=False, options=options, standby_of=folders[0])
        stack.enter_context(standby.gone_afterwards())
        standby.start()
        # From now on no commit is answered before the standby has it.
        words = ["psql", "-h", str(folders[0]), "-U", "sapper", "-d", "postgres"]
        words += ["-c", "ALTER SYSTEM SET synchronous_standby_names = '*'", "-c", "SELECT pg_reload_conf()"]
        subprocess.run([str(binaries / words[0]), *words[1:]], check=True, capture_output=True, timeout=60)
        hosts = ",".join(map(str, folders))
        yield Replicated(
            primary=primary,
            standby=standby,
            address=f"postgresql://sapper@/postgres?host={hosts}&target_session_attrs=read-write",
        )
