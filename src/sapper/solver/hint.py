"""A hint for one board: what to play next, and the reason in words."""

from dataclasses import dataclass, field

from sapper.core.board import Board
from sapper.core.cells import CellSet
from sapper.core.display import shown
from sapper.core.move import Move
from sapper.solver.advisor import Advisor
from sapper.solver.analysis import DEFAULT_CAP
from sapper.solver.deduce.explain import next_step
from sapper.solver.deduce.step import Step, Technique


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """What to play next; `hint` makes it."""

    board: Board = field(repr=False)
    steps: tuple[Step, ...] = field(repr=False)
    """The step that shows a safe cell, after those it builds on; or the guess, or the protected start, alone; or none."""
    move: Move | None
    """The move: to reveal that cell, or to take away the flag that is on it; None if there is nothing to play."""
    is_guess: bool
    """True if no cell is known to be safe."""
    win: float | None
    """Of a guess: the chance to win when it is made and best play follows; None for other steps, or if it is not known."""
    risk: float | None
    """The chance that the revealed cell is a mine: 0 unless it is a guess, None if that took more work than `cap`."""

    @property
    def text(self) -> str:
        """The reasons, a sentence a line."""
        if self.board.status.ended:
            return f"The game is {self.board.status.value}: there is nothing to do."
        if self.move is None:
            return "No covered cell can be safe: there is nothing to reveal."
        return "\n".join(f"{step.sentence}." for step in self.steps)

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str | None:
        """The board for a notebook, with the cells of the reasons and of the move, and the reasons below."""
        cells = {
            name: CellSet.of(cell for step in self.steps for cell in getattr(step, name)) for name in ("safe", "mined")
        }
        best = {} if self.move is None else {self.move.cell: "best"}
        return shown("html", self.board, self.text, {**cells, "overlays": best})


def hint(board: Board, *, trust_flags: bool = False, cap: int = DEFAULT_CAP, advisor: Advisor | None = None) -> Hint:
    r"""The cheapest way to the next safe cell; the guess that wins most where none is safe. Arguments as in `analyse`.

    With an `advisor` a guess is the one that its strategy would make.

    >>> from sapper.core.notation import read_board
    >>> print(hint(read_board("3x2/2\n###\n121")))
    a2, b2 and c2 are a 1-2-1 in a line: a1 and c1 are mines, b1 is safe.

    Raises:
        ContradictionError: no layout fits the board.

    """
    steps = next_step(board, trust_flags=trust_flags, cap=cap, advisor=advisor)
    last = steps[-1] if steps else None
    is_guess = last is not None and last.technique is Technique.GUESS
    cell = None if last is None else next(iter(last.safe), None) if last.best is None else last.best
    if last is None or cell is None:
        return Hint(board=board, steps=steps, move=None, is_guess=is_guess, win=None, risk=None)
    move = Move.reveal(cell)
    if not board.is_legal(move):
        move = Move.unflag(cell)
    win = None if last.chance is None else last.chance.win
    return Hint(board=board, steps=steps, move=move, is_guess=is_guess, win=win, risk=last.risk if is_guess else 0.0)
