"""Events of a session for its observer."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, unique
from typing import NamedTuple

from sapper.core.move import Move
from sapper.core.record import Record
from sapper.core.update import Update


@unique
class What(Enum):
    """A kind of event."""

    MOVED = "moved"
    """A move, or a click that changed nothing."""
    UNDONE = "undone"
    REDONE = "redone"
    RESTARTED = "restarted"
    PAUSED = "paused"
    """The update covers the board."""
    WENT_ON = "went on"
    """The update shows it again."""
    HINTED = "hinted"
    OVERLAY = "overlay"
    """Chances are shown over the board from now on, or no longer."""
    AIDED = "aided"
    """The player's screen helps with flags from now on."""
    SHOWN = "shown"
    """Somebody was shown the mines."""
    FINISHED = "finished"
    """The game has ended: once a game, after the event of the move that ended it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assistance:
    """The help in a game, and what else sets it apart from one that was played straight through."""

    hints: int = 0
    undone: int = 0
    """Moves that were taken back, each time they were."""
    restarts: int = 0
    """How often the same board was started over before this game."""
    pauses: int = 0
    """How often its player stopped the clock."""
    auto_pauses: int = 0
    """How often the clock was stopped because nobody was looking."""
    shown: bool = False
    """True if the mines were shown before the end."""
    overlay: bool = False
    """True if chances were shown over the board."""
    aided: bool = False
    """True if the player's screen counted flags (numbers less their flags) or set several with one click."""
    seen: bool = False
    """True if the board was named by a seed or a code, so that its mines may be known."""
    practice: bool = False
    """True if the game began in the middle, from a position to be played on."""

    @property
    def is_assisted(self) -> bool:
        """True if the result stands apart from unassisted ones: after help of any kind, or on a board that may be known."""
        return self.is_advised or bool(self.restarts or self.aided or self.seen or self.practice)

    @property
    def is_advised(self) -> bool:
        """True if the player had more to choose by than the board: hints, chances, the mines, or moves that were taken back."""
        return bool(self.hints or self.undone or self.shown or self.overlay)

    @property
    def helped(self) -> tuple[bool, bool]:
        """Whether the game is assisted, and whether advised: it grows with the help."""
        return self.is_assisted, self.is_advised

    @property
    def is_timed(self) -> bool:
        """True if its time can be compared with others': a board that a pause hides, whoever asked for it, can be thought about from
        memory, in no time.
        """
        return not (self.pauses or self.auto_pauses)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """A game that has ended: what is stored of it."""

    record: Record
    """The moves that stand, with the mines, the seed and the code. Clicks that changed nothing are in it."""
    assistance: Assistance
    milliseconds: int
    """On the game's clock."""


class Event(NamedTuple):
    """One thing that happened. Applied to a board in order, the updates of all events give `Session.board`."""

    what: What
    at: int
    """Milliseconds on the game's clock."""
    update: Update
    move: Move | None = None
    """Of a move, of one undone or redone."""
    finished: Finished | None = None
    """Of the end."""


Observer = Callable[[Event], None]
"""Is called with each event once, when the session is as the event says."""
