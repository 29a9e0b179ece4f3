"""Numbers and lists of things in words."""

import pytest

from sapper.core.words import counted, do_not, joined


@pytest.mark.parametrize(
    ("count", "text", "verb"),
    [(0, "0 mines", "do not"), (1, "1 mine", "does not"), (2, "2 mines", "do not"), (1200, "1,200 mines", "do not")],
)
def test_one_is_no_plural(count: int, text: str, verb: str) -> None:
    assert (counted(count, "mine"), do_not(count)) == (text, verb)


@pytest.mark.parametrize(
    ("count", "most", "text"),
    [(0, None, ""), (1, None, "a1"), (2, None, "a1 and a2"), (3, 3, "a1, a2 and a3"), (4, 3, "a1, a2 and 2 more")],
)
def test_the_last_of_a_list_comes_after_and(count: int, most: int | None, text: str) -> None:
    """As the page says it (`listOf` in words.js)."""
    assert joined([f"a{number}" for number in range(1, count + 1)], most=most) == text
