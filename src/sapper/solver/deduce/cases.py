"""Steps by case distinction: in every layout that fits some clues, a cell is the same.

The fewest clues that a person has to look at are searched for: those nearest to a cell first, more and
more of them, until they settle something; then every clue that is not needed is left out.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, pairwise
from math import prod
from typing import NamedTuple

from sapper import _kernels
from sapper._kernels import AnalysedComponent, AnalysedGroup, batch
from sapper.core.cells import CellSet
from sapper.core.tile import Tile
from sapper.errors import TooHardError
from sapper.solver.deduce.knowledge import Knowledge
from sapper.solver.deduce.step import Step, Technique

_SIZES = (0, 3, 4, 5, 6, 8, 10, 13, 17, 23, 30, 40, 60, 100)
_CANDIDATES = 12  # cells that are tried as a centre, of those that the analysis says can be settled
_MOST_CLUES = 23  # for one cell
_LOCAL_CAP = 20_000  # states; what takes more is no argument that a person follows


def by_cases(known: Knowledge, groups: Sequence[AnalysedGroup], components: Sequence[AnalysedComponent]) -> Step | None:
    """A step from layouts of a few clues, else of a whole component; the mine count is not used."""
    certain = {cell: number for number, cell in _certain(known, groups, components)}
    if not certain:
        return None
    candidates = sorted(certain)[:_CANDIDATES]
    nearest = [_nearest(known, cell) for cell in candidates]
    for smaller, size in pairwise(_SIZES):
        for clues in nearest:
            if len(clues) > smaller:
                found = _forced(known, clues[:size])
                if found is not None and (found.safe or found.mined):
                    return _step(known, clues[:size])
    component = components[certain[candidates[0]]]
    cells = {cell for cell, number in certain.items() if components[number] is component}
    safe = {
        cell
        for number in component.groups
        for cell in groups[number].cells
        if not any(component.hits[component.groups.index(number)])
    }
    return known.step(
        Technique.CASES, component.clues, safe=cells & safe, mined=cells - safe, layouts=sum(component.ways)
    )


def clues_about(known: Knowledge, cell: int) -> list[int]:
    """A few clues that settle a cell on their own, none of which can be left out; empty if there are none, or too many."""
    clues = _nearest(known, cell)[:_MOST_CLUES]
    for smaller, size in pairwise(_SIZES):
        if len(clues) > smaller and _settles(known, clues[:size], cell):
            kept = clues[:size]
            for clue in reversed(kept):  # the farthest first
                fewer = [other for other in kept if other != clue]
                if fewer and _settles(known, fewer, cell):
                    kept = fewer
            return kept
    return []


def by_clues(known: Knowledge, clues: Sequence[int]) -> Step | None:
    """The step from the layouts of these clues; None if they settle nothing."""
    found = _forced(known, clues)
    if found is None or not (found.safe or found.mined):
        return None
    cells, tiles, table = _alone(known, clues)
    counted = _kernels.analyse_table(tiles, *table, len(cells), cap=_LOCAL_CAP)  # it was within the cap
    layouts = prod(sum(component.ways) for component in counted.components)
    return known.step(Technique.CASES, sorted(clues), safe=found.safe, mined=found.mined, layouts=layouts)


def _settles(known: Knowledge, clues: Sequence[int], cell: int) -> bool:
    found = _forced(known, clues)
    return found is not None and (cell in found.safe or cell in found.mined)


def by_all_layouts(known: Knowledge, safe: Iterable[int], mined: Iterable[int], census: int) -> Step | None:
    """The step from all layouts of the whole board, the number of mines included."""
    left_safe = known.unknown.intersection(safe)
    left_mined = known.unknown.intersection(mined)
    if not left_safe and not left_mined:
        return None
    clues = sorted(known.open)
    return known.step(Technique.CASES, clues, safe=left_safe, mined=left_mined, mine_count=True, layouts=census)


def _certain(
    known: Knowledge, groups: Sequence[AnalysedGroup], components: Sequence[AnalysedComponent]
) -> Iterator[tuple[int, int]]:
    """Cells not known yet that are the same in all layouts of their component, with its number."""
    for number, component in enumerate(components):
        for group, hits in zip(component.groups, component.hits, strict=True):
            if not any(hits) or hits == component.ways:
                for cell in groups[group].cells:
                    if cell in known.unknown:
                        yield number, cell


def _nearest(known: Knowledge, cell: int) -> list[int]:
    """The clues that a cell's fate hangs on, those that touch it first."""
    clues = [clue for clue in known.beside.get(cell, ()) if clue in known.open]
    seen = set(clues)
    for clue in clues:  # grows as it goes
        for other in known.overlapping(clue):
            if other not in seen:
                seen.add(other)
                clues.append(other)
    return clues


class _Alone(NamedTuple):
    """Some clues as a board of their own: the clues, the cells they leave open, and as many spare cells, which take up any
    number of mines. Cells are numbered anew, the clues first.
    """

    cells: list[int]
    """The covered cells by their numbers on the true board, without the spare ones."""
    tiles: bytes
    table: tuple["array[int]", "array[int]"]


class _Found(NamedTuple):
    safe: set[int]
    mined: set[int]


def _alone(known: Knowledge, clues: Sequence[int]) -> _Alone:
    cells = sorted(set().union(*(known.open[clue] for clue in clues)))
    place = {cell: number for number, cell in enumerate(cells, len(clues))}
    rows: list[list[int]] = [[] for _ in range(len(clues) + len(cells))]
    for number, clue in enumerate(clues):
        for cell in sorted(known.open[clue]):
            rows[number].append(place[cell])
            rows[place[cell]].append(number)
    starts = array("i", accumulate(map(len, rows), initial=0))
    starts.extend(starts[-1:] * len(cells))
    tiles = bytes([known.need[clue] for clue in clues]) + bytes([Tile.COVERED]) * (2 * len(cells))
    return _Alone(cells, tiles, (starts, array("i", chain.from_iterable(rows))))


def _forced(known: Knowledge, clues: Sequence[int]) -> _Found | None:
    """The cells that some clues settle on their own, whatever the number of mines; None if that is too hard."""
    cells, tiles, table = _alone(known, clues)
    given = _kernels.GivenBoard(tiles, len(cells), len(tiles), 1, table, cap=_LOCAL_CAP)
    chances = batch.analyse_one(given)
    first = len(clues)
    if chances is not None:
        safe, mined = ((mask >> first) & ((1 << len(cells)) - 1) for mask in (chances.safe, chances.mined))
        return _Found(*({cells[number] for number in CellSet(mask)} for mask in (safe, mined)))
    try:
        found = _kernels.analyse_given(given)
    except TooHardError:
        return None
    return _Found(
        *({cells[at - first] for at in some if at < first + len(cells)} for some in (found.safe, found.mined))
    )


def _step(known: Knowledge, clues: Sequence[int]) -> Step:
    """The step from these clues, which settle something, less those that are not needed for it."""
    kept = list(clues)
    for clue in reversed(clues):  # the farthest first
        fewer = [other for other in kept if other != clue]
        found = _forced(known, fewer) if fewer else None
        if found is not None and (found.safe or found.mined):
            kept = fewer
    step = by_clues(known, kept)
    assert step is not None
    return step
