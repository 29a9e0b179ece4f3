"""A game goes on: after a reload, without the server for a while, after its restart or its death, in two tabs, at someone else's."""

import re
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from sapper.core.notation import write_board
from sapper.session.saving import load_session
from sapper.store.repository import open_store
from tests.browser import PATIENCE, Visitor
from tests.cable import Cable
from tests.game_page import FIELD, GARDEN, GamePage
from tests.web_process import WebProcess, web_process

Visit = Callable[..., Visitor]

OPENED = ["##1...", "##1...", "##1111", "######", "######"]
BANNER = "[data-play] .banner"
WAS_AWAY = "Paused while you were away: the game counts, its time does not."
LOST_CONNECTION = r"WebSocket|ERR_CONNECTION|ERR_INTERNET|Failed to load resource|net::ERR"


@pytest.fixture
def garden(visit: Visit) -> GamePage:
    game = GamePage.of(visit(), GARDEN)
    game.click(5, 0)
    game.expect_rows(OPENED)
    return game


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[WebProcess]:
    """A server that a test may stop."""
    with web_process(tmp_path) as server:
        yield server


@pytest.fixture
def cable(shared_server: WebProcess) -> Iterator[Cable]:
    """Another way to the shared server."""
    cable = Cable(shared_server.port)
    yield cable
    cable.cut()


def test_a_reload_changes_nothing(garden: GamePage) -> None:
    garden.click(1, 1, button="right")
    garden.expect_tile(1, 1, "F")
    rows = garden.rows
    garden.page.reload()
    garden.expect_rows(rows)
    expect(garden.box("flags")).to_have_text("flags: 1")
    garden.click(2, 2)
    garden.expect_tile(0, 4, ".")


def test_a_game_that_nobody_looks_at_is_paused_and_that_is_said_on_return(garden: GamePage) -> None:
    garden.show_page(False)
    expect(garden.tool("Go on")).to_be_visible()  # the server's five seconds
    assert WAS_AWAY not in garden.spoken
    expect(garden.page.locator(".toast")).to_be_hidden()
    garden.show_page(True)
    expect(garden.page.locator(".toast")).to_have_text(WAS_AWAY)
    garden.expect_spoken(WAS_AWAY)
    garden.go_on()
    garden.expect_rows(OPENED)
    # Who is back before the time is over misses nothing.
    garden.show_page(False)
    garden.show_page(True)
    garden.click(1, 1, button="right")
    garden.expect_tile(1, 1, "F")
    assistance = garden.page.evaluate(
        "async (id) => (await (await fetch(`/api/games/${id}`)).json()).assistance", garden.id
    )
    assert (assistance["auto_pauses"], assistance["pauses"]) == (1, 0)


def test_back_and_forward_lead_to_the_same_game(garden: GamePage) -> None:
    garden.page.goto(f"{garden.page.url.split('#', maxsplit=1)[0]}#settings")
    expect(garden.page.get_by_role("heading", name="Settings")).to_be_visible()
    garden.page.go_back()
    garden.expect_rows(OPENED)


def test_an_ended_game_is_shown_as_it_ended(garden: GamePage) -> None:
    garden.click(4, 3)
    garden.expect_end("Game Over")
    rows = garden.rows
    garden.page.reload()
    garden.expect_end("Game Over")
    garden.expect_rows(rows)


@pytest.mark.parametrize("end", ["stop", "kill"])
def test_a_restart_of_the_server(visit: Visit, own_server: WebProcess, end: str) -> None:
    visitor = visit(own_server.url)
    visitor.expect(LOST_CONNECTION)
    game = GamePage.of(visitor, GARDEN)
    game.click(5, 0)
    game.expect_rows(OPENED)
    game.click(1, 1, button="right")
    game.expect_tile(1, 1, "F")
    rows = game.rows
    if end == "stop":
        assert own_server.stop() == 0
    else:
        _wait_until_kept(own_server, game.id, rows)
        own_server.kill()
    expect(game.page.locator(BANNER)).to_be_visible()
    game.click(2, 0)  # is refused, and the board stays
    game.expect_spoken("No connection")
    assert game.rows == rows
    own_server.start()
    expect(game.page.locator(BANNER)).to_be_hidden()
    game.expect_rows(rows)
    game.click(2, 2)
    game.expect_rows(["##1...", "#F1...", "111111", "...1##", "...1##"])


def test_a_move_that_a_killed_server_never_read_is_said_to_be_lost(visit: Visit, own_server: WebProcess) -> None:
    visitor = visit(own_server.url)
    visitor.expect(LOST_CONNECTION)
    game = GamePage.of(visitor, GARDEN)
    game.click(5, 0)
    game.expect_rows(OPENED)
    _wait_until_kept(own_server, game.id, OPENED)
    assert own_server.process is not None
    own_server.process.send_signal(signal.SIGSTOP)
    game.click(2, 3)
    expect(game.page.locator(".waiting")).to_have_count(1)
    own_server.kill()
    expect(game.page.locator(BANNER)).to_be_visible()
    expect(game.page.locator(".waiting")).to_have_count(0)
    own_server.start()
    expect(game.page.locator(".toast")).to_have_text("Connected again. Your last move was not made.")
    game.expect_rows(OPENED)
    game.click(2, 3)
    game.expect_revealed(2, 3)


def _by_cable(visit: Visit, cable: Cable) -> tuple[Visitor, GamePage]:
    """A player whose connection can be cut, and a game with a first reveal."""
    visitor = visit(cable.url)
    visitor.expect(LOST_CONNECTION)
    game = GamePage.of(visitor, GARDEN)
    game.click(5, 0)
    game.expect_rows(OPENED)
    return visitor, game


def _elsewhere(visit: Visit, visitor: Visitor, game: GamePage) -> GamePage:
    """The same player at the same game, in another browser and not by the cable."""
    other = visit()
    for one in visitor.context.cookies():
        other.context.add_cookies([{"name": one["name"], "value": one["value"], "url": other.url}])
    return GamePage(other.tab(f"#game={game.id}"))


def test_an_end_is_told_once_however_often_the_connection_is_lost(visit: Visit, cable: Cable) -> None:
    _, game = _by_cable(visit, cable)
    game.click(4, 3)
    game.expect_end("Game Over")
    game.page.evaluate("() => { document.querySelector('[data-end] .end').dataset.told = 'before'; }")
    cable.cut()
    expect(game.page.locator(BANNER)).to_be_visible()
    cable.mend()
    expect(game.page.locator(BANNER)).to_be_hidden()
    expect(game.page.locator("[data-end] .end")).to_have_attribute("data-told", "before")


def test_a_game_that_ended_again_elsewhere_is_shown_as_it_ended_then(visit: Visit, cable: Cable) -> None:
    visitor, game = _by_cable(visit, cable)
    game.click(4, 3)
    game.expect_end("Game Over")
    cable.cut()
    expect(game.page.locator(BANNER)).to_be_visible()
    elsewhere = _elsewhere(visit, visitor, game)
    elsewhere.expect_end("Game Over")
    elsewhere.page.keyboard.press("F3")
    expect(elsewhere.page.locator("[data-end]")).to_be_empty()
    elsewhere.reveal_rest(GARDEN)
    elsewhere.expect_end("Victory")
    cable.mend()
    game.expect_end("Victory")
    game.expect_rows(elsewhere.rows)


def test_a_lost_connection_comes_back_by_itself(visit: Visit, cable: Cable) -> None:
    visitor, game = _by_cable(visit, cable)
    cable.cut()
    expect(game.page.locator(BANNER)).to_be_visible()
    # Somebody else goes on with the game, at the other end of the cable.
    elsewhere = _elsewhere(visit, visitor, game)
    elsewhere.expect_rows(OPENED)
    elsewhere.click(1, 1, button="right")
    elsewhere.expect_tile(1, 1, "F")
    game.expect_rows(OPENED)
    cable.mend()
    expect(game.page.locator(BANNER)).to_be_hidden()
    game.expect_tile(1, 1, "F")
    game.click(2, 2)
    elsewhere.expect_rows(["##1...", "#F1...", "111111", "...1##", "...1##"])


def test_the_clock_is_the_servers(visit: Visit) -> None:
    visitor = visit()
    page = visitor.context.new_page()
    page.clock.install()
    page.goto(f"{visitor.url}{GARDEN.place}")
    game = GamePage(page)
    game.wait_until_quiet()
    game.click(5, 0)
    game.expect_rows(OPENED)
    page.clock.fast_forward(500_000)  # this browser's clock went wrong
    expect(game.box("time")).to_have_text(re.compile(r"time: 5\d\ds"))
    game.click(1, 1, button="right")
    expect(game.box("time")).to_have_text(re.compile(r"time: \d\d?s"))


def test_two_tabs_are_in_step(visit: Visit) -> None:
    visitor = visit()
    first = GamePage.of(visitor, GARDEN)
    second = GamePage(visitor.tab(f"#game={first.id}"))
    second.wait_until_quiet()
    first.click(5, 0)
    second.expect_rows(OPENED)
    second.click(1, 1, button="right")
    first.expect_tile(1, 1, "F")
    expect(first.box("flags")).to_have_text("flags: 1")
    first.click(4, 3)
    second.expect_end("Game Over")
    second.page.keyboard.press("F3")
    first.expect_rows(["######"] * 5)
    expect(first.page.locator("[data-end]")).to_be_empty()


def test_a_share_link_opens_the_same_board_elsewhere(visit: Visit) -> None:
    game = GamePage.of(visit(), FIELD)
    game.click(0, 0)
    game.expect_end("Game Over")
    game.after_the_calm()
    game.tool("Share").click()
    address = game.page.get_by_label("Link", exact=True).input_value()
    other = GamePage(visit().tab(address.split("/", 3)[3]))
    other.wait_until_quiet()
    assert other.id != game.id
    other.click(0, 0)
    other.expect_end("Game Over")
    other.expect_rows(game.rows)
    expect(other.page.locator(".assisted")).to_contain_text("seen before")


def test_the_game_of_somebody_else_is_not_there(visit: Visit, garden: GamePage) -> None:
    stranger = visit()
    stranger.expect("404")
    page = stranger.tab(f"#game={garden.id}")
    expect(page.get_by_text("There is no such game here")).to_be_visible()


def _wait_until_kept(server: WebProcess, key: str, rows: list[str]) -> None:
    """Until the store has the game as it is seen: nothing is kept sooner than it is written."""
    until = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < until:
        with open_store(server.database) as store:
            saved = store.find_session(key)
        if saved is not None and write_board(load_session(saved.text)[0].board, header=False).split() == rows:
            return
        time.sleep(0.05)
    raise AssertionError(f"the game was not kept:\n{server.log}")
