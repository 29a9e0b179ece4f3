"""Whose guess advice names where a board is not exact: a strategy's. What that guess wins is played out (`win`).

What is said of a board is the same each time, unless the strategy looks at the clock.
"""

from dataclasses import KW_ONLY, dataclass
from typing import Final, Literal, get_args

from sapper._kernels import batch
from sapper._kernels.batch import GuessParts
from sapper.errors import UnknownNameError

AdvisorName = Literal["best-reply", "second-opinion", "playouts"]
ADVISORS: Final[tuple[AdvisorName, ...]] = get_args(AdvisorName)
"""The strategies that may advise, the quickest first: those that play to win, and have parts (`batch.GuessParts`)."""
TIMED: Final = frozenset({"playouts"})
"""Those that think as long as they may."""


@dataclass(frozen=True, slots=True)
class Advisor:
    """A strategy that advises. Without an advisor it is `second-opinion`."""

    strategy: AdvisorName = "second-opinion"
    """One of `ADVISORS`; `UnknownNameError` for another."""
    _: KW_ONLY
    seconds: float = 0.5
    """How long `playouts` may think about a guess; the others take no longer than they need."""

    def __post_init__(self) -> None:
        if self.strategy not in ADVISORS:
            raise UnknownNameError("advisor", self.strategy, ADVISORS)

    @property
    def parts(self) -> GuessParts:
        """Those of the strategy."""
        name = f"{self.strategy}@{self.seconds:.3f}s" if self.strategy in TIMED else self.strategy
        parts = batch.parts_of(name)
        assert parts is not None
        return parts
