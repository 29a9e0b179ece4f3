"""The screen in memory shows what a terminal shows, and nothing of a server gets past it."""

import pyte
import pytest
from hypothesis import given, strategies as st

from sapper.terminal.screen_buffer import LIMIT, UNKNOWN, ScreenBuffer, changed, without_colours
from tests.net.strategies import terminal_texts


def _lines(*contents: str) -> list[str]:
    screen = ScreenBuffer()
    for content in contents:
        screen.feed(content)
    return [screen.text(y) for y in range(screen.height)]


@given(terminal_texts())
def test_it_is_a_terminal_large_enough(text: str) -> None:
    emulator = pyte.Screen(160, 100)  # 16 pieces reach no further
    emulator.set_mode(pyte.modes.LNM)  # a bare LF begins a new line, as on a screen that a server draws
    pyte.Stream(emulator).feed(text)
    screen = ScreenBuffer()
    screen.feed(text)
    assert [screen.text(y).rstrip() for y in range(100)] == [line.rstrip() for line in emulator.display]
    assert (screen.x, screen.y) == (emulator.cursor.x, emulator.cursor.y)


@pytest.mark.parametrize("parameters", ["31", "1;31;42", "7", "0;1", "1;22", "7;27", "31;39", "44;49", "", "1;31;0;4"])
def test_attributes_are_those_of_a_terminal(parameters: str) -> None:
    emulator = pyte.Screen(5, 1)
    pyte.Stream(emulator).feed(f"\x1b[{parameters}mx")
    again = pyte.Screen(5, 1)
    pyte.Stream(again).feed(f"\x1b[{changed('', parameters)}mx")
    assert again.buffer[0][0] == emulator.buffer[0][0]


@pytest.mark.parametrize(
    ("style", "parameters", "after"),
    [
        ("", "38;5;200", "38;5;200"),
        ("1", "48;2;1;2;3", "1;48;2;1;2;3"),
        ("38;5;200", "48;2;1;2;3", "38;5;200;48;2;1;2;3"),
        ("38;5;200;48;2;1;2;3", "39", "48;2;1;2;3"),
        ("", "38:5:200", "38;5;200"),
        ("91", "103", "91;103"),
        ("1;31", "22", "31"),
        # What is cut short, unknown or too much is passed over.
        ("1", "38", "1"),
        ("1", "38;5", "1"),
        ("1", "38;7;1", "1;7"),
        ("1", "38;5;99999", "1"),
        ("1", "58;1000;;", ""),
    ],
)
def test_attributes_change(style: str, parameters: str, after: str) -> None:
    assert changed(style, parameters) == after


@given(st.lists(st.text("0123456789;:", max_size=12)))
def test_any_parameters_leave_attributes_that_can_be_changed_again(all_parameters: list[str]) -> None:
    style = ""
    for parameters in all_parameters:
        style = changed(style, parameters)
        assert changed("", style) == style
        assert changed(without_colours(style), "") == ""
        assert set(without_colours(style)) <= set("123456789;")


def test_colours_can_be_left_out() -> None:
    assert without_colours("1;7;38;5;31;44") == "1;7"
    assert without_colours("") == ""


def test_contents_add_up() -> None:
    assert _lines("abc\r\ndef", "\x1b[1;2HX") == ["aXc", "def"]
    assert _lines("abc\r\ndef", "\x1b[2J\x1b[Hnew") == ["new"]


def test_what_is_meant_for_the_terminal_itself_is_passed_over() -> None:
    texts = (
        "\x1b]0;title\x07a\x1b]52;c;aGk=\x1b\\b\x1bP1$r\x1b\\c\x1b_x\x1b\\d\x1b(0e\x1b[?1049hf\x1b[5ng\x1b[>ch\x1bci"
    )
    assert _lines(texts) == ["abcdefghi"]


def test_an_unfinished_text_for_the_terminal_swallows_the_rest_and_nothing_else() -> None:
    assert _lines("a\x1b]0;title b", "c") == ["ac"]


def test_characters_that_cannot_be_shown_are_shown_as_such() -> None:
    # controls of C0 and C1, a wide character, one without width, a direction override
    assert _lines("a\x01\x7f\x9bb") == [f"a{UNKNOWN * 3}b"]
    assert _lines("漢a\u0301\u202eb") == [f"{UNKNOWN * 2}ab"]
    assert _lines("\0a\abé☺") == ["abé☺"]


def test_places_beyond_the_limit_fill_no_memory() -> None:
    lines = _lines("\x1b[999999999;999999999Hx\x1b[99999;1Hy\x1b[1;99999Hz", "w" * 5000, "\n" * 5000 + "v")
    assert len(lines) <= LIMIT
    assert all(len(line) <= LIMIT for line in lines)


@given(st.text(st.characters(max_codepoint=0x2FF), max_size=60))
def test_nothing_breaks_it_and_nothing_gets_through(text: str) -> None:
    for line in _lines(text):
        assert all(character.isprintable() for character in line)
