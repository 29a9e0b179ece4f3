"""The ANSI sequences are those that a screen emulator understands."""

import pyte

from sapper.render import ansi


def test_a_style_is_set_and_reset() -> None:
    screen = pyte.Screen(10, 2)
    pyte.Stream(screen).feed(ansi.painted("a", ansi.BOLD, ansi.RED) + ansi.painted("b", ansi.REVERSE) + "c")
    one, two, three = (screen.buffer[0][column] for column in range(3))
    assert (one.data, one.bold, one.fg) == ("a", True, "red")
    assert (two.data, two.bold, two.fg, two.reverse) == ("b", False, "default", True)
    assert (three.data, three.reverse) == ("c", False)


def test_pairs_bring_text_and_background() -> None:
    screen = pyte.Screen(10, 2)
    pyte.Stream(screen).feed(ansi.painted("a", *ansi.WHITE_ON_RED))
    assert (screen.buffer[0][0].fg, screen.buffer[0][0].bg) == ("white", "red")


def test_places_count_from_zero() -> None:
    screen = pyte.Screen(10, 5)
    pyte.Stream(screen).feed("text" + ansi.CLEAR + ansi.at(3, 2) + "x")
    assert screen.display == [" " * 10, " " * 10, "   x      ", " " * 10, " " * 10]
