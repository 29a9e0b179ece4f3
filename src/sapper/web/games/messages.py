"""What is said on a game's socket: one struct a message, which decodes, checks, encodes and describes it.

The reader, the OpenAPI document, the tables of docs/web-protocol.md and the page's `messages.d.ts` are all made from these structs
(`web.http.schemas`, `scripts/web_messages.py`): the docstring of a struct says what the message means, the one of a field what the
field is. A new verb is a struct here and an entry of `PlayerMessage`:
its word says what it asks a game for (`session.inputs.Verb`, `play.played_game.Question`).
"""

from collections.abc import Iterable
from typing import Annotated, Any, Final, Literal, get_args

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.grid import Grid
from sapper.core.notation import write_tiles
from sapper.core.rules import Rules, Start, Win
from sapper.core.status import Status
from sapper.core.update import Update
from sapper.errors import RequestError
from sapper.session.events import Assistance, What
from sapper.solver.advisor import AdvisorName
from sapper.web.games.decoding import LARGEST_ID, decode, shown

CellPlace = Annotated[tuple[int, int], Meta(description="[column, row], from 0")]
"""A cell as it is written in messages; the origin is at the top left."""
CellRun = Annotated[tuple[int, str], Meta(description="[first cell, tiles]: neighbouring cells in a row-by-row walk")]
"""Tiles of neighbouring cells; the first is `row * width + column`."""
CellChance = Annotated[tuple[int, int, float], Meta(description="[column, row, chance to be a mine]")]
RequestId = Annotated[int, Meta(ge=-LARGEST_ID, le=LARGEST_ID, description="a whole number of no more than 53 bits")]
Share = Annotated[float, Meta(ge=0, le=1)]
"""A probability."""
GuessKind = Literal["none", "unknown", "kaboom", "first", "safe", "least", "level", "better", "equal"]
WinUnknown = Annotated[
    Literal["rules", "size", "library"],
    Meta(
        description="rules: these games are not won by revealing alone. size: the board is too large to be played out. library: the native library, which plays boards out, is missing"
    ),
]

_NO_UPDATES: Final = frozenset({What.SHOWN, What.FINISHED})
UpdateCause = Annotated[
    str, Meta(extra_json_schema={"enum": [*(one.value for one in What if one not in _NO_UPDATES), "working"]})
]

SOCKET_ERRORS: Final = {
    "bad-message": "not a message, or it does not fit this board",
    "illegal-move": "the move is not legal now",
    "went-on": "the game was changed elsewhere first: this was not done. The game as it is comes, or came, as a `state` or `update`",
    "busy": "the same request is in progress, or the server is busy",
    "slow-down": "too many messages or new games: this one was dropped",
    "too-long": "the game has too many inputs (more than 2,000 where memory is short): it can only be given up",
    "failed": "it took too much work, or is a bug of the server",
}  # fmt: skip
"""What an `error` on a socket can be, by its code."""
ErrorCode = Annotated[str, Meta(extra_json_schema={"enum": list(SOCKET_ERRORS)})]


# --- what a player says -------------------------------------------------------------------------------


class PlayerRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do"):
    """What every message of a player's may have."""

    id: RequestId | None = None
    """Comes back in the answer to this message."""
    after: RequestId | None = None
    """The `number` of the last `state` or `update` that the sender has had. If somebody else has changed the game since, nothing is done
    (`went-on`).
    """

    @property
    def verb(self) -> str:
        """What is asked for, as the message says it."""
        return _VERBS[type(self)]


class CellRequest(PlayerRequest, frozen=True, kw_only=True):
    """Asks for something at a cell."""

    cell: CellPlace
    """The cell."""


class LeftRequest(CellRequest, frozen=True, kw_only=True, tag="left"):
    """What the left button of a mouse does at a cell: reveal or chord. Where it can do nothing, nothing changes."""


class RightRequest(CellRequest, frozen=True, kw_only=True, tag="right"):
    """What the right button does: flag, question mark, none. Where it can do nothing, nothing changes."""


class RevealRequest(CellRequest, frozen=True, kw_only=True, tag="reveal"):
    """Reveal the cell, or an error that says why that is not legal; so with the next five."""


class FlagRequest(CellRequest, frozen=True, kw_only=True, tag="flag"):
    """Flag the cell."""


class UnflagRequest(CellRequest, frozen=True, kw_only=True, tag="unflag"):
    """Remove the flag."""


class QuestionRequest(CellRequest, frozen=True, kw_only=True, tag="question"):
    """Add a question mark."""


class UnquestionRequest(CellRequest, frozen=True, kw_only=True, tag="unquestion"):
    """Remove the question mark."""


class ChordRequest(CellRequest, frozen=True, kw_only=True, tag="chord"):
    """Reveal the other neighbours of a clue that has as many flags as it says."""


class TerminateRequest(PlayerRequest, frozen=True, kw_only=True, tag="terminate"):
    """Give the game up."""


class UndoRequest(PlayerRequest, frozen=True, kw_only=True, tag="undo"):
    """Undo the last move. Marks the game."""


class RedoRequest(PlayerRequest, frozen=True, kw_only=True, tag="redo"):
    """Redo the undone move."""


class RestartRequest(PlayerRequest, frozen=True, kw_only=True, tag="restart"):
    """The same board from the start. Marks the game; one that is running is given up. It is one of the new games that a player
    may have in a time.
    """


class PauseRequest(PlayerRequest, frozen=True, kw_only=True, tag="pause"):
    """Hide the board and stop the clock. A game whose clock was stopped counts as any other, but its time is compared with none:
    no best time, no part in times, medians and 3BV/s.
    """


class GoOnRequest(PlayerRequest, frozen=True, kw_only=True, tag="go_on"):
    """Show the board of a paused game and go on."""


class PageRequest(PlayerRequest, frozen=True, kw_only=True, tag="page"):
    """Whether this socket's page is hidden. Five seconds after nobody has had the game in view it is paused, and `auto_pauses` counts
    that. Who never says it is there for as long as the socket is open. Not answered.
    """

    hidden: bool
    """True if the page is hidden."""


class HintRequest(PlayerRequest, frozen=True, kw_only=True, tag="hint"):
    """The next step and its reason. Marks the game."""

    strategy: AdvisorName | None = None
    """Whose guess it names, where no cell is safe; null is the server's choice."""


class MayGuessRequest(PlayerRequest, frozen=True, kw_only=True, tag="may_guess"):
    """Whether nothing is certain to be safe. Marks the game, as a hint."""


class OverlayRequest(PlayerRequest, frozen=True, kw_only=True, tag="overlay"):
    """Chances of all covered cells after each move, from now on or no longer. Marks the game."""

    on: bool
    """Whether they are wanted."""


class AidRequest(PlayerRequest, frozen=True, kw_only=True, tag="aid"):
    """The page shows numbers less their flags, or sets several flags with one click. Marks the game; again it changes nothing."""


class StateRequest(PlayerRequest, frozen=True, kw_only=True, tag="state"):
    """Send the state again."""


class PingRequest(PlayerRequest, frozen=True, kw_only=True, tag="ping"):
    """Answer `pong`."""


PlayerMessage = (
    LeftRequest | RightRequest | RevealRequest | FlagRequest | UnflagRequest | QuestionRequest | UnquestionRequest
    | ChordRequest | TerminateRequest | UndoRequest | RedoRequest | RestartRequest | PauseRequest | GoOnRequest | HintRequest
    | MayGuessRequest | PageRequest | OverlayRequest | AidRequest | StateRequest | PingRequest
)  # fmt: skip
"""Everything that a player may say."""

REQUESTS: Final[dict[str, type[PlayerRequest]]] = {
    str(one.__struct_config__.tag): one for one in get_args(PlayerMessage)
}
"""The structs by their verbs."""
_VERBS: Final = {request: verb for verb, request in REQUESTS.items()}

_DECODER: Final[msgspec.json.Decoder[PlayerMessage]] = msgspec.json.Decoder(PlayerMessage)


class _Numbered(Struct, frozen=True):
    id: RequestId | None = None


_ID_DECODER: Final = msgspec.json.Decoder(_Numbered)


def read_request(content: str | bytes, grid: Grid) -> PlayerMessage:
    """What a message asks for; `RequestError` (`bad-message`) that says what is wrong with it, with its `id` if it has one."""
    found = decode(_DECODER, content, what="a message", example='{"do": "left", "cell": [3, 4]}', code="bad-message")
    if isinstance(found, CellRequest):
        x, y = found.cell
        if not (0 <= x < grid.width and 0 <= y < grid.height):
            raise RequestError(
                "bad-message",
                f"the columns are 0 to {grid.width - 1} and the rows 0 to {grid.height - 1}, not {shown([x, y])}",
                number=found.id,
            )
    return found


def id_of(content: str | bytes) -> int | None:
    """The `id` of a message that is not read otherwise; None where it has none."""
    try:
        return _ID_DECODER.decode(content).id
    except (ValueError, RecursionError):
        return None


def cell_of(request: PlayerRequest, grid: Grid) -> Cell:
    """The cell that a request is about; the first where it is about none."""
    return grid.cell(*request.cell) if isinstance(request, CellRequest) else Cell(0)


# --- what the server says -----------------------------------------------------------------------------


class ServerMessage(Struct, frozen=True, kw_only=True, tag_field="type"):
    """What every message of the server's has."""

    id: RequestId | UnsetType = UNSET
    """Of the message that this answers; only for who sent it."""

    def answering(self, number: int | None) -> "ServerMessage":
        """The same as the answer to a request of that id."""
        return self if number is None else msgspec.structs.replace(self, id=number)


class RulesData(Struct, frozen=True, kw_only=True):
    """Rules, as far as they concern who plays by hand."""

    name: str
    """The preset of rules, and what differs from it."""
    win: Win
    """When the game is won."""
    start: Start
    """What the first reveal may meet."""
    chording: bool
    """Whether a left click on a clue reveals its other neighbours."""
    question_marks: bool
    """Whether the right click goes on from a flag to a question mark."""
    cascade_clears_flags: bool
    """Whether a cascade reveals flagged cells too."""
    click_reveals_flagged: bool
    """Whether a left click on a flagged cell reveals it."""
    allows_aids: bool
    """Whether the player's screen may help with flags and with clicks."""

    @classmethod
    def of(cls, rules: Rules) -> "RulesData":
        """Those of a game."""
        return cls(**{name: getattr(rules, name) for name in cls.__struct_fields__})


class GameNow(ServerMessage, frozen=True, kw_only=True):
    """What updates and states both have: how the game stands after the update of this number."""

    number: int
    """Counts updates: one that is not the last plus one tells a client to ask for the `state`."""
    status: Status
    """How the game stands."""
    time: int
    """Milliseconds on the game's clock."""
    running: bool
    """Whether the clock is."""
    paused: bool
    """Whether the game is paused: the board is hidden then."""
    flags: int
    """Cells that are flagged."""
    can_undo: bool
    """Whether there is a move to take back."""
    can_redo: bool
    """Whether a move was taken back, and none made since."""
    assistance: Assistance
    """What sets the game apart."""
    overlay: bool
    """Whether chances are shown now."""


class UpdateMessage(GameNow, frozen=True, kw_only=True, tag="update"):
    """What a move changed, or a pause, a hint, a switch. After an end, the runs of `undone` and `restarted` are about the board as
    it was before `end.runs` showed the mines: a client takes those back first.
    """

    what: UpdateCause
    """What happened. `working`: the layout of a game without guesses is being looked for; the move follows, or an `error`."""
    runs: list[CellRun]
    """The cells that changed."""


class EndMessage(ServerMessage, frozen=True, kw_only=True, tag="end"):
    """After the update that ended a game: what is told only then."""

    status: Status
    """How it ended."""
    runs: list[CellRun]
    """Mines shown, and wrong flags."""
    code: str | None
    """Gives the same board again; null if no layout was generated, and on a day's board."""
    seed: str | None
    """Its digits: it may be larger than a number in JSON is everywhere."""
    bbbv: int | None
    """The board's 3BV; this and the next five are null where they are not known."""
    solved_bbbv: int | None
    """As much of it as was solved."""
    clicks: int | None
    """Clicks and moves."""
    effective_clicks: int | None
    """Those that changed something."""
    efficiency: float | None
    """Solved 3BV by clicks."""
    bbbv_per_second: float | None
    """Null after a pause too."""
    played: int
    """Games that the player has played now."""
    won: int
    """Games won."""
    best: bool
    """Whether this is the player's best time of the kind: of wins without help and without a pause."""


class ReviewMessage(ServerMessage, frozen=True, kw_only=True, tag="review"):
    """Soon after the end: the last move, judged by the board before it."""

    safe: list[CellPlace]
    """Cells that were certain to be safe."""
    mined: list[CellPlace]
    """Cells that were certain to be mines."""
    risk: Share | None
    """The move's chance to have met a mine; null if it took none (as a first reveal that is protected), or that is not known."""
    least: Share | None
    """The least chance of any cell."""
    forced: bool | None
    """Whether nothing was certain to be safe."""


class StateMessage(GameNow, frozen=True, kw_only=True, tag="state"):
    """Everything about the game now; the first message of a socket. Where chances are shown, `chances` follow as soon as they are
    found.
    """

    game: str
    """The game's name."""
    title: str
    """What to call it on a screen."""
    preset: str | None
    """The preset that it is of."""
    rules: RulesData
    """Its rules."""
    no_guess: bool
    """Whether its board needs no guess."""
    width: int
    """Columns."""
    height: int
    """Rows."""
    mine_count: int
    """Mines of the board."""
    first: CellPlace | None
    """The cell that a code names as the first to reveal."""
    board: list[str]
    """The tiles, a text a row."""
    end: EndMessage | UnsetType = UNSET
    """Of a game that has ended."""
    review: ReviewMessage | UnsetType = UNSET
    """Of a game that has ended, once it is known."""


class GuessReason(Struct, frozen=True, kw_only=True):
    """Why a cell is the one to reveal where no clue decides. What is not known is null."""

    kind: GuessKind
    """`none`: no cell is left to choose. `unknown`: a guess whose risk is not known. `kaboom`: a forced guess is safe there. `first`: safe
    as the first reveal. `safe`: a mine in no layout that fits. `least`: the least risk. `level`: no more often won than by the least
    risk. `better`: more often won than by the least risk, which is at `other`. `equal`: a move that was made, and none wins more often.
    """
    cell: CellPlace | None = None
    """The cell."""
    risk: Share | None = None
    """Its chance to be a mine."""
    win: Share | None = None
    """The chance to win by best play after it."""
    win_fraction: tuple[int, int] | None = None
    """That chance as a fraction, if it is exact and a simple one."""
    is_exact: bool = False
    """False if that chance is played out."""
    other: CellPlace | None = None
    """The least risky cell, if that is another."""
    other_risk: Share | None = None
    """Its chance to be a mine."""
    other_win: Share | None = None
    """The chance to win after it."""
    other_fraction: tuple[int, int] | None = None
    """As `win_fraction`."""
    other_is_exact: bool = False
    """As `is_exact`."""
    decides: list[CellPlace] = []
    """Cells that are certain after it, whatever its clue."""
    even: list[list[CellPlace]] = []
    """The cells of each 50/50 that cannot be avoided."""
    is_blank: bool = False
    """Whether no clue is revealed."""
    unflag_first: bool = False
    """Whether a flag on it must be removed first."""


class HintStep(Struct, frozen=True, kw_only=True):
    """One step of reasoning, as cells and numbers; docs/web-protocol.md has an example."""

    technique: str
    """The kind of reasoning."""
    pattern: str | None
    """The name of a known pattern, if it is one."""
    clues: list[CellPlace]
    """The clues that it reads; of two that overlap the one with the smaller need first."""
    values: list[int]
    """Their numbers."""
    safe: list[CellPlace]
    """What is safe by it."""
    mined: list[CellPlace]
    """What is a mine by it."""
    known: list[CellPlace]
    """Mines that were known before and that it counts on."""
    wrong_flags: list[CellPlace]
    """Flags on cells that are safe by it."""
    unflag_first: bool
    """Whether a flag must be removed before its cell can be revealed."""
    mine_count: int | None
    """Mines of the board, where their number is part of the reason; `known` are then all that are known."""
    bound: Literal["fewest", "most"] | None
    """Of `mine count`: the mines that are left are the fewest, or the most, that the clues allow."""
    layouts: int | None
    """Of `cases`: how many layouts were looked at; null where they are 10^15 or more."""
    layouts_log10: float | None
    """The decimal logarithm of so many."""
    anywhere: bool
    """Of `start`: whether the first reveal is safe wherever it is."""
    guess: GuessReason | None
    """Of `guess`: why that cell."""
    best: CellPlace | None
    """The cell to guess, where nothing is certain; the one to begin with, where the first reveal is protected."""
    risk: Share | None
    """That cell's chance to be a mine."""
    win: Share | None
    """Of a guess: the chance to win by best play after it, played out unless `win_low` and `win_high` are equal; null where it is not known."""
    win_low: Share | None
    """What that chance certainly is at least."""
    win_high: Share | None
    """What it certainly is at most."""


class HintMessage(ServerMessage, frozen=True, kw_only=True, tag="hint"):
    """The next step and its reason, after an update that counts the hint."""

    number: int
    """As of `chances`."""
    steps: list[HintStep]
    """The last is the one to act on."""
    may_guess: bool | None
    """Whether nothing is certain to be safe; null if that took too much work."""


class MayGuessMessage(ServerMessage, frozen=True, kw_only=True, tag="may_guess"):
    """Whether nothing is certain to be safe."""

    answer: bool | None
    """Null if that took too much work."""


class ChancesMessage(ServerMessage, frozen=True, kw_only=True, tag="chances"):
    """The chances of all covered cells."""

    number: int
    """Of the last update, if the board is still the one that they are about; else of the one that led to that board."""
    chances: list[CellChance] | None
    """Four digits after the point, more where so few would show an uncertain cell as 0 or 1; null where that took too much work."""
    win: Share | None = None
    """The chance to win by best play, played out unless `win_low` and `win_high` are equal; null where it is not known."""
    win_low: Share | None = None
    """What that chance certainly is at least."""
    win_high: Share | None = None
    """What it certainly is at most."""
    unknown: WinUnknown | None = None
    """Why the chance to win is not known."""


class ErrorMessage(ServerMessage, frozen=True, kw_only=True, tag="error"):
    """Something is not done."""

    code: ErrorCode
    """Why, for programs."""
    message: str
    """Why, for people."""


class PongMessage(ServerMessage, frozen=True, kw_only=True, tag="pong"):
    """The answer to a `ping`."""


class ClosingMessage(ServerMessage, frozen=True, kw_only=True, tag="closing"):
    """The server stops; come back soon."""


class SavingMessage(ServerMessage, frozen=True, kw_only=True, tag="saving"):
    """Whether what was told last is kept. It is, where nothing is said: a start and an end are told when they are on the disk."""

    saved: bool
    """False comes before an update or an end that the database has not taken in time; true when it has."""


AnyServerMessage = (
    StateMessage | UpdateMessage | EndMessage | ReviewMessage | HintMessage | MayGuessMessage | ChancesMessage
    | ErrorMessage | PongMessage | ClosingMessage | SavingMessage
)  # fmt: skip
"""Everything that the server may say."""


def place(grid: Grid, cell: int) -> CellPlace:
    """A cell as `[x, y]`."""
    return cell % grid.width, cell // grid.width


def places(grid: Grid, cells: Iterable[int]) -> list[CellPlace]:
    """Cells as `[x, y]` each."""
    return [place(grid, cell) for cell in cells]


def runs_data(update: Update) -> list[CellRun]:
    """What an update changed, as `[start, "tiles"]`."""
    return [(start, write_tiles(tiles)) for start, tiles in update.runs]


def rows_data(board: Board) -> list[str]:
    """A board, a text a row."""
    text, width = write_tiles(board.tiles), board.grid.width
    return [text[at : at + width] for at in range(0, len(text), width)]


_ENCODER: Final = msgspec.json.Encoder()


def write_json(value: Any) -> bytes:
    """A message, or any other value, as JSON."""
    return _ENCODER.encode(value)
