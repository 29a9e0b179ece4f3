"""A new game as it is asked for: read, checked, and made.

Knows: what `POST /api/games` takes, what is refused and with which words; how a game gets its name.
Does not know: players, seeds that nobody named (the caller draws them), sockets.
"""

from dataclasses import dataclass, fields, replace
from typing import Final

from sapper.core.cells import Cell
from sapper.core.grid import Grid
from sapper.core.preset import PRESETS, Preset, find_preset
from sapper.core.rules import RULES, Rules, Start, find_rules
from sapper.errors import RequestError, SapperError
from sapper.generator.game_code import CodedGame, game_of_code, write_code
from sapper.generator.layout_spec import LayoutSpec, Method
from sapper.generator.uniform import kept_free
from sapper.session.new_session import coded_game
from sapper.store.models import GameKind
from sapper.web.games.bodies import LARGEST_SEED, NEW_GAME, NewGameBody
from sapper.web.games.decoding import decode

MOST_NO_GUESS_CELLS: Final = 2_500
"""Larger boards that need no guess take too long to find."""
DENSE: Final = 0.22
"""Mines a cell from which on layouts that need no guess are repaired, not waited for."""
DENSEST: Final = 0.34
"""Mines a cell from which on repair finds none in time: their mines are packed."""
_FAMILY: Final = {"classic": "modern"}
"""Rules that differ in what the first reveal may meet are one game to who names a size."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGame:
    """What is asked for, possible and within limits."""

    preset: Preset
    """Rules, size and mines; its name counts for nothing."""
    no_guess: bool = False
    seed: int | None = None
    coded: CodedGame | None = None
    """The game of a code: then nothing else counts."""

    @property
    def seen(self) -> bool:
        """Whether its player may know the mines: who names a seed or a code may have played it before."""
        return self.seed is not None or self.coded is not None

    def game(self, seed: int) -> CodedGame:
        """The game; `seed` is taken where none was named."""
        if self.coded is not None:
            return self.coded
        game = coded_game(self.preset, seed=seed if self.seed is None else self.seed)
        return replace(game, wish=_no_guess(game)) if self.no_guess else game


def read_new_game(content: str | bytes, *, most_cells: int) -> NewGame:
    """What a body asks for. `RequestError` (`bad-request`) for what is no game, cannot be, or is too large."""
    body = decode(NEW_GAME, content, what="a new game", example='{"preset": "expert"}', code="bad-request")
    try:
        wanted = _of_fields(body) if body.code is None else _of_code(body, body.code)
        _check(wanted, most_cells)
        # A game that can be named can be saved.
        write_code(wanted.game(0))
    except RequestError:
        raise
    except (SapperError, ValueError) as error:
        raise RequestError("bad-request", str(error)) from None
    return wanted


def preset_of(rules: Rules, grid: Grid, mines: int) -> str | None:
    """The preset that a game is of, whichever way it was asked for: its size and mines, by rules of its family."""
    family = _family(rules)
    for preset in PRESETS.values():
        if preset.grid == grid and mines in preset.mine_counts and _family(preset.rules) == family:
            return preset.name
    return None


def kind_of(game: CodedGame) -> GameKind:
    """Which games this one can be compared with: the same for the same rules, whatever they were called when they were asked for."""
    return GameKind(
        rules=one_name(game.rules),
        width=game.grid.width,
        height=game.grid.height,
        mines=game.mines,
        preset=preset_of(game.rules, game.grid, game.mines),
        no_guess=game.wish is not None and game.wish.no_guess,
    )


def title_of(game: CodedGame) -> str:
    """What to call a game: its preset or size, and what is special about it."""
    name = preset_of(game.rules, game.grid, game.mines)
    size = f"{game.grid.width}×{game.grid.height}, {game.mines} mine{'' if game.mines == 1 else 's'}"
    words = [size if name is None else name.capitalize()]
    if game.wish is not None and game.wish.no_guess:
        words.append("no guess")
    return ", ".join(words)


def one_name(rules: Rules) -> Rules:
    """The same rules by a name that depends on nothing but their values: by that of ours which needs the fewest changes.

    >>> one_name(find_rules("classic+start=open")).name
    'modern'
    """

    def changes(base: Rules) -> dict[str, object]:
        names = [one.name for one in fields(Rules) if one.compare]
        return {name: getattr(rules, name) for name in names if getattr(rules, name) != getattr(base, name)}

    base = min(RULES.values(), key=lambda base: len(changes(base)))
    return base.but(**changes(base))


def _family(rules: Rules) -> str:
    base = rules.name.partition("+")[0]
    return _FAMILY.get(base, base)


# --- reading ------------------------------------------------------------------------------------------


def _of_code(body: NewGameBody, code: str) -> NewGame:
    others = [name for name in body.__struct_fields__ if name != "code" and getattr(body, name) is not None]
    if others:
        raise ValueError(f"a code says everything about its game: give it alone, without {others[0]}")
    coded = game_of_code(code)
    if coded.kaboom:
        raise ValueError("a game whose mines are decided as late as they can be is not played here")
    if not coded.grid.is_plane:
        raise ValueError("a game on a torus is not played here")
    preset = Preset(
        name="code", rules=coded.rules, width=coded.grid.width, height=coded.grid.height, mine_counts=(coded.mines,)
    )
    return NewGame(preset=preset, coded=coded)


def _of_fields(body: NewGameBody) -> NewGame:
    preset = find_preset(body.preset or "beginner")
    rules = preset.rules if body.rules is None else find_rules(body.rules)
    # What is so already is no change, and leaves the rules their name.
    wanted = {name: getattr(body, name) for name in ("start", "chording", "question_marks")}
    changes = {name: value for name, value in wanted.items() if value not in (None, getattr(rules, name))}
    mines = body.mines
    if mines is None and (body.width or preset.width, body.height or preset.height) != (preset.width, preset.height):
        raise ValueError('say how many mines a board of that size is to have, as "mines": 40')
    return NewGame(
        preset=Preset(
            name="custom",
            rules=rules.but(**changes) if changes else rules,
            width=preset.width if body.width is None else body.width,
            height=preset.height if body.height is None else body.height,
            mine_counts=preset.mine_counts if mines is None else (mines,),
        ),
        no_guess=body.no_guess is True,
        seed=None if body.seed is None else _seed(body.seed),
    )


def _check(wanted: NewGame, most_cells: int) -> None:
    grid = wanted.preset.grid
    mines = max(wanted.preset.mine_counts)
    kept = len(_kept(grid, wanted.preset.rules.start))
    if wanted.coded is None and not 1 <= mines <= max(1, grid.size - kept):
        raise ValueError(
            f"a board of {grid.width}x{grid.height} has 1 to {max(1, grid.size - kept)} mines by this start rule, not {mines}"
        )
    if grid.size > most_cells:
        raise ValueError(f"a board here has at most {most_cells} cells; {grid.width}x{grid.height} are {grid.size}")
    wish = wanted.coded.wish if wanted.coded is not None else None
    if not wanted.no_guess and wish is None:
        return
    if grid.size > MOST_NO_GUESS_CELLS:
        raise ValueError(
            f"a board that has to be searched for has at most {MOST_NO_GUESS_CELLS} cells; "
            f"{grid.width}x{grid.height} are {grid.size}"
        )
    if mines > grid.size - kept:
        raise ValueError(
            f"{mines} mines leave no room for the first reveal: such a board has at most {grid.size - kept}"
        )


def _kept(grid: Grid, start: Start) -> tuple[Cell, ...]:
    """The cells that are free of mines when the first reveal is in the middle: one at least, or the game would be lost at once."""
    return kept_free(grid, start if start is Start.OPEN else Start.SAFE, grid.cell(grid.width // 2, grid.height // 2))


def _method(density: float) -> Method:
    """How a layout that needs no guess is looked for, so that nobody waits for long."""
    if density >= DENSEST:
        return Method.PACK
    return Method.REPAIR if density >= DENSE else Method.REJECTION


def _no_guess(game: CodedGame) -> LayoutSpec:
    return LayoutSpec(
        grid=game.grid,
        mines=game.mines,
        start=game.rules.start,
        first=Cell(0),
        no_guess=True,
        method=_method(game.mines / game.grid.size),
    )


def _seed(value: int | str) -> int:
    if isinstance(value, str):
        value = int(value) if value.isascii() and value.isdigit() and len(value) <= 20 else -1
    if not 0 <= value <= LARGEST_SEED:
        raise ValueError(f"seed is a number from 0 to {LARGEST_SEED}, or its digits")
    return value
