"""Whether a recorded game may enter a ranking: played again by a referee, and compared with what hands can do.

The server has dealt the board and seen each move at its own clock, so there is nothing here to believe. What is played again is the
record: one that was edited shows another game. What no hand does is not proof of a program: such a game waits for an operator.
"""

from bisect import bisect_left
from itertools import pairwise
from statistics import fmean, median, pstdev
from typing import Final

from sapper.core.move import Action
from sapper.core.record import Record
from sapper.core.status import Status
from sapper.errors import SapperError
from sapper.game.layout import Layout
from sapper.game.referee import Referee
from sapper.game.source import FixedLayout
from sapper.store.models import StoredGame

FIRST_MOVE: Final = 150
"""Milliseconds from an opening that is shown to the first move."""
MOVES_A_SECOND: Final = 20
"""Moves within one second."""
LEAST_GAP: Final = 80
"""Milliseconds between two moves at different cells, on average and in the middle: the quickest hands take half as long again."""
FEWEST_GAPS: Final = 12
"""Moves that a game must have before its rhythm says anything."""
EVEN: Final = 0.08
"""Deviation of the gaps as a share of their mean: below it the rhythm is a machine's."""


def fault_of_game(game: StoredGame) -> str | None:
    """What is wrong with a record, in words; None if a referee that has its mines comes to the same game."""
    if game.record is None:
        return "its moves are not kept"
    try:
        return _fault(Record.from_json(game.record), game)
    except SapperError as error:
        return f"its record cannot be played again: {error}"


def _fault(record: Record, game: StoredGame) -> str | None:
    if record.mines is None or record.left_out:
        return "its record is not whole"
    kind = game.kind
    if (record.grid.width, record.grid.height, len(record.mines)) != (kind.width, kind.height, kind.mine_count):
        return "its record is of another board"
    if record.rules != kind.rules:
        return "its record is of other rules"
    referee = Referee(rules=record.rules, source=FixedLayout(Layout(record.grid, record.mines)))
    for number, one in enumerate(record.played, 1):
        changes = not one.update.is_empty or one.move.action is Action.TERMINATE
        if changes and referee.play(one.move) != one.update:
            return f"move {number} does not do what its record says"
    if referee.status is not Status(game.result.value):
        return f"played again it is {referee.status.value}"
    if record.played and game.time_ms is not None and record.played[-1].at != game.time_ms:
        return "its time is not that of its last move"
    return None


def human_doubt(game: StoredGame, *, opened: bool = False) -> str | None:
    """Why a game is not believed to be played by hand; None if nothing speaks against it. `opened`: its first reveal was the server's."""
    assert game.record is not None
    played = [one for one in Record.from_json(game.record).played[1:] if not one.update.is_empty]
    times = [one.at for one in played]
    if opened and times and times[0] < FIRST_MOVE:
        return f"the first move came {times[0]} ms after the opening"
    for start, at in enumerate(times):
        count = bisect_left(times, at + 1000) - start
        if count > MOVES_A_SECOND:
            return f"{count} moves within a second"
    gaps = [later.at - earlier.at for earlier, later in pairwise(played) if earlier.move.cell != later.move.cell]
    if gaps and min(median(gaps), fmean(gaps)) < LEAST_GAP:
        return f"the moves come within {min(median(gaps), fmean(gaps)):.0f} ms"
    if len(gaps) >= FEWEST_GAPS and pstdev(gaps) < EVEN * fmean(gaps):
        return f"the moves come every {fmean(gaps):.0f} ms, almost without a difference"
    return None


def uses_flags(game: StoredGame) -> bool:
    assert game.record is not None
    return any(one.move.action is Action.FLAG for one in Record.from_json(game.record).played)
