"""Pictures of links: of the board that the link names, never of mines that it does not show."""

import asyncio
import re
from html import unescape
from urllib.parse import urlencode, urlsplit

import pytest
from starlette.applications import Starlette

from sapper.core.notation import read_board
from sapper.plots.png import png
from sapper.render.svg import svg
from sapper.web.http.previews import ADDRESS
from tests.asking import Answered
from tests.game_page import GARDEN, Art
from tests.web_app import Visitor, app_of

OTHER = Art("*.....", "......", "......", "......", ".....*")
"""As large as the garden, with as many mines, elsewhere."""
POSITION = "3x2x2.ofA2zm"


@pytest.fixture
def drawn() -> list[str]:
    """The SVG documents that were made PNG."""
    return []


@pytest.fixture
def app(drawn: list[str]) -> Starlette:
    def convert(text: str) -> bytes:
        drawn.append(text)
        return png(text)

    return app_of(png=convert)


def _get(app: Starlette, path: str, **query: str) -> Answered:
    return asyncio.run(Visitor(app)("GET", path, query=urlencode(query)))


def _image(page: Answered) -> str:
    (image,) = re.findall('property="og:image" content="([^"]+)"', page.body.decode())
    return unescape(image)


@pytest.mark.parametrize(("path", "query"), [("/", {"code": GARDEN.code}), ("/analyse", {"p": POSITION})])
def test_a_link_with_a_board_is_shown_with_its_picture(app: Starlette, path: str, query: dict[str, str]) -> None:
    page = _get(app, path, **query)
    image = urlsplit(_image(page))
    assert (image.scheme, image.netloc, image.path, image.query) == ("http", "localhost", ADDRESS, urlencode(query))
    assert "og:image:width" not in page.body.decode(), "it is of another size than the site's"
    picture = _get(app, image.path, **query)
    assert (picture.status, picture.headers["content-type"]) == (200, "image/png")
    assert picture.body.startswith(b"\x89PNG")


def test_of_a_code_nothing_is_drawn_but_the_covered_board(app: Starlette, drawn: list[str]) -> None:
    for art in (GARDEN, OTHER):
        assert _get(app, ADDRESS, code=art.code).status == 200
    assert drawn[0] == drawn[1]
    assert "30 of 30 cells are covered" in drawn[0]


def test_of_a_position_that_is_drawn_which_the_link_says(app: Starlette, drawn: list[str]) -> None:
    assert _get(app, ADDRESS, p=POSITION).status == 200
    board = read_board("#F1\n..*", mine_count=2)
    assert drawn == [svg(board, cell_size=210, coordinates=False, header=False)]


async def test_a_picture_is_drawn_once(app: Starlette, drawn: list[str]) -> None:
    visitor = Visitor(app)
    query = urlencode({"p": POSITION})
    found = await asyncio.gather(*(visitor("GET", ADDRESS, query=query) for _ in range(5)))
    assert len({one.body for one in found}) == len(drawn) == 1


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"code": "modern"},
        {"code": f"{GARDEN.code}x"},
        {"code": "x" * 2001},
        {"p": "3x2x2.5o"},
        {"p": "3x2x2.7o"},
        {"p": "3x2x2.6y"},
        {"p": "3x2x9.6o"},
        {"p": "0x0x0."},
        {"p": "100x100x5.9999o1o"},
    ],
    ids=str,
)
def test_any_other_link_has_the_site_s_picture(app: Starlette, drawn: list[str], query: dict[str, str]) -> None:
    usual = _image(_get(app, "/"))
    assert _image(_get(app, "/", **query)) == usual
    picture = _get(app, ADDRESS, **query)
    assert (picture.status, picture.headers["location"]) == (307, urlsplit(usual).path)
    assert drawn == []


def test_without_the_extra_all_links_have_the_site_s_picture() -> None:
    app = app_of()
    assert _image(_get(app, "/", code=GARDEN.code)) == _image(_get(app, "/"))
    assert _get(app, ADDRESS, code=GARDEN.code).status == 307
