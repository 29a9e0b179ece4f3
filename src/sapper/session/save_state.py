"""The hidden state of a session: layout, inputs, record."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from sapper.core.record import Record, TimedMove
from sapper.errors import SapperError
from sapper.game.layout import Layout
from sapper.game.referee import Referee
from sapper.generator.game_code import game_of_code
from sapper.session.inputs import Input


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveState:
    """The hidden state of a session: for saving, never for a player."""

    layout: Layout | None = field(repr=False)
    drawn_first: bool
    """True if the layout was there before the first reveal."""
    inputs: tuple[Input, ...] = field(repr=False)
    record: Record = field(repr=False)
    """The game so far, with its seed and the code that it was begun with."""


def code_of_layout(referee: Referee, code: str | None) -> str | None:
    """The code that gives the referee's layout whatever is revealed first, of a game begun with `code`.

    That one itself where it says all there is to say: no layout is generated, or it was generated before the first reveal. What is
    no code of a game is kept as it is.
    """
    layout, drawn_at = referee.layout, referee.asked_at
    if code is None or layout is None or drawn_at is None:
        return code
    try:
        game = game_of_code(code)
    except SapperError:
        return code
    return game.played(layout, drawn_at).code


def record_of(referee: Referee, played: Iterable[TimedMove], *, code: str | None, seed: int | None) -> Record:
    """The game of a referee as it was played; mines, seed and the code of the layout are in it when it has ended."""
    ended, layout = referee.status.ended, referee.layout
    return Record(
        rules=referee.rules,
        grid=referee.grid,
        mine_count=referee.mine_count,
        code=code_of_layout(referee, code) if ended else None,
        seed=seed if ended else None,
        mines=layout.mines if ended and layout is not None else None,
        played=tuple(played),
    )
