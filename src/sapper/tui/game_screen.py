"""A game on the screen: the board, the boxes above it, what is said below it, and every key."""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from typing import ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Static

from sapper.core.cells import Cell
from sapper.core.coordinates import cell_name
from sapper.core.status import Status
from sapper.errors import SapperError
from sapper.play.events import (
    ChancesFound,
    Changed,
    GameEnded,
    GameEvent,
    HintFound,
    Judged,
    MayGuessFound,
    Refused,
    Working,
)
from sapper.play.jobs import FoundHint
from sapper.play.played_game import Ask, Question
from sapper.session.events import What
from sapper.session.inputs import Verb
from sapper.solver.words import percent
from sapper.tui.advice import (
    MOST_CELLS,
    TOO_MANY,
    hint_signs,
    hint_target,
    hint_words,
    last_move_words,
    may_guess_words,
    short_win_words,
)
from sapper.tui.board_view import BoardView, found, moved
from sapper.tui.choice_list import FittedLine, LinePart
from sapper.tui.look import PlayLook, key_label
from sapper.tui.playing import GameShown, Play
from sapper.tui.text_screens import help_screen

TICK: Final = 0.25
"""Seconds between two looks at the clock."""
_BUSY: Final = "looking for a board that needs no guess …"


KEYS: Final = {
    "help": 0, "menu": 3, "reveal": 1, "flag": 2, "chord": 4, "undo": 6, "hint": 5, "chances": 9, "new": 7, "restart": 8,
}  # fmt: skip
"""The actions of the last line, and how soon each is left out where not all fit."""


class GameScreen(Screen[None]):
    """The game that is played."""

    menu_does: ClassVar = "menu"
    """What the key of the menu does."""

    DEFAULT_CSS = """
    GameScreen > #boxes { height: 1; padding: 0 1; background: $panel; color: $text; }
    GameScreen > #boxes.won { background: $success; color: $text; }
    GameScreen > #boxes.lost { background: $error; color: $text; }
    GameScreen > #said { height: auto; max-height: 40%; min-height: 2; padding: 0 1; }
    GameScreen > #keys { height: 1; padding: 0 1; background: $panel; color: $text-muted; }
    """

    def __init__(self, play: Play, look: PlayLook) -> None:
        super().__init__()
        self._play = play
        self._look = look
        self._count = ""
        self._first_of_two = False
        """Whether `top` was pressed once: twice is one motion."""
        self._searches = False
        self._asked: str | None = None
        """The action that loses something, if it was asked for once."""
        self._hint: tuple[GameShown, FoundHint] | None = None
        """The last one, and its game: of one that a saved game was left with only the cells are known."""
        self._chance_words = ""
        self._text = ""
        """What is said."""
        self._unsaved: str | None = None
        """What is said of a game that is not saved yet."""
        self._best: int | None = None
        """The best time of the kind of game that has ended, in milliseconds."""
        self._boxes_shown: list[LinePart] = []
        self._less_flags = look.less_flags
        self._marked: tuple[str, int] | None = None
        """The game that was to be marked last, and its number then: an answer that does not come is asked for again after the next change."""

    @property
    def game(self) -> GameShown:
        return self._play.game

    def compose(self) -> ComposeResult:
        look = self._look
        yield FittedLine(id="boxes")
        yield BoardView(self._play.board, look.colours(self.app.console.color_system), has_colours=look.has_colours)
        yield Static(id="said", markup=False)
        keys = [
            LinePart(f"{key_label(look.names[name][0])} {self.menu_does if name == 'menu' else name}", rank)
            for name, rank in KEYS.items()
        ]
        yield FittedLine(keys, id="keys", between="  ")

    def on_mount(self) -> None:
        self._view.focus()
        middle = self.game.session.grid
        self._view.move_to(middle.cell(middle.width // 2, middle.height // 2))
        self.set_interval(TICK, self._tick)
        self.call_after_refresh(self._play.archive.begin)
        self._play.on_later = self._tell
        self._show_all()
        self._ask(Question.STATE)

    def on_unmount(self) -> None:
        """Events that come later are not shown."""
        self._play.on_later = lambda _: None

    @property
    def _view(self) -> BoardView:
        return self.query_one(BoardView)

    # --- what is shown -----------------------------------------------------------------------------------------

    def _show_all(self) -> None:
        self._view.less_flags = self._less_flags and self._play.allows_aids
        self._view.show(self._play.board)
        self._view.lay_over(hinted=self._hinted)
        self._show_boxes()

    @property
    def _hinted(self) -> dict[Cell, str]:
        if self._hint is None or self._hint[0] is not self.game or self._hint[1].cells != self.game.session.overlay:
            return {}
        return hint_signs(self._hint[1])

    def _tick(self) -> None:
        self._show_boxes()
        if self._unsaved is not None and self._play.unsaved is None:
            said, self._unsaved = self._unsaved, None
            if self._text == said:
                self._say("")
            elif said in self._text and self._play.status.ended:
                self._say_end()

    def _show_boxes(self) -> None:
        session, status = self.game.session, self._play.status
        flags = session.board.flag_count
        parts = [
            LinePart(f"time: {self._play.seconds}s", 1), LinePart(f"mines: {session.mine_count}", 3),
            LinePart(f"flags: {flags}", 4), LinePart(f"left: {session.mine_count - flags}", 5),
            LinePart(self.game.title, 7),
        ]  # fmt: skip
        if session.is_paused:
            del parts[2:4]  # a hidden board shows no flags
        state = {Status.WON: "WON", Status.LOST: "GAME OVER", Status.TERMINATED: "given up"}.get(status)
        if session.is_paused:
            state = "paused"
        parts += [LinePart(state, 0)] if state else []
        parts += [LinePart(self._chance_words, 2)] if self._chance_words else []
        parts += [LinePart("assisted", 6)] if session.assistance.is_assisted else []
        if parts != self._boxes_shown:
            self._boxes_shown = parts
            boxes = self.query_one("#boxes", FittedLine)
            boxes.tell(parts)
            boxes.set_class(status is Status.WON, "won")
            boxes.set_class(status is Status.LOST, "lost")
        self._mark_aided()

    def _mark_aided(self) -> None:
        """Clues less their flags mark the game once it has begun, as on the page of the web server."""
        session = self.game.session
        marked = self.game.key, self.game.number
        plays = session.status is Status.PLAYING and not session.is_paused
        if not self._view.less_flags or not plays or session.assistance.aided or marked == self._marked:
            return
        with contextlib.suppress(SapperError):  # said when a move is not made; the next tick asks again
            events = self._play.do(Verb.AID)
            self._marked = marked
            self._tell(events)

    def _say(self, text: str) -> None:
        self._text = text
        self.query_one("#said", Static).update(text)

    # --- keys ----------------------------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
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
        doers: dict[str, Callable[[], None]] = {
            "reveal": lambda: self._ask(Verb.LEFT, self._view.cursor),
            "flag": lambda: self._ask(Verb.RIGHT, self._view.cursor),
            "chord": lambda: self._ask(Verb.CHORD, self._view.cursor),
            "undo": self._undo,
            "redo": lambda: self._ask(Verb.REDO),
            "hint": lambda: self._ask(Verb.HINT, says="thinking …"),
            "guess": lambda: self._ask(Question.MAY_GUESS, says="thinking …"),
            "chances": self._switch_chances,
            "less_flags": self._switch_less_flags,
            "pause": lambda: self._ask(Verb.GO_ON if self.game.session.is_paused else Verb.PAUSE),
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
        self._view.move_to(event.cell)
        verb = Verb.RIGHT if event.button == 3 else Verb.LEFT
        self._ask(Verb.CHORD if event.chords else verb, event.cell)

    # --- what happens ----------------------------------------------------------------------------------------------

    def _ask(self, ask: Ask, cell: int = 0, *, says: str = "") -> None:
        self._say(says)
        with self._saying_errors():
            self._tell(self._play.do(ask, cell))

    @contextlib.contextmanager
    def _saying_errors(self) -> Iterator[None]:
        try:
            yield
        except SapperError as error:
            self._say(str(error))

    def _tell(self, events: list[GameEvent]) -> None:
        for event in events:
            match event:
                case Changed():
                    self._show_change(event)
                case Working():
                    self._say(_BUSY)
                case GameEnded():
                    self._best = None
                    self._show_all()  # a server tells the mines with the end, after the last change
                    self._say_end()
                    self.run_worker(self._find_best(), exclusive=True)
                case Judged():
                    self._say_end()
                case HintFound():
                    self._show_hint(event)
                case MayGuessFound():
                    self._show_boxes()
                    self._say(may_guess_words(event.answer))
                case ChancesFound():
                    self._chance_words = short_win_words(event.chances)
                    self._view.lay_over(risks=event.chances.risks or {})
                    self._show_boxes()
                case Refused():
                    self._say(str(event.error))

    def _show_change(self, event: Changed) -> None:
        if event.what in (What.HINTED, What.OVERLAY):
            return
        if self._text == _BUSY:
            self._say("")
        self._view.lay_over(read=())
        session = self.game.session
        if event.update.is_empty and not event.update.status.ended:
            self._show_boxes()
            return
        if not session.shows_chances or session.is_paused or event.update.status.ended:
            self._view.lay_over(risks={})
            self._chance_words = ""
        self._show_all()
        self._unsaved = self._play.unsaved
        if self._unsaved is not None:
            self._say(self._unsaved)
        if event.what is What.PAUSED:
            self._say(f"paused: {self._look.names['pause'][0]} goes on")

    def _show_hint(self, event: HintFound) -> None:
        self._show_boxes()
        if event.number != self.game.number:
            return  # about a board that is no more
        self._hint = (self.game, event.hint)
        clues = event.hint.steps[-1].clues if event.hint.steps else ()
        self._view.lay_over(hinted=self._hinted, read=clues)
        target = hint_target(event.hint)
        if target is not None:
            self._view.move_to(target)
        self._say("\n".join(hint_words(event.hint)))

    def _say_end(self) -> None:
        session, status, names = self.game.session, self._play.status, self._look.names
        won = {Status.WON: "Victory", Status.LOST: "Game over"}.get(status, "Given up")
        keys = f"{names['new'][0]} another, {names['restart'][0]} the same board, {names['review'][0]} review, {names['undo'][0]} undo, {key_label(names['menu'][0])} {self.menu_does}"
        lines = [
            f"{won}, {session.elapsed / 1000:.1f} s. {keys if status is Status.LOST else keys.replace(names['undo'][0] + ' undo, ', '')}",
            self._play.unsaved,
            last_move_words(self.game),
            None if self._best is None else f"best time: {self._best / 1000:.1f} s",
            None if session.code is None else f"code: {session.code}",
        ]
        self._say("\n".join(line for line in lines if line is not None))

    async def _find_best(self) -> None:
        game = self.game
        _, _, best = await asyncio.to_thread(self._play.archive.totals, game.kind)
        if game is self.game and self._play.status.ended:
            self._best = best
            self._say_end()

    # --- other games -------------------------------------------------------------------------------------------------

    def _undo(self) -> None:
        self._say("")
        with self._saying_errors():
            events = self._play.undo()
            if events is None:
                self._took_up("back to the game before")
            else:
                self._tell(events)

    def _restart(self, *, sure: bool) -> None:
        if self._play.status is Status.PLAYING and not sure:
            self._asked = "restart"
            self._say(f"this game would be given up: {self._look.names['restart'][0]} again does so")
            return
        self._ask(Verb.RESTART)

    def _end(self, *, sure: bool) -> None:
        if not sure and not self._play.status.ended:
            self._asked = "end"
            self._say(f"{self._look.names['end'][0]} again gives the game up")
            return
        self._ask(Verb.TERMINATE)

    def _new(self, *, sure: bool) -> None:
        if self._play.loses_by_new and not sure:
            self._asked = "new"
            self._say(f"this game would be lost, since nothing can be kept: {self._look.names['new'][0]} again does so")
            return
        with self._saying_errors():
            self._play.new()
            self._took_up(f"another game; {self._look.names['undo'][0]} takes that back")

    def _took_up(self, words: str) -> None:
        self._chance_words = ""
        self._view.lay_over(risks={}, read=())
        self._show_all()
        self._ask(Question.STATE, says=words)

    def _menu(self) -> None:
        self._play.leave()
        _ = self.app.pop_screen()

    def _review(self) -> None:
        record = self._play.record() if self._play.status.ended and self.game.session.played else None
        if record is None:
            self._say("a review is for a game that has ended")
            return
        from sapper.tui.review_screen import ReviewScreen  # noqa: PLC0415  # what it needs would keep the game waiting

        _ = self.app.push_screen(ReviewScreen(record, self._look, title=self.game.title))

    def _help(self) -> None:
        _ = self.app.push_screen(help_screen(self._look, keeps=self._play.archive.keeps, menu_does=self.menu_does))

    def _switch_less_flags(self) -> None:
        if not self._play.allows_aids:
            self._say("clues are not shown less their flags under these rules, nor on a board of the day")
            return
        self._less_flags = self._view.less_flags = not self._less_flags
        self._view.show(self._play.board, anew=True)
        self._show_boxes()

    def _switch_chances(self) -> None:
        if self.game.session.shows_chances:
            self._ask(Verb.NO_OVERLAY)
            self._chance_words = ""
            self._view.lay_over(risks={})
            self._show_boxes()
        elif self.game.grid.size > MOST_CELLS:
            self._say(TOO_MANY)
        else:
            self._ask(Verb.OVERLAY)

    def on_board_view_hovered(self, event: BoardView.Hovered) -> None:
        """The pointer is over a cell: its chance in words, where chances are shown."""
        risk = None if event.cell is None else self._view.risks.get(event.cell)
        if event.cell is not None and risk is not None:
            self._say(f"{cell_name(self.game.session.grid, event.cell)}: {percent(risk)} a mine")
