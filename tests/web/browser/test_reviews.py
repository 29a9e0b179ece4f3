"""Ended games looked through, positions looked into: with keys, on a phone, and with nothing for axe to find in any look."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import Visitor
from tests.game_page import GARDEN, GamePage
from tests.recordings import some_game, write_avf
from tests.web.browser.test_access import OTHER_LOOKS, expect_room, looking, violations

Visit = Callable[..., Visitor]


def _lost(visitor: Visitor) -> GamePage:
    """A game on the garden that meets a mine in its second move."""
    game = GamePage.of(visitor, GARDEN)
    game.click(5, 0)
    game.expect_tile(2, 2, "1")
    game.click(4, 3)
    game.expect_end("Game Over")
    return game


def _open_review(game: GamePage) -> Page:
    game.page.get_by_role("link", name="Review", exact=True).click()
    expect(game.page.locator(".review-measures")).to_be_visible()
    return game.page


def test_a_game_is_looked_through_with_keys_and_shown_to_others(visit: Visit) -> None:
    game = _lost(visit())
    page = _open_review(game)
    assert "/game/" in page.url
    slider, moment = page.get_by_role("slider", name="Move"), page.locator(".moment")
    expect(moment).to_contain_text("Move 2 of 2")
    game.expect_tile(4, 3, "X")
    game.expect_tile(1, 1, "*")
    expect(page.get_by_role("button", name="Play on from here")).to_be_disabled()
    page.keyboard.press("Home")
    expect(moment).to_contain_text("Move 0 of 2")
    game.expect_rows(["######"] * 5)
    page.keyboard.press("ArrowRight")
    game.expect_tile(2, 2, "1")
    game.expect_tile(1, 1, "#")
    slider.focus()
    page.keyboard.press("End")
    expect(moment).to_contain_text("Move 2 of 2")
    page.keyboard.press(",")
    expect(moment).to_contain_text("Move 1 of 2")
    page.get_by_role("button", name="Chances").click()
    expect(page.locator("[data-heat]")).not_to_have_count(0)
    # The points of the curve and the list of moves lead to their moments.
    point = page.locator(".curve [role=button]").last
    point.focus()
    page.keyboard.press("Enter")
    expect(moment).to_contain_text("Move 2 of 2")
    page.get_by_role("list").get_by_role("button", name=re.compile("^1. Revealed")).click()
    expect(moment).to_contain_text("Move 1 of 2")
    expect(page.locator(".move[aria-current=step]")).to_have_count(1)
    # It plays by itself.
    page.keyboard.press("Home")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(moment).to_contain_text("Move 2 of 2")
    # Nobody else sees it until it is shared.
    stranger = visit()
    stranger.expect("404")
    other = stranger.tab(page.url.removeprefix(stranger.url))
    expect(other.get_by_text("its player does not share it")).to_be_visible()
    page.get_by_role("switch").check(force=True)
    expect(page.get_by_label("Link of this game")).to_be_visible()
    other.reload()
    expect(other.locator(".review-measures")).to_be_visible()
    expect(other.get_by_role("switch")).to_have_count(0)
    # TimedMove on from, it is a game of its own, marked so.
    page.keyboard.press("Home")
    page.keyboard.press(".")
    page.get_by_role("button", name="Play on from here").click()
    expect(page.locator(".assisted")).to_contain_text("practice from a position")
    game.expect_tile(2, 2, "1")


def test_all_but_guesses_and_mistakes_is_folded(visit: Visit) -> None:
    game = GamePage.of(visit(), GARDEN)
    safe = [(5, 0), (1, 0), (3, 3), (0, 4)]
    for x, y in safe:
        game.click(x, y)
        game.expect_revealed(x, y)
    game.click(4, 3)  # a number beside it says that this is a mine
    game.expect_end("Game Over")
    page = _open_review(game)
    fold = page.locator(".moves details")
    expect(fold).to_have_count(1)
    expect(fold.locator("summary")).to_have_text("Moves 2 to 4")
    moves = page.locator(".move")
    expect(moves).to_have_count(5)
    seen = [moves.nth(number).is_visible() for number in range(5)]
    assert seen == [True, False, False, False, True]
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(moves.nth(1)).to_be_visible()  # it opens where the board stands
    expect(moves.nth(1)).to_have_attribute("aria-current", "step")


def test_a_position_is_painted_pasted_and_played_on_from(visit: Visit) -> None:
    visitor = visit()
    visitor.expect("400")
    page = visitor.tab("analyse#p=3x1x1.3o")
    game, said = GamePage(page), page.locator(".findings .verdict")
    expect(said).to_contain_text("3 layouts fit")
    game.cell(1, 0).focus()
    page.keyboard.press("1")
    game.expect_tile(1, 0, "1")
    expect(said).to_contain_text("2 layouts fit")
    expect(said).to_contain_text("50")
    assert page.url.endswith("/analyse?p=3x1x1.oAo")
    page.reload()
    game.expect_rows(["#1#"])
    page.get_by_role("radio", name="2", exact=True).check(force=True)
    game.cell(1, 0).click()
    expect(said).to_contain_text("No layout fits")
    expect(game.cell(1, 0)).to_have_attribute("aria-label", re.compile("contradicts"))
    text = page.get_by_label(re.compile("^Or paste"))
    for pasted, rows in (
        ("9x9n10:4,4,m750a781f936c7f3d39ec8", 9), (GARDEN.code, 5), (f"{visitor.url}analyse?p=3x1x1.oAo", 1), ("6x6/8\n...1##\n...13#\n....2#\n221.1#\n##2111\n###1##", 6),
    ):  # fmt: skip
        text.fill(pasted)
        page.get_by_role("button", name="Show it").click()
        expect(page.get_by_role("row").filter(has=page.get_by_role("gridcell"))).to_have_count(rows)
    expect(said).to_contain_text("3 layouts fit. Chance to win: 66.7")
    expect(said).to_contain_text("you win 2 in 3 instead of 1 in 3")
    page.locator(".findings .move").last.click()
    expect(page.locator(".cell.best")).to_have_count(1)
    text.fill("9x9n10#123")
    page.get_by_role("button", name="Show it").click()
    expect(page.get_by_role("alert").filter(has_text="seed of that program")).to_be_visible()
    page.get_by_role("button", name="Play on from it").click()
    expect(page.locator(".assisted")).to_contain_text("practice from a position")
    game.expect_tile(4, 0, "#")


def test_games_are_listed_practised_and_recordings_reviewed(visit: Visit, tmp_path: Path) -> None:
    visitor = visit()
    _open_review(_lost(visitor))
    page = visitor.tab("games")
    expect(page.get_by_role("row")).to_have_count(2)
    page.get_by_label("Result").select_option("Won")
    expect(page.get_by_text("No such games")).to_be_visible()
    page.get_by_label("Result").select_option("Lost")
    page.get_by_role("row").get_by_role("link").click()
    expect(page.get_by_role("heading", name=re.compile("^Review:"))).to_be_visible()
    page.goto(f"{visitor.url}practice")
    game = GamePage(page)
    expect(page.get_by_role("grid")).to_be_visible()
    game.click(4, 3)
    expect(page.locator(".verdict[data-look=mistake]")).to_contain_text("Wrong. It is what you did in the game.")
    page.get_by_role("button", name="Next position").click()
    expect(page.get_by_role("status").filter(has_text="0 of 1")).to_be_visible()
    page.reload()
    game.click(1, 1)  # what is said is of this cell, and not of the move that was made
    expect(page.locator(".verdict[data-look=mistake]")).to_contain_text(
        "Wrong. The cell you picked is certain to be a mine."
    )
    page.goto(f"{visitor.url}recording")
    file = tmp_path / "game.avf"
    file.write_bytes(write_avf(some_game()))
    page.get_by_label(re.compile("Drop a recording")).set_input_files(file)
    expect(page.locator(".review-measures")).to_be_visible()
    visitor.expect("400")
    file.write_bytes(b"nothing")
    page.get_by_label(re.compile("Drop a recording")).set_input_files(file)
    expect(page.get_by_role("alert").filter(has_text=re.compile("avf", re.IGNORECASE))).to_be_visible()


def test_no_violations_in_any_look(visit: Visit) -> None:
    visitor = looking(visit)
    page = _open_review(_lost(visitor))
    found = {"review": violations(page, looks=OTHER_LOOKS)}
    page.keyboard.press("Home")
    page.keyboard.press(".")
    page.get_by_role("button", name="Chances").click()
    expect(page.locator("[data-heat]")).not_to_have_count(0)
    found["chances"] = violations(page, looks=OTHER_LOOKS)
    # The others' colours are on that page too: each theme and each palette is enough.
    others = (
        ("analyse", ".findings .move"),
        ("games", "tbody tr"),
        ("practice", "[role=gridcell]"),
        ("recording", ".drop"),
    )
    for place, ready in others:
        page.goto(f"{visitor.url}{place}")
        expect(page.locator(ready).first).to_be_visible()
        found[place] = violations(page, looks=OTHER_LOOKS[:1])
    assert {name: what for name, what in found.items() if what} == {}


@pytest.mark.parametrize(("widths", "scale"), [((360, 240), 1), ((640,), 2)], ids=["phones", "200 %"])
def test_small_windows_have_room_for_everything(visit: Visit, widths: tuple[int, ...], scale: int) -> None:
    visitor = visit(
        viewport={"width": widths[0], "height": 740 // scale}, device_scale_factor=scale, settings=json.dumps({})
    )
    page = _open_review(_lost(visitor))
    for place in (None, "analyse", "games", "practice", "recording"):
        if place is not None:
            page.goto(f"{visitor.url}{place}")
            page.wait_for_load_state("networkidle")
        expect_room(page, *widths)
