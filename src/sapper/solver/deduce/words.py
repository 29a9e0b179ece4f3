"""Steps in words: one sentence each, every cell as (x, y).

Knows: English, what a step carries.
Does not know: how steps are found.
"""

from sapper.core.tile import Tile
from sapper.core.words import counted
from sapper.solver.deduce.step import Step, Technique
from sapper.solver.words import at, joined, listed, percent


def sentence_of(step: Step) -> str:
    """What a person would say."""
    match step.technique:
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
    left = board.mines - len(step.known_mines)
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
        return f"{mines}, {clues} take{_verb(len(step.clues))} {taken:,}, and every other covered cell takes one: {_conclusion(step)}"
    return f"{mines}, the {step.bound} that {clues} allow{_verb(len(step.clues))}: {_conclusion(step)}"


def _cases(step: Step) -> str:
    board = step.board
    layouts = step.layouts or 0
    if step.mine_count:
        many = (
            "both layouts" if layouts == 2 else f"all {_number(layouts)} layouts" if layouts > 1 else "the only layout"
        )
        return f"{many} with {counted(board.mines, 'mine')} that fit{'' if layouts > 1 else 's'} the board agree{_verb(layouts)}: {_conclusion(step)}"
    clues = listed(board, step.clues)
    ways = (
        "in both ways"
        if layouts == 2
        else f"in each of the {_number(layouts)} ways"
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
    risk = f"{percent(step.risk)} at {at(board, step.best)}"
    if not any(tile <= Tile.EIGHT for tile in board.tiles):
        return f"nothing is revealed that could make a cell safe; the least risk is {risk}"
    return f"no safe cell; the least risk is {risk}"


def _needs(step: Step, clue: int) -> str:
    """What a clue says, or what is left of it."""
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
    return ", ".join(parts)


def _number(count: int) -> str:
    """A count in digits, or the power of ten of a very large one."""
    if count < 10**15:
        return f"{count:,}"
    return f"some 10^{(count.bit_length() - 1) * 1233 >> 12}"  # 1233 / 4096 is log10(2)


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _verb(subjects: int) -> str:
    """The ending of a verb in the present."""
    return "s" if subjects == 1 else ""
