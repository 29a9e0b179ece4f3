"""Work that takes long: so much of it in each turn of the event loop, and the rest waits.

A move is answered as soon as it is read, whoever else plays. What may take long (a START, a reveal on a large board,
packets that are sent without waiting for their answers) is done at once while the turn has budget left; else it stands in the line,
where addresses take turns, and the connections of an address among themselves (`server.fair_queue`).
Between two turns the loop reads what has come, accepts, and writes: so a move waits for the budget of one turn and the work that was
begun last, however many connections ask for much.
"""

import asyncio
from typing import Final, Protocol

from sapper.server.fair_queue import FairQueue

TURN: Final = 0.005
"""Seconds of long work in a turn of the loop. What has begun is finished."""
FREE: Final = 0.0002
"""Seconds of quick packets of one connection at a time, which are no long work: several times what a move takes."""


class Waiting(Protocol):
    """A connection that can wait for its turn."""

    peer: str
    address: str

    def take_turn(self) -> None:
        """Do some of the work, and say how long it took (`Turns.spend`)."""


class Turns:
    """The budget of each turn, and the line."""

    __slots__ = ("_is_arranged", "_left", "_line", "_loop")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._line = FairQueue[Waiting]()
        self._left = TURN
        self._is_arranged = False

    @property
    def is_free(self) -> bool:
        return self._left > 0 and not self._line

    def line_up(self, one: Waiting) -> None:
        """Call `take_turn` when its turn comes. It must not be waiting already."""
        self._line.put(one, one.peer, one.address)
        self._arrange()

    def spend(self, seconds: float) -> None:
        self._left -= seconds
        self._arrange()

    def _arrange(self) -> None:
        if not self._is_arranged:
            self._is_arranged = True
            self._loop.call_soon(self._begin)

    def _begin(self) -> None:
        """A turn of the loop begins: this comes before what the loop has read meanwhile."""
        self._is_arranged = False
        self._left = TURN
        while self._line and self._left > 0:
            self._line.take().take_turn()
        if self._line:
            self._arrange()
