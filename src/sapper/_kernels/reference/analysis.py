"""The exact analysis of a board: how many layouts fit it, and in how many of them each cell is a mine.

Tiles become groups (`scan`), groups components (`order`), components polynomials (`count`), and those
the census (`combine`). All numbers are exact ints; the chance of a mine at a cell is a count divided
by the census, and a cell is certain when that is 0 or 1, the number of mines included.
"""

from collections.abc import Sequence
from operator import mul
from typing import NamedTuple

from sapper._kernels.reference.combine import Combined, Ways, combine
from sapper._kernels.reference.contradiction import contradiction_of
from sapper._kernels.reference.count import OverCapError, Solved, solve
from sapper._kernels.reference.order import components_of, order_of, shape_of
from sapper._kernels.reference.scan import (
    FLAGGED,
    LAST_TILE,
    Frontier,
    constraints_of,
    known_mines,
    open_cells,
    plane_table,
    scan_constraints,
    scan_plane,
)
from sapper.errors import ContradictionError, TooHardError

DEFAULT_CAP = 4_000_000
"""States a board may take: some ten seconds of work, and a gigabyte, at most."""

INTERIOR = -1
"""The `component` of the interior's group."""

_Part = tuple[list[int], list[int], tuple[int, ...], Solved]
"""A component solved: its groups in order, its clues, what they need (all numbered as in the frontier), the answer."""

# What follows are tuples with names, not dataclasses: an Expert board makes a hundred of them in a
# millisecond, and they are a quarter of the cost.


class Group(NamedTuple):
    """Cells that touch the same clues, sorted: `numerator` of the census's layouts have a mine at any one of them.

    `clues` are the cells of those clues, `component` is an index of `Analysed.components`. The interior, the
    covered cells that touch no clue, is one group with no clues and component `INTERIOR`.
    """

    cells: tuple[int, ...]
    clues: tuple[int, ...]
    numerator: int
    component: int


class Component(NamedTuple):
    """Clues that share cells, and their groups (indices of `Analysed.groups`).

    `needs` are the mines that the clues need among cells not settled by single clues. `ways[i]` of the
    component's layouts have `least + i` mines, whether or not the board has as many; `hits[g][i]` of
    those have a mine at one given cell of `groups[g]` (zeros at the end left out).
    """

    clues: tuple[int, ...]
    needs: tuple[int, ...]
    groups: tuple[int, ...]
    least: int
    ways: tuple[int, ...]
    hits: tuple[tuple[int, ...], ...]


class Analysed(NamedTuple):
    """The exact analysis of a board.

    `census` layouts fit it. `safe` and `mined` are all cells that are certain, sorted. `groups` hold the
    covered cells that single clues do not settle; the settled ones are in `safe` or `mined` only.
    `mines_left` is the number of mines in groups. `states` is the work it took.
    """

    census: int
    safe: tuple[int, ...]
    mined: tuple[int, ...]
    groups: tuple[Group, ...]
    components: tuple[Component, ...]
    mines_left: int
    states: int


class Partial(NamedTuple):
    """The exact part of an analysis that reached the cap: solved components, and cells certain whatever the number of mines.

    `unsolved` are the clues of each component not solved. A group's `numerator` is 0: unknown.
    """

    safe: tuple[int, ...]
    mined: tuple[int, ...]
    groups: tuple[Group, ...]
    components: tuple[Component, ...]
    unsolved: tuple[tuple[int, ...], ...]


class GivenBoard(NamedTuple):
    """A board to analyse: a rectangle with eight neighbours, or any grid whose neighbours are in `table`.

    `tiles` are tile codes in reading order; covered, flagged and questioned cells are to be found out (a
    flag is a mine with `trust_flags`), shown and exploded mines are mines, a wrong flag is safe. `mines`
    are those of the whole board, `cap` the number of states allowed. With `is_over_cap` the board is known to take more:
    then the largest component is not counted in vain.
    """

    tiles: bytes
    mines: int
    width: int
    height: int
    table: tuple[Sequence[int], Sequence[int]] | None = None
    trust_flags: bool = False
    cap: int = DEFAULT_CAP
    is_over_cap: bool = False


def analyse_given(given: GivenBoard) -> Analysed:
    """Analyse a board.

    Raises:
        ContradictionError: no layout fits.
        TooHardError: more than `cap` states; its `partial` is a `Partial`.
        ValueError: tiles that are not `width * height` codes from 0 to 14.

    """
    found = analyse_or_none(given)
    if found is not None:
        return found
    table = given.table or plane_table(given.width, given.height)
    why = contradiction_of(
        constraints_of(given.tiles, *table, given.trust_flags),
        open_cells(given.tiles, given.trust_flags),
        given.mines - known_mines(given.tiles, given.trust_flags),
        given.cap,
    )
    raise ContradictionError(why.message, clues=why.clues, mine_count=why.mine_count)


def analyse_or_none(given: GivenBoard) -> Analysed | None:
    """The analysis; None if no layout fits, without looking for the reason, which takes far longer than to count."""
    tiles, trust_flags = given.tiles, given.trust_flags
    if given.width < 1 or given.height < 1:
        raise ValueError(f"a rectangle of {given.width}x{given.height} cells; it is 1x1 at least")
    if len(tiles) != given.width * given.height:
        raise ValueError(f"{len(tiles)} tiles for {given.width * given.height} cells")
    if max(tiles) > LAST_TILE:
        raise ValueError(f"tile code {max(tiles)}; they are 0 to {LAST_TILE}")
    if given.table is None:
        frontier = scan_plane(tiles, given.width, given.height, trust_flags)
    else:
        scanned = scan_constraints(constraints_of(tiles, *given.table, trust_flags), open_cells(tiles, trust_flags))
        frontier = None if isinstance(scanned, int) else scanned
    return None if frontier is None else _analyse(frontier, given)


def analyse_plane(
    tiles: bytes, width: int, height: int, mines: int, trust_flags: bool = False, cap: int = DEFAULT_CAP
) -> Analysed:
    """Analyse a rectangle where a cell has up to 8 neighbours."""
    return analyse_given(GivenBoard(tiles, mines, width, height, None, trust_flags, cap))


def analyse_table(
    tiles: bytes,
    starts: Sequence[int],
    cells: Sequence[int],
    mines: int,
    trust_flags: bool = False,
    cap: int = DEFAULT_CAP,
) -> Analysed:
    """Analyse any grid; the neighbours of cell i are `cells[starts[i]:starts[i + 1]]`, each once."""
    return analyse_given(GivenBoard(tiles, mines, len(starts) - 1, 1, (starts, cells), trust_flags, cap))


def _analyse(frontier: Frontier, given: GivenBoard) -> Analysed | None:
    """Count what single clues leave; None if no layout fits."""
    mined, cap = frontier.mined, given.cap
    mines_left = given.mines - known_mines(given.tiles, given.trust_flags) - len(mined)
    if given.trust_flags and FLAGGED in given.tiles:
        mined = mined + [cell for cell, tile in enumerate(given.tiles) if tile == FLAGGED]
    frontier = frontier._replace(mined=mined)
    components, members = components_of(frontier)
    components.sort(key=len)  # small ones first: they are exact even if a large one is over the cap
    parts: list[_Part] = []
    least = states = 0
    for component in components:
        if given.is_over_cap and component is components[-1]:
            raise _too_hard(frontier, components, parts, cap)
        order = order_of(component, frontier, members)
        shape, clues = shape_of(frontier, order)
        needs = tuple([frontier.needs[clue] for clue in clues])
        try:
            solved = solve(shape, needs, cap - states)
        except OverCapError:
            raise _too_hard(frontier, components, parts, cap) from None
        if not solved.ways:
            return None
        parts.append((order, clues, needs, solved))
        least += solved.least
        states += solved.states
    combined = combine([solved.ways for _, _, _, solved in parts], len(frontier.interior), mines_left - least)
    if not combined.census:
        return None
    return _assemble(frontier, parts, combined, mines_left, states)


def _assemble(frontier: Frontier, parts: list[_Part], combined: Combined, mines_left: int, states: int) -> Analysed:
    census, inside, weights = combined
    groups: list[Group] = []
    components: list[Component] = []
    known: dict[Ways, dict[Ways, int]] = {}
    safe = list(frontier.safe)
    mined = list(frontier.mined)
    for number, (order, clues, needs, solved) in enumerate(parts):
        weight = weights[solved.ways]
        numerators = known.setdefault(solved.ways, {})  # equal components share their large numbers
        first = len(groups)
        for group, hit in zip(order, solved.hits, strict=True):
            numerator = numerators.get(hit)
            if numerator is None:
                numerators[hit] = numerator = sum(map(mul, hit, weight))
            groups.append(_group_of(frontier, group, numerator, number))
            if not numerator:
                safe += frontier.groups[group]
            elif numerator == census:
                mined += frontier.groups[group]
        components.append(_component_of(frontier, clues, needs, range(first, len(groups)), solved))
    if frontier.interior:
        groups.append(Group(tuple(frontier.interior), (), inside, INTERIOR))
        if not inside:
            safe += frontier.interior
        elif inside == census:
            mined += frontier.interior
    return Analysed(
        census, tuple(sorted(safe)), tuple(sorted(mined)), tuple(groups), tuple(components), mines_left, states
    )


def _group_of(frontier: Frontier, group: int, numerator: int, component: int) -> Group:
    clues = frontier.clues
    return Group(
        tuple(sorted(frontier.groups[group])),
        tuple([clues[clue] for clue in frontier.keys[group]]),
        numerator,
        component,
    )


def _component_of(
    frontier: Frontier, clues: Sequence[int], needs: tuple[int, ...], groups: range, solved: Solved
) -> Component:
    cells = tuple([frontier.clues[clue] for clue in clues])
    return Component(cells, needs, tuple(groups), solved.least, solved.ways, solved.hits)


def _too_hard(frontier: Frontier, every: list[list[int]], parts: list[_Part], cap: int) -> TooHardError:
    """The error for a board over the cap, with the components that were solved and the clues of the others."""
    groups: list[Group] = []
    components: list[Component] = []
    safe = list(frontier.safe)
    mined = list(frontier.mined)
    for number, (order, clues, needs, solved) in enumerate(parts):
        first = len(groups)
        for group, hit in zip(order, solved.hits, strict=True):
            groups.append(_group_of(frontier, group, 0, number))
            if not any(hit):
                safe += frontier.groups[group]
            elif hit == solved.ways:
                mined += frontier.groups[group]
        components.append(_component_of(frontier, clues, needs, range(first, len(groups)), solved))
    unsolved = tuple(
        tuple(sorted({frontier.clues[clue] for group in part for clue in frontier.keys[group]}))
        for part in every[len(parts) :]
    )
    partial = Partial(tuple(sorted(safe)), tuple(sorted(mined)), tuple(groups), tuple(components), unsolved)
    message = f"the board takes more than {cap:,} states to analyse exactly; a higher cap allows more"
    return TooHardError(message, cap=cap, partial=partial)
