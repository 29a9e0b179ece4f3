"""What is around the board: tools within the thumb's reach, boards that are turned, numbers by their flags, chances that are said once."""

import re
from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import expect

from bench.web_page import art_of
from tests.browser import Visitor
from tests.game_page import CORNER, GARDEN, Art, GamePage

Visit = Callable[..., Visitor]

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
EXPERT = art_of(30, 16, 99, 5)


def test_on_a_phone_the_tools_are_at_the_bottom_and_the_others_behind_more(visit: Visit) -> None:
    game = GamePage.of(visit(**PHONE), GARDEN)
    flag, more = game.tool("Flag mode"), game.tool("More")
    box = flag.bounding_box()
    assert box is not None
    assert box["y"] > 844 - 70
    assert box["x"] > 390 / 2, "beside the thumb of the right hand"
    assert min(box["width"], box["height"]) >= 44
    expect(game.tool("Pause")).to_be_hidden()
    more.tap()
    expect(more).to_have_attribute("aria-expanded", "true")
    for name in ("Redo", "Pause", "May I guess?", "Chances", "Coordinates"):
        expect(game.tool(name)).to_be_in_viewport()
    more.tap()
    expect(game.tool("Pause")).to_be_hidden()
    game.page.evaluate("() => localStorage.setItem('sapper.settings', JSON.stringify({ thumb: 'left' }))")
    game.page.reload()
    game.wait_until_quiet()
    other = game.tool("Flag mode").bounding_box()
    assert other is not None
    assert other["x"] < 390 / 2


def test_pages_are_tabs_at_the_bottom_of_a_phone(visit: Visit) -> None:
    page = visit(**PHONE).tab()
    tab = page.get_by_role("navigation", name="Pages").get_by_role("link", name="Statistics")
    box = tab.bounding_box()
    assert box is not None
    assert box["y"] > 844 - 70
    tab.tap()
    expect(page.get_by_role("heading", name="Statistics")).to_be_visible()
    expect(page.locator(".figure")).to_have_count(0)  # nothing was played: no empty plots


def test_expert_can_be_turned(visit: Visit) -> None:
    game = GamePage.of(visit(**PHONE), EXPERT)
    game.tool("More").tap()
    game.tool("Turn").tap()
    grid = game.page.get_by_role("grid")
    box = grid.bounding_box()
    assert box is not None
    assert box["height"] / box["width"] == 30 / 16
    # A cell keeps its name and is where it is shown; arrows go as they are seen.
    x, y = next(place for place in EXPERT.safe if 3 < place[0] < 8 and place[1] < 8)
    game.cell(x, y).tap()
    game.expect_revealed(x, y)
    expect(game.cell(x, y)).to_be_focused()
    game.page.keyboard.press("ArrowDown")
    expect(game.cell(x + 1, y)).to_be_focused()
    game.page.keyboard.press("ArrowRight")
    expect(game.cell(x + 1, y + 1)).to_be_focused()
    game.page.reload()
    game.wait_until_quiet()
    expect(grid).to_have_class(re.compile("turned"))


def test_sizes_can_be_chosen_where_the_board_does_not_fit(visit: Visit) -> None:
    visitor = visit()
    small = GamePage.of(visitor, GARDEN)
    expect(small.tool("Larger")).to_be_hidden()
    large = GamePage.of(visitor, art_of(60, 60, 400, 1))
    expect(large.tool("Larger")).to_be_visible()
    expect(large.tool("Fit")).to_be_visible()


def test_numbers_by_their_flags_and_never_by_rules_of_their_own(visit: Visit) -> None:
    settings = '{"dimSatisfied": true, "lessFlags": true}'
    game = GamePage.of(visit(settings=settings), GARDEN)
    game.click(5, 0)
    game.expect_tile(2, 2, "1")
    expect(game.cell(2, 0)).to_have_text("1")
    game.click(1, 1, button="right")
    for y in range(3):
        expect(game.cell(2, y)).to_have_text("0")
        expect(game.cell(2, y)).to_have_class(re.compile("satisfied"))
    game.click(1, 1, button="right")
    expect(game.cell(2, 0)).to_have_text("1")
    game.reveal_rest(GARDEN)  # a win flags all mines
    game.expect_end("Victory")
    for x, y in ((2, 0), (3, 4)):
        expect(game.cell(x, y)).to_have_text("0")
        expect(game.cell(x, y)).to_have_class(re.compile("satisfied"))
    engine = GamePage.of(
        visit(settings=settings), Art("......", ".*....", "......", "....*.", "......", rules="engine")
    )
    engine.click(5, 0)
    engine.expect_tile(2, 2, "1")
    engine.click(1, 1, button="right")
    engine.expect_tile(1, 1, "F")
    expect(engine.cell(2, 0)).to_have_text("1")


def _is_aided(game: GamePage) -> bool:
    found: bool = game.page.evaluate(
        "async (id) => (await (await fetch(`/api/games/${id}`)).json()).assistance.aided", game.id
    )
    return found


def test_numbers_less_their_flags_mark_each_game(visit: Visit) -> None:
    game = GamePage.of(visit(settings='{"lessFlags": true}'), GARDEN)
    game.click(5, 0)
    assisted = game.page.locator(".assisted")
    expect(assisted).to_contain_text("help with flags")
    assert _is_aided(game)
    game.page.keyboard.press("F3")
    game.agree("Start over")
    expect(assisted).not_to_contain_text("help with flags")
    game.click(5, 0)
    expect(assisted).to_contain_text("help with flags")


@pytest.mark.parametrize(("option", "button"), [("clickFlags", "left"), ("rightFlags", "right")])
def test_a_number_flags_around_itself_and_that_marks_the_game(
    visit: Visit, option: str, button: Literal["left", "right"]
) -> None:
    game = GamePage.of(visit(settings=f'{{"{option}": true}}'), GARDEN)
    game.click(5, 0)
    game.click(2, 0, button=button)  # two neighbours are covered around this 1
    game.click(1, 0)
    game.expect_tile(1, 0, "1")
    game.expect_tile(1, 1, "#")
    assert not _is_aided(game)
    game.click(2, 0, button="left" if button == "right" else "right")
    game.click(2, 0, button=button)
    game.expect_tile(1, 1, "F")
    expect(game.page.locator(".assisted")).to_contain_text("help with flags")
    assert _is_aided(game)
    game.click(2, 0, button=button)
    game.expect_tile(1, 1, "F")


def test_rules_of_their_own_have_no_options(visit: Visit) -> None:
    settings = '{"clickFlags": true, "rightFlags": true, "openAtRelease": true}'
    engine = GamePage.of(
        visit(settings=settings), Art("......", ".*....", "......", "....*.", "......", rules="engine")
    )
    engine.click(5, 0)
    engine.click(1, 0)
    engine.expect_tile(1, 0, "1")
    engine.click(2, 0)
    engine.click(2, 0, button="right")
    engine.move_to(0, 0)
    engine.page.mouse.down()
    engine.move_to(0, 1)
    expect(engine.page.locator(".pressed")).to_have_count(0)
    engine.page.mouse.up()
    engine.wait_until_quiet()
    engine.expect_tile(1, 1, "#")
    engine.expect_tile(0, 1, "#")
    assert not _is_aided(engine)


def test_the_chance_elsewhere_is_said_once(visit: Visit) -> None:
    game = GamePage.of(visit(), EXPERT)
    zeros = [place for place in EXPERT.safe if EXPERT.layout.clue(EXPERT.grid.cell(*place)) == 0]
    game.click(*zeros[0])
    game.expect_revealed(*zeros[0])
    game.show_chances()
    covered = sum(row.count("#") for row in game.rows)
    assert game.page.locator("[data-heat]").count() < covered / 2
    expect(game.page.locator(".least")).to_have_text(re.compile(r"elsewhere \d+\u00a0%"))
    corner = GamePage.of(visit(), CORNER)
    corner.click(5, 0)
    corner.expect_revealed(5, 0)
    corner.show_chances()
    expect(corner.page.locator("[data-heat]")).not_to_have_count(0)
