"""The page's files: what is sent, what is asked for again, what is not there."""

import gzip
import json
import re
from html import unescape
from importlib import resources

import pytest
from starlette.requests import Request
from starlette.responses import Response

from sapper.web.http.middleware import PAGES as PLACES
from sapper.web.http.static_files import AT_ADDRESSES, FIRST, PARTS, TYPES, StaticFiles, later_name
from tests.asking import scope_of

PAGES = StaticFiles()


STATIC = resources.files("sapper.web") / "static"


def _get(name: str | None, *, at: str = "/", told: str = PAGES.hash, **headers: str) -> Response:
    pairs = [(key.replace("_", "-"), value) for key, value in headers.items()]
    scope = scope_of("http", at, pairs, address="::1") | {"path_params": {"name": name, "hash": told}}
    request = Request(scope)
    return PAGES.index(request) if name is None else PAGES.static(request)


def _named(at: str) -> list[str]:
    """What the page at a place names: everything by the present address."""
    html = bytes(_get(None, at=at).body).decode()
    assert "<!--" not in html
    return [name.removeprefix(f"{PAGES.hash}/") for name in re.findall(r'(?:href|src)="/static/([^"]+)"', html)]


def test_the_page_names_files_that_there_are() -> None:
    html = bytes(_get(None).body).decode()
    named = _named("/")
    assert "main.js" in named
    assert "page.css" in named
    for name in named:
        assert _get(name).status_code == 200
    assert "<script>" not in html
    assert not re.search(r"\son\w+=|\sstyle=", html)


def test_each_file_has_a_type_that_browsers_take() -> None:
    for name, file in PAGES.files.items():
        assert file.kind == TYPES["." + name.rpartition(".")[2]], name
        assert _get(name).headers["content-type"] == file.kind


def test_what_is_for_who_writes_the_page_is_not_sent() -> None:
    assert (resources.files("sapper.web") / "static" / "types.d.ts").is_file()
    assert [name for name in PAGES.files if name.endswith(".ts")] == []


def test_a_file_is_kept_for_ever_by_the_address_of_its_version_and_the_page_never() -> None:
    first = _get("main.js")
    assert first.headers["cache-control"] == "public, max-age=31536000, immutable"
    again = _get("main.js", if_none_match=f'W/"other", {first.headers["etag"]}')
    assert (again.status_code, bytes(again.body)) == (304, b"")
    assert _get("main.js", if_none_match='"other"').status_code == 200
    assert _get(None).headers["cache-control"] == "no-store"
    # A page of another version asks for a part: it gets the one there is, and does not keep it by that address.
    old = _get("main.js", told="0123456789abcdef")
    assert (old.status_code, old.headers["cache-control"]) == (200, "no-store")


def test_another_content_has_another_address(monkeypatch: pytest.MonkeyPatch) -> None:
    assert StaticFiles().hash == PAGES.hash
    monkeypatch.setattr("sapper.web.http.static_files.palettes_css", lambda: ":root { --n1: red; }")
    assert StaticFiles().hash != PAGES.hash


def test_screens_begin_where_main_js_has_them() -> None:
    text = (STATIC / FIRST).read_text()
    later = [
        name
        for line in text.splitlines()
        if not line.startswith(" *")
        for name in re.findall(r'import\("\./([^"]+)"\)', line)
    ]
    after = [
        "end.js",
        "sound.js",
        "reasons.js",
        "share.js",
    ]  # what a game needs when its board is there, and at its end
    assert sorted(later) == sorted([*after, *(name for begin in PARTS.values() for name in begin)])
    assert {f"/{name}" for name in set(AT_ADDRESSES) - {"review"}} | {"/"} == PLACES


@pytest.mark.parametrize("screen", ["menu", *PARTS])
def test_all_that_a_screen_imports_is_fetched_at_once(screen: str) -> None:
    """Followed from file to file, as a browser does: nothing is found that the page, or its first script, had not named."""
    html = bytes(_get(None).body).decode()
    parts = json.loads(re.findall(r"data-parts='([^']+)'", html)[0])
    at = "/" if screen not in AT_ADDRESSES else "/game/g1" if screen == "review" else f"/{screen}"
    named = {*_named(at), *parts.get(screen, [])}
    waiting = [FIRST, *PARTS.get(screen, ())]
    while waiting:
        name = waiting.pop()
        assert name in named
        text = (STATIC / name).read_text()
        code = "\n".join(line for line in text.splitlines() if not re.match(r"\s*/?\*", line))
        imported = set(re.findall(r'from "\./([^"]+)"', code))
        waiting += sorted(imported)
    modules = {one for one in named if one.endswith(".js")} - {"first_paint.js"}
    assert modules == set(PAGES.needed(FIRST, *PARTS.get(screen, ())))


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
    """What a first visit to any screen takes, in the longest language: at most 80 KB."""
    always = [name for name in _named("/") if not name.endswith((".js", ".png", ".webmanifest"))] + ["first_paint.js"]
    languages = [name for name in PAGES.files if name.endswith(".ftl") and ".later." not in name]
    for begin in ((), *PARTS.values()):
        names = {*always, *PAGES.needed(FIRST, *begin)}
        has_later = "later_words.js" in names
        total = (
            max(
                len(PAGES.files[name].packed) + has_later * len(PAGES.files[later_name(name)].packed)
                for name in languages
            )
            + len(bytes(_get(None, accept_encoding="gzip").body))
            + sum(len(PAGES.files[name].packed) for name in names)
        )
        assert total <= 80_000, begin


def test_a_script_is_sent_without_comments_types_and_indentation_and_with_its_lines() -> None:
    for name, file in PAGES.files.items():
        if not name.endswith(".js"):
            continue
        source, sent = (STATIC / name).read_text().split("\n"), file.content.decode().split("\n")
        assert len(sent) == len(source)
        for before, after in zip(source, sent, strict=True):
            assert after in (re.sub(r"/\*\* @.*?\*/ ?", "", before).lstrip(" \t"), "")
            assert after.count("`") % 2 == 0, f"{name}: a template over several lines would lose its indentation"
        assert not re.search(r"^(?:/\*(?!.*\*/.)|\*/|//)|/\*\* @", file.content.decode(), re.MULTILINE)


def test_a_page_that_does_not_come_is_told_in_every_language() -> None:
    html = bytes(_get(None).body).decode()
    (told,) = re.findall('data-languages="([^"]*)"', html)
    languages = json.loads(unescape(told))
    assert languages.keys() == {name[6:-4] for name in PAGES.files if name.endswith(".ftl") and ".later." not in name}
    assert languages["en"][1] == "Try again"
    assert languages["de"][0].startswith("Diese Seite")


def test_each_address_has_a_title_and_words_for_links_to_it() -> None:
    text = (STATIC / "places.js").read_text()
    told = re.search(r"ADDRESSES = new Set\(\[([^\]]*)\]", text)
    assert told is not None
    assert re.findall(r'"(\w+)"', told[1]) == list(AT_ADDRESSES)
    pages = {at: bytes(_get(None, at=at).body).decode() for at in ("/", "/game/g1", "/games", "/analyse")}
    for html in pages.values():
        for name in ("og:title", "og:description"):
            assert len(re.findall(f'<meta property="{name}" content="[^"]+">', html)) == 1
        assert not re.search("TITLE|ABOUT", html)
    assert len({re.findall("<title>(.*)</title>", html)[0] for html in pages.values()}) == len(pages)
    assert "<title>Review – sapper</title>" in pages["/game/g1"]
