"""The menu: every choice, by its key."""

from pathlib import Path

from textual.widgets import OptionList

from sapper.solver.advisor import ADVISORS, Advisor
from sapper.tui.text_screens import TextScreen
from tests.terminal_game import shown

NEXT_ADVISOR = ADVISORS[(ADVISORS.index(Advisor().strategy) + 1) % len(ADVISORS)]
"""The one that comes after the default."""


async def test_it_fits_a_small_window() -> None:
    async with shown(size=(40, 13)) as on:
        choices = on.pilot.app.screen.query_one(OptionList)
        assert choices.size.height >= choices.option_count == 12
        assert choices.max_scroll_y == 0
        assert max(len(choice) for choice in on.choices) <= choices.size.width
        await on.press("c", *"9x9", "enter")
        # What is said takes its lines, and the list scrolls.
        await on.until(lambda: choices.size.height < 12)
        assert on.pilot.app.screen.max_scroll_y == 0


async def test_no_choice_is_cut_where_the_list_scrolls() -> None:
    async with shown(size=(40, 12)) as on:
        choices = on.pilot.app.screen.query_one(OptionList)
        for _ in range(3):
            assert max(len(choice) for choice in on.choices) <= choices.scrollable_content_region.width
            await on.press("s")
        assert choices.max_scroll_y > 0


async def test_every_choice(tmp_path: Path) -> None:
    async with shown(database=tmp_path / "games.db") as on:
        await on.press("s", "n", "h")
        assert "s  first reveal: never a mine" in on.choices
        assert "n  boards that need no guess: yes" in on.choices
        assert f"h  guesses in hints: {NEXT_ADVISOR}" in on.choices
        assert on.play.advisor.strategy == NEXT_ADVISOR
        await on.press("n", "c", *"9x9", "enter")
        assert on.text("said") == "a board is columns x rows / mines, as 30x20/130"
        await on.press("c", *"9x9/90", "enter")
        assert "90 mines do not fit 9x9 cells" in on.text("said")
        await on.press("o", *"nonsense", "enter")
        assert "not a code; a code looks like modern#9x9x10." in on.text("said")
        await on.press("2", "space", "escape")
        assert on.play.game.session.rules.start.value == "safe"
        assert on.choices[0] == "b  back to Intermediate"
        await on.press("1", "escape")
        await on.until(lambda: any(choice.strip().startswith("go on: Intermediate") for choice in on.choices))
        await on.press("t")
        await on.until(lambda: isinstance(on.pilot.app.screen, TextScreen))
        await on.press("escape", "end")
        await on.press("enter")
        assert on.play.game.title == "Intermediate"
        assert on.view.board.revealed_count > 0
