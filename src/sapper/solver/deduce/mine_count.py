"""Steps from the number of mines that are left."""

from sapper.solver.analysis import Analysis
from sapper.solver.deduce.knowledge import Knowledge
from sapper.solver.deduce.step import Step, Technique


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
