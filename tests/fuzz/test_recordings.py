"""A thousand broken recordings; `fuzz/recordings.py` has as many as one likes."""

from collections import Counter

import pytest

from fuzz import recordings

FOUND = (17240, 1029468, 1068832)
"""Cases that once ended in another error: a file shorter than its tail, a date beyond the year 9999."""


def test_a_recording_or_a_documented_error() -> None:
    ends = Counter(recordings.check(number) for number in (*range(1000), *FOUND))
    assert ends["error"] > 500
    assert set(ends) > {"error", "evf", "mvf", "rmv"}


def test_what_is_wrong_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recordings, "read_recording", lambda *_, **__: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        recordings.check(1)
