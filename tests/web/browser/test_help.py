"""What helps and is marked: hints, chances, undo, the question whether a guess is all that is left; and pause."""

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser import Visitor
from tests.game_page import CORNER, GARDEN, Art, GamePage

Visit = Callable[..., Visitor]


@pytest.fixture
def garden(visit: Visit) -> GamePage:
    return GamePage.of(visit(), GARDEN)


def expect_marks(game: GamePage, words: str) -> None:
    """Wait until the page says that of the help that there was."""
    expect(game.page.locator(".assisted")).to_contain_text(words)


def test_a_hint_says_its_reason_and_shows_its_cells(garden: GamePage) -> None:
    garden.click(5, 0)
    garden.expect_tile(2, 2, "1")
    garden.tool("Hint").click()
    note = garden.page.get_by_role("complementary", name="Notes")
    expect(note).to_be_visible()
    expect(note).to_contain_text(re.compile(r"\b[a-f][1-6]\b"))
    expect(garden.page.locator(".cell.read")).not_to_have_count(0)
    shown = garden.page.locator(".cell.safe, .cell.mined, .cell.best")
    expect(shown).not_to_have_count(0)
    garden.page.wait_for_function("() => document.querySelector('.assisted').textContent.includes('1 hint')")
    note.get_by_role("button", name="Close").click()
    expect(note).to_be_hidden()
    expect(shown).to_have_count(0)
    expect(garden.page.locator(".cell .name")).to_have_count(0)


def test_the_cells_that_a_hint_speaks_of_have_their_names(garden: GamePage) -> None:
    garden.click(5, 0)
    garden.expect_tile(2, 2, "1")
    garden.tool("Hint").click()
    garden.expect_spoken("Hint: ")
    named = garden.page.locator(".step.chosen .name")
    expect(named).not_to_have_count(0)
    steps = garden.page.locator(".step").count()
    while True:
        words = garden.page.locator(".step.chosen").text_content() or ""
        spoken = set(re.findall(r"\b[a-f][1-6]\b", words))
        assert spoken
        for name in spoken:
            cell = garden.cell(ord(name[0]) - ord("a"), int(name[1]) - 1)
            expect(cell.locator(".name")).to_have_attribute("data-name", name)
            expect(cell).to_have_attribute(
                "aria-label", re.compile(rf"{name}: .*, (read by the hint|is safe|is a mine)")
            )
        # Those of the steps before it stay, and so do the mines that they found.
        assert garden.page.locator(".cell .name").count() >= len(spoken)
        steps -= 1
        if not steps:
            break
        garden.tool("Step before").click()
    # What is written on the cells goes with the board that it was about.
    garden.click(1, 1, button="right")
    garden.expect_tile(1, 1, "F")
    expect(garden.page.locator(".cell .name")).to_have_count(0)


def test_a_pattern_is_named_once(visit: Visit) -> None:
    game = GamePage.of(visit(), Art(".....", "....*", ".....", "....*", "....."))
    game.click(0, 0)
    game.expect_tile(3, 0, "1")
    game.tool("Hint").click()
    expect(game.page.locator(".step.chosen")).to_have_text(re.compile(r"^1-1 d1 says 1, "))


def test_a_hint_leads_to_a_win(visit: Visit) -> None:
    """Hints alone, with a player who only does what they say."""
    game = GamePage.of(visit(), GARDEN)
    game.click(5, 0)
    game.expect_tile(2, 2, "1")
    for number in range(1, 20):
        game.page.keyboard.press("h")
        game.page.wait_for_function(
            "(words) => document.querySelector('.assisted').textContent.includes(words)",
            arg="1 hint" if number == 1 else f"{number} hints",
        )
        expect(game.page.locator(".cell.safe, .cell.best")).not_to_have_count(0)
        x, y = game.place_of(game.page.locator(".cell.safe, .cell.best").first)
        game.click(x, y)
        game.expect_revealed(x, y)
        if game.page.locator(".game").get_attribute("data-status") == "won":
            break
    game.expect_end("Victory")


def test_may_i_guess(visit: Visit) -> None:
    game = GamePage.of(visit(), GARDEN)
    game.click(5, 0)
    game.expect_tile(2, 2, "1")
    game.tool("May I guess?").click()
    note = game.page.get_by_role("complementary", name="Notes")
    expect(note).to_contain_text(re.compile(r"\bno\b", re.IGNORECASE))
    expect_marks(game, "hint")


def test_chances_are_written_on_covered_cells_and_mark_the_game(visit: Visit) -> None:
    game = GamePage.of(visit(), CORNER)
    game.click(5, 0)
    game.expect_revealed(5, 0)
    game.show_chances()
    expect(game.cell(1, 1)).to_have_text(re.compile(r"\d"))
    expect_marks(game, "chances shown")
    expect(game.cell(1, 1)).to_have_attribute("aria-label", re.compile("% mine"))
    # They follow each move.
    game.click(1, 1, button="right")
    game.expect_tile(1, 1, "F")
    game.tool("Chances").click()
    expect(game.page.locator("[data-heat]")).to_have_count(0)
    expect_marks(game, "chances shown")


def test_chances_are_there_again_after_a_reload(visit: Visit) -> None:
    game = GamePage.of(visit(), CORNER)
    game.click(5, 0)
    game.expect_revealed(5, 0)
    game.show_chances()
    written = game.page.locator("[data-heat]").count()
    game.page.reload()
    game.wait_until_quiet()
    expect(game.page.locator("[data-heat]")).to_have_count(written)
    expect(game.tool("Chances")).to_have_attribute("aria-pressed", "true")
    game.click(1, 1, button="right")
    game.expect_tile(1, 1, "F")
    # A hint and chances are both said of a cell.
    game.tool("Hint").click()
    expect(game.page.locator(".cell.named")).not_to_have_count(0)
    expect(game.page.locator(".cell.safe, .cell.mined, .cell.best").first).to_have_attribute(
        "aria-label", re.compile("^[a-f][1-6]: .*% mine")
    )


def test_a_shared_board_without_guesses_says_where_to_start(visit: Visit) -> None:
    page = visit().tab("#new")
    page.locator("label:visible", has=page.get_by_text("No guessing", exact=True)).locator("input").check()
    page.get_by_role("button", name="Start the game").click()
    first = GamePage(page)
    first.wait_until_quiet()
    expect(page.locator(".cell.start")).to_have_count(0)
    first.click(6, 2)
    first.expect_revealed(6, 2)
    first.tool("End").click()
    first.agree("End it")
    first.expect_end("Game Over")
    first.after_the_calm()
    first.tool("Share").click()
    address = page.get_by_label("Link", exact=True).input_value()
    game = GamePage(visit().tab(address.split("/", 3)[3]))
    game.wait_until_quiet()
    marked = game.page.locator(".cell.start")
    expect(marked).to_have_count(1)
    expect(marked).to_have_attribute("aria-label", "g3: covered, start here")
    expect(game.page.get_by_text("Start at the marked cell: from there no guess is needed.")).to_be_visible()
    game.click(0, 0, button="right")
    game.expect_tile(0, 0, "F")
    expect(marked).to_have_count(1)
    game.page.reload()
    expect(marked).to_have_count(1)
    game.page.keyboard.press("Space")  # the cursor is there
    game.expect_revealed(6, 2)
    expect(marked).to_have_count(0)
    expect(game.page.get_by_text("Start at the marked cell")).to_be_hidden()
    game.tool("Undo").click()
    game.expect_tile(6, 2, "#")
    expect(marked).to_have_count(1)


def test_undo_takes_the_last_move_back_and_marks_the_game(garden: GamePage) -> None:
    garden.click(0, 0)
    garden.expect_tile(0, 0, "1")
    garden.tool("Undo").click()
    garden.expect_tile(0, 0, "#")
    expect_marks(garden, "1 move taken back")
    garden.tool("Redo").click()
    garden.expect_tile(0, 0, "1")
    garden.page.keyboard.press("u")
    garden.expect_tile(0, 0, "#")


def test_a_lost_game_goes_on_when_its_last_move_is_taken_back(garden: GamePage) -> None:
    garden.click(5, 0)
    garden.expect_revealed(5, 0)
    garden.click(4, 3)
    garden.expect_end("Game Over")
    garden.tool("Undo").click()
    garden.expect_tile(4, 3, "#")
    expect(garden.page.locator("[data-end]")).to_be_empty()
    garden.reveal_rest(GARDEN)
    garden.expect_end("Victory")


def test_a_pause_hides_the_board_and_stops_the_clock(garden: GamePage) -> None:
    garden.click(5, 0)
    garden.expect_revealed(5, 0)
    garden.pause()
    # Nothing of it is there, for a screen reader neither.
    expect(garden.page.get_by_role("gridcell", name="c3: 1")).to_have_count(0)
    stopped = garden.box("time").inner_text()
    time.sleep(1.5)
    assert garden.box("time").inner_text() == stopped
    garden.go_on()
    garden.expect_tile(2, 2, "1")
    expect(garden.page.get_by_role("gridcell", name="c3: 1")).to_have_count(1)
    expect(garden.box("time")).not_to_have_text(stopped)


def test_the_end_says_what_had_been_certain(garden: GamePage) -> None:
    garden.click(5, 0)
    garden.expect_tile(2, 2, "1")
    garden.click(1, 1)
    garden.expect_end("Game Over")
    note = garden.page.locator("section[data-screen=game]")
    expect(note).to_contain_text(re.compile("certain|safe"))
    expect(garden.page.locator(".was-safe, .was-mined")).not_to_have_count(0)


def test_the_cell_that_a_code_begins_with_is_in_sight(visit: Visit) -> None:
    """It is as far from the middle as a code has it; the board needs guesses as any other."""
    visitor = visit(viewport={"width": 390, "height": 844})
    game = GamePage(visitor.tab("#code=modern%2330x16x99.6153709251986998225.f7-7.g1.3bmc"))
    game.wait_until_quiet()
    expect(game.page.locator(".cell.start")).to_be_in_viewport(ratio=1)
    expect(
        game.page.get_by_text("Start at the marked cell: it is the one that the board was made for.")
    ).to_be_visible()


def test_whose_guess_a_hint_names_is_chosen_in_the_settings(visit: Visit) -> None:
    visitor = visit()
    page = visitor.tab("#settings")
    expect(page.get_by_role("radio", name="Second opinion")).to_be_checked()
    page.get_by_role("radio", name="Playouts").check()
    expect(page.get_by_role("radio", name="Playouts")).to_be_checked()
    garden = GamePage.of(visitor, GARDEN)
    sent: list[str] = []
    garden.page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(str(frame))))
    garden.page.reload()
    garden.click(5, 0)
    garden.expect_tile(2, 2, "1")
    garden.tool("Hint").click()
    expect_marks(garden, "1 hint")
    assert any('"do":"hint","strategy":"playouts"' in one for one in sent), sent
