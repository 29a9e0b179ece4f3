"""The bot: plays a game with a strategy, and tells every move until victory or game over."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.coordinates import cell_name
from sapper.core.grid import Grid
from sapper.core.move import Action, Move
from sapper.core.rng import Rng
from sapper.core.status import Status
from sapper.core.update import Update
from sapper.errors import IllegalMoveError, SapperError, StrategyError
from sapper.kata.messages import StepMessage, answer, created
from sapper.render import kata as kata_view
from sapper.solver.strategies.base import Choice, Strategy

# Children of a game's seed; the generator has 0 and 1 for the layout and the mine count.
_STRATEGY = 2
_FURTHER_GAMES = 1 << 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One move of the bot."""

    number: int
    """From 1."""
    choice: Choice
    """The move and its reason."""
    board: Board
    """The board after it."""
    answer: StepMessage


def strategy_rng(seed: int) -> Rng:
    """The random numbers of the strategy in the game with that seed: not those of the layout."""
    return Rng(seed).split(_STRATEGY)


def seed_of_game(seed: int, number: int) -> int:
    """The seed of game `number` (from 0) of a series: the first has the series' own, so it can be had alone."""
    return seed if number == 0 else Rng(seed).split(_FURTHER_GAMES + number).seed


class Playable(Protocol):
    """What can be played: a `Game`, or a `Session`, which also keeps the time and what was done."""

    @property
    def board(self) -> Board:
        """All that is known of the game now."""

    @property
    def status(self) -> Status:
        """How the game stands."""

    @property
    def grid(self) -> Grid:
        """What is played on."""

    def play(self, move: Move) -> Update:
        """Play a move and return what it changed; `IllegalMoveError` if it is not legal."""


def play(game: Playable, strategy: Strategy, *, first: Cell | None = None) -> Iterator[Turn]:
    """Play a game to its end, a turn at a time.

    `first` is the cell to begin with, whatever the strategy would choose; without it a game of which nothing is revealed
    begins at the usual one (`Board.first_cell`), as simulated games do, unless all cells are mines.
    It ends won or lost, no other outcome is possible: a strategy that raises, chooses an illegal move, gives
    up, or goes on setting and clearing marks without an end, is a `StrategyError`.
    """
    number = idle = 0
    # Every cell marked, changed and unmarked between two reveals is already more than anybody needs.
    most_idle = 4 * game.grid.size
    if first is None and game.board.mine_count < game.grid.size:
        first = game.board.first_cell
    while not game.status.ended:
        number += 1
        if first is not None and number == 1:
            risk = 0.0 if game.board.is_protected(first) else None
            choice = Choice(Move.reveal(first), "the game begins here", risk)
        else:
            choice = _choose(strategy, game.board, number)
        move = choice.move
        if move.action is Action.TERMINATE:
            raise StrategyError(f"{_name(strategy)} gave up at move {number}: the bot plays until victory or game over")
        idle = 0 if move.action in (Action.REVEAL, Action.CHORD) else idle + 1
        if idle > most_idle:
            raise StrategyError(f"{_name(strategy)} set {idle} marks without a reveal: the game has no end")
        try:
            game.play(move)
        except IllegalMoveError as error:
            raise StrategyError(f"{_name(strategy)} chose {move!r} as move {number}: {error}") from error
        board = game.board
        yield Turn(number=number, choice=choice, board=board, answer=answer(board, move))


def _choose(strategy: Strategy, board: Board, number: int) -> Choice:
    try:
        return strategy.choose(board)
    except StrategyError as error:
        raise StrategyError(f"{_name(strategy)}, move {number}: {error}") from error
    except SapperError:
        raise
    except Exception as error:  # other people's code: whatever it raises is its fault, and says so
        raise StrategyError(f"{_name(strategy)} raised {type(error).__name__}: {error}") from error


def _name(strategy: Strategy) -> str:
    return f"strategy {getattr(strategy, 'name', type(strategy).__name__)}"


# --- words ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A way to show the bot's game: how a board is drawn, a cell named, a move and a reason told."""

    name: str
    mine: str
    """What it calls a mine."""
    draw: Callable[[Board], str] = field(repr=False)
    words: dict[Action, str] = field(repr=False, hash=False)
    """What is done to a cell; `{}` is the cell."""
    square: Callable[[Board, int], str] = field(repr=False)
    reason: Callable[[Board, str], str] = field(repr=False)
    begun: Callable[[Board], str] = field(repr=False)
    """What is said of a new game."""
    message: Callable[[Turn], str] = field(repr=False)
    """What is said after a move; nothing where the board says it all."""

    def move(self, board: Board, move: Move) -> str:
        return self.words[move.action].format(self.square(board, move.cell))

    def created(self, board: Board) -> str:
        return "\n".join(filter(None, (self.draw(board), self.begun(board))))

    def turn(self, turn: Turn, *, paint: Callable[[Board, str], str] = lambda _, text: text) -> str:
        """A move, why it was chosen, the board and the message after it (which `paint` may colour)."""
        board = turn.board
        told = f"{turn.number}: {self.move(board, turn.choice.move)} ({self.reason(board, turn.choice.reason)})"
        message = self.message(turn)
        return "\n".join([told, self.draw(board), *([paint(board, message)] if message else [])])


def _cell(board: Board, cell: int) -> str:
    return cell_name(board.grid, cell)


VIEWS = {
    view.name: view
    for view in (
        View(
            name="kata",
            mine="bomb",
            draw=kata_view.bordered,
            words={
                Action.REVEAL: "step on {}",
                Action.FLAG: "mark {} as bomb",
                Action.UNFLAG: "unmark {}",
                Action.QUESTION: "put a question mark on {}",
                Action.UNQUESTION: "take the question mark from {}",
                Action.CHORD: "step on all unmarked squares around {}",
            },
            square=lambda board, cell: kata_view.square(board.grid, cell),
            reason=lambda board, text: kata_view.in_squares(board.grid, text),
            begun=lambda board: created(board.grid),
            message=lambda turn: turn.answer.printed,
        ),
        View(
            name="text",
            mine="mine",
            draw=str,
            words={action: f"{action.name.lower()} {{}}" for action in Action if action is not Action.TERMINATE},
            square=_cell,
            reason=lambda _, text: text,
            begun=lambda _: "",
            message=lambda turn: {Status.LOST: "a mine exploded"}.get(turn.board.status, ""),
        ),
    )
}
"""The views by name; the first is the usual one."""


def summary(games: int, won: int) -> str:
    """How a series went.

    >>> summary(10, 4)
    '10 games: 4 won, 6 lost (40.0 % won)'
    """
    share = f" ({100 * won / games:.1f} % won)" if games else ""
    return f"{games} game{'' if games == 1 else 's'}: {won} won, {games - won} lost{share}"
