"""How long to go on: a number of tries, and whatever else the caller cares about."""

from collections.abc import Callable
from dataclasses import dataclass


def _always() -> bool:
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """At most `tries` (None: any number), as long as `go_on` says so; it is asked between batches of tries."""

    tries: int | None = None
    go_on: Callable[[], bool] = _always

    def __post_init__(self) -> None:
        if self.tries is not None and self.tries < 1:
            raise ValueError(f"a budget is 1 try at least, not {self.tries}")

    def batch(self, tried: int, wanted: int) -> int:
        """How many tries of `wanted` may be made after `tried`; 0 when the budget is spent."""
        left = wanted if self.tries is None else min(wanted, self.tries - tried)
        return left if left > 0 and self.go_on() else 0


UNLIMITED = Budget()
"""Until it is found."""
