"""One browser and one server for all tests of a worker; each test has players of its own.

Playwright's synchronous interface runs an event loop beneath the caller, which asyncio takes for the thread's running one.
Other tests of the same worker start loops of their own: so it is put away whenever no test here runs.
"""

import asyncio
import contextlib
import os
import time
import urllib.error
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import PATIENCE, Visitor, browsing, find_shell, needed
from tests.cable import Cable
from tests.game_page import ask
from tests.web_process import WebProcess, web_process

Loop = asyncio.AbstractEventLoop | None


@pytest.fixture(scope="session")
def browser_and_loop() -> Iterator[tuple[Browser, Loop]]:
    program = needed(find_shell())
    expect.set_options(timeout=PATIENCE)
    with browsing(program) as browser:
        loop = asyncio._get_running_loop()
        asyncio._set_running_loop(None)
        yield browser, loop
        asyncio._set_running_loop(loop)


@pytest.fixture
def browser(browser_and_loop: tuple[Browser, Loop]) -> Iterator[Browser]:
    """The browser, while its loop is the running one."""
    browser, loop = browser_and_loop
    asyncio._set_running_loop(loop)
    yield browser
    asyncio._set_running_loop(None)


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebProcess]:
    """A server that no test stops."""
    with web_process(tmp_path_factory.mktemp("web")) as server:
        _wait_until_it_thinks(server)
        yield server


def _wait_until_it_thinks(server: WebProcess) -> None:
    """The first hint waits for a process to start, on a busy machine longer than a player would: so something else is asked first."""
    until = time.monotonic() + 3 * PATIENCE / 1000
    while True:
        try:
            ask(server.url, "api/analysis", body={"board": "3x1/1\n#1#\n"})
        except urllib.error.HTTPError:
            if time.monotonic() > until:
                raise
            time.sleep(0.5)
        else:
            return


@pytest.fixture(scope="session")
def shared_url(shared_server: WebProcess) -> Iterator[str]:
    """Where visitors find it. With SAPPER_TEST_DELAY=0.3 it is far away, and a test that does not wait for what it
    has asked for fails."""
    delay = float(os.environ.get("SAPPER_TEST_DELAY", "0"))
    if not delay:
        yield shared_server.url
        return
    cable = Cable(shared_server.port, delay)
    yield cable.url
    cable.cut()


@pytest.fixture
def visit(browser: Browser, shared_url: str) -> Iterator[Callable[..., Visitor]]:
    """Calls for a visitor, with a browser context's options; whose problems are looked at when the test has ended."""
    with contextlib.ExitStack() as leaving:

        def come(url: str = shared_url, **options: Any) -> Visitor:
            visitor = Visitor(browser, url, **options)
            leaving.callback(visitor.close)
            return visitor

        yield come
