"""Threads that play chunks of games, themselves or in worker processes."""

import multiprocessing
import queue
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing.connection import Connection
from typing import Final

from sapper.errors import UnavailableError
from sapper.server.worker_process import LostError, WorkerProcess
from sapper.simulate.engines import Engine, NativeEngine, ReferenceEngine
from sapper.simulate.plan import Chunk, Plan
from sapper.simulate.results import SimulatedGame

_AHEAD: Final = 2
"""Chunks handed out a worker."""
_PATIENCE: Final = 5.0
"""Seconds that a process gets to end its game."""


class Workers:
    """Plays chunks, several at a time: threads with an engine each, which may play in a process of its own."""

    share = 1

    def __init__(self, make_engine: Callable[[], Engine], workers: int, backend: str = "reference") -> None:
        """Makes all engines at once, so that an error is reported once."""
        self._engines: list[Engine] = []
        self._free: queue.SimpleQueue[Engine] = queue.SimpleQueue()
        try:
            for _ in range(workers):
                engine = make_engine()
                self._engines.append(engine)
                self._free.put(engine)
        except BaseException:
            self.close_engines()
            raise
        self._pool = ThreadPoolExecutor(workers)
        self._backend = backend

    @property
    def width(self) -> int:
        return _AHEAD * len(self._engines)

    @property
    def backend(self) -> str:
        """The backend that has played so far, and the reference where a game was too hard for it."""
        is_helped = any(engine.games_by_reference for engine in self._engines if isinstance(engine, NativeEngine))
        return f"{self._backend}+reference" if is_helped else self._backend

    def submit(self, chunk: Chunk) -> "Future[list[SimulatedGame]]":
        """Play a chunk, now or when a worker is free; after `stop` only the games that were played by then."""
        return self._pool.submit(self._play, chunk)

    def _play(self, chunk: Chunk) -> list[SimulatedGame]:
        engine = self._free.get()
        try:
            return list(engine.play(chunk))
        finally:
            self._free.put(engine)

    def stop(self) -> None:
        for engine in self._engines:
            engine.stop()

    def close_engines(self) -> None:
        for engine in self._engines:
            engine.close()

    def close(self) -> None:
        """End the threads, each after the game it plays; a game in another process has so much time for that and no more."""
        self.stop()
        late = threading.Timer(_PATIENCE, self.close_engines)
        late.daemon = True
        late.start()
        self._pool.shutdown(wait=True, cancel_futures=True)
        late.cancel()
        self.close_engines()


class ProcessEngine:
    """Plays in a worker process, for games that the reference plays: several threads of one process would take turns."""

    def __init__(self, plan: Plan, strategy: str) -> None:
        """The process is started with the first chunk."""
        # Not an event: its semaphores have names, and a run that is ended by a signal may leave Python to warn of one.
        told, self._ending = multiprocessing.get_context("spawn").Pipe(duplex=False)
        self._process = WorkerProcess(_begin, (plan, strategy, told))

    def play(self, chunk: Chunk) -> Iterator[SimulatedGame]:
        """The games of the chunk. `UnavailableError` if the process dies in them twice: once may have been another's doing."""
        for _ in range(2):
            try:
                is_done, answer = self._process.ask(_play, (chunk,))
            except LostError:
                if self._ending.closed:
                    return iter(())  # it was killed: it did not end its game in time
                continue
            if is_done:
                played: list[SimulatedGame] = answer
                return iter(played)
            raise answer if isinstance(answer, Exception) else RuntimeError(answer)
        raise UnavailableError(
            f"a worker process was killed twice while it played games {chunk.begin} and following (out of memory?)"
        )

    def stop(self) -> None:
        """Let the process end after the game it plays: the pipe that it looks at comes to its end."""
        self._ending.close()

    def close(self) -> None:
        """End the process, in the middle of a game if need be."""
        self._ending.close()
        self._process.kill()


class _Here:
    """The state of a worker process."""

    engine: ReferenceEngine
    told: Connection


def _begin(plan: Plan, strategy: str, told: Connection) -> None:
    _Here.engine = ReferenceEngine(plan, strategy)
    _Here.told = told


def _play(chunk: Chunk) -> list[SimulatedGame]:
    found = []
    for played in _Here.engine.play(chunk):
        found.append(played)
        if _Here.told.poll():
            break
    return found
