"""The keyboard alone, and what a screen reader is told."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser import Visitor
from tests.game_page import FIELD, GARDEN, GamePage

Visit = Callable[..., Visitor]


@pytest.fixture
def garden(visit: Visit) -> GamePage:
    game = GamePage.of(visit(), GARDEN)
    focus_board(game)
    return game


def tab_to(page: Page, what: str) -> None:
    """Press Tab until the element that has this selector has the focus."""
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("(what) => document.activeElement.matches(what)", what):
            return
    raise AssertionError(f"Tab never came to {what}")


def focus_board(game: GamePage) -> None:
    """Go to the board, if the page has not done so by itself."""
    if not game.page.evaluate("() => document.activeElement.matches('[role=gridcell]')"):
        tab_to(game.page, "[role=gridcell]")


def place(game: GamePage) -> tuple[int, int]:
    """Where the focus is on the board."""
    column, row = game.page.evaluate(
        "() => { const cell = document.activeElement; return [cell.ariaColIndex ?? cell.getAttribute('aria-colindex'),"
        " cell.closest('[role=row]').getAttribute('aria-rowindex')]; }"
    )
    return int(column) - 1, int(row) - 1


def walk(game: GamePage, x: int, y: int) -> None:
    """Go to a cell with the arrows."""
    here_x, here_y = place(game)
    for key, count in (
        ("ArrowRight", x - here_x), ("ArrowLeft", here_x - x), ("ArrowDown", y - here_y), ("ArrowUp", here_y - y),
    ):  # fmt: skip
        for _ in range(count):
            game.page.keyboard.press(key)
    assert place(game) == (x, y)


def test_a_whole_game_from_the_menu_to_the_menu(visit: Visit) -> None:
    page = visit().tab()
    expect(page.locator("button.play")).to_be_visible()
    tab_to(page, "button.play")
    page.keyboard.press("Enter")
    game = GamePage(page)
    game.wait_until_quiet()
    focus_board(game)
    page.keyboard.press("Space")
    page.wait_for_function("() => document.querySelector('[data-t=\".\"]')")
    # Somebody who does not think: a game of Beginner ends soon.
    while page.locator(".game").get_attribute("data-status") == "playing":
        rows = game.rows
        x, y = next((x, y) for y, row in enumerate(rows) for x, tile in enumerate(row) if tile == "#")
        walk(game, x, y)
        page.keyboard.press("Enter")
        page.wait_for_function(
            "([x, y]) => document.querySelectorAll('[role=row]')[y].children[x].dataset.t !== '#'", arg=[x, y]
        )
    expect(page.locator("[data-end]")).not_to_be_empty()
    page.keyboard.press("Escape")
    expect(page.get_by_text("games played: 1")).to_be_visible()


def test_a_whole_game_is_won(visit: Visit) -> None:
    game = GamePage.of(visit(), FIELD)
    focus_board(game)
    for x, y in FIELD.mines[:2]:
        walk(game, x, y)
        game.page.keyboard.press("f")
        game.expect_tile(x, y, "F")
    for x, y in FIELD.safe:
        if game.cell(x, y).get_attribute("data-t") == "#":
            walk(game, x, y)
            game.page.keyboard.press("Space")
            game.expect_revealed(x, y)
    game.expect_end("Victory")


def test_a_whole_game_is_lost(garden: GamePage) -> None:
    walk(garden, 5, 0)
    garden.page.keyboard.press("Enter")
    garden.expect_revealed(5, 0)
    walk(garden, 4, 3)
    garden.page.keyboard.press("Enter")
    garden.expect_end("Game Over")


def test_flags_and_chords_have_keys(garden: GamePage) -> None:
    press = garden.page.keyboard.press
    walk(garden, 5, 0)
    press("Space")
    garden.expect_tile(2, 2, "1")
    walk(garden, 1, 1)
    press("f")
    garden.expect_tile(1, 1, "F")
    walk(garden, 2, 2)
    press("c")
    garden.expect_rows(["##1...", "#F1...", "111111", "...1##", "...1##"])
    walk(garden, 1, 1)
    press("f")
    garden.expect_tile(1, 1, "#")


def test_the_arrows_stop_at_the_edges(garden: GamePage) -> None:
    walk(garden, 0, 0)
    garden.page.keyboard.press("ArrowLeft")
    garden.page.keyboard.press("ArrowUp")
    assert place(garden) == (0, 0)
    garden.page.keyboard.press("End")
    assert place(garden) == (5, 0)
    garden.page.keyboard.press("Home")
    assert place(garden) == (0, 0)


def test_the_board_is_one_stop_for_tab(garden: GamePage) -> None:
    walk(garden, 3, 3)
    garden.page.keyboard.press("Tab")
    assert not garden.page.evaluate("() => document.activeElement.matches('[role=gridcell]')")
    garden.page.keyboard.press("Shift+Tab")
    assert place(garden) == (3, 3)


def test_a_key_says_how_the_game_stands(visit: Visit) -> None:
    game = GamePage.of(visit(), GARDEN)
    toast = game.page.locator(".toast")
    game.click(5, 0)
    game.expect_tile(2, 2, "1")
    game.click(1, 1, button="right")
    game.expect_tile(1, 1, "F")
    game.page.keyboard.press("i")
    expect(toast).to_have_text(re.compile(r"^1 mine left, 1 flag, \d seconds?\.$"))
    game.expect_spoken("1 mine left, 1 flag, ")
    game.pause()
    game.page.keyboard.press("i")  # from wherever the focus is
    expect(toast).to_have_text(re.compile("^Paused: 1 mine left"))
    game.go_on()
    game.click(4, 3)
    game.expect_end("Game Over")
    game.page.keyboard.press("i")
    expect(toast).to_have_text(re.compile("^Lost: 1 mine left"))


def test_keys_from_before_there_was_an_action_are_kept(visit: Visit) -> None:
    """A key that a new action has by default stays with what it was chosen for."""
    keys: dict[str, list[str]] = {
        name: [] for name in ("up", "down", "left", "right", "chord", "undo", "hint", "pause")
    }
    keys |= {"reveal": ["r"], "flag": ["i"], "new": ["F2"], "same": [], "end": ["Escape"]}
    visitor = visit(settings=json.dumps({"keys": keys}))
    page = visitor.tab("#settings")
    expect(page.get_by_role("button", name="Flag: remove I")).to_be_visible()
    said = page.get_by_role("listitem").filter(has_text="Say mines left, flags and time")
    expect(said).to_contain_text("no key")
    page.get_by_role("button", name="Add key: Say mines left, flags and time").click()
    page.keyboard.press("m")
    game = GamePage.of(visitor, GARDEN)
    focus_board(game)
    game.page.keyboard.press("i")
    expect(game.box("flags")).to_have_text("flags: 1")
    game.page.keyboard.press("m")
    expect(game.page.locator(".toast")).to_contain_text("1 mine left")


def test_another_key_can_be_chosen(visit: Visit) -> None:
    visitor = visit()
    page = visitor.tab("#settings")
    page.get_by_role("button", name="Add key: Flag").click()
    page.keyboard.press("x")
    expect(page.get_by_role("button", name="Flag: remove X")).to_be_visible()
    game = GamePage.of(visitor, GARDEN)
    focus_board(game)
    walk(game, 1, 1)
    game.page.keyboard.press("x")
    game.expect_tile(1, 1, "F")


def test_the_end_names_the_keys_that_are_set(visit: Visit) -> None:
    visitor = visit()
    page = visitor.tab("#settings")
    page.get_by_role("button", name="Add key: New game").click()
    page.keyboard.press("n")
    page.get_by_role("button", name="New game: remove F2").click()
    page.get_by_role("button", name="Same board: remove F3").click()
    game = GamePage.of(visitor, GARDEN)
    game.click(5, 0)
    game.click(4, 3)
    game.expect_end("Game Over")
    expect(game.page.get_by_role("button", name="Play again")).to_have_text("Play again N")
    expect(game.page.get_by_role("button", name="Same board")).to_have_text("Same board ")


def test_the_board_is_a_grid_with_cells_that_say_what_they_are(garden: GamePage) -> None:
    page = garden.page
    grid = page.get_by_role("grid")
    expect(grid).to_have_attribute("aria-rowcount", "5")
    expect(grid).to_have_attribute("aria-colcount", "6")
    expect(grid.get_by_role("row")).to_have_count(5)
    expect(grid.get_by_role("gridcell")).to_have_count(30)
    expect(page.get_by_role("gridcell", name="c2: covered")).to_have_count(1)
    garden.click(5, 0)
    expect(page.get_by_role("gridcell", name="c2: 1")).to_have_count(1)
    expect(page.get_by_role("gridcell", name="f1: empty")).to_have_count(1)
    garden.click(1, 1, button="right")
    expect(page.get_by_role("gridcell", name="b2: flagged")).to_have_count(1)
    garden.click(4, 3)
    expect(page.get_by_role("gridcell", name="e4: exploded mine")).to_have_count(1)


def test_what_happens_is_spoken(garden: GamePage) -> None:
    press = garden.page.keyboard.press
    walk(garden, 1, 1)
    press("f")
    garden.expect_spoken("b2: flagged, 1 mine left.")
    walk(garden, 0, 0)
    press("Space")
    garden.expect_spoken("a1: 1, 1 flag around it.")
    walk(garden, 4, 3)
    press("Space")
    garden.expect_spoken("Game over: mine at e4.")


def test_after_a_click_beside_the_board_keys_still_find_it(garden: GamePage) -> None:
    walk(garden, 1, 0)
    garden.page.mouse.click(5, 400)
    assert garden.page.evaluate("() => document.activeElement.matches('body, main')")
    garden.page.keyboard.press("ArrowRight")
    assert place(garden) == (1, 0)  # the first takes the focus back
    garden.page.keyboard.press("ArrowLeft")
    assert place(garden) == (0, 0)
    garden.page.mouse.click(5, 400)
    garden.page.keyboard.press("Space")
    garden.expect_tile(0, 0, "1")
