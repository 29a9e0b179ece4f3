"""Work is done by other processes, whatever becomes of them."""

import asyncio
import logging
import multiprocessing
import os
import shlex
import signal
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from multiprocessing import spawn
from pathlib import Path
from typing import Any

import pytest

from sapper.errors import InvalidValueError, RequestError
from sapper.server.worker_pool import MOST_OF_ONE, WorkerPool
from tests.registries import until

PATIENCE = 150.0
"""Seconds for what has to be done: a process has to start for it, or two, and the machine may be busy."""


@pytest.fixture(autouse=True)
def _not_nice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where others keep the processors busy, a worker that gives way to them gets next to nothing."""
    monkeypatch.setattr("sapper.server.worker_pool.NICENESS", 0)


def add(one: int, other: int) -> int:
    return one + other


def fail() -> None:
    raise InvalidValueError("no such seed")


def blunder() -> None:
    raise ZeroDivisionError


def sleep_once(path: str) -> str:
    """Sleep for longer than anybody waits, but for the second time."""
    if os.path.exists(path):  # noqa: PTH110
        return "done"
    with open(path, "w", encoding="utf-8"):  # noqa: PTH123
        time.sleep(300)
    return "never"


def hold(path: str) -> None:
    """Hold the worker until there is such a file."""
    while not os.path.exists(path):  # noqa: PTH110
        time.sleep(0.01)


@asynccontextmanager
async def _opened(**options: float) -> AsyncIterator[WorkerPool]:
    pool = WorkerPool(**{"workers": 1, "job_time": PATIENCE, **options})  # type: ignore[arg-type]
    try:
        yield pool
    finally:
        await pool.close()


async def test_what_nobody_waits_for_any_more_is_stopped(tmp_path: Path) -> None:
    """A job that sleeps for minutes holds the worker for a second, as its caller does."""
    async with _opened() as pool:
        assert await pool.run(add, 1, 1, timeout=PATIENCE) == 2
        (before,) = pool.processes
        with pytest.raises(RequestError, match="too much work"):
            await pool.run(sleep_once, str(tmp_path / "once"), timeout=1.0)
        assert await pool.run(add, 2, 2, timeout=PATIENCE) == 4
        assert pool.processes != [before]


class SlowWorker:
    """A worker that does not answer before it may, and notes how long each job may take."""

    pid = None

    def __init__(self) -> None:
        self.limits: list[float] = []
        self.may_answer = threading.Event()

    def ask(self, function: Callable[..., Any], args: tuple[Any, ...], limit: float) -> tuple[bool, Any]:
        self.limits.append(limit)
        assert self.may_answer.wait(PATIENCE)
        return True, function(*args)

    def kill(self) -> None:
        self.may_answer.set()

    def close(self) -> None:
        """Nothing to put away."""


async def test_a_job_that_waited_may_take_no_longer_than_its_caller_still_waits() -> None:
    async with _opened() as pool:
        worker = SlowWorker()
        pool._workers = pool._idle = [worker]  # type: ignore[list-item]
        tasks = [asyncio.create_task(pool.run(add, number, 1, timeout=PATIENCE)) for number in range(2)]
        await until(lambda: len(worker.limits) == 1 and pool.waiting == 1)
        await asyncio.sleep(0.3)
        worker.may_answer.set()
        assert await asyncio.gather(*tasks) == [1, 2]
        assert worker.limits[1] < PATIENCE - 0.2


async def test_answers_and_errors_come_back() -> None:
    async with _opened() as pool:
        sums = await asyncio.gather(*(pool.run(add, number, 1, timeout=PATIENCE) for number in range(5)))
        assert sums == [1, 2, 3, 4, 5]
        with pytest.raises(InvalidValueError, match="no such seed"):
            await pool.run(fail, timeout=PATIENCE)
        with pytest.raises(RequestError, match="mistake"):
            await pool.run(blunder, timeout=PATIENCE)
        with pytest.raises(RequestError, match="mistake"):
            await pool.run(lambda: 1, timeout=PATIENCE)  # cannot be sent
        assert await pool.run(add, 2, 2, timeout=PATIENCE) == 4


async def test_one_player_waits_for_so_many_and_no_more(tmp_path: Path) -> None:
    async with _opened() as pool:
        first = asyncio.create_task(pool.run(hold, str(tmp_path / "go"), timeout=PATIENCE))
        await until(lambda: bool(pool.processes))
        waiting = [asyncio.create_task(pool.run(add, 1, 1, whose="ann", timeout=PATIENCE)) for _ in range(MOST_OF_ONE)]
        await asyncio.sleep(0)
        with pytest.raises(RequestError, match="too much of yours"):
            await pool.run(add, 1, 1, whose="ann")
        (tmp_path / "go").touch()
        assert await asyncio.gather(first, *waiting)


async def test_one_address_with_many_cookies_neither_fills_the_queue_nor_comes_first(tmp_path: Path) -> None:
    done: list[str] = []
    refused: list[str] = []
    async with _opened(most_waiting=6) as pool:

        async def ask(whose: str, address: str, *, urgent: bool = True) -> None:
            try:
                await pool.run(add, 1, 1, whose=whose, address=address, urgent=urgent, timeout=PATIENCE)
            except RequestError as error:
                assert error.code == "busy"
                refused.append(whose)
            else:
                done.append(whose)

        first = asyncio.create_task(pool.run(hold, str(tmp_path / "go"), timeout=PATIENCE))
        await until(lambda: bool(pool.processes))
        tasks = [asyncio.create_task(ask("leisurely", "", urgent=False))]
        for whose in [f"cookie {number}" for number in range(8)] + ["ann", "bob", "ann"]:
            await asyncio.sleep(0)
            tasks.append(asyncio.create_task(ask(whose, "home" if whose in ("ann", "bob") else "flood")))
        await asyncio.sleep(0)
        (tmp_path / "go").touch()
        await asyncio.gather(first, *tasks)
    assert done == ["cookie 0", "ann", "cookie 1", "bob", "cookie 2", "ann", "leisurely"]
    assert sorted(refused) == [f"cookie {number}" for number in range(3, 8)]


async def test_a_process_that_is_killed_is_replaced_and_its_job_done_again(tmp_path: object) -> None:
    path = f"{tmp_path}/slept"
    async with _opened() as pool:
        job = asyncio.create_task(pool.run(sleep_once, path, timeout=PATIENCE))
        await until(lambda: os.path.exists(path))  # noqa: PTH110
        (pid,) = pool.processes
        os.kill(pid, signal.SIGKILL)
        assert await job == "done"
        assert pool.processes != [pid]


async def test_what_takes_too_long_is_stopped_and_the_next_is_done() -> None:
    async with _opened(job_time=1.0) as pool:
        with pytest.raises(RequestError, match="too much work") as caught:
            await pool.run(time.sleep, 60, timeout=PATIENCE)
        assert caught.value.code == "failed"
        pool._job_time = PATIENCE  # what comes next is to be done, however busy the machine is
        assert await pool.run(add, 1, 1, timeout=PATIENCE) == 2


async def test_who_waits_too_long_is_told_and_a_full_queue_says_so(tmp_path: object) -> None:
    async with _opened(most_waiting=2) as pool:
        first = asyncio.create_task(pool.run(sleep_once, f"{tmp_path}/slept", timeout=PATIENCE))
        await asyncio.sleep(0.01)
        order: list[str] = []

        async def note(name: str, *, urgent: bool) -> None:
            await pool.run(add, 1, 1, timeout=PATIENCE, urgent=urgent)
            order.append(name)

        leisurely = asyncio.create_task(note("leisurely", urgent=False))
        await asyncio.sleep(0.01)
        urgent = asyncio.create_task(note("urgent", urgent=True))
        with pytest.raises(RequestError, match="too much work"):
            await pool.run(add, 1, 1, timeout=0.05)
        with pytest.raises(RequestError) as caught:
            await pool.run(add, 1, 1)
        assert caught.value.code == "busy"
        await until(lambda: os.path.exists(f"{tmp_path}/slept"))  # noqa: PTH110
        os.kill(pool.processes[0], signal.SIGKILL)
        await asyncio.gather(first, leisurely, urgent)
        assert order == ["urgent", "leisurely"]


async def test_closing_ends_what_is_being_done(tmp_path: object) -> None:
    pool = WorkerPool(1, job_time=PATIENCE)
    path = f"{tmp_path}/slept"
    jobs = [asyncio.create_task(pool.run(sleep_once, path, timeout=PATIENCE)) for _ in range(2)]
    await until(lambda: os.path.exists(path))  # noqa: PTH110
    (pid,) = pool.processes
    await pool.close()
    for answer in await asyncio.gather(*jobs, return_exceptions=True):
        assert isinstance(answer, RequestError | asyncio.CancelledError)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    with pytest.raises(RequestError, match="ask again"):
        await pool.run(add, 1, 1)


async def test_a_worker_runs_no_code_of_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "types.py").write_text("raise SystemExit(3)\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    async with _opened() as pool:
        assert await pool.run(add, 1, 2, timeout=PATIENCE) == 3


class DeadInterpreter:
    """Makes workers' interpreter one that ends at once, until it is mended."""

    def __init__(self, tmp_path: Path, words: str) -> None:
        self.path = tmp_path / "python"
        self.path.write_text(f"#!/bin/sh\n{words}\n", encoding="utf-8")
        self.path.chmod(0o700)

    def mend(self) -> None:
        self.path.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n', encoding="utf-8")


@pytest.fixture
def dead_interpreter(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[DeadInterpreter]:
    before = spawn.get_executable()
    dead = DeadInterpreter(tmp_path, request.param)
    multiprocessing.set_executable(str(dead.path))
    yield dead
    multiprocessing.set_executable(before)


@pytest.mark.parametrize(
    ("dead_interpreter", "how"), [("exit 7", "exit code 7"), ("kill -SEGV $$", "signal SIGSEGV")],
    indirect=["dead_interpreter"],
)  # fmt: skip
async def test_where_no_worker_starts_jobs_are_refused_until_one_does(
    dead_interpreter: DeadInterpreter, how: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("sapper.server.worker_pool.FIRST_PAUSE", 0.01)
    monkeypatch.setattr("sapper.server.worker_pool.LONGEST_PAUSE", 0.01)
    caplog.set_level(logging.WARNING)
    async with _opened(workers=2) as pool:
        for code in ("failed", "busy"):  # two tries, and then one
            with pytest.raises(RequestError) as caught:
                await pool.run(add, 1, 1, timeout=PATIENCE)
            assert caught.value.code == code
        assert not pool.works
        assert pool.lost >= 3
        with pytest.raises(RequestError, match="worker processes do not start") as caught:
            await pool.run(add, 1, 1, timeout=PATIENCE)
        assert caught.value.code == "busy"
        assert {one.fields["how"] for one in caplog.records if one.msg == "a worker has gone"} == {how}  # type: ignore[attr-defined]
        dead_interpreter.mend()
        await until(lambda: pool.works)
        assert await pool.run(add, 1, 1, timeout=PATIENCE) == 2


@pytest.mark.parametrize("dead_interpreter", ["exit 7"], indirect=True)
async def test_a_worker_that_does_not_start_is_tried_again_after_longer_and_longer_pauses(
    dead_interpreter: DeadInterpreter, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert dead_interpreter.path.exists()
    pauses: list[float] = []
    real_sleep = asyncio.sleep

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)
        await real_sleep(0)

    async with _opened() as pool:
        with pytest.raises(RequestError):
            await pool.run(add, 1, 1, timeout=PATIENCE)
        with monkeypatch.context() as patch:
            patch.setattr("sapper.server.worker_pool.asyncio.sleep", sleep)
            with pytest.raises(RequestError):
                await pool.run(add, 1, 1, timeout=PATIENCE)
            async with asyncio.timeout(PATIENCE):
                while len(pauses) < 7:
                    await real_sleep(0.01)
            lost = pool.lost
            assert pauses[:7] == [1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0]
            assert lost <= 3 + len(pauses)  # one process after each pause


async def test_workers_that_work_are_asked_before_one_that_does_not_start(tmp_path: Path) -> None:
    async with _opened(workers=2) as pool:
        assert await pool.run(add, 1, 1, timeout=PATIENCE) == 2
        dead = DeadInterpreter(tmp_path, "exit 7")
        before = spawn.get_executable()
        multiprocessing.set_executable(str(dead.path))
        try:
            first = asyncio.create_task(pool.run(hold, str(tmp_path / "go"), address="a", timeout=PATIENCE))
            await asyncio.sleep(0)
            for _ in range(3):
                with pytest.raises(RequestError, match="interrupted"):
                    await pool.run(add, 1, 1, address="b", timeout=PATIENCE)
            (tmp_path / "go").touch()
            await first
            assert pool.works
            assert pool.lost == 6
            assert await pool.run(add, 1, 1, address="b", timeout=PATIENCE) == 2
        finally:
            multiprocessing.set_executable(before)
