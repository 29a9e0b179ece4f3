"""The strategies by name (the seeds' Algorithm), sapper's own and other people's.

Another package registers a strategy by the entry point group `sapper.strategies`: a callable that takes an
`Rng` and returns an object with `choose(board)`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from sapper._kernels import batch
from sapper.errors import StrategyLoadError, UnknownNameError
from sapper.solver.strategies.base import StrategyFactory
from sapper.solver.strategies.best_reply import BestReplyStrategy, SecondOpinionStrategy
from sapper.solver.strategies.least_risk import LeastRiskStrategy
from sapper.solver.strategies.simple import RandomStrategy, SingleStrategy
from sapper.solver.strategies.subset import SubsetStrategy

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnStrategy:
    """One of sapper's own strategies."""

    name: str
    factory: StrategyFactory
    is_native: bool
    """Whether the native half plays whole games with it; of the others it has the guesses only."""


OWN = (
    OwnStrategy(name="random", factory=RandomStrategy, is_native=True),
    OwnStrategy(name="single", factory=SingleStrategy, is_native=True),
    OwnStrategy(name="subset", factory=SubsetStrategy, is_native=True),
    OwnStrategy(name="least-risk", factory=LeastRiskStrategy, is_native=True),
    OwnStrategy(name="best-reply", factory=BestReplyStrategy, is_native=True),
    OwnStrategy(name="second-opinion", factory=SecondOpinionStrategy, is_native=False),
    OwnStrategy(name="playouts", factory=partial(SecondOpinionStrategy, parts=batch.PLAYOUTS), is_native=False),
)
"""The one table of sapper's own strategies, weakest first."""

_BUDGETED = f"playouts@1 to playouts@{batch.MOST_PLAYOUTS}, playouts@0.001s to playouts@{batch.MOST_SECONDS}s"

STRATEGIES: Mapping[str, StrategyFactory] = MappingProxyType({own.name: own.factory for own in OWN})
"""Their factories by name."""

NATIVE = tuple(own.name for own in OWN if own.is_native)
"""The names of those with kernels."""


def own_strategy(name: str) -> OwnStrategy | None:
    """One of sapper's own by name; `playouts@PLAYOUTS` and `playouts@SECONDSs` are `playouts` with that budget. None for any other name."""
    parts = batch.parts_of(name) if "@" in name else None
    if parts is not None:
        return OwnStrategy(name=name, factory=partial(SecondOpinionStrategy, parts=parts), is_native=False)
    return next((own for own in OWN if own.name == name), None)


def strategy_names() -> tuple[str, ...]:
    """All names that `find_strategy` takes, but for those with a budget."""
    return (*STRATEGIES, *_others())


def unknown_strategy(name: str) -> UnknownNameError:
    """The error of a name that is no strategy's; of a budget it says which there are."""
    return UnknownNameError("strategy", name, strategy_names() if "@" not in name else (*strategy_names(), _BUDGETED))


def find_strategy(name: str) -> StrategyFactory:
    """The factory of the strategy of that name; `UnknownNameError` otherwise. Other people's code is loaded for it."""
    own = own_strategy(name)
    if own is not None:
        return own.factory
    point = _others().get(name)
    if point is None:
        raise unknown_strategy(name)
    factory: StrategyFactory = point.load()
    if not callable(factory):
        raise StrategyLoadError(f"entry point {name!r} of group sapper.strategies is not callable: {factory!r}")
    return factory


def entry_point_of(name: str) -> "EntryPoint | None":
    """Where an installed package has the strategy of that name; nothing of it is loaded."""
    return _others().get(name)


@lru_cache(maxsize=1)
def _others() -> "dict[str, EntryPoint]":
    """What installed packages register; none of it is loaded before it is asked for."""
    from importlib.metadata import entry_points  # noqa: PLC0415  # costs 20 ms, and few ask

    return {point.name: point for point in entry_points(group="sapper.strategies")}
