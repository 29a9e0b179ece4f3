"""Worker processes: what takes thought is done by them, so that nobody's move waits for it.

Each worker is one process (`worker_process`), and one thread that waits for it. A process that dies or does not end its job in
time is replaced; whoever asked is told, and nobody else notices. Jobs that a player waits for go first.

Knows: a queue with an end, limits of time.
Does not know: what the jobs are; whose turn it is (see `fair_queue`); how a process is started and ended.
"""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

from sapper.errors import RequestError, SapperError
from sapper.server.fair_queue import FairQueue
from sapper.server.logging import log, log_failure
from sapper.server.worker_process import LostError, WorkerProcess

Answer = TypeVar("Answer")

JOB_TIME: Final = 15.0
"""Seconds after which a job is stopped with its process: it was to be capped, and was not."""
LEAST_TIME: Final = 2.0
"""Seconds that a job may take, however little of its caller's time is left. A job that is stopped costs a new process, 0.1 to 0.4 s on a machine that
is idle and several times that on one that is busy: a crowd of jobs that waited for long is not to be a process started for each."""
NICENESS: Final = 5
"""How much worker processes are niced: moves come first."""
MOST_WAITING: Final = 64
"""Jobs that wait before more are refused."""
MOST_OF_ONE: Final = 8
"""Jobs that wait for one player before more of that player are refused."""


class _Job:
    """A job that waits."""

    __slots__ = ("args", "deadline", "function", "future")

    def __init__(
        self, function: Callable[..., Any], args: tuple[Any, ...], future: "asyncio.Future[Any]", deadline: float
    ) -> None:
        self.function = function
        self.args = args
        self.future = future
        self.deadline = deadline
        """When nobody waits for it any more, in the loop's time."""


def _too_much() -> RequestError:
    return RequestError("busy", "there is too much to think about now: ask again soon")


class WorkerPool:
    """Some worker processes, started when there is something to do. Belongs to one event loop."""

    def __init__(self, workers: int = 1, *, most_waiting: int = MOST_WAITING, job_time: float = JOB_TIME) -> None:
        self._workers = [WorkerProcess(niceness=NICENESS) for _ in range(workers)]
        self._most_waiting = most_waiting
        self._job_time = job_time
        self._urgent = FairQueue[_Job]()
        self._leisurely = FairQueue[_Job]()
        self._ready = asyncio.Condition()
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="sapper-worker")
        self._tasks: list[asyncio.Task[None]] = []
        self._closed = False

    @property
    def waiting(self) -> int:
        """How many jobs wait."""
        return len(self._urgent) + len(self._leisurely)

    @property
    def processes(self) -> list[int]:
        """The numbers of the processes that there are."""
        return [worker.pid for worker in self._workers if worker.pid is not None]

    async def run(
        self,
        function: Callable[..., Answer],
        *args: Any,
        timeout: float = 10.0,  # noqa: ASYNC109  # the wait in the queue counts
        urgent: bool = True,
        whose: str = "",
        address: str = "",
    ) -> Answer:
        """What a function of a module returns, called in a worker process.

        Addresses take turns, and within an address its players: the first job of one comes before the second of another. `whose`
        says the player, if it is for one, and `address` where that is. If too many jobs wait, the last of the address that has most
        gives way, unless that is this one.

        `RequestError`: `busy` if too many jobs wait, or this one gave way, `failed` if this one took longer than `timeout` seconds, its wait
        included, or its process died. The work itself is stopped then, too, though not before it had `LEAST_TIME`: nobody waits for it any more. A `SapperError` of the function's own is raised here.
        """
        if whose and self._urgent.of_player(whose, address) >= MOST_OF_ONE:
            raise RequestError("busy", "there is too much of yours to think about: wait for some of it")
        if self._closed or not self._has_room(address, urgent=urgent):
            raise _too_much()
        loop = asyncio.get_running_loop()
        deadline = loop.time() + timeout
        future: asyncio.Future[Answer] = loop.create_future()
        if not self._tasks:
            self._tasks = [asyncio.create_task(self._work(worker)) for worker in self._workers]
        async with self._ready:
            queue = self._urgent if urgent else self._leisurely
            queue.put(_Job(function, args, future, deadline), whose, address)
            self._ready.notify()
        try:
            async with asyncio.timeout_at(deadline):
                return await future
        except TimeoutError:
            raise RequestError("failed", "that took too much work") from None

    def _has_room(self, address: str, *, urgent: bool) -> bool:
        """Whether one more job may wait, after another gave way if need be."""
        if self.waiting < (self._most_waiting if urgent else self._most_waiting // 2):
            return True
        if not urgent:
            return False
        # Equals do not push each other out.
        given_up = self._leisurely.shed(0) or self._urgent.shed(self._urgent.of_address(address) + 1)
        if given_up is not None and not given_up.future.done():
            given_up.future.set_exception(_too_much())
        return given_up is not None

    async def _work(self, worker: WorkerProcess) -> None:
        """Give one worker its jobs."""
        while True:
            async with self._ready:
                await self._ready.wait_for(lambda: self.waiting > 0)
                job = (self._urgent or self._leisurely).take()
            if job.future.done():  # nobody waits for it any more
                continue
            try:
                await self._do(worker, job)
            except asyncio.CancelledError:
                if not job.future.done():
                    job.future.set_exception(RequestError("busy", "the server stops"))
                raise

    async def _do(self, worker: WorkerProcess, job: _Job) -> None:
        is_done, answer, begin = False, None, asyncio.get_running_loop().time()
        fault = RequestError("failed", "this is a mistake of the server's")
        for try_number in (1, 2):
            try:
                is_done, answer = await self._ask(worker, job)
            except TimeoutError:
                fault = RequestError("failed", "that took too much work")
                seconds = round(asyncio.get_running_loop().time() - begin, 1)
                log(logging.WARNING, "a job was stopped", job=job.function.__name__, seconds=seconds)
            except LostError:
                # It may have been killed for what another one did: one more try.
                fault = RequestError("failed", "the work was interrupted: ask again")
                if self._closed or try_number == 2 or job.future.done():
                    break
                log(logging.WARNING, "a worker has gone; another is started", job=job.function.__name__)
                continue
            except Exception:  # noqa: BLE001  # a job that cannot be sent is its caller's mistake; the next one is another
                log_failure("a job could not be sent", job=job.function.__name__)
            break
        if isinstance(answer, str):
            log(logging.ERROR, "a job failed", job=job.function.__name__, reason=answer)
        if job.future.done():
            return
        if is_done:
            job.future.set_result(answer)
        else:
            job.future.set_exception(answer if isinstance(answer, SapperError) else fault)

    async def _ask(self, worker: WorkerProcess, job: _Job) -> tuple[bool, Any]:
        loop = asyncio.get_running_loop()
        # What it waited in the queue is gone. The start of a process is not counted: it serves those who come next, too.
        limit = min(self._job_time, max(LEAST_TIME, job.deadline - loop.time()))
        return await loop.run_in_executor(self._threads, worker.ask, job.function, job.args, limit)

    async def close(self) -> None:
        """End the processes; jobs that are not done fail."""
        self._closed = True
        for worker in self._workers:
            worker.kill()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for queue in (self._urgent, self._leisurely):
            while queue:
                future = queue.take().future
                if not future.done():
                    future.set_exception(RequestError("busy", "the server stops"))
        await asyncio.to_thread(self._threads.shutdown)
        for worker in self._workers:
            worker.close()
