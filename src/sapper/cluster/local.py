"""A cluster on this machine, to try one: a scheduler and worker processes, on the loopback."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import dask.config
from distributed import LocalCluster

from sapper.errors import UnavailableError
from sapper.server.child_python import SAFE_PATH, without_current_folder

LOOPBACK = "127.0.0.1"


@contextmanager
def local_cluster(workers: int, port: int) -> Iterator[str]:
    """A cluster of so many processes, one game at a time each, while the block runs: its address. Port 0 is any free one.

    A worker that dies is replaced. `UnavailableError` if the port is taken.
    """
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        # Dask starts a worker in place of one that died later, by the variables that it is told here.
        with without_current_folder(), dask.config.set({f"distributed.nanny.pre-spawn-environ.{SAFE_PATH}": "1"}):
            cluster = LocalCluster(  # type: ignore[no-untyped-call]
                host=LOOPBACK,
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                scheduler_port=port,
                dashboard_address=None,
                # Its HTTP server would take port 8787, and warn where another cluster has that.
                scheduler_kwargs={"dashboard_address": f"{LOOPBACK}:0"},
                silence_logs=logging.CRITICAL,
            )
    except (OSError, RuntimeError) as error:
        raise UnavailableError(f"no cluster at {LOOPBACK}:{port}: {' '.join(str(error).split())}") from None
    try:
        yield str(cluster.scheduler_address)
    finally:
        cluster.close(timeout=10)
