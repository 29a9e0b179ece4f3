"""The page when things go wrong: its socket breaks at a bad moment, a question outlives its game, a part cannot be fetched."""

import json
import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, WebSocketRoute, expect

from tests.browser import PATIENCE, Visitor
from tests.game_page import GARDEN, GamePage

Visit = Callable[..., Visitor]

OPENED = ["##1...", "##1...", "##1111", "######", "######"]
BANNER = "[data-play] .banner"
SOCKETS = re.compile(r"/socket$")
AS_AN_UPDATE = (
    "number",
    "status",
    "time",
    "running",
    "paused",
    "flags",
    "can_undo",
    "can_redo",
    "assistance",
    "overlay",
)
BROKEN = 3000
"""A close code that means nothing to the page."""


class Line:
    """The sockets of a page, which may be broken, and on which a test may say what the server does not."""

    def __init__(self, page: Page) -> None:
        self.sockets: list[WebSocketRoute] = []
        self.is_cut = False
        self.is_mute = False
        """Whether what either side says is lost from now on."""
        self.is_deaf = False
        """Whether what the server says is lost from now on."""
        self.held: list[str | bytes] | None = None
        """What the server has said and the page is told later; None while it is told at once."""
        self.heard: list[dict[str, object]] = []
        """All that the page has said."""
        self.state: dict[str, object] = {}
        """The last that the server has said."""
        page.route_web_socket(SOCKETS, self._opened)

    def _opened(self, socket: WebSocketRoute) -> None:
        self.sockets.append(socket)
        if self.is_cut:
            socket.close(code=BROKEN)
            return
        if self.is_mute:
            return
        server = socket.connect_to_server()

        def hear(message: str | bytes) -> None:
            if (told := json.loads(message))["type"] == "state":
                self.state = told
            if self.held is not None:
                self.held.append(message)
            elif not (self.is_mute or self.is_deaf):
                socket.send(message)

        server.on_message(hear)

        def say(message: str | bytes) -> None:
            self.heard.append(json.loads(message))
            if not self.is_mute:
                server.send(message)

        socket.on_message(say)

    def tell(self, message: dict[str, object]) -> None:
        """Say something to the page as if it came from the server."""
        self.sockets[-1].send(json.dumps(message))

    def release(self) -> None:
        """Tell the page what was held."""
        held, self.held = self.held or [], None
        for message in held:
            self.sockets[-1].send(message)

    def cut(self) -> None:
        """Break it, and every other that is opened."""
        self.is_cut = True
        self.sockets[-1].close(code=BROKEN)

    def mend(self) -> None:
        """Let the next one be."""
        self.is_cut = self.is_mute = self.is_deaf = False


def join(visitor: Visitor, *, with_clock: bool = False) -> tuple[GamePage, Line]:
    """A game whose sockets, and with a clock its time too, are in the test's hands."""
    page = visitor.context.new_page()
    if with_clock:
        page.clock.install()
    line = Line(page)
    page.goto(f"{visitor.url}{GARDEN.place}")
    game = GamePage(page)
    game.wait_until_quiet()
    return game, line


def until(page: Page, is_so: Callable[[], bool]) -> None:
    """Wait for something that the page is to do, and of which a test hears by itself."""
    end = time.monotonic() + PATIENCE / 1000
    while not is_so():
        assert time.monotonic() < end
        page.wait_for_timeout(20)


# --- the socket ----------------------------------------------------------------------------------------


def test_a_hint_is_gone_when_the_board_was_started_over_meanwhile(visit: Visit) -> None:
    visitor = visit()
    game, line = join(visitor)
    game.click(5, 0)
    game.expect_rows(OPENED)
    game.tool("Hint").click()
    note = game.page.get_by_role("complementary", name="Notes")
    expect(note).to_be_visible()
    line.cut()
    expect(game.page.locator(BANNER)).to_be_visible()
    expect(note).to_be_visible()
    other = GamePage(visitor.tab(f"#game={game.id}"))
    other.expect_rows(OPENED)
    other.page.keyboard.press("F3")
    other.agree("Start over")
    other.expect_rows(["######"] * 5)
    line.mend()
    game.expect_rows(["######"] * 5)
    expect(note).to_be_hidden()
    expect(game.page.locator(".cell.read, .cell.safe, .cell.mined, .cell .name")).to_have_count(0)


def test_a_move_on_a_board_that_another_tab_has_changed_is_said_not_to_be_made(visit: Visit) -> None:
    visitor = visit()
    game, line = join(visitor)
    game.click(5, 0)
    game.expect_rows(OPENED)
    line.held = []
    other = GamePage(visitor.tab(f"#game={game.id}"))
    other.expect_rows(OPENED)
    other.click(1, 1, button="right")
    other.expect_tile(1, 1, "F")
    game.click(0, 0, button="right")
    game.expect_tile(0, 0, "F")
    held = line.held
    until(game.page, lambda: any("went-on" in str(message) for message in held))
    line.release()
    game.expect_rows(["##1...", "#F1...", *OPENED[2:]])
    expect(game.page.locator(".toast")).to_have_text("The game was changed elsewhere first: this was not done.")
    game.click(0, 0, button="right")
    other.expect_tile(0, 0, "F")


def test_a_flag_is_seen_at_once_and_taken_back_if_it_is_refused(visit: Visit) -> None:
    game, line = join(visit())
    game.click(5, 0)
    game.expect_rows(OPENED)
    line.is_mute = True
    game.click(1, 1, button="right")
    assert game.cell(1, 1).get_attribute("data-t") == "F"  # before the server can have said anything
    expect(game.box("flags")).to_have_text("flags: 1")
    game.expect_spoken("b2: flagged, 1 mine left.")
    game.click(0, 0, button="right")
    game.click(0, 0, button="right")
    assert game.rows == ["##1...", "#F1...", *OPENED[2:]]
    ids = [said["id"] for said in line.heard if said["do"] == "right"]
    line.tell({"type": "error", "code": "slow-down", "message": "too fast", "id": ids[0]})
    game.expect_rows(OPENED)
    expect(game.box("flags")).to_have_text("flags: 0")
    game.expect_spoken("Too fast")
    # The answer to the first of two marks is not what is seen, as long as the second is on its way.
    fields = {name: line.state[name] for name in AS_AN_UPDATE} | {
        "type": "update",
        "what": "moved",
        "status": "playing",
    }
    line.tell({**fields, "runs": [[0, "F"]], "number": 2, "flags": 1, "id": ids[1]})
    game.expect_rows(OPENED)
    line.tell({**fields, "runs": [[0, "#"]], "number": 3, "flags": 0, "id": ids[2]})
    game.expect_rows(OPENED)
    expect(game.box("flags")).to_have_text("flags: 0")
    # What was on its way when the connection broke may never have arrived.
    game.click(1, 1, button="right")
    assert game.cell(1, 1).get_attribute("data-t") == "F"
    line.cut()
    expect(game.page.locator(BANNER)).to_be_visible()
    game.expect_rows(OPENED)
    line.mend()
    expect(game.page.locator(BANNER)).to_be_hidden()
    game.click(1, 1, button="right")
    game.expect_tile(1, 1, "F")
    expect(game.box("flags")).to_have_text("flags: 1")


LOST_MOVE = "Your last move was not made."


@pytest.mark.parametrize("button", ["left", "right"])
@pytest.mark.parametrize("arrives", [False, True], ids=["lost", "made"])
def test_a_move_that_never_arrived_is_said_to_be_lost(visit: Visit, button: str, arrives: bool) -> None:
    game, line = join(visit())
    game.click(5, 0)
    game.expect_rows(OPENED)
    line.is_deaf, line.is_mute = arrives, not arrives
    game.click(2, 3, button=button)
    if arrives:
        other = GamePage(game.page.context.new_page())
        other.page.goto(game.page.url)
        expect(other.cell(2, 3)).to_have_attribute("data-t", re.compile("[^#]"))
    line.cut()
    expect(game.page.locator(BANNER)).to_be_visible()
    expect(game.page.locator(".waiting")).to_have_count(0)
    line.mend()
    if arrives:
        expect(game.cell(2, 3)).to_have_attribute("data-t", re.compile("[^#]"))
        game.expect_spoken("Connected again.")
        assert LOST_MOVE not in game.spoken
        expect(game.page.locator(".toast")).to_be_hidden()
    else:
        expect(game.page.locator(".toast")).to_have_text(f"Connected again. {LOST_MOVE}")
        game.expect_spoken(LOST_MOVE)
        game.expect_rows(OPENED)


def test_a_server_that_stays_away_is_not_promised_back_in_a_moment(visit: Visit) -> None:
    game, line = join(visit(), with_clock=True)
    page = game.page
    line.tell({"type": "closing"})
    line.cut()
    banner = page.locator(BANNER)
    expect(banner).to_contain_text("is being restarted")
    page.clock.run_for(10_000)
    expect(banner).to_contain_text("is being restarted")
    page.clock.run_for(6_000)
    expect(banner).to_have_text("The server cannot be reached. The game is kept; this page goes on trying.")
    # What is said in passing does not lie across that.
    game.click(5, 0)
    toast = page.locator(".toast")
    expect(toast).to_be_visible()
    above, below = banner.bounding_box(), toast.bounding_box()
    assert above is not None
    assert below is not None
    assert above["y"] + above["height"] <= below["y"]
    line.mend()
    for _ in range(30):
        page.clock.run_for(500)
        if banner.is_hidden():
            break
    expect(banner).to_be_hidden()


def test_a_search_that_ended_unheard_is_no_longer_announced(visit: Visit) -> None:
    game, line = join(visit())
    line.is_mute = True
    game.click(5, 0)
    fields = {name: line.state[name] for name in AS_AN_UPDATE}
    line.tell({**fields, "type": "update", "what": "working", "runs": [], "number": 1})
    working = game.page.get_by_text("Looking for a board that needs no guess")
    expect(working).to_be_visible()
    line.cut()
    expect(game.page.locator(BANNER)).to_be_visible()
    line.mend()
    expect(game.page.locator(BANNER)).to_be_hidden()
    expect(working).to_be_hidden()
    game.click(5, 0)
    game.expect_rows(OPENED)


def test_a_socket_has_its_own_time_to_answer(visit: Visit) -> None:
    game, line = join(visit(), with_clock=True)
    page = game.page
    line.is_mute = True
    page.clock.run_for(20_500)  # it asks whether the server is there, and hears nothing
    line.sockets[0].close(code=BROKEN)
    expect(page.locator(BANNER)).to_be_visible()
    page.clock.run_for(400)
    until(page, lambda: len(line.sockets) == 2)
    page.clock.run_for(9_000)  # the second takes its time to open; the first would have had to answer
    assert len(line.sockets) == 2
    line.tell(line.state)
    expect(page.locator(BANNER)).to_be_hidden()
    page.clock.run_for(29_000)  # but one that is open has to answer
    expect(page.locator(BANNER)).to_be_visible()


def test_a_game_that_cannot_be_given_up_stays_in_the_menu(visit: Visit) -> None:
    visitor = visit()
    game = GamePage.of(visitor, GARDEN)
    game.click(5, 0)
    game.expect_rows(OPENED)
    page = visitor.context.new_page()

    def refuse(socket: WebSocketRoute) -> None:
        socket.on_message(lambda _: socket.send('{"type": "error", "code": "slow-down", "message": "too fast"}'))

    page.route_web_socket(SOCKETS, refuse)
    page.goto(visitor.url)
    page.get_by_role("button", name=re.compile("Give up")).click()
    GamePage(page).agree("Give up")
    expect(page.get_by_text("The game could not be given up")).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("6 × 5"))).to_be_visible()


# --- screens -------------------------------------------------------------------------------------------


def test_a_question_goes_with_its_game(visit: Visit) -> None:
    page = visit().tab()
    page.get_by_role("button", name="Play", exact=True).click()
    game = GamePage(page)
    game.wait_until_quiet()
    game.click(4, 4)
    game.expect_revealed(4, 4)
    page.keyboard.press("F3")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="sapper")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.go_forward()
    game.expect_revealed(4, 4)


def test_a_key_that_is_pressed_again_makes_no_second_game(visit: Visit) -> None:
    game = GamePage.of(visit(), GARDEN)
    before = game.id
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    game.page.route("**/api/games", hold)
    with game.page.expect_request("**/api/games"):
        for _ in range(3):
            game.page.keyboard.press("F2")
    until(game.page, lambda: bool(held))
    assert len(held) == 1
    held[0].continue_()
    game.page.wait_for_url(lambda url: f"#game={before}" not in url)
    game.wait_until_quiet()
    game.click(5, 0)
    game.expect_revealed(5, 0)
    assert len(held) == 1


def test_a_part_that_is_held_back_is_said_to_be(visit: Visit) -> None:
    visitor = visit()
    visitor.expect("Failed to load resource")
    page = visitor.context.new_page()
    page.clock.install()
    page.route("**/static/*/statistics.js", lambda route: route.abort())
    page.goto(f"{visitor.url}#statistics")
    words = page.get_by_text("does not arrive, though the server answers")
    for _ in range(100):
        if words.is_visible():
            break
        page.clock.run_for(500)
    expect(words).to_be_visible()
    page.clock.run_for(60_000)
    documents = [request for request in visitor.requests if request.resource_type == "document"]
    assert len(documents) == 2  # the page was loaded anew once, in case the browser keeps failures
    page.get_by_role("link", name="Settings").click()
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    page.go_back()
    page.unroute("**/static/*/statistics.js")
    page.clock.run_for(1_000)
    expect(page.get_by_role("heading", name="Statistics")).to_be_visible()
    expect(words).to_be_hidden()
    expect(page.locator("[data-away]")).to_be_hidden()


def test_a_part_that_was_refused_once_is_asked_for_again(visit: Visit) -> None:
    visitor = visit()
    visitor.expect("429")
    page = visitor.context.new_page()
    refused = {"error": {"code": "slow-down", "message": "too many requests"}}
    for path in ("**/static/*/statistics.js", "**/api/player", "**/words/en.later.ftl"):
        page.route(path, lambda route: route.fulfill(status=429, json=refused), times=2 if "later" in path else 1)
    page.goto(f"{visitor.url}#statistics")
    expect(page.get_by_role("heading", name="Statistics")).to_be_visible()
    expect(page.locator("[data-away]")).to_be_hidden()
    assert [request.resource_type for request in visitor.requests].count("document") == 1


def test_the_end_of_a_game_is_shown_though_its_part_was_refused(visit: Visit) -> None:
    visitor = visit()
    visitor.expect("429|Failed to load resource")
    page = visitor.context.new_page()
    refused = {"error": {"code": "slow-down", "message": "too many requests"}}
    page.route("**/static/*/end.js", lambda route: route.fulfill(status=429, json=refused), times=1)
    page.route("**/static/*/share.js", lambda route: route.abort())
    page.goto(f"{visitor.url}{GARDEN.place}")
    game = GamePage(page)
    game.click(*GARDEN.mines[0])
    game.expect_spoken("Game over")
    game.expect_end("Game Over")
    expect(page.locator("[data-away]")).to_be_hidden()
    game.after_the_calm()
    page.get_by_role("button", name="Share").click()
    expect(page.locator(".toast")).to_contain_text("The server cannot be reached just now")


@pytest.mark.parametrize("name", ["main", "menu", "dom"])
def test_a_page_whose_first_scripts_do_not_come_says_so(visit: Visit, name: str) -> None:
    visitor = visit()
    visitor.expect("Failed to load resource")
    page = visitor.context.new_page()
    path = f"**/static/*/{name}.js"
    page.route(path, lambda route: route.abort())
    page.goto(visitor.url)
    expect(page.get_by_role("alert")).to_contain_text("did not arrive whole")
    page.unroute(path)
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
