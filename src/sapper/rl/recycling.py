"""Copies of one array after the other, in memory that their holders have let go.

A fresh half megabyte comes from the operating system page by page, which takes several times as long as copying into it.
"""

import sys
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

_MOST: Final = 4
"""Copies whose memory is kept. Who holds more of them gets fresh memory for the others."""


class RecycledCopies:
    """Makes copies. None changes while it, a view of it or anything else that NumPy knows to use its memory is referred to."""

    __slots__ = ("_alone", "_held")

    def __init__(self, like: NDArray[Any]) -> None:
        """For arrays of this shape and type."""
        self._held = [np.empty_like(like)]
        self._alone = sys.getrefcount(self._held[0])
        """The references to one that only the list has; how many that is, is the interpreter's affair."""

    def copy(self, source: NDArray[Any]) -> NDArray[Any]:
        """A copy that the caller may keep and change."""
        held = self._held
        for number in range(len(held)):
            if sys.getrefcount(held[number]) == self._alone:
                np.copyto(held[number], source)
                return held[number].view()  # which refers to it, as each view of the view does
        made = source.copy()
        if len(held) < _MOST:
            held.append(made)
        return made.view()
