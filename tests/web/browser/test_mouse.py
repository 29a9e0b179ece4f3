"""The mouse: press shows, slide off cancels, release opens; the right button flags; three ways to chord; whole games."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser import Visitor
from tests.game_page import FIELD, GARDEN, GamePage

Visit = Callable[..., Visitor]
PRESSED = ".pressed"


@pytest.fixture
def garden(visit: Visit) -> GamePage:
    return GamePage.of(visit(), GARDEN)


def test_a_whole_game_is_won(visit: Visit) -> None:
    game = GamePage.of(visit(), FIELD)
    expect(game.box("mines")).to_have_text("mines: 10")
    for x, y in FIELD.mines:
        game.click(x, y, button="right")
        game.expect_tile(x, y, "F")
    expect(game.box("flags")).to_have_text("flags: 10")
    for x, y in FIELD.safe:
        if game.cell(x, y).get_attribute("data-t") == "#":
            game.click(x, y)
            game.expect_revealed(x, y)
    game.expect_end("Victory")
    expect(game.cell(0, 0)).to_be_visible()  # the board stays


def test_a_whole_game_is_lost(garden: GamePage) -> None:
    garden.click(5, 0)
    garden.expect_revealed(5, 0)
    garden.click(0, 0, button="right")
    garden.expect_tile(0, 0, "F")
    garden.click(4, 3)
    garden.expect_end("Game Over")
    garden.expect_rows(["!#1...", "#*1...", "##1111", "####X#", "######"])
    garden.click(0, 4)  # nothing can be done any more
    garden.click(0, 1, button="right")
    garden.leave()
    expect(garden.page.get_by_text("games played: 1")).to_be_visible()
    expect(garden.page.get_by_text("games won: 0")).to_be_visible()


def test_a_press_shows_and_a_release_opens(garden: GamePage) -> None:
    mouse = garden.page.mouse
    garden.move_to(0, 0)
    mouse.down()
    expect(garden.page.locator(PRESSED)).to_have_count(1)
    expect(garden.cell(0, 0)).to_have_attribute("data-t", "#")
    mouse.up()
    garden.expect_tile(0, 0, "1")
    expect(garden.page.locator(PRESSED)).to_have_count(0)


def test_a_press_counts_where_it_ends(visit: Visit) -> None:
    garden = GamePage.of(visit(settings='{"openAtRelease": true}'), GARDEN)
    mouse = garden.page.mouse
    garden.move_to(4, 0)
    mouse.down()
    garden.move_to(5, 0)
    expect(garden.cell(5, 0)).to_have_class(re.compile("pressed"))
    mouse.up()
    garden.expect_revealed(5, 0)


def test_keys_act_where_mouse_or_keys_have_moved_to_last(garden: GamePage) -> None:
    garden.click(1, 1, button="right")
    garden.expect_tile(1, 1, "F")
    garden.move_to(4, 3)
    garden.page.keyboard.press("f")
    garden.expect_tile(4, 3, "F")
    garden.expect_tile(1, 1, "F")
    expect(garden.cell(4, 3)).to_be_focused()
    garden.page.keyboard.press("ArrowUp")
    garden.page.keyboard.press("f")
    garden.expect_tile(4, 2, "F")
    garden.move_to(0, 4)
    garden.page.keyboard.press("f")
    garden.expect_tile(0, 4, "F")
    garden.expect_rows(["######", "#F####", "####F#", "####F#", "F#####"])


def test_keys_act_on_the_board_after_a_click_on_a_tool(garden: GamePage) -> None:
    garden.page.get_by_role("button", name="Coordinates").click()
    garden.move_to(4, 3)
    garden.page.keyboard.press("f")
    garden.expect_tile(4, 3, "F")
    garden.move_to(5, 4)
    garden.page.keyboard.press("Space")
    garden.expect_revealed(5, 4)


def test_sliding_off_cancels(visit: Visit) -> None:
    garden = GamePage.of(visit(settings='{"openAtRelease": false}'), GARDEN)
    mouse = garden.page.mouse
    garden.move_to(0, 0)
    mouse.down()
    garden.move_to(3, 0)
    expect(garden.page.locator(PRESSED)).to_have_count(0)
    mouse.up()
    garden.move_to(1, 0)
    mouse.down()
    mouse.move(2, 2)  # off the board
    mouse.up()
    # A move that would have been made is answered before a later one is.
    garden.click(5, 4)
    garden.expect_revealed(5, 4)
    garden.expect_rows(["######", "######", "######", "######", "#####1"])


def test_the_right_button_flags_when_it_goes_down(garden: GamePage) -> None:
    garden.move_to(1, 1)
    garden.page.mouse.down(button="right")
    garden.expect_tile(1, 1, "F")
    expect(garden.box("flags")).to_have_text("flags: 1")
    garden.page.mouse.up(button="right")
    garden.click(1, 1)  # a flag protects its cell
    garden.click(1, 1, button="right")
    garden.expect_tile(1, 1, "#")
    expect(garden.box("flags")).to_have_text("flags: 0")


def test_with_control_the_left_button_is_the_right_one(garden: GamePage) -> None:
    """The second button of a Mac."""
    garden.click(1, 1, modifiers=["Control"])
    garden.expect_tile(1, 1, "F")
    expect(garden.box("flags")).to_have_text("flags: 1")
    garden.click(1, 1, modifiers=["Control"])
    garden.expect_tile(1, 1, "#")
    expect(garden.box("flags")).to_have_text("flags: 0")
    # Let go of the key first: it is still the button that went down.
    garden.move_to(0, 0)
    garden.page.keyboard.down("Control")
    garden.page.mouse.down()
    garden.page.keyboard.up("Control")
    garden.page.mouse.up()
    garden.expect_tile(0, 0, "F")
    garden.click(5, 0)
    garden.expect_revealed(5, 0)


def test_chords_by_a_click_by_both_buttons_and_by_the_middle_one(garden: GamePage) -> None:
    mouse = garden.page.mouse
    garden.click(5, 0)
    garden.expect_tile(2, 2, "1")
    garden.click(1, 1, button="right")
    garden.expect_tile(1, 1, "F")
    garden.expect_rows(["##1...", "#F1...", "##1111", "######", "######"])
    garden.click(2, 0)
    garden.expect_tile(1, 0, "1")
    garden.move_to(2, 1)
    mouse.down()
    mouse.down(button="right")
    expect(garden.page.locator(PRESSED)).not_to_have_count(0)
    mouse.up(button="right")
    mouse.up()
    garden.expect_tile(1, 2, "1")
    garden.move_to(2, 2)
    mouse.down(button="middle")
    mouse.up(button="middle")
    garden.expect_rows(["#11...", "#F1...", "111111", "...1##", "...1##"])


def test_a_chord_that_is_slid_off_is_none(garden: GamePage) -> None:
    mouse = garden.page.mouse
    garden.click(5, 0)
    garden.click(1, 1, button="right")
    garden.expect_tile(1, 1, "F")
    garden.move_to(2, 0)
    mouse.down(button="middle")
    garden.move_to(4, 0)
    mouse.up(button="middle")
    garden.click(5, 4)
    garden.expect_rows(["##1...", "#F1...", "##1111", "######", "#####1"])


def test_the_neighbourhood_of_the_cell_under_the_pointer_is_tinted(garden: GamePage) -> None:
    plain = garden.cell(3, 3).evaluate("(cell) => getComputedStyle(cell).background")
    garden.move_to(2, 2)
    expect(garden.page.locator(".near")).to_have_count(9)
    garden.page.wait_for_function(
        "([cell, plain]) => getComputedStyle(cell).background !== plain",
        arg=[garden.cell(3, 3).element_handle(), plain],
    )
    garden.move_to(0, 0)
    expect(garden.page.locator(".near")).to_have_count(4)
    garden.page.mouse.move(1, 1)
    expect(garden.page.locator(".near")).to_have_count(0)


def test_f2_is_a_new_game_and_f3_the_same_board(garden: GamePage) -> None:
    garden.click(4, 3)
    garden.expect_end("Game Over")
    garden.page.keyboard.press("F3")
    garden.expect_rows(["######"] * 5)
    garden.click(5, 0)
    garden.expect_tile(2, 2, "1")  # the same mines
    garden.click(4, 3)
    garden.expect_end("Game Over")
    before = garden.id
    garden.page.keyboard.press("F2")
    garden.page.wait_for_function("(id) => !location.hash.includes(id)", arg=before)
    garden.wait_until_quiet()
    garden.expect_rows(["######"] * 5)


def test_the_button_in_the_middle_starts_a_new_game(garden: GamePage) -> None:
    first = garden.id
    garden.click(5, 0)
    garden.expect_tile(2, 2, "1")
    garden.tool("New game").click()
    garden.page.wait_for_function("(first) => !location.hash.includes(first)", arg=first)
    garden.page.wait_for_function(
        "() => [...document.querySelectorAll('[role=gridcell]')].every((cell) => cell.dataset.t === '#')"
    )
