"""Shared by all searches for a layout: the result, the statistics, the budget, and the spec as the kernels take it."""

from collections.abc import Callable
from dataclasses import dataclass

from sapper._kernels.batch import Field, Wanted
from sapper.core.cells import Cell
from sapper.core.grid import Grid
from sapper.core.rules import Start
from sapper.errors import InvalidValueError
from sapper.game.layout import Layout
from sapper.generator.layout_spec import LayoutSpec, Method, Range
from sapper.generator.no_guess.certificate import Certificate

START_NUMBERS = {Start.ANY: 0, Start.SAFE: 1, Start.OPEN: 2}
"""Start rules as kernels take them."""
_NO_LIMIT = 1 << 40


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratedLayout:
    """A layout as it was specified."""

    layout: Layout
    first: Cell
    certificate: Certificate | None
    """The proof that no guess is needed, where that was specified."""
    tries: int
    """How many layouts were tried, this one included: one in so many has what is wanted, more or less."""


class SearchStats:
    """Counts of the tries so far; a search adds to them."""

    __slots__ = ("furthest", "hard", "measured", "solved", "tried")

    def __init__(self) -> None:
        self.tried = 0
        """How many layouts were tried."""
        self.measured = 0
        """How many had the wanted numbers."""
        self.hard = 0
        """How many were given up, their boards being too hard to analyse."""
        self.solved = 0
        """How many needed no guess, and no harder technique than is allowed."""
        self.furthest = 0
        """The most cells that could be revealed without a guess."""

    def told(self, spec: LayoutSpec) -> str:
        words = [f"no layout with {spec.properties} found in {self.tried:,} {'try' if self.tried == 1 else 'tries'}"]
        if self.measured < self.tried and spec.method is Method.REJECTION:
            words.append(f"{self.measured:,} had the wanted numbers")
        if spec.no_guess and self.measured:
            words.append(f"{self.solved:,} needed no guess")
            if not self.solved:
                words.append(
                    f"the furthest got {self.furthest:,} of {spec.grid.size - spec.mine_count:,} safe cells open"
                )
        if self.hard:
            words.append(f"{self.hard:,} were too hard to analyse")
        if spec.no_guess and spec.method is Method.REJECTION:
            words.append("method 'repair' finds more on dense boards, 'pack' on the densest")
        if spec.no_guess and spec.method is Method.REPAIR:
            words.append("method 'pack' finds boards that are denser still")
        return "; ".join(words)


def field_of(grid: Grid) -> Field:
    return Field(*grid.table, *((grid.width, grid.height) if grid.is_plane else (0, 0)))


def wanted_numbers(spec: LayoutSpec) -> Wanted:

    def ends(wanted: Range) -> tuple[int, int]:
        least, most = wanted
        return (
            0 if least is None else min(max(0, least), _NO_LIMIT),
            _NO_LIMIT if most is None else min(max(-1, most), _NO_LIMIT),
        )

    return Wanted(*ends(spec.bbbv), *ends(spec.openings))


def _always() -> bool:
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """At most `tries` (None: any number), as long as `go_on` says so; it is asked between batches of tries."""

    tries: int | None = None
    go_on: Callable[[], bool] = _always

    def __post_init__(self) -> None:
        if self.tries is not None and self.tries < 1:
            raise InvalidValueError(f"a budget is 1 try at least, not {self.tries}")

    def batch(self, tried: int, wanted: int) -> int:
        """How many tries of `wanted` may be made after `tried`; 0 when the budget is spent."""
        left = wanted if self.tries is None else min(wanted, self.tries - tried)
        return left if left > 0 and self.go_on() else 0


UNLIMITED = Budget()
"""Until it is found."""
