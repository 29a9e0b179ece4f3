"""Several processes on one port: this one accepts, counts and watches; the workers play.

Each accepted socket is passed to the worker with the fewest connections, over a Unix socket. So the limits
hold for all workers together, none of them is favoured, and the results of all games come to one place, here.
A worker that dies takes its own games with it and is started again.

Lines to a worker: `+ADDRESS` with a socket, `?` for its counts, `=NUMBER` for a game that is durable, `!` to end. Lines from it, as JSON:
`ready`, `left` (an address), `finished` (a result), `keep` (a number, and the game to be kept), `metrics` (its counts). When this process ends, however it ends, the Unix
socket closes, and so the workers end too.

Knows: the workers, how many connections each has; what to do when one dies.
Does not know: packets, games; how a worker plays.
"""

import asyncio
import contextlib
import json
import logging
import os
import socket
from collections import Counter, deque
from dataclasses import asdict
from typing import Any, Final

from sapper.core.rng import Rng
from sapper.errors import SapperError
from sapper.net.metrics import Metrics
from sapper.net.results import GameResult, discard
from sapper.net.settings import ServerSettings
from sapper.server.child_python import python_command, python_path
from sapper.server.logging import log, log_failure
from sapper.server.rate_limits import ConnectionLimiter

START_TIME: Final = 30.0
"""Seconds that a worker may take to start."""
END_TIME: Final = 3.0
"""Seconds that the workers have to end; then they are killed."""
PAUSE: Final = 1.0
"""Seconds before a worker that died is started again."""
ANSWER_TIME: Final = 1.0
"""Seconds that a worker has to say its counts."""
LONGEST_LINE: Final = 1024 * 1024


class WorkerError(SapperError, RuntimeError):
    """A worker that does not start."""


class _Worker:
    """One worker, as the supervisor sees it."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.process: asyncio.subprocess.Process | None = None
        self.control: socket.socket | None = None
        self.ready = asyncio.Event()
        self.addresses: Counter[str] = Counter()
        """Its connections, by address; an address without any is no key."""
        self.load = 0
        """How many connections that are."""
        self.waiting: deque[tuple[socket.socket | None, str]] = deque()
        """Lines that are to be sent, some with a socket."""
        self.asked: asyncio.Future[None] | None = None
        """Done when it has said its counts, or ended."""
        self.counts: dict[str, Any] | None = None
        """What it said last."""

    def answered(self) -> None:
        """Nobody need wait for its counts any more."""
        if self.asked is not None and not self.asked.done():
            self.asked.set_result(None)
        self.asked = None

    def enter(self, address: str) -> None:
        """It gets a connection from that address."""
        self.addresses[address] += 1
        self.load += 1

    def leave(self, address: str) -> bool:
        """One has gone; whether it had any from there."""
        if not self.addresses[address]:
            return False
        self.load -= 1
        self.addresses[address] -= 1
        if not self.addresses[address]:
            del self.addresses[address]
        return True


class Supervisor:
    """Plays in `settings.workers` processes."""

    def __init__(self, settings: ServerSettings, gate: ConnectionLimiter) -> None:
        self._settings = settings
        self._gate = gate
        self._workers = [_Worker(number) for number in range(settings.workers)]
        self._ended = Metrics()
        """Counts of the workers that have died, as far as they had said them."""
        self._tasks: list[asyncio.Task[None]] = []
        self._loop = asyncio.get_running_loop()
        self._is_ending = False

    async def start(self) -> None:
        """Start the workers; `WorkerError` if one does not."""
        self._tasks = [self._loop.create_task(self._keep(worker)) for worker in self._workers]
        try:
            async with asyncio.timeout(START_TIME):
                for worker in self._workers:
                    await worker.ready.wait()
        except TimeoutError:
            await self.shut_down()
            raise WorkerError("the workers do not start; their errors are above") from None

    async def _keep(self, worker: _Worker) -> None:
        """Run a worker, again and again."""
        while not self._is_ending:
            try:
                await self._run(worker)
            except Exception:  # noqa: BLE001 - whatever it was, the worker is replaced, and its players' places are free
                log_failure("worker given up", worker=worker.number)
                worker.ready.clear()
                await _kill(worker.process)
            self._forget(worker)
            if not self._is_ending:
                code = worker.process.returncode if worker.process else None
                log(logging.ERROR, "worker died", worker=worker.number, code=code)
                await asyncio.sleep(PAUSE)

    async def _run(self, worker: _Worker) -> None:
        control, theirs = socket.socketpair()
        with theirs:
            control.setblocking(False)
            worker.control = control
            worker.process = await asyncio.create_subprocess_exec(
                *python_command(), "-m", "sapper.net.worker", str(theirs.fileno()), self._orders(worker.number),
                pass_fds=[theirs.fileno()], stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
                limit=LONGEST_LINE, env=os.environ | {"PYTHONPATH": python_path()},
            )  # fmt: skip
        assert worker.process.stdout is not None
        async for line in worker.process.stdout:
            self._hear(worker, json.loads(line))
        await worker.process.wait()

    def _orders(self, number: int) -> str:
        settings = self._settings
        seed = None if settings.seed is None else Rng(settings.seed).split(number).seed
        orders = {
            "number": number,
            "limits": asdict(settings.limits),
            "seed": seed,
            "records": settings.recorder is not None,
            "results": settings.on_finished is not discard,
        }
        return json.dumps(orders | {"log_format": settings.log_format, "log_level": settings.log_level})

    def _hear(self, worker: _Worker, message: dict[str, Any]) -> None:
        match message:
            case {"ready": _}:
                log(logging.INFO, "worker ready", worker=worker.number, pid=worker.process and worker.process.pid)
                worker.ready.set()
            case {"left": str(address)} if worker.leave(address):
                self._gate.leave(address)
            case {"finished": dict(result)}:
                try:
                    self._settings.on_finished(GameResult.from_json(result))
                except Exception:  # noqa: BLE001 - whoever keeps statistics must not end the server
                    log_failure("result not taken")
            case {"keep": int(number), "game": dict(result)}:
                self._keep_game(worker, number, GameResult.from_json(result))
            case {"metrics": dict(state)}:
                worker.counts = state
                worker.answered()
            case _:
                log(logging.ERROR, "worker says nonsense", worker=worker.number, message=message)

    def _keep_game(self, worker: _Worker, number: int, result: GameResult) -> None:
        if self._settings.recorder is None:
            return
        control = worker.control  # of this process: the next one has not asked for anything

        def durable() -> None:
            if worker.control is control:
                self._send(worker, None, f"={number}\n")

        try:
            self._settings.recorder(result, durable)
        except Exception:  # noqa: BLE001 - whoever keeps games must not end the server
            log_failure("game not taken")

    def _forget(self, worker: _Worker) -> None:
        """A worker has ended, and its connections with it."""
        worker.ready.clear()
        if worker.control is not None:
            self._loop.remove_writer(worker.control)
            worker.control.close()
            worker.control = None
        for sock, _ in worker.waiting:
            if sock is not None:
                sock.close()
        worker.waiting.clear()
        for address in worker.addresses.elements():
            self._gate.leave(address)
        worker.addresses.clear()
        worker.load = 0
        worker.answered()
        if worker.counts is not None:
            self._ended.add(worker.counts)
            self._ended.give_up()
            worker.counts = None

    # --- connections -------------------------------------------------------------------------

    def admit(self, sock: socket.socket, address: str) -> None:
        """Pass a connection to the worker with the fewest."""
        ready = [worker for worker in self._workers if worker.ready.is_set()]
        if not ready:
            log(logging.ERROR, "no worker to play with", peer=address)
            sock.close()
            self._gate.leave(address)
            return
        worker = min(ready, key=lambda worker: worker.load)
        worker.enter(address)
        self._send(worker, sock, f"+{address}\n")

    def _send(self, worker: _Worker, sock: socket.socket | None, line: str) -> None:
        worker.waiting.append((sock, line))
        if len(worker.waiting) == 1:
            self._pass_on(worker)

    def _pass_on(self, worker: _Worker) -> None:
        """Send the lines and sockets that wait; those that the worker cannot take yet wait for it."""
        control = worker.control
        while control is not None and worker.waiting:
            sock, line = worker.waiting[0]
            try:
                socket.send_fds(control, [line.encode()], [] if sock is None else [sock.fileno()])
            except BlockingIOError:
                self._loop.add_writer(control, self._pass_on, worker)
                return
            except OSError:
                return  # it has died; whoever waits is let go when that is noticed
            worker.waiting.popleft()
            if sock is not None:
                sock.close()
        if control is not None:
            self._loop.remove_writer(control)

    async def collect(self, total: Metrics) -> None:
        """Add the counts of all workers: what they say now, and of those that have died or do not answer in time, what they said last.

        Without these a total would fall, and that is how Prometheus knows a restart.
        """
        for worker in self._workers:
            if worker.asked is None and worker.ready.is_set() and worker.control is not None:
                with contextlib.suppress(OSError):
                    worker.control.send(b"?\n")
                    worker.asked = self._loop.create_future()
        asked = [worker.asked for worker in self._workers if worker.asked is not None]
        if asked:
            await asyncio.wait(asked, timeout=ANSWER_TIME)
        total.add(self._ended.state())
        for worker in self._workers:
            if worker.counts is not None:
                total.add(worker.counts)

    async def shut_down(self) -> None:
        """Have the workers tell their players, and end."""
        self._is_ending = True
        for worker in self._workers:
            # The socket stays: the last screens wait for what is said on it to be durable.
            self._send(worker, None, "!\n")
        _, late = await asyncio.wait(self._tasks, timeout=END_TIME)
        for worker in self._workers if late else ():
            if worker.process is not None and worker.process.returncode is None:
                log(logging.WARNING, "worker killed: it did not end", worker=worker.number)
                worker.process.kill()
        if late:
            _, late = await asyncio.wait(late, timeout=0.5)
        for task in late:  # one that is between two workers
            task.cancel()


async def _kill(process: asyncio.subprocess.Process | None) -> None:
    """End a process that is not listened to any more. What it has said is read: with its pipe full, its end would not be noticed."""
    if process is None or process.returncode is not None:
        return
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    assert process.stdout is not None
    while await process.stdout.read(LONGEST_LINE):
        pass
    await process.wait()
