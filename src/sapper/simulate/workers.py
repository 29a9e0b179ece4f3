"""Threads or processes that play chunks of games.

Knows: engines, how a worker is told to stop.
Does not know: which chunks there are, what is done with the games.
"""

import contextlib
import multiprocessing
import queue
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing.synchronize import Event
from typing import Final, Protocol

from sapper.simulate.engines import Engine, PythonEngine
from sapper.simulate.plan import Chunk, Plan
from sapper.simulate.results import PlayedGame


class Workers(Protocol):
    """Plays chunks, several at a time."""

    def submit(self, chunk: Chunk) -> "Future[list[PlayedGame]]":
        """Play a chunk, now or when a worker is free; after `stop` only the games that were played by then."""

    def stop(self) -> None:
        """Let every worker end after the game it plays."""

    def close(self) -> None:
        """Let go of everything, whether it has ended or not."""


class Threads:
    """Workers in this process, an engine each."""

    def __init__(self, make_engine: Callable[[], Engine], workers: int) -> None:
        """All engines are made here and now, so that what one says of it (an error, progress) is said once."""
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

    def submit(self, chunk: Chunk) -> "Future[list[PlayedGame]]":
        """Play a chunk."""
        return self._pool.submit(self._play, chunk)

    def _play(self, chunk: Chunk) -> list[PlayedGame]:
        engine = self._free.get()
        try:
            return list(engine.play(chunk))
        finally:
            self._free.put(engine)

    def stop(self) -> None:
        """Let every engine end after the game it plays."""
        for engine in self._engines:
            engine.stop()

    def close_engines(self) -> None:
        """Give back what the engines hold."""
        for engine in self._engines:
            engine.close()

    def close(self) -> None:
        """End the threads, each after the game it plays."""
        self.stop()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self.close_engines()


class Processes:
    """Workers in processes of their own, for games that Python plays."""

    def __init__(self, plan: Plan, strategy: str, workers: int) -> None:
        # Never fork: this process may have threads.
        context = multiprocessing.get_context("spawn")
        self._stop = context.Event()
        self._before = set(multiprocessing.active_children())
        self._pool = ProcessPoolExecutor(
            workers, mp_context=context, initializer=_begin, initargs=(plan, strategy, self._stop)
        )

    def submit(self, chunk: Chunk) -> "Future[list[PlayedGame]]":
        """Play a chunk."""
        # The pool starts its processes here, one by one as they are needed.
        with _signals_held():
            return self._pool.submit(_play, chunk)

    def stop(self) -> None:
        """Let every process end after the game it plays."""
        self._stop.set()

    def close(self) -> None:
        """End the processes, in the middle of a game if need be."""
        self._stop.set()
        children = set(multiprocessing.active_children()) - self._before
        self._pool.shutdown(wait=False, cancel_futures=True)
        for child in children:
            child.join(timeout=_PATIENCE)
            if child.is_alive():
                child.kill()
        self._pool.shutdown(wait=True)


_PATIENCE = 5.0  # seconds that a process gets to end its game

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


@contextlib.contextmanager
def _signals_held() -> Iterator[None]:
    """Ctrl-C and SIGTERM wait meanwhile. They also wait in a process that is started here, until it ignores them: one that is still
    importing would end of them.
    """
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Here:
    """What a worker process holds."""

    engine: PythonEngine
    stop: Event


def _begin(plan: Plan, strategy: str, stop: Event) -> None:
    """The first thing in a worker process. Signals go to all of a group's processes, and are the parent's to hear."""
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
    _Here.engine = PythonEngine(plan, strategy)
    _Here.stop = stop


def _play(chunk: Chunk) -> list[PlayedGame]:
    found = []
    for played in _Here.engine.play(chunk):
        found.append(played)
        if _Here.stop.is_set():
            break
    return found
