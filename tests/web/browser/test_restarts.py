"""A new game in place of another: the key for it closes the game that it leaves, as often as a hand likes."""

import json
from collections.abc import Callable

from playwright.sync_api import Route

from tests.browser import Visitor
from tests.game_page import FIELD, GamePage

Visit = Callable[..., Visitor]
RESTARTS = 36
"""More than a player may have unfinished, and more than there once might be in a minute."""


def test_quick_restarts_never_throw_a_player_out(visit: Visit) -> None:
    visitor = visit()
    page = visitor.tab()
    page.get_by_role("button", name="Play", exact=True).click()
    game = GamePage(page)
    for _ in range(RESTARTS):
        game.wait_until_quiet()
        before = game.id
        game.click(0, 0, button="right")
        game.expect_tile(0, 0, "F")
        game.wait_until_quiet()
        page.keyboard.press("F2")
        page.wait_for_function("(before) => !location.hash.includes(before)", arg=before)
        assert "#game=" in page.url
    game.wait_until_quiet()
    game.expect_tile(0, 0, "#")
    # One that nobody has touched costs nothing: it is the new game.
    untouched = game.id
    page.keyboard.press("F2")
    game.expect_spoken("This is a new game")
    assert game.id == untouched
    # All others are closed, and each counts as what it was: given up.
    answers = visitor.context.request
    assert answers.get(f"{visitor.url}api/player").json() == {"played": RESTARTS, "won": 0}
    assert [one["game"] for one in answers.get(f"{visitor.url}api/games").json()["games"]] == [untouched]


def test_the_new_game_is_of_the_kind_that_it_follows(visit: Visit) -> None:
    """Not of the kind that was chosen last in the menu."""
    visitor = visit(settings=json.dumps({"lastGame": {"preset": "expert"}}))
    game = GamePage.of(visitor, FIELD)
    before = game.id
    game.page.keyboard.press("F2")
    game.page.wait_for_function("(before) => !location.hash.includes(before)", arg=before)
    game.wait_until_quiet()
    assert len(game.rows) == 9


def test_a_game_stays_where_no_other_can_be_had(visit: Visit) -> None:
    visitor = visit()
    visitor.expect("503|409")
    game = GamePage.of(visitor, FIELD)
    game.click(1, 1)
    game.expect_revealed(1, 1)
    before = game.id
    refused: list[str] = []

    def refuse(route: Route) -> None:
        code, status = ("busy", 503) if not refused else ("conflict", 409)
        refused.append(code)
        route.fulfill(status=status, json={"error": {"code": code, "message": "there are too many"}})

    game.page.route("**/api/games", refuse, times=2)
    game.wait_until_quiet()
    game.page.keyboard.press("F2")
    game.expect_spoken("The server has a lot to do just now")
    game.click(3, 0)
    game.expect_revealed(3, 0)
    game.wait_until_quiet()
    # Where there may be no other as long as this one is open, it is closed first.
    game.page.keyboard.press("F2")
    game.page.wait_for_function("(before) => !location.hash.includes(before)", arg=before)
    assert refused == ["busy", "conflict"]
    assert visitor.context.request.get(f"{visitor.url}api/player").json()["played"] == 1
