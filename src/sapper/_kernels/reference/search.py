"""Searching seeds for a layout with wanted properties, and playing a layout by logic alone.

A layout is *played out* from a first cell: all cells that are certain to be safe are revealed, again and
again, until every safe cell is or none is certain. What is revealed in the end does not depend on the
order, since what is known only grows; so both backends agree on every layout.

Try i of a search is the layout of child i of its seed.
"""

from collections.abc import Sequence
from typing import NamedTuple

from sapper._kernels.reference.analysis import DEFAULT_CAP, analyse_plane, analyse_table
from sapper._kernels.reference.cascade import cascade_plane, cascade_table
from sapper._kernels.reference.layout import MINE_CLUE, clues_of_plane, clues_of_table
from sapper._kernels.reference.measures import values_of
from sapper._kernels.reference.random import child_seed, sample, seed_state
from sapper._kernels.reference.scan import constraints_of, open_cells, scan_constraints, scan_plane
from sapper.errors import TooHardError

COVERED = 9

START_ANY = 0
START_SAFE = 1
START_OPEN = 2
"""Start rules by number: their places in `core.rules.Start`."""

NO_LOGIC = 0
ONE_CLUE = 1
EXACT = 2
"""How a layout is played out: not at all, by single clues, by everything that is certain."""

STUCK = 0
SOLVED = 1
HARD = 2
STRUCK = 3
"""How that ends: a guess is needed; every safe cell is revealed; a board is over the cap; the first cell is a mine."""


class Field(NamedTuple):
    """A grid for searches: a neighbour table, and the size of the rectangle if the grid is one (else 0 and 0)."""

    starts: Sequence[int]
    cells: Sequence[int]
    width: int
    height: int

    @property
    def size(self) -> int:
        return len(self.starts) - 1


class Wanted(NamedTuple):
    """The wanted numbers of a layout, each from its least to its most."""

    least_bbbv: int = 0
    most_bbbv: int = 1 << 40
    least_openings: int = 0
    most_openings: int = 1 << 40

    @property
    def is_anything(self) -> bool:
        return self == Wanted()


class Search(NamedTuple):
    """A search: layouts of `mines` mines under a start rule, played out from `first`."""

    field: Field
    mines: int
    start: int
    first: int
    logic: int
    wanted: Wanted
    seed: int


class Searched(NamedTuple):
    """The result of some tries.

    `found` is the number of the try that has all that is wanted, and `mines` its mine map; -1 and nothing if none
    has. Of the tries, `measured` had the wanted numbers; of those, `hard` were over the cap and given up.
    `furthest` is the most cells that were revealed before a guess was needed.
    """

    found: int
    mines: bytes
    tried: int
    measured: int
    hard: int
    furthest: int


def draw_mines(field: Field, mines: int, start: int, first: int, seed: int) -> bytes:
    """The mine map that a seed gives under a start rule which leaves room for the mines."""
    size = field.size
    free = [] if start == START_ANY else [first]
    if start == START_OPEN:
        free = sorted((first, *field.cells[field.starts[first] : field.starts[first + 1]]))
    room = size - len(free)
    mapped = bytearray(room)
    for cell in sample(seed_state(seed), room, mines):
        mapped[cell] = 1
    for cell in free:  # ascending: each one pushes the cells from it on up by one
        mapped.insert(cell, 0)
    return bytes(mapped)


def draw_many(field: Field, mines: int, start: int, first: int, seed: int, begin: int, count: int) -> bytes:
    """The mine maps of games `begin`, `begin` + 1, … of a run, one after the other.

    The layout of a game is drawn from child 0 of the game's seed, which is a child of the run's.
    """
    seeds = (child_seed(child_seed(seed, begin + game), 0) for game in range(count))
    return b"".join(draw_mines(field, mines, start, first, one) for one in seeds)


def clues_of(field: Field, mapped: bytes) -> bytes:
    if field.width:
        return clues_of_plane(field.width, field.height, mapped)
    return clues_of_table(field.starts, field.cells, mapped)


class Playout(NamedTuple):
    """How a layout was played out: how it ended, the tiles then, the cells certain to be mines (one byte each)."""

    status: int
    tiles: bytes
    certain: bytes

    @property
    def revealed(self) -> int:
        return len(self.tiles) - self.tiles.count(COVERED)


def play_out(field: Field, clues: bytes, first: int, logic: int, cap: int = DEFAULT_CAP) -> Playout:
    """Play a layout from its first cell by logic alone."""
    tiles = bytearray([COVERED]) * field.size
    nothing = bytes(field.size)
    if clues[first] == MINE_CLUE:
        return Playout(STRUCK, bytes(tiles), nothing)
    _reveal(field, clues, tiles, first)
    mines = clues.count(MINE_CLUE)
    certain: Sequence[int] = ()
    while tiles.count(COVERED) > mines:
        try:
            safe, certain = _certain(field, bytes(tiles), mines, logic, cap)
        except TooHardError:
            return Playout(HARD, bytes(tiles), nothing)
        if not safe:
            break
        for cell in safe:
            if tiles[cell] == COVERED:
                _reveal(field, clues, tiles, cell)
    if tiles.count(COVERED) == mines:
        return Playout(SOLVED, bytes(tiles), bytes(tile == COVERED for tile in tiles))
    known = bytearray(field.size)
    for cell in certain:
        known[cell] = 1
    return Playout(STUCK, bytes(tiles), bytes(known))


def _reveal(field: Field, clues: bytes, tiles: bytearray, cell: int) -> None:
    if field.width:
        cascade_plane(field.width, field.height, 8, False, clues, tiles, cell)
    else:
        cascade_table(field.starts, field.cells, False, clues, tiles, cell)


def _certain(field: Field, tiles: bytes, mines: int, logic: int, cap: int) -> tuple[Sequence[int], Sequence[int]]:
    """The cells certain to be safe, and to be mines. Single clues are asked first: mostly they suffice."""
    if field.width:
        frontier = scan_plane(tiles, field.width, field.height, False)
    else:
        constraints = constraints_of(tiles, field.starts, field.cells, False)
        scanned = scan_constraints(constraints, open_cells(tiles, False))
        frontier = None if isinstance(scanned, int) else scanned
    assert frontier is not None  # the clues are those of a layout
    if frontier.safe or logic == ONE_CLUE:
        return frontier.safe, frontier.mined
    if field.width:
        found = analyse_plane(tiles, field.width, field.height, mines, cap=cap)
    else:
        found = analyse_table(tiles, field.starts, field.cells, mines, cap=cap)
    return found.safe, found.mined


def has_wanted(field: Field, clues: bytes, wanted: Wanted) -> bool:
    """True if a layout has the wanted numbers."""
    if wanted.is_anything:
        return True
    values = values_of(field.starts, field.cells, clues)
    return (
        wanted.least_bbbv <= values.bbbv <= wanted.most_bbbv
        and wanted.least_openings <= values.openings <= wanted.most_openings
    )


def search(order: Search, begin: int, tries: int) -> Searched:
    """Try the layouts of children `begin`, `begin` + 1, … of the seed, `tries` of them, up to the first that will do."""
    measured = hard = furthest = 0
    for number in range(begin, begin + tries):
        mapped = draw_mines(order.field, order.mines, order.start, order.first, child_seed(order.seed, number))
        clues = clues_of(order.field, mapped)
        if not has_wanted(order.field, clues, order.wanted):
            continue
        measured += 1
        solved = order.logic == NO_LOGIC
        if not solved:
            played = play_out(order.field, clues, order.first, order.logic)
            solved = played.status == SOLVED
            hard += played.status == HARD
            furthest = max(furthest, played.revealed)
        if solved:
            return Searched(number, mapped, number - begin + 1, measured, hard, furthest)
    return Searched(-1, b"", tries, measured, hard, furthest)
