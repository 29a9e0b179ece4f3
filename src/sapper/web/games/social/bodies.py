"""The JSON bodies of the boards of the days, of names and of rankings."""

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

SizeName = Literal["beginner", "intermediate", "expert"]
Audience = Literal["people", "bots"]
DayText = Annotated[str, Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$", description="a day in UTC, as 2026-11-29")]


# --- the boards of the days -----------------------------------------------------------------------------


class DailyBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which of today's boards is to be dealt."""

    size: SizeName = "beginner"
    """A preset."""
    audience: Audience = "people"
    """Programs say `bots`: they have a board and a table of their own."""


class DailyQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A board of a day."""

    day: DayText | None = None
    """The day; today without one."""
    size: SizeName = "beginner"
    """A preset."""
    audience: Audience = "people"
    """Whose board."""


class AttemptData(Struct, frozen=True, kw_only=True):
    """The player's first attempt at a board. It counts if it is unaided and ends within an hour."""

    day: str
    """The day on which it began, in UTC."""
    size: SizeName
    """The board's size."""
    game: str
    """The game."""
    state: Literal["open", "counted", "held", "void"]
    """`held`: an operator looks at it first; `void`: it does not count."""
    won: bool
    """Whether it was won."""
    time: int | None
    """Milliseconds, of a win."""


class DailyStandingData(Struct, frozen=True, kw_only=True):
    """How an attempt that counts stands now."""

    attempts: int
    """Attempts that count."""
    place: int | None
    """The place in the table; null without a name, or with fewer than 30 ended ranked games of earlier days."""
    percentile: float | None
    """The share of the other attempts, 0 to 100, that were slower or lost; null if there is no other."""


class DailySize(Struct, frozen=True, kw_only=True):
    """One of the boards of a day."""

    size: SizeName
    """A preset."""
    width: int
    """Columns."""
    height: int
    """Rows."""
    mine_count: int
    """Mines."""
    difficulty: str
    """By the hardest step that its proof needs: trivial, easy, medium, hard, extreme."""
    attempts: int
    """Attempts that count."""
    won: int
    """How many of them were won."""
    own: AttemptData | None
    """The player's."""
    standing: DailyStandingData | None
    """How it stands, if it counts."""


class DailyAnswer(Struct, frozen=True, kw_only=True):
    """Today's boards, and how the player has done on those of the last year."""

    day: str
    """Today, in UTC."""
    left: int
    """Milliseconds until the next boards."""
    streak: int
    """Days one after the other, up to today or yesterday, on which the player won a board at the first attempt."""
    sizes: list[DailySize]
    """The boards."""
    calendar: list[AttemptData]
    """The player's attempts, the latest first."""


class DailyRow(Struct, frozen=True, kw_only=True):
    """A place in a table."""

    name: str
    """The player's name."""
    time: int
    """Milliseconds."""
    game: str | None
    """Its game; null until the board is published."""


class DailyTable(Struct, frozen=True, kw_only=True):
    """A board of a day: its table, and when the day is over its layout and the proof that it needs no guess."""

    day: str
    """The day, in UTC."""
    size: SizeName
    """A preset."""
    audience: Audience
    """Whose board."""
    published: int
    """When layout, proof and games are shown: milliseconds since 1970."""
    difficulty: str
    """As in `DailySize`."""
    attempts: int
    """Attempts that count."""
    won: int
    """How many of them were won."""
    rows: list[DailyRow]
    """The best times of players who have a name and have played enough."""
    code: str | None
    """Of the layout, with the first cell; null until the board is published."""
    bbbv: int | None
    """Its 3BV; null until then."""
    proof: dict[str, Any] | None
    """The certificate, as `sapper generate --json --proof` has it; null until then."""


DAILY: Final = msgspec.json.Decoder(DailyBody)

# --- names ------------------------------------------------------------------------------------------------


class NameBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The name that the player wants."""

    name: Annotated[str, Meta(max_length=200)]
    """1 to 20 letters, digits, spaces and `-_.'`, in one script."""


class NameAnswer(Struct, frozen=True, kw_only=True):
    """The player's name. With one, replays of the player's ranked games are public."""

    name: str | None
    """Null without one."""
    games: int
    """Ended ranked games, counted up to `needed`."""
    needed: int
    """How many of them a name needs."""
    has_phrase: bool
    """Whether there is a recovery phrase."""


class PhraseAnswer(Struct, frozen=True, kw_only=True):
    """A new recovery phrase, told this once. It ends the one before, and all other sessions of the player."""

    phrase: str
    """Seven groups of four letters and digits."""


class SessionData(Struct, frozen=True, kw_only=True):
    """A browser or program in which the player is signed in."""

    session: str
    """Its name in requests."""
    label: str
    """What it is, as `Firefox, Linux`."""
    begun: int
    """The day of its begin, in milliseconds since 1970."""
    seen: int
    """The day on which it was used last."""
    own: bool
    """Whether it is the one that asks."""


class SessionList(Struct, frozen=True, kw_only=True):
    """Where the player is signed in."""

    sessions: list[SessionData]
    """The one used last first; none as long as the player has no recovery phrase and has ended no session."""


class RecoveryBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The recovery phrase of the player that this client is to be from now on."""

    phrase: Annotated[str, Meta(max_length=200)]
    """However it is written."""
    join: bool = False
    """Whether games that were played here are that player's too; of two attempts at a day's board the earlier stays."""


# --- rankings ---------------------------------------------------------------------------------------------


class RankingQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Some places of a ranking."""

    board: Literal[
        "beginner", "intermediate", "expert", "beginner-no-guess", "intermediate-no-guess", "expert-no-guess"
    ] = "beginner"
    """A preset; boards without guesses are ranked apart."""
    measure: Literal["time", "speed", "efficiency", "no-flag", "streak", "skill"] = "time"
    """Least time, most 3BV/s, most 3BV a click, least time without a flag, most wins one after the other; `skill`: the least chance to win lost by own
    choices, over the last 100 games of any time.
    """
    period: Literal["day", "week", "season", "ever"] = "week"
    """The day, week or quarter that it is in UTC, or all there is."""
    offset: Annotated[int, Meta(ge=0, le=10_000)] = 0
    """How many places to leave out."""


class RankingRow(Struct, frozen=True, kw_only=True):
    """A place in a ranking."""

    rank: int | None
    """From 1; null for an own place beyond the first 10,000."""
    name: str
    """The player's name."""
    value: float
    """Milliseconds, 3BV/s, 3BV a click, or games; of `skill` the bound that `BoardSkillData` has."""
    ended: int
    """When the game ended: milliseconds since 1970."""
    game: str
    """The game, whose replay everybody may see."""
    own: bool
    """Whether it is the asker's."""


class RankingAnswer(Struct, frozen=True, kw_only=True):
    """A page of a ranking: one row a player."""

    rows: list[RankingRow]
    """The places."""
    more: bool
    """Whether there are more."""
    own: RankingRow | None
    """The asker's own place, wherever it is; null without a name or a game."""


NAME: Final = msgspec.json.Decoder(NameBody)
RECOVERY: Final = msgspec.json.Decoder(RecoveryBody)
