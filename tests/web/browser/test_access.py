"""For everyone: no violations of the accessibility rules on any screen in any look; calm where it is asked for; small, and closed."""

import json
import re
import time
from collections.abc import Callable, Sequence

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, expect

from tests.browser import PATIENCE, Visitor
from tests.game_page import FIELD, GARDEN, GamePage
from tests.sizes import sized

Visit = Callable[..., Visitor]
OTHER_LOOKS = [("light", "classic"), ("light", "clear"), ("dark", "classic")][: sized(1, 3)]
"""Themes and palettes, beside the dark and clear one that `looking` has chosen."""
SCREENS = ["", "#new", "#statistics", "#settings", "daily", "rankings", "name", "honesty"]


def violations(page: Page, *, looks: Sequence[tuple[str, str]] = ()) -> list[str]:
    """What axe finds, an entry for each rule, with the first elements that break it; in other looks, what it says of colours."""
    # That what is seen of a name is in the name, for who speaks to a page: axe has it among its experiments.
    found = _found(page, {"rules": {"label-content-name-mismatch": {"enabled": True}}})
    own = page.locator("html").evaluate("(html) => [html.dataset.theme, html.dataset.palette]")
    for look in looks:
        _put_on(page, look)
        found += [f"{look}: {one}" for one in _found(page, {"runOnly": ["color-contrast", "link-in-text-block"]})]
    if looks:
        _put_on(page, own)
    return found


def _put_on(page: Page, look: Sequence[str]) -> None:
    page.locator("html").evaluate(
        "(html, [theme, palette]) => Object.assign(html.dataset, { theme, palette })", list(look)
    )


def _found(page: Page, options: dict[str, object]) -> list[str]:
    # What is still fading in has other colours than it will have.
    page.evaluate("Promise.all(document.getAnimations().map((one) => one.finished.catch(() => null)))")
    found = Axe().run(page, options=options).response["violations"]
    return [
        f"{one['id']}: {[node['target'] for node in one['nodes'][:3]]} {one['nodes'][0].get('failureSummary')}"
        for one in found
    ]


def looking(visit: Visit) -> Visitor:
    """A visitor who has chosen a look."""
    return visit(color_scheme="dark", reduced_motion="reduce", settings=json.dumps({"palette": "clear"}))


def test_no_violations_in_any_look(visit: Visit) -> None:
    visitor = looking(visit)
    found: dict[str, list[str]] = {}
    game = GamePage.of(visitor, GARDEN)
    page = game.page
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator("html")).to_have_attribute("data-palette", "clear")
    game.click(5, 0)
    game.expect_tile(2, 2, "1")
    game.click(1, 1, button="right")
    game.expect_tile(1, 1, "F")
    game.tool("Hint").click()
    expect(page.locator(".note")).to_be_visible()
    found["playing"] = violations(page, looks=OTHER_LOOKS)
    game.pause()
    found["paused"] = violations(page, looks=OTHER_LOOKS)
    game.go_on()
    game.tool("End").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    found["asked"] = violations(page, looks=OTHER_LOOKS)
    page.get_by_role("button", name="Keep playing").click()
    game.tool("Coordinates").click()
    game.show_chances()
    found["chances"] = violations(page, looks=OTHER_LOOKS)
    game.click(4, 3)
    game.expect_end("Game Over")
    expect(page.locator(".legend")).to_be_visible()
    for name in ("was-safe", "was-mined"):
        if page.locator(f".swatch.{name}").count():  # the legend has the colours of the board
            ring = page.locator(f".cell.{name}").first.evaluate("(cell) => getComputedStyle(cell).boxShadow")
            swatch = page.locator(f".swatch.{name}").evaluate("(one) => getComputedStyle(one).borderTopColor")
            assert ring.startswith(swatch), (name, ring, swatch)
    found["lost"] = violations(page, looks=OTHER_LOOKS)
    for screen in SCREENS:
        page.goto(f"{visitor.url}{screen}")
        expect(page.locator("[data-screen]:visible h1")).to_be_visible()
        page.wait_for_load_state("networkidle")
        found[screen or "menu"] = violations(page, looks=OTHER_LOOKS)
    assert {name: what for name, what in found.items() if what} == {}


def expect_room(page: Page, *widths: int) -> None:
    """Wait until nothing sticks out to the side, in windows of these widths.

    (`innerWidth` says nothing: a phone's grows with what sticks out.)
    """
    for width in widths:
        page.set_viewport_size({"width": width, "height": 740})
        page.wait_for_function("(width) => document.documentElement.scrollWidth <= width", arg=width)


def test_a_phone_has_room_for_everything(visit: Visit) -> None:
    visitor = visit(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    game = GamePage.of(visitor, GARDEN)
    for screen in [None, *SCREENS]:
        if screen is not None:
            game.page.goto(f"{visitor.url}{screen}")
            expect(game.page.locator("[data-screen]:visible h1")).to_be_attached()
        expect_room(game.page, 360, 240)


@pytest.mark.parametrize(
    ("width", "height", "options"),
    [(844, 390, {"has_touch": True, "is_mobile": True}), (640, 360, {"device_scale_factor": 2})],
    ids=["a phone on its side", "a page at 200 %"],
)
def test_in_a_low_window_the_board_has_its_height(
    visit: Visit, width: int, height: int, options: dict[str, object]
) -> None:
    """What is around the board stands beside it, the hint and the end too."""
    visitor = visit(viewport={"width": width, "height": height}, **options)
    game = GamePage.of(visitor, FIELD)
    page = game.page
    board = page.get_by_role("grid").bounding_box()
    assert board is not None
    assert board["y"] >= 0
    assert 0.9 * height < board["height"] <= height - board["y"]
    game.click(1, 1)
    game.expect_revealed(1, 1)
    page.keyboard.press("h")
    expect(page.locator(".note")).to_be_visible()
    for part in (".boxes", ".tools", ".note"):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert box["x"] >= board["x"] + board["width"], part
        assert box["x"] + box["width"] <= width, part
        assert box["y"] + box["height"] <= height, part
    game.click(4, 1)
    game.expect_end("Game Over")
    assert page.get_by_role("grid").bounding_box() == board
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    assert violations(page) == []


def test_on_a_tablet_the_tools_are_in_a_row(visit: Visit) -> None:
    game = GamePage.of(visit(viewport={"width": 820, "height": 1180}, has_touch=True, is_mobile=True), GARDEN)
    tops = game.page.locator(".tool:visible").evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().top)")
    assert len(tops) == 8
    assert len(set(tops)) == 1


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_on_a_small_tablet_the_tools_have_names(visit: Visit, locale: str) -> None:
    visitor = visit(viewport={"width": 768, "height": 1024}, has_touch=True, is_mobile=True, locale=locale)
    game = GamePage.of(visitor, GARDEN)
    names = game.page.locator(".tool:visible .tool-name")
    expect(names).to_have_count(8)
    for name in names.all():
        box = name.bounding_box()
        assert box is not None
        assert 10 < box["width"] <= 96
        assert 10 < box["height"] <= 32
    expect_room(game.page, 768, 640)


def test_on_a_phone_the_board_stays_where_it_is_whatever_the_boxes_say(visit: Visit) -> None:
    game = GamePage.of(visit(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True), FIELD)
    before = game.page.get_by_role("grid").bounding_box()
    for name, text in (("time", "time: 1234s"), ("mines", "mines: 999"), ("flags", "flags: 999")):
        game.box(name).evaluate("(box, text) => { box.textContent = text; }", text)
    assert game.page.get_by_role("grid").bounding_box() == before


def test_on_a_phone_all_numbers_of_all_boards_are_in_sight(visit: Visit) -> None:
    visitor = visit(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    for art in (GARDEN, FIELD):
        game = GamePage.of(visitor, art)
        game.click(*art.mines[0])
        game.expect_end("Game Over")
    until = time.monotonic() + PATIENCE / 1000
    while visitor.context.request.get(f"{visitor.url}api/statistics?category=assisted").json()["kind_count"] < 2:
        assert time.monotonic() < until
        time.sleep(0.2)
    page = visitor.tab("#statistics")
    page.get_by_role("radio", name="Assisted").check(force=True)
    table = page.get_by_role("table")
    expect(table.get_by_role("row")).to_have_count(3)
    expect(table.get_by_role("columnheader")).to_have_count(8)
    expect(table.get_by_role("cell")).to_have_count(14)
    for cell in table.get_by_role("cell").all():
        box = cell.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
    assert violations(page) == []


@pytest.mark.parametrize("place", ["#settings", "daily"])
def test_on_a_phone_nothing_that_has_the_focus_is_below_the_tab_bar(visit: Visit, place: str) -> None:
    page = visit(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True).tab(place)
    expect(page.locator("[data-screen]:visible h1")).to_be_visible()
    page.wait_for_load_state("networkidle")
    bar = page.get_by_role("navigation").bounding_box()
    assert bar is not None
    reached = 0
    for _ in range(45):
        page.keyboard.press("Tab")
        at = page.evaluate(
            "() => document.activeElement.closest('main') && document.activeElement.getBoundingClientRect().bottom"
        )
        if at is not None:
            reached += 1
            assert at <= bar["y"], page.evaluate("() => document.activeElement.outerHTML")
    assert reached > 20


def test_motion_is_less_where_the_system_or_the_player_says_so(visit: Visit) -> None:
    calm = GamePage.of(visit(reduced_motion="reduce"), GARDEN)
    expect(calm.page.locator("html")).to_have_attribute("data-motion", "less")
    calm.click(5, 0)
    calm.expect_tile(2, 2, "1")
    calm.click(4, 3)
    calm.expect_end("Game Over")
    running = "() => document.getAnimations().filter((one) => one.effect.getComputedTiming().duration > 10).length"
    assert calm.page.evaluate(running) == 0
    lively = visit(reduced_motion="no-preference")
    expect(lively.tab().locator("html")).to_have_attribute("data-motion", "full")


def test_the_first_page_is_small_and_all_of_it_is_the_servers(visit: Visit) -> None:
    visitor = visit()
    page = visitor.tab()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    page.wait_for_load_state("networkidle")
    sizes = {
        request.url: request.sizes()["responseBodySize"] + request.sizes()["responseHeadersSize"]
        for request in visitor.requests
    }
    assert 10_000 < sum(sizes.values()) < 150_000, sizes


def test_nothing_is_inline_and_the_policy_says_so(visit: Visit) -> None:
    visitor = visit()
    page = visitor.context.new_page()
    answer = page.goto(visitor.url)
    assert answer is not None
    policy = answer.header_value("content-security-policy") or ""
    parts = dict(part.strip().split(" ", 1) for part in policy.split(";") if " " in part.strip())
    assert parts["default-src"] == "'none'"
    assert parts["script-src"] == parts["style-src"] == "'self'"
    assert "unsafe" not in policy
    text = answer.text()
    assert re.findall(r"<script(?![^>]* src=)", text) == []
    assert re.findall(r"<style|\sstyle=|\son\w+=", text) == []
    # And the browser keeps to it.
    visitor.expect("Content Security Policy|violates")
    page.evaluate(
        "() => { const s = document.createElement('script'); s.textContent = 'window.broken = 1'; document.body.append(s); }"
    )
    assert page.evaluate("() => window.broken") is None
