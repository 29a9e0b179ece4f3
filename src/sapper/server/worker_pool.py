"""Worker processes: what takes thought is done by them, so that nobody's move waits for it.

Each worker is one process at the other end of a pipe, and one thread that waits for it. A process that dies or does not end
its job in time is replaced; whoever asked is told, and nobody else notices. Jobs that a player waits for go first.

Knows: processes, a queue with an end, limits of time.
Does not know: what the jobs are; whose turn it is (see `turns`).
"""

import asyncio
import contextlib
import logging
import multiprocessing
import os
import signal
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from typing import Any, Final, TypeVar

from sapper.errors import RequestError, SapperError
from sapper.server.fair_queue import FairQueue
from sapper.server.logging import log, log_failure

Answer = TypeVar("Answer")

JOB_TIME: Final = 15.0
"""Seconds after which a job is stopped with its process: it was to be capped, and was not."""
START_TIME: Final = 60.0
"""Seconds that a process may take to start."""
MOST_WAITING: Final = 64
"""Jobs that wait before more are refused."""
MOST_OF_ONE: Final = 8
"""Jobs that wait for one player before more of that player are refused."""


class _LostError(Exception):
    """The process has gone before it answered."""


def serve(pipe: Connection) -> None:
    """What a worker process does: jobs from its pipe, until that is closed."""
    # Ctrl-C in a terminal is for the server, which ends this process when it is ready to.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(OSError):
        os.nice(5)  # moves come before thoughts
    with contextlib.suppress(EOFError, OSError):
        pipe.send(None)
        while True:
            function, args = pipe.recv()
            try:
                answer: tuple[bool, Any] = (True, function(*args))
            except SapperError as error:
                answer = (False, error)
            except Exception:  # noqa: BLE001  # told to whoever runs the server; the next job is another one
                answer = (False, traceback.format_exc())
            pipe.send(answer)


class _WorkerProcess:
    """One process and its pipe. Only one thread asks; any may end it."""

    def __init__(self) -> None:
        self._process: multiprocessing.process.BaseProcess | None = None
        self._pipe: Connection | None = None
        self._ended = False

    @property
    def pid(self) -> int | None:
        """The process's number, if there is one."""
        return None if self._process is None else self._process.pid

    def ask(self, function: Callable[..., Any], args: tuple[Any, ...], limit: float) -> tuple[bool, Any]:
        """Whether it was done, and the answer or the error. `TimeoutError` after `limit` seconds, `_LostError` if the process died."""
        try:
            pipe = self._pipe or self._start()
            pipe.send((function, args))
            is_there = pipe.poll(limit)
            answer: tuple[bool, Any] = pipe.recv() if is_there else (False, None)
        except (EOFError, OSError) as error:
            self._drop()
            raise _LostError from error
        if not is_there:
            self._drop()
            raise TimeoutError
        return answer

    def _start(self) -> Connection:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=serve, args=(theirs,), name="sapper-worker", daemon=True)
        process.start()
        theirs.close()
        self._process, self._pipe = process, ours
        if self._ended:
            self._drop()
            raise EOFError
        if not ours.poll(START_TIME):
            raise EOFError
        ours.recv()
        return ours

    def _drop(self) -> None:
        process, pipe = self._process, self._pipe
        self._process = self._pipe = None
        if process is not None:
            process.kill()
            process.join()
        if pipe is not None:
            pipe.close()

    def kill(self) -> None:
        """Have the process ended, from any thread: whoever waits for it is told."""
        self._ended = True
        process = self._process
        if process is not None:
            process.kill()

    def close(self) -> None:
        """Put away what is left; nobody asks any more."""
        self._drop()


class _Job:
    """A job that waits."""

    __slots__ = ("args", "function", "future", "limit")

    def __init__(
        self, function: Callable[..., Any], args: tuple[Any, ...], future: "asyncio.Future[Any]", limit: float
    ) -> None:
        self.function = function
        self.args = args
        self.future = future
        self.limit = limit


def _too_much() -> RequestError:
    return RequestError("busy", "there is too much to think about now: ask again soon")


class WorkerPool:
    """Some worker processes, started when there is something to do. Belongs to one event loop."""

    def __init__(self, workers: int = 1, *, most_waiting: int = MOST_WAITING, job_time: float = JOB_TIME) -> None:
        self._hands = [_WorkerProcess() for _ in range(workers)]
        self._most_waiting = most_waiting
        self._job_time = job_time
        self._urgent = FairQueue[_Job]()
        self._leisurely = FairQueue[_Job]()
        self._ready = asyncio.Condition()
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="sapper-workshop")
        self._tasks: list[asyncio.Task[None]] = []
        self._closed = False

    @property
    def waiting(self) -> int:
        """How many jobs wait."""
        return len(self._urgent) + len(self._leisurely)

    @property
    def processes(self) -> list[int]:
        """The numbers of the processes that there are."""
        return [hand.pid for hand in self._hands if hand.pid is not None]

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
        included, or its process died. The work itself is stopped after so long, too: nobody waits for it any more. A `SapperError` of the function's own is raised here.
        """
        if whose and self._urgent.of_player(whose, address) >= MOST_OF_ONE:
            raise RequestError("busy", "there is too much of yours to think about: wait for some of it")
        if self._closed or not self._has_room(address, urgent=urgent):
            raise _too_much()
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        if not self._tasks:
            self._tasks = [asyncio.create_task(self._work(hand)) for hand in self._hands]
        async with self._ready:
            queue = self._urgent if urgent else self._leisurely
            queue.put(_Job(function, args, future, min(timeout, self._job_time)), whose, address)
            self._ready.notify()
        try:
            async with asyncio.timeout(timeout):
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

    async def _work(self, hand: _WorkerProcess) -> None:
        """Give one worker its jobs."""
        while True:
            async with self._ready:
                await self._ready.wait_for(lambda: self.waiting > 0)
                job = (self._urgent or self._leisurely).take()
            if job.future.done():  # nobody waits for it any more
                continue
            try:
                await self._do(hand, job)
            except asyncio.CancelledError:
                if not job.future.done():
                    job.future.set_exception(RequestError("busy", "the server stops"))
                raise

    async def _do(self, hand: _WorkerProcess, job: _Job) -> None:
        is_done, answer = False, None
        fault = RequestError("failed", "this is a mistake of the server's")
        for try_number in (1, 2):
            try:
                is_done, answer = await self._ask(hand, job)
            except TimeoutError:
                fault = RequestError("failed", "that took too much work")
                log(logging.WARNING, "a job was stopped", job=job.function.__name__, seconds=job.limit)
            except _LostError:
                # It may have been killed for what another one did: one more try.
                fault = RequestError("failed", "the work was interrupted: ask again")
                if self._closed or try_number == 2:
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

    async def _ask(self, hand: _WorkerProcess, job: _Job) -> tuple[bool, Any]:
        ask = asyncio.get_running_loop().run_in_executor(self._threads, hand.ask, job.function, job.args, job.limit)
        return await ask

    async def close(self) -> None:
        """End the processes; jobs that are not done fail."""
        self._closed = True
        for hand in self._hands:
            hand.kill()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for queue in (self._urgent, self._leisurely):
            while queue:
                future = queue.take().future
                if not future.done():
                    future.set_exception(RequestError("busy", "the server stops"))
        await asyncio.to_thread(self._threads.shutdown)
        for hand in self._hands:
            hand.close()
