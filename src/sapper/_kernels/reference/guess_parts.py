"""The parts of the strategies `best-reply`, `second-opinion` and `playouts`, in numbers, for the kernel and for the twins in `solver.strategies`."""

import re
from typing import NamedTuple

MOST_PLACES = 256
"""Cells that are not certainly mined, of a board whose endgame is searched."""
FIRST = 0.8
SECOND = 0.2
"""What the best and the second best safety after an answer are worth."""
MOST_PLAYOUTS = 1_000_000
MOST_SECONDS = 3_600
"""The largest budgets of `playouts`."""


class GuessParts(NamedTuple):
    """What is done at a guess. The defaults are `best-reply`; other numbers leave parts out, to see what they are worth."""

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
    opening: int = 900
    """As long as no zero is revealed: what an answer is worth, in per mille of what it would be later; a zero is worth 1. 0: as later."""
    influence: int = 0
    """How much it counts that a guess may be forced later, in per mille of the layouts where it is safe and forced; 0: it does not."""
    rivals: int = 0
    """Candidates that are compared by playouts beside the opinions, those of the greatest value."""
    playouts: int = 0
    """Games that are played out for a decision, all guesses together; 0: none are, and guesses are compared by replies."""
    milliseconds: int = 0
    """If this is not 0, playouts go on for so long instead, whatever their number."""


BEST_REPLY = GuessParts()
OTHER_OPINIONS = (GuessParts(candidates=40, decay=100, influence=900), GuessParts(decay=600))
"""The other heuristics: one looks out for forced guesses, and needs a safe answer less; one needs it more."""
PLAYED = GuessParts(layouts=150, candidates=6, margin=900, sets=3_000)
"""Who plays a layout out for `second-opinion` and `playouts`."""
SECOND_OPINION = GuessParts(sets=30_000, rivals=3, playouts=450)
PLAYOUTS = GuessParts(layouts=20_000, sets=1_000_000, rivals=12, playouts=2_000)
_SETS_A_PLAYOUT = 100
_SETS_A_MILLISECOND = 300
"""An endgame's search may take about half of what the budget allows for playouts: a playout takes as long as some 200 sets."""


def parts_of(strategy: str) -> GuessParts | None:
    """The parts of a strategy by name; None for one that has no parts.

    `playouts@PLAYOUTS` has a budget of its own, and so has `playouts@SECONDSs`, which looks at the clock.
    """
    base, mark, budget = strategy.partition("@")
    if not mark and base in _FIXED:
        return _FIXED[base]
    if base != "playouts":
        return None
    if not mark:
        return PLAYOUTS
    if budget.endswith("s") and _NUMBER.fullmatch(budget[:-1]) and 0.001 <= float(budget[:-1]) <= MOST_SECONDS:
        milliseconds = int(1000 * float(budget[:-1]))
        return PLAYOUTS._replace(milliseconds=milliseconds, sets=min(_SETS_A_MILLISECOND * milliseconds, PLAYOUTS.sets))
    if not (budget.isascii() and budget.isdigit() and 0 < int(budget) <= MOST_PLAYOUTS):
        return None
    sets = min(max(_SETS_A_PLAYOUT * int(budget), BEST_REPLY.sets), PLAYOUTS.sets)
    return PLAYOUTS._replace(playouts=int(budget), sets=sets)


_FIXED = {"best-reply": BEST_REPLY, "second-opinion": SECOND_OPINION}
_NUMBER = re.compile(r"[0-9]{1,4}(\.[0-9]{1,3})?", re.ASCII)
