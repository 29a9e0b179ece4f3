"""`sapper simulate cluster`: a Dask cluster on this machine, for `sapper simulate --cluster`."""

import os
import threading

import click

from sapper.cli.exits import ExitCode
from sapper.cli.interrupt import OnSignals
from sapper.cli.options import MOST_WORKERS


@click.command("cluster", epilog="Example: sapper simulate cluster --workers 4 --port 8786")
@click.option(
    "--workers",
    type=click.IntRange(1, MOST_WORKERS),
    help="Worker processes, each with one game at a time. [default: one a core]",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8786,
    show_default=True,
    help="Port of the scheduler; 0 is any free one.",
)
def cluster(workers: int | None, port: int) -> ExitCode:
    """Run a Dask cluster on this machine until Ctrl-C, to try what `simulate --cluster` does (extra cluster).

    Only this machine can reach them. On several machines start Dask's own: dask scheduler there, and dask worker
    tcp://HOST:8786 on each, where the same sapper is installed. Dask runs whatever code it is sent: keep it inside a network you trust.
    """
    from sapper.cluster.team import local_cluster

    ended = threading.Event()
    with OnSignals(lambda *_: ended.set(), "SIGINT", "SIGTERM"):
        count = workers or os.cpu_count() or 1
        with local_cluster(count, port) as address:
            click.echo(f"{address}: {count} worker{'' if count == 1 else 's'}; Ctrl-C ends them. Elsewhere:")
            click.echo(f"  sapper simulate --preset expert --games 100000 --seed 1 --cluster {address}")
            while not ended.wait(1.0):  # a wait without an end would not hear the signal on every system
                pass
    return ExitCode.DONE
