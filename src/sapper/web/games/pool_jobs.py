"""Jobs of games, done by the worker processes."""

import asyncio
from typing import Final

from sapper.errors import RequestError, SapperError
from sapper.play.ports import Job, JobDone
from sapper.server.logging import log_failure
from sapper.server.worker_pool import WorkerPool

JOB_TIME: Final = 10.0
"""Seconds that somebody waits for an answer."""


class PoolJobs:
    """The `Jobs` of all games in one event loop."""

    def __init__(self, pool: WorkerPool) -> None:
        self._pool = pool
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, job: Job, done: JobDone, /) -> None:
        """Have a job done by a worker."""
        task = asyncio.get_running_loop().create_task(self._do(job, done))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _do(self, job: Job, done: JobDone) -> None:
        answer, fault = None, None
        try:
            answer = await self._pool.run(
                job.function, *job.args, timeout=JOB_TIME, whose=job.player, address=job.address
            )
        except RequestError as error:
            fault = error
        except SapperError as error:
            fault = RequestError("failed", str(error))
        try:
            done(answer, fault)
        except Exception:  # noqa: BLE001  # one game's trouble; nobody waits for this task who could be told
            log_failure("a mistake after a job", job=job.function.__name__)

    async def close(self) -> None:
        """Let go of what is being worked out."""
        for task in list(self._tasks):
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
