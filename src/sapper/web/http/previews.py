"""Pictures of the boards that links lead to, for programs that show links.

A link with a code (`/?code=…`) has the covered board: what its code says of the mines is never drawn. One with a position (`/analyse?p=…`)
has what the link itself says. Neither looks at a game, so no picture tells of a board that is being played.
"""

import asyncio
import contextlib
import re
from collections import OrderedDict
from collections.abc import Callable
from html import escape
from typing import Final
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from sapper.core.board import Board
from sapper.core.notation import read_board
from sapper.errors import SapperError
from sapper.generator.game_code import game_of_code
from sapper.render.svg import svg

Png = Callable[[str], bytes]
"""Makes a PNG of an SVG document."""

ADDRESS: Final = "/preview.png"
MOST_TEXT: Final = 2000
"""Characters of a code or a position; the page makes no longer links."""
MOST_CELLS: Final = 2500
"""A larger board would be a grey square, and take long to draw."""
MOST_KEPT: Final = 200
"""Pictures that are kept: a link in a busy place is asked for often."""
WIDTH, HEIGHT = 1200, 630
FRAME: Final = 1
"""Cells that the frame takes."""

_POSITION: Final = re.compile(r"([0-9]{1,4})x([0-9]{1,4})x([0-9]{1,4})\.((?:[0-9]{0,4}[A-Za-z])+)")
_RUN: Final = re.compile("([0-9]*)([A-Za-z])")
_TILES: Final = dict(zip("ofqzmxwABCDEFGH", "#F?.*X!12345678", strict=True))
"""The letters of a position in an address, as `position_text.js` writes them."""
_IMAGE: Final = re.compile(r'(?:<meta property="og:image[^>]*>\n)+')


class Previews:
    """Says which links have a picture of their own, and draws it."""

    def __init__(self, png: Png | None, usual: str) -> None:
        """`usual` is where the site's picture is: without `png`, which needs the extra `pictures`, all links have that."""
        self._usual = usual
        self._png = png
        self._turn = asyncio.Lock()
        self._kept: OrderedDict[tuple[str, str], bytes] = OrderedDict()

    def shown_in(self, request: Request, html: str, origin: str) -> str | None:
        """The page with the picture of the board that its address names; None if it names none."""
        asked = _asked(request) if self._png else None
        board = _board(*asked) if asked else None
        if asked is None or board is None:
            return None
        grid = board.grid
        says = {
            "og:image": f"{origin}{ADDRESS}?{urlencode([asked])}",
            "og:image:alt": f"A Minesweeper board of {grid.width} × {grid.height} cells with {board.mine_count} mines",
        }
        metas = "".join(f'<meta property="{name}" content="{escape(text)}">\n' for name, text in says.items())
        return _IMAGE.sub(lambda _: metas, html, count=1)

    async def picture(self, request: Request) -> Response:
        """The picture of the board, else the site's."""
        asked = _asked(request)
        content = await self._drawn(asked) if asked and self._png else None
        if content is None:
            return RedirectResponse(self._usual)
        return Response(content, headers={"cache-control": "public, max-age=86400"}, media_type="image/png")

    async def _drawn(self, asked: tuple[str, str]) -> bytes | None:
        async with self._turn:  # one core at most is busy with pictures
            content = self._kept.get(asked)
            if content is None and (board := _board(*asked)) is not None:
                content = await asyncio.to_thread(self._draw, board)
            if content is not None:
                self._kept[asked] = content
                self._kept.move_to_end(asked)
                if len(self._kept) > MOST_KEPT:
                    self._kept.popitem(last=False)
            return content

    def _draw(self, board: Board) -> bytes:
        assert self._png is not None
        grid = board.grid
        size = min(WIDTH // (grid.width + FRAME), HEIGHT // (grid.height + FRAME))
        return self._png(svg(board, cell_size=size, coordinates=False, header=False))


def _asked(request: Request) -> tuple[str, str] | None:
    """What kind of board an address names, and its text."""
    found = [(name, request.query_params[name]) for name in ("code", "p") if name in request.query_params]
    return found[0] if found and len(found[0][1]) <= MOST_TEXT else None


def _board(kind: str, text: str) -> Board | None:
    """The board to draw; None for a text that names none, or one that is too large."""
    with contextlib.suppress(SapperError):
        if kind == "p":
            return _position(text)
        game = game_of_code(text)
        if game.grid.size <= MOST_CELLS:
            return game.board
    return None


def _position(text: str) -> Board | None:
    match = _POSITION.fullmatch(text)
    if match is None:
        return None
    width, height, mines = (int(number) for number in match.groups()[:3])
    runs = [(int(count or 1), letter) for count, letter in _RUN.findall(match[4])]
    size = width * height
    if (
        not 0 < size <= MOST_CELLS
        or sum(count for count, _ in runs) != size
        or not {one for _, one in runs} <= _TILES.keys()
    ):
        return None
    tiles = "".join(count * _TILES[letter] for count, letter in runs)
    rows = [tiles[start : start + width] for start in range(0, size, width)]
    return read_board("\n".join(rows), mine_count=mines)
