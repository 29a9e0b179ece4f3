"""The work of a cluster's worker: a chunk of games.

An engine takes long to make and is used by one thread, so a worker process keeps those of the last runs for the chunks to come.
"""

import queue
import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

import sapper
from sapper.errors import UnavailableError
from sapper.simulate.engines import Engine, NativeEngine
from sapper.simulate.plan import Chunk, Plan
from sapper.simulate.results import SimulatedGame
from sapper.simulate.runner import backend_of, make_engine

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
