"""The page without the network: painted by its service worker, and it goes on when the server is back."""

import json
import re
import urllib.request
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.browser import Visitor
from tests.game_page import GARDEN, GamePage
from tests.web_process import web_process


def kept(page: Page) -> None:
    """Wait until the page is kept."""
    page.evaluate("() => navigator.serviceWorker.ready")
    page.wait_for_function(
        "async () => (await caches.keys()).some((name) => name.startsWith('sapper-')) && navigator.serviceWorker.controller"
    )


def test_a_second_visit_is_painted_without_the_network(browser: Browser, tmp_path: Path) -> None:
    with web_process(tmp_path) as server:
        visitor = Visitor(browser, server.url, service_workers="allow")
        visitor.expect("Failed to load resource|WebSocket")
        game = GamePage.of(visitor, GARDEN)
        game.click(5, 0)
        game.expect_tile(2, 2, "1")
        kept(game.page)
        address = game.page.url
        # Of the page and its files nothing is asked for; the browser asks whether the worker is a new one.
        asked: list[str] = []
        page = visitor.context.new_page()
        page.on("request", lambda request: None if request.service_worker else asked.append(request.url))
        page.goto(server.url)
        expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
        sent = page.evaluate(
            "() => performance.getEntries().filter((one) => ['navigation', 'resource'].includes(one.entryType))"
            ".filter((one) => one.transferSize > 0 && !one.name.includes('/api/')).map((one) => one.name)"
        )
        assert sent == []
        server.stop()
        page.goto(f"{server.url}games")
        expect(page.get_by_role("heading", name="Games")).to_be_visible()
        expect(page.get_by_text("The server cannot be reached just now")).to_be_visible()
        page.goto(f"{server.url}daily")
        expect(page.get_by_role("heading", name="Today’s boards")).to_be_visible()
        expect(page.get_by_text("The server cannot be reached just now")).to_be_visible()
        page.goto(address)
        expect(page.get_by_text("The connection is lost").first).to_be_visible()
        server.start()
        again = GamePage(page)
        again.wait_until_quiet()
        again.expect_tile(2, 2, "1")
        again.click(0, 0)
        again.expect_revealed(0, 0)
        visitor.close()


def test_a_link_is_shown_with_a_picture_and_a_phone_has_icons(shared_url: str) -> None:
    """Addresses in previews are whole, and each icon of the manifest is there."""
    with urllib.request.urlopen(f"{shared_url}analyse") as answer:
        html = answer.read().decode()
    (image,) = re.findall('property="og:image" content="([^"]+)"', html)
    assert image.startswith(shared_url)
    manifest = re.findall('rel="manifest" href="/([^"]+)"', html)[0]
    with urllib.request.urlopen(shared_url + manifest) as answer:
        told = json.loads(answer.read())
    folder = f"{shared_url}{manifest.rpartition('/')[0]}/"
    assert {one.get("purpose") for one in told["icons"]} == {"any", "maskable"}
    for address in (image, *(folder + one["src"] for one in told["icons"])):
        with urllib.request.urlopen(address) as answer:
            assert answer.headers["content-type"].startswith("image/")
