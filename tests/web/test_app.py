"""Paths and verbs: what is where, and what is nowhere."""

import asyncio
from typing import Any

import pytest

from tests.asking import Answered, ask
from tests.web_app import app_of


def _ask(path: str, **options: Any) -> Answered:
    return asyncio.run(ask(app_of(), path, **options))


def test_the_page_and_its_files() -> None:
    page = _ask("/")
    assert (page.status, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert len(page.cookies) == 1
    assert _ask("/static/any/main.js").status == 200
    head = _ask("/static/any/main.js", method="HEAD")
    assert (head.status, head.headers["content-type"]) == (200, "text/javascript; charset=utf-8")


@pytest.mark.parametrize("path", ["/nothing", "/api", "/api/", "/api/games/", "/api/games/1/2", "/static/", "/static/../app.py", "//", "/api/games/%00"])  # fmt: skip
def test_nothing_is_an_error_in_the_protocol_s_words(path: str) -> None:
    answer = _ask(path)
    assert answer.status in (404, 307)
    if answer.status == 404:
        assert answer.code == "not-found"


@pytest.mark.parametrize(("path", "method", "allowed"), [("/api/player", "POST", "DELETE"), ("/", "POST", "GET"), ("/api/games", "PUT", "POST")])  # fmt: skip
def test_another_verb_is_not_allowed(path: str, method: str, allowed: str) -> None:
    answer = _ask(path, method=method)
    assert (answer.status, answer.code) == (405, "not-allowed")
    assert "content-security-policy" in answer.headers
    assert allowed == "DELETE" or allowed in answer.headers["allow"]


def test_a_page_asked_for_on_the_socket_s_path_is_not_there() -> None:
    assert _ask("/api/games/1/socket").status == 404


def test_who_comes_with_a_browser_to_an_address_that_is_nowhere_gets_the_page() -> None:
    browser = [("accept", "text/html,application/xhtml+xml,*/*;q=0.8")]
    answer = _ask("/nothing", headers=browser)
    assert (answer.status, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
    for path in ("/api/nothing", "/static/any/nothing.js"):
        assert _ask(path, headers=browser).code == "not-found"


@pytest.mark.parametrize(
    ("path", "kind", "begin"),
    [("/favicon.ico", "image/x-icon", b"\0\0\1\0"), ("/apple-touch-icon.png", "image/png", b"\x89PNG")],
)
def test_icons_are_where_browsers_ask_for_them(path: str, kind: str, begin: bytes) -> None:
    answer = _ask(path)
    assert (answer.status, answer.headers["content-type"]) == (200, kind)
    assert answer.body.startswith(begin)
