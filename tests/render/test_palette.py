"""A palette paints, or leaves a text as it is."""

import pytest

from sapper.render.palette import COLOURED, PLAIN


def test_colours() -> None:
    assert COLOURED.green("won") == "\x1b[32mwon\x1b[m"
    assert COLOURED.red("lost") == "\x1b[31mlost\x1b[m"
    assert COLOURED.bold("here") == "\x1b[1mhere\x1b[m"


@pytest.mark.parametrize("text", ["", "won"])
def test_none(text: str) -> None:
    assert PLAIN.green(text) == PLAIN.red(text) == PLAIN.bold(text) == text


def test_nothing_is_not_painted() -> None:
    assert COLOURED.green("") == COLOURED.red("") == COLOURED.bold("") == ""
