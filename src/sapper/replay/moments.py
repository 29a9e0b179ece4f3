"""When a game was played: one form for what all formats say of it.

ISO 8601, to the second: `2018-07-22T16:44:26`, with `+00:00` behind it where the file says the moment and not what some clock showed.
"""

import re
from datetime import UTC, datetime
from typing import Final

YEAR_10000: Final = 253_402_300_800
"""Seconds since 1970 that no date has any more."""
_ARBITER: Final = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})\.(\d{1,2}):(\d{1,2}):(\d{1,2})(?::\d*)?")
"""`22.7.2018.16:44:26:9876`; what is behind the seconds is no fraction of one."""


def utc_text(seconds: int) -> str:
    """A moment that is so many seconds after 1970 began; empty for none."""
    if not 0 < seconds < YEAR_10000:
        return ""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def date_text(year: int, month: int, day: int, hour: int, minute: int, second: int) -> str:
    """A local date and time; empty if it is not a date."""
    try:
        return datetime(year, month, day, hour, minute, second).isoformat(timespec="seconds")  # noqa: DTZ001  # not known
    except ValueError:
        return ""


def local_text(text: str) -> str:
    """The same of a text as Arbiter writes it, or in ISO's form; empty for anything else, as for a date without a year."""
    if (found := _ARBITER.fullmatch(text)) is not None:
        day, month, year, hour, minute, second = map(int, found.groups())
        return date_text(year, month, day, hour, minute, second)
    try:
        return datetime.fromisoformat(text).isoformat(timespec="seconds")
    except ValueError:
        return ""
