"""The page's files: what is sent, what is asked for again, what is not there."""

import gzip
import re
from importlib import resources

import pytest
from starlette.requests import Request
from starlette.responses import Response

from sapper.web.http.static_files import INDEX, TYPES, StaticFiles
from tests.asking import scope_of

PAGES = StaticFiles()


def _get(name: str | None, **headers: str) -> Response:
    pairs = [(key.replace("_", "-"), value) for key, value in headers.items()]
    scope = scope_of("http", "/", pairs, address="::1") | {"path_params": {"name": name}}
    request = Request(scope)
    return PAGES.index(request) if name is None else PAGES.static(request)


def test_the_page_names_files_that_there_are() -> None:
    html = bytes(_get(None).body).decode()
    named = re.findall(r'(?:href|src)="/static/([^"]+)"', html)
    assert "main.js" in named
    assert "palettes.css" in named
    for name in named:
        assert _get(name).status_code == 200
    assert "<script>" not in html
    assert not re.search(r"\son\w+=|\sstyle=", html)


def test_each_file_has_a_type_that_browsers_take() -> None:
    for name, file in PAGES.files.items():
        assert file.kind == TYPES["." + name.rpartition(".")[2]], name
        assert _get(name).headers["content-type"] == file.kind


def test_what_is_for_who_writes_the_page_is_not_sent() -> None:
    assert (resources.files("sapper.web") / "static" / "messages.d.ts").is_file()
    assert [name for name in PAGES.files if name.endswith(".ts")] == []


def test_a_file_that_is_known_is_not_sent_again() -> None:
    first = _get("main.js")
    again = _get("main.js", if_none_match=f'W/"other", {first.headers["etag"]}')
    assert (again.status_code, bytes(again.body)) == (304, b"")
    assert _get("main.js", if_none_match='"other"').status_code == 200
    assert first.headers["cache-control"] == "no-cache"
    page = _get(None)
    assert page.headers["cache-control"] == "no-store"
    assert _get(None, if_none_match=page.headers["etag"]).status_code == 200


@pytest.mark.parametrize(
    ("accepted", "is_packed"),
    [("gzip", True), ("br, GZIP;q=0.5", True), ("gzip; q=1.0", True), ("gzip;q=0", False), ("gzip;q=0.000", False), ("br", False), ("", False)],
)  # fmt: skip
def test_who_takes_gzip_gets_it(accepted: str, is_packed: bool) -> None:
    answer = _get("main.js", accept_encoding=accepted)
    assert answer.headers["vary"] == "accept-encoding"
    assert ("content-encoding" in answer.headers) is is_packed
    body = bytes(answer.body)
    assert (gzip.decompress(body) if is_packed else body) == PAGES.files["main.js"].content


@pytest.mark.parametrize("name", ["", "nothing.js", "../app.py", "/etc/passwd", "main.js/", "..%2fapp.py", "\0"])
def test_what_is_no_file_is_not_there(name: str) -> None:
    assert _get(name).status_code == 404


def test_the_page_is_small() -> None:
    assert INDEX in PAGES.files
    assert sum(len(file.packed) for file in PAGES.files.values()) < 150_000
