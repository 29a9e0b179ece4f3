"""The wall clock of servers: dates of games and of signatures. No irrevocable decision depends on it."""

import os
import time
from datetime import UTC, datetime
from pathlib import Path

_TESTS = os.environ.get("SAPPER_TEST_CLOCK", "")
"""A file with the seconds that this clock is wrong by: for tests of wrong clocks."""


def seconds_now() -> float:
    if not _TESTS:
        return time.time()
    try:
        return time.time() + float(Path(_TESTS).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return time.time()


def utc_now() -> datetime:
    return datetime.fromtimestamp(seconds_now(), UTC)
