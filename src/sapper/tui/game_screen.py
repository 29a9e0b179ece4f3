"""A game on the screen: the board, the boxes above it, what is said below it, and every key.

Knows: keys and counts, what each action does to a game, what thinks in the background.
Does not know: how a board is drawn, how games are kept.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Static

from sapper.core.coordinates import cell_name
from sapper.core.status import Status
from sapper.core.update import Update
from sapper.errors import SapperError
from sapper.solver.words import percent
from sapper.tui.advice import advise, chances_of, may_guess
from sapper.tui.board_view import BoardView
from sapper.tui.fitted_line import FittedLine, LinePart
from sapper.tui.help_screen import help_screen
from sapper.tui.local_game import LocalGame
from sapper.tui.local_play import LocalPlay
from sapper.tui.look import PlayLook, key_label
from sapper.tui.motions import found, moved

TICK: Final = 0.25
"""Seconds between two looks at the clock."""
_BUSY: Final = "looking for a board that needs no guess …"


KEYS: Final = {
    "help": 0, "menu": 3, "reveal": 1, "flag": 2, "chord": 4, "undo": 6, "hint": 5, "chances": 9, "new": 7, "restart": 8,
}  # fmt: skip
"""The actions of the last line, and how soon each is left out where not all fit."""


class GameScreen(Screen[None]):
    """The game that is played."""

    DEFAULT_CSS = """
    GameScreen > #boxes { height: 1; padding: 0 1; background: $panel; color: $text; }
    GameScreen > #boxes.won { background: $success; color: $text; }
    GameScreen > #boxes.lost { background: $error; color: $text; }
    GameScreen > #said { height: auto; max-height: 40%; min-height: 2; padding: 0 1; }
    GameScreen > #keys { height: 1; padding: 0 1; background: $panel; color: $text-muted; }
    """

    def __init__(self, play: LocalPlay, look: PlayLook) -> None:
        super().__init__()
        self._play = play
        self._look = look
        self._count = ""
        self._first_of_two = False
        """Whether `top` was pressed once: twice is one motion."""
        self._searches = False
        self._asked: str | None = None
        """The action that loses something, if it was asked for once."""
        self._is_busy = False
        self._chance_words = ""
        self._boxes_shown: list[LinePart] = []

    @property
    def game(self) -> LocalGame:
        """The game that is played."""
        return self._play.game

    def compose(self) -> ComposeResult:
        """Boxes, board, what is said, keys."""
        look = self._look
        yield FittedLine(id="boxes")
        yield BoardView(self.game.board, look.colours(self.app.console.color_system), has_colours=look.has_colours)
        yield Static(id="said", markup=False)
        keys = [LinePart(f"{key_label(look.names[name][0])} {name}", rank) for name, rank in KEYS.items()]
        yield FittedLine(keys, id="keys", between="  ")

    def on_mount(self) -> None:
        """Show the game as it is."""
        self._view.less_flags = self._look.less_flags
        self._view.focus()
        middle = self.game.session.grid
        self._view.move_to(middle.cell(middle.width // 2, middle.height // 2))
        self.set_interval(TICK, self._show_boxes)
        self._show_all()
        if self.game.session.shows_chances:
            self._follow_chances()

    @property
    def _view(self) -> BoardView:
        return self.query_one(BoardView)

    # --- what is shown -----------------------------------------------------------------------------------------

    def _show_all(self) -> None:
        self._view.show(self.game.board)
        self._view.lay_over(hinted=self.game.hinted)
        self._show_boxes()

    def _show_boxes(self) -> None:
        game, session = self.game, self.game.session
        parts = [
            LinePart(f"time: {game.seconds}s", 1), LinePart(f"mines: {session.mine_count}", 3),
            LinePart(f"flags: {session.board.flag_count}", 4), LinePart(f"left: {game.mines_left}", 5),
            LinePart(game.title, 7),
        ]  # fmt: skip
        state = {Status.WON: "WON", Status.LOST: "GAME OVER", Status.TERMINATED: "given up"}.get(game.status)
        if session.is_paused:
            state = "paused"
        parts += [LinePart(state, 0)] if state else []
        parts += [LinePart(self._chance_words, 2)] if self._chance_words else []
        parts += [LinePart("assisted", 6)] if session.assistance.is_assisted else []
        if parts != self._boxes_shown:
            self._boxes_shown = parts
            boxes = self.query_one("#boxes", FittedLine)
            boxes.tell(parts)
            boxes.set_class(game.status is Status.WON, "won")
            boxes.set_class(game.status is Status.LOST, "lost")

    def _say(self, text: str) -> None:
        self.query_one("#said", Static).update(text)

    # --- keys ----------------------------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """A key: a tile to search, a digit of a count, or an action."""
        character = event.character
        if self._searches and character is not None and character.isprintable():
            event.stop()
            event.prevent_default()
            self._searches = False
            self._search(character)
            return
        if character is not None and character in "0123456789" and (character != "0" or self._count):
            event.stop()
            event.prevent_default()
            self._count = (self._count + character)[:6]
            return
        action = self._look.keys.get(event.key) or self._look.keys.get(character or "")
        if action is None:
            self._count, self._first_of_two, self._asked = "", False, None
            return
        event.stop()
        event.prevent_default()
        self.act(action)

    def act(self, action: str) -> None:
        """Do what a key is bound to, by the name of the setting."""
        count = int(self._count) if self._count else None
        asked, self._asked = self._asked, None
        was_first, self._first_of_two = self._first_of_two, False
        if action == "top" and count is None and not was_first:
            self._first_of_two = True
            return
        self._count = ""
        cell = moved(self.game.session.board, self._view.cursor, action, count)
        if cell is not None:
            self._view.move_to(cell)
            return
        if action in ("next_clue", "previous_clue"):
            self._say("every clue is finished")
            return
        if action == "search":
            self._searches = True
            self._say("search: 1 to 8, f, ? or #")
            return
        if self._is_busy and action not in ("quit", "menu", "help"):
            self._say(_BUSY)
            return
        doers: dict[str, Callable[[], None]] = {
            "reveal": lambda: self._click(self._view.cursor, self.game.left),
            "flag": lambda: self._click(self._view.cursor, self.game.right),
            "chord": lambda: self._click(self._view.cursor, self.game.chord),
            "undo": self._undo,
            "redo": lambda: self._do(self.game.redo),
            "hint": lambda: self._think(self._hint),
            "guess": lambda: self._think(self._may_guess),
            "chances": self._switch_chances,
            "less_flags": self._switch_less_flags,
            "pause": self._pause,
            "restart": lambda: self._restart(sure=asked == "restart"),
            "new": lambda: self._new(sure=asked == "new"),
            "end": lambda: self._end(sure=asked == "end"),
            "review": self._review,
            "menu": self._menu,
            "help": self._help,
            "quit": self.app.exit,
        }
        doers[action]()

    def _search(self, symbol: str) -> None:
        count = int(self._count) if self._count else 1
        self._count = ""
        cell = found(self.game.session.board, self._view.cursor, symbol, count)
        if cell is None:
            self._say(f"no {symbol} on the board")
        else:
            self._say("")
            self._view.move_to(cell)

    # --- the mouse -----------------------------------------------------------------------------------------------

    def on_board_view_clicked(self, event: BoardView.Clicked) -> None:
        """Left reveals or chords, right flags, the middle button or Shift chords."""
        self._asked, self._count, self._first_of_two = None, "", False
        if self._is_busy:
            self._say(_BUSY)
            return
        self._view.move_to(event.cell)
        act = self.game.right if event.button == 3 else self.game.left
        self._click(event.cell, self.game.chord if event.chords else act)

    # --- moves ---------------------------------------------------------------------------------------------------

    def _click(self, cell: int, act: Callable[[int], Update]) -> None:
        if self.game.needs_search and act != self.game.right:
            self._is_busy = True
            self._say(_BUSY)
            self.run_worker(self._searched(cell, act), exclusive=True)
            return
        self._do(lambda: act(cell))

    async def _searched(self, cell: int, act: Callable[[int], Update]) -> None:
        """A first reveal whose layout takes a search: nothing else is done to the game meanwhile."""
        try:
            update = await asyncio.to_thread(act, cell)
        except SapperError as error:
            self._say(str(error))
        else:
            self._say("")
            self._after(update)
        finally:
            self._is_busy = False

    def _do(self, act: Callable[[], Update]) -> None:
        try:
            update = act()
        except SapperError as error:
            self._say(str(error))
            return
        self._say("")
        self._after(update)

    def _after(self, update: Update) -> None:
        self._view.lay_over(read=())
        if update.is_empty and not update.status.ended:
            self._show_boxes()
            return
        if self.game.session.shows_chances and not self.game.status.ended:
            self._follow_chances()
        else:
            self._view.lay_over(risks={})
            self._chance_words = ""
        self._show_all()
        if self.game.status.ended and self.game.review is not None:
            self.run_worker(self._tell_end(), exclusive=True)

    async def _tell_end(self) -> None:
        game = self.game
        won = {Status.WON: "Victory", Status.LOST: "Game over"}.get(game.status, "Given up")
        names = self._look.names
        keys = f"{names['new'][0]} another, {names['restart'][0]} the same board, {names['review'][0]} review, {names['undo'][0]} undo, {key_label(names['menu'][0])} menu"
        words = f"{won}, {game.session.elapsed / 1000:.1f} s. {keys if game.status is Status.LOST else keys.replace(names['undo'][0] + ' undo, ', '')}"
        self._say("\n".join([words, *([game.unsaved] if game.unsaved else [])]))
        judged = await asyncio.to_thread(game.judged)
        _, _, best = await asyncio.to_thread(self._play.archive.totals, game.kind)
        if game is not self.game or not game.status.ended:
            return
        lines = [words, *(line for line in (game.unsaved, judged) if line)]
        if best is not None:
            lines.append(f"best time: {best / 1000:.1f} s")
        if game.code is not None:
            lines.append(f"code: {game.code}")
        self._say("\n".join(lines))

    def _undo(self) -> None:
        try:
            update = self._play.undo()
        except SapperError as error:
            self._say(str(error))
            return
        if update is None:
            self._took_up("back to the game before")
        else:
            self._say("")
            self._after(update)

    def _pause(self) -> None:
        self._do(self.game.pause)
        if self.game.session.is_paused:
            self._view.lay_over(risks={})
            self._chance_words = ""
            self._show_boxes()
            self._say(f"paused: {self._look.names['pause'][0]} goes on")

    def _restart(self, *, sure: bool) -> None:
        if self.game.status is Status.PLAYING and not sure:
            self._asked = "restart"
            self._say(f"this game would be given up: {self._look.names['restart'][0]} again does so")
            return
        self._do(self.game.restart)

    def _end(self, *, sure: bool) -> None:
        if not sure and not self.game.status.ended:
            self._asked = "end"
            self._say(f"{self._look.names['end'][0]} again gives the game up")
            return
        self._do(self.game.give_up)

    def _new(self, *, sure: bool) -> None:
        if self._play.loses_by_new and not sure:
            self._asked = "new"
            self._say(f"this game would be lost, since nothing can be kept: {self._look.names['new'][0]} again does so")
            return
        try:
            self._play.new()
        except SapperError as error:
            self._say(str(error))
            return
        self._took_up(f"another game; {self._look.names['undo'][0]} takes that back")

    def _took_up(self, words: str) -> None:
        """Another game is before the player."""
        self._chance_words = ""
        self._view.lay_over(risks={}, read=())
        self._show_all()
        self._say(words)
        if self.game.session.shows_chances:
            self._follow_chances()

    def _menu(self) -> None:
        self._play.leave()
        _ = self.app.pop_screen()

    def _review(self) -> None:
        game = self.game
        if not game.status.ended or not game.session.played:
            self._say("a review is for a game that has ended")
            return
        from sapper.tui.review_screen import ReviewScreen  # noqa: PLC0415  # what it needs would keep the game waiting

        _ = self.app.push_screen(ReviewScreen(game.session.record(), self._look, title=game.title))

    def _help(self) -> None:
        _ = self.app.push_screen(help_screen(self._look, keeps=self._play.archive.keeps))

    def _switch_less_flags(self) -> None:
        self._view.less_flags = not self._view.less_flags
        self._view.show(self.game.board, anew=True)

    # --- advice ----------------------------------------------------------------------------------------------------

    def _think(self, ask: Callable[[], Coroutine[None, None, None]]) -> None:
        try:
            self.game.check_running()
        except SapperError as error:
            self._say(str(error))
            return
        self._say("thinking …")
        self.run_worker(ask(), exclusive=True)

    async def _hint(self) -> None:
        game, board = self.game, self.game.session.board
        advice = await asyncio.to_thread(advise, board, self._play.advisor)
        if game is not self.game or board != game.session.board:
            return
        game.take_hint(advice)
        self._view.lay_over(hinted=advice.signs, read=advice.clues)
        if advice.target is not None:
            self._view.move_to(advice.target)
        self._show_boxes()
        self._say("\n".join(advice.sentences))

    async def _may_guess(self) -> None:
        board = self.game.session.board
        words = await asyncio.to_thread(may_guess, board)
        if board == self.game.session.board:
            self._say(words)

    def _switch_chances(self) -> None:
        game = self.game
        if game.session.shows_chances:
            game.show_chances(False)
            self._chance_words = ""
            self._view.lay_over(risks={})
            self._show_boxes()
            return
        try:
            game.check_running()
        except SapperError as error:
            self._say(str(error))
            return
        game.show_chances(True)
        self._follow_chances()

    def _follow_chances(self) -> None:
        self.run_worker(self._chances(), exclusive=True, group="chances")

    async def _chances(self) -> None:
        game, board = self.game, self.game.session.board
        if board.status.ended or game.session.is_paused:
            return
        chances = await asyncio.to_thread(chances_of, board)
        if game is not self.game or board != game.session.board or not game.session.shows_chances:
            return
        self._chance_words = "chances: too hard" if chances is None else chances.short
        self._view.lay_over(risks={} if chances is None else chances.risks)
        self._show_boxes()

    def on_board_view_hovered(self, event: BoardView.Hovered) -> None:
        """The pointer is over a cell: its chance in words, where chances are shown."""
        risk = None if event.cell is None else self._view.risks.get(event.cell)
        if event.cell is not None and risk is not None:
            self._say(f"{cell_name(self.game.session.grid, event.cell)}: {percent(risk)} a mine")
