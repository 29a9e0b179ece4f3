"""Every key and every click of the game, by Textual's pilot. Seed 1 on Beginner: e5 opens 43 cells."""

from pathlib import Path

import pytest

from sapper.core.coordinates import column_name
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.errors import RequestError, StoreError
from sapper.play.events import GameEvent
from sapper.play.played_game import Ask
from sapper.session.inputs import Verb
from sapper.store.late_store import LateStore
from sapper.store.repository import Store
from sapper.tui.board_view import BoardView
from sapper.tui.game_screen import TICK
from sapper.tui.look import ACTIONS, SAFE, PlayLook, bound, key_names
from sapper.tui.menu_screen import MenuScreen
from sapper.tui.text_screens import TextScreen, help_screen
from tests.terminal_game import Shown, shown


def _tile(on: Shown, x: int, y: int) -> Tile:
    return on.view.board.tile(on.view.board.grid.cell(x, y))


async def test_keys_play() -> None:
    async with shown() as on:
        await on.press("1")
        assert on.at() == (4, 4)
        assert on.text("boxes").startswith("time: 0s   mines: 10   flags: 0   left: 10   Beginner")
        await on.press("f")
        assert _tile(on, 4, 4) is Tile.FLAGGED
        assert "flags: 1   left: 9" in on.text("boxes")
        await on.press("space")
        assert _tile(on, 4, 4) is Tile.FLAGGED
        await on.press("f", "space")
        assert on.play.game.session.board.revealed_count == 43
        assert on.rows()[4].startswith("1 1 1       1")
        await on.press("u")
        assert on.view.board.revealed_count == 0
        await on.press("ctrl+r")
        assert on.view.board.revealed_count == 43
        await on.press("r")
        await on.said("this game would be given up")
        assert on.view.board.revealed_count == 43
        await on.press("j", "r")
        assert on.view.board.revealed_count == 43, "another key in between takes the question back"
        await on.press("r")
        assert on.play.game.session.assistance.restarts == 1
        assert on.view.board.revealed_count == 0


async def test_a_chord_needs_its_flags() -> None:
    async with shown() as on:
        await on.press("1", "space", "g", "g", "0", "1", "l", "j", "j")
        assert on.at() == (1, 2)
        await on.press("c")
        await on.said("a chord on b3 needs 1 flag beside it")
        await on.press("k", "l", "f", "j", "c")
        assert on.at() == (2, 2)
        assert _tile(on, 3, 1).is_clue
        assert on.play.status is Status.PLAYING
        await on.press("u", "space")
        assert _tile(on, 3, 1).is_clue, "on a clue the key of reveal chords"


async def test_motions_counts_and_search() -> None:
    async with shown() as on:
        await on.press("3", "space")
        places = {
            "4,h": (11, 8), "3,right": (14, 8), "2,k": (14, 6), "down": (14, 7), "0": (0, 7), "1,0,l": (10, 7), "$": (29, 7),
            "g,g": (29, 0), "G": (29, 15), "5,G": (29, 4), "7,g": (29, 6), "home": (0, 6), "end": (29, 6), "left": (28, 6),
            "up": (28, 5), "j": (28, 6), "l": (29, 6),
        }  # fmt: skip
        for keys, place in places.items():
            await on.press(*(key if key != "$" else "dollar_sign" for key in keys.split(",")))
            assert on.at() == place, keys
        await on.press("n")
        first = on.view.cursor
        assert 0 < on.view.board.tiles[first] <= 8
        await on.press("tab", "N")
        assert on.view.cursor == first
        await on.press("slash", "2")
        assert on.view.board.tiles[on.view.cursor] == 2
        await on.press("slash", "8")
        await on.said("no 8 on the board")


async def test_hint_guess_chances_and_less_flags() -> None:
    async with shown() as on:
        await on.press("1", "space", "e")
        await on.said("No need to guess")
        assert "assisted" in on.text("boxes")
        await on.press("i")
        await on.said("b3 says 1 and has only 1 covered neighbour left: c2 is a mine.", "d2 is safe.")
        grid = on.view.board.grid
        assert on.view.hinted == {grid.cell(3, 1): SAFE}
        assert on.rows()[1][6:8] == "·+"
        assert on.view.read == {grid.cell(2, 2)}
        await on.press("o")
        await on.until(lambda: "win " in on.text("boxes"))
        assert on.rows()[1].startswith("1 2 !!ok")
        await on.press("o")
        assert on.view.risks == {}
        assert "win " not in on.text("boxes")
        await on.press("m")
        await on.press("slash", "number_sign")
        before = on.rows()
        await on.press("f")
        assert on.rows() != before
        assert on.play.game.session.assistance.hints == 2


async def test_clues_less_their_flags_mark_a_game_as_the_page_does() -> None:
    async with shown() as on:
        await on.press("1", "m")
        assert not on.play.game.session.assistance.aided, "it has not begun"
        await on.press("space")
        await on.until(lambda: on.play.game.session.assistance.aided)
        assert "assisted" in on.text("boxes")
        await on.press("n", "space")
        await on.until(lambda: on.play.game.session.assistance.aided)


async def test_a_mark_that_was_not_sent_is_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async with shown() as on:
        await on.press("1", "m")
        do, refused = on.play.do, list[Ask]()

        def lost(ask: Ask, cell: int = 0) -> list[GameEvent]:
            if ask is Verb.AID:
                refused.append(ask)
                raise RequestError("busy", "the server cannot be reached")
            return do(ask, cell)

        monkeypatch.setattr(on.play, "do", lost)
        await on.press("space")
        await on.until(lambda: bool(refused))
        assert not on.play.game.session.assistance.aided
        # It is sent, and no answer comes: the next change of the board asks once more.
        sent: list[int] = []

        def unheard(ask: Ask, cell: int = 0) -> list[GameEvent]:
            if ask is Verb.AID:
                sent.append(on.play.game.number)
                return []
            return do(ask, cell)

        monkeypatch.setattr(on.play, "do", unheard)
        await on.until(lambda: bool(sent))
        await on.pilot.pause(2 * TICK)
        assert len(sent) == 1
        monkeypatch.undo()
        await on.press("slash", "number_sign", "f")
        await on.until(lambda: on.play.game.session.assistance.aided)


CODE = "modern#9x9x10.16554661266756737024.f4-4.g1.dw60"


@pytest.mark.parametrize("has_colours", [True, False])
async def test_a_hint_puts_the_cursor_on_a_safe_cell(has_colours: bool) -> None:
    async with shown(look=PlayLook(has_colours=has_colours)) as on:
        await on.press("o", *CODE, "enter")
        await on.press("space", "i")
        await on.said("d3 is a mine, g3, g4 and g5 are safe.")
        assert on.at() == (6, 2)
        row = on.rows()[2]
        assert (row[6:8], row[12:14]) == ("·*", "·+"), "mines and safe cells have signs of their own"
        styles = [on.view._cell(on.view.board.grid.cell(x, y))[1] for x, y in ((3, 2), (6, 3))]
        assert styles[0] != styles[1]
        await on.press("space")
        assert on.play.status is Status.PLAYING
        assert _tile(on, 6, 2).is_clue


async def test_caps_lock_takes_no_hint() -> None:
    async with shown() as on:
        await on.press("1", "space", "H")
        assert on.at() == (3, 4)
        await on.press("J", "K", "L", "F")
        assert on.at() == (4, 4)
        assert on.play.game.session.assistance.hints == 0


@pytest.mark.parametrize(
    ("size", "game", "times"),
    [((40, 12), "1", 1), ((80, 24), "1", 2), ((80, 24), "3", 1), ((200, 60), "1", 4), ((200, 60), "3", 3)],
)
async def test_cells_are_named_and_as_large_as_fit(size: tuple[int, int], game: str, times: int) -> None:
    async with shown(size=size) as on:
        await on.press(game, "G", "end")
        await on.pilot.pause()
        view, grid = on.view, on.view.board.grid
        assert view._times == times
        (before, above), lines = view._corner, on.lines()
        free = view.size.width - before - view._gutter - grid.width * view._wide
        assert before in (free, free - 1, 0), "it lies in the middle"
        last = column_name(grid.width - 1)
        assert last in lines[above].split()
        column, line = on.place(grid.width - 1, grid.height - 1)
        assert lines[line][before : before + view._gutter].strip() == str(grid.height)
        assert lines[above][column : column + len(last)] == last
        assert view.cell_at(column, line) == grid.size - 1


async def test_pause_hides_the_board_and_stops_the_clock() -> None:
    async with shown() as on:
        await on.press("1", "space", "o")
        await on.until(lambda: "win " in on.text("boxes"))
        await on.press("p")
        await on.said("paused: p goes on")
        assert "paused" in on.text("boxes")
        assert "flags" not in on.text("boxes")
        assert on.view.board.revealed_count == 0
        await on.press("i")
        await on.said("the game is paused")
        assert "win " not in on.text("boxes")
        await on.press("p")
        assert on.view.board.revealed_count == 43


async def test_the_end_stays_to_be_looked_at_and_is_judged() -> None:
    async with shown() as on:
        await on.press("1", "space")
        await on.click(2, 1)
        await on.said("Game over", "c2, was certain to meet a mine, and it was needless", "code: modern#9x9x10.1.f4-4")
        assert "GAME OVER" in on.text("boxes")
        assert _tile(on, 2, 1) is Tile.EXPLODED
        assert on.view.board.tiles.count(Tile.MINE) == 9
        await on.press("l", "i")
        await on.said("the game is over: it was lost")
        await on.press("u")
        assert on.play.status is Status.PLAYING
        assert on.view.board.tiles.count(Tile.MINE) == 0
        await on.press("E")
        await on.said("E again gives the game up")
        await on.press("E")
        await on.said("Given up")
        await on.press("a")
        await on.said("another game; u takes that back")
        assert on.play.is_untouched
        await on.press("u")
        assert on.play.board.status.value == "terminated"


async def test_an_end_that_cannot_be_kept_is_said() -> None:
    async with shown() as on:

        def full() -> Store:
            raise StoreError("the disk is full")

        on.play.archive.store = LateStore(full)
        await on.press("1", "space", "E", "E")
        await on.said("Given up", "This end is not saved yet: the disk is full.")


async def test_a_won_game_is_recorded_and_nothing_is_left_to_go_on_with(tmp_path: Path) -> None:
    async with shown(database=tmp_path / "games.db") as on:
        await on.press("1", "space")
        layout = on.play.game.referee.layout
        assert layout is not None
        safe = [cell for cell in range(81) if cell not in layout.mines and on.view.board.tiles[cell] == Tile.COVERED]
        for cell in safe[1:]:
            on.play.do(Verb.LEFT, cell)
        cell = next(cell for cell in safe if on.play.board.tiles[cell] == Tile.COVERED)
        await on.click(*on.view.board.grid.xy(cell))
        assert "WON" in on.text("boxes")
        await on.said("Victory", "code: ")
        on.play.archive.flush()
        assert on.play.archive.unfinished() == []
        assert [game.result.value for game in on.play.archive.latest()] == ["won"]


async def test_the_mouse_reveals_flags_and_chords() -> None:
    async with shown() as on:
        await on.press("1")
        await on.click(4, 4)
        assert on.view.board.revealed_count == 43
        await on.click(2, 1, button=3)
        assert _tile(on, 2, 1) is Tile.FLAGGED
        await on.click(2, 2, button=2)
        assert _tile(on, 3, 1).is_clue
        await on.press("u")
        await on.click(2, 2)
        assert _tile(on, 3, 1).is_clue
        await on.press("u")
        await on.click(2, 2, shift=True)
        assert _tile(on, 3, 1).is_clue
        await on.click(2, 1, button=3)
        assert _tile(on, 2, 1) is Tile.COVERED
        revealed = on.view.board.revealed_count
        await on.pilot.click(offset=(97, 20))
        assert on.view.board.revealed_count == revealed, "beside the board there is no cell"


async def test_a_new_game_is_asked_about_only_where_it_would_lose_one(tmp_path: Path) -> None:

    async with shown(database=tmp_path / "games.db") as on:
        await on.press("1", "space")
        first = on.play.game
        await on.press("a")
        assert on.play.game is not first
        await on.press("u")
        assert on.play.game is first
        assert on.view.board.revealed_count == 43
    async with shown() as on:
        await on.press("1", "space", "a")
        first = on.play.game
        await on.said("this game would be lost")
        await on.press("a")
        assert on.play.game is not first


async def test_a_board_without_guesses_is_looked_for_and_the_keys_wait() -> None:
    async with shown() as on:
        await on.press("n", "3", "space")
        await on.until(lambda: on.view.board.revealed_count > 0)
        await on.until(lambda: "looking for" not in on.text("said"))
        assert "no guess" in on.text("boxes")


async def test_every_size_of_terminal_has_the_cursor_in_sight() -> None:
    async with shown() as on:
        await on.press("c", *"100x100/1500", "enter")
        await on.press("space")
        for width, height in ((20, 8), (60, 15), (250, 110), (12, 5), (80, 24)):
            await on.pilot.resize_terminal(width, height)
            await on.pilot.pause()
            for keys in (("G", "dollar_sign"), ("g", "g", "0"), ("5", "0", "G", "4", "0", "l")):
                await on.press(*keys)
                x, y = on.at()
                column, line = on.place(x, y)
                assert on.view._gutter <= column < on.view.size.width, "beside the numbers"
                assert on.view._head <= line < on.view.size.height, "below the letters"
                assert on.view._head == (on.view.size.height > 3), "a line of cells is worth more than their names"
                if on.view._head:
                    assert column_name(x) in on.lines()[on.view._corner[1]].split()
                assert on.lines()[line].split()[0] == str(y + 1)
        left, top = on.view.scroll_offset
        assert (left, top) != (0, 0)
        await on.click(left // 2 + 3, top + 3, button=3)
        assert on.at() == (left // 2 + 3, top + 3)
        await on.pilot.click(BoardView, offset=(1, 5))
        await on.pilot.click(BoardView, offset=(9, 0))
        assert on.at() == (left // 2 + 3, top + 3), "names are no cells"


async def test_what_is_said_leaves_room_for_the_board() -> None:
    async with shown() as on:
        await on.press("1", "space", "i")
        await on.said("is safe.")
        await on.pilot.resize_terminal(20, 6)
        await on.until(lambda: 2 <= on.view.size.height < 6)


async def test_a_click_far_to_the_right_is_for_the_cell_there() -> None:
    async with shown(size=(320, 20)) as on:
        await on.press("c", *"150x10/100", "enter")
        await on.click(140, 3, button=3)
        assert on.at() == (140, 3)
        assert _tile(on, 140, 3) is Tile.FLAGGED


async def test_keys_are_those_of_the_settings() -> None:
    names = {"flag": ("x",), "reveal": ("f",)}
    look = PlayLook(keys=bound(names), names=key_names(names))
    async with shown(look=look) as on:
        await on.press("1", "x")
        assert _tile(on, 4, 4) is Tile.FLAGGED
        await on.press("x", "f")
        assert on.view.board.revealed_count == 43


async def test_help_menu_and_quit() -> None:
    async with shown() as on:
        await on.press("1", "space", "question_mark")
        assert isinstance(on.pilot.app.screen, TextScreen)
        await on.press("escape")
        await on.press("escape")
        assert isinstance(on.pilot.app.screen, MenuScreen)
        await on.press("b")
        assert on.view.board.revealed_count == 43
        await on.press("q")
        assert on.pilot.app._exit


def test_the_help_has_every_action() -> None:
    lines = help_screen(PlayLook(), keeps=True)._lines
    assert len([line for line in lines[: len(ACTIONS)] if line]) == len(ACTIONS)
