"""The page of a game as a test sees it: the board, the boxes, and hands to play with.

The board is read from the elements that a player has, never from the page's variables. `Art` is a layout as a drawing,
which a code names, so that a test knows where the mines are.
"""

import json
import re
import urllib.request
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from playwright.sync_api import Locator, Page, expect

from sapper.core.cells import Cell, CellSet
from sapper.core.grid import Grid
from sapper.core.notation import read_board
from sapper.core.rules import find_rules
from sapper.game.layout import Layout
from sapper.generator.game_code import CodedGame
from sapper.solver.analysis import analyse
from tests.browser import Visitor

_ROWS = """() => [...document.querySelectorAll('[role=grid] [role=row]')].map(
    (row) => [...row.children].map((cell) => cell.dataset.t).join(''))"""
_QUIET = "() => document.querySelector('[role=gridcell]') && !document.querySelector('.waiting')"


class Art:
    """A layout, drawn: `*` is a mine."""

    def __init__(self, *rows: str, rules: str = "modern") -> None:
        self.grid = Grid(len(rows[0]), len(rows))
        cells = "".join(rows)
        self.layout = Layout(self.grid, CellSet.of(Cell(i) for i, tile in enumerate(cells) if tile == "*"))
        game = CodedGame(rules=find_rules(rules), grid=self.grid, mine_count=cells.count("*"), layout=self.layout)
        self.code = game.code
        self.place = f"#code={quote(self.code)}"
        self.safe = [self.grid.xy(Cell(i)) for i, tile in enumerate(cells) if tile != "*"]
        self.mines = [self.grid.xy(Cell(i)) for i, tile in enumerate(cells) if tile == "*"]


class GamePage:
    """One tab with a game in it."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @classmethod
    def of(cls, visitor: Visitor, art: Art) -> "GamePage":
        """A new tab with a game on that layout."""
        game = cls(visitor.tab(art.place))
        game.wait_until_quiet()
        return game

    # --- what is seen --------------------------------------------------------------------------------

    @property
    def id(self) -> str:
        """The game's, from the location."""
        match = re.search(r"#game=([^&]+)", self.page.url)
        assert match is not None, self.page.url
        return match[1]

    @property
    def rows(self) -> list[str]:
        """The tiles, a text a row."""
        rows: list[str] = self.page.evaluate(_ROWS)
        return rows

    def cell(self, x: int, y: int) -> Locator:
        """The element of a cell."""
        return self.page.locator(f"[role=grid] [role=row]:nth-child({y + 1}) > [role=gridcell]:nth-child({x + 1})")

    def tool(self, name: str) -> Locator:
        """A button, by its name."""
        return self.page.get_by_role("button", name=name, exact=True)

    def box(self, name: str) -> Locator:
        """A box of the header: `time`, `mines`, `flags`."""
        return self.page.locator(f"[data-box={name}]")

    @property
    def spoken(self) -> str:
        """What live regions hold now."""
        texts: list[str] = self.page.evaluate(
            "() => [...document.querySelectorAll('[aria-live], [role=status], [role=alert], [role=log]')]"
            ".map((one) => one.textContent)"
        )
        return "\n".join(texts)

    # --- waiting -------------------------------------------------------------------------------------

    def wait_until_quiet(self) -> None:
        """Until there is a board and no answer is waited for."""
        self.page.wait_for_function(_QUIET)

    def expect_tile(self, x: int, y: int, tile: str) -> None:
        """Wait until a cell has that tile."""
        expect(self.cell(x, y)).to_have_attribute("data-t", tile)

    def expect_revealed(self, x: int, y: int) -> None:
        """Wait until a cell is revealed."""
        expect(self.cell(x, y)).to_have_attribute("data-t", re.compile(r"[.1-8]"))

    def expect_rows(self, rows: Sequence[str]) -> None:
        """Wait until the board is so."""
        self.page.wait_for_function(f"(rows) => JSON.stringify(({_ROWS})()) === JSON.stringify(rows)", arg=list(rows))

    def expect_spoken(self, text: str) -> None:
        """Wait until a live region says that."""
        self.page.wait_for_function(
            "(text) => [...document.querySelectorAll('[aria-live], [role=status], [role=alert], [role=log]')]"
            ".some((one) => one.textContent.includes(text))",
            arg=text,
        )

    def expect_end(self, words: str) -> None:
        """Wait until the banner says how the game ended: `Victory`, `Game Over`."""
        expect(self.page.locator("[data-end]")).to_contain_text(words)

    def after_the_calm(self) -> None:
        """Until the banner's buttons do what they say: at first they let clicks pass that were meant for the board."""
        self.page.evaluate("() => new Promise((go) => setTimeout(go, 460))")

    # --- hands ---------------------------------------------------------------------------------------

    def click(self, x: int, y: int, **how: Any) -> None:
        """Click on a cell with the mouse."""
        self.cell(x, y).click(**how)

    def reveal_rest(self, art: Art) -> None:
        """Click on every safe cell that is covered."""
        for x, y in art.safe:
            if self.cell(x, y).get_attribute("data-t") == "#":
                self.click(x, y)
                self.expect_revealed(x, y)

    def leave(self) -> None:
        """Go to the menu when the game has ended."""
        self.after_the_calm()
        self.page.locator("[data-end]").get_by_role("button", name="Menu").click()

    def agree(self, words: str) -> None:
        """Say yes to a question; which lets a moment pass before it believes it."""
        answer = self.page.get_by_role("dialog").get_by_role("button", name=words)
        expect(answer).to_be_visible()
        self.page.evaluate("() => new Promise((go) => setTimeout(go, 360))")
        answer.click()
        expect(self.page.get_by_role("dialog")).to_have_count(0)

    def show_page(self, is_shown: bool) -> None:
        """Let the page find itself shown or hidden, as when its tab is left: a browser without a screen never hides one."""
        self.page.evaluate(
            "(shown) => {"
            "  Object.defineProperty(document, 'hidden', { configurable: true, get: () => !shown });"
            "  const state = shown ? 'visible' : 'hidden';"
            "  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });"
            "  document.dispatchEvent(new Event('visibilitychange'));"
            "}",
            is_shown,
        )

    def pause(self) -> None:
        """Hide the board, and wait until it is hidden."""
        self.tool("Pause").click()
        expect(self.page.get_by_role("button", name="Go on")).to_be_visible()

    def go_on(self) -> None:
        """Have the board back after a pause."""
        self.page.get_by_role("button", name="Go on").click()
        expect(self.page.get_by_role("button", name="Go on")).to_be_hidden()

    def show_chances(self) -> None:
        """Switch them on: as a hint it only marks the game. On a phone the tool is behind another."""
        more = [] if self.tool("Chances").is_visible() else [self.tool("More")]
        for button in (*more, self.tool("Chances"), *more):
            button.click()
        expect(self.page.locator("[data-heat]")).not_to_have_count(0)

    def place_of(self, cell: Locator) -> tuple[int, int]:
        """Column and row of a cell, from 0."""
        x, y = cell.evaluate(
            "(cell) => [[...cell.parentElement.children].indexOf(cell),"
            " [...document.querySelectorAll('[role=row]')].indexOf(cell.parentElement)]"
        )
        return x, y

    def middle_of(self, x: int, y: int) -> tuple[float, float]:
        """Where a cell is in the window."""
        self.cell(x, y).scroll_into_view_if_needed()
        box = self.cell(x, y).bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def move_to(self, x: int, y: int) -> None:
        """Move the mouse over a cell."""
        self.page.mouse.move(*self.middle_of(x, y))

    # --- thinking ------------------------------------------------------------------------------------

    def certain(self, mine_count: int) -> list[tuple[int, int]]:
        """Cells that are certain to be safe, from what is seen."""
        text = "\n".join(self.rows)
        board = read_board(text, mine_count=mine_count)
        return [board.grid.xy(cell) for cell in analyse(board).safe]


def ask(url: str, path: str, *, cookie: str = "", body: Any = None) -> Any:
    """What an endpoint answers to a program."""
    request = urllib.request.Request(url + path, headers={"Cookie": cookie} if cookie else {})
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


GARDEN = Art("......", ".*....", "......", "....*.", "......")
"""Two openings, the one at the right top and the one at the left bottom, with numbers between them."""

CORNER = Art("......", ".*....", "......", "......", "....*.")
"""One opening, which leaves six cells covered."""

FIELD = Art(
    "*.......*", "....*....", ".........", "..*...*..", ".........", "*...*....", "......*..", ".........", "....*...*"
)
"""As large as Beginner, with as many mines."""
