"""The terminal game in tests: an application without a terminal, and what it shows."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import OptionList, Static

from sapper.store.repository import open_store
from sapper.tui.app import PlayApp
from sapper.tui.board_view import BoardView
from sapper.tui.keeper import GameArchive
from sapper.tui.local_play import LocalPlay
from sapper.tui.look import PlayLook

PATIENCE = 60.0
"""Seconds that a screen may take to show what it is waited for."""


class Shown:
    """What a player would see and do."""

    def __init__(self, pilot: Pilot[None], play: LocalPlay) -> None:
        self.pilot = pilot
        self.play = play

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    def text(self, name: str) -> str:
        return str(self.pilot.app.screen.query_one(f"#{name}", Static).content)

    async def said(self, *words: str) -> str:
        """What is said below the board, when it has all these words."""
        await self.until(lambda: all(word in self.text("said") for word in words))
        return self.text("said")

    async def until(self, is_so: Callable[[], bool]) -> None:
        for _ in range(int(PATIENCE / 0.02)):
            await self.pilot.pause(0.02)
            if is_so():
                return
        raise AssertionError(f"not within {PATIENCE} s; said: {self.text('said')!r}")

    @property
    def view(self) -> BoardView:
        return self.pilot.app.screen.query_one(BoardView)

    @property
    def choices(self) -> list[str]:
        options = self.pilot.app.screen.query_one(OptionList)
        return [str(options.get_option_at_index(number).prompt) for number in range(options.option_count)]

    def at(self) -> tuple[int, int]:
        return self.view.board.grid.xy(self.view.cursor)

    def lines(self) -> list[str]:
        """The lines of the board's widget, names and all."""
        return [self.view.render_line(y).text for y in range(self.view.size.height)]

    def rows(self) -> list[str]:
        """The rows of a board that is in sight as a whole, two characters a cell."""
        grid, lines = self.view.board.grid, self.lines()
        return [
            "".join(lines[y][x : x + 2] for x, y in (self.place(c, r) for c in range(grid.width)))
            for r in range(grid.height)
        ]

    def place(self, x: int, y: int) -> tuple[int, int]:
        """Column and line of the widget where the character of a cell is."""
        view = self.view
        (before, above), (left, top), times = view._corner, view.scroll_offset, view._times
        return before + view._gutter + x * 2 * times + times - 1 - left, above + view._head + y * times + (
            times - 1
        ) // 2 - top

    async def click(self, x: int, y: int, *, button: int = 1, shift: bool = False) -> None:
        await self.pilot.click(BoardView, offset=self.place(x, y), button=button, shift=shift)
        await self.pilot.pause()


@asynccontextmanager
async def shown(
    *, look: PlayLook | None = None, size: tuple[int, int] = (100, 30), database: Path | None = None, seed: int = 1
) -> AsyncIterator[Shown]:
    """The application; games are kept in the database, if one is given."""
    archive = GameArchive(None if database is None else lambda: open_store(database), player="ann")
    play = LocalPlay(archive, new_seed=lambda: seed)
    try:
        async with PlayApp(play, look or PlayLook()).run_test(size=size) as pilot:
            await pilot.pause()
            yield Shown(pilot, play)
    finally:
        if play.has_game:
            play.leave()
        archive.close()
