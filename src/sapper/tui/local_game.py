"""One game of a player at this machine: a session with its help, saved after each input and recorded as it begins and ends.

Both local faces, the screen and the lines, play through this.

Knows: what is saved and recorded when; which help marks a game; the search that a first reveal may take.
Does not know: screens, words, which game comes next (see `local_play`).
"""

from collections.abc import Callable
from concurrent.futures import Future, wait
from datetime import datetime
from typing import Final

from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.move import Move
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.core.update import Update
from sapper.errors import IllegalMoveError, MoveFault
from sapper.game.referee import Referee
from sapper.generator.budget import Budget
from sapper.generator.game_code import CodedGame, game_of_code
from sapper.session.clock import Clock, system_clock
from sapper.session.events import Event, Finished, What
from sapper.session.kinds import kind_of, title_of
from sapper.session.saving import load_session, snapshot
from sapper.session.session import Session
from sapper.session.storing import begun_game, state_of, stored_game
from sapper.tui.advice import HintAdvice, judge
from sapper.tui.keeper import FACE, GameArchive, SavedState, now

SEARCH_TIME: Final = 4_000
"""Milliseconds that a layout is looked for."""
_QUIET: Final = frozenset({What.FINISHED, What.HINTED, What.OVERLAY, What.SHOWN})


class LocalGame:
    """A game, from its start or from where it was saved."""

    def __init__(
        self,
        key: str,
        game: CodedGame,
        session: Session,
        referee: Referee,
        archive: GameArchive,
        *,
        wall: Callable[[], datetime] = now,
    ) -> None:
        """Of a session and its referee; `new` and `resumed` make them."""
        self.key = key
        self.game = game
        self.session = session
        self.kind = kind_of(game)
        self.title = title_of(game)
        self.review: tuple[Board, Move, Update] | None = None
        """The move that ended the game, and the board before it."""
        self._referee = referee
        self._archive = archive
        self._wall = wall
        self._is_counted = session.has_begun
        self._is_assisted = session.assistance.is_assisted
        """Whether the store knows that help was had."""
        self._began = wall()
        self._before: Board = session.board
        self._advice: HintAdvice | None = None
        self._kept: Future[bool | None] | None = None
        """The record of its end."""
        self._away: tuple[int, bool] | None = None
        """What the clock stood at when the game was put away, and whether it ran."""
        session.watch(self._observe)

    @classmethod
    def new(
        cls, key: str, game: CodedGame, archive: GameArchive, *, seen: bool = False, clock: Clock = system_clock
    ) -> "LocalGame":
        """A new game; `seen` says whether its player may know the mines."""
        deadline = 0

        def go_on() -> bool:
            # Searches happen within one call: the first question of one sets when it is to end.
            nonlocal deadline
            deadline = deadline or system_clock() + SEARCH_TIME
            if system_clock() < deadline:
                return True
            deadline = 0
            return False

        referee = game.referee(budget=Budget(go_on=go_on))
        session = Session(referee, clock=clock, code=game.code, seed=game.seed, seen=seen)
        return cls(key, game, session, referee, archive)

    @classmethod
    def resumed(cls, key: str, text: str, archive: GameArchive, *, clock: Clock = system_clock) -> "LocalGame":
        """The game that was saved; `SavedGameError` for a text that is none."""
        session, referee = load_session(text, clock=clock)
        code = session.truth(referee).record.code
        assert code is not None  # `save` wrote it
        return cls(key, game_of_code(code), session, referee, archive)

    # --- what is seen ------------------------------------------------------------------------------------------

    @property
    def board(self) -> Board:
        """The board as it is seen now: with the mines, when the game has ended."""
        board = self.session.board
        layout = self._referee.layout
        return board.show(layout.mines) if board.status.ended and layout is not None else board

    @property
    def status(self) -> Status:
        """How it stands."""
        return self.session.status

    @property
    def mines_left(self) -> int:
        """Mines less flags; below 0 where there are more flags."""
        return self.session.mine_count - self.session.board.flag_count

    @property
    def seconds(self) -> int:
        """On the clock, whole."""
        return self.session.elapsed // 1000

    @property
    def needs_search(self) -> bool:
        """Whether the next reveal has to wait until a layout is found."""
        return self.game.spec is not None and self._referee.layout is None

    @property
    def is_untouched(self) -> bool:
        """Whether nothing has been done in it."""
        return self.status is Status.READY and self.session.input_count == 0

    @property
    def code(self) -> str | None:
        """The code that gives the same board again; None before the end."""
        return self.session.code

    def judged(self) -> str | None:
        """How the move that ended the game is judged, in words. It may take a second."""
        return None if self.review is None else judge(*self.review)

    # --- what the player does: each answers with what changed, and raises why it cannot be ------------------------

    def left(self, cell: int) -> Update:
        """A left click."""
        return self._do(lambda: self.session.left_click(cell))

    def right(self, cell: int) -> Update:
        """A right click."""
        return self._do(lambda: self.session.right_click(cell))

    def reveal(self, cell: int) -> Update:
        """Reveal a cell."""
        return self._do(lambda: self.session.play(Move.reveal(cell)))

    def flag(self, cell: int) -> Update:
        """Flag a cell, or take the flag away."""
        move = Move.unflag(cell) if self.session.board.tile(cell) is Tile.FLAGGED else Move.flag(cell)
        return self._do(lambda: self.session.play(move))

    def chord(self, cell: int) -> Update:
        """Reveal what a clue leaves."""
        return self._do(lambda: self.session.play(Move.chord(cell)))

    def undo(self) -> Update:
        """Take the last move back."""
        return self._do(self.session.undo)

    def redo(self) -> Update:
        """Play it again."""
        return self._do(self.session.redo)

    def restart(self) -> Update:
        """The same board from the start; a running game is given up, and counts."""
        return self._do(self.session.restart)

    def give_up(self) -> Update:
        """End the game."""
        return self._do(self.session.terminate)

    def pause(self) -> Update:
        """Stop the clock and hide the board, or go on."""
        return self._do(self.session.go_on if self.session.is_paused else self.session.pause)

    def take_hint(self, advice: HintAdvice) -> None:
        """Count a hint, which the player is shown."""
        self.session.hint(advice.cells)
        self._advice = advice
        self.save()

    def check_running(self) -> None:
        """Raise unless the game runs and its board is in sight: only then there is advice."""
        if self.status.ended:
            raise IllegalMoveError(f"the game is over: it was {self.status.value}", MoveFault.GAME_OVER)
        self.session.check(Move.terminate())

    def show_chances(self, on: bool) -> None:
        """Show chances over the board from now on, which marks the game, or no longer."""
        self.session.show_chances(on)
        self.save()

    @property
    def hinted(self) -> dict[Cell, str]:
        """The cells that the last hint is about, each with its sign. What a hint said before the game was left is not known any more."""
        overlay, advice = self.session.overlay, self._advice
        return advice.signs if advice is not None and advice.cells == overlay else {}

    def _do(self, act: Callable[[], Update]) -> Update:
        self._before = self._referee.board
        update = act()
        if not self.is_untouched:
            self.save()
        return update

    def put_away(self) -> None:
        """Save the game, and stop its clock without a pause: its player has another before them."""
        if self._away is not None:
            return  # it was saved with its clock as it was, which stands now
        if not self.is_untouched and not self.status.ended:
            self.save()
        self._away = (self.session.elapsed, self.session.is_running)
        self.session.stand_at(self._referee, self._away[0], running=False)

    def come_back(self) -> None:
        """Go on after `put_away`."""
        if self._away is not None:
            self.session.stand_at(self._referee, self._away[0], running=self._away[1])
            self._away = None

    # --- keeping it --------------------------------------------------------------------------------------------

    def _observe(self, event: Event) -> None:
        if event.finished is not None:
            self._record(event.finished)
        if event.what is What.RESTARTED:
            self._is_counted = False
        self._count()
        if event.what in _QUIET:
            return
        ended = self.status.ended and event.move is not None
        self.review = (self._before, event.move, event.update) if ended and event.move is not None else None

    def _key(self) -> str:
        # Each restart of a board is another game.
        return f"{self.key}.{self.session.assistance.restarts}"

    def _count(self) -> None:
        """Have the game recorded as begun, and again when help was had in it: until its end it would count as unaided."""
        is_new = self.status is Status.PLAYING and not self._is_counted
        assistance = self.session.assistance
        is_helped = self._is_counted and not self.status.ended and assistance.is_assisted and not self._is_assisted
        if not is_new and not is_helped:
            return
        if is_new:
            self._is_counted, self._began = True, self._wall()
        self._is_assisted = assistance.is_assisted
        key, began = self._key(), self._began
        self._archive.record(
            key,
            lambda: begun_game(
                assistance, key=key, kind=self.kind, started=began, face=FACE, player=self._archive.player
            ),
        )  # fmt: skip

    def _record(self, finished: Finished) -> None:
        """Have the end recorded, and wait for that, before anyone is told of it. A game given up untouched counts nowhere."""
        if not self._is_counted and not any(not one.update.is_empty for one in finished.record.played):
            return
        when, key = self._wall(), self._key()
        self._is_counted = True
        self._kept = self._archive.record(
            key,
            lambda: stored_game(
                finished, key=key, ended=when, face=FACE, player=self._archive.player, name=self._archive.player
            ).replace(kind=self.kind),
        )  # fmt: skip
        if self._kept is not None:
            wait((self._kept,), timeout=self._archive.keep_time)

    @property
    def unsaved(self) -> str | None:
        """What is to be said of an end that is not on the disk; None if it is there, or where nothing is kept."""
        if self._kept is None or not self.status.ended:
            return None
        if not self._kept.done():
            return "This end is not saved yet."
        return None if self._kept.result() else f"This end is not saved: {self._archive.lost}."

    def save(self) -> None:
        """Have the game saved as it is now; one that has ended is to be gone on with no longer."""
        if self.status.ended:
            self._archive.drop(self.key)
            return
        self._archive.save(
            SavedState(
                key=self.key,
                title=self.title,
                snapshot=snapshot(self.session, self._referee),
                kind=self.kind,
                state=state_of(self.session, self._referee.board),
                inputs=self.session.input_count,
            )
        )
