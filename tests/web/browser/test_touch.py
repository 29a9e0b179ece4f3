"""Fingers, by the browser's own touch events: tap, long press, flag mode, pan and pinch, and a whole game each way."""

from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import CDPSession, expect

from tests.browser import Visitor
from tests.game_page import FIELD, GARDEN, Art, GamePage

Visit = Callable[..., Visitor]
Point = tuple[float, float]

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
LARGE = Art(*[("*" if y % 7 == 3 else ".") + "." * 39 for y in range(40)])
"""Larger than a phone: it has to be moved."""


class Fingers:
    """What a screen tells of fingers."""

    def __init__(self, game: GamePage) -> None:
        self.game = game
        self.session: CDPSession = game.page.context.new_cdp_session(game.page)

    def say(self, kind: str, points: Sequence[Point]) -> None:
        """One event, with all fingers that are down."""
        touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def tap(self, x: int, y: int) -> None:
        """On a cell."""
        # Both events at once: whatever comes between them on a busy machine could make a long press of it.
        self.game.page.touchscreen.tap(*self.game.middle_of(x, y))

    def hold(self, x: int, y: int, tile: str) -> None:
        """Until a long press has made that tile of a cell."""
        self.say("touchStart", [self.game.middle_of(x, y)])
        self.game.expect_tile(x, y, tile)
        self.say("touchEnd", [])

    def drag(self, paths: Sequence[tuple[Point, Point]], steps: int = 6) -> None:
        """One or more fingers, each on its way."""
        self.say("touchStart", [begin for begin, _ in paths])
        for step in range(1, steps + 1):
            part = step / steps
            self.say("touchMove", [(a + (c - a) * part, b + (d - b) * part) for (a, b), (c, d) in paths])
        self.say("touchEnd", [])


def on_phone(visit: Visit, art: Art) -> tuple[GamePage, Fingers]:
    game = GamePage.of(visit(**PHONE), art)
    return game, Fingers(game)


@pytest.fixture
def garden(visit: Visit) -> tuple[GamePage, Fingers]:
    return on_phone(visit, GARDEN)


def test_a_whole_game_is_won(visit: Visit) -> None:
    game, fingers = on_phone(visit, FIELD)
    for x, y in FIELD.mines[:3]:
        fingers.hold(x, y, "F")
    for x, y in FIELD.safe:
        if game.cell(x, y).get_attribute("data-t") == "#":
            fingers.tap(x, y)
            game.expect_revealed(x, y)
    game.expect_end("Victory")


def test_a_whole_game_is_lost(garden: tuple[GamePage, Fingers]) -> None:
    game, fingers = garden
    fingers.tap(5, 0)
    game.expect_revealed(5, 0)
    fingers.tap(4, 3)
    game.expect_end("Game Over")
    game.expect_tile(4, 3, "X")


def test_a_long_press_flags_and_a_tap_leaves_a_flag_alone(garden: tuple[GamePage, Fingers]) -> None:
    game, fingers = garden
    fingers.hold(1, 1, "F")
    fingers.tap(1, 1)
    fingers.tap(0, 0)
    game.expect_tile(0, 0, "1")
    game.expect_rows(["1#####", "#F####", "######", "######", "######"])
    fingers.hold(1, 1, "#")


def test_a_tap_on_a_clue_chords(garden: tuple[GamePage, Fingers]) -> None:
    game, fingers = garden
    fingers.tap(5, 0)
    game.expect_tile(2, 2, "1")
    fingers.hold(1, 1, "F")
    fingers.tap(2, 2)
    game.expect_rows(["##1...", "#F1...", "111111", "...1##", "...1##"])


def test_in_flag_mode_a_tap_flags_and_a_long_press_reveals(garden: tuple[GamePage, Fingers]) -> None:
    game, fingers = garden
    game.tool("Flag mode").tap()
    expect(game.tool("Flag mode")).to_have_attribute("aria-pressed", "true")
    fingers.tap(1, 1)
    game.expect_tile(1, 1, "F")
    fingers.hold(0, 0, "1")
    game.tool("Flag mode").tap()
    fingers.tap(5, 0)
    game.expect_revealed(5, 0)


@pytest.mark.parametrize("tool", ["May I guess?", "Hint"])
def test_advice_is_in_sight_after_the_other_tools_were_shown(garden: tuple[GamePage, Fingers], tool: str) -> None:
    game, fingers = garden
    fingers.tap(5, 0)
    game.expect_revealed(5, 0)
    game.tool("More").tap()
    expect(game.tool("More")).to_have_attribute("aria-expanded", "true")
    game.tool(tool).tap()
    note = game.page.locator(".note")
    expect(note).to_contain_text(tool)
    expect(game.tool("More")).to_have_attribute("aria-expanded", "false")
    bottom = note.evaluate("(note) => note.getBoundingClientRect().bottom")
    assert bottom <= game.page.locator(".tools").evaluate("(tools) => tools.getBoundingClientRect().top")


def test_a_pan_moves_the_board_and_makes_no_move(visit: Visit) -> None:
    game, fingers = on_phone(visit, LARGE)
    before = game.cell(20, 20).bounding_box()
    x, y = game.middle_of(20, 20)
    fingers.drag([((x, y), (x - 120, y - 90))])
    after = game.cell(20, 20).bounding_box()
    assert before is not None
    assert after is not None
    assert after["x"] < before["x"] - 50
    _nothing_but_a_flag(game, fingers)


def test_a_pinch_makes_cells_larger_and_no_move(visit: Visit) -> None:
    game, fingers = on_phone(visit, LARGE)
    before = game.cell(20, 20).bounding_box()
    x, y = game.middle_of(20, 20)
    fingers.drag([((x - 20, y - 10), (x - 50, y - 30)), ((x + 20, y + 10), (x + 50, y + 30))])
    after = game.cell(20, 20).bounding_box()
    assert before is not None
    assert after is not None
    assert after["width"] > before["width"] * 1.5
    fingers.drag([((x - 50, y - 30), (x - 15, y - 10)), ((x + 50, y + 30), (x + 15, y + 10))])
    again = game.cell(20, 20).bounding_box()
    assert again is not None
    assert again["width"] < after["width"]
    _nothing_but_a_flag(game, fingers)


def test_a_second_finger_that_comes_down_later_makes_a_pinch_of_it(garden: tuple[GamePage, Fingers]) -> None:
    game, fingers = garden
    one, two = game.middle_of(0, 0), game.middle_of(4, 4)
    fingers.say("touchStart", [one])
    fingers.say("touchStart", [one, two])
    fingers.say("touchEnd", [one])
    fingers.say("touchEnd", [])
    _nothing_but_a_flag(game, fingers)


def _nothing_but_a_flag(game: GamePage, fingers: Fingers) -> None:
    """No move was made: the first one is a flag that is set now, and answered after any that was made before."""
    x, y = game.page.evaluate(_IN_SIGHT)
    fingers.hold(x, y, "F")
    rows = game.rows
    assert "".join(rows).count("F") == 1
    assert set("".join(rows)) == {"#", "F"}


_IN_SIGHT = """() => {
    const grid = document.querySelector('[role=grid]');
    const [one, two] = [grid, grid.parentElement].map((element) => element.getBoundingClientRect());
    const x = (Math.max(0, one.left, two.left) + Math.min(innerWidth, one.right, two.right)) / 2;
    const y = (Math.max(0, one.top, two.top) + Math.min(innerHeight, one.bottom, two.bottom)) / 2;
    const cell = document.elementFromPoint(x, y);
    const rows = [...document.querySelectorAll('[role=row]')];
    return [[...cell.parentElement.children].indexOf(cell), rows.indexOf(cell.parentElement)];
}"""
