"""A game that was played, move by move, and what could be known before each: the verdicts of `sapper.review` in words.

Moves are judged one after the other on another thread, while the screen is looked at.
"""

import asyncio
from collections.abc import Iterator
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Static

from sapper.core.board import Board
from sapper.core.coordinates import cell_name
from sapper.core.grid import Grid
from sapper.core.record import Record
from sapper.core.words import counted, joined
from sapper.play.jobs import CAP
from sapper.review.judging import iterate_reviews
from sapper.review.values import GameReview, MoveReview
from sapper.solver.advice import win_words
from sapper.solver.words import percent, points
from sapper.tui.board_view import BoardView
from sapper.tui.choice_list import FittedLine, LinePart
from sapper.tui.look import PROPOSED, SAFE, PlayLook, key_label

_MOST_LISTED: Final = 6
"""Cells that a mistake has missed, which are named."""
_STEPS: Final = {
    "right": 1,
    "reveal": 1,
    "left": -1,
    "row_start": -(10**9),
    "row_end": 10**9,
    "top": -(10**9),
    "bottom": 10**9,
}
_LEAVING: Final = frozenset({"menu", "quit"})


class ReviewScreen(Screen[None]):
    """A game to be looked at again."""

    DEFAULT_CSS = """
    ReviewScreen > #boxes { height: 1; padding: 0 1; background: $panel; color: $text; }
    ReviewScreen > #boxes.mistake { background: $error; color: $text; }
    ReviewScreen > #said { height: auto; max-height: 40%; min-height: 2; padding: 0 1; }
    ReviewScreen > #keys { height: 1; padding: 0 1; background: $panel; color: $text-muted; }
    """

    def __init__(self, record: Record, look: PlayLook, *, title: str) -> None:
        super().__init__()
        self._record = record
        self._look = look
        self._title = title
        self._boards = list(record.boards())
        self._number = 0
        """How many moves have been made on the board that is shown, or one less where it is shown as it was before the last."""
        self._is_before = False
        self._judged: list[MoveReview] = []

    def compose(self) -> ComposeResult:
        look, names = self._look, self._look.names
        yield FittedLine(id="boxes")
        yield BoardView(self._boards[0], look.colours(self.app.console.color_system), has_colours=look.has_colours)
        yield Static(id="said", markup=False)
        label = {action: key_label(names[action][-1]) for action in ("right", "left", "up", "down", "menu")}
        keys = [
            LinePart(f"{label['right']} {label['left']} move", 0),
            LinePart(f"{names['next_clue'][0]} {names['previous_clue'][0]} mistake", 2),
            LinePart(f"{label['up']} {label['down']} before, after", 3),
            LinePart(f"{names['row_start'][0]} {names['row_end'][0]} begin, end", 4),
            LinePart(f"{label['menu']} back", 1),
        ]
        yield FittedLine(keys, id="keys", between="  ")

    def on_mount(self) -> None:
        self._view.focus()
        self._show()
        self.run_worker(self._judge(), exclusive=True)

    @property
    def _view(self) -> BoardView:
        return self.query_one(BoardView)

    async def _judge(self) -> None:
        reviews = iterate_reviews(self._record, cap=CAP)
        while (one := await asyncio.to_thread(next, reviews, None)) is not None:
            self._judged.append(one)
            if one.number == self._number or len(self._judged) == len(self._record.played):
                self._show()
            else:
                self._show_boxes()

    # --- what is shown -------------------------------------------------------------------------------------------

    def _board(self) -> Board:
        board = self._boards[self._number - self._is_before]
        mines = self._record.mines
        return board if mines is None or not board.status.ended else board.show(mines)

    def _review(self) -> MoveReview | None:
        """The verdict on the move that is shown, if there is one yet."""
        return self._judged[self._number - 1] if 0 < self._number <= len(self._judged) else None

    def _show(self) -> None:
        one = self._review()
        self._view.show(self._board())
        best = () if one is None or one.best is None else (one.best,)
        safe = () if one is None else one.safe
        marked = dict.fromkeys(safe, SAFE) or dict.fromkeys(best, PROPOSED)
        self._view.lay_over(hinted=marked)
        if self._number:
            self._view.move_to(self._record.played[self._number - 1].move.cell)
        self._show_boxes()
        self.query_one("#said", Static).update("\n".join(self._words(one)))

    def _show_boxes(self) -> None:
        total, one = len(self._record.played), self._review()
        at = self._record.played[self._number - 1].at if self._number else 0
        parts = [
            LinePart(f"move {self._number} of {total}", 0),
            LinePart(f"{at / 1000:.1f} s", 2),
            LinePart(self._title, 4),
        ]
        if one is not None and one.win_after is not None and not self._board().status.ended:
            parts.append(LinePart(f"win {win_words(one.win_after, is_exact=one.exact)[0]}", 1))
        if len(self._judged) < total:
            parts.append(LinePart(f"judged: {len(self._judged)}", 3))
        boxes = self.query_one("#boxes", FittedLine)
        boxes.tell(parts)
        boxes.set_class(one is not None and one.verdict.is_mistake, "mistake")

    def _words(self, one: MoveReview | None) -> list[str]:
        if not self._number:
            return [f"{self._title}: {counted(len(self._record.played), 'move')}.", *self._summary()]
        if one is None:
            return ["judging …"]
        lines = move_words(self._record.grid, one)
        return [*lines, *self._summary()] if self._number == len(self._record.played) else lines

    def _summary(self) -> list[str]:
        if len(self._judged) < len(self._record.played):
            return []
        return game_words(GameReview(record=self._record, moves=tuple(self._judged)))

    # --- keys ----------------------------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        action = self._look.keys.get(event.key) or self._look.keys.get(event.character or "")
        if action is None:
            return
        event.stop()
        event.prevent_default()
        if action in _LEAVING:
            _ = self.app.pop_screen()
        elif action in _STEPS:
            self._go(self._number + _STEPS[action])
        elif action in ("up", "down"):
            self._is_before = action == "up" and self._number > 0
            self._show()
        elif action in ("next_clue", "previous_clue"):
            self._go_to_mistake(back=action == "previous_clue")

    def _go(self, number: int) -> None:
        self._number = min(max(number, 0), len(self._record.played))
        self._is_before = False
        self._show()

    def _go_to_mistake(self, *, back: bool) -> None:
        mistakes = [one.number for one in self._judged if one.verdict.is_mistake]
        others = [number for number in mistakes if (number < self._number if back else number > self._number)]
        if others:
            self._go(others[-1] if back else others[0])
            self._is_before = True
            self._show()
        else:
            more = "" if len(self._judged) == len(self._record.played) else " as far as it is judged"
            self.query_one("#said", Static).update(f"no mistake {'before' if back else 'after'} this move{more}")


def move_words(grid: Grid, one: MoveReview) -> list[str]:
    """A verdict in sentences: what the move was, what it risked, what was better, what it did to the chance to win."""
    lines = [f"{one.number}. {one.said(grid)}."]
    lines += [" ".join(_reasons(grid, one))]
    if one.win_before is not None and one.win_by_move is not None and one.win_after is not None:
        before, by, after = win_words(one.win_before, one.win_by_move, one.win_after, is_exact=one.exact)
        lines.append(f"Chance to win: {before} before it, {by} by it, {after} after it.")
    return [line for line in lines if line]


def _reasons(grid: Grid, one: MoveReview) -> Iterator[str]:
    if one.verdict.is_guess and one.risk is not None:
        least = "" if one.least_risk is None else f", the least risk was {percent(one.least_risk)}"
        yield f"It risked {percent(one.risk)}{least}."
    if one.safe:
        cells = joined([cell_name(grid, cell) for cell in one.safe], most=_MOST_LISTED)
        yield f"{cells} {'was' if len(one.safe) == 1 else 'were'} safe."
    elif one.best is not None:
        yield f"{cell_name(grid, one.best)} was better."
    if one.why is not None:
        yield f"{one.why}."


def game_words(review: GameReview) -> list[str]:
    guesses = len(review.guesses)
    line = f"{review.record.status.words}: {guesses} guess{'' if guesses == 1 else 'es'}, {counted(len(review.mistakes), 'mistake')}"
    if review.accuracy is not None and review.luck is not None:
        line += f"; accuracy {percent(review.accuracy)}, luck {points(review.luck)} points"
    unknown = review.too_hard
    return [f"{line}.", *([f"{counted(unknown, 'move')} too hard to judge."] if unknown else [])]
