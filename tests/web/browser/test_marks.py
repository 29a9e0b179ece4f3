"""What is drawn over the board to explain it: a hint's names and the chances beside them, and what goes with its note."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import Visitor
from tests.game_page import GARDEN, Art, GamePage

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


def _edges(page: Page) -> list[list[str]]:
    """The texts at the upper edge and at the left one."""
    read = "(edges) => edges.map((edge) => [...edge.children].map((one) => one.textContent))"
    found: list[list[str]] = page.locator(".edge:not(.corner)").evaluate_all(read)
    return found


def test_names_stand_at_the_edges_when_they_are_asked_for(visit: Visit) -> None:
    visitor = visit()
    game = GamePage.of(visitor, GARDEN)
    assert _edges(game.page) == []
    game.tool("Coordinates").click()
    expect(game.tool("Coordinates")).to_have_attribute("aria-pressed", "true")
    assert _edges(game.page) == [list("abcdef"), list("12345")]
    column, cell = game.page.locator(".edge.columns > span").nth(2).bounding_box(), game.cell(2, 0).bounding_box()
    row = game.page.locator(".edge.rows > span").nth(3).bounding_box()
    below = game.cell(0, 3).bounding_box()
    assert column is not None
    assert cell is not None
    assert row is not None
    assert below is not None
    assert column["x"] == pytest.approx(cell["x"], abs=1)
    assert row["y"] == pytest.approx(below["y"], abs=1)
    game.click(5, 0)
    game.expect_revealed(5, 0)
    # The choice is kept, and holds on every board.
    analyser = visitor.tab("analyse")
    expect(analyser.locator(".edge.columns > span")).to_have_count(6)
    assert _edges(analyser) == [list("abcdef"), list("123456")]
    game.tool("Coordinates").click()
    assert _edges(game.page) == []


def test_names_stay_in_sight_where_a_large_board_is_scrolled(visit: Visit) -> None:
    visitor = visit(settings='{"coordinates": true}', viewport={"width": 600, "height": 500})
    game = GamePage.of(visitor, Art("." * 40, *("." * 39 + "*" for _ in range(30))))
    stage = game.page.locator(".stage")
    stage.evaluate("(stage) => stage.scrollTo(400, 300)")
    inside = "(edge) => Math.round(edge.getBoundingClientRect().SIDE - edge.parentElement.getBoundingClientRect().SIDE)"
    assert game.page.locator(".edge.columns").evaluate(inside.replace("SIDE", "top")) == 0
    assert game.page.locator(".edge.rows").evaluate(inside.replace("SIDE", "left")) == 0
    assert _edges(game.page)[0][-1] == "an"


def test_a_candidate_that_is_hovered_or_chosen_is_marked_on_the_board(visit: Visit) -> None:
    page = visit().tab("analyse")
    candidates = page.get_by_role("region", name="Candidates").get_by_role("button")
    expect(candidates.first).to_have_text("b6")
    marked = page.locator(".cell.pointed")
    expect(marked).to_have_count(0)
    candidates.nth(1).hover()
    expect(marked).to_have_attribute("aria-label", re.compile(r"^e6: "))
    candidates.first.click()
    page.mouse.move(2, 2)
    expect(marked).to_have_attribute("aria-label", re.compile(r"^b6: "))
    expect(candidates.first).to_have_attribute("aria-pressed", "true")
    candidates.first.click()
    page.mouse.move(2, 2)
    page.get_by_label("Mines", exact=True).focus()
    expect(marked).to_have_count(0)
