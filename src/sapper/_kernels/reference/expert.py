"""The parts of the strategy `expert`, in numbers, for the kernel and for its twin in `solver.strategies.expert`.

Knows: ints.
Does not know: boards, how the parts are used.
"""

from typing import NamedTuple

MOST_PLACES = 256
"""Cells that are not certainly mined, of a board whose endgame is searched."""
FIRST = 0.8
SECOND = 0.2
"""What the best and the second best safety after an answer are worth."""


class ExpertParts(NamedTuple):
    """What `expert` does at a guess. The defaults are the strategy; other numbers leave parts out, to see what they are worth."""

    layouts: int = 400
    """Most layouts of an endgame that is searched; 0: none is."""
    candidates: int = 12
    """Guesses whose answers are looked at; 1: the least likely mine is taken."""
    margin: int = 800
    """How safe they are at least, in per mille of the safest."""
    sets: int = 1_000_000
    """Sets of layouts that the search of an endgame may look at; then it takes the best move it knows."""
    decay: int = 0
    """By how much each cell that is safe after an answer lessens the need for another guess, in per mille that are left."""


EXPERT = ExpertParts()
