"""Which clues contradict each other: a small set that no layout fits, without a superfluous member.

Clues are put in order of their distance from where the contradiction showed. The shortest beginning
of that order that no layout fits ends with a clue that is needed; it moves to the front, and so on
until the needed ones alone suffice (the `progression` way to a minimal unsatisfiable set). The work is
bounded: a set found when it ends is still contradictory, if not the smallest.
"""

from collections.abc import Sequence
from typing import NamedTuple

from sapper._kernels.reference.count import OverCapError, solve
from sapper._kernels.reference.order import order_groups, shape_of
from sapper._kernels.reference.scan import Constraint, scan_constraints

_NAMED = 8  # in the message: the error carries them all
_MOST_WORK = 200_000  # clues looked at, some seconds


class Contradiction(NamedTuple):
    """Cells of clues that cannot all be right (with the number of mines, if `mine_count`), in one line of words too."""

    clues: tuple[int, ...]
    mine_count: bool
    message: str


def contradiction_of(constraints: Sequence[Constraint], covered: Sequence[int], mines: int, cap: int) -> Contradiction:
    """Why no layout fits; `mines` are to be among the `covered` cells. To be called only if none does."""
    for clue, need, cells in constraints:
        if need < 0:
            return Contradiction((clue,), False, f"the clue at cell {clue} has more known mines beside it than it says")
        if need > len(cells):
            return Contradiction(
                (clue,),
                False,
                f"the clue at cell {clue} needs {_mines(need, 'more ')}, and has {len(cells)} covered cells",
            )
    if not 0 <= mines <= len(covered):
        message = (
            f"{_mines(mines)} cannot be in {len(covered)} covered cells"
            if mines >= 0
            else "more mines are known than the board has"
        )
        return Contradiction((), True, message)
    search = _Search(constraints, len(covered), mines, cap)
    origin = search.origin()
    mine_count = origin is None
    ordered = _by_distance(constraints, origin or 0)
    clues = tuple(sorted(constraints[number].clue for number in search.smallest(ordered, mine_count)))
    named = ", ".join(map(str, clues[:_NAMED]))
    if len(clues) > _NAMED:
        named += f" and {len(clues) - _NAMED} more"
    message = f"no layout fits the clues at cells {named}"
    if mine_count:
        message += f" with {_mines(mines)} in {len(covered)} covered cells"
    return Contradiction(clues, mine_count, message)


class _Search:
    """Tries sets of constraints, given by number."""

    def __init__(self, constraints: Sequence[Constraint], covered: int, mines: int, cap: int) -> None:
        self.constraints = constraints
        self.covered = covered
        self.mines = mines
        self.cap = cap
        self.work = 0

    def origin(self) -> int | None:
        """A constraint near which clues contradict each other; None if they do not without the number of mines."""
        frontier = scan_constraints(self.constraints, ())
        if isinstance(frontier, int):
            return frontier
        by_cell = {constraint.clue: number for number, constraint in enumerate(self.constraints)}
        for order in order_groups(frontier):
            shape, clues = shape_of(frontier, order)
            try:
                if not solve(shape, tuple([frontier.needs[clue] for clue in clues]), self.cap).ways:
                    return by_cell[frontier.clues[clues[0]]]
            except OverCapError:
                continue
        return None

    def fits(self, numbers: Sequence[int], mine_count: bool) -> bool:
        """True if some layout fits these clues, and the number of mines; taken to be so where it is too hard to say."""
        self.work += len(numbers) + 1
        chosen = [self.constraints[number] for number in numbers]
        frontier = scan_constraints(chosen, ())
        if isinstance(frontier, int):
            return False
        touched = {cell for constraint in chosen for cell in constraint.cells}
        # Bit n: n mines are possible. Cells that touch none of the clues take any number.
        possible = (1 << self.covered - len(touched) + 1) - 1
        possible <<= len(frontier.mined)
        for order in order_groups(frontier):
            shape, clues = shape_of(frontier, order)
            try:
                solved = solve(shape, tuple([frontier.needs[clue] for clue in clues]), self.cap)
            except OverCapError:
                return True
            together = 0
            for above, ways in enumerate(solved.ways):
                if ways:
                    together |= possible << solved.least + above
            possible = together
        return bool(possible >> self.mines & 1) if mine_count else bool(possible)

    def smallest(self, ordered: list[int], mine_count: bool) -> list[int]:
        """A subset that no layout fits, of a set that none fits; its members are needed, each, unless the search is cut short."""
        needed: list[int] = []
        while self.fits(needed, mine_count):
            low = 0  # needed + ordered[:low] fits
            high = len(ordered)
            reach = 4
            while high - low > 1:
                if self.work > _MOST_WORK:
                    return needed + ordered[:high]
                middle = low + reach if low + reach < high and reach < high // 2 else (low + high) // 2
                if self.fits(needed + ordered[:middle], mine_count):
                    low = middle
                    reach *= 2
                else:
                    high = middle
                    reach = high
            if not ordered:
                break
            needed.append(ordered[high - 1])
            ordered = ordered[: high - 1]
        return needed


def _by_distance(constraints: Sequence[Constraint], origin: int) -> list[int]:
    """Constraints in order of their distance from one of them, over shared cells; those out of reach last."""
    beside: dict[int, list[int]] = {}
    for number, constraint in enumerate(constraints):
        for cell in constraint.cells:
            beside.setdefault(cell, []).append(number)
    seen = dict.fromkeys([origin] if constraints else [])
    ordered = list(seen)
    for number in ordered:  # grows as it goes
        for cell in constraints[number].cells:
            for other in beside[cell]:
                if other not in seen:
                    seen[other] = None
                    ordered.append(other)
    return ordered + [number for number in range(len(constraints)) if number not in seen]


def _mines(count: int, which: str = "") -> str:
    return f"{count} {which}mine{'' if count == 1 else 's'}"
