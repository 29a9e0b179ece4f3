"""Takes the pictures of the web game in docs/screenshots: each screen, light and dark, on a phone and on a desk;
the game on a phone that lies on its side too.

    .venv/bin/python scripts/screenshots.py                    # all of them
    .venv/bin/python scripts/screenshots.py game victory       # these screens only
    .venv/bin/python scripts/screenshots.py --png FOLDER menu  # as PNG into a folder, to look at, on a tablet too

It starts a server of its own with a store of its own. What the statistics show are real games: the solver's, with pauses
like a person's, on boards from fixed seeds. Only the seconds on the clock differ from run to run.
"""

import argparse
import base64
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from sapper.core.cells import Cell  # noqa: E402
from sapper.core.preset import find_preset  # noqa: E402
from sapper.core.rng import Rng  # noqa: E402
from sapper.core.tile import Tile  # noqa: E402
from sapper.session.events import Finished  # noqa: E402
from sapper.session.game_request import coded_game, new_session  # noqa: E402
from sapper.session.storing import stored_game  # noqa: E402
from sapper.solver.analysis import analyse  # noqa: E402
from sapper.store.models import StoredGame  # noqa: E402
from sapper.store.repository import open_store  # noqa: E402
from tests.browser import HOW, Visitor, browsing, find_chromium  # noqa: E402
from tests.game_page import Art, GamePage  # noqa: E402
from tests.social_store import fill_social  # noqa: E402
from tests.web_process import WebProcess, web_process  # noqa: E402

FOLDER = ROOT / "docs/screenshots"
QUALITY = 76
SIZES: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {
        "viewport": {"width": 390, "height": 844},
        "has_touch": True,
        "is_mobile": True,
        "device_scale_factor": 1.5,
    },
    "side": {
        "viewport": {"width": 844, "height": 390},
        "has_touch": True,
        "is_mobile": True,
        "device_scale_factor": 1.5,
    },
}
TO_LOOK_AT: dict[str, dict[str, Any]] = {"tablet": {"viewport": {"width": 768, "height": 1024}, "has_touch": True}}
"""Sizes of PNG only."""
AROUND_A_BOARD = ("game", "game-over")
"""The screens that look otherwise on a phone that lies on its side."""
BEGUN = datetime(2026, 6, 1, 18, 0, tzinfo=UTC)

BOARD = Art(
    ".*....*.....*...",
    "......*....*....",
    "...*......*....*",
    "*.........*.....",
    ".....*......*...",
    "..*......*......",
    "......*......*..",
    ".*.........*....",
    "....*...*......*",
    "..*.......*.....",
    ".......*.....*..",
    "*..*......*.....",
)
"""On a desk; as dense as Intermediate."""
SMALL = Art(
    ".*.......", "......*..", "..*......", ".......*.", "*........", "....*....", ".......*.", "..*......", ".....*..*"
)
"""On a phone; Beginner's size."""


def played_games(count: int) -> list[StoredGame]:
    """Games of somebody who thinks like the solver, sometimes slips, and is slower than a program."""
    rng = Rng(4)
    at = BEGUN
    games = []
    for number in range(count):
        preset = "beginner" if rng.below(4) else "intermediate"
        at += timedelta(hours=2 + rng.below(48))
        games.append(_game(preset, number, rng, at, pace=1400 - 8 * number))
    return games


def _game(preset: str, number: int, rng: Rng, at: datetime, *, pace: int) -> StoredGame:
    now = 0
    done: list[Finished] = []
    session, _ = new_session(coded_game(preset, seed=number), clock=lambda: now)
    session.watch(lambda event: done.append(event.finished) if event.finished is not None else None)
    grid = find_preset(preset).grid
    session.left_click(grid.cell(3, 3))
    plan: list[Cell] = []
    while not done:
        now += pace // 3 + rng.below(pace)
        plan = [cell for cell in plan if session.board.tile(cell) is Tile.COVERED]
        analysis = None if plan else analyse(session.board)
        if analysis is not None:
            plan = sorted(analysis.safe)
        if analysis is not None and not plan:
            assert analysis.least_risky is not None
            plan = [analysis.least_risky]
        if rng.below(70) == 0:
            covered = list(session.board.covered)
            plan = [covered[rng.below(len(covered))]]
        session.left_click(plan.pop(0))
    return stored_game(done[0], key=f"shot-{number}", ended=at, face="web", preset=preset)


# --- the screens -------------------------------------------------------------------------------------------


def begin(visitor: Visitor, art: Art) -> GamePage:
    """A game with what is certain revealed for a while, and some flags."""
    game = GamePage.of(visitor, art)
    mines = len(art.mines)
    x, y = next(place for place in art.safe if art.layout.clues[art.grid.cell(*place)] == 0)
    game.click(x, y)
    game.expect_revealed(x, y)
    for _ in range(4):
        for x, y in game.certain(mines)[:8]:
            if game.cell(x, y).get_attribute("data-t") == "#":
                game.click(x, y)
                game.expect_revealed(x, y)
    rows = game.rows
    for x, y in art.mines:
        beside = {rows[b][a] for a, b in around(rows, x, y)}
        if len(beside & set("123456")) > 1 and rows[y][x] == "#":
            game.click(x, y, button="right")
            game.expect_tile(x, y, "F")
    return game


def around(rows: list[str], x: int, y: int) -> Iterator[tuple[int, int]]:
    """The neighbours of a cell."""
    for b in range(max(0, y - 1), min(len(rows), y + 2)):
        for a in range(max(0, x - 1), min(len(rows[0]), x + 2)):
            if (a, b) != (x, y):
                yield a, b


def show_menu(visitor: Visitor, art: Art) -> Page:
    """With a game to go on with."""
    begin(visitor, art).page.close()
    return at_place(visitor, "")


def show_game(visitor: Visitor, art: Art) -> Page:
    """In the middle of it, with a hint."""
    game = begin(visitor, art)
    game.page.keyboard.press("h")
    expect(game.page.locator(".note")).to_be_visible()
    return game.page


def show_chances(visitor: Visitor, art: Art) -> Page:
    """In the middle of it, with chances."""
    game = begin(visitor, art)
    game.show_chances()
    return game.page


def show_victory(visitor: Visitor, art: Art) -> Page:
    """A game that was won."""
    game = begin(visitor, art)
    for x, y in art.safe:
        if game.cell(x, y).get_attribute("data-t") == "#":
            game.click(x, y)
            game.expect_revealed(x, y)
    game.expect_end("Victory")
    return game.page


def show_game_over(visitor: Visitor, art: Art) -> Page:
    """A game that was lost, though something was certain."""
    game = begin(visitor, art)
    x, y = next((x, y) for x, y in art.mines if game.cell(x, y).get_attribute("data-t") == "#")
    game.click(x, y)
    game.expect_end("Game Over")
    expect(game.page.locator(".legend")).to_be_visible()
    return game.page


def at_place(visitor: Visitor, place: str) -> Page:
    """A screen that needs no game."""
    page = visitor.tab(place)
    expect(page.locator("[data-screen]:visible h1")).to_be_visible()
    page.wait_for_load_state("networkidle")
    return page


SCREENS: dict[str, Callable[[Visitor, Art], Page]] = {
    "menu": show_menu,
    "new-game": lambda visitor, _: at_place(visitor, "#new"),
    "game": show_game,
    "chances": show_chances,
    "victory": show_victory,
    "game-over": show_game_over,
    "statistics": lambda visitor, _: at_place(visitor, "#statistics"),
    "settings": lambda visitor, _: at_place(visitor, "#settings"),
    "daily": lambda visitor, _: at_place(visitor, "daily"),
    "rankings": lambda visitor, _: at_place(visitor, "rankings"),
}
WITH_OTHERS = ("daily", "rankings")
"""The screens with other players on them."""


# --- the pictures ------------------------------------------------------------------------------------------


def take(page: Page, path: Path) -> None:
    """One picture of what is in the window, in the form that the name's ending says."""
    page.mouse.move(0, 0)
    page.evaluate("() => { document.activeElement?.blur(); scrollTo(0, 0); return document.fonts.ready; }")
    page.evaluate("() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))")
    if path.suffix == ".png":
        page.screenshot(path=path)
        return
    session = page.context.new_cdp_session(page)
    taken = session.send("Page.captureScreenshot", {"format": "webp", "quality": QUALITY})
    path.write_bytes(base64.b64decode(taken["data"]))


def player_of(visitor: Visitor) -> str:
    """What the store calls a visitor."""
    cookie = next(one.get("value", "") for one in visitor.context.cookies() if one.get("name") == "sapper_player")
    return cookie[: len("web-") + 32]


def record(server: WebProcess, visitor: Visitor, games: list[StoredGame]) -> None:
    """Let these games be the visitor's."""
    player = player_of(visitor)
    with open_store(server.database) as store:
        store.record_many(replace(game, key=f"{player[-12:]}-{game.key}", player=player) for game in games)


def take_all(browser: Browser, server: WebProcess, names: list[str], folder: Path, ending: str) -> None:
    """The screens of these names in each look."""
    games = played_games(90)
    known: list[Any] = []  # the cookies of the visitor whom the others know
    for size, options in (SIZES | (TO_LOOK_AT if ending == "png" else {})).items():
        for theme in ("light", "dark"):
            look = {"color_scheme": theme, "reduced_motion": "reduce", **options}
            visitor, other = (Visitor(browser, server.url, **look) for _ in range(2))
            visitor.context.request.get(f"{server.url}api/presets")
            record(server, visitor, games)
            other.context.add_cookies(known)
            other.context.request.get(f"{server.url}api/presets")
            if not known:
                known = other.context.cookies()
                with open_store(server.database) as store:
                    fill_social(store, player_of(other), server.now)
            for name in names:
                if size == "side" and name not in AROUND_A_BOARD:
                    continue
                page = SCREENS[name](other if name in WITH_OTHERS else visitor, SMALL if size == "phone" else BOARD)
                take(page, folder / f"{name}-{theme}-{size}.{ending}")
                page.close()
            visitor.close()
            other.close()


def main() -> int:
    """Take the pictures that were asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("screens", nargs="*", choices=[*SCREENS, []], help="which; all of them if none is named")
    parser.add_argument("--png", type=Path, metavar="FOLDER", help="PNG, into that folder")
    options = parser.parse_args()
    program = find_chromium()
    if program is None:
        print(HOW, file=sys.stderr)
        return 1
    folder = options.png or FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, web_process(Path(place)) as server, browsing(program) as browser:
        take_all(browser, server, options.screens or list(SCREENS), folder, "png" if options.png else "webp")
    sizes = [path.stat().st_size for path in folder.iterdir()]
    print(f"{len(sizes)} pictures, {sum(sizes):,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
