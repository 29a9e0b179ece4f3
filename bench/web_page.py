"""The web game's page in a real browser: from a click to the repaint, and from nothing to a page that can be played.

    .venv/bin/python bench/web_page.py
    .venv/bin/python bench/web_page.py --moves 300 --rounds 20
    .venv/bin/python bench/web_page.py --only reviews
    .venv/bin/python bench/web_page.py --only loads --rounds 3

A move's time begins with the browser's own time stamp of the mouse button's release and ends when the frame that shows the
new tiles has been painted (the first task after the animation frame that follows the change); *at most* is the frame after that,
which cannot begin before the former is on the screen. *Answer* is when the server's message is at the page. A cascade of many
cells is drawn a part in each frame: *repaint* is the first part, *all painted* the last, out of sight included; each is the first
move of a page that was just opened, so nothing of the page's program is compiled yet. Server, browser and this program share the
machine. A frame is 16.7 ms.

Reviews: won Expert games, each its own, are played on the page's socket; then `/game/…` is opened in a new tab. *Board* is when the game can be
looked through, *review* when the verdicts, the curve and the list of moves have been painted; both from the begin of the navigation.
*Again* is the same page opened a second time. The first game also waits for the kernels that the server has not loaded yet, if any.

Loads: each screen is opened with an empty cache, and then again, on a line of 400 ms and 400 kbit/s (the browser's own emulation).
*Painted* is when its heading or board is in sight, from the begin of the navigation; requests are those of the page and its files that
went over the line, without what the screen then asks of the API.
"""

import argparse
import os
import platform
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, expect

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from sapper.core.cells import Cell  # noqa: E402
from sapper.core.grid import Grid  # noqa: E402
from sapper.core.move import Action  # noqa: E402
from sapper.core.rng import Rng  # noqa: E402
from sapper.core.rules import Start, find_rules  # noqa: E402
from sapper.core.status import Status  # noqa: E402
from sapper.game.game import Game  # noqa: E402
from sapper.game.source import FixedLayout  # noqa: E402
from sapper.generator.uniform import place_mines  # noqa: E402
from sapper.solver.strategies.registry import find_strategy  # noqa: E402
from tests.browser import HOW, Visitor, browsing, find_chromium  # noqa: E402
from tests.game_page import Art, GamePage  # noqa: E402
from tests.web_process import web_process  # noqa: E402

Times = dict[str, float]

LISTEN = """(() => {
    const { WebSocket } = window;
    window.WebSocket = class extends WebSocket {
        constructor(...how) {
            super(...how);
            this.addEventListener("message", () => (window.answer ??= performance.now()));
        }
    };
})()"""

WATCH = """() => {
    window.moves = [];
    let began = 0;
    const channel = new MessageChannel();
    const press = (event) => { began = event.timeStamp; window.answer = null; };
    addEventListener("mouseup", (event) => { if (event.button === 0) press(event); }, { capture: true });
    addEventListener("mousedown", (event) => { if (event.button === 2) press(event); }, { capture: true });
    const grid = document.querySelector("[role=grid]");
    new MutationObserver((records) => {
        if (!began) return;
        const start = began;
        began = 0;
        const since = () => performance.now() - start;
        const move = { cells: 0, answered: window.answer - start, changed: since() };
        const all = new Set(records.map((one) => one.target));
        const more = new MutationObserver((list) => list.forEach((one) => all.add(one.target)));
        more.observe(grid, { subtree: true, attributes: true, attributeFilter: ["data-t"] });
        channel.port1.onmessage = () => { move.painted ??= since(); };
        requestAnimationFrame(() => {
            channel.port2.postMessage(0);
            requestAnimationFrame(() => { move.most = since(); });
        });
        const look = () => {
            if (grid.hasAttribute("aria-busy")) return requestAnimationFrame(look);
            return requestAnimationFrame(() => {
                Object.assign(move, { whole: since(), cells: all.size });
                more.disconnect();
                window.moves.push(move);
            });
        };
        requestAnimationFrame(look);
    }).observe(grid, { subtree: true, attributes: true, attributeFilter: ["data-t"] });
}"""

IN_SIGHT = """() => [...document.querySelectorAll('[role=row]')].flatMap((row, y) => [...row.children].flatMap((cell, x) => {
    const box = cell.getBoundingClientRect();
    const seen = box.left >= 0 && box.right < innerWidth && box.top >= 0 && box.bottom < innerHeight;
    return seen && document.elementFromPoint(box.left + 8, box.top + 8) === cell
        ? [[x, y, box.left + box.width / 2, box.top + box.height / 2]] : [];
}))"""

COVERED = """(places) => {
    const rows = document.querySelectorAll('[role=row]');
    return places.filter(([x, y]) => rows[y].children[x].dataset.t === '#');
}"""


def art_of(width: int, height: int, mine_count: int, seed: int) -> Art:
    """A uniform layout of that size, drawn."""
    grid = Grid(width, height)
    layout = place_mines(grid, mine_count, Rng(seed))
    cells = "".join("*" if layout.is_mine(Cell(index)) else "." for index in range(grid.size))
    return Art(*[cells[row * width : (row + 1) * width] for row in range(height)])


def measure(browser: Browser, url: str, art: Art, moves: int) -> list[Times]:
    """Reveals and flags, one after the other, of cells that are in sight."""
    visitor, page = visit(browser, url, art)
    rng = Rng(1)
    safe = set(art.safe)
    places = [place for place in page.evaluate(IN_SIGHT) if (place[0], place[1]) in safe]
    for number in range(moves):
        places = page.evaluate(COVERED, places)
        if not places:
            break
        click(page, places[rng.below(len(places))], "right" if number % 4 == 3 else "left")
    found: list[Times] = page.evaluate("() => window.moves")
    visitor.close()
    return found


def cascade(browser: Browser, url: str, art: Art, number: int) -> Times:
    """The first reveal of a game, of a cell in sight that is zero."""
    visitor, page = visit(browser, url, art)
    zeros = [one for one in page.evaluate(IN_SIGHT) if art.layout.clue(art.grid.cell(one[0], one[1])) == 0]
    click(page, zeros[Rng(number).below(len(zeros))], "left")
    (found,) = page.evaluate("() => window.moves")
    visitor.close()
    times: Times = found
    return times


def visit(browser: Browser, url: str, art: Art) -> tuple[Visitor, Page]:
    """A page with a game that is watched, a moment after it was opened."""
    visitor = Visitor(browser, url, viewport={"width": 1280, "height": 900})
    visitor.context.add_init_script(LISTEN)
    page = GamePage.of(visitor, art).page
    page.evaluate(WATCH)
    page.wait_for_timeout(500)
    return visitor, page


def click(page: Page, place: Sequence[float], button: Literal["left", "right"]) -> None:
    """Move there, click, and wait until all is painted."""
    done = page.evaluate("() => window.moves.length")
    page.mouse.move(place[2], place[3])
    page.mouse.down(button=button)
    page.mouse.up(button=button)
    page.wait_for_function("(count) => window.moves.length > count", arg=done)


def opening(browser: Browser, url: str) -> tuple[float, float, int, int]:
    """Seconds until the menu is painted and until a board is, from nothing in the cache; bytes and requests of the menu."""
    visitor = Visitor(browser, url)
    page = visitor.tab()
    play = page.get_by_role("button", name="Play", exact=True)
    expect(play).to_be_visible()
    menu = float(page.evaluate(_CONTENTFUL))
    page.wait_for_load_state("networkidle")
    sizes = [request.sizes() for request in visitor.requests]
    size = sum(one["responseBodySize"] + one["responseHeadersSize"] for one in sizes)
    began = page.evaluate("() => performance.now()")
    play.click()
    board = page.evaluate(_BOARD) - began
    visitor.close()
    return menu / 1000, board / 1000, size, len(sizes)


_CONTENTFUL = """() => new Promise((go) => new PerformanceObserver((list) => {
    const entries = list.getEntries();
    if (entries.length) go(entries.at(-1).startTime);
}).observe({ type: "largest-contentful-paint", buffered: true }))"""

_BOARD = """() => new Promise((go) => {
    const look = () => document.querySelector("[role=gridcell]") ? requestAnimationFrame(() => go(performance.now())) : requestAnimationFrame(look);
    look();
})"""


def won_game(seed: int) -> tuple[Art, list[tuple[int, int]]]:
    """An Expert layout that `least-risk` wins, and the cells that it reveals."""
    while True:
        art = art_of(30, 16, 99, seed)
        game = Game(rules=find_rules("modern").replace(start=Start.ANY), source=FixedLayout(art.layout))
        strategy = find_strategy("least-risk")(Rng(seed))
        cells = []
        while not game.board.status.ended:
            move = strategy.choose(game.board).move
            game.play(move)
            if move.action is Action.REVEAL:
                cells.append(game.grid.xy(move.cell))
        if game.board.status is Status.WON:
            return art, cells
        seed += 1000


def review(browser: Browser, url: str, seed: int) -> tuple[int, list[Times]]:
    """Play a game and open its page twice: how many moves it has, and what each opening took."""
    art, cells = won_game(seed)
    visitor = Visitor(browser, url, viewport={"width": 1280, "height": 900})
    menu = visitor.tab()
    name = menu.evaluate(_PLAYED, {"code": art.code, "cells": cells})
    menu.close()
    found: list[Times] = []
    for _ in range(2):
        page = visitor.tab(f"game/{name}")
        found.append(page.evaluate(_REVIEWED))
        page.close()
    visitor.close()
    return len(cells), found


_PLAYED = """async ({ code, cells }) => {
    const headers = { "Content-Type": "application/json" };
    const made = await (await fetch("/api/games", { method: "POST", headers, body: JSON.stringify({ code }) })).json();
    const socket = new WebSocket(location.origin.replace("http", "ws") + made.socket);
    const won = new Promise((go) => {
        socket.onmessage = ({ data }) => { if (data.includes('"status":"won"')) go(); };
    });
    await new Promise((go) => { socket.onopen = go; });
    for (const cell of cells) {
        socket.send(JSON.stringify({ do: "reveal", cell }));
        await new Promise((go) => setTimeout(go, 25));
    }
    await won;
    socket.close();
    return `${made.game}.0`;
}"""

_REVIEWED = """() => new Promise((go) => {
    const times = {};
    const look = () => {
        if (document.querySelector(".reviewed [role=gridcell]")) times.board ??= performance.now();
        if (!document.querySelector(".review-measures")) return requestAnimationFrame(look);
        const channel = new MessageChannel();
        channel.port1.onmessage = () => go({ ...times, review: performance.now() });
        requestAnimationFrame(() => channel.port2.postMessage(0));
    };
    look();
})"""


def reviews(browser: Browser, url: str, rounds: int) -> None:
    """What opening the pages of games took."""
    found = [review(browser, url, seed) for seed in range(1, rounds + 1)]
    print(f"reviews of won Expert games, {min(one[0] for one in found)} to {max(one[0] for one in found)} moves")
    for name, turn, key in (("board", 0, "board"), ("review", 0, "review"), ("review, again", 1, "review")):
        print(line(f"/game/… to {name}", [one[1][turn][key] for one in found]))


SCREENS = {
    "menu": ("", ".play"),
    "new game": ("#new", "form"),
    "game": (f"#code={art_of(9, 9, 10, 1).code.replace('#', '%23')}", "[role=gridcell]"),
    "games": ("games", "h1"),
    "analyse": ("analyse", "[role=gridcell]"),
    "statistics": ("#statistics", "h1"),
}
"""Where each screen is, and what is seen of it first."""

_LOADED = """async (seen) => {
    while (!document.querySelector(seen)?.checkVisibility()) await new Promise(requestAnimationFrame);
    const painted = performance.now();
    const entries = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
    const files = entries.filter(({ name }) => !new URL(name).pathname.startsWith("/api/"));
    const asked = files.filter(({ transferSize }) => transferSize > 0);
    return { painted, requests: asked.length, bytes: asked.reduce((sum, one) => sum + one.transferSize, 0) };
}"""


def load(browser: Browser, url: str, place: str, seen: str) -> list[Times]:
    """What opening a screen takes on a slow line, with an empty cache and again."""
    visitor = Visitor(browser, url, viewport={"width": 1280, "height": 900})
    found: list[Times] = []
    for _ in range(2):
        page = visitor.context.new_page()
        session = visitor.context.new_cdp_session(page)
        line_of = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", line_of)
        page.goto(f"{url}{place}", wait_until="commit")
        found.append(page.evaluate(_LOADED, seen))
        page.wait_for_load_state("networkidle")
        page.close()
    visitor.close()
    return found


def loads(browser: Browser, url: str, rounds: int) -> None:
    """The screens on a slow line."""
    print("400 ms, 400 kbit/s: a screen with an empty cache, and again")
    for name, (place, seen) in SCREENS.items():
        found = [load(browser, url, place, seen) for _ in range(rounds)]
        for turn, what in enumerate(("", ", again")):
            print(line(f"{name}{what}", [one[turn]["painted"] for one in found]), end="")
            print(f"   {found[0][turn]['requests']} requests, {found[0][turn]['bytes']:,} bytes")


def line(name: str, values: Sequence[float], unit: str = "ms") -> str:
    """p50, p95 and the greatest."""
    ordered = sorted(values)
    p50, p95 = (ordered[min(len(ordered) - 1, round(part * (len(ordered) - 1)))] for part in (0.5, 0.95))
    return f"  {name:<28} p50 {p50:7.1f}   p95 {p95:7.1f}   max {ordered[-1]:7.1f} {unit}"


def tell(name: str, found: list[Times], *, by_parts: bool = False) -> None:
    """What moves took."""
    print(f"{name}: {len(found)} moves, up to {max(one['cells'] for one in found):.0f} cells at once")
    for what, key in (
        ("click to answer", "answered"),
        ("click to new tiles", "changed"),
        ("click to repaint", "painted"),
        ("click to repaint, at most", "most"),
        *([("click to all painted", "whole")] if by_parts else []),
    ):
        print(line(what, [one[key] for one in found]))


def run(browser: Browser, url: str, moves: int, rounds: int) -> None:
    tell("Expert, 30x16", measure(browser, url, art_of(30, 16, 99, 1), moves))
    tell("100x100", measure(browser, url, art_of(100, 100, 1500, 1), moves))
    for name, mines in (("100x100, cascades", 500), ("100x100, won by one click", 40)):
        art = art_of(100, 100, mines, 2)
        tell(name, [cascade(browser, url, art, number) for number in range(rounds)], by_parts=True)
    opened = [opening(browser, url) for _ in range(rounds)]
    print(
        f"first page: {opened[0][2]:,} bytes with headers in {opened[0][3]} requests; {rounds} rounds with an empty cache"
    )
    print(line("menu painted", [1000 * one[0] for one in opened]))
    print(line("Play to a board", [1000 * one[1] for one in opened]))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--moves", type=int, default=120)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--only", choices=["moves", "reviews", "loads"])
    options = parser.parse_args()
    program = find_chromium()
    if program is None:
        print(HOW, file=sys.stderr)
        return 1
    print(f"{platform.machine()}, {os.cpu_count()} CPUs, CPython {platform.python_version()}")
    with (
        tempfile.TemporaryDirectory() as folder,
        web_process(Path(folder), real=True) as server,
        browsing(program) as browser,
    ):
        print(f"Chromium {browser.version}, headless")
        if options.only in (None, "moves"):
            run(browser, server.url, options.moves, options.rounds)
        if options.only in (None, "reviews"):
            reviews(browser, server.url, options.rounds)
        if options.only in (None, "loads"):
            loads(browser, server.url, options.rounds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
