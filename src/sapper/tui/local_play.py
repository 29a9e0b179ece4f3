"""Play on this machine: one game after the other, each put away when another begins.

What plays a game (sessions, generators, the solver) is imported when the first one is made: the menu is there before it.
"""

import secrets
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from sapper.core.cells import Cell
from sapper.core.preset import Preset
from sapper.core.rules import Start
from sapper.core.status import Status
from sapper.errors import LayoutError, NotationError, SapperError
from sapper.session.clock import Clock, system_clock
from sapper.session.keys import draw_key
from sapper.solver.advisor import Advisor
from sapper.tui.keeper import FACE, GameArchive, now
from sapper.tui.playing import Play

if TYPE_CHECKING:
    from sapper.core.board import Board
    from sapper.core.record import Record
    from sapper.play.events import GameEvent, Happened
    from sapper.play.library import GameLibrary
    from sapper.play.played_game import Ask, PlayedGame
    from sapper.play.ports import Jobs, Receipt
    from sapper.session.game_request import GameRequest

MOST_CELLS: Final = 1_000_000
"""Cells of the largest board that is played here."""
LARGEST_SEED: Final = 2**64 - 1


def game_request(
    preset: str = "beginner", *, start: str | None = None, question_marks: bool = False, **changes: Any
) -> "GameRequest":
    """A game by its preset, and what is other than that says (`session.game_request`). Errors of whatever cannot be."""
    from sapper.session import game_request as asked  # noqa: PLC0415

    rule = None if start is None else Start(start)
    return checked(asked.game_request(preset, start=rule, question_marks=question_marks or None, **changes))


def request_by_code(code: str) -> "GameRequest":
    """The game that a code names; `NotationError` if it is none that is played here, and errors of `checked`."""
    from sapper.session.game_request import game_by_code  # noqa: PLC0415

    try:
        request = game_by_code(code)
    except ValueError as error:
        raise error if isinstance(error, SapperError) else NotationError(str(error)) from None
    return checked(request)


def checked(request: "GameRequest") -> "GameRequest":
    """The game itself; `LayoutError` if it cannot be, or is too large."""
    from sapper.session.game_request import check_request  # noqa: PLC0415

    try:
        check_request(request, MOST_CELLS)
    except ValueError as error:
        if isinstance(error, LayoutError):
            raise
        raise LayoutError(str(error)) from None
    return request


class LocalPlay(Play):
    """The games of a player on this machine."""

    def __init__(
        self,
        archive: GameArchive,
        *,
        clock: Clock = system_clock,
        new_key: Callable[[], str] = draw_key,
        new_seed: Callable[[], int] = lambda: secrets.randbits(64),
        advisor: Advisor | None = None,
    ) -> None:
        self.archive = archive
        self.advisor = advisor or Advisor()
        """Whose guesses hints name."""
        self.make_jobs: Callable[[], Jobs] | None = None
        """Makes what does long work, when the first game is made; None: it is done at once."""
        self.on_later: Callable[[list[GameEvent]], None] = lambda _: None
        """Is called with what comes later than the answer of `do`."""
        self._request: GameRequest | None = None
        self._clock = clock
        self._new_key = new_key
        self._new_seed = new_seed
        self._games: GameLibrary | None = None
        self._game: PlayedGame | None = None
        self._previous: PlayedGame | None = None
        self._away: dict[str, tuple[int, bool]] = {}
        """What the clock of a game stood at when it was put away, and whether it ran."""
        self._waited: Receipt | None = None
        """What was waited for last: once is enough."""

    @property
    def request(self) -> "GameRequest":
        if self._request is None:
            self._request = game_request()
        return self._request

    @request.setter
    def request(self, request: "GameRequest") -> None:
        self._request = request

    # --- the game that is played ---------------------------------------------------------------------------------

    @property
    def game(self) -> "PlayedGame":
        assert self._game is not None, "no game has been started"
        return self._game

    @property
    def has_game(self) -> bool:
        return self._game is not None

    @property
    def board(self) -> "Board":
        """The board as it is seen now: with the mines, when the game has ended."""
        board, layout = self.game.session.board, self.game.referee.layout
        return board.show(layout.mines) if board.status.ended and layout is not None else board

    @property
    def is_untouched(self) -> bool:
        return _is_untouched(self.game)

    @property
    def unsaved(self) -> str | None:
        """A sentence for a start or an end that is not on the disk yet; None if it is, or where nothing is kept."""
        if self.archive.store is None or self.game.receipt is None:
            return None
        what, why = "This end" if self.status.ended else "This game", self.archive.trouble
        return f"{what} is not saved yet." if why is None else f"{what} is not saved yet: {why}."

    def do(self, ask: "Ask", cell: int = 0) -> "list[GameEvent]":
        """Do what is asked, and what that led to; errors say why it is not done.

        A start and an end are on the disk before they are told, or it is known that they are not.
        """
        happened = self.game.do(ask, Cell(cell), advisor=self.advisor)
        self._wait(happened.receipt)
        return happened.events

    def _wait(self, receipt: "Receipt | None") -> None:
        if receipt is not None and receipt is not self._waited and self.archive.keeps:
            self._waited = receipt
            receipt.wait(self.archive.keep_time)

    def _later(self, game: "PlayedGame", happened: "Happened") -> None:
        if game is self._game and game.key not in self._away:
            self._wait(happened.receipt)
            self.on_later(happened.events)
        elif (
            self._away.pop(game.key, None) is not None
        ):  # a move that was searched for: its clock runs, and nobody is there
            self._put_away(game)

    # --- which game that is ----------------------------------------------------------------------------------------

    @property
    def loses_by_new(self) -> bool:
        """True if a new game would lose this one: it runs and cannot be kept."""
        return self._game is not None and self.status is Status.PLAYING and not self.archive.keeps

    @property
    def allows_aids(self) -> bool:
        return self.board.rules.allows_aids

    def new(self, request: "GameRequest | None" = None) -> "PlayedGame":
        """A new game; this one can be resumed. `RequestError` where the rules allow one at a time."""
        from sapper.play.library import check_room, listed_game  # noqa: PLC0415

        request = self.request if request is None else request
        if request.preset.rules.one_game:
            self.archive.flush()  # a game that has just ended is no longer an unfinished one
            here = [] if self._game is None else [listed_game(self._game)]
            check_room(
                request, (one for one in (*here, *self.archive.unfinished()) if one.state.status is Status.PLAYING)
            )
        made = self._library().new(request, key=self._new_key(), seed=self._new_seed())
        # A seed and a code are for one game; the next of that kind is another.
        self.request = replace(request, seed=None, coded=None) if request.coded is None else self.request
        return self._take(made)

    def resume(self, key: str) -> "PlayedGame":
        """Go on with a saved game; `RecordError` if there is none, or it cannot be read; `StoreError`."""
        from sapper.session.game_request import GameRequest  # noqa: PLC0415

        self.archive.flush()
        game = self._library().resume(key)
        grid = game.grid
        self.request = GameRequest(
            preset=Preset(
                name="saved",
                rules=game.game.rules,
                width=grid.width,
                height=grid.height,
                mine_counts=(game.game.mine_count,),
            ),
            no_guess=game.kind.no_guess,
        )
        return self._take(game)

    def _library(self) -> "GameLibrary":
        if self._games is None:
            from sapper.play.game_parts import GameOptions  # noqa: PLC0415
            from sapper.play.library import GameLibrary  # noqa: PLC0415
            from sapper.play.ports import GamePorts, InlineJobs, NoSink  # noqa: PLC0415

            archive = self.archive
            ports = GamePorts(
                jobs=InlineJobs() if self.make_jobs is None else self.make_jobs(), sink=NoSink() if archive.store is None else archive, now=now,
                on_recorded=archive.judge, advisor=self.advisor,
            )  # fmt: skip
            options = GameOptions(face=FACE, drops_ended=True, names_player=True)
            self._games = GameLibrary(archive.player, archive.store, ports=ports, options=options, clock=self._clock)
        return self._games

    def _take(self, game: "PlayedGame") -> "PlayedGame":
        game.on_happened = partial(self._later, game)
        self.leave()
        self._previous, self._game = self._game, game
        return game

    def undo(self) -> "list[GameEvent] | None":
        """Take the last move back; of a game in which nothing was done yet, its beginning: None, and the game before is back."""
        from sapper.session.inputs import Verb  # noqa: PLC0415

        if not self.is_untouched or self._previous is None:
            return self.do(Verb.UNDO)
        self._game, self._previous = self._previous, None
        self.come_back()
        return None

    def record(self) -> "Record":
        """The game that has ended."""
        return self.game.session.record()

    def save(self) -> None:
        self.game.save()

    def leave(self) -> None:
        """Put the game away: it is kept, and its clock stops without a pause."""
        if self._game is not None and self._game.key not in self._away:
            self._put_away(self._game)

    def come_back(self) -> None:
        away = self._away.pop(self.game.key, None)
        if away is not None:
            self.game.session.stand_at(self.game.referee, away[0], running=away[1])

    def _put_away(self, game: "PlayedGame") -> None:
        session = game.session
        if not _is_untouched(game) and not session.status.ended:
            game.save()
        self._away[game.key] = (session.elapsed, session.is_running)
        session.stand_at(game.referee, session.elapsed, running=False)


def _is_untouched(game: "PlayedGame") -> bool:
    return game.session.status is Status.READY and game.session.input_count == 0
