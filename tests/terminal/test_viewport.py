"""What fits is shown as it is; of what does not, the part around the cursor, and where that is."""

import pyte
import pytest
from hypothesis import given, strategies as st

from sapper.terminal.screen_buffer import ScreenBuffer
from sapper.terminal.viewport import Viewport

HELP = "the keys"


def _screen(columns: int, rows: int, x: int, y: int, text: str = "Mines 9\r\nmessage") -> ScreenBuffer:
    """A board whose cells tell where they are: the last digit of their column."""
    board = "\r\n".join("".join(str((x + y) % 10) for x in range(columns)) for y in range(rows))
    screen = ScreenBuffer()
    screen.feed(f"\x1b[2J\x1b[H{board}\r\n{text}\x1b[{y + 1};{x + 1}H\x1b[7m{(x + y) % 10}\x1b[m\x1b[{y + 1};{x + 1}H")
    return screen


def _shown(screen: ScreenBuffer, viewport: Viewport, width: int, height: int) -> pyte.Screen:
    frame = viewport.show(screen, width=width, height=height)
    emulator = pyte.Screen(width, height)
    for y, line in enumerate(frame.lines):
        pyte.Stream(emulator).feed(f"\x1b[{y + 1};1H{line}")
    pyte.Stream(emulator).feed(f"\x1b[{frame.y + 1};{frame.x + 1}H")
    return emulator


def _lines(emulator: pyte.Screen) -> list[str]:
    return [line.rstrip() for line in emulator.display]


def test_what_fits_is_shown_as_it_is_with_the_keys_below() -> None:
    emulator = _shown(_screen(5, 2, 3, 1), Viewport(columns=5, rows=2, help_line=HELP), 40, 10)
    assert _lines(emulator)[:6] == ["01234", "12345", "Mines 9", "message", HELP, ""]
    assert (emulator.cursor.x, emulator.cursor.y) == (3, 1)
    assert emulator.buffer[1][3].reverse


def test_the_keys_give_way_first() -> None:
    viewport = Viewport(columns=5, rows=2, help_line=HELP)
    assert _lines(_shown(_screen(5, 2, 0, 0), viewport, 40, 4)) == ["01234", "12345", "Mines 9", "message"]


def test_what_does_not_fit_is_scrolled_to_the_cursor_and_marked() -> None:
    viewport = Viewport(columns=60, rows=40, help_line=HELP)
    lines = _lines(_shown(_screen(60, 40, 0, 0), viewport, 20, 10))
    assert lines[0] == "   0         10"
    assert lines[1] == " 0 01234567890123456"
    assert lines[6:] == [" 5 56789012345678901", "Mines 9", "message", HELP]
    # Column 30 is the third from the right (a margin of two), row 20 the third from below.
    emulator = _shown(_screen(60, 40, 30, 20), viewport, 20, 10)
    lines = _lines(emulator)
    assert lines[0] == "       20        30"
    assert [line[:3] for line in lines[1:7]] == ["17 ", "18 ", "19 ", "20 ", "21 ", "22 "]
    assert lines[4] == "20 67890123456789012"
    assert (emulator.cursor.x, emulator.cursor.y) == (3 + 14, 4)
    assert [column for column in range(20) if emulator.buffer[0][column].reverse] == [17, 18]
    assert [row for row in range(10) if emulator.buffer[row][1].reverse] == [4]


def test_scrolling_goes_no_further_than_it_must() -> None:
    viewport = Viewport(columns=100, rows=2, help_line=HELP)
    first = [_lines(_shown(_screen(100, 2, x, 0), viewport, 20, 10))[1] for x in (0, 10, 14, 15, 16, 15, 5, 3, 2, 1, 0)]
    starts = [int(line[2]) for line in first]
    assert starts == [0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0]


def test_text_is_broken_where_the_terminal_ends() -> None:
    viewport = Viewport(columns=3, rows=1, help_line=HELP)
    assert _lines(_shown(_screen(3, 1, 0, 0, "0123456789abc"), viewport, 10, 5)) == [
        "012",
        "0123456789",
        "abc",
        HELP,
        "",
    ]


def test_text_is_broken_between_words() -> None:
    viewport = Viewport(columns=3, rows=1, help_line="", colours=False)
    status = "Mines left: 10  You may play."
    assert _lines(_shown(_screen(3, 1, 0, 0, status), viewport, 12, 6))[:4] == [
        "012",
        "Mines left:",
        "10  You may",
        "play.",
    ]
    assert _lines(_shown(_screen(3, 1, 0, 0, status), viewport, 4, 9))[1:4] == ["Mine", "s", "left"]


def test_without_colours_attributes_stay() -> None:
    screen = ScreenBuffer()
    screen.feed("\x1b[1;31ma\x1b[m\x1b[7;42mb")
    frame = Viewport(columns=2, rows=1, help_line="", colours=False).show(screen, width=10, height=2)
    assert frame.lines[0] == "\x1b[1ma\x1b[m\x1b[7mb\x1b[m"


def test_an_unknown_server_s_screen_is_shown_too() -> None:
    screen = ScreenBuffer()
    screen.feed("Hello\r\n\x1b[31mboard\x1b[m")
    emulator = _shown(screen, Viewport(columns=20, rows=10, help_line=HELP), 40, 10)
    assert _lines(emulator)[:3] == ["Hello", "board", HELP]
    assert (emulator.cursor.x, emulator.cursor.y) == (5, 1)
    nothing = _shown(ScreenBuffer(), Viewport(columns=20, rows=10, help_line=HELP), 40, 10)
    assert _lines(nothing)[0] == HELP


@given(st.data())
def test_the_cursor_s_cell_is_in_sight_on_any_terminal(data: st.DataObject) -> None:
    columns, rows = data.draw(st.integers(1, 255)), data.draw(st.integers(1, 60))
    viewport = Viewport(columns=columns, rows=rows, help_line=HELP)
    for _ in range(data.draw(st.integers(1, 4))):
        width, height = data.draw(st.integers(1, 90)), data.draw(st.integers(1, 30))
        x, y = data.draw(st.integers(0, columns - 1)), data.draw(st.integers(0, rows - 1))
        screen = _screen(columns, rows, x, y)
        frame = viewport.show(screen, width=width, height=height)
        assert len(frame.lines) <= height
        assert 0 <= frame.x < width
        assert 0 <= frame.y < height
        emulator = _shown(screen, viewport, width, height)
        cell = emulator.buffer[emulator.cursor.y][emulator.cursor.x]
        assert (cell.data, cell.reverse) == (str((x + y) % 10), True)


@pytest.mark.parametrize("size", [(1, 1), (2, 1), (1, 5), (13, 5), (12, 3)])
def test_tiny_terminals_show_the_cell_under_the_cursor(size: tuple[int, int]) -> None:
    viewport = Viewport(columns=255, rows=255, help_line=HELP)
    emulator = _shown(_screen(255, 255, 200, 201), viewport, *size)
    assert emulator.buffer[emulator.cursor.y][emulator.cursor.x].data == "1"
