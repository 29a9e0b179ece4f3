"""The steps of a proof as the native half writes them down: numbers one after the other (`native/prove.h`)."""

from collections.abc import Sequence
from typing import Literal

HEAD = 6
"""Numbers of a step before its cells: technique, pattern, bound, how many clues, safe cells and mines."""
FIRST_STEP = 2
"""Where the steps begin."""

Bound = Literal["fewest", "most"]
StepNumbers = tuple[int, str | None, Bound | None, list[int], list[int], list[int]]
"""Technique (a number of `solver.deduce.step.Technique`), pattern, bound, clues, safe cells, mines."""

_PATTERNS = (None, "1-1", "1-2", "hole", "1-2-1", "1-2-2-1")
_BOUNDS: tuple[Bound | None, ...] = (None, "fewest", "most")


def proof_steps_of(part: Sequence[int]) -> list[StepNumbers]:
    """The steps in what a prover wrote down in one go."""
    found: list[StepNumbers] = []
    at = FIRST_STEP
    while at < len(part):
        technique, name, bound, *counts = part[at : at + HEAD]
        at += HEAD
        clues, safe, mined = (list(part[at + sum(counts[:i]) : at + sum(counts[: i + 1])]) for i in range(3))
        found.append((technique, _PATTERNS[name], _BOUNDS[bound], clues, safe, mined))
        at += sum(counts)
    return found
