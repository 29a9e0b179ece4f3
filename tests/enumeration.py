"""Everything that a random draw can give, exactly: each number below a bound is tried in turn."""

from collections.abc import Callable, Iterator
from math import lcm
from typing import TypeVar
from unittest import mock

from sapper import _kernels
from sapper._kernels.reference import random as kernel

T = TypeVar("T")


def every_draw(draw: Callable[[], T]) -> Iterator[tuple[int, T]]:
    """Run `draw` once for each sequence of numbers it can get; each result with an integer weight.

    The chance of a result is its weight divided by the sum of all weights. Results whose sequences
    have different bounds are weighed by them, so nothing here rests on floats.
    """
    outcomes: list[tuple[int, T]] = []
    path: list[int] = []
    bounds: list[int] = []
    while True:
        bounds.clear()

        def below(state: list[int], bound: int) -> int:
            bounds.append(bound)
            if len(bounds) > len(path):
                path.append(0)
            return path[len(bounds) - 1]

        # The seam holds the function under its own name, for whoever is above it.
        with mock.patch.object(kernel, "below", below), mock.patch.object(_kernels, "below", below):
            result = draw()
        ways = 1
        for bound in bounds:
            ways *= bound
        outcomes.append((ways, result))
        while path and path[-1] == bounds[len(path) - 1] - 1:
            path.pop()
        if not path:
            break
        path[-1] += 1
    whole = lcm(*(ways for ways, _ in outcomes))
    yield from ((whole // ways, result) for ways, result in outcomes)
