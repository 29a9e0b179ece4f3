"""The JSON of games that have ended, their reviews, and positions that are looked into: one struct each, as `bodies` has them."""

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from sapper.core.move import Action
from sapper.core.status import Status
from sapper.review.values import MoveVerdict
from sapper.store.models import LONGEST_KEY
from sapper.web.games.bodies import LONGEST_NAME, BoardAnalysis, Moment
from sapper.web.games.messages import CellChance, CellPlace, CellRun, GuessReason, HintStep, RulesData, Share

MoveAction = Annotated[str, Meta(extra_json_schema={"enum": [action.name.lower() for action in Action]})]
Verdict = Annotated[str, Meta(extra_json_schema={"enum": [verdict.value for verdict in MoveVerdict]})]
Difference = Annotated[float, Meta(ge=-1, le=1)]
"""Of two probabilities."""

# --- asked for ----------------------------------------------------------------------------------------


class PlayedQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which finished games are listed, all of it optional."""

    preset: (
        Annotated[str, Meta(max_length=LONGEST_NAME, pattern=r"^[^\0]*$", description="the name of a preset, or `custom`")] | None
    ) = None  # fmt: skip
    """Games of this preset; `custom` is those of none."""
    result: Literal["won", "lost", "terminated"] | None = None
    """How they ended."""
    since: Moment | None = None
    """Games that ended then or later."""
    until: Moment | None = None
    """Games that ended before."""
    after: Annotated[str, Meta(max_length=LONGEST_KEY, description="the name of a game")] | None = None
    """The last game of the page before this one."""


class SharingBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whether anyone who has its link may see a game."""

    shared: bool
    """True shows it to anyone, false to its player alone."""


class PositionBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A position to be looked into."""

    text: str
    """A board text, a game's code, or a game id of Mines of Simon Tatham's collection."""
    mine_count: Annotated[int, Meta(ge=0)] | None = None
    """The mines of a board text that does not say them."""


class PracticeBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A position to be played on from."""

    board: str
    """A board text."""
    mine_count: Annotated[int, Meta(ge=0)] | None = None
    """Its mines, if the text does not say."""
    rules: Annotated[str, Meta(max_length=LONGEST_NAME)] | None = None
    """A preset of rules; `modern` without one."""


# --- a game that has ended ----------------------------------------------------------------------------


class PlayedMove(Struct, frozen=True, kw_only=True):
    """A move that was made."""

    at: int
    """Milliseconds on the game's clock."""
    action: MoveAction
    """What was done."""
    cell: CellPlace
    """Where."""
    status: Status
    """How the game stood after it."""
    runs: list[CellRun]
    """What it changed."""


class FinishedGameData(Struct, frozen=True, kw_only=True):
    """A game as it was played, from all cells covered to its end."""

    game: str | None
    """Its name; null for one that is not kept here."""
    title: str
    """What to call it on a screen."""
    preset: str | None
    """The preset that it is of."""
    rules: RulesData
    """Its rules."""
    width: int
    """Columns."""
    height: int
    """Rows."""
    mine_count: int
    """Mines of the board."""
    no_guess: bool
    """Whether its board needs no guess."""
    status: Status
    """How it ended."""
    time: int | None
    """Its time in milliseconds; null where it is not to be compared with others, as after a pause."""
    ended: int | None
    """When it ended, in milliseconds since 1970."""
    player: str | None
    """Who played it, of a recording that says so."""
    format: str | None
    """Of a recording: the format of its file."""
    assisted: bool
    """Whether it was played with help, or on a board that was seen before."""
    own: bool
    """Whether whoever asks has played it."""
    shared: bool
    """Whether anyone who has its link may see it."""
    hidden: bool
    """Whether the mines that the game did not show are kept back, because its board is being played again."""
    code: str | None
    """Gives the same board again; null while that is kept back, or where there is none."""
    bbbv: int | None
    """The board's 3BV; this and the next are null while the mines are kept back."""
    solved_bbbv: int | None
    """As much of it as was solved."""
    clicks: int | None
    """Clicks and moves."""
    moves: list[PlayedMove]
    """In their order."""
    mined: list[CellPlace] | None
    """Where the mines were; null while that is kept back, or where it is not known."""


class PlayedSummary(Struct, frozen=True, kw_only=True):
    """A finished game, as a list shows it."""

    game: str
    """Its name."""
    preset: str | None
    """The preset that it is of."""
    width: int
    """Columns."""
    height: int
    """Rows."""
    mine_count: int
    """Mines of the board."""
    no_guess: bool
    """Whether its board needs no guess."""
    status: Status
    """How it ended."""
    time: int | None
    """Its time in milliseconds, as of `FinishedGameData`."""
    ended: int
    """When it ended, in milliseconds since 1970."""
    assisted: bool
    """Whether it was played with help, or on a board that was seen before."""
    bbbv: int | None
    """The board's 3BV."""
    solved_bbbv: int | None
    """As much of it as was solved."""
    clicks: int | None
    """Clicks and moves."""
    has_moves: bool
    """Whether its moves are kept, so that it can be looked through."""


class PlayedList(Struct, frozen=True, kw_only=True):
    """Finished games, the last first."""

    games: list[PlayedSummary]
    """Those of one page."""
    more: bool
    """Whether others follow."""


# --- its review ---------------------------------------------------------------------------------------


class JudgedMove(Struct, frozen=True, kw_only=True):
    """A move, judged by what could be known before it; what is not known is null."""

    verdict: Verdict
    """What it was."""
    survived: bool
    """Whether the game went on after it."""
    risk: Share | None
    """The chance that it revealed a mine."""
    least_risk: Share | None
    """The least risk that a reveal could have."""
    win_before: Share | None
    """The chance to win before it, by best play."""
    win_by_move: Share | None
    """The chance to win when it is made, before its answer is seen."""
    win_after: Share | None
    """The chance to win once the answer is seen."""
    exact: bool
    """Whether all three are exact; else they are played out."""
    best: CellPlace | None
    """A better reveal, of a move that was not the best."""
    safe: list[CellPlace]
    """The certain cells that it missed."""
    proof: list[HintStep]
    """The steps that show such a cell to be safe, or the revealed one to be a mine."""
    guess: GuessReason | None
    """Of a guess where nothing was certain: why the better one is better, or why this one was right."""
    chorded_mines: list[CellPlace]
    """Of a chord: the cells it revealed that were certain to be mines."""
    chorded_guesses: list[CellPlace]
    """Of a chord: the cells it revealed that were not certain to be safe."""
    kaboom: bool
    """Whether Kaboom decided it: a forced guess is safe there, and a needless one meets a mine."""
    left_out: int
    """Moves before it that the record leaves out, so that it cannot be judged."""


class GameVerdicts(Struct, frozen=True, kw_only=True):
    """A game, judged move by move; docs/review.md defines each number."""

    moves: list[JudgedMove]
    """One for each move of the game, as far as there was time."""
    complete: bool
    """Whether all were judged."""
    win_first: Share | None
    """The chance to win before the first move."""
    win_last: Share | None
    """The chance to win after the last."""
    cost: float | None
    """What choices cost of the chance to win."""
    luck: float | None
    """What answers added to it."""
    accuracy: Share | None
    """The share of the chance to win that the choices kept."""
    survival: Share | None
    """The chance to survive all guesses that have a known risk."""
    guesses: int
    """Moves that were not certain to be safe."""
    forced: int
    """Those of them where nothing was certain to be safe."""
    needless: int
    """Those where something was."""
    survived: int
    """Guesses of a known risk that met no mine."""
    expected_survived: float | None
    """How many guesses of a known risk were to be survived on average."""
    mistakes: int
    """Moves that were not the best."""
    turning_point: int | None
    """The move that changed the chance to win most, from 1."""


class ReviewedRecording(Struct, frozen=True, kw_only=True):
    """A recording that was sent, and its review; nothing of it is kept."""

    game: FinishedGameData
    """The game."""
    review: GameVerdicts
    """The review."""


# --- positions ----------------------------------------------------------------------------------------


class ContradictionData(Struct, frozen=True, kw_only=True):
    """Why no layout fits a position."""

    clues: list[CellPlace]
    """The clues that contradict each other."""
    mine_count: bool
    """Whether the number of mines has a part in it."""


class PositionAnswer(Struct, frozen=True, kw_only=True):
    """A position, and what can be known of it."""

    source: Literal["board", "code", "game id"]
    """What the text was."""
    width: int
    """Columns."""
    height: int
    """Rows."""
    mine_count: int
    """Mines of the board."""
    board: list[str]
    """The position, a text a row; of a code and a game id, after the first reveal that it names."""
    layouts: str | None
    """How many layouts fit, in digits; null where that is not known or takes more than 60."""
    layouts_log10: float | None
    """Its decimal logarithm; null where it is not known, or none fits."""
    contradiction: ContradictionData | None
    """Why no layout fits; null where one does."""
    steps: list[HintStep]
    """Reasons step by step: what follows from what is seen, the easiest first; at the end a guess, where that is all that is left."""
    analysis: BoardAnalysis | None
    """Chances, and the chance to win; null where no layout fits."""


class WrongPosition(Struct, frozen=True, kw_only=True):
    """A position of a game of one's own in which another move was better."""

    game: str
    """The game."""
    move: int
    """Which of its moves followed, from 1."""
    width: int
    """Columns."""
    height: int
    """Rows."""
    mine_count: int
    """Mines of the board."""
    board: list[str]
    """What was seen, a text a row, without flags."""
    chosen: CellPlace
    """The cell that was revealed."""
    verdict: Verdict
    """What that move was."""
    right: list[CellPlace]
    """The cells that are right: all that are certain to be safe, else every guess that is not told apart from the best."""
    steps: list[HintStep]
    """Why these are right; nothing of the move that was made."""
    chances: list[CellChance]
    """The chance of each covered cell to be a mine."""


class WrongPositions(Struct, frozen=True, kw_only=True):
    """Positions that went wrong, of one's latest games first."""

    positions: list[WrongPosition]
    """Some of them."""
    games: int
    """Games that were looked through for them."""
    after: str | None
    """Where to go on: the last game that was looked through; null where there is none before it."""


SHARING: Final = msgspec.json.Decoder(SharingBody)
POSITION: Final = msgspec.json.Decoder(PositionBody)
PRACTICE: Final = msgspec.json.Decoder(PracticeBody)
