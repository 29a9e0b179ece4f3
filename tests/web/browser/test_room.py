"""Too many unfinished games: the player is told where the hand is, and the oldest may make way."""

import json
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser import Visitor
from tests.game_page import GARDEN, GamePage
from tests.web_process import WebProcess, web_process

Visit = Callable[..., Visitor]
MOST = 2


@pytest.fixture(scope="module")
def narrow_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebProcess]:
    """A server with room for few unfinished games."""
    with web_process(tmp_path_factory.mktemp("room"), f"web.max_open_games={MOST}") as server:
        yield server


def _begin(page: Page, count: int) -> list[str]:
    """So many unfinished games of the player, each with a move, over their sockets."""
    names: list[str] = page.evaluate(
        """async ([count, code]) => {
            const names = [];
            for (let at = 0; at < count; at++) {
                const answer = await fetch("/api/games", {
                    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ code }) });
                const { game } = await answer.json();
                names.push(game);
                await new Promise((done) => {
                    const socket = new WebSocket(`${location.origin.replace("http", "ws")}/api/games/${game}/socket`);
                    socket.onopen = () => socket.send(JSON.stringify({ do: "left", cell: [0, 0] }));
                    socket.onmessage = ({ data }) => JSON.parse(data).type === "update" && (socket.close(), done());
                });
            }
            return names;
        }""",
        [count, GARDEN.code],
    )
    return names


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_the_oldest_game_makes_way(visit: Visit, narrow_server: WebProcess, size: tuple[int, int]) -> None:
    visitor = visit(narrow_server.url, viewport={"width": size[0], "height": size[1]})
    page = visitor.tab()
    names = _begin(page, MOST)
    visitor.expect("409")
    page.reload()
    choice = page.get_by_role("button", name="Expert")
    choice.click()
    question = page.get_by_role("dialog")
    expect(question).to_contain_text("Too many games are not finished")
    expect(question).to_be_in_viewport()
    question.get_by_role("button", name="Keep it").click()
    expect(choice).to_be_visible()
    assert json.loads(page.evaluate("async () => (await fetch('/api/games')).text()"))["games"][-1]["game"] == names[0]
    choice.click()
    GamePage(page).agree("Give it up and play")
    expect(page.get_by_role("grid")).to_have_attribute("aria-colcount", "30")
    left = json.loads(page.evaluate("async () => (await fetch('/api/games')).text()"))["games"]
    assert [one["game"] for one in left if one["status"] == "playing"] == [names[1]]


def test_what_goes_wrong_is_said_in_sight(visit: Visit) -> None:
    """At 390 pixels the boards to choose are a screen below the top."""
    visitor = visit(viewport={"width": 390, "height": 844})
    page = visitor.tab()
    visitor.expect("500")
    page.route(
        "**/api/games", lambda route: route.fulfill(status=500) if route.request.method == "POST" else route.continue_()
    )
    page.get_by_role("button", name="Expert").click()
    expect(page.get_by_text("The server answered 500")).to_be_in_viewport()
