"""The review: from the end of a game and from the list of the last ones, through every move, in words."""

from pathlib import Path

import pytest
from textual.widgets import Static

from sapper.cli.main import main
from sapper.core.status import Status
from sapper.tui.menu_screen import GamesScreen, MenuScreen
from sapper.tui.review_screen import ReviewScreen
from sapper.tui.text_screens import TextScreen
from tests.terminal_game import Shown, shown


async def test_a_lost_game_is_gone_through_move_by_move(tmp_path: Path) -> None:
    async with shown(database=tmp_path / "games.db") as on:
        await on.press("1", "v")
        await on.said("a review is for a game that has ended")
        await on.press("space")
        await on.click(3, 1)
        await on.click(2, 1)
        assert on.play.status is Status.LOST
        await on.press("v")
        assert isinstance(on.pilot.app.screen, ReviewScreen)
        await _go_through(on)
        await on.press("escape", "escape", "l")
        await on.until(lambda: isinstance(on.pilot.app.screen, GamesScreen))
        await on.press("enter")
        assert isinstance(on.pilot.app.screen, ReviewScreen)
        await _go_through(on)
        await on.press("q", "q")
        assert isinstance(on.pilot.app.screen, MenuScreen)


async def _go_through(on: Shown) -> None:
    await on.said("Beginner: 3 moves.", "lost: 1 guess, 1 mistake; accuracy ")
    assert on.view.board.revealed_count == 0
    await on.press("right")
    await on.said("1. reveal e5: first.", "Chance to win: about")
    assert on.view.board.revealed_count == 43
    await on.press("l")
    await on.said("2. reveal d2: safe.")
    await on.press("n")
    await on.said("3. reveal c2: certain mine, lost.", "It risked 100.0 %", "were safe.")
    assert on.pilot.app.screen.query_one("#boxes").has_class("mistake")
    assert on.at() == (2, 1)
    assert not _is_over(on), "a mistake is shown as it was before it"
    assert on.view.hinted
    await on.press("j")
    assert _is_over(on)
    await on.press("n")
    await on.said("no mistake after this move")
    await on.press("0")
    await on.said("3 moves")
    await on.press("dollar_sign")
    await on.said("3. reveal c2")


def _is_over(on: Shown) -> bool:
    return on.view.board.status.ended


async def test_without_games_there_is_nothing_to_list(tmp_path: Path) -> None:
    async with shown(database=tmp_path / "games.db") as on:
        await on.press("l")
        await on.said("no game has ended yet")


async def test_a_game_that_was_given_up_is_called_so_everywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database = str(tmp_path / "games.db")
    async with shown(database=tmp_path / "games.db") as on:
        await on.press("1", "space", "E", "E", "v")
        await on.said("given up: 0 guesses, 0 mistakes")
        await on.press("dollar_sign")
        await on.said("2. given up.")
        await on.press("escape", "escape", "t")
        await on.until(lambda: isinstance(on.pilot.app.screen, TextScreen))
        words = " ".join(str(one.render()) for one in on.pilot.app.screen.query(Static))
        assert "Beginner: given up, " in words
    assert main(["stats", "games", "--database", database]) == 0
    row = capsys.readouterr().out.splitlines()[-1]
    assert "given up" in row
    assert main(["review", row.split()[-1], "--database", database, "--all"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.endswith("s  given up")], lines
    assert [line for line in lines if line.startswith("given up: 2 moves, 0 guesses")], lines
    assert "terminate" not in "".join(lines)
