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
