"""The screens around the game: menu, new game, statistics, settings; and who a player is."""

import contextlib
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser import Visitor, find_chromium, needed
from tests.game_page import FIELD, GARDEN, Art, GamePage

Visit = Callable[..., Visitor]


def start(page: Page) -> GamePage:
    """Start the game that the form describes."""
    page.get_by_role("button", name="Start the game").click()
    game = GamePage(page)
    game.wait_until_quiet()
    return game


def choose(page: Page, words: str) -> None:
    """A switch or a choice, by its words."""
    page.locator("label:visible", has=page.get_by_text(words, exact=True)).locator("input").check()


def end(game: GamePage) -> None:
    """End a running game with the red button."""
    game.tool("End").click()
    game.agree("End it")


def test_menu_play_end_and_back(visit: Visit) -> None:
    page = visit().tab()
    expect(page.get_by_text("games played: 0")).to_be_visible()
    expect(page.get_by_text("games won: 0")).to_be_visible()
    page.get_by_role("button", name="Play", exact=True).click()
    game = GamePage(page)
    game.wait_until_quiet()
    expect(game.box("time")).to_have_text("time: 0s")
    expect(game.box("mines")).to_have_text("mines: 10")
    expect(game.box("flags")).to_have_text("flags: 0")
    assert game.rows == ["#########"] * 9
    game.click(4, 4)
    game.expect_revealed(4, 4)
    end(game)
    game.expect_end("Game Over")
    game.leave()
    expect(page.get_by_text("games played: 1")).to_be_visible()
    expect(page.get_by_text("games won: 0")).to_be_visible()


def test_a_game_without_guesses_is_won_by_thinking(visit: Visit) -> None:
    page = visit().tab("#new")
    choose(page, "No guessing")
    game = start(page)
    game.click(4, 4)
    game.expect_revealed(4, 4)
    while safe := game.certain(10):
        for x, y in safe:
            if game.cell(x, y).get_attribute("data-t") == "#":
                game.click(x, y)
                game.expect_revealed(x, y)
    game.expect_end("Victory")
    expect(page.get_by_text("Your best time")).to_be_visible()
    expect(page.locator(".assisted")).to_be_hidden()
    game.leave()
    expect(page.get_by_text("games played: 1")).to_be_visible()
    expect(page.get_by_text("games won: 1")).to_be_visible()
    page.get_by_role("link", name="Statistics").click()
    expect(page.get_by_role("heading", name="Statistics")).to_be_visible()
    expect(page.locator("section[data-screen=statistics]")).to_contain_text("Beginner")
    expect(page.locator("section[data-screen=statistics]")).to_contain_text(re.compile(r"100\s*%"))
    # The banner's looks, which have an `end` too, are not the plots' own: WebKit showed no word on an axis.
    words = page.locator("section[data-screen=statistics] svg text")
    expect(words.filter(has_text="100")).not_to_have_count(0)
    looks = words.evaluate_all("(all) => all.map((one) => getComputedStyle(one).animationName)")
    assert set(looks) == {"none"}


def test_settings_of_any_shape_leave_a_menu(visit: Visit) -> None:
    visitor = visit()
    last = [{"lastGame": {"preset": 5}}, {"lastGame": {"width": "9"}, "keys": {"up": "w"}}, {"lastGame": []}]
    for kept in (*last, [], 7, "text"):
        put = f"localStorage.setItem('sapper.settings', {json.dumps(json.dumps(kept))})"
        visitor.context.add_init_script(f"if (location.protocol === 'http:') {put}")
        page = visitor.tab()
        expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
        expect(page.get_by_role("heading", name="Choose a board")).to_be_visible()
        expect(page.locator("#play-what")).to_contain_text("Beginner")
        page.close()


def test_who_keeps_no_cookies_is_told_so(browser: Browser, shared_url: str, tmp_path: Path) -> None:
    """In a browser that blocks them a game is made and not found again: it belongs to nobody else for that."""
    (tmp_path / "Default").mkdir()
    blocked = {"profile": {"default_content_setting_values": {"cookies": 2}}}
    (tmp_path / "Default" / "Preferences").write_text(json.dumps(blocked))
    program = needed(find_chromium())  # the shell reads no preferences
    context = browser.browser_type.launch_persistent_context(
        tmp_path, executable_path=program, args=["--no-sandbox", "--disable-dev-shm-usage"]
    )
    with contextlib.closing(context):
        page = context.new_page()
        page.goto(shared_url)
        words = page.get_by_text("This browser keeps no cookies of this page")
        expect(words).to_be_visible()
        page.get_by_role("button", name="Play", exact=True).click()
        expect(words).to_be_visible()
        expect(page.get_by_text("belong to another browser")).to_have_count(0)
        page.goto(f"{shared_url}#new")
        page.get_by_role("button", name="Start the game").click()
        expect(words).to_be_visible()
        assert "#game" not in page.url


def test_a_board_of_ones_own(visit: Visit) -> None:
    page = visit().tab("#new")
    choose(page, "Your own")
    for name, value in (("Width", "7"), ("Height", "4"), ("Mines", "99")):
        page.get_by_label(name, exact=True).fill(value)
    page.get_by_role("button", name="Start the game").click()
    expect(page.get_by_label("Mines", exact=True)).to_have_attribute("aria-invalid", "true")
    page.get_by_label("Mines", exact=True).fill("3")
    game = start(page)
    assert game.rows == ["#######"] * 4
    expect(game.box("mines")).to_have_text("mines: 3")


def test_question_marks(visit: Visit) -> None:
    page = visit().tab("#new")
    choose(page, "Question marks")
    game = start(page)
    for tile in "F?#":
        game.click(2, 2, button="right")
        game.expect_tile(2, 2, tile)


def test_a_seed_gives_the_same_board_again_and_says_so(visit: Visit) -> None:
    boards = []
    for _ in range(2):
        page = visit().tab("#new")
        page.get_by_label("Code, share link or seed").fill("12345")
        game = start(page)
        expect(page.locator(".assisted")).to_contain_text("a board seen before")
        game.click(3, 3)
        game.expect_revealed(3, 3)
        boards.append(game.rows)
    assert boards[0] == boards[1]


def test_an_unfinished_game_waits_in_the_menu(visit: Visit) -> None:
    visitor = visit()
    game = GamePage.of(visitor, GARDEN)
    game.click(5, 0)
    game.expect_revealed(5, 0)
    rows = game.rows
    page = visitor.tab()
    page.get_by_role("link", name=re.compile("6 × 5")).click()
    again = GamePage(page)
    again.expect_rows(rows)


def test_boards_are_above_the_fold_and_games_to_go_on_with_push_nothing_away(visit: Visit) -> None:
    visitor = visit()
    game = GamePage.of(visitor, GARDEN)
    game.click(5, 0)
    game.expect_revealed(5, 0)
    for width, height in ((1280, 800), (390, 844), (768, 1024)):
        page = visitor.context.new_page()
        page.set_viewport_size({"width": width, "height": height})
        _expect_above_the_fold(page, visitor.url)
        page.close()


def _expect_above_the_fold(page: Page, url: str) -> None:
    held: list[Route] = []
    page.route("**/api/games", lambda route: held.append(route))  # noqa: PLW0108  # a builtin cannot be one
    with page.expect_request("**/api/games"):
        page.goto(url)
    expert = page.get_by_role("button", name="Expert")
    expect(expert).to_be_in_viewport(ratio=1)
    before = expert.bounding_box()
    held.pop().continue_()
    expect(page.get_by_role("link", name=re.compile("6 × 5"))).to_be_visible()
    assert expert.bounding_box() == before
    for name in ("Positions I got wrong", "Review a recording", "Best times"):
        expect(page.get_by_role("link", name=name)).to_have_count(1)


def test_a_code_that_is_none_is_explained(visit: Visit) -> None:
    visitor = visit()
    visitor.expect("400")
    page = visitor.tab("#code=modern%236x5x2.1.g1.zzzz")
    expect(page.get_by_text("That link leads to no board")).to_be_visible()


@pytest.mark.parametrize(
    ("has_touch", "words", "others"), [(True, "Tapping", "Clicking"), (False, "Clicking", "Tapping")]
)
def test_words_are_for_the_hands_that_there_are(visit: Visit, has_touch: bool, words: str, others: str) -> None:
    visitor = visit(has_touch=has_touch, is_mobile=has_touch)
    for place in ("#settings", "#new"):
        page = visitor.tab(place)
        expect(page.get_by_text(f"{words} a number")).to_be_visible()
        expect(page.get_by_text(f"{others} a number")).to_be_hidden()
        expect(page.get_by_text("long press turns a flag")).to_be_visible(visible=has_touch)
        expect(page.get_by_text("right click turns a flag")).to_be_visible(visible=not has_touch)


def test_settings_are_kept(visit: Visit) -> None:
    visitor = visit()
    page = visitor.tab("#settings")
    choose(page, "Dark")
    choose(page, "Clear")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator("html")).to_have_attribute("data-palette", "clear")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    other = visitor.tab()
    expect(other.locator("html")).to_have_attribute("data-palette", "clear")


def test_settings_that_make_no_sense_are_not_believed(visit: Visit) -> None:
    for text in (
        "{",
        "[1, 2]",
        json.dumps({"keys": 7, "theme": "pink", "palette": None, "sound": "yes", "lastGame": []}),
    ):
        game = GamePage.of(visit(settings=text), GARDEN)
        expect(game.page.locator("html")).to_have_attribute("data-palette", "classic")
        game.page.keyboard.press("f")
        expect(game.box("flags")).to_have_text("flags: 1")


def test_a_page_without_storage_plays(visit: Visit) -> None:
    visitor = visit()
    visitor.context.add_init_script(
        "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('no', 'SecurityError'); }})"
    )
    game = GamePage.of(visitor, GARDEN)
    game.click(5, 0)
    game.expect_revealed(5, 0)


def test_a_forged_cookie_is_a_new_player(visit: Visit) -> None:
    visitor = visit()
    game = GamePage.of(visitor, GARDEN)
    game.click(4, 3)
    game.expect_end("Game Over")
    cookie = next(one for one in visitor.context.cookies() if one["name"] == "sapper_player")
    assert cookie["httpOnly"]
    assert cookie["sameSite"] in {"Lax", "Strict"}
    forged = cookie["value"][:-4] + ("AAAA" if not cookie["value"].endswith("AAAA") else "BBBB")
    visitor.context.add_cookies([{"name": "sapper_player", "value": forged, "url": visitor.url}])
    page = visitor.tab()
    expect(page.get_by_text("games played: 0")).to_be_visible()
    made = next(one for one in visitor.context.cookies() if one["name"] == "sapper_player")
    assert made["value"] not in {forged, cookie["value"]}


def test_sessions_elsewhere_end_and_this_one_goes_on(visit: Visit) -> None:
    visitor = visit()
    game = GamePage.of(visitor, GARDEN)
    game.click(4, 3)
    game.expect_end("Game Over")
    before = next(one for one in visitor.context.cookies() if one["name"] == "sapper_player")
    page = visitor.tab("#statistics")
    page.get_by_role("button", name="End my sessions elsewhere").click()
    GamePage(page).agree("End them")
    expect(page.get_by_text("Your sessions elsewhere have ended.")).to_be_visible()
    page.goto(visitor.url)
    expect(page.get_by_text("games played: 1")).to_be_visible()
    elsewhere = visit()
    elsewhere.context.add_cookies([{"name": "sapper_player", "value": before["value"], "url": visitor.url}])
    expect(elsewhere.tab().get_by_text("games played: 0")).to_be_visible()


def test_a_board_of_100_by_100(visit: Visit) -> None:
    large = Art(*["." * 99 + "*" if y % 2 else "." * 100 for y in range(100)])
    game = GamePage.of(visit(), large)
    expect(game.page.get_by_role("gridcell")).to_have_count(10_000)
    game.page.keyboard.press("Control+Home")
    game.page.keyboard.press("Space")
    game.expect_tile(0, 0, ".")
    expect(game.page.locator("[role=gridcell][data-t='.']")).to_have_count(9800)
    game.tool("Fit").click()
    box = game.page.get_by_role("grid").bounding_box()
    assert box is not None
    size = game.page.viewport_size
    assert size is not None
    assert box["width"] <= size["width"]


@pytest.mark.parametrize(("width", "height", "least"), [(1280, 800, 50), (1920, 1080, 72)])
def test_a_small_board_uses_the_room_that_there_is(visit: Visit, width: int, height: int, least: int) -> None:
    game = GamePage.of(visit(viewport={"width": width, "height": height}), FIELD)
    cell = game.cell(8, 8).bounding_box()
    assert cell is not None
    assert cell["width"] >= least
    assert cell["y"] + cell["height"] <= height
