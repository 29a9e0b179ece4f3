"""Today's boards, rankings, names: as a player meets them."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, WebSocketRoute, expect

from sapper.store.repository import open_store
from tests.browser import Visitor
from tests.game_page import GamePage
from tests.social_store import fill_social
from tests.web.browser.test_access import expect_room, violations
from tests.web_process import web_process

Visit = Callable[..., Visitor]


def _make_phrase(page: Page) -> None:
    page.get_by_role("button", name="Make a new phrase").click()
    GamePage(page).agree("Make a new phrase")


def test_today_s_board_is_begun_from_its_page_and_gone_on_with(visit: Visit) -> None:
    visitor = visit()
    page = visitor.tab("daily")
    card = page.get_by_role("region", name="Beginner", exact=True)
    expect(card).to_contain_text("9 × 9, 10 mines")
    card.get_by_role("button", name="Play").press("Enter")
    expect(page).to_have_url(re.compile("#game="))
    board = page.get_by_role("grid")
    expect(board).to_be_visible()
    expect(page.locator(".cell").first).to_be_attached()
    game = page.url
    page.goto(f"{visitor.url}daily")
    expect(card).to_contain_text("Begun: the clock runs.")
    card.get_by_role("button", name="Go on").click()
    expect(page).to_have_url(game)


def test_nothing_of_today_s_boards_jumps_when_they_come(visit: Visit) -> None:
    visitor = visit()
    page = visitor.context.new_page()
    held: list[Route] = []
    page.route("**/api/daily", lambda route: held.append(route))  # noqa: PLW0108  # a builtin cannot be one
    with page.expect_request("**/api/daily"):
        page.goto(f"{visitor.url}daily")
    calendar = page.get_by_role("heading", name="Calendar")
    expect(page.get_by_role("heading", name="Today’s boards")).to_be_visible()
    expect(calendar).to_have_count(0)
    held.pop().continue_()
    expect(calendar).to_be_visible()
    expect(page.get_by_role("region", name="Expert", exact=True)).to_be_visible()


def test_the_attempt_of_the_day_is_not_ended_by_one_key(visit: Visit) -> None:
    visitor = visit()
    page = visitor.tab("daily")
    card = page.get_by_role("region", name="Beginner", exact=True)
    card.get_by_role("button", name="Play").click()
    game = GamePage(page)
    game.wait_until_quiet()
    x, y = game.place_of(page.locator("[role=gridcell][data-t='#']").first)
    game.click(x, y, button="right")
    game.expect_tile(x, y, "F")
    game.wait_until_quiet()
    question = page.get_by_role("dialog", name="End your attempt at the board of the day?")
    void = page.get_by_text("It does not count for the board of the day.")

    def ask_for_help(how: str) -> None:
        if len(how) == 1:
            page.keyboard.press(how)
        else:
            game.tool(how).click()

    for how in ("h", "u", "Hint", "Chances", "May I guess?"):
        ask_for_help(how)
        expect(question).to_contain_text("there is no second one")
        page.keyboard.press("Escape")
        expect(question).to_have_count(0)
    expect(game.tool("Pause")).to_be_hidden()
    for key in ("F2", "F3", "Escape"):
        page.keyboard.press(key)
        expect(question).to_contain_text("It counts as not won")
        question.get_by_role("button", name="Keep playing").click()
        expect(question).to_have_count(0)
    game.expect_tile(x, y, "F")
    expect(void).to_be_hidden()
    ask_for_help("Hint")
    game.agree("Help me all the same")
    expect(void).to_be_visible()
    ask_for_help("h")  # there is nothing left to lose
    page.wait_for_timeout(200)
    expect(question).to_have_count(0)
    page.goto(f"{visitor.url}daily")
    expect(card).to_contain_text("it does not count")
    expect(card.get_by_role("button", name="Go on")).to_be_visible()


def test_help_that_is_under_way_is_not_asked_about_again(visit: Visit) -> None:
    """The question came a second time until the server had said that the attempt is over."""
    visitor = visit()
    page = visitor.context.new_page()
    asked: list[str] = []

    def hold(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            asked.append(json.loads(message)["do"])
            if not {"hint", "overlay"} & set(asked):  # no answer comes to these: the update is late
                server.send(message)

        socket.on_message(pass_on)

    page.route_web_socket(re.compile("/socket"), hold)
    page.goto(f"{visitor.url}daily")
    page.get_by_role("region", name="Beginner", exact=True).get_by_role("button", name="Play").click()
    game = GamePage(page)
    game.wait_until_quiet()
    game.tool("Hint").click()
    game.agree("Help me all the same")
    game.tool("Chances").click()
    for _ in range(600):
        if "overlay" in asked or page.get_by_role("dialog").count():
            break
        page.wait_for_timeout(100)
    assert [verb for verb in asked if verb in {"hint", "overlay"}] == ["hint", "overlay"]
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize("is_void", [True, False])
def test_the_line_to_share_says_what_came_of_the_attempt(visit: Visit, is_void: bool) -> None:
    visitor = visit(permissions=["clipboard-read", "clipboard-write"])
    page = visitor.tab("daily")
    card = page.get_by_role("region", name="Beginner", exact=True)
    card.get_by_role("button", name="Play").click()
    game = GamePage(page)
    game.wait_until_quiet()
    if is_void:
        game.tool("May I guess?").click()
        game.agree("Help me all the same")
        expect(page.get_by_text("It does not count for the board of the day.")).to_be_visible()
    game.tool("End").click()
    game.agree("End it" if is_void else "End the attempt")
    game.expect_end("Game Over")
    page.goto(f"{visitor.url}daily")
    card.get_by_role("button", name="Copy result").click()
    said = "does not count" if is_void else "Lost"
    expect(page.get_by_text(re.compile(rf"^Copied: sapper \d{{4}}-\d\d-\d\d · Beginner · {said}$"))).to_be_visible()
    assert page.evaluate("() => navigator.clipboard.readText()").endswith(f"· {said}")


def test_a_player_signs_out_another_browser_and_this_one(visit: Visit) -> None:
    here, there = visit(), visit()
    page = here.tab("name")
    expect(page.get_by_role("heading", name="Recovery phrase")).to_be_visible()
    expect(page.get_by_role("heading", name="Signed in")).to_be_hidden()
    _make_phrase(page)
    expect(page.get_by_text("Chrome, Linux (this one)")).to_be_visible()
    phrase = page.locator(".phrase").inner_text()
    other = there.tab("name")
    other.get_by_label("Recovery phrase").fill(phrase)
    other.get_by_role("button", name="Recover").click()
    expect(other.get_by_role("listitem").filter(has_text="Chrome, Linux")).to_have_count(2)
    page.reload()
    devices = page.get_by_role("listitem").filter(has_text="Chrome, Linux")
    expect(devices).to_have_count(2)
    devices.filter(has_not_text="this one").get_by_role("button", name="Sign out: Chrome, Linux").click()
    expect(devices).to_have_count(1)
    other.reload()
    expect(other.get_by_role("heading", name="Recovery phrase")).to_be_visible()
    expect(other.get_by_role("heading", name="Signed in")).to_be_hidden()
    before = next(one for one in here.context.cookies() if one["name"] == "sapper_player")["value"]
    devices.get_by_role("button", name="Sign out").click()
    GamePage(page).agree("Sign out")
    expect(page.get_by_text("games played: 0")).to_be_visible()
    after = next(one for one in here.context.cookies() if one["name"] == "sapper_player")["value"]
    assert before[:36] != after[:36]


def test_a_phrase_takes_a_player_to_another_browser(visit: Visit) -> None:
    here, there = visit(), visit()
    page = here.tab("name")
    expect(page.get_by_label("Name", exact=True)).to_be_disabled()
    expect(page.locator("main")).to_contain_text("needs 10 ended ranked games; you have 0")
    _make_phrase(page)
    phrase = page.locator(".phrase")
    expect(phrase).to_have_text(re.compile("^(?:[0-9a-z]{4}-){6}[0-9a-z]{4}$"))
    other = there.tab("name")
    there.expect("404")
    other.get_by_label("Recovery phrase").fill("0000-" * 6 + "0000")
    other.get_by_role("button", name="Recover").click()
    expect(other.get_by_role("status").filter(has_text="Nobody has this phrase.")).to_be_visible()
    other.get_by_label("Recovery phrase").fill(phrase.inner_text())
    other.get_by_role("button", name="Recover").click()
    notice = other.get_by_role("status").filter(has_text="You are the same player again.")
    expect(notice).to_have_class("notice calm")
    expect(other.get_by_label("Recovery phrase")).to_have_value("")
    mine, theirs = (
        next(one for one in visitor.context.cookies() if one["name"] == "sapper_player")["value"][:36]
        for visitor in (here, there)
    )
    assert mine == theirs


def test_screens_with_people_on_them(browser: Browser, tmp_path: Path) -> None:
    with web_process(tmp_path) as server:
        visitor = Visitor(browser, server.url, reduced_motion="reduce")
        page = visitor.tab()
        expect(page.get_by_role("button", name="Play")).to_be_visible()
        cookie = next(one for one in visitor.context.cookies() if one["name"] == "sapper_player")["value"]
        with open_store(tmp_path / "web.db") as store:
            fill_social(store, cookie[:36], server.now)
        found: dict[str, list[str]] = {}
        for screen, words in (
            ("daily", "O’Neill Jr."),
            ("rankings", "O’Neill Jr."),
            ("name", "Your name: O’Neill Jr."),
            ("honesty", "What cannot be seen"),
        ):
            page.goto(f"{visitor.url}{screen}")
            expect(page.locator("main")).to_contain_text(words)
            page.wait_for_load_state("networkidle")
            for width in (1280, 768, 390):
                expect_room(page, width)
                found[f"{screen} {width}"] = violations(page)
        assert {name: what for name, what in found.items() if what} == {}
        page.goto(f"{visitor.url}rankings")
        expect(page.locator("main")).to_contain_text("Your place: 4, 9.879 s")
        page.get_by_label("By").select_option("streak")
        expect(page.locator("main")).to_contain_text("Your place: 4, 4")
        page.get_by_label("By").select_option("skill")
        expect(page.locator("main")).to_contain_text(re.compile(r"Your place: 4, 4\.4\s%"))
        expect(page.locator("main")).to_contain_text("your own choices lost")
        expect(page.get_by_label("When")).to_be_hidden()
        for width in (1280, 768, 390):
            expect_room(page, width)
            assert violations(page) == []
        page.goto(f"{visitor.url}name")
        _make_phrase(page)
        phrase = page.locator(".phrase")
        expect(phrase).not_to_be_empty()
        page.get_by_label("Recovery phrase").fill(phrase.inner_text())
        page.get_by_role("button", name="Recover").click()
        expect(page.get_by_text("You are O’Neill Jr. again.")).to_have_class("notice calm")
        visitor.close()


def test_a_game_that_is_given_up_is_in_the_player_s_skill(visit: Visit) -> None:
    visitor = visit()
    page = visitor.tab()
    page.get_by_role("button", name="Play").click()
    game = GamePage(page)
    game.click(4, 4)
    game.wait_until_quiet()
    game.tool("End").click()
    game.agree("End it")
    game.expect_end("You gave this game up.")
    table = page.get_by_role("region", name="Skill without luck, as a table")
    page.goto(f"{visitor.url}#statistics")
    for _ in range(60):  # it is judged when there is time for it
        expect(page.get_by_role("heading", name="Statistics")).to_be_visible()
        page.wait_for_load_state("networkidle")
        if table.count():
            break
        page.wait_for_timeout(500)
        page.reload()
    row = table.get_by_role("row").nth(1)
    expect(row).to_contain_text(re.compile("Beginner.*1"))
    assert violations(page) == []
    page.locator(".data summary").first.click()
    expect_room(page, 390)
    row.get_by_role("link", name="Beginner").click()
    expect(page.get_by_label("By")).to_have_value("skill")
    expect(page.locator("main")).to_contain_text("No places yet.")


def test_the_speed_of_a_win_within_a_second_is_told(visit: Visit) -> None:
    visitor = visit()
    page = visitor.tab()

    def answer(route: Route) -> None:
        told = route.fetch().json()
        kind = {"preset": "beginner", "width": 9, "height": 9, "mine_count": 10, "start": "safe", "no_guess": False}
        win = {"game": "g", "time": 500, "ended": 1_700_000_000_000, "solved_bbbv": 4, "has_moves": False}
        told["total"]["played"] = 1
        route.fulfill(json=told | {"best_times": [kind | {"games": [win]}]})

    page.route(re.compile(r"/statistics(\?|$)"), answer)
    page.goto(f"{visitor.url}#statistics")
    expect(page.get_by_role("region", name="Best times").get_by_role("row").nth(1)).to_contain_text("8.000")


def test_a_german_phone_names_each_number_above_it(visit: Visit) -> None:
    visitor = visit(locale="de", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = visitor.tab()
    page.get_by_role("button", name="Spielen").click()
    expect(page.get_by_role("grid")).to_be_visible()
    lines = page.evaluate(
        """() => [...document.querySelectorAll(".box")].map((box) => {
          const text = box.firstChild, at = text.data.indexOf(" ");
          return [[0, at], [at + 1, text.length]].map(([from, to]) => {
            const range = document.createRange();
            range.setStart(text, from);
            range.setEnd(text, to);
            return range.getClientRects().length;
          });
        })"""
    )
    assert lines == [[1, 1]] * 3
    page.goto(f"{visitor.url}#settings")
    expect(page.get_by_label("Zahlen mit allen Flaggen abdunkeln")).to_be_attached()
    expect(page.get_by_text("Aufdecken, wo die Maustaste")).to_be_hidden()
