"""Long tasks of the web game's page on a slow phone: what holds the main thread up, a step of playing at a time.

    .venv/bin/python bench/web_tasks.py
    .venv/bin/python bench/web_tasks.py --rounds 9 --json

The page has the size and the touch screen of a phone, its cache is empty. Each step is played twice: with the browser's trace, which says how
long each task of the main thread has had a processor, and, in another browser context, on a processor that the browser slows down six times,
where the page's own observer of long tasks (50 ms and more) says what it saw.

*cpu* is the longest task by its time on the processor, six times, so that it can be compared with 50 ms; other programs on the machine change
it little. *over* is how many tasks of the step are longer than 50 ms by that. *seen* is the longest task that the observer saw, which is real
time: run this on a quiet machine to read it. Each is the median of all rounds. *all* is what the tasks of the step had together, once.
"""

import argparse
import json
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, Page, expect

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench.web_page import art_of  # noqa: E402
from tests.browser import HOW, Visitor, browsing, find_chromium  # noqa: E402
from tests.game_page import Art, GamePage  # noqa: E402
from tests.web_process import web_process  # noqa: E402

SLOWER = 6
LONG = 50
"""Milliseconds of a long task."""
PHONE: dict[str, Any] = {"viewport": {"width": 412, "height": 823}, "has_touch": True, "is_mobile": True}
EXPERT = art_of(30, 16, 99, 5)
OPEN = art_of(30, 16, 20, 5)
"""As large as Expert, with few mines: its first reveal opens most of it."""
SETTLED = 700
"""Milliseconds after which a step has had all its consequences."""

OBSERVE = """(() => {
    window.longs = [];
    new PerformanceObserver((list) => window.longs.push(...list.getEntries().map(({ duration }) => duration)))
        .observe({ type: "longtask", buffered: true });
})()"""

Tasks = dict[str, list[float]]
"""By step, the milliseconds of its tasks."""


def zero_of(art: Art) -> tuple[int, int]:
    """A safe cell without a number, in the upper left, which a phone shows."""
    return next((x, y) for x, y in art.safe if x < 9 and y < 12 and art.layout.clue(art.grid.cell(x, y)) == 0)


def play(page: Page, url: str, step: Callable[[str], AbstractContextManager[None]]) -> None:
    """All steps; each within `step(its name)`, in which the page is not looked at: that takes its time too."""
    game = GamePage(page)
    with step("first load"):
        page.goto(url, wait_until="commit")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    page.goto("about:blank")
    with step("Expert opened"):
        page.goto(f"{url}{EXPERT.place}", wait_until="commit")
    game.wait_until_quiet()
    at = game.middle_of(*zero_of(EXPERT))
    with step("first reveal"):
        page.touchscreen.tap(*at)
    game.expect_revealed(*zero_of(EXPERT))
    with step("chances"):
        page.evaluate("() => document.querySelector('[data-tool=overlay]').click()")
    expect(page.locator("[data-heat]")).not_to_have_count(0)
    x, y = next((x, y) for x, y in EXPERT.mines if x < 9 and y < 12)
    at = game.middle_of(x, y)
    with step("end"):
        page.touchscreen.tap(*at)
    game.expect_end("Game Over")
    page.goto("about:blank")
    page.goto(f"{url}{OPEN.place}")
    game.wait_until_quiet()
    page.wait_for_timeout(SETTLED)
    at = game.middle_of(*zero_of(OPEN))
    with step("large cascade"):
        page.touchscreen.tap(*at)
    game.expect_revealed(*zero_of(OPEN))


def by_trace(browser: Browser, url: str) -> Tasks:
    """Milliseconds that each task of the main thread had a processor."""
    visitor, found = Visitor(browser, url, **PHONE), {}
    page = visitor.context.new_page()

    @contextmanager
    def step(name: str) -> Iterator[None]:
        browser.start_tracing(page=page, categories=["toplevel", "devtools.timeline"])
        yield
        page.wait_for_timeout(2 * SETTLED)
        found[name] = _tasks(browser.stop_tracing(), url)

    play(page, url, step)
    visitor.close()
    return found


def _tasks(trace: bytes, url: str) -> list[float]:
    events = json.loads(trace)["traceEvents"]
    # The browser has pages of its own, and other processes that are kept ready; a page has workers.
    main = {(one["pid"], one["tid"]) for one in events if one.get("args", {}).get("name") == "CrRendererMain"}
    pages = {
        (one["pid"], one["tid"])
        for one in events
        if str(one.get("args", {}).get("data", {}).get("url", "")).startswith(url)
    }
    return [
        one["tdur"] / 1000
        for one in events
        if one["name"] == "ThreadControllerImpl::RunTask" and "tdur" in one and (one["pid"], one["tid"]) in pages & main
    ]


def by_observer(browser: Browser, url: str) -> Tasks:
    """Milliseconds of the long tasks that the page saw on a processor that is slowed down."""
    visitor, found = Visitor(browser, url, **PHONE), {}
    visitor.context.add_init_script(OBSERVE)
    page = visitor.context.new_page()
    session = visitor.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})

    @contextmanager
    def step(name: str) -> Iterator[None]:
        before = 0 if page.url == "about:blank" else page.evaluate("() => window.longs.length")
        yield
        page.wait_for_timeout(SETTLED * SLOWER)
        found[name] = page.evaluate("(first) => window.longs.slice(first)", before)

    play(page, url, step)
    visitor.close()
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    program = find_chromium()
    if program is None:
        print(HOW, file=sys.stderr)
        return 1
    with (
        tempfile.TemporaryDirectory() as folder,
        web_process(Path(folder), real=True) as server,
        browsing(program) as browser,
    ):
        traced = [by_trace(browser, server.url) for _ in range(options.rounds)]
        observed = [by_observer(browser, server.url) for _ in range(options.rounds)]
        version = browser.version
    rows = {
        name: {
            "cpu": SLOWER * median(max(one[name], default=0) for one in traced),
            "over": median(sum(SLOWER * task > LONG for task in one[name]) for one in traced),
            "all": median(sum(one[name]) for one in traced),
            "seen": median(max(one[name], default=0) for one in observed),
        }
        for name in traced[0]
    }
    if options.json:
        print(json.dumps(rows))
        return 0
    print(f"{platform.machine()}, {os.cpu_count()} CPUs; Chromium {version}, headless; {options.rounds} rounds; ms")
    for name, row in rows.items():
        print(
            f"  {name:<16} cpu {row['cpu']:6.0f}   over {row['over']:3.0f}   seen {row['seen']:6.0f}   all {row['all']:6.0f}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
