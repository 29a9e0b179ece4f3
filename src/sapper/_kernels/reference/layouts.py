"""Listing the layouts that fit a board, region by region, while there are few.

A *region* is a part of a board that what is revealed elsewhere says nothing about, and that says nothing about
elsewhere: its number of mines is the same in every layout, and no cell that can still be revealed touches mines of
two regions. The layouts of a board are then all combinations of its regions' layouts, and a game is won by
winning each of them: the chances to win multiply.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb
from typing import NamedTuple

from sapper._kernels.reference.analysis import Analysed, Component

_MOST_COMPONENTS = 64
"""Boards with more components are not split: finding out what is fixed takes the square of their number."""


class Region(NamedTuple):
    """A region: its components (numbers), whether the interior belongs to it, its mines, how many layouts it has.

    `cells` are its covered cells that are a mine in some of its layouts but not in all, ascending.
    """

    components: tuple[int, ...]
    interior: tuple[int, ...]
    mines: int
    layouts: int
    cells: tuple[int, ...]


def regions_of(found: Analysed, starts: Sequence[int], cells: Sequence[int]) -> list[Region]:
    """The regions of a board that have more than one layout, by their first cells."""
    interior = _interior_of(found)
    count = len(found.components)
    fixed = _fixed_counts(found, len(interior))
    roots = list(range(count + 1))  # the last one is the interior

    def root(unit: int) -> int:
        while roots[unit] != unit:
            roots[unit] = roots[roots[unit]]
            unit = roots[unit]
        return unit

    loose = [unit for unit, mines in enumerate(fixed) if mines is None]
    for unit in loose[1:]:
        roots[root(unit)] = root(loose[0])
    for one, other in _touching(found, starts, cells):
        roots[root(one)] = root(other)
    members: dict[int, list[int]] = {}
    for unit in range(count + 1):
        members.setdefault(root(unit), []).append(unit)
    whole = [_region(found, units, fixed, interior) for units in members.values()]
    return sorted((region for region in whole if region.layouts > 1), key=lambda region: region.cells)


def _interior_of(found: Analysed) -> tuple[int, ...]:
    return next((group.cells for group in found.groups if group.component < 0), ())


def _fixed_counts(found: Analysed, interior: int) -> list[int | None]:
    """For each component, and the interior at the end, its number of mines if that is the same in every layout."""
    if len(found.components) > _MOST_COMPONENTS:
        return [None] * (len(found.components) + 1)
    # Sums of mines as bits of an int: bit n of `sums[i]` is set where component i can have n mines.
    sums = [sum(1 << (one.least + above) for above, ways in enumerate(one.ways) if ways) for one in found.components]
    inside = (1 << (interior + 1)) - 1
    fixed = [
        _only(_possible(sums[:i] + sums[i + 1 :] + [inside], found.mines_left) & own) for i, own in enumerate(sums)
    ]
    return [*fixed, _only(_possible(sums, found.mines_left) & inside)]


def _possible(others: list[int], mines: int) -> int:
    """The numbers of mines that the others can leave, as bits."""
    total = 1
    for one in others:
        total = _sum_of(total, one) & ((1 << (mines + 1)) - 1)
    # The others have n of the mines: mines - n are left.
    return int(f"{total:0{mines + 1}b}"[::-1], 2)


def _sum_of(one: int, other: int) -> int:
    """All sums of a bit's number of one and a bit's number of the other."""
    result = 0
    while other:
        low = other & -other
        result |= one * low
        other ^= low
    return result


def _only(counts: int) -> int | None:
    return counts.bit_length() - 1 if counts.bit_count() == 1 else None


def _touching(found: Analysed, starts: Sequence[int], cells: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Components (or the interior, the last number) beside a cell that may still be revealed; in pairs."""
    unit_of: dict[int, int] = {}
    beside: set[int] = set()  # of two units one is a component, so that the interior need not be looked at
    for group in found.groups:
        if 0 < group.numerator < found.census:
            inside = group.component < 0
            unit_of.update(dict.fromkeys(group.cells, len(found.components) if inside else group.component))
            if not inside:
                beside.update(group.cells)
                beside.update(near for cell in group.cells for near in cells[starts[cell] : starts[cell + 1]])
    if len(set(unit_of.values())) < 2:  # a pair
        return
    for cell in beside & (unit_of.keys() | set(found.safe)):
        near = {unit_of[other] for other in cells[starts[cell] : starts[cell + 1]] if other in unit_of}
        if cell in unit_of:
            near.add(unit_of[cell])
        if len(near) > 1:
            first, *others = near
            yield from ((first, other) for other in others)


def _region(found: Analysed, units: list[int], fixed: list[int | None], interior: tuple[int, ...]) -> Region:
    count = len(found.components)
    components = tuple(unit for unit in units if unit < count)
    inside = interior if count in units else ()
    is_loose = [fixed[unit] is None for unit in units]
    if any(is_loose):  # every loose one is here
        mines = found.mines_left - sum(
            mines for unit, mines in enumerate(fixed) if mines is not None and unit not in units
        )
    else:
        mines = sum(fixed[unit] or 0 for unit in units)
    chosen = [group for group in found.groups if (group.component if group.component >= 0 else count) in units]
    uncertain = sorted(cell for group in chosen if 0 < group.numerator < found.census for cell in group.cells)
    ways = _ways(found, components, len(inside), mines)
    return Region(components, inside, mines, ways, tuple(uncertain))


def _ways(found: Analysed, components: Sequence[int], interior: int, mines: int) -> int:
    """How many layouts have so many mines in these components and so much of the interior."""
    ways = {0: 1}
    for number in components:
        one = found.components[number]
        after: dict[int, int] = {}
        for used, count in ways.items():
            for above, choices in enumerate(one.ways):
                total = used + one.least + above
                if choices and total <= mines:
                    after[total] = after.get(total, 0) + count * choices
        ways = after
    return sum(count * _choose(interior, mines - used) for used, count in ways.items())


def _choose(of: int, some: int) -> int:
    return comb(of, some) if 0 <= some <= of else 0


# --- listing --------------------------------------------------------------------------------------


def layouts_of_region(found: Analysed, region: Region) -> list[int]:
    """The layouts of a region, each an int with a bit for every mined cell; as many as `region.layouts` says."""
    listed = [0]
    used = [0]
    left = list(region.components)
    while left:
        number = left.pop(0)
        by_mines = _layouts_of_component(found, found.components[number])
        rest = _least_of(found, left)
        pairs = [
            (mask | more, mines + count)
            for mask, mines in zip(listed, used, strict=True)
            for count, some in by_mines.items()
            if mines + count + rest <= region.mines <= mines + count + _most_of(found, left) + len(region.interior)
            for more in some
        ]
        listed = [mask for mask, _ in pairs]
        used = [mines for _, mines in pairs]
    if not region.interior:
        return [mask for mask, mines in zip(listed, used, strict=True) if mines == region.mines]
    inside: dict[int, list[int]] = {}
    for mines in set(used):
        inside[mines] = [_mask(chosen) for chosen in combinations(region.interior, region.mines - mines)]
    return [mask | more for mask, mines in zip(listed, used, strict=True) for more in inside[mines]]


def _least_of(found: Analysed, components: Sequence[int]) -> int:
    return sum(found.components[number].least for number in components)


def _most_of(found: Analysed, components: Sequence[int]) -> int:
    return sum(found.components[number].least + len(found.components[number].ways) - 1 for number in components)


def _mask(cells: Sequence[int]) -> int:
    return sum(1 << cell for cell in cells)


def _layouts_of_component(found: Analysed, component: Component) -> dict[int, list[int]]:
    """The layouts of a component by their number of mines."""
    groups = [found.groups[number] for number in component.groups]
    place = {clue: number for number, clue in enumerate(component.clues)}
    touched = [[place[clue] for clue in group.clues] for group in groups]
    rooms = [0] * len(place)  # cells of each clue in the groups still to come
    for group, clues in zip(groups, touched, strict=True):
        for clue in clues:
            rooms[clue] += len(group.cells)
    by_mines: dict[int, list[int]] = {}
    needs = list(component.needs)

    def choose(number: int, mines: int, masks: list[int]) -> None:
        if number == len(groups):
            by_mines.setdefault(mines, []).extend(masks)
            return
        group, clues = groups[number], touched[number]
        for clue in clues:
            rooms[clue] -= len(group.cells)
        low = max(0, *(needs[clue] - rooms[clue] for clue in clues))
        high = min(len(group.cells), *(needs[clue] for clue in clues))
        for some in range(low, high + 1):
            for clue in clues:
                needs[clue] -= some
            chosen = [_mask(cells) for cells in combinations(group.cells, some)]
            choose(number + 1, mines + some, [mask | more for mask in masks for more in chosen])
            for clue in clues:
                needs[clue] += some
        for clue in clues:
            rooms[clue] += len(group.cells)

    choose(0, 0, [0])
    return by_mines
