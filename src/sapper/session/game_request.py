"""A new game as a player asks for it on any face: what it is made of, what is refused and with which words; its session."""

from dataclasses import dataclass, replace
from typing import Any, Final

from sapper.core.cells import Cell
from sapper.core.grid import Grid
from sapper.core.preset import Preset, as_preset
from sapper.core.rules import Start
from sapper.errors import LayoutError
from sapper.game.referee import Referee
from sapper.generator.game_code import CodedGame, game_of_code
from sapper.generator.layout_spec import LayoutSpec, chosen_method
from sapper.generator.new_game import choose_mine_count
from sapper.generator.uniform import kept_free
from sapper.session.clock import Clock, system_clock
from sapper.session.session import Session
from sapper.store.models import GameKind


def coded_game(preset: Preset | str, *, seed: int) -> CodedGame:
    """The game of a preset with that seed, as codes name it: the same as `new_game`'s."""
    preset = as_preset(preset)
    return CodedGame(rules=preset.rules, grid=preset.grid, mine_count=choose_mine_count(preset, seed), seed=seed)


def new_session(game: CodedGame, *, clock: Clock = system_clock) -> tuple[Session, Referee]:
    """A session of a new game, and its referee: the session is the player's, the referee for who keeps the truth.

    >>> session, referee = new_session(coded_game("beginner", seed=7), clock=lambda: 0)
    >>> session.left_click(40).status.value
    'playing'
    """
    referee = game.referee()
    return Session(referee, clock=clock, code=game.code, seed=game.seed), referee


MOST_NO_GUESS_CELLS: Final = 2_500
"""Larger boards that need no guess take too long to find."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRequest:
    """A request for a game, possible and within limits."""

    preset: Preset
    """Rules, size and mines; its name counts for nothing."""
    no_guess: bool = False
    seed: int | None = None
    coded: CodedGame | None = None
    """The game of a code: then nothing else counts."""
    opened: GameKind | None = None
    """The kind of a coded board that is dealt to the player with its first cell revealed; None for a board that the player names."""

    @property
    def seen(self) -> bool:
        """True if the player may know the mines: a seed or a code may have been played before."""
        return self.opened is None and (self.seed is not None or self.coded is not None)

    def game(self, seed: int) -> CodedGame:
        """The game; `seed` is taken where none was named."""
        if self.coded is not None:
            return self.coded
        game = coded_game(self.preset, seed=seed if self.seed is None else self.seed)
        return replace(game, spec=no_guess_spec(game)) if self.no_guess else game


def game_request(
    preset: Preset | str = "beginner", *, size: tuple[int, int] | None = None, mine_count: int | None = None, no_guess: bool = False,
    seed: int | None = None, **changes: Any,
) -> GameRequest:  # fmt: skip
    """A game by its preset, and what is other than that says: see `Preset.changed`. `check_request` says whether it can be."""
    base = as_preset(preset)
    if mine_count is None and size not in (None, (base.width, base.height)):
        raise LayoutError(f"say how many mines a board of {size[0]}x{size[1]} is to have")
    chosen = base.changed(size=size, mine_counts=() if mine_count is None else (mine_count,), **changes)
    return GameRequest(preset=chosen, no_guess=no_guess, seed=seed)


def game_by_code(code: str) -> GameRequest:
    """The game that a code names; `ValueError` and errors of `game_of_code` for an invalid one, or one that people do not play."""
    coded = game_of_code(code)
    if coded.kaboom:
        raise ValueError("Kaboom is not played here")
    if not coded.grid.is_plane:
        raise ValueError("a game on a torus is not played here")
    preset = Preset(
        name="code",
        rules=coded.rules,
        width=coded.grid.width,
        height=coded.grid.height,
        mine_counts=(coded.mine_count,),
    )
    return GameRequest(preset=preset, coded=coded)


def check_request(wanted: GameRequest, most_cells: int) -> None:
    """`ValueError` for a game that cannot be, or is too large to be played here."""
    grid = wanted.preset.grid
    mines = max(wanted.preset.mine_counts)
    kept = len(_kept(grid, wanted.preset.rules.start))
    most = max(1, grid.size - kept)
    if wanted.coded is None and not 1 <= mines <= most:
        allowed = f"1 to {most} mines" if most > 1 else "exactly 1 mine"
        raise ValueError(f"a board of {grid.width}x{grid.height} has {allowed} by this start rule, not {mines}")
    if grid.size > most_cells:
        raise ValueError(f"a board here has at most {most_cells} cells; {grid.width}x{grid.height} are {grid.size}")
    spec = wanted.coded.spec if wanted.coded is not None else None
    if not wanted.no_guess and spec is None:
        return
    if grid.size > MOST_NO_GUESS_CELLS:
        raise ValueError(
            f"a board without guesses has at most {MOST_NO_GUESS_CELLS} cells; "
            f"{grid.width}x{grid.height} are {grid.size}"
        )
    if mines > grid.size - kept:
        raise ValueError(
            f"{mines} mines leave no room for the first reveal: such a board has at most {grid.size - kept}"
        )


def _kept(grid: Grid, start: Start) -> tuple[Cell, ...]:
    """The cells that are free of mines when the first reveal is in the middle: one at least, or the game would be lost at once."""
    return kept_free(grid, start if start is Start.OPEN else Start.SAFE, grid.cell(grid.width // 2, grid.height // 2))


def no_guess_spec(game: CodedGame) -> LayoutSpec:
    """The spec of a layout without guesses that is found soon."""
    middle = game.grid.cell(game.grid.width // 2, game.grid.height // 2)
    return LayoutSpec(
        grid=game.grid,
        mine_count=game.mine_count,
        start=game.rules.start,
        first=Cell(0),
        no_guess=True,
        method=chosen_method(game.grid, game.mine_count, game.rules.start, middle),
    )
