"""What a session knows and its player does not.

Knows: what a saved game is made of.
Does not know: who may have it (`Session.truth` does), what it is written as.
"""

from dataclasses import dataclass, field

from sapper.core.record import Record
from sapper.game.layout import Layout
from sapper.session.inputs import Input


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """What a session knows and its player does not: for saving, never for a player."""

    layout: Layout | None = field(repr=False)
    drawn_first: bool
    """Whether the layout was there before the first reveal."""
    inputs: tuple[Input, ...] = field(repr=False)
    record: Record = field(repr=False)
    """The game so far, with its seed and code."""
