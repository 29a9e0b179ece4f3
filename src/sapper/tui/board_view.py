"""The board on a screen: one widget that draws lines, and only those that changed, so that a large board repaints at once.

A cell is two columns wide: its character and a space, or a chance of two digits; where there is room it is two, three or four times as
large. Letters above the board and numbers beside it name its cells; they stay where they are when the board is scrolled.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from typing import Final

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.coordinates import column_name
from sapper.core.notation import SYMBOLS, read_tiles
from sapper.core.tile import Tile
from sapper.errors import NotationError
from sapper.tui.look import MINED, BoardColours

WIDE: Final = 2
"""Columns of a cell; where there is room some times as many."""
LARGEST: Final = 4
"""How many times as large a cell may be."""
HEAD: Final = 1
"""Lines of letters above the board."""
_COVERED: Final = frozenset({Tile.COVERED, Tile.FLAGGED, Tile.QUESTION})
_CHARACTERS: Final = {Tile.ZERO: " ", Tile.COVERED: "·"}


class BoardView(ScrollView, can_focus=True):
    """A board with a cursor, scrolled so that the cursor is in sight."""

    DEFAULT_CSS = """
    BoardView { height: 1fr; scrollbar-size: 1 1; }
    """

    class Clicked(Message):
        """A mouse button was pressed on a cell."""

        def __init__(self, cell: Cell, button: int, *, chords: bool) -> None:
            """`chords`: whether another button, or Shift, says that it is a chord."""
            super().__init__()
            self.cell = cell
            self.button = button
            self.chords = chords

    class Hovered(Message):
        """The pointer is over another cell, or over none."""

        def __init__(self, cell: Cell | None) -> None:
            super().__init__()
            self.cell = cell

    def __init__(self, board: Board, colours: BoardColours, *, has_colours: bool = True) -> None:
        super().__init__()
        self.board = board
        self.cursor = Cell(0)
        self.risks: Mapping[Cell, float] = {}
        self.hinted: Mapping[Cell, str] = {}
        self.read: frozenset[int] = frozenset()
        self.less_flags = False
        self._colours = colours
        self._has_colours = has_colours
        self._hover: int | None = None
        self._near: frozenset[int] = frozenset()
        self._strips: dict[int, tuple[Strip, Strip]] = {}
        """Of each row the line with its characters, and the lines above and below it in a large cell."""
        self._times = 1
        self._head = HEAD
        """Lines of the letters; none in a window that is too low for them."""
        self._gutter = 0
        """Columns of the numbers beside the board; none in a window that is too narrow for them."""
        self._styles: dict[tuple[str, str, bool, bool, bool], Style] = {}
        self._set_near()
        self._fit()

    # --- where everything is -----------------------------------------------------------------------------------

    def on_resize(self) -> None:
        """Another window: cells as large as fit into it, and the cursor in sight."""
        if self._fit():
            self._strips.clear()
        self.refresh()
        self._show_cursor()

    def _fit(self) -> bool:
        """Find out how large cells can be; whether that is other than before."""
        grid, size = self.board.grid, self.container_size
        names = len(str(grid.height)) + 1
        self._head, self._gutter = int(size.height > HEAD + 2), names if size.width >= names + 3 * WIDE else 0
        fitting = (
            times
            for times in range(LARGEST, 1, -1)
            if names + grid.width * WIDE * times <= size.width and HEAD + grid.height * times <= size.height
        )
        before, self._times = self._times, next(fitting, 1)
        self.virtual_size = Size(self._gutter + grid.width * self._wide, self._head + grid.height * self._times)
        return self._times != before

    @property
    def _wide(self) -> int:
        return WIDE * self._times

    @property
    def _corner(self) -> tuple[int, int]:
        """Columns and lines before the board with its letters and numbers, which lies in the middle of a larger window."""
        size, mine = self.size, self.virtual_size
        return max(0, (size.width - mine.width) // 2), max(0, (size.height - mine.height) // 2)

    # --- what is shown -----------------------------------------------------------------------------------------

    def show(self, board: Board, *, anew: bool = False) -> None:
        """Show a board: rows that differ from what was shown are drawn anew, or all of them."""
        before, self.board = self.board, board
        width = board.grid.width
        if before.grid is not board.grid:
            self._fit()
            self.cursor = Cell(min(self.cursor, board.grid.size - 1))
            self._set_near()
            self.scroll_to(0, 0, animate=False)
            anew = True
        if anew:
            self._strips.clear()
            self.refresh()
            return
        old, new = before.tiles, board.tiles
        changed = [
            y for y in range(board.grid.height) if old[y * width : (y + 1) * width] != new[y * width : (y + 1) * width]
        ]
        if self.less_flags:
            changed = [near for y in changed for near in (y - 1, y, y + 1)]
        self._redraw(changed)

    def lay_over(
        self,
        *,
        risks: Mapping[Cell, float] | None = None,
        hinted: Mapping[Cell, str] | None = None,
        read: Iterable[int] | None = None,
    ) -> None:
        """Show chances, what a hint says of cells (`look.SAFE` …) and the clues that it reads; what is None stays as it is."""
        rows: set[int] = set()
        width = self.board.grid.width
        if risks is not None and risks != self.risks:
            rows |= {cell // width for cell in (*risks, *self.risks)}
            self.risks = risks
        if hinted is not None and hinted != self.hinted:
            rows |= {cell // width for cell in (*hinted, *self.hinted)}
            self.hinted = dict(hinted)
        if read is not None:
            found = frozenset(read)
            rows |= {cell // width for cell in found ^ self.read}
            self.read = found
        self._redraw(rows)

    def move_to(self, cell: int) -> None:
        width = self.board.grid.width
        rows = {near // width for near in (*self._near, self.cursor)}
        self.cursor = Cell(cell)
        self._set_near()
        rows |= {near // width for near in (*self._near, self.cursor)}
        self._redraw(rows)
        if self._head:
            self.refresh(Region(0, self._corner[1], self.size.width, self._head))
        self._show_cursor()

    def _show_cursor(self) -> None:
        """Scroll so that its cell is in sight, beside the numbers and below the letters, which do not scroll."""
        x, y = self.board.grid.xy(self.cursor)
        place = Region(x * self._wide, y * self._times, self._gutter + self._wide, self._head + self._times)
        self.scroll_to_region(place, animate=False, force=True, immediate=True, x_axis=True, y_axis=True)

    def _set_near(self) -> None:
        middle = self.cursor if self._hover is None else self._hover
        self._near = frozenset(self.board.grid.neighbours(middle))

    def _redraw(self, rows: Iterable[int]) -> None:
        for y in set(rows):
            if self._strips.pop(y, None) is not None:
                for line in range(self._times):
                    self.refresh_line(self._corner[1] + self._head + y * self._times + line)

    # --- drawing -----------------------------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        left, top = self.scroll_offset
        before, above = self._corner
        width, blank = self.size.width, self.rich_style
        line = y - above - self._head
        if line < -self._head:
            return Strip.blank(width, blank)
        margin, room = before + self._gutter, width - before - self._gutter
        if line < 0:
            letters = Strip(self._letters()).crop_extend(left, left + room, blank)
            return Strip.join([Strip.blank(margin, blank), letters])
        row, part = divmod(line + top, self._times)
        if row >= self.board.grid.height:
            return Strip.blank(width, blank)
        strips = self._strips.get(row)
        if strips is None:
            strips = self._strips[row] = self._row(row)
        is_middle = part == (self._times - 1) // 2
        number = f"{row + 1:{margin - 1}} " if is_middle and self._gutter else " " * margin
        names = Strip([Segment(number, self._name_style(is_cursor=is_middle and row == self._cursor_row))])
        return Strip.join([names, strips[not is_middle].crop_extend(left, left + room, blank)])

    def _letters(self) -> list[Segment]:
        """The names of the columns, as many as fit side by side; that of the cursor always."""
        width, wide = self.board.grid.width, self._wide
        at = self.cursor % width
        text = [" "] * (width * wide + 8)
        for x in range(width):
            name = column_name(x)
            step = -(-(len(name) + 1) // wide)
            # Long names stand at every second or third column; that of the cursor always, and none beside it that it would touch.
            if x == at or (not x % step and not 0 < abs(x - at) < step):
                begin = x * wide + (wide - WIDE) // 2
                text[begin : begin + len(name)] = name
        begin, end = at * wide, at * wide + max(wide, len(column_name(at)) + (wide - WIDE) // 2)
        line = "".join(text)
        plain, chosen = self._name_style(is_cursor=False), self._name_style(is_cursor=True)
        return [Segment(line[:begin], plain), Segment(line[begin:end], chosen), Segment(line[end:], plain)]

    def _name_style(self, *, is_cursor: bool) -> Style:
        return self.rich_style + Style(bold=is_cursor, dim=not is_cursor, underline=is_cursor and not self._has_colours)

    @property
    def _cursor_row(self) -> int:
        return self.cursor // self.board.grid.width

    def _row(self, y: int) -> tuple[Strip, Strip]:
        width = self.board.grid.width
        pieces = [self._cell(cell) for cell in range(y * width, (y + 1) * width)]
        before = (self._wide - WIDE) // 2
        drawn = [(f"{' ' * before}{text}{' ' * (self._wide - WIDE - before)}", style) for text, style in pieces]
        empty = [(" " * self._wide, style) for _, style in pieces]
        return _joined(drawn), _joined(empty)

    def _cell(self, cell: int) -> tuple[str, Style]:
        tile = self.board.tiles[cell]
        colours = self._colours
        text = self._character(cell, tile) + " "
        is_bold = tile in (Tile.FLAGGED, Tile.EXPLODED, Tile.WRONG_FLAG) or cell in self.read
        if tile in _COVERED:
            ink, paper = colours.dots, colours.near if cell in self._near else colours.covered
            if tile != Tile.COVERED:
                ink = colours.flag
            risk = self.risks.get(Cell(cell))
            if risk is not None:
                paper, ink = colours.risks[min(int(risk * len(colours.risks)), len(colours.risks) - 1)]
                if tile == Tile.COVERED:
                    text = risk_text(risk)
                    # Two digits leave no gap to the next two: every other column is bold.
                    is_bold = cell % self.board.grid.width % 2 == 1
        elif tile <= Tile.EIGHT:
            ink = colours.clues[tile - 1] if tile else colours.dots
            paper = colours.read if cell in self.read else colours.revealed
        elif tile == Tile.MINE:
            ink, paper = colours.flag, colours.covered
        else:
            ink, paper = colours.mine_ink, colours.mine
        reverses, is_underlined = False, tile in colours.underlined
        sign = self.hinted.get(Cell(cell))
        if sign is not None:
            ink, paper = colours.hinted_ink, colours.hinted
            if sign == MINED:
                ink, paper = colours.mine_ink, colours.mine
            # A chance says as much, and more.
            text = text if Cell(cell) in self.risks and tile == Tile.COVERED else text[0] + sign
        if cell == self.cursor:
            ink, paper, reverses = colours.cursor_ink, colours.cursor, not self._has_colours
        return text, self._style(ink, paper, bold=is_bold, reverses=reverses, underlined=is_underlined)

    def _character(self, cell: int, tile: int) -> str:
        if self.less_flags and 0 < tile <= Tile.EIGHT:
            tiles = self.board.tiles
            left = tile - sum(tiles[near] == Tile.FLAGGED for near in self.board.grid.neighbours(cell))
            return str(left) if left > 0 else "-" if left < 0 else "'"
        return _CHARACTERS.get(Tile(tile), SYMBOLS[tile])

    def _style(self, ink: str, paper: str, *, bold: bool, reverses: bool, underlined: bool) -> Style:
        key = (ink, paper, bold, reverses, underlined)
        style = self._styles.get(key)
        if style is None:
            style = self._styles[key] = Style(
                color=ink, bgcolor=paper, bold=bold, reverse=reverses, underline=underlined
            )
        return style

    # --- the mouse ---------------------------------------------------------------------------------------------

    def cell_at(self, x: int, y: int) -> Cell | None:
        """The cell at a place of the widget; None beside the board."""
        (left, top), (before, above), grid = self.scroll_offset, self._corner, self.board.grid
        x, y = x - before - self._gutter, y - above - self._head
        if x < 0 or y < 0:
            return None
        column, row = (x + left) // self._wide, (y + top) // self._times
        return grid.cell(column, row) if column < grid.width and row < grid.height else None

    def on_mouse_down(self, event: events.MouseDown) -> None:
        cell = self.cell_at(event.x, event.y)
        if cell is not None:
            event.stop()
            self.post_message(self.Clicked(cell, event.button, chords=event.button == 2 or event.shift))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        self._hover_over(self.cell_at(event.x, event.y))

    def on_leave(self) -> None:
        self._hover_over(None)

    def _hover_over(self, cell: Cell | None) -> None:
        if cell == self._hover:
            return
        width = self.board.grid.width
        rows = {near // width for near in self._near}
        self._hover = cell
        self._set_near()
        self._redraw(rows | {near // width for near in self._near})
        self.post_message(self.Hovered(cell))


def _joined(pieces: Iterable[tuple[str, Style]]) -> Strip:
    """Texts with their styles, side by side; neighbours of one style are one segment."""
    segments = [
        Segment("".join(text for text, _ in group), style) for style, group in groupby(pieces, lambda piece: piece[1])
    ]
    return Strip(segments)


def risk_text(risk: float) -> str:
    """A chance in two characters; only certainties read as such.

    >>> risk_text(0.0), risk_text(0.001), risk_text(0.384), risk_text(0.999), risk_text(1.0)
    ('ok', '01', '38', '99', '!!')
    """
    if risk <= 0:
        return "ok"
    if risk >= 1:
        return "!!"
    return f"{min(99, max(1, round(100 * risk))):02d}"


_UNKNOWN: Final = frozenset({Tile.COVERED, Tile.QUESTION})


def moved(board: Board, cell: int, motion: str, count: int | None = None) -> Cell | None:
    """The cell that a motion leads to from another, `count` times or to that row; None for what is no motion, or leads nowhere."""
    grid = board.grid
    x, y = grid.xy(cell)
    times = 1 if count is None else max(1, count)
    match motion:
        case "left":
            x = max(0, x - times)
        case "right":
            x = min(grid.width - 1, x + times)
        case "up":
            y = max(0, y - times)
        case "down":
            y = min(grid.height - 1, y + times)
        case "row_start":
            x = 0
        case "row_end":
            x = grid.width - 1
        case "top":
            y = min(grid.height, times) - 1
        case "bottom":
            y = grid.height - 1 if count is None else min(grid.height, times) - 1
        case "next_clue" | "previous_clue":
            return _repeated(board, cell, is_unfinished, times, -1 if motion == "previous_clue" else 1)
        case _:
            return None
    return grid.cell(x, y)


def is_unfinished(board: Board, cell: int) -> bool:
    """True if it is a clue with a covered cell beside it that is not flagged."""
    tiles = board.tiles
    return 0 < tiles[cell] <= Tile.EIGHT and any(tiles[near] in _UNKNOWN for near in board.grid.neighbours(cell))


def found(board: Board, cell: int, symbol: str, count: int = 1) -> Cell | None:
    """The next cell with what a symbol of board text means, from a cell on; None if there is none, or it means nothing."""
    try:
        wanted = read_tiles(symbol.upper() if symbol == "f" else symbol)[0]
    except NotationError:
        return None
    return _repeated(board, cell, lambda board, other: board.tiles[other] == wanted, count, 1)


def _repeated(board: Board, cell: int, is_wanted: Callable[[Board, int], bool], times: int, step: int) -> Cell | None:
    at: Cell | None = None
    for _ in range(min(times, board.grid.size)):
        start = cell if at is None else at
        others = ((start + step * number) % board.grid.size for number in range(1, board.grid.size + 1))
        at = next((Cell(other) for other in others if is_wanted(board, other)), None)
        if at is None:
            return None
    return at
