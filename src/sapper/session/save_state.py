"""What a session knows and its player does not.

Knows: what a saved game is made of.
Does not know: who may have it (`Session.truth` does), what it is written as.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from sapper.core.record import Played, Record
from sapper.game.layout import Layout
from sapper.game.referee import Referee
from sapper.session.inputs import Input


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveState:
    """What a session knows and its player does not: for saving, never for a player."""

    layout: Layout | None = field(repr=False)
    drawn_first: bool
    """Whether the layout was there before the first reveal."""
    inputs: tuple[Input, ...] = field(repr=False)
    record: Record = field(repr=False)
    """The game so far, with its seed and code."""


def record_of(referee: Referee, played: Iterable[Played], *, code: str | None, seed: int | None) -> Record:
    """The game of a referee as it was played; mines, code and seed are in it when it has ended."""
    ended, layout = referee.status.ended, referee.layout
    return Record(
        rules=referee.rules,
        grid=referee.grid,
        mine_count=referee.mines,
        code=code if ended else None,
        seed=seed if ended else None,
        mines=layout.mines if ended and layout is not None else None,
        played=tuple(played),
    )
