"""Runs acceptance tests: what their sentences set up (`Given`), do (`When`) and expect (`Then`)."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.grid import Grid
from sapper.core.move import Move
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.errors import CellError, IllegalMoveError, NotationError
from sapper.game.game import Game
from sapper.game.layout import Layout
from sapper.generator.new_game import new_game
from sapper.kata.bot import play, strategy_rng
from sapper.kata.document import Clause, Item, NotMetError
from sapper.kata.drawing import Drawing
from sapper.kata.messages import UATS, StepMessage, created
from sapper.kata.sandbox import Sandbox, agreeing_layouts
from sapper.kata.scenario import BOMB_COUNTS
from sapper.render import kata as view
from sapper.solver.strategies.registry import STRATEGIES, find_strategy

NEW_GAMES = 100
"""In how many new games a test is run that says `a new game`: seeds 0, 1, 2 …"""

BOT_GAMES = 25
"""How many games each strategy plays for a test that says `a BOT game`."""


class World:
    """One game that a test is run in, and what has come of it so far."""

    __slots__ = ("answer", "count", "game", "sandbox", "seed", "square", "strategy")

    def __init__(
        self, *, sandbox: Sandbox | None = None, game: Game | None = None, seed: int = 0, strategy: str = "", square: Cell | None = None,
    ) -> None:  # fmt: skip
        self.sandbox = sandbox
        self.game = game
        self.seed = seed
        self.strategy = strategy
        self.square = square
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
                yield World(sandbox=sandbox, square=self.square)
        if not is_any:
            which = "these bombs" if self.bombs else f"{' or '.join(map(str, counts))} bombs"
            raise NotMetError(f"no game with {which} leads to this board", line=self.line)


def read_setting(item: Item) -> KataSetting:
    """What the sentences with `Given` say; `NotationError` for one that is not understood."""
    values: dict[str, object] = {}
    given = [clause for clause in item.clauses if clause.word == "Given"]
    for clause in given:
        for pattern, read in _GIVEN_SENTENCES:
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


_BOARD = (
    r"(?:the squares of )?(?:an? |the )?(?P<empty>empty )?(?:game )?board"
    r"(?: with steps| with \* in square (?P<square>\d+;\d+))?"
)


_Reader = Callable[[_Given], Mapping[str, object]]

_GIVEN_SENTENCES: tuple[tuple["re.Pattern[str]", _Reader], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), read)
    for pattern, read in (
        (r"(?:an? )?(?:empty )?(?:game )?board with bombs? \(b\) here", _read_board_of_bombs),
        (r"with bombs? \(b\) here", _read_board_of_bombs),
        (_BOARD, _read_board),
        (r"(?P<count>\d{1,9}) bombs? hidden", lambda at: {"count": int(at.match["count"])}),
        (r"a new game", lambda _: {}),
        (r"a bot game runs", lambda _: {"bot": True}),
    )
)


class UatRun(NamedTuple):
    """A test that is green."""

    runs: int
    told: tuple[str, ...]


class _OtherGameError(Exception):
    """The test is about other games than this one (`When there is 1 bomb`)."""


class _Scene(NamedTuple):
    """A sentence in one of the games."""

    world: World
    match: "re.Match[str]"
    clause: Clause


Step = Callable[[_Scene], None]


def run(item: Item) -> UatRun:
    """Run a test in every game that is as given; `NotMetError` where it does not hold."""
    setting = read_setting(item)
    steps = [_find(clause) for clause in item.clauses if clause.word != "Given"]
    runs = 0
    told: tuple[str, ...] = ()
    for world in setting.worlds():
        try:
            for step, match, clause in steps:
                step(_Scene(world, match, clause))
        except _OtherGameError:
            continue
        runs += 1
        told = told or _tell(item, world)
    if not runs:
        raise NotMetError("no game is as given: nothing was tested", line=item.line)
    return UatRun(runs, told)


def _find(clause: Clause) -> tuple[Step, "re.Match[str]", Clause]:
    for word, pattern, step in _SENTENCES:
        if clause.word == word and (match := pattern.fullmatch(clause.sentence)):
            return step, match, clause
    raise NotationError(f"'{clause.word} {clause.sentence}' is not understood", line=clause.line)


def _tell(item: Item, world: World) -> tuple[str, ...]:
    sentences = []
    for clause in item.clauses:
        sentences.append(f"{clause.word} {clause.sentence}")
        if clause.drawing is not None:
            sentences.append(clause.drawing.printed)
    end = f"the board then ({world.describe()}):\n{view.bare(world.board)}"
    return ("\n".join(sentences), end if world.answer is None else f"{end}\n{world.answer.message}")


def _expect(wanted: object, got: object, at: _Scene) -> None:
    if wanted != got:
        reason = f"{at.clause.word} {at.clause.sentence} ({at.world.describe()})"
        raise NotMetError(reason, line=at.clause.line, expected=str(wanted), got=str(got))


# --- When ------------------------------------------------------------------------------------------


def _only_with(at: _Scene) -> None:
    if at.world.board.mine_count != int(at.match["count"]):
        raise _OtherGameError


def _count(at: _Scene, count: int) -> None:
    at.world.count = count


def _run_bot(at: _Scene) -> None:
    if at.world.game is None or not at.world.strategy:
        raise NotationError("no game of the bot is given that could end", line=at.clause.line)
    for turn in play(at.world.game, find_strategy(at.world.strategy)(strategy_rng(at.world.seed))):
        at.world.answer = turn.answer


def _play(at: _Scene, move: Move) -> None:
    try:
        at.world.answer = _sandbox(at).play(move)
    except IllegalMoveError as error:
        raise NotMetError(f"{at.clause.sentence}: {error} ({at.world.describe()})", line=at.clause.line) from error


def _square(at: _Scene) -> Cell:
    """The square that the sentence names; `it` is the one that is given, or the only one marked."""
    if named := at.match["square"]:
        at.world.square = read_square(at.world.board.grid, named, at.clause)
    elif at.world.square is None:
        marked = list(at.world.board.flagged)
        if len(marked) != 1:
            raise NotationError("it is not said which square 'it' is", line=at.clause.line)
        at.world.square = marked[0]
    return at.world.square


def _sandbox(at: _Scene) -> Sandbox:
    if at.world.sandbox is None:
        raise NotationError(f"'{at.clause.sentence}' needs a board", line=at.clause.line)
    return at.world.sandbox


# --- Then ------------------------------------------------------------------------------------------


def _is_count(at: _Scene) -> None:
    if at.world.count is None:
        raise NotationError("nothing was counted", line=at.clause.line)
    _expect(int(at.match["count"]), at.world.count, at)
    if at.match.groupdict().get("all"):
        _expect(at.world.board.grid.size, at.world.count, at)


def _looks_like(at: _Scene) -> None:
    board = at.world.board
    if at.clause.drawing is not None and at.clause.drawing.is_framed:
        _expect(at.clause.drawing.printed, view.bordered(board), at)
    else:
        _expect(_drawn(at), view.bare(board), at)
    if at.clause.message is not None:
        _expect(at.clause.message, created(board.grid), at)


def _has_bombs(at: _Scene) -> None:
    wanted = [int(number) for number in re.findall(r"\d+", at.match["counts"])]
    if at.world.board.mine_count not in wanted:
        _expect(" or ".join(map(str, wanted)), at.world.board.mine_count, at)


def _has_bombs_placed(at: _Scene) -> None:
    if at.world.sandbox is not None:
        layout = at.world.sandbox.layout
    else:
        assert at.world.game is not None
        at.world.game.terminate()  # then, and not before, one may look where they are
        layout = at.world.game.layout
    _expect(int(at.match["count"]), sum(map(layout.is_mine, range(layout.grid.size))), at)


def _answer(at: _Scene) -> StepMessage:
    if at.world.answer is None:
        raise NotationError("nothing was played that could have an answer", line=at.clause.line)
    return at.world.answer


def _has_won(at: _Scene) -> None:
    wanted = "not won" if at.match["no"] else "won"
    _expect(wanted, "won" if _sandbox(at).has_won else "not won", at)


def _appears(at: _Scene) -> None:
    if at.world.square is None:
        raise NotationError("it is not said which square is meant", line=at.clause.line)
    _expect(at.match["symbol"], view.symbol(at.world.board, at.world.square), at)


def _loses_or_wins(at: _Scene) -> None:
    status = at.world.board.status
    if status not in (Status.WON, Status.LOST):
        _expect("won or lost", status.value, at)
    exploded = at.world.board.tiles.count(Tile.EXPLODED)
    _expect(int(status is Status.LOST), exploded, at)


def _drawn(at: _Scene) -> str:
    if at.clause.drawing is None:
        raise NotationError(f"'{at.clause.sentence}' needs a board after it", line=at.clause.line)
    return at.clause.drawing.text


_SENTENCES: tuple[tuple[str, "re.Pattern[str]", Step], ...] = tuple(
    (word, re.compile(pattern, re.IGNORECASE), step)
    for word, pattern, step in (
        ("When", r"I count the number of squares", lambda at: _count(at, len(at.world.board.tiles))),
        ("When", r"I want to create one", lambda _: None),
        ("When", r"the game starts", lambda _: None),
        ("When", r"there (?:is|are) (?P<count>\d{1,9}) bombs?", _only_with),
        ("When", r"the number of neighbour squares with bombs is calculated", lambda _: None),
        ("When", r"the possible steps are calculated", lambda at: _count(at, len(_sandbox(at).possible_steps))),
        ("When", r"I step on (?:square )?(?P<square>\d+;\d+)", lambda at: _play(at, Move.reveal(_square(at)))),
        ("When", r"I mark (?:square )?(?P<square>\d+;\d+) as bomb", lambda at: _play(at, Move.flag(_square(at)))),
        ("When", r"I unmark (?:it|(?:square )?(?P<square>\d+;\d+))", lambda at: _play(at, Move.unflag(_square(at)))),
        ("When", r"winning is checked", lambda _: None),
        ("When", r"it ends", _run_bot),
        ("Then", r"it should be (?P<count>\d{1,9})", _is_count),
        ("Then", r"it should be (?P<all>all )?(?P<count>\d{1,9}) squares? listed", _is_count),
        ("Then", r"the empty game board looks like:?", _looks_like),
        ("Then", r"the number of bombs should be (?P<counts>\d+(?:(?:, | or )\d+)*)\.?", _has_bombs),
        ("Then", r"the number of bombs placed on the game board should be (?P<count>\d{1,9})\.?", _has_bombs_placed),
        (
            "Then",
            r"the bomb board is:?",
            lambda at: _expect(_drawn(at), view.bomb_board(at.world.board.grid, _sandbox(at).layout.clues), at),
        ),
        ("Then", r"it should return (?P<symbol>\S)", lambda at: _expect(at.match["symbol"], _answer(at).symbol, at)),
        ("Then", r"message '(?P<message>.*)'", lambda at: _expect(at.match["message"], _answer(at).message, at)),
        ("Then", r"(?P<symbol>\S) appears in the square", _appears),
        (
            "Then",
            r"(?:the )?board(?:'s)? state(?: is)?:?",
            lambda at: _expect(_drawn(at), view.bare(at.world.board), at),
        ),
        ("Then", r"game has (?P<no>not )?won", _has_won),
        ("Then", r"the bot either loses or wins, other outcome is not possible", _loses_or_wins),
    )
)
