"""Nothing that is shown moves when the rest of a screen arrives (web-vitals' layout shift is 0)."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

from sapper.core.preset import find_preset
from sapper.store.models import GameKind, Result, StoredGuess
from sapper.store.repository import open_store
from tests.browser import Visitor
from tests.game_page import GARDEN, GamePage
from tests.sizes import sized
from tests.stored import stored
from tests.web_process import WebProcess

Visit = Callable[..., Visitor]

SIZES = ((1280, 800), (390, 844), (768, 1024))
SCREENS = ("", "#statistics", "#new", "name", "games", "daily", "rankings", "#settings", "practice", "analyse", "recording", "honesty")[: sized(4, 12)]  # fmt: skip

WATCH = """(() => {
    const frames = async (count) => { while (count--) await new Promise((go) => requestAnimationFrame(go)); };
    const { fetch } = window;
    let waiting = 0;
    // Each answer comes some frames late: what is shown without it has been painted.
    window.fetch = async (...asked) => {
        waiting++;
        try {
            const answer = await fetch(...asked);
            await frames(5);
            return answer;
        } finally {
            waiting--;
        }
    };
    const name = (node) => `${node?.nodeName}.${node?.className} ${node?.textContent?.trim().slice(0, 40)}`;
    const place = ({ x, y }) => `${Math.round(x)}, ${Math.round(y)}`;
    const found = [];
    const note = (entries) => found.push(...entries.flatMap(({ sources }) =>
        sources.map(({ node, previousRect, currentRect }) => `${name(node)} from ${place(previousRect)} to ${place(currentRect)}`)));
    const watch = new PerformanceObserver((list) => note(list.getEntries()));
    watch.observe({ type: "layout-shift", buffered: true });
    window.shiftsWhenQuiet = async () => {
        for (let quiet = 0; quiet < 10; quiet++) {
            await frames(1);
            if (waiting) quiet = 0;
        }
        note(watch.takeRecords());
        return found;
    };
})()"""


def shifts(page: Page, url: str) -> list[str]:
    """What moved on a screen until all of it was there."""
    page.goto("about:blank")  # a fragment alone would load nothing
    page.goto(url)
    expect(page.locator("[data-screen]:visible h1")).to_be_attached()
    found: list[str] = page.evaluate("() => shiftsWhenQuiet()")
    return found


def give_games(visitor: Visitor, server: WebProcess) -> None:
    """Have the visitor play before: wins and losses on three boards, and a game to go on with."""
    page = visitor.tab("#statistics")
    expect(page.locator(".empty")).to_be_visible()
    cookie = next(one for one in visitor.context.cookies() if one["name"] == "sapper_player")["value"]
    player = cookie[:36]
    with open_store(server.folder / "web.db") as store:
        store.record_many(
            stored(
                f"{player}-{number}",
                player=player,
                kind=GameKind.of(find_preset(("beginner", "intermediate", "expert")[number % 3])),
                result=Result.LOST if number % 2 else Result.WON,
                started=server.now - timedelta(hours=8 * number + 1),
                ended=server.now - timedelta(hours=8 * number),
                face="web",
                time_ms=20_000 + 137 * number,
                solved_bbbv=30,
                clicks=50,
                guesses=(StoredGuess(0.3, number % 4 == 0, False),),
            )
            for number in range(30)
        )
    page.goto(f"{visitor.url}{GARDEN.place}")
    game = GamePage(page)
    game.click(5, 0)
    game.expect_revealed(5, 0)
    page.close()


@pytest.mark.parametrize("has_played", [False, True], ids=["new", "played"])
def test_nothing_moves_when_the_rest_of_a_screen_comes(
    visit: Visit, shared_server: WebProcess, has_played: bool
) -> None:
    visitor = visit(settings='{"welcomed": true}' if has_played else None)
    visitor.context.add_init_script(WATCH)
    if has_played:
        give_games(visitor, shared_server)
    page = visitor.context.new_page()
    found = {}
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for screen in SCREENS:
            found[f"{screen or 'menu'} {width}"] = shifts(page, visitor.url + screen)
    assert {name: moved for name, moved in found.items() if moved} == {}
    page.goto(visitor.url)
    expect(page.locator(".choice .best").filter(has_text="best")).to_have_count(3 if has_played else 0)
    expect(page.get_by_role("heading", name="Go on")).to_have_count(int(has_played))
