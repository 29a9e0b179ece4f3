"""Worker processes for long computations, so that no move waits for them.

Each worker is one process (`worker_process`), and one thread that waits for it. A process that dies or does not end its job in
time is replaced; whoever asked is told, and nobody else notices.

Where no process starts at all, jobs are refused at once, and a process is tried again after ever longer pauses.
"""

import asyncio
import contextlib
import logging
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

from sapper.errors import RequestError, SapperError
from sapper.server.fair_queue import MOST_WAITING, Taken, WorkQueue
from sapper.server.logging import log, log_failure
from sapper.server.rate_limits import KeyedRateLimiter, RateLimit
from sapper.server.worker_process import LostError, WorkerProcess

Answer = TypeVar("Answer")

JOB_TIME: Final = 15.0
"""Seconds after which a job is stopped with its process: it was to be capped, and was not."""
LEAST_TIME: Final = 2.0
"""Seconds that a job may take, however little of its caller's time is left. A job that is stopped costs a new process, 0.1 to 0.4 s on a machine that
is idle and several times that on one that is busy: a crowd of jobs that waited for long is not to be a process started for each."""
NICENESS: Final = 5
"""How much worker processes are niced: moves come first."""
MOST_OF_ONE: Final = 8
"""Jobs that wait for one player before more of that player are refused."""
KEPT_FREE: Final = 2
"""Workers besides one for each core: those that `WorkQueue` keeps free for what comes next. They take no memory until they are needed."""
MOST_LOST_AT_ONCE: Final = 3
"""Processes that end one after the other without an answer, where none is left that has answered: from then on jobs are refused."""
FIRST_PAUSE: Final = 1.0
LONGEST_PAUSE: Final = 30.0
"""Seconds between two tries to start a process, from then on."""
SECONDS: Final = RateLimit(per_second=0.5, burst=10.0)
"""Seconds of work of one address, for as long as others wait."""


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
        """The end of the wait for it, in the loop's time."""


def _too_much() -> RequestError:
    return RequestError("busy", "there is too much to think about now: ask again soon")


def _no_worker() -> RequestError:
    return RequestError("busy", "the server's worker processes do not start now: ask again later")


def _do_nothing() -> None:
    """The default trial."""


def cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class WorkerPool:
    """Worker processes that are started on demand. Belongs to one event loop."""

    def __init__(
        self,
        workers: int | None = None,
        *,
        seconds: RateLimit = SECONDS,
        most_waiting: int = MOST_WAITING,
        job_time: float = JOB_TIME,
        clock: Callable[[], float] = time.monotonic,
        trial: Callable[[], object] = _do_nothing,
    ) -> None:
        """`workers` defaults to the number of cores and two more; each address has `seconds` of their work before others go first.

        `trial` is the job that shows whether processes work again, after several could not do anything.
        """
        workers = cores() + KEPT_FREE if workers is None else workers
        self._workers = [WorkerProcess(niceness=NICENESS) for _ in range(workers)]
        self._idle = self._workers[::-1]
        """The last one is asked next: it has a process already."""
        self._job_time = job_time
        self._queue = WorkQueue[_Job](workers, KeyedRateLimiter(seconds, clock), most_waiting=most_waiting)
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="sapper-worker")
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False
        self._trial = trial
        self._lost_at_once = 0
        """Processes that ended without an answer, since the last answer of any."""
        self._trying: asyncio.Task[None] | None = None
        """Set while no process works: tries to start one."""
        self.lost = 0
        """Processes that ended by themselves, or could not be started."""

    @property
    def works(self) -> bool:
        """False while no process can be started, or all end at once; then jobs are refused."""
        return self._trying is None

    @property
    def waiting(self) -> int:
        return len(self._queue)

    @property
    def processes(self) -> list[int]:
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
        """Call a function of a module in a worker process, and return its result.

        `urgent` is what somebody's game waits for. Whose turn it is says `fair_queue.WorkQueue`: `whose` is the player, if it is for one,
        and `address` where that is.

        `RequestError`: `busy` if too many jobs wait, or this one gave way to another address's, `failed` if this one took longer than
        `timeout` seconds, its wait included, or its process died. The work itself is stopped then, too, though not before it had
        `LEAST_TIME`: nobody waits for it any more. A `SapperError` of the function's own is raised here.
        """
        if whose and self._queue.of_player(whose, address) >= MOST_OF_ONE:
            raise RequestError("busy", "there is too much of yours to think about: wait for some of it")
        if self._closed:
            raise _too_much()
        if not self.works:
            raise _no_worker()
        loop = asyncio.get_running_loop()
        deadline = loop.time() + timeout
        future: asyncio.Future[Answer] = loop.create_future()
        given_up = self._queue.put(_Job(function, args, future, deadline), whose, address, urgent=urgent)
        if given_up is not None and not given_up.future.done():
            given_up.future.set_exception(_too_much())
        self._start()
        try:
            async with asyncio.timeout_at(deadline):
                return await future
        except TimeoutError:
            raise RequestError("failed", "that took too much work") from None

    def _start(self) -> None:
        while not self._closed and (taken := self._queue.take()) is not None:
            if taken.item.future.done():  # nobody waits for it any more
                self._queue.done(taken, 0.0)
                continue
            task = asyncio.get_running_loop().create_task(self._work(self._idle.pop(), taken))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _work(self, worker: WorkerProcess, taken: Taken[_Job]) -> None:
        loop, job = asyncio.get_running_loop(), taken.item
        begin = loop.time()
        try:
            await self._do(worker, job)
        except asyncio.CancelledError:
            if not job.future.done():
                job.future.set_exception(RequestError("busy", "the server stops"))
            raise
        finally:
            # One that has no process is asked last: where no more can be started, those that there are do the work.
            self._idle.insert(0 if worker.pid is None else len(self._idle), worker)
            self._queue.done(taken, loop.time() - begin)
            self._start()

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
                fault = RequestError("failed", "the work was interrupted: ask again") if self.works else _no_worker()
                if self._closed or try_number == 2 or job.future.done() or not self.works:
                    break
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
        try:
            answer = await loop.run_in_executor(self._threads, worker.ask, job.function, job.args, limit)
        except LostError as lost:
            if not self._closed:
                self._note_lost(lost, job)
            raise
        self._lost_at_once = 0
        return answer

    def _note_lost(self, lost: LostError, job: _Job) -> None:
        self.lost += 1
        self._lost_at_once += lost.at_once
        log(logging.WARNING, "a worker has gone", job=job.function.__name__, how=str(lost))
        if not self.works or self._lost_at_once < MOST_LOST_AT_ONCE or any(one.has_answered for one in self._workers):
            return
        log(logging.ERROR, "no worker starts: jobs are refused until one does", how=str(lost))
        self._trying = asyncio.get_running_loop().create_task(self._try_again())
        self._tasks.add(self._trying)
        self._trying.add_done_callback(self._tasks.discard)
        for one in self._queue.empty():
            if not one.future.done():
                one.future.set_exception(_no_worker())

    async def _try_again(self) -> None:
        """Start a process after ever longer pauses, until one does the trial."""
        loop, pause = asyncio.get_running_loop(), FIRST_PAUSE
        while self._trying is not None:
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
            future: asyncio.Future[object] = loop.create_future()
            self._queue.put(_Job(self._trial, (), future, loop.time() + self._job_time), "", "", urgent=True)
            self._start()
            with contextlib.suppress(SapperError):
                await future
                self._trying = None
        log(logging.WARNING, "workers start again")

    async def close(self) -> None:
        self._closed = True
        for worker in self._workers:
            worker.kill()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for job in self._queue.empty():
            if not job.future.done():
                job.future.set_exception(RequestError("busy", "the server stops"))
        await asyncio.to_thread(self._threads.shutdown)
        for worker in self._workers:
            worker.close()
