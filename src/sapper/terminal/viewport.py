"""The part of a screen that fits the terminal: all of it, or what is around the cursor, with rows and columns marked.

The first rows of the screen are the board; the lines of text below it stay in sight however the board is
scrolled, and are broken between words where the terminal ends.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from sapper.terminal.screen_buffer import ScreenBuffer, Style, without_colours

MARGIN: Final = 2
"""Cells kept in sight beyond the cursor, where there are any."""
EVERY: Final = 10
"""Columns from one number above the board to the next."""

Line = Sequence[tuple[str, Style]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewportFrame:
    """What the terminal is to show: its lines from the top, with their ANSI attributes, and the cursor."""

    lines: tuple[str, ...]
    x: int
    y: int


class Viewport:
    """Shows screens whose board has `columns` × `rows` cells; `colours` says whether there are any."""

    def __init__(self, *, columns: int, rows: int, help_line: str, colours: bool = True) -> None:
        self._columns = columns
        self._rows = rows
        self._help = self._last = help_line
        self.has_colours = colours
        self._left = 0
        self._top = 0

    def show(self, screen: ScreenBuffer, *, width: int, height: int, notice: str = "") -> ViewportFrame:
        """The frame for a terminal of that size; a notice stands where the keys are named otherwise."""
        self._last = notice or self._help
        rows = min(self._rows, screen.height)
        columns = max([*map(screen.width, range(rows)), 1])
        text = _broken([screen.row(y) for y in range(rows, screen.height)], width)
        # The help (or the notice) gives way first, then the text; of the board at least three rows stay in sight.
        text = text[: max(0, height - min(rows, 3))]
        if columns <= width and rows + len(text) <= height:
            return self._whole(screen, rows, text, width, height)
        return self._part(screen, (columns, rows), text, width, height)

    def kept(self, screen: ScreenBuffer, *, width: int, height: int) -> tuple[str, ...]:
        """The lines that stay on a terminal of that size when the game is left: all of the screen, or its text where the board does not fit."""
        rows = min(self._rows, screen.height)
        text = [screen.row(y) for y in range(rows, screen.height) if screen.text(y).strip()]
        columns = max([*map(screen.width, range(rows)), 1])
        board = [screen.row(y) for y in range(rows)] if columns <= width and rows + len(text) < height else []
        return tuple(map(self._painted, [*board, *text]))

    def _whole(self, screen: ScreenBuffer, rows: int, text: list[Line], width: int, height: int) -> ViewportFrame:
        lines = [*(screen.row(y) for y in range(rows)), *text]
        lines += self._help_lines(width, height - len(lines))
        return self._frame(lines, min(screen.x, width - 1), min(screen.y, height - 1))

    def _part(
        self, screen: ScreenBuffer, size: tuple[int, int], text: list[Line], width: int, height: int
    ) -> ViewportFrame:
        columns, rows = size
        x, y = min(screen.x, columns - 1), min(screen.y, rows - 1)
        # Marks need room; on a terminal that has none the board comes first.
        gutter = len(str(rows - 1)) + 1 if width > 12 else 0
        header = 1 if gutter and height > len(text) + 4 else 0
        across = min(columns, width - gutter)
        down = max(1, min(rows, height - header - len(text)))
        if header and down > 4 and rows > down:
            down -= 1  # the help has its line too
        self._left = _scrolled(self._left, across, x, columns)
        self._top = _scrolled(self._top, down, y, rows)
        lines: list[Line] = [self._numbers(gutter, across, x)] * header
        for number in range(self._top, self._top + down):
            mark = f"{number:>{gutter - 1}} "[:gutter] if gutter else ""
            row = screen.row(number, self._left, self._left + across)
            lines.append([(mark, "7" if number == y else "2"), *row])
        lines += text
        lines += self._help_lines(width, height - len(lines))
        return self._frame(lines, gutter + x - self._left, header + y - self._top)

    def _numbers(self, gutter: int, across: int, x: int) -> Line:
        """The numbers above the columns: every tenth, and that of the cursor."""
        line = [(" ", "2")] * (gutter + across)
        # The cursor's own number is moved to the left at the right edge: better off by a column than cut.
        place = min(gutter + x - self._left, len(line) - len(str(x)))
        for column in range(-(-self._left // EVERY) * EVERY, self._left + across, EVERY):
            start = gutter + column - self._left
            end = start + len(str(column))
            if end <= len(line) and (end < place or start > place + len(str(x))):
                line[start:end] = [(digit, "2") for digit in str(column)]
        line[place : place + len(str(x))] = [(digit, "7") for digit in str(x)]
        return line

    def _help_lines(self, width: int, room: int) -> list[Line]:
        return [[(_shortened(self._last, width), "2")]] if room > 0 else []

    def _frame(self, lines: Sequence[Line], x: int, y: int) -> ViewportFrame:
        return ViewportFrame(lines=tuple(map(self._painted, lines)), x=x, y=y)

    def _painted(self, line: Line) -> str:
        pieces = []
        for style, cells in groupby(line, key=lambda cell: cell[1]):
            shown = style if self.has_colours else without_colours(style)
            text = "".join(character for character, _ in cells)
            pieces.append(f"\x1b[{shown}m{text}\x1b[m" if shown else text)
        return "".join(pieces)


def _shortened(text: str, width: int) -> str:
    """The help in so many columns: the parts between commas that fit, of which the last one, how to leave, comes first of all."""
    *parts, last = text.split(", ")
    while parts and len(", ".join([*parts, last])) > width:
        parts.pop()
    return ", ".join([*parts, last])[:width]


def _scrolled(start: int, length: int, cursor: int, size: int) -> int:
    """Where to start so that the cursor is in sight, with a margin; moved no further than it must be."""
    margin = min(MARGIN, (length - 1) // 2)
    start = min(start, cursor - margin)
    start = max(start, cursor + margin - length + 1)
    return max(0, min(start, size - length))


def _broken(lines: Sequence[Line], width: int) -> list[Line]:
    """The lines in pieces of at most that width: between words where there is room for one, else anywhere."""
    pieces = []
    for line in lines:
        rest = line
        while len(rest) > width:
            spaces = [at for at, (character, _) in enumerate(rest[: width + 1]) if character == " "]
            end = spaces[-1] if spaces and spaces[-1] > 0 else width
            pieces.append(rest[:end])
            rest = rest[end + 1 if end in spaces else end :]
        pieces.append(rest)
    return pieces
