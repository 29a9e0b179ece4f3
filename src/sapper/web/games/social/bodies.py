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
