"""One worker process at the other end of a pipe: asked for one thing at a time, replaced when it dies or takes too long.

`worker_pool` gives several of them to a server's event loop, `simulate.workers` to threads that wait for games.

A worker is spawned, never forked: this process may have threads. Signals that end a server are held while it starts and ignored by
it from then on (`signals`): its parent ends it. When the parent has gone, however that came, the pipe closes and the worker ends.
"""

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any, Final

from sapper.errors import SapperError
from sapper.server.signals import held, leave_to_parent

SAFE_PATH: Final = "PYTHONSAFEPATH"
"""With any text in it: Python leaves the current folder out, as with `-P`."""
_lock = threading.Lock()


# How another Python is started, so that nothing in the current folder is taken for a module of sapper or of Python's
# library.
#
# `python -m` and `python -c` look for every module in the current folder first. A file `types.py` or `sapper.py`
# there, which may be a user's strategy or somebody else's, would be run in place of the real one.
def python_command() -> list[str]:
    """The first words of a command that runs this Python, without the current folder. The flag goes to no process of the child's."""
    return [sys.executable, "-P"]


def python_path(*, with_current_folder: bool = False) -> str:
    """`PYTHONPATH` for a child that finds what this process finds, in the same order, but the current folder last of all.

    That is in it where this process looks there too, or if it is asked for.
    """
    here = {"", ".", *_current_folder()}
    others = [path for path in sys.path if path not in here]
    has_current_folder = with_current_folder or len(others) < len(sys.path)
    return os.pathsep.join([*others, "."] if has_current_folder else others)


def _current_folder() -> list[str]:
    try:
        return [os.getcwd()]  # noqa: PTH109  # a text, as in `sys.path`
    except OSError:  # it has been deleted
        return []


@contextmanager
def without_current_folder() -> Iterator[None]:
    """The same for children that `multiprocessing` starts meanwhile, which takes no such flag: through the environment."""
    with _lock:
        before = os.environ.get(SAFE_PATH)
        os.environ[SAFE_PATH] = "1"
        try:
            yield
        finally:
            if before is None:
                del os.environ[SAFE_PATH]
            else:
                os.environ[SAFE_PATH] = before


START_TIME: Final = 60.0
"""Seconds that a process may take to start."""


DYING: Final = 1.0
"""Seconds between the end of a process's pipe and its own: then it has an exit code."""


class LostError(Exception):
    """The process has gone before it answered. The text says how: its exit code, the signal that ended it, or why it could not be started."""

    def __init__(self, how: str, *, at_once: bool) -> None:
        super().__init__(how)
        self.at_once = at_once
        """True if this process has never answered anything."""


def _nothing() -> None:
    """The default preparation of a process."""


def serve(pipe: Connection, niceness: int, prepare: Callable[..., None], args: tuple[Any, ...]) -> None:
    """Run a worker process: jobs from its pipe, until that is closed."""
    leave_to_parent()
    with contextlib.suppress(OSError, AttributeError):  # Windows has no such priorities
        os.nice(niceness)
    prepare(*args)
    with contextlib.suppress(EOFError, OSError):
        pipe.send(None)
        while True:
            function, arguments = pipe.recv()
            try:
                answer: tuple[bool, Any] = (True, function(*arguments))
            except SapperError as error:
                answer = (False, error)
            except Exception:  # noqa: BLE001  # told to whoever asked; the next job is another one
                answer = (False, traceback.format_exc())
            pipe.send(answer)


def _how_it_ended(code: int | None) -> str:
    """What an exit code of `multiprocessing` means; empty for a process that still runs."""
    if code is None:
        return ""
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"signal {signal.Signals(-code).name}"
    except ValueError:  # Python has no name for it
        return f"signal {-code}"


class WorkerProcess:
    """One process and its pipe, started when it is first asked. Only one thread asks; any may kill it."""

    def __init__(
        self, prepare: Callable[..., None] = _nothing, args: tuple[Any, ...] = (), *, niceness: int = 0
    ) -> None:
        """`prepare(*args)` is called first in each process; `niceness` is added to its priority's number."""
        self._start_with = (niceness, prepare, args)
        self._process: multiprocessing.process.BaseProcess | None = None
        self._pipe: Connection | None = None
        self._ended = False
        self.has_answered = False
        """True if the process that runs now has answered before."""

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    def ask(self, function: Callable[..., Any], args: tuple[Any, ...], limit: float | None = None) -> tuple[bool, Any]:
        """Whether it was done, and the answer or the error: a `SapperError` of the function's, or the text of another's traceback.

        `TimeoutError` after `limit` seconds, `LostError` if the process died; the next question starts another one.
        """
        try:
            pipe = self._pipe or self._start()
            pipe.send((function, args))
            is_there = pipe.poll(limit)
            answer: tuple[bool, Any] = pipe.recv() if is_there else (False, None)
        except (EOFError, OSError) as error:
            at_once = not self.has_answered
            raise LostError(self._drop(DYING) or str(error) or "it closed its pipe", at_once=at_once) from error
        if not is_there:
            self._drop()
            raise TimeoutError
        self.has_answered = True
        return answer

    def _start(self) -> Connection:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=serve, args=(theirs, *self._start_with), name="sapper-worker", daemon=True)
        with held(), without_current_folder():
            process.start()
        theirs.close()
        self._process, self._pipe = process, ours
        if self._ended:
            self._drop()
            raise EOFError
        if not ours.poll(START_TIME):
            raise OSError(f"it did not start within {START_TIME:g} s")
        ours.recv()
        return ours

    def _drop(self, patience: float = 0.0) -> str:
        """Leave the process. How it ended, if it did so by itself within `patience` seconds."""
        process, pipe = self._process, self._pipe
        self._process = self._pipe = None
        self.has_answered = False
        how = ""
        if process is not None:
            process.join(patience)
            how = _how_it_ended(process.exitcode)
            process.kill()
            process.join()
        if pipe is not None:
            pipe.close()
        return how

    def kill(self) -> None:
        """End the process for good, from any thread; a waiting `ask` raises `LostError`."""
        self._ended = True
        process = self._process
        if process is not None:
            process.kill()

    def close(self) -> None:
        self._ended = True
        self._drop()
