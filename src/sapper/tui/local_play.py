"""A player at this machine: one game after the other, each put away when another begins, and gone on with later.

What plays a game (sessions, generators, the solver) is imported when the first one is made: the menu is there before it.

Knows: which game is played now, which one was before; what keeps a new one from being started.
Does not know: screens, words, how a game is played.
"""

import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from sapper.core.preset import Preset, find_preset
from sapper.core.rules import Start, find_rules
from sapper.core.status import Status
from sapper.errors import LayoutError, SavedGameError, UnfinishedGameError
from sapper.session.clock import Clock, system_clock
from sapper.solver.advisor import Advisor
from sapper.tui.keeper import GameArchive

if TYPE_CHECKING:
    from sapper.core.update import Update
    from sapper.session.game_request import GameRequest
    from sapper.tui.local_game import LocalGame

MOST_CELLS: Final = 1_000_000
"""Cells of the largest board that is played here."""
LARGEST_SEED: Final = 2**64 - 1


def wanted_game(
    preset: str = "beginner",
    *,
    rules: str | None = None,
    size: tuple[int, int] | None = None,
    mine_count: int | None = None,
    start: str | None = None,
    no_guess: bool = False,
    seed: int | None = None,
    question_marks: bool = False,
) -> "GameRequest":
    """A game by its preset, and what is other than that says. Errors of whatever cannot be."""
    from sapper.session.game_request import GameRequest  # noqa: PLC0415

    base = find_preset(preset)
    chosen = base.rules if rules is None else find_rules(rules)
    changes: dict[str, object] = {} if start is None or Start(start) is chosen.start else {"start": Start(start)}
    if question_marks and not chosen.question_marks:
        changes["question_marks"] = True
    width, height = size or (base.width, base.height)
    if mine_count is None and (width, height) != (base.width, base.height):
        raise LayoutError(f"say how many mines a board of {width}x{height} is to have")
    wanted = GameRequest(
        preset=Preset(
            name=base.name,
            rules=chosen.replace(**changes) if changes else chosen,
            width=width,
            height=height,
            mine_counts=base.mine_counts if mine_count is None else (mine_count,),
        ),
        no_guess=no_guess,
        seed=seed,
    )
    return checked(wanted)


def wanted_by_code(code: str) -> "GameRequest":
    """The game that a code names. Errors of what is no code."""
    from sapper.session.game_request import game_by_code  # noqa: PLC0415

    return checked(game_by_code(code))


def checked(wanted: "GameRequest") -> "GameRequest":
    """The game itself; `LayoutError` if it cannot be, or is too large."""
    from sapper.session.game_request import check_wanted  # noqa: PLC0415

    try:
        check_wanted(wanted, MOST_CELLS)
    except ValueError as error:
        if isinstance(error, LayoutError):
            raise
        raise LayoutError(str(error)) from None
    return wanted


class LocalPlay:
    """What a player at this machine plays."""

    def __init__(
        self,
        archive: GameArchive,
        *,
        clock: Clock = system_clock,
        new_key: Callable[[], str] = lambda: secrets.token_urlsafe(15),
        draw_seed: Callable[[], int] = lambda: secrets.randbits(64),
        advisor: Advisor | None = None,
    ) -> None:
        self.archive = archive
        self.advisor = advisor or Advisor()
        """Whose guesses hints name."""
        self._wanted: GameRequest | None = None
        self._clock = clock
        self._new_key = new_key
        self._draw_seed = draw_seed
        self._game: LocalGame | None = None
        self._previous: LocalGame | None = None

    @property
    def wanted(self) -> "GameRequest":
        """What a new game is, where nobody says."""
        if self._wanted is None:
            self._wanted = wanted_game()
        return self._wanted

    @wanted.setter
    def wanted(self, wanted: "GameRequest") -> None:
        self._wanted = wanted

    @property
    def game(self) -> "LocalGame":
        """The game that is played."""
        if self._game is None:
            raise UnfinishedGameError("no game has been started")
        return self._game

    @property
    def has_game(self) -> bool:
        """Whether there is one."""
        return self._game is not None

    @property
    def loses_by_new(self) -> bool:
        """Whether a new game would lose this one: it runs, and cannot be kept to go on with."""
        return self._game is not None and self._game.status is Status.PLAYING and not self.archive.keeps

    def new(self, wanted: "GameRequest | None" = None) -> "LocalGame":
        """A new game, in place of this one, which can be gone on with. `UnfinishedGameError` where rules allow one at a time."""
        from sapper.tui.local_game import LocalGame  # noqa: PLC0415

        wanted = self.wanted if wanted is None else wanted
        if wanted.preset.rules.one_game:
            self._check_only(wanted)
        game = wanted.game(self._draw_seed())
        made = LocalGame.new(self._new_key(), game, self.archive, seen=wanted.seen, clock=self._clock)
        # A seed and a code are for one game; the next of that kind is another.
        self.wanted = replace(wanted, seed=None, coded=None) if wanted.coded is None else self.wanted
        self._put_away()
        self._previous, self._game = self._game, made
        return made

    def resume(self, key: str) -> "LocalGame":
        """Go on with a saved game; `SavedGameError` if there is none, or it cannot be read."""
        from sapper.session.game_request import GameRequest  # noqa: PLC0415
        from sapper.tui.local_game import LocalGame  # noqa: PLC0415

        text = self.archive.saved_text(key)
        if text is None:
            raise SavedGameError("there is no such saved game")
        game = LocalGame.resumed(key, text, self.archive, clock=self._clock)
        self._put_away()
        self._previous, self._game = self._game, game
        grid = game.game.grid
        self.wanted = GameRequest(
            preset=Preset(
                name="saved",
                rules=game.game.rules,
                width=grid.width,
                height=grid.height,
                mine_counts=(game.game.mine_count,),
            ),
            no_guess=game.kind.no_guess,
        )
        return game

    def undo(self) -> "Update | None":
        """Take the last move back; of a game in which nothing was done yet, its beginning: None, and the game before is back."""
        game, previous = self.game, self._previous
        if not game.is_untouched or previous is None:
            return game.undo()
        self._game, self._previous = previous, None
        previous.come_back()
        return None

    def leave(self) -> None:
        """Put the game away, to be gone on with later: its clock stops."""
        self._put_away()

    def come_back(self) -> None:
        """Go on with the game that was put away."""
        self.game.come_back()

    def _put_away(self) -> None:
        if self._game is not None:
            self._game.put_away()

    def _check_only(self, wanted: "GameRequest") -> None:
        from sapper.session.kinds import one_name  # noqa: PLC0415

        name = one_name(wanted.preset.rules).name
        here = self._game
        is_here = here is not None and here.status is Status.PLAYING and here.kind.rules.name == name
        if is_here or any(one.rules == name and one.status is Status.PLAYING for one in self.archive.unfinished()):
            raise UnfinishedGameError("by these rules a player has one unfinished game at a time: finish it first")
