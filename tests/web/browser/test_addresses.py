"""Addresses: what they lead to, what Back leads to, what they keep; and the words of the pages that have one."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser import Visitor
from tests.game_page import GARDEN, GamePage

Visit = Callable[..., Visitor]


@pytest.fixture
def player(visit: Visit) -> Visitor:
    """Somebody with two games that have ended: one lost by its only click, one given up with help."""
    visitor = visit()
    game = GamePage.of(visitor, GARDEN)
    game.click(4, 3)
    game.expect_end("Game Over")
    game.page.close()
    game = GamePage.of(visitor, GARDEN)
    game.click(5, 0)
    game.expect_revealed(5, 0)
    game.tool("Hint").click()
    expect(game.page.locator(".note")).to_be_visible()
    game.tool("End").click()
    game.agree("End it")
    game.expect_end("Game Over")
    game.page.close()
    return visitor


def test_an_address_that_is_nowhere_leads_to_the_menu_and_says_so(visit: Visit) -> None:
    visitor = visit()
    visitor.expect("404")
    page = visitor.tab("nothing/here")
    expect(page.get_by_text("There is no page at /nothing/here.")).to_be_in_viewport()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    assert page.url == visitor.url


def test_a_fragment_that_is_nowhere_is_said(visit: Visit) -> None:
    visitor = visit()
    visitor.expect("404|4404|WebSocket")
    page = visitor.tab("#bogus")
    expect(page.get_by_text("There is no page at #bogus.")).to_be_in_viewport()
    page.goto(f"{visitor.url}#game=xxxxxxxx")
    expect(page.get_by_text("There is no such game here.")).to_be_in_viewport()


def test_back_leads_to_no_game_that_another_has_taken_the_place_of(visit: Visit) -> None:
    page = visit().tab()
    page.get_by_role("button", name="Beginner").click()
    game = GamePage(page)
    for _ in range(3):
        game.wait_until_quiet()
        game.click(4, 4)
        game.expect_revealed(4, 4)
        before = game.id
        page.keyboard.press("F2")
        page.wait_for_function("(before) => !location.hash.includes(before)", arg=before)
    game.wait_until_quiet()  # a socket that is left before it is open makes the browser complain
    page.go_back()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_the_list_of_games_keeps_its_filters(player: Visitor) -> None:
    page = player.tab("games")
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(2)
    page.get_by_label("Result").select_option("Lost")
    expect(rows).to_have_count(1)
    rows.get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Review: Custom")
    expect(page).to_have_title("Review – sapper")
    expect(page.locator(".facts")).to_contain_text("1\u00a0click ")
    page.go_back()
    expect(page.get_by_label("Result")).to_have_value("lost")
    expect(rows).to_have_count(1)
    page.reload()
    expect(page.get_by_label("Result")).to_have_value("lost")


_CUT = """() => [...document.querySelectorAll("tbody td, tbody th")].flatMap((cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    const [text, box] = [range.getBoundingClientRect(), cell.getBoundingClientRect()];
    return text.right > box.right + 1 || box.right > innerWidth ? [cell.textContent] : [];
})"""


def test_the_list_of_games_is_legible_at_every_width(player: Visitor) -> None:
    page = player.context.new_page()
    for width in (735, 600, 480, 390, 320):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(f"{player.url}games")
        expect(page.get_by_text("Given up, assisted")).to_be_visible()
        assert page.evaluate(_CUT) == []


def test_giving_up_is_said_once_in_a_review(player: Visitor) -> None:
    page = player.tab("games#result=terminated")
    page.locator("tbody").get_by_role("link").click()
    last = page.locator(".moves .move").last
    expect(page.locator(".review-measures")).to_be_visible()
    expect(last).to_have_text(re.compile(r"^\d+\. Given up$"))


def _pasted(page: Page, text: str) -> None:
    page.locator("#pasted").fill(text)
    page.get_by_role("button", name="Show it").click()


def test_the_analyser_speaks_as_a_player_does(visit: Visit) -> None:
    visitor = visit()
    visitor.expect("400")
    page = visitor.tab("analyse")
    found = page.locator(".findings")
    expect(found).to_contain_text("3 layouts fit")
    _pasted(page, "2x2/1\n1*\n11")
    expect(found).to_contain_text("this game is won")
    _pasted(page, "2x2/1\n1X\n##")
    expect(found).to_contain_text("this game is lost")
    _pasted(page, "5x4/5\n##1..\n##211\n#####\n#####")
    expect(found.locator(".move", has_text="1-1")).not_to_have_count(0)
    expect(found.locator(".move", has_text=re.compile(r"1-1:\s*1-1:"))).to_have_count(0)
    notice = page.locator(".analyser .notice")
    _pasted(page, "3x2/2\n12z\n###")
    expect(notice).to_have_text(re.compile(r"^Line 2, character 3: 'z' is not a tile"))
    expect(notice).to_be_in_viewport()
    _pasted(page, "modern#9x9")
    expect(notice).not_to_contain_text(re.compile("RULES|RECIPE|:1:"))


_ASKED = """async (seen) => {
    while (!document.querySelector(seen)?.checkVisibility()) await new Promise(requestAnimationFrame);
    const entries = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
    const files = entries.map((one) => [new URL(one.name).pathname, one.transferSize]);
    return files.filter(([path, size]) => size > 0 && !path.startsWith("/api/")).map(([path]) => path);
}"""


@pytest.mark.parametrize(
    ("place", "seen"),
    [("", ".play"), (GARDEN.place, "[role=gridcell]"), ("games", "h1"), ("analyse", ".findings .move")],
)
def test_a_second_load_asks_for_the_page_only(visit: Visit, place: str, seen: str) -> None:
    visitor = visit()
    first = visitor.tab(place)
    asked = first.evaluate(_ASKED, seen)
    assert len(asked) == len(set(asked)) > 10
    first.wait_for_load_state("networkidle")
    again = visitor.tab(place).evaluate(_ASKED, seen)
    assert again == [f"/{'' if place.startswith('#') else place}"]
