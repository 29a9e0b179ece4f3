"""The parts of the strategies `expert` and `deep`, in numbers, for the kernel and for the twins in `solver.strategies`.

Knows: ints.
Does not know: boards, how the parts are used.
"""

from typing import NamedTuple

MOST_PLACES = 256
"""Cells that are not certainly mined, of a board whose endgame is searched."""
FIRST = 0.8
SECOND = 0.2
"""What the best and the second best safety after an answer are worth."""
MOST_SETS = 2_000_000
"""The largest budget: some seconds, and 160 MB."""


LEAST_OPENING = 1 / 3
"""The chance to come to a zero from which `opening` goes for one."""


class ExpertParts(NamedTuple):
    """What is done at a guess. The defaults are `expert`; other numbers leave parts out, to see what they are worth."""

    layouts: int = 600
    """Most layouts of an endgame that is searched; 0: none is."""
    candidates: int = 12
    """Guesses whose answers are looked at; 1: the least likely mine is taken."""
    margin: int = 800
    """How safe they are at least, in per mille of the safest."""
    sets: int = 50_000
    """Sets of layouts that the search of an endgame may look at; one that needs more is given up."""
    decay: int = 300
    """By how much each cell that is safe after an answer lessens the need for another guess, in per mille that are left."""
    opening: int = 1
    """1: as long as no zero is revealed, the guess most likely to end in one is taken; 0: as any other guess."""


EXPERT = ExpertParts()
DEEP = ExpertParts(layouts=20_000, sets=100_000)


def parts_of(strategy: str) -> ExpertParts | None:
    """The parts of a strategy by name, `deep@SETS` with a budget of its own; None for one that has no parts."""
    base, mark, sets = strategy.partition("@")
    if base == "expert" and not mark:
        return EXPERT
    if base != "deep" or (mark and not (sets.isascii() and sets.isdigit() and 0 < int(sets) <= MOST_SETS)):
        return None
    return DEEP._replace(sets=int(sets)) if mark else DEEP


def kernel_of(strategy: str) -> str:
    """The strategy whose kernel plays this one."""
    return "expert" if parts_of(strategy) else strategy
