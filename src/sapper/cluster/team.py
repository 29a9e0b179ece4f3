"""A run's chunks on the workers of a Dask cluster.

The games are those of one machine: a chunk says which they are, and they are handed on in their order. A worker that is lost takes
only its chunks with it, which the scheduler gives to others; where that happens to one chunk so often that the scheduler gives it up,
it is asked for anew, a bounded number of times.
"""

import contextlib
import logging
import queue
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import Future, InvalidStateError
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

import dask.config
from distributed import Client, LocalCluster
from distributed.scheduler import KilledWorker

import sapper
from sapper.errors import UnavailableError
from sapper.server.worker_process import SAFE_PATH, without_current_folder
from sapper.simulate.engines import Engine, NativeEngine
from sapper.simulate.plan import Chunk, Plan
from sapper.simulate.results import SimulatedGame
from sapper.simulate.runner import backend_of, make_engine

# The work of a cluster's worker: a chunk of games.
#
# An engine takes long to make and is used by one thread, so a worker process keeps those of the last runs for the
# chunks to come.
_MOST_RUNS: Final = 4
"""Runs whose engines are kept."""

_Engines = queue.SimpleQueue[tuple[str, Engine]]
_lock = threading.Lock()
_kept: OrderedDict[str, _Engines] = OrderedDict()


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareOrder:
    """The games to play, and how."""

    version: str
    """Of the sapper that asks: another one may choose other moves."""
    run: str
    """A name that no other run has: engines are kept under it. Empty: keep none."""
    plan: Plan
    strategy: str
    native: bool
    move_limit: float


def play_share(order: ShareOrder, chunk: Chunk) -> tuple[str, list[SimulatedGame]]:
    """Play the games of a chunk: what played them, and they. `UnavailableError` if this worker has another sapper."""
    if order.version != sapper.__version__:
        raise UnavailableError(
            f"a worker has sapper {sapper.__version__}, and this is {order.version}: they must be the same"
        )
    engines = _engines_of(order.run)
    try:
        kind, engine = engines.get_nowait()
    except queue.Empty:
        kind = backend_of(order.plan, order.strategy, native=order.native)
        engine = make_engine(order.plan, order.strategy, kind, order.move_limit)
    before = engine.games_by_reference if isinstance(engine, NativeEngine) else 0
    try:
        games = list(engine.play(chunk))
    except BaseException:
        engine.close()
        raise
    is_helped = isinstance(engine, NativeEngine) and engine.games_by_reference > before
    if order.run:
        engines.put((kind, engine))
    else:
        engine.close()
    return f"{kind}+reference" if is_helped else kind, games


def _engines_of(run: str) -> _Engines:
    """The engines that are kept for a run; those of the run that was asked for longest ago are given back."""
    if not run:
        return queue.SimpleQueue()
    with _lock:
        found = _kept.setdefault(run, queue.SimpleQueue())
        _kept.move_to_end(run)
        old = _kept.popitem(last=False)[1] if len(_kept) > _MOST_RUNS else None
    while old is not None and not old.empty():
        old.get()[1].close()
    return found


TIMEOUT: Final = 10.0
LIVES: Final = 5
"""How often a chunk is asked for, if its workers are lost again and again (each time some four of them)."""
_AHEAD: Final = 3
"""Chunks handed out a thread of the cluster."""
_LOOK: Final = 2.0
"""Seconds between two looks at how many threads there are."""
_GONE: Final = (
    "CancelledError", "FutureCancelledError", "FuturesCancelledError", "CommClosedError", "ClosedClientError",
)  # fmt: skip
"""Errors of Dask that say that the scheduler has gone; their modules differ by version."""


class ClusterTeam:
    """Plays chunks of one plan on a cluster."""

    share = 8

    def __init__(
        self,
        address: str,
        plan: Plan,
        strategy: str,
        *,
        native: bool = True,
        move_limit: float,
        on_waiting: Callable[[], None] = lambda: None,
    ) -> None:
        """`address` is the scheduler's, as `tcp://host:8786`. `on_waiting` is called if it has no workers yet.

        Raises:
            UnavailableError: no scheduler answers within `TIMEOUT` seconds.

        """
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what is wrong is said once, by us
        self._address = address
        try:
            self._client: Any = Client(address, timeout=TIMEOUT, set_as_default=False)  # type: ignore[no-untyped-call]
        except (OSError, ValueError) as error:
            raise UnavailableError(f"no Dask scheduler answers at {address}: {_line(error)}") from None
        run = secrets.token_hex(8)
        self._order = ShareOrder(
            version=sapper.__version__,
            run="" if plan.boards is not None else run,
            plan=plan,
            strategy=strategy,
            native=native,
            move_limit=move_limit,
        )
        self._run = run
        self._asked: dict[Chunk, Any] = {}
        self._backends: set[str] = set()
        self._looked = 0.0
        self._threads = 0
        if self.threads == 0:
            on_waiting()

    @property
    def threads(self) -> int:
        now = time.monotonic()
        if self._looked == 0.0 or now - self._looked > _LOOK:
            with contextlib.suppress(OSError, TimeoutError):
                self._threads = sum(self._client.nthreads().values())
            self._looked = time.monotonic()
        return self._threads

    @property
    def width(self) -> int:
        return _AHEAD * max(1, self.threads)

    @property
    def backend(self) -> str:
        return "+".join(sorted({word for name in self._backends for word in name.split("+")}))

    def submit(self, chunk: Chunk) -> "Future[list[SimulatedGame]]":
        answer: Future[list[SimulatedGame]] = Future()
        self._ask(chunk, answer, LIVES)
        return answer

    def _ask(self, chunk: Chunk, answer: "Future[list[SimulatedGame]]", lives: int) -> None:
        """Ask for a chunk; where that fails, whoever waits for it is told. In a thread of Dask's nobody else would hear of it."""
        try:
            self._ask_client(chunk, answer, lives)
        except Exception as error:  # noqa: BLE001  # whoever waits for the chunk gets it
            with contextlib.suppress(InvalidStateError):  # nobody wants it any more
                answer.set_exception(self._told(error))

    def _ask_client(self, chunk: Chunk, answer: "Future[list[SimulatedGame]]", lives: int) -> None:
        order = self._order
        if order.plan.boards is not None:
            order = replace(order, plan=order.plan.part(chunk.begin, chunk.games))
        key = f"sapper-{self._run}-{chunk.begin}-{lives}"
        asked = self._client.submit(play_share, order, chunk, key=key, pure=False)
        self._asked[chunk] = asked
        asked.add_done_callback(lambda done: self._note(done, chunk, answer, lives))

    def _note(self, done: Any, chunk: Chunk, answer: "Future[list[SimulatedGame]]", lives: int) -> None:
        """A chunk has been played, or will not be. Runs in a thread of Dask's client."""
        self._asked.pop(chunk, None)
        with contextlib.suppress(InvalidStateError):  # nobody wants it any more
            try:
                backend, games = done.result()
            except KilledWorker:
                if lives > 1:
                    self._ask(chunk, answer, lives - 1)
                    return
                end = chunk.begin + chunk.games - 1
                why = f"workers of {self._address} were lost again and again while they played games {chunk.begin} to {end}"
                answer.set_exception(UnavailableError(f"{why} (out of memory?)"))
            except BaseException as error:  # noqa: BLE001  # whoever waits for the chunk is told
                answer.set_exception(self._told(error))
            else:
                self._backends.add(backend)
                answer.set_result(games)

    def _told(self, error: BaseException) -> BaseException:
        if isinstance(error, ModuleNotFoundError) and (error.name or "").startswith("sapper"):
            return UnavailableError(f"a worker of {self._address} has no sapper, or another one: {_line(error)}")
        if type(error).__name__ in _GONE:
            return UnavailableError(f"the scheduler at {self._address} is gone, with the queued games")
        return error

    def stop(self) -> None:
        with contextlib.suppress(Exception):
            self._client.cancel(list(self._asked.values()), force=True)

    def close(self) -> None:
        """Leave the cluster; nothing of this run stays queued there."""
        self.stop()
        with contextlib.suppress(Exception):
            self._client.close(timeout=5)


def _line(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__


LOOPBACK = "127.0.0.1"


@contextmanager
def local_cluster(workers: int, port: int) -> Iterator[str]:
    """A cluster of so many processes, one game at a time each, while the block runs: its address. Port 0 is any free one.

    A worker that dies is replaced. `UnavailableError` if the port is taken.
    """
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        # Dask starts a worker in place of one that died later, by the variables that it is told here.
        with without_current_folder(), dask.config.set({f"distributed.nanny.pre-spawn-environ.{SAFE_PATH}": "1"}):
            cluster = LocalCluster(  # type: ignore[no-untyped-call]
                host=LOOPBACK,
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                scheduler_port=port,
                dashboard_address=None,
                # Its HTTP server would take port 8787, and warn where another cluster has that.
                scheduler_kwargs={"dashboard_address": f"{LOOPBACK}:0"},
                silence_logs=logging.CRITICAL,
            )
    except (OSError, RuntimeError) as error:
        raise UnavailableError(f"no cluster at {LOOPBACK}:{port}: {' '.join(str(error).split())}") from None
    try:
        yield str(cluster.scheduler_address)
    finally:
        cluster.close(timeout=10)
