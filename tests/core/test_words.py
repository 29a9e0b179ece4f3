"""Numbers of things in words."""

import pytest

from sapper.core.words import counted, do_not


@pytest.mark.parametrize(
    ("count", "text", "verb"),
    [(0, "0 mines", "do not"), (1, "1 mine", "does not"), (2, "2 mines", "do not"), (1200, "1,200 mines", "do not")],
)
def test_one_is_no_plural(count: int, text: str, verb: str) -> None:
    assert (counted(count, "mine"), do_not(count)) == (text, verb)
