"""A real browser for tests: finding it, and a visitor whose page must never complain.

A visitor is a browser context, with cookies and storage of its own: a player. Whatever the page's console warns of, an
error that nobody caught, and any request to somewhere else than the server is a failure, unless a test says that it is to be so.
"""

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, WebError, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SHELL = "chromium-headless-shell"
HOW = "no Chromium is installed (Debian: apt-get install chromium chromium-headless-shell; or name one: SAPPER_CHROMIUM=/path), so the page is not tested"

PATIENCE = 60_000
"""Milliseconds until a test gives up: machines may be busy."""


def find_chromium() -> str | None:
    """The program, by its path; None if there is none."""
    named = os.environ.get("SAPPER_CHROMIUM")
    if named:
        if not Path(named).is_file():
            raise FileNotFoundError(f"SAPPER_CHROMIUM names {named}, which does not exist")
        return named
    return next((path for name in NAMES if (path := shutil.which(name)) is not None), None)


def find_shell() -> str | None:
    """Chromium's headless shell: the same pages for half as much of the processor. Where there is none, or another is named: that browser."""
    shell = None if os.environ.get("SAPPER_CHROMIUM") else shutil.which(SHELL)
    return shell or find_chromium()


def needed(program: str | None) -> str:
    """The program; without one the test is skipped, and fails in CI, where it is to be there."""
    if program is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(HOW)
    return program


@contextmanager
def browsing(program: str) -> Iterator[Browser]:
    """A browser for the length of a block. Playwright brings none: this one is the system's."""
    with sync_playwright() as playwright:
        # Root may not use the sandbox, and in a container there may be no other user; /dev/shm is small there.
        browser = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-dev-shm-usage"], timeout=5 * PATIENCE
        )
        try:
            yield browser
        finally:
            browser.close()


class Visitor:
    """Somebody with a browser."""

    def __init__(self, browser: Browser, url: str, *, settings: str | None = None, **options: Any) -> None:
        """`settings` is the text that the page's storage holds of them; options are a browser context's."""
        self.url = url
        self.problems: list[str] = []
        self.expected: list[str] = []
        """Patterns of problems that are to be."""
        self.requests: list[Request] = []
        if settings is not None:
            held = [{"name": "sapper.settings", "value": settings}]
            options["storage_state"] = {"cookies": [], "origins": [{"origin": url.rstrip("/"), "localStorage": held}]}
        # A service worker would answer for the server, and what tests hold back would come from it: who tests that, allows it.
        is_kept = options.pop("service_workers", "none") == "allow"
        self.context: BrowserContext = browser.new_context(base_url=url, **options)
        if not is_kept:
            self.context.add_init_script(
                "Object.defineProperty(Navigator.prototype, 'serviceWorker', { value: undefined })"
            )
        self.context.set_default_timeout(PATIENCE)
        self.context.on("console", self._heard)
        self.context.on("weberror", self._failed)
        self.context.on("request", self._asked)

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning", "assert"}:
            self.problems.append(f"console {message.type}: {message.text} ({message.location})")

    def _failed(self, error: WebError) -> None:
        self.problems.append(f"error: {error.error}")

    def _asked(self, request: Request) -> None:
        self.requests.append(request)
        if not request.url.startswith((self.url, "data:", "blob:")):
            self.problems.append(f"request: {request.url}")

    def tab(self, place: str = "") -> Page:
        """Another tab, at a place of the page: `#new`."""
        page = self.context.new_page()
        page.goto(f"{self.url}{place}")
        return page

    def expect(self, pattern: str) -> None:
        """From now on a problem that has this pattern is none."""
        self.expected.append(pattern)

    def close(self) -> None:
        """Leave; AssertionError if anything was wrong."""
        self.context.close()
        wrong = [text for text in self.problems if not any(re.search(pattern, text) for pattern in self.expected)]
        assert not wrong, "\n".join(wrong)
