"""The board on a screen: one widget that draws lines, and only those that changed, so that a large board repaints at once.

A cell is two columns wide: its character and a space, or a chance of two digits.

Knows: tiles, the cursor, what is laid over the board; the strip of each row.
Does not know: games and moves; it tells which cell was clicked, and how.
"""

from collections.abc import Iterable, Mapping
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
from sapper.core.notation import SYMBOLS
from sapper.core.tile import Tile
from sapper.tui.look import BoardColours

WIDE: Final = 2
"""Columns of a cell."""
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
        self.hinted: frozenset[int] = frozenset()
        self.read: frozenset[int] = frozenset()
        self.less_flags = False
        self._colours = colours
        self._has_colours = has_colours
        self._hover: int | None = None
        self._near: frozenset[int] = frozenset()
        self._strips: dict[int, Strip] = {}
        self._styles: dict[tuple[str, str, bool, bool, bool], Style] = {}
        self._set_near()
        self.virtual_size = Size(board.grid.width * WIDE, board.grid.height)

    # --- what is shown -----------------------------------------------------------------------------------------

    def show(self, board: Board, *, anew: bool = False) -> None:
        """Show a board: rows that differ from what was shown are drawn anew, or all of them."""
        before, self.board = self.board, board
        width = board.grid.width
        if before.grid is not board.grid:
            self.virtual_size = Size(width * WIDE, board.grid.height)
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
        hinted: Iterable[int] | None = None,
        read: Iterable[int] | None = None,
    ) -> None:
        """Show chances, the cells of a hint and the clues that it reads; what is None stays as it is."""
        rows: set[int] = set()
        width = self.board.grid.width
        if risks is not None and risks != self.risks:
            rows |= {cell // width for cell in (*risks, *self.risks)}
            self.risks = risks
        for name, cells in (("hinted", hinted), ("read", read)):
            if cells is not None:
                found = frozenset(cells)
                rows |= {cell // width for cell in found ^ getattr(self, name)}
                setattr(self, name, found)
        self._redraw(rows)

    def move_to(self, cell: int) -> None:
        """Put the cursor on a cell, and the cell in sight."""
        width = self.board.grid.width
        rows = {near // width for near in (*self._near, self.cursor)}
        self.cursor = Cell(cell)
        self._set_near()
        rows |= {near // width for near in (*self._near, self.cursor)}
        self._redraw(rows)
        x, y = self.board.grid.xy(cell)
        self.scroll_to_region(
            Region(x * WIDE, y, WIDE, 1), animate=False, force=True, immediate=True, x_axis=True, y_axis=True
        )

    def _set_near(self) -> None:
        middle = self.cursor if self._hover is None else self._hover
        self._near = frozenset(self.board.grid.neighbours(middle))

    def _redraw(self, rows: Iterable[int]) -> None:
        for y in set(rows):
            if self._strips.pop(y, None) is not None:
                self.refresh_line(y)

    # --- drawing -----------------------------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        """A line of the screen."""
        left, top = self.scroll_offset
        row = y + top
        width = self.size.width
        blank = self.rich_style
        if row >= self.board.grid.height:
            return Strip.blank(width, blank)
        strip = self._strips.get(row)
        if strip is None:
            strip = self._strips[row] = self._row(row)
        return strip.crop_extend(left, left + width, blank)

    def _row(self, y: int) -> Strip:
        width = self.board.grid.width
        segments: list[Segment] = []
        text, style = "", None
        for cell in range(y * width, (y + 1) * width):
            piece, piece_style = self._cell(cell)
            if piece_style is style:
                text += piece
                continue
            if style is not None:
                segments.append(Segment(text, style))
            text, style = piece, piece_style
        assert style is not None
        segments.append(Segment(text, style))
        return Strip(segments, width * WIDE)

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
        if cell in self.hinted:
            ink, paper = colours.hinted_ink, colours.hinted
            text = text if self._has_colours else text[0] + "<"
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
        left, top = self.scroll_offset
        grid = self.board.grid
        column, row = (x + left) // WIDE, y + top
        return grid.cell(column, row) if 0 <= column < grid.width and 0 <= row < grid.height else None

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """A button: which cell it is for."""
        cell = self.cell_at(event.x, event.y)
        if cell is not None:
            event.stop()
            self.post_message(self.Clicked(cell, event.button, chords=event.button == 2 or event.shift))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """The cells around the pointer are tinted."""
        self._hover_over(self.cell_at(event.x, event.y))

    def on_leave(self) -> None:
        """The pointer has gone: those around the cursor are."""
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
