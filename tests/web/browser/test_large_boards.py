"""Boards of thousands of cells: a cascade opens a part in each frame, and is right at every moment for who looks or listens."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser import Visitor
from tests.game_page import Art, GamePage

Visit = Callable[..., Visitor]

LARGE = Art(*["." * 99 + "*" if y % 2 else "." * 100 for y in range(100)])
"""One opening of 9,900 cells: all but the last column, and half of that is mines."""

WATCH = """() => {
    const grid = document.querySelector("[role=grid]");
    const rows = [...grid.querySelectorAll("[role=row]")];
    const place = (cell) => [[...cell.parentElement.children].indexOf(cell), rows.indexOf(cell.parentElement)];
    window.parts = [];
    window.heard = null;
    new MutationObserver((records) => {
        window.parts.push({
            cells: records.map((one) => place(one.target)),
            busy: grid.getAttribute("aria-busy"),
            opacity: getComputedStyle(grid).opacity,
        });
        if (window.heard) return;
        const home = { key: "Home", ctrlKey: true, bubbles: true };
        document.activeElement.dispatchEvent(new KeyboardEvent("keydown", home));
        window.heard = document.activeElement.getAttribute("aria-label");
    }).observe(grid, { subtree: true, attributes: true, attributeFilter: ["data-t"] });
}"""


@pytest.fixture
def opened(visit: Visit) -> GamePage:
    """The large board, watched, and its opening opened from the middle by key; after the first part, the first cell is focused."""
    game = GamePage.of(visit(), LARGE)
    game.page.evaluate(WATCH)
    game.page.keyboard.press("Space")
    expect(game.page.locator("[role=gridcell][data-t='.']")).to_have_count(9800)
    expect(game.page.get_by_role("grid")).not_to_have_attribute("aria-busy", "true")
    return game


def test_a_cascade_opens_from_the_cursor_outwards(opened: GamePage) -> None:
    parts: list[dict[str, Any]] = opened.page.evaluate("() => window.parts")
    first, second = [part["cells"] for part in parts if part["cells"] != [[0, 0]]][:2]
    assert [50, 50] in first
    assert len(first) < 300
    assert max(_ring(x, y) for x, y in first) <= min(_ring(x, y) for x, y in second)
    assert [part["busy"] for part in parts[:2]] == ["true", "true"]
    assert {part["opacity"] for part in parts} == {"1"}  # busy is said, not shown: the whole board would flash
    cells = [tuple(cell) for part in parts for cell in part["cells"]]
    assert len(cells) == len(set(cells)) == 9900


def _ring(x: int, y: int) -> int:
    return max(abs(x - 50), abs(y - 50))


def test_a_cell_that_is_not_drawn_yet_says_what_it_is_when_the_focus_comes(opened: GamePage) -> None:
    assert opened.page.evaluate("() => window.heard") == "a1: empty"


def test_the_cursor_s_cell_has_its_words_before_any_other(visit: Visit) -> None:
    visitor = visit()
    visitor.context.add_init_script("""
        new MutationObserver((_, self) => {
            const cell = document.querySelector("[role=gridcell][tabindex='0']");
            if (!cell) return;
            window.first = [cell.getAttribute("aria-label"), document.querySelectorAll("[role=gridcell][aria-label]").length];
            self.disconnect();
        }).observe(document, { subtree: true, childList: true });""")
    game = GamePage.of(visitor, LARGE)
    assert game.page.evaluate("() => window.first") == ["ay51: covered", 1]


def test_an_undo_amid_a_cascade_leaves_nothing_of_it(visit: Visit) -> None:
    game = GamePage.of(visit(), LARGE)
    game.page.evaluate(WATCH)
    game.page.keyboard.press("Space")
    game.page.wait_for_function("() => window.parts.length > 0")
    game.tool("Undo").click()
    game.expect_rows(["#" * 100] * 100)
    expect(game.page.get_by_role("gridcell", name="ay51: covered")).to_have_count(1)
