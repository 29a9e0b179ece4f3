"""The end of a game: who gives it up sees the board, and on a desktop screen board and banner are seen at once."""

import contextlib
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from sapper.core.preset import find_preset
from sapper.store.models import GameKind
from sapper.store.repository import open_store
from tests.browser import Visitor
from tests.cable import Cable
from tests.game_page import FIELD, GARDEN, Art, GamePage
from tests.stored import stored
from tests.web.browser.test_words import answer_pseudo
from tests.web_process import web_process

Visit = Callable[..., Visitor]
DESKTOPS = [(1280, 800), (1366, 768)]

EXPERT = Art(*["*" * 30] * 3, "*" * 9 + "." * 21, *["." * 30] * 12)
"""As large as Expert, with as many mines; and won by a click."""


def expect_in_sight(game: GamePage) -> None:
    """Wait until all of board and banner is in the window, as it is scrolled."""
    game.page.wait_for_function(
        "() => ['[role=grid]', '[data-end] .end'].every((what) => {"
        " const box = document.querySelector(what).getBoundingClientRect();"
        " return box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth; })"
    )


def help_oneself(game: GamePage) -> None:
    """To all there is, so that the banner has much to say."""
    game.tool("Hint").click()
    expect(game.page.locator(".note")).to_be_visible()
    game.show_chances()
    game.tool("Undo").click()
    game.expect_tile(0, 0, "#")


@pytest.mark.parametrize(("width", "height"), DESKTOPS)
def test_board_and_banner_are_in_sight(visit: Visit, width: int, height: int) -> None:
    visitor = visit(viewport={"width": width, "height": height})
    lost = GamePage.of(visitor, EXPERT)
    lost.click(9, 3)
    lost.expect_revealed(9, 3)
    lost.click(0, 0, button="right")
    lost.expect_tile(0, 0, "F")
    help_oneself(lost)
    lost.click(0, 0)
    lost.expect_end("Game Over")
    expect(lost.page.locator("[data-review]")).to_be_visible()
    expect_in_sight(lost)
    lost.page.reload()
    lost.expect_end("Game Over")
    expect(lost.page.locator("[data-review]")).to_be_visible()
    expect_in_sight(lost)
    won = GamePage.of(visitor, EXPERT)
    won.click(20, 12)
    won.expect_end("Victory")
    expect_in_sight(won)


@pytest.mark.parametrize(
    ("width", "height", "options"),
    [
        (1280, 800, {}),
        (768, 1024, {"has_touch": True, "is_mobile": True}),
        (390, 844, {"has_touch": True, "is_mobile": True}),
    ],
)
def test_the_board_stays_where_it_is(visit: Visit, width: int, height: int, options: dict[str, object]) -> None:
    """A hint and the end are said beside it: it neither moves nor shrinks under the pointer."""
    visitor = visit(viewport={"width": width, "height": height}, **options)
    lost = GamePage.of(visitor, FIELD)
    board = lost.page.get_by_role("grid").bounding_box()
    lost.click(1, 1)
    lost.expect_revealed(1, 1)
    lost.page.keyboard.press("h")
    expect(lost.page.locator(".note")).to_be_visible()
    assert lost.page.get_by_role("grid").bounding_box() == board
    lost.click(4, 1)
    lost.expect_end("Game Over")
    expect(lost.page.locator("[data-review]")).to_be_visible()
    assert lost.page.get_by_role("grid").bounding_box() == board
    expect_in_sight(lost)
    cut = lost.page.locator(".stage").evaluate("(stage) => stage.scrollHeight - stage.clientHeight")
    assert cut == 0
    end = lost.page.locator("[data-end] .end").bounding_box()
    assert board is not None
    assert end is not None
    assert end["y"] >= board["y"] + board["height"]


def test_a_won_board_shows_flags(visit: Visit) -> None:
    game = GamePage.of(visit(), GARDEN)
    game.reveal_rest(GARDEN)
    game.expect_end("Victory")
    for x, y in GARDEN.mines:
        game.expect_tile(x, y, "F")
    expect(game.box("flags")).to_have_text(f"flags: {len(GARDEN.mines)}")


@pytest.mark.parametrize(
    ("locale", "words"),
    [
        ("en-GB", "Your 3rd best of 41 on this kind of board."),
        pytest.param("de-DE", "3. Platz deiner 41 Siege auf dieser Art Brett.", marks=pytest.mark.full),
    ],
)
def test_a_win_is_told_its_place_among_ones_own(browser: Browser, tmp_path: Path, locale: str, words: str) -> None:
    kind = GameKind.of(find_preset("beginner"), no_guess=True)
    with web_process(tmp_path) as server:
        visitor = Visitor(browser, server.url, locale=locale)
        page = visitor.tab()
        expect(page.get_by_role("link")).not_to_have_count(0)
        cookie = next(one for one in visitor.context.cookies() if one["name"] == "sapper_player")["value"]
        player = cookie[:36]
        with open_store(tmp_path / "web.db") as store:
            times = [1, 2, *range(10**6, 10**6 + 38)]
            wins = [stored(f"w{time}", kind=kind, player=player, face="web", time_ms=time) for time in times]
            store.record_many(wins)
        asked = {"preset": "beginner", "no_guess": True}
        found = page.evaluate(
            "async (body) => (await (await fetch('/api/games', { method: 'POST', body: JSON.stringify(body),"
            " headers: { 'Content-Type': 'application/json' } })).json()).game",
            asked,
        )
        page.goto(f"{server.url}#game={found}")
        game = GamePage(page)
        game.wait_until_quiet()
        game.click(4, 4)
        game.expect_revealed(4, 4)
        while not page.locator("[data-end]").is_visible() and (safe := game.certain(10)):
            game.click(*safe[0])
            game.expect_revealed(*safe[0])
        expect(page.locator("[data-end]")).to_contain_text(words)
        visitor.close()


def test_who_gives_up_sees_the_board(visit: Visit) -> None:
    game = GamePage.of(visit(), GARDEN)
    game.click(5, 0)
    game.expect_tile(2, 2, "1")
    game.click(0, 4, button="right")
    game.expect_tile(0, 4, "F")
    game.tool("Hint").click()
    expect(game.page.locator(".note")).to_be_visible()
    game.tool("End").click()
    game.agree("End it")
    game.expect_end("Game Over")
    game.expect_end("You gave this game up.")
    game.expect_spoken("Game over: given up.")
    game.page.wait_for_function("() => document.activeElement.matches('[role=gridcell]')")
    expect(game.page.locator(".note")).to_be_hidden()
    expect(game.page.locator("[data-end] .end.lost")).to_be_visible()
    for (x, y), tile in {(1, 1): "*", (4, 3): "*", (0, 4): "!"}.items():
        game.expect_tile(x, y, tile)
    expect(game.page.locator("[data-review]")).to_contain_text(re.compile(r"\d\scells? w.* certain to be safe"))
    expect(game.page.locator(".legend")).to_contain_text("had to be safe")
    game.page.reload()
    game.expect_end("You gave this game up.")
    game.leave()
    expect(game.page.get_by_role("heading", name="sapper")).to_be_visible()
    expect(game.page.get_by_text("games played: 1")).to_be_visible()
    expect(game.page.get_by_text("games won: 0")).to_be_visible()


def test_a_game_that_was_given_up_begins_again(visit: Visit) -> None:
    game = GamePage.of(visit(), GARDEN)
    game.click(5, 0)
    game.expect_tile(2, 2, "1")
    game.page.keyboard.press("Escape")
    game.agree("End it")
    game.expect_end("Game Over")
    expect(game.tool("Undo")).to_be_hidden()  # that cannot be taken back
    game.after_the_calm()
    game.page.get_by_role("button", name="Same board").click()
    game.expect_rows(["######"] * 5)
    expect(game.page.locator("[data-end]")).to_be_empty()
    expect(game.page.locator(".legend")).to_be_hidden()
    expect(game.box("flags")).to_be_visible()


def test_a_game_that_has_not_begun_is_left_at_once(visit: Visit) -> None:
    game = GamePage.of(visit(), GARDEN)
    game.tool("End").click()
    expect(game.page.get_by_role("heading", name="sapper")).to_be_visible()
    expect(game.page.get_by_text("games played: 0")).to_be_visible()  # untouched, it counts nowhere


def test_a_result_that_is_kept_late_is_said(browser: Browser, tmp_path: Path) -> None:
    with open_store(tmp_path / "web.db"):
        pass
    with web_process(tmp_path) as server, contextlib.closing(Visitor(browser, server.url)) as visitor:
        game = GamePage.of(visitor, GARDEN)
        game.click(5, 0)
        game.expect_tile(2, 2, "1")
        with contextlib.closing(sqlite3.connect(tmp_path / "web.db", isolation_level=None, timeout=60)) as writer:
            writer.execute("BEGIN IMMEDIATE")
            game.tool("End").click()
            game.agree("End it")
            game.expect_end("The result is not saved yet: the server keeps trying.")
            game.expect_spoken("The result is not saved yet")
            writer.execute("ROLLBACK")
        game.expect_end("The result is saved now.")
        game.expect_spoken("The result is saved now.")


@pytest.mark.parametrize("is_phone", [False, True])
def test_the_end_lies_across_nothing_at_the_end_of_the_page(visit: Visit, is_phone: bool) -> None:
    sizes = [(390, 844), (320, 640)] if is_phone else [(1280, 800)]
    game = GamePage.of(visit(locale="de", has_touch=is_phone, is_mobile=is_phone, reduced_motion="reduce"), GARDEN)
    game.click(5, 0)
    game.expect_revealed(5, 0)
    game.click(4, 3)
    expect(game.page.locator(".legend")).to_be_visible()
    expect(game.page.locator("[data-end] .end")).to_be_visible()
    for width, height in sizes:
        game.page.set_viewport_size({"width": width, "height": height})
        game.page.wait_for_function(
            "() => { scrollTo(0, 1e6);"
            " const [below, end] = ['.below', '[data-end] .end'].map((what) => document.querySelector(what).getBoundingClientRect());"
            " return below.bottom <= end.top + 0.5; }"
        )


@pytest.mark.parametrize(
    ("viewport", "language", "word"), [((1280, 800), "en-US", "network"), ((390, 844), "de-DE", "Netz")]
)
def test_the_networks_delay_stands_beside_the_time(
    visit: Visit, shared_url: str, viewport: tuple[int, int], language: str, word: str
) -> None:
    """It is the median of the game, and nothing is said of it when the page did not see the game."""
    cable = Cable(int(shared_url.rstrip("/").rpartition(":")[2]), 0.15)
    try:
        width, height = viewport
        visitor = visit(cable.url, viewport={"width": width, "height": height}, locale=language)
        game = GamePage.of(visitor, GARDEN)
        for _ in range(3):
            for tile in "F#":
                game.click(4, 3, button="right")
                game.expect_tile(4, 3, tile)
        game.click(4, 3)
        network = game.page.locator(".end dd small")
        expect(network).to_have_text(re.compile(rf"^{word} [\d.,]+ ms$"))
        assert int(re.sub(r"\D", "", network.inner_text())) >= 300  # there and back; more where the machine is busy
        expect_in_sight(game)
        game.page.reload()
        expect(game.page.locator(".end")).to_be_visible()
        expect(network).to_have_count(0)
        game.page.close()
    finally:
        cable.cut()


@pytest.mark.parametrize(
    ("language", "width", "height"),
    [("en", 390, 844), ("de", 390, 844), ("pseudo", 390, 844), ("en", 360, 640), ("de", 360, 640)],
)
def test_on_a_phone_the_end_covers_no_word_of_the_legend(visit: Visit, language: str, width: int, height: int) -> None:
    """With the most that is said of a loss. A made-up language, longer than any, has no room on the smallest phone: the page scrolls there."""
    visitor = visit(
        locale="de" if language == "de" else "en",
        viewport={"width": width, "height": height},
        has_touch=True,
        is_mobile=True,
        reduced_motion="reduce",
    )
    if language == "pseudo":
        visitor.context.route("**/words/en*.ftl", answer_pseudo)
    game = GamePage.of(visitor, FIELD)
    x, y = next((x, y) for x, y in FIELD.safe if FIELD.layout.clue(FIELD.grid.cell(x, y)) == 0)
    game.page.touchscreen.tap(*game.middle_of(x, y))
    game.expect_revealed(x, y)
    game.page.touchscreen.tap(*game.middle_of(*FIELD.mines[0]))
    expect(game.page.locator("[data-review]")).to_be_visible()
    expect(game.page.locator(".legend")).to_be_visible()
    game.page.wait_for_function(
        "() => { const [legend, end] = ['.legend', '.end'].map((what) => document.querySelector(what).getBoundingClientRect());"
        " return scrollY === 0 && legend.bottom <= end.top + 1 && end.bottom <= innerHeight; }"
    )
