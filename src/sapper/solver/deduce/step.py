"""One step of reasoning, as a person would take it: what was read, what follows, how hard that is, and its sentence."""

from dataclasses import dataclass, field
from enum import IntEnum, unique
from typing import Literal

from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.tile import Tile
from sapper.core.words import counted, joined
from sapper.solver.advice import advice_of
from sapper.solver.win import WinChance
from sapper.solver.words import at, count_words, listed, percent

_NO_CELLS = CellSet()


@unique
class Technique(IntEnum):
    """How hard a step is, cheapest first; the hardest step says how hard a board is.

    A pattern of two clues (1-1, 1-2, a hole) takes no more than `OVERLAP` and is one that has a name;
    `PATTERN` is a shape of three clues or more that is seen at once, and reported whole.
    """

    START = 0
    """Nothing is revealed yet, and the first reveal is kept from meeting a mine."""
    ONE_CLUE = 1
    """A clue that has all its mines, or that needs every covered cell it has left."""
    OVERLAP = 2
    """Two clues that share cells."""
    PATTERN = 3
    """A named shape of several clues: 1-2-1, 1-2-2-1."""
    MINE_COUNT = 4
    """The number of mines that are left on the board."""
    CASES = 5
    """Every layout of some clues, or of the whole board, agrees."""
    GUESS = 6
    """Nothing is certain to be safe: a guess."""

    @property
    def words(self) -> str:
        """Its name in words."""
        return self.name.lower().replace("_", " ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step: from `clues`, and from cells known before, it follows that some cells are safe and some are mines."""

    board: Board = field(repr=False)
    technique: Technique
    pattern: str | None = None
    """What players call it, as `1-2-1`."""
    clues: tuple[Cell, ...] = ()
    """The clues it reads; the pattern's in their order, of two that overlap the one with the smaller need first."""
    safe: CellSet = _NO_CELLS
    """Cells that it shows to be safe, not known before."""
    mined: CellSet = _NO_CELLS
    """Cells that it shows to be mines, not known before."""
    known_mines: CellSet = _NO_CELLS
    """Mines that it counts on: shown earlier, trusted flags, or seen on the board."""
    known_safe: CellSet = _NO_CELLS
    """Covered cells that earlier steps have shown to be safe and it counts on."""
    mine_count: bool = False
    """True if the number of mines on the board is part of it; `known_mines` and `known_safe` are then all there are."""
    bound: Literal["fewest", "most"] | None = None
    """Of `MINE_COUNT`: with so many mines left, those beside the clues must be the fewest, or the most, that can be."""
    layouts: int | None = None
    """Of `CASES`: how many layouts were looked at, the mines of those clues, or of the board with `mine_count`."""
    best: Cell | None = None
    """Of `GUESS`: the cell that wins most, where that is known, else the one least likely to be a mine. Of `START`: the one to begin with."""
    risk: float | None = None
    """Of `GUESS`: the chance that it is one; None if that took more work than was allowed."""
    chance: WinChance | None = field(default=None, repr=False, compare=False)
    """Of `GUESS`: the chance to win, and what it would be after other guesses; None where it is not defined."""

    @property
    def cells(self) -> CellSet:
        """The cells that a hint shows for it: those it shows to be safe or mines, and the one it proposes; at the start that one alone."""
        best = CellSet.of([] if self.best is None else [self.best])
        return best if self.technique is Technique.START else self.safe | self.mined | best

    @property
    def wrong_flags(self) -> CellSet:
        """The cells that it shows to be safe though they are flagged."""
        return self.safe & self.board.flagged if self.technique is not Technique.START else _NO_CELLS

    @property
    def sentence(self) -> str:
        """The step in words, with cells as `c4`."""
        return _sentence_of(self)


# --- sentences: one each, cells as c4 -----------------------------------------------------------------


def _sentence_of(step: Step) -> str:
    match step.technique:
        case Technique.START:
            return _start(step)
        case Technique.ONE_CLUE:
            return _one_clue(step)
        case Technique.OVERLAP:
            return _overlap(step)
        case Technique.PATTERN:
            return _pattern(step)
        case Technique.MINE_COUNT:
            return _mine_count(step)
        case Technique.CASES:
            return _cases(step)
        case Technique.GUESS:
            return _guess(step)


def _start(step: Step) -> str:
    board = step.board
    begin = "" if step.best is None else at(board, step.best)
    if board.protected == board.covered:
        return f"the first reveal is never a mine, wherever it is: begin at {begin}"
    return f"the game begins at {begin}, which is not a mine"


def _one_clue(step: Step) -> str:
    board, clue = step.board, step.clues[0]
    value = board.clue(clue)
    mines = step.known_mines
    if step.safe:
        if not value:
            reason = "says 0"
        elif value == 1:
            reason = f"says 1 and its mine is {listed(board, mines)}"
        else:
            reason = f"says {value} and its {value} mines are {listed(board, mines)}"
        return f"{at(board, clue)} {reason}: {_conclusion(step)}"
    need = len(step.mined)
    if not mines:
        only = f"has only {counted(need, 'covered neighbour')} left"
    else:
        only = f"beside {listed(board, mines)} has only {counted(need, 'other covered neighbour')} left"
    return f"{at(board, clue)} says {value} and {only}: {_conclusion(step)}"


def _overlap(step: Step) -> str:
    board = step.board
    smaller, larger = step.clues
    name = f"{step.pattern}: " if step.pattern else ""
    first, second = at(board, larger), at(board, smaller)
    reason = f"{_needs(step, larger)}, {_needs(step, smaller)}, and "
    if step.mined:
        only = f"{listed(board, step.mined)} {'does' if len(step.mined) == 1 else 'do'} not touch {second}"
        return f"{name}{reason}of the undecided cells of {first} only {only}: {_conclusion(step)}"
    return f"{name}{reason}every undecided cell of {first} touches {second}: {_conclusion(step)}"


def _pattern(step: Step) -> str:
    clues = joined([at(step.board, clue) for clue in step.clues])  # in the pattern's order
    beyond = (
        f" once {listed(step.board, step.known_mines)} {_are(len(step.known_mines))} taken off"
        if step.known_mines
        else ""
    )
    return f"{clues} are a {step.pattern} in a line{beyond}: {_conclusion(step)}"


def _mine_count(step: Step) -> str:
    board = step.board
    left = board.mine_count - len(step.known_mines)
    mines = f"{counted(left, 'mine')} {_are(left)} left"
    if not step.clues:
        if step.safe:
            return f"no mine is left: {_conclusion(step)}"
        return f"{mines}, and as many covered cells: {_conclusion(step)}"
    clues = listed(board, step.clues)
    if step.bound == "fewest" and not step.mined:
        return f"{mines}, and {clues} need{_verb(len(step.clues))} {'it' if left == 1 else 'all of them'}: {_conclusion(step)}"
    beyond = not any(clue in step.clues for cell in step.mined for clue in board.grid.neighbours(cell))
    if step.bound == "most" and beyond and not step.safe:
        taken = left - len(step.mined)
        rest = f"only {counted(len(step.mined), 'covered cell')} {_are(len(step.mined))} elsewhere"
        return f"{mines}, at most {taken:,} of them around {clues}, and {rest}: {_conclusion(step)}"
    return f"{mines}, the {step.bound} that {clues} allow{_verb(len(step.clues))}: {_conclusion(step)}"


def _cases(step: Step) -> str:
    board = step.board
    layouts = step.layouts or 0
    if step.mine_count:
        many = (
            "both layouts"
            if layouts == 2
            else f"all {count_words(layouts)} layouts"
            if layouts > 1
            else "the only layout"
        )
        return f"{many} with {counted(board.mine_count, 'mine')} that fit{'' if layouts > 1 else 's'} the board agree{_verb(layouts)}: {_conclusion(step)}"
    clues = listed(board, step.clues)
    ways = (
        "in both ways"
        if layouts == 2
        else f"in each of the {count_words(layouts)} ways"
        if layouts > 1
        else "in the only way"
    )
    return f"{ways} to lay the mines of {clues}, {_conclusion(step)}"


def _guess(step: Step) -> str:
    board = step.board
    if step.best is None:
        return "no covered cell is left to choose"
    if step.risk is None:
        return (
            f"no safe cell was found within the cap on work; {at(board, step.best)} is a guess whose risk is not known"
        )
    advice = None if step.chance is None else advice_of(step.chance)
    if advice is not None:
        flag = f"; the flag on {at(board, step.best)} must be removed first" if _under_flag(step) else ""
        return f"{advice}{flag}"
    risk = f"{percent(step.risk)} at {at(board, step.best)}{_under_flag(step)}"
    if not any(tile <= Tile.EIGHT for tile in board.tiles):
        return f"nothing is revealed that could make a cell safe; the least risk is {risk}"
    return f"no safe cell; the least risk is {risk}"


def _needs(step: Step, clue: int) -> str:
    """A clue in words, less its known mines."""
    board = step.board
    value = board.clue(clue)
    mines = [cell for cell in board.grid.neighbours(clue) if cell in step.known_mines]
    if not mines:
        return f"{at(board, clue)} says {value}"
    return f"{at(board, clue)} needs {value - len(mines)} more besides {listed(board, mines)}"


def _conclusion(step: Step) -> str:
    board = step.board
    parts = []
    if step.mined:
        many = len(step.mined)
        parts.append(f"{listed(board, step.mined)} {_are(many)} {'mines' if many > 1 else 'a mine'}")
    if step.safe:
        parts.append(f"{listed(board, step.safe)} {_are(len(step.safe))} safe")
    return ", ".join(parts) + _wrong_flags(step)


def _wrong_flags(step: Step) -> str:
    """A note on flags whose cells are shown to be safe."""
    wrong = step.wrong_flags
    if not wrong:
        return ""
    flags, them = ("flag", "it") if len(wrong) == 1 else ("flags", "them")
    first = "" if step.board.rules.click_reveals_flagged else f": remove {them} first"
    return f"; the {flags} on {listed(step.board, wrong)} {_are(len(wrong))} wrong{first}"


def _under_flag(step: Step) -> str:
    """A note on a flag on the cell to guess."""
    board = step.board
    if step.best not in board.flagged or board.rules.click_reveals_flagged:
        return ""
    return ", whose flag must be removed first"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _verb(subjects: int) -> str:
    return "s" if subjects == 1 else ""
