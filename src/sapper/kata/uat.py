"""Runs acceptance tests: what their `When` sentences do and their `Then` sentences expect."""

import re
from collections.abc import Callable
from typing import NamedTuple

from sapper.core.cells import Cell
from sapper.core.move import Move
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.errors import IllegalMoveError, NotationError
from sapper.kata.bot import play, strategy_rng
from sapper.kata.document import Clause, Item
from sapper.kata.messages import created
from sapper.kata.sandbox import Sandbox
from sapper.kata.setting import World, read_setting, read_square
from sapper.kata.verdict import NotMetError
from sapper.render import kata as view
from sapper.solver.strategies.registry import find_strategy


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


def _count_squares(at: _Scene) -> None:
    at.world.count = len(at.world.board.tiles)


def _nothing(at: _Scene) -> None:
    """What is given is all there is to do."""


def _only_with(at: _Scene) -> None:
    if at.world.board.mine_count != int(at.match["count"]):
        raise _OtherGameError


def _calculate_steps(at: _Scene) -> None:
    at.world.count = len(_sandbox(at).possible_steps)


def _step_on(at: _Scene) -> None:
    _play(at, Move.reveal(_square(at)))


def _mark(at: _Scene) -> None:
    _play(at, Move.flag(_square(at)))


def _unmark(at: _Scene) -> None:
    _play(at, Move.unflag(_square(at)))


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


def _bomb_board_is(at: _Scene) -> None:
    layout = _sandbox(at).layout
    _expect(_drawn(at), view.bomb_board(layout.grid, layout.clues), at)


def _returns(at: _Scene) -> None:
    if at.world.answer is None:
        raise NotationError("nothing was played that could return something", line=at.clause.line)
    _expect(at.match["symbol"], at.world.answer.symbol, at)


def _says(at: _Scene) -> None:
    if at.world.answer is None:
        raise NotationError("nothing was played that could have a message", line=at.clause.line)
    _expect(at.match["message"], at.world.answer.message, at)


def _appears(at: _Scene) -> None:
    if at.world.square is None:
        raise NotationError("it is not said which square is meant", line=at.clause.line)
    _expect(at.match["symbol"], view.symbol(at.world.board, at.world.square), at)


def _state_is(at: _Scene) -> None:
    _expect(_drawn(at), view.bare(at.world.board), at)


def _has_won(at: _Scene) -> None:
    wanted = "not won" if at.match["no"] else "won"
    _expect(wanted, "won" if _sandbox(at).has_won else "not won", at)


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
        ("When", r"I count the number of squares", _count_squares),
        ("When", r"I want to create one", _nothing),
        ("When", r"the game starts", _nothing),
        ("When", r"there (?:is|are) (?P<count>\d{1,9}) bombs?", _only_with),
        ("When", r"the number of neighbour squares with bombs is calculated", _nothing),
        ("When", r"the possible steps are calculated", _calculate_steps),
        ("When", r"I step on (?:square )?(?P<square>\d+;\d+)", _step_on),
        ("When", r"I mark (?:square )?(?P<square>\d+;\d+) as bomb", _mark),
        ("When", r"I unmark (?:it|(?:square )?(?P<square>\d+;\d+))", _unmark),
        ("When", r"winning is checked", _nothing),
        ("When", r"it ends", _run_bot),
        ("Then", r"it should be (?P<count>\d{1,9})", _is_count),
        ("Then", r"it should be (?P<all>all )?(?P<count>\d{1,9}) squares? listed", _is_count),
        ("Then", r"the empty game board looks like:?", _looks_like),
        ("Then", r"the number of bombs should be (?P<counts>\d+(?:(?:, | or )\d+)*)\.?", _has_bombs),
        ("Then", r"the number of bombs placed on the game board should be (?P<count>\d{1,9})\.?", _has_bombs_placed),
        ("Then", r"the bomb board is:?", _bomb_board_is),
        ("Then", r"it should return (?P<symbol>\S)", _returns),
        ("Then", r"message '(?P<message>.*)'", _says),
        ("Then", r"(?P<symbol>\S) appears in the square", _appears),
        ("Then", r"(?:the )?board(?:'s)? state(?: is)?:?", _state_is),
        ("Then", r"game has (?P<no>not )?won", _has_won),
        ("Then", r"the bot either loses or wins, other outcome is not possible", _loses_or_wins),
    )
)
