"""Every screen in windows that leave its words no column, and back."""

from pathlib import Path
from typing import Any

from textual.screen import Screen
from textual.widgets import Static

from sapper.tui.choice_list import ChoiceList
from sapper.tui.game_screen import GameScreen
from sapper.tui.menu_screen import GamesScreen, MenuScreen
from sapper.tui.review_screen import ReviewScreen
from sapper.tui.text_screens import PromptScreen, TextScreen
from tests.terminal_game import Shown, shown

WIDE = (100, 30)
SMALL = ((5, 24), (3, 24), (1, 1))


def test_every_screen_lives_through_any_size_and_comes_back(tmp_path: Path) -> None:
    async def test(on: Shown) -> None:
        await _resized(on, MenuScreen)
        await on.press("1", "space")
        await _resized(on, GameScreen)
        await on.press("question_mark")
        await _resized(on, TextScreen)
        await on.press("escape", "E", "E")
        await on.until(lambda: "best time" in on.text("said") or "Given up" in on.text("said"))
        await on.press("v")
        await _resized(on, ReviewScreen)
        await on.press("escape", "escape", "c")
        await _resized(on, PromptScreen)
        await on.press("escape", "l")
        await on.until(lambda: isinstance(on.pilot.app.screen, GamesScreen))
        await _resized(on, GamesScreen)
        await on.press("enter")
        await _resized(on, ReviewScreen)

    shown(test, size=WIDE, database=tmp_path / "games.db")


async def _resized(on: Shown, kind: type[Screen[Any]]) -> None:
    screen = on.pilot.app.screen
    assert isinstance(screen, kind)

    def words() -> bool:
        """Whether what the screen is about has its place, with columns to read it in."""
        found = [*screen.query(ChoiceList), *(one for one in screen.query(Static) if one.display)]
        return (
            screen.size == WIDE and all(one.size.width > 20 for one in found) and any(one.size.height for one in found)
        )

    await on.until(words)
    for size in SMALL:
        await on.pilot.resize_terminal(*size)
        await on.pilot.pause()
        assert on.pilot.app.screen.size == size
    await on.pilot.resize_terminal(*WIDE)
    await on.until(words)
