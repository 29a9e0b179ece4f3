"""The JSON bodies that the plain endpoints take, and what they answer: one struct each, as `messages` has them for sockets."""

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from sapper.core.rules import Start
from sapper.core.status import Status
from sapper.solver.advisor import AdvisorName
from sapper.web.games.messages import CellChance, CellPlace, GuessReason, RulesData, Share, StateMessage, WinUnknown

LONGEST_NAME: Final = 200
LONGEST_CODE: Final = 4_096
LATEST: Final = 253_402_300_799_000
"""Milliseconds to the end of the year 9999: no calendar here goes further."""
LARGEST_SEED: Final = (1 << 64) - 1

ShortText = Annotated[str, Meta(max_length=LONGEST_NAME)]
CellCount = Annotated[int, Meta(ge=0, le=10**9, description="a whole number, 0 or more")]
SeedText = Annotated[
    int | str,
    Meta(
        description=f"a number from 0 to {LARGEST_SEED}, or its digits",
        extra_json_schema={
            "anyOf": [{"type": "integer", "minimum": 0, "maximum": LARGEST_SEED}, {"type": "string", "pattern": r"^\d{1,20}$"}]
        },
    ),
]  # fmt: skip


# --- asked for ----------------------------------------------------------------------------------------


class NewGameBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a new game is asked for with, all of it optional; `code` stands alone."""

    preset: ShortText | None = None
    """Rules, size and mines, where nothing else is said; `beginner` without one."""
    rules: ShortText | None = None
    """A preset of rules."""
    width: CellCount | None = None
    """Columns."""
    height: CellCount | None = None
    """Rows."""
    mine_count: CellCount | None = None
    """Mines; needed where the size is not the preset's."""
    start: Start | None = None
    """What the first reveal may meet."""
    chording: bool | None = None
    """Whether a left click on a clue reveals its other neighbours."""
    question_marks: bool | None = None
    """Whether the right click goes on from a flag to a question mark."""
    no_guess: bool | None = None
    """Whether the board is to need no guess."""
    seed: SeedText | None = None
    """Names the board; such a game is marked as seen."""
    code: Annotated[str, Meta(max_length=LONGEST_CODE)] | None = None
    """A game's code."""


class BoardBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A board to be analysed."""

    board: str
    """A board text: a line a row. A first line `WIDTHxHEIGHT/MINES` may name the mines."""
    mine_count: Annotated[int, Meta(ge=0)] | None = None
    """Its mines, if the text does not say."""


Moment = Annotated[int, Meta(ge=0, le=LATEST, description="a time in milliseconds since 1970")]


class StatisticsQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which games statistics are asked about, all of it optional."""

    category: Literal["plain", "assisted"] = "plain"
    """Unaided games, or those with help."""
    preset: (
        Annotated[str, Meta(max_length=LONGEST_NAME, pattern=r"^[^\0]*$", description="the name of a preset")] | None
    ) = None
    """Games of this preset."""
    kind: (
        Annotated[
            str, Meta(pattern=r"^[0-9]{1,7}x[0-9]{1,7}x[0-9]{1,7}$", description="WIDTHxHEIGHTxMINES, as 30x16x99")
        ]
        | None
    ) = None
    """Games of this size."""
    since: Moment | None = None
    """Games that ended then or later."""
    until: Moment | None = None
    """Games that ended before."""


# --- answered -----------------------------------------------------------------------------------------


class ErrorReason(Struct, frozen=True, kw_only=True):
    """Why a request was refused."""

    code: str
    """For programs."""
    message: str
    """For people."""


class ErrorBody(Struct, frozen=True, kw_only=True):
    """The answer to a request that was refused."""

    error: ErrorReason
    """Why."""


class CreatedGame(Struct, frozen=True, kw_only=True):
    """A game that was made."""

    game: str
    """Its name."""
    socket: str
    """The path of its WebSocket."""
    state: StateMessage
    """How it stands."""


class GameSummary(Struct, frozen=True, kw_only=True):
    """An unfinished game, as a list shows it."""

    title: str
    """What to call it on a screen."""
    preset: str | None
    """The preset that it is of."""
    rules: str
    """The name of its rules."""
    width: int
    """Columns."""
    height: int
    """Rows."""
    mine_count: int
    """Mines of the board."""
    no_guess: bool
    """Whether its board needs no guess."""
    status: Status
    """How it stands."""
    time: int
    """Milliseconds on its clock."""
    flags: int
    """Cells that are flagged."""
    covered: int
    """Cells that are not revealed, flags included."""
    paused: bool
    """Whether it is paused."""
    game: str
    """The game's name."""
    saved: int
    """When it was played last, in milliseconds since 1970."""


class GameList(Struct, frozen=True, kw_only=True):
    """The player's unfinished games."""

    games: list[GameSummary]
    """The one played last first."""


class HealthAnswer(Struct, frozen=True, kw_only=True):
    """That the server is well: its store answers. Where it does not, the answer is a 503."""

    status: Literal["ok"]
    """Nothing else is answered with 200."""
    games: int
    """Games in memory."""
    sockets: int
    """Sockets of games that are open."""


class PlayerCounts(Struct, frozen=True, kw_only=True):
    """Games of the player, unaided and assisted together."""

    played: int
    """Games that were begun."""
    won: int
    """Those that were won."""


ClueChance = Annotated[tuple[int, Share], Meta(description="[number, chance that the cell shows it]")]


class RevealCandidate(Struct, frozen=True, kw_only=True):
    """A cell that may be worth revealing next."""

    cell: CellPlace
    """Which."""
    risk: Share
    """Its chance to be a mine."""
    win: Share | None
    """The chance to win by best play after it, played out unless `win_low` and `win_high` are equal; null where it is not known."""
    win_low: Share
    """What that chance certainly is at least."""
    win_high: Share
    """What it certainly is at most."""
    clues: list[ClueChance]
    """The numbers that it can show; with the risk their chances add up to 1."""
    can_wait: bool
    """Whether a clue can still tell something about it."""


class BoardAnalysis(Struct, frozen=True, kw_only=True):
    """What can be known of a board."""

    width: int
    """Columns."""
    height: int
    """Rows."""
    mine_count: int
    """Mines of the board."""
    chances: list[CellChance] | None
    """Of all covered cells; null where that took too much work."""
    safe: list[CellPlace]
    """Cells that are certain to be safe."""
    mined: list[CellPlace]
    """Cells that are certain to be mines."""
    may_guess: bool | None
    """Whether nothing is certain to be safe; null if that took too much work."""
    best: CellPlace | None
    """The cell to reveal, the one that wins most; null where there is none, or it took too much work."""
    guess: GuessReason | None
    """Why that one."""
    win: Share | None
    """The chance to win by best play, played out unless `win_low` and `win_high` are equal; null where it is not known."""
    unknown: WinUnknown | None
    """Why the chance to win is not known."""
    win_low: Share | None
    """What that chance certainly is at least."""
    win_high: Share | None
    """What it certainly is at most."""
    candidates: list[RevealCandidate]
    """The reveals worth a thought, the best first."""


class PresetData(Struct, frozen=True, kw_only=True):
    """A game that has a name."""

    name: str
    """The preset's."""
    rules: RulesData
    """Its rules."""
    width: int
    """Columns."""
    height: int
    """Rows."""
    mine_counts: list[int]
    """The counts that it draws from."""


class SizeLimits(Struct, frozen=True, kw_only=True):
    """What a custom game may be. It has at least 1 mine and leaves at least one cell free of them (9 with `open`, as far as the
    board has so many).
    """

    width: tuple[int, int]
    """Fewest and most columns."""
    height: tuple[int, int]
    """Fewest and most rows."""
    cells: int
    """Most cells."""
    no_guess_cells: int
    """Most cells of a board that needs no guess."""


class PageLook(Struct, frozen=True, kw_only=True):
    """How the page looks where a player has not said otherwise."""

    keys: dict[str, list[str]]
    """Keys by action, as `KeyboardEvent` names them."""
    palette: str
    """Colours of boards."""
    theme: str
    """Light, dark, or the system's."""


class PageDefaults(PageLook, frozen=True, kw_only=True):
    """What the page begins with."""

    preset: str
    """The game that is chosen."""
    advisor: AdvisorName
    """Whose guesses hints name."""


class PresetsAnswer(Struct, frozen=True, kw_only=True):
    """The presets, and what a custom game may be."""

    presets: list[PresetData]
    """Those that fit this server's limits."""
    limits: SizeLimits
    """Of custom games."""
    defaults: PageDefaults
    """Where a player has not chosen."""


# --- statistics ---------------------------------------------------------------------------------------


class GameNumbers(Struct, frozen=True, kw_only=True):
    """Games counted, and what they came to; null where that is not known."""

    played: int
    """Games that were begun."""
    won: int
    """Games won."""
    lost: int
    """Games lost."""
    terminated: int
    """Games given up."""
    unfinished: int
    """Games that have not ended."""
    rate: Share | None
    """Won games by games played."""
    low: Share | None
    """The least that the rate may be, with 95 % confidence."""
    high: Share | None
    """The most."""
    best: float | None
    """The best time, in milliseconds."""
    median: float | None
    """The median time of won games, in milliseconds."""
    bbbv_per_second: float | None
    """The mean 3BV/s of won games."""
    efficiency: float | None
    """The mean efficiency."""


class KindNumbers(GameNumbers, frozen=True, kw_only=True):
    """The same of games of one kind."""

    title: str
    """What to call the kind."""
    preset: str | None
    """The preset that it is of."""
    width: int
    """Columns."""
    height: int
    """Rows."""
    mine_count: int
    """Mines of the board."""
    start: Start
    """What the first reveal may meet."""
    no_guess: bool
    """Whether its boards need no guess."""


class PeriodNumbers(Struct, frozen=True, kw_only=True):
    """Games of a period."""

    begin: int
    """When the period begins, in milliseconds since 1970."""
    played: int
    """Games that ended then."""
    won: int
    """Games won."""
    low: Share | None
    """The least that the rate may be, with 95 % confidence."""
    high: Share | None
    """The most."""
    mean: float | None
    """The mean time of won games in milliseconds, null without one."""


class TimesHistogram(Struct, frozen=True, kw_only=True):
    """Won games by their times."""

    width: int
    """Milliseconds of a column."""
    counts: list[tuple[int, int]]
    """`[from, games]`; none where the games are of several kinds."""


class RiskNumbers(Struct, frozen=True, kw_only=True):
    """Moves by the risk that they took."""

    low: Share
    """The least risk of these moves."""
    high: Share
    """The most."""
    moves: int
    """How many there were."""
    exploded: int
    """How many met a mine."""
    claimed: Share
    """The mean risk."""
    least: Share
    """The least that the share of mines may be, with 95 % confidence."""
    most: Share
    """The most."""


class BestTimeData(Struct, frozen=True, kw_only=True):
    """A won game of the quickest of its kind."""

    game: str
    """Its name."""
    time: int
    """Its time in milliseconds."""
    ended: int
    """When it ended, in milliseconds since 1970."""
    solved_bbbv: int | None
    """Its board's 3BV."""
    has_moves: bool
    """Whether its moves are kept, so that it can be looked through."""


class KindBestTimes(Struct, frozen=True, kw_only=True):
    """The quickest games of a kind."""

    title: str
    """What to call the kind."""
    preset: str | None
    """The preset that it is of."""
    width: int
    """Columns."""
    height: int
    """Rows."""
    mine_count: int
    """Mines of the board."""
    no_guess: bool
    """Whether its boards need no guess."""
    games: list[BestTimeData]
    """At most ten, the quickest first."""


class LuckPeriod(Struct, frozen=True, kw_only=True):
    """The guesses of a period."""

    begin: int
    """When the period begins, in milliseconds since 1970."""
    guesses: int
    """Moves that took a risk, in games that ended then."""
    needless: int
    """Those of them that need not have been made: something was certain to be safe."""
    survived: int
    """Guesses that met no mine."""
    expected: float
    """How many of them were to on average."""


class BoardSkillData(Struct, frozen=True, kw_only=True):
    """The chance to win that the player's choices lost on one board: over the last 100 games that count and are judged, whatever was asked about.

    Of the numbers with the games that wait for an operator, and of those without them, these are the worse ones.
    """

    board: str
    """As in `RankingQuery`."""
    games: int
    """How many games that is; a place in the ranking needs 30."""
    mean: float
    """The chance to win that was lost a game, 0 to 1; best play loses none."""
    bound: float
    """What it is below with 95 % confidence, in the long run: the ranking is by this."""


class StatisticsAnswer(Struct, frozen=True, kw_only=True):
    """A player's statistics."""

    total: GameNumbers
    """Of all games that were asked about."""
    kinds: list[KindNumbers]
    """Of each kind, the one played most first."""
    kind_count: int
    """How many kinds there are."""
    streak: int
    """Games won in a row, now."""
    best_streak: int
    """The most there ever were."""
    over_time: list[PeriodNumbers]
    """In periods of one length; empty ones are left out."""
    times: TimesHistogram
    """Of won games."""
    wins: list[tuple[int, int, bool]]
    """`[ended, time, best]` of the last won games (at most 500) of the one kind there is, oldest first; `best`: none was quicker
    before.
    """
    calibration: list[RiskNumbers]
    """How often risks came true."""
    best_times: list[KindBestTimes]
    """The quickest won games of each kind, the kind played most first."""
    luck: list[LuckPeriod]
    """Guesses in periods of one length; empty ones are left out."""
    skill: list[BoardSkillData]
    """Of each ranked board with a game that counts."""


NEW_GAME: Final = msgspec.json.Decoder(NewGameBody)
BOARD: Final = msgspec.json.Decoder(BoardBody)
