"""Every screen in windows that leave its words no column, and back."""

from pathlib import Path
from typing import Any

from textual.screen import Screen
from textual.widgets import Static

from sapper.tui.choice_list import ChoiceList, FittedLine, LinePart, fitted
from sapper.tui.game_screen import GameScreen
from sapper.tui.menu_screen import GamesScreen, MenuScreen
from sapper.tui.review_screen import ReviewScreen
from sapper.tui.text_screens import PromptScreen, TextScreen
from tests.terminal_game import Shown, shown

WIDE = (100, 30)
SMALL = ((5, 24), (3, 24), (1, 1))


async def test_every_screen_lives_through_any_size_and_comes_back(tmp_path: Path) -> None:
    async with shown(size=WIDE, database=tmp_path / "games.db") as on:
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


PARTS = [LinePart("? help", 0), LinePart("Esc menu", 2), LinePart("Space reveal", 1), LinePart("u undo", 3)]


def test_parts_are_whole_and_the_least_important_go_first() -> None:
    assert fitted(PARTS, 80) == "? help   Esc menu   Space reveal   u undo"
    assert fitted(PARTS, 40) == "? help  Esc menu  Space reveal  u undo"
    assert fitted(PARTS, 37) == "? help   Esc menu   Space reveal"
    assert fitted(PARTS, 29) == "? help   Space reveal"
    assert fitted(PARTS, 3) == "? help"


async def test_no_key_of_the_game_is_cut_and_the_end_is_told_in_any_width() -> None:
    async with shown(size=(100, 30)) as on:
        await on.press("1", "space")
        layout = on.play.game.referee.layout
        assert layout is not None
        on.view.move_to(next(iter(layout.mines)))
        await on.press("space")
        for width in (120, 80, 60, 40):
            await on.pilot.resize_terminal(width, 12)
            await on.until(lambda wide=width: on.pilot.app.screen.query_one("#keys").size.width == wide - 2)  # type: ignore[misc]
            await on.pilot.pause()
            for name in ("keys", "boxes"):
                line = on.pilot.app.screen.query_one(f"#{name}", FittedLine)
                assert len(str(line.content)) <= line.content_size.width
            assert {"? help", "Space reveal", "f flag", "Esc menu"} <= set(on.text("keys").split("  "))
            assert "GAME OVER" in on.text("boxes")
        assert "a new" not in on.text("keys")
