"""A cluster on this machine, whatever lies in the folder where it is started."""

import os
import signal
from pathlib import Path

import pytest
from distributed import Client

from sapper.cluster.local import local_cluster


def test_workers_run_no_code_of_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the first ones nor one that replaces a dead one."""
    for name in ("sapper", "types"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(3)\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONSAFEPATH", "")  # no text is as none; Dask leaves it set, and other tests must not have it
    with local_cluster(1, 0) as address, Client(address) as client:  # type: ignore[no-untyped-call]
        first = client.submit(os.getpid, pure=False).result(timeout=60)
        os.kill(first, signal.SIGKILL)
        assert client.submit(os.getpid, pure=False).result(timeout=60) != first
