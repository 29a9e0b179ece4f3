"""What a played game tells its face: values without words and without transport."""

from typing import Final, NamedTuple

from sapper.core.update import Update
from sapper.errors import IllegalMoveError, RequestError
from sapper.metrics.game import GameMetrics
from sapper.play.jobs import FoundChances, FoundHint, LastMoveVerdict
from sapper.play.ports import Receipt
from sapper.session.events import What

WENT_ON: Final = "the game was changed elsewhere first: this was not done"


def went_on() -> RequestError:
    """Why a game does not do what was asked of it before it was changed elsewhere."""
    return RequestError("went-on", WENT_ON)


class Changed(NamedTuple):
    """The session did something: a move, an undo, a pause, help that was counted. A click without an effect has an empty update."""

    number: int
    """Counts these and `Working`."""
    what: What
    update: Update


class Working(NamedTuple):
    """The layout of a first reveal is being searched for: the move follows, or `Refused`."""

    number: int


class GameEnded(NamedTuple):
    """The last `Changed` ended the game. The session tells its status, time, code and layout from now on."""

    metrics: GameMetrics | None
    """None where no layout was drawn."""
    played: int
    """Games that the player has played now."""
    won: int
    """Games won."""
    is_best: bool
    """True if this is the player's best time of the kind: of wins without help and without a pause."""


class Judged(NamedTuple):
    """The last move of the game that has ended, judged."""

    verdict: LastMoveVerdict


class HintFound(NamedTuple):
    """A hint, which has been counted."""

    number: int
    """Of the last `Changed`, if the board is still the one that the hint is about; else of the one that led to that board."""
    hint: FoundHint


class MayGuessFound(NamedTuple):
    """Whether a guess is all that is left, which has been counted as a hint."""

    answer: bool | None
    """None if that took too much work."""


class ChancesFound(NamedTuple):
    """The chances of all covered cells."""

    number: int
    """As of `HintFound`."""
    chances: FoundChances
    is_answer: bool
    """True for an answer to one request, which is for the asker alone; False where chances are shown."""


class Refused(NamedTuple):
    """What was asked for earlier is not done."""

    error: RequestError | IllegalMoveError
    ends_working: bool = False
    """True if `Working` was told, so that all who heard that hear this; else it is for the asker."""


GameEvent = Changed | Working | GameEnded | Judged | HintFound | MayGuessFound | ChancesFound | Refused


class Happened(NamedTuple):
    """What one request led to, or an answer that came later."""

    events: list[GameEvent]
    receipt: Receipt | None
    """What must be durable before anyone is told of this; None: tell it now."""
    asker: object
    """The asker, as `PlayedGame.do` was told; None where there is none."""
