"""Steps from one clue, from two that overlap, and from shapes that have a name.

All work on what is left of a clue once known mines are taken off it: a 3 with two known mines is a 1.
"""

from typing import NamedTuple

from sapper.core.grid import Grid
from sapper.solver.analysis import Analysis
from sapper.solver.deduce.knowledge import Knowledge
from sapper.solver.deduce.step import Step, Technique


def by_one_clue(known: Knowledge) -> Step | None:
    """A clue that has all its mines, or needs all its open cells."""
    clue = known.next_single()
    if clue is None:
        return None
    cells = known.open[clue]
    if known.need[clue]:
        return known.step(Technique.ONE_CLUE, (clue,), mined=cells)
    return known.step(Technique.ONE_CLUE, (clue,), safe=cells)


def by_overlap(known: Knowledge) -> Step | None:
    """Two clues that share cells; the whole pattern if the two are part of a bigger one that has a name.

    Say B needs as many mines more than A as it has cells that A does not touch. Then all those cells
    are mines, the shared ones have all the mines of A, and A's other cells are safe. Bounds on the mines
    among the shared cells give nothing else that one clue does not give.
    """
    while (clue := known.next_dirty()) is not None:
        for other in known.overlapping(clue):
            for smaller, larger in ((clue, other), (other, clue)):
                mined = known.open[larger] - known.open[smaller]
                if known.need[larger] - known.need[smaller] != len(mined):
                    continue
                safe = known.open[smaller] - known.open[larger]
                if not mined and not safe:
                    continue  # the two say the same
                name = _pair_name(known, smaller, larger)
                line = _line(known, smaller, larger) if name == "1-2" else None
                if line is not None:
                    return known.step(
                        Technique.PATTERN, line.clues, safe=line.safe, mined=line.mined, pattern=line.pattern
                    )
                return known.step(Technique.OVERLAP, (smaller, larger), safe=safe, mined=mined, pattern=name)
        known.clean(clue)
    return None


def _pair_name(known: Knowledge, smaller: int, larger: int) -> str | None:
    """What players call it: 1-1 and 1-2 if the clues are side by side.

    A hole is a clue of one mine whose cells are all inside those of a clue that is not beside it.
    """
    needs = (known.need[smaller], known.need[larger])
    if larger in known.board.grid.edges(smaller):
        return {(1, 1): "1-1", (1, 2): "1-2"}.get(needs)
    return "hole" if needs == (1, 1) else None


class _Line(NamedTuple):
    """A pattern of clues in a line."""

    pattern: str
    clues: tuple[int, ...]
    mined: set[int]
    safe: set[int]


def _line(known: Knowledge, first: int, second: int) -> _Line | None:
    """1-2-1 or 1-2-2-1 that begins with these clues, a 1 and a 2 of which the 2 has one cell the 1 does not touch.

    That cell is a mine, and so is the one at which the same happens from the other end. If they are two
    different cells, then they are all the mines that these clues have.
    """
    grid = known.board.grid
    third = _beyond(grid, first, second)
    if third is None or third not in known.open or third == first:
        return None
    clues = [first, second, third]
    if known.need[third] == 2:
        fourth = _beyond(grid, second, third)
        if fourth is None or fourth not in known.open or known.need[fourth] != 1 or fourth in clues:
            return None
        clues.append(fourth)
    elif known.need[third] != 1:
        return None
    twos = [known.open[clue] for clue in clues[1:-1]]
    mined = twos[0] - known.open[first]
    mirrored = twos[-1] - known.open[clues[-1]]
    if len(mirrored) != 1 or mined == mirrored:
        return None
    mined |= mirrored
    if not all(mined <= cells for cells in twos):
        return None
    safe = set().union(*(known.open[clue] for clue in clues)) - mined
    return _Line("1-2-1" if len(clues) == 3 else "1-2-2-1", tuple(clues), mined, safe)


def _beyond(grid: Grid, first: int, second: int) -> int | None:
    """The cell that comes next in line after two that share an edge."""
    (x, y), (column, row) = grid.xy(first), grid.xy(second)
    column, row = 2 * column - x, 2 * row - y
    if grid.topology.wraps:
        # Across the seam the difference is off by a whole width or height, which is nothing here.
        column, row = column % grid.width, row % grid.height
    if 0 <= column < grid.width and 0 <= row < grid.height:
        return grid.cell(column, row)
    return None


def by_mine_count(known: Knowledge, analysis: Analysis | None) -> Step | None:
    """The step from the number of mines; with an analysis also from the components.

    Components are what single clues leave, so those must have had their say.
    """
    if not known.unknown:
        return None
    step = _by_disjoint_clues(known)
    if step is None and analysis is not None:
        step = _by_bounds(known, analysis)
    return step


def _by_disjoint_clues(known: Knowledge) -> Step | None:
    """Some clues that share no cell need all the mines that are left, or leave only mines: the rest is settled.

    Without any clue this is: no mine is left; only mines are left.
    """
    left, unknown = known.mines_left, known.unknown
    for clues in ((), _disjoint(known, rising=True), _disjoint(known, rising=False)):
        touched = set().union(*(known.open[clue] for clue in clues))
        outside = unknown - touched
        rest = left - sum(known.need[clue] for clue in clues)
        if not outside:
            continue
        if rest == 0:
            return known.step(Technique.MINE_COUNT, clues, safe=outside, mine_count=True, bound="fewest")
        if rest == len(outside):
            return known.step(Technique.MINE_COUNT, clues, mined=outside, mine_count=True, bound="most")
    return None


def _disjoint(known: Knowledge, *, rising: bool) -> tuple[int, ...]:
    """Clues that share no open cell, taken greedily by the mines they need for a cell."""
    share = {clue: (known.need[clue] / len(cells), len(cells)) for clue, cells in known.open.items()}
    taken: set[int] = set()
    clues = []
    for clue in sorted(
        known.open, key=lambda clue: (share[clue] if rising else (-share[clue][0], share[clue][1]), clue)
    ):
        if taken.isdisjoint(known.open[clue]):
            taken |= known.open[clue]
            clues.append(clue)
    return tuple(sorted(clues))


def _by_bounds(known: Knowledge, analysis: Analysis) -> Step | None:
    """All components have the fewest mines they can have, or the most: then the rest of the board is settled too."""
    groups, components, left = analysis.groups, analysis.components, analysis.mines_left
    inside = [cell for group in groups if group.component < 0 for cell in group.cells]
    fewest = sum(component.least for component in components)
    most = sum(component.least + len(component.ways) - 1 for component in components) + len(inside)
    if left not in (fewest, most):
        return None
    safe: set[int] = set()
    mined: set[int] = set()
    (safe if left == fewest else mined).update(inside)
    for component in components:
        at = 0 if left == fewest else len(component.ways) - 1
        for number, hits in zip(component.groups, component.hits, strict=True):
            hit = hits[at] if at < len(hits) else 0
            if not hit:
                safe.update(groups[number].cells)
            elif hit == component.ways[at]:
                mined.update(groups[number].cells)
    safe &= known.unknown
    mined &= known.unknown
    if not safe and not mined:
        return None
    clues = sorted(clue for component in components for clue in component.clues)
    return known.step(
        Technique.MINE_COUNT,
        clues,
        safe=safe,
        mined=mined,
        mine_count=True,
        bound="fewest" if left == fewest else "most",
    )
