"""What is drawn over the board to explain it: a hint's names and the chances beside them, and what goes with its note."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.browser import Visitor
from tests.game_page import GARDEN, GamePage

Visit = Callable[..., Visitor]


NAME = re.compile("^[a-f][1-6]$")


@pytest.fixture
def hinted(visit: Visit) -> GamePage:
    """A game with a number revealed, from which nothing is certain: a hint names the cell of the least risk."""
    game = GamePage.of(visit(), GARDEN)
    game.click(0, 0)
    game.expect_tile(0, 0, "1")
    game.tool("Hint").click()
    expect(_name(game)).to_have_attribute("data-name", NAME)
    return game


def _name(game: GamePage) -> Locator:
    return game.page.locator(".cell.best > .name")


def test_a_hints_name_stays_when_chances_come_and_go(hinted: GamePage) -> None:
    hinted.show_chances()
    expect(_name(hinted)).to_have_attribute("data-name", NAME)
    expect(hinted.page.locator(".cell.best")).to_have_text(re.compile(r"^\d+$"))
    hinted.tool("Chances").click()
    expect(hinted.page.locator("[data-heat]")).to_have_count(0)
    expect(hinted.page.locator(".cell.best")).to_have_text("")
    expect(_name(hinted)).to_have_attribute("data-name", NAME)


def test_the_best_cell_is_marked_as_that_among_the_chances(hinted: GamePage) -> None:
    colours = "(cell) => getComputedStyle(cell).boxShadow"
    before = hinted.page.locator(".cell.best").evaluate(colours)
    hinted.show_chances()
    expect(hinted.page.locator(".cell.best[data-least]")).to_have_count(1)
    assert hinted.page.locator(".cell.best").evaluate(colours) == before


def test_another_answer_takes_a_hints_marks_away(hinted: GamePage) -> None:
    hinted.tool("May I guess?").click()
    expect(hinted.page.get_by_role("complementary", name="Notes")).to_contain_text("no cell is certain")
    expect(hinted.page.locator(".cell.best, .cell > .name")).to_have_count(0)


def test_escape_closes_a_hint_before_it_ends_a_game(hinted: GamePage) -> None:
    notes = hinted.page.get_by_role("complementary", name="Notes")
    expect(notes).to_be_visible()
    hinted.page.keyboard.press("Escape")
    expect(notes).to_be_hidden()
    expect(hinted.page.locator(".cell.best, .cell > .name")).to_have_count(0)
    expect(hinted.page.get_by_role("dialog")).to_have_count(0)
    hinted.page.keyboard.press("Escape")
    expect(hinted.page.get_by_role("dialog")).to_be_visible()
