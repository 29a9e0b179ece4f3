"""What the `Given` sentences of an acceptance test set up: the games that it is run in."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.grid import Grid
from sapper.core.tile import Tile
from sapper.errors import CellError, NotationError
from sapper.game.game import Game
from sapper.game.layout import Layout
from sapper.generator.new_game import new_game
from sapper.kata.document import Clause, Item
from sapper.kata.drawing import Drawing
from sapper.kata.layouts import agreeing_layouts
from sapper.kata.messages import UATS, StepMessage
from sapper.kata.sandbox import Sandbox
from sapper.kata.scenario import BOMB_COUNTS
from sapper.kata.verdict import NotMetError
from sapper.render import kata as view
from sapper.solver.strategies.registry import STRATEGIES

NEW_GAMES = 100
"""In how many new games a test is run that says `a new game`: seeds 0, 1, 2 …"""

BOT_GAMES = 25
"""How many games each strategy plays for a test that says `a BOT game`."""


class World:
    """One game that a test is run in, and what has come of it so far."""

    __slots__ = ("answer", "count", "game", "sandbox", "seed", "square", "strategy")

    def __init__(
        self, *, sandbox: Sandbox | None = None, game: Game | None = None, seed: int = 0, strategy: str = ""
    ) -> None:
        self.sandbox = sandbox
        self.game = game
        self.seed = seed
        self.strategy = strategy
        self.square: Cell | None = None
        self.answer: StepMessage | None = None
        self.count: int | None = None

    @property
    def board(self) -> Board:
        game = self.sandbox or self.game
        assert game is not None
        return game.board

    def describe(self) -> str:
        if self.sandbox is None:
            return f"seed {self.seed}" + (f", strategy {self.strategy}" if self.strategy else "")
        rows = view.bombs(self.sandbox.grid, self.sandbox.layout.clues).replace("\n", " / ")
        return f"bombs {rows}"


@dataclass(frozen=True, slots=True, kw_only=True)
class KataSetting:
    """What is given."""

    grid: Grid
    line: int
    board: Drawing | None = None
    is_blank: bool = False
    bombs: Drawing | None = None
    count: int | None = None
    """How many bombs are hidden, if that is said."""
    bot: bool = False
    square: Cell | None = None
    """The one that carries the mark which the sentence names."""

    def worlds(self) -> Iterator[World]:
        """Every game that is as given; `NotMetError` if there is none."""
        if self.bot:
            for name in STRATEGIES:
                for seed in range(BOT_GAMES):
                    yield World(game=new_game("kata", seed=seed), seed=seed, strategy=name)
        elif self.board is None and self.bombs is None and self.count is None and not self.is_blank:
            for seed in range(NEW_GAMES):
                yield World(game=new_game("kata", seed=seed), seed=seed)
        else:
            yield from self._boards()

    def _boards(self) -> Iterator[World]:
        tiles = self.board.tiles() if self.board is not None else bytes([Tile.COVERED]) * self.grid.size
        if self.square is not None and tiles[self.square] != Tile.FLAGGED:
            shown = view.BARE_SYMBOLS[tiles[self.square]]
            text = f"the board shows {shown} in square {view.square(self.grid, self.square)}"
            raise NotMetError(text, line=self.line, expected="*", got=shown)
        counts = BOMB_COUNTS if self.count is None else (self.count,)
        if self.bombs is not None:
            given = Layout(self.grid, self.bombs.bombs())
            layouts = iter([given] if self.count in (None, given.mine_count) else [])
        else:
            layouts = agreeing_layouts(self.grid, tiles, counts)
        is_any = False
        for layout in layouts:
            sandbox = Sandbox(layout, UATS)
            if sandbox.set_up(tiles):
                is_any = True
                world = World(sandbox=sandbox)
                world.square = self.square
                yield world
        if not is_any:
            which = "these bombs" if self.bombs else f"{' or '.join(map(str, counts))} bombs"
            raise NotMetError(f"no game with {which} leads to this board", line=self.line)


def read_setting(item: Item) -> KataSetting:
    """What the sentences with `Given` say; `NotationError` for one that is not understood."""
    values: dict[str, object] = {}
    given = [clause for clause in item.clauses if clause.word == "Given"]
    for clause in given:
        for pattern, read in _SENTENCES:
            if match := pattern.fullmatch(clause.sentence):
                told = read(_Given(item.grid, match, clause))
                said = {name: value for name, value in told.items() if value is not None and value is not False}
                if again := _subjects(said) & _subjects(values):
                    raise NotationError(
                        f"'Given {clause.sentence}' says the {min(again)} a second time", line=clause.line
                    )
                values |= said
                break
        else:
            raise NotationError(f"'Given {clause.sentence}' is not understood", line=clause.line)
    line = given[0].line
    return KataSetting(grid=item.grid, line=line, **values)  # type: ignore[arg-type]  # the readers' names are its fields


def _subjects(values: Mapping[str, object]) -> set[str]:
    return {"board" if name == "is_blank" else name for name in values}


def read_square(grid: Grid, text: str, clause: Clause) -> Cell:
    """The square that a sentence names; `NotationError` if the board has no such square."""
    try:
        return view.cell_of(grid, text)
    except CellError as error:
        raise NotationError(str(error), line=clause.line) from None


class _Given(NamedTuple):
    """A sentence on boards of this size."""

    grid: Grid
    match: "re.Match[str]"
    clause: Clause


def _read_board(at: _Given) -> dict[str, object]:
    values: dict[str, object] = {"board": at.clause.drawing, "is_blank": bool(at.match["empty"])}
    if at.match["square"]:
        values["square"] = read_square(at.grid, at.match["square"], at.clause)
    return values


def _read_board_of_bombs(at: _Given) -> dict[str, object]:
    if at.clause.drawing is None:
        raise NotationError(f"{at.clause.sentence!r} needs a board after it", line=at.clause.line)
    return {"bombs": at.clause.drawing}


def _read_count(at: _Given) -> dict[str, object]:
    return {"count": int(at.match["count"])}


def _read_new_game(_: _Given) -> dict[str, object]:
    return {}


def _read_bot(_: _Given) -> dict[str, object]:
    return {"bot": True}


_BOARD = (
    r"(?:the squares of )?(?:an? |the )?(?P<empty>empty )?(?:game )?board"
    r"(?: with steps| with \* in square (?P<square>\d+;\d+))?"
)


_Reader = Callable[[_Given], dict[str, object]]

_SENTENCES: tuple[tuple["re.Pattern[str]", _Reader], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), read)
    for pattern, read in (
        (r"(?:an? )?(?:empty )?(?:game )?board with bombs? \(b\) here", _read_board_of_bombs),
        (r"with bombs? \(b\) here", _read_board_of_bombs),
        (_BOARD, _read_board),
        (r"(?P<count>\d{1,9}) bombs? hidden", _read_count),
        (r"a new game", _read_new_game),
        (r"a bot game runs", _read_bot),
    )
)
