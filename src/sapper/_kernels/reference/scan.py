"""From tiles to groups: what single clues give away, and what is left to be counted.

The scan of a rectangle handles all its cells at once: one int with a byte a cell (a *lane*), so that
an addition adds every cell's number. Rows are padded with one blank column, which keeps the
neighbours of the last column apart from the first. The scan of any other grid goes over a
neighbour table, clue by clue. Both first settle, again and again, the clues that are satisfied (all
their other cells are safe) and those that need every cell they have (all are mines).
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import compress
from typing import NamedTuple

COVERED = 9
FLAGGED = 10
QUESTION = 11
MINE = 12
EXPLODED = 13
LAST_TILE = 14

# So many times all clues are settled at once; what takes longer (a board made so that one clue settles
# the next, thousands in a row) is settled clue by clue.
_MOST_ROUNDS = 200


class Frontier(NamedTuple):
    """The rest of a board once single clues are settled.

    Clues are numbered in reading order: `clues` are their cells, `needs` the mines they still need
    among cells that are still open. `keys[group]` are the clues that the cells of `groups[group]`
    touch. `interior` are the covered cells that touch no clue, `safe` and `mined` the cells settled.
    """

    clues: list[int]
    needs: list[int]
    keys: list[tuple[int, ...]]
    groups: list[list[int]]
    interior: list[int]
    safe: list[int]
    mined: list[int]


class Constraint(NamedTuple):
    """A clue as it reads: `need` mines among the covered cells beside it, shown or trusted ones taken off."""

    clue: int
    need: int
    cells: tuple[int, ...]


def _table(values: dict[int, int]) -> bytes:
    return bytes(values.get(tile, 0) for tile in range(256))


_IS_CLUE = _table(dict.fromkeys(range(9), 1))
_VALUE = _table({clue: clue for clue in range(9)})
# By trust_flags: a flag is a covered cell like any other, or a mine that is known.
_IS_OPEN = (_table(dict.fromkeys((COVERED, FLAGGED, QUESTION), 1)), _table(dict.fromkeys((COVERED, QUESTION), 1)))
_IS_MINE = (_table(dict.fromkeys((MINE, EXPLODED), 1)), _table(dict.fromkeys((MINE, EXPLODED, FLAGGED), 1)))


def known_mines(tiles: bytes, trust_flags: bool) -> int:
    """How many mines the tiles show, trusted flags among them."""
    known = tiles.count(MINE) + tiles.count(EXPLODED)
    return known + tiles.count(FLAGGED) if trust_flags else known


# --- rectangles -----------------------------------------------------------------------------------


class _Plane:
    """What depends on the size only: the cell of each lane, and the offsets of a clue's cells by their pattern."""

    __slots__ = ("cells", "lanes", "patterns", "stride")

    def __init__(self, width: int, height: int) -> None:
        self.stride = width + 1
        self.lanes = self.stride * height
        self.cells = [lane - lane // self.stride for lane in range(self.lanes)]
        self.patterns: dict[bytes, tuple[int, ...]] = {}

    def offsets(self, pattern: bytes) -> tuple[int, ...]:
        """Lanes, from the clue's, of the ones in a 3x3 pattern."""
        found = tuple((i // 3 - 1) * self.stride + i % 3 - 1 for i in range(9) if pattern[i])
        self.patterns[pattern] = found
        return found


_plane = lru_cache(maxsize=8)(_Plane)


class _Lanes(NamedTuple):
    """A rectangle after propagation: open cells, clues that still matter and their needs, cells settled.

    Not `done`: there was more to settle than rounds allowed.
    """

    done: bool
    is_open: int
    active: int
    needs: int
    safe: int
    mined: int


def scan_plane(tiles: bytes, width: int, height: int, trust_flags: bool) -> Frontier | None:
    """The frontier of a rectangle where a cell has up to 8 neighbours; None if a single clue cannot be right."""
    plane = _plane(width, height)
    lanes = _propagate_lanes(tiles, width, plane, trust_flags)
    if lanes is None:
        return None
    if not lanes.done:
        table = plane_table(width, height)
        frontier = scan_constraints(constraints_of(tiles, *table, trust_flags), open_cells(tiles, trust_flags))
        return None if isinstance(frontier, int) else frontier
    return _frontier_of(lanes, plane)


def _frontier_of(lanes: _Lanes, plane: _Plane) -> Frontier:
    count, stride = plane.lanes, plane.stride
    every = range(count)
    clue_lanes = list(compress(every, lanes.active.to_bytes(count, "little")))
    values = lanes.needs.to_bytes(count, "little")
    # A blank row and cell before the first, so that a clue's three rows are three slices.
    margin = stride + 1
    is_open = lanes.is_open.to_bytes(count, "little")
    around = bytes(margin) + is_open + bytes(margin)
    patterns, offsets = plane.patterns, plane.offsets
    touched: dict[int, tuple[int, ...]] = {}
    for clue, lane in enumerate(clue_lanes):
        middle = lane + stride
        below = middle + stride
        pattern = around[lane : lane + 3] + around[middle : middle + 3] + around[below : below + 3]
        for offset in patterns.get(pattern) or offsets(pattern):
            cell = lane + offset
            if cell in touched:
                touched[cell] += (clue,)
            else:
                touched[cell] = (clue,)
    by_key: dict[tuple[int, ...], list[int]] = {}
    cells = plane.cells
    for lane, key in touched.items():
        if key in by_key:
            by_key[key].append(cells[lane])
        else:
            by_key[key] = [cells[lane]]
    inside = list(compress(cells, is_open))
    if touched:
        frontier = set(map(cells.__getitem__, touched))
        inside = [cell for cell in inside if cell not in frontier]
    return Frontier(
        [cells[lane] for lane in clue_lanes],
        [values[lane] for lane in clue_lanes],
        list(by_key),
        list(by_key.values()),
        inside,
        list(compress(cells, lanes.safe.to_bytes(count, "little"))),
        list(compress(cells, lanes.mined.to_bytes(count, "little"))),
    )


def _propagate_lanes(tiles: bytes, width: int, plane: _Plane, trust_flags: bool) -> _Lanes | None:
    """Settle what single clues say, all clues at once, until nothing changes.

    A lane of `needs` and `slacks` (open cells not needed) is biased by 128, so that one below zero
    shows as a bit lost and borrows nothing from the next lane.
    """
    padded = b"\xff".join([tiles[row : row + width] for row in range(0, len(tiles), width)])
    row = 8 * plane.stride

    def beside(ones: int) -> int:
        """The number of ones beside each lane, and in it."""
        triple = ones + (ones << 8) + (ones >> 8)
        return triple + (triple << row) + (triple >> row)

    is_clue = int.from_bytes(padded.translate(_IS_CLUE), "little")
    is_open = int.from_bytes(padded.translate(_IS_OPEN[trust_flags]), "little")
    known = int.from_bytes(padded.translate(_IS_MINE[trust_flags]), "little")
    bias = is_clue << 7
    below = bias - is_clue  # 127 in each lane of a clue
    lane = bias + below
    needs = int.from_bytes(padded.translate(_VALUE), "little") + bias
    if known:
        needs -= beside(known) & lane
    slacks = (beside(is_open) & lane) + bias + bias - needs if needs & bias == bias else 0
    safe = mined = 0
    for _ in range(_MOST_ROUNDS):
        if needs & bias != bias or slacks & bias != bias:
            return None
        # Zero, among 0-8: adding 127 does not reach the bias bit.
        needing = ((needs ^ bias) + below) & bias
        slack = ((slacks ^ bias) + below) & bias
        ones = (needing ^ bias) >> 7
        triple = ones | ones << 8 | ones >> 8
        found = (triple | triple << row | triple >> row) & is_open
        ones = (slack ^ bias) >> 7
        triple = ones | ones << 8 | ones >> 8
        full = (triple | triple << row | triple >> row) & is_open
        if not found and not full:
            return _Lanes(True, is_open, (needing & slack) >> 7, needs ^ bias, safe, mined)
        if found & full:
            return None
        is_open ^= found | full
        if found:
            safe |= found
            slacks -= beside(found) & lane
        if full:
            mined |= full
            needs -= beside(full) & lane
    return _Lanes(False, is_open, 0, needs, safe, mined)


# --- any grid -------------------------------------------------------------------------------------


def plane_table(width: int, height: int) -> tuple[list[int], list[int]]:
    """The neighbour table of a rectangle."""
    starts = [0]
    cells: list[int] = []
    for y in range(height):
        rows = range(max(y - 1, 0), min(y + 2, height))
        for x in range(width):
            columns = range(max(x - 1, 0), min(x + 2, width))
            cells += [row * width + column for row in rows for column in columns if (row, column) != (y, x)]
            starts.append(len(cells))
    return starts, cells


def constraints_of(tiles: bytes, starts: Sequence[int], cells: Sequence[int], trust_flags: bool) -> list[Constraint]:
    """What each clue says, in reading order; clues that are satisfied and touch nothing covered are left out.

    The neighbours of cell i are `cells[starts[i]:starts[i + 1]]`.
    """
    is_open = tiles.translate(_IS_OPEN[trust_flags])
    is_mine = tiles.translate(_IS_MINE[trust_flags])
    found = []
    for clue, value in enumerate(tiles):
        if value > 8:
            continue
        need = value
        around = []
        for cell in cells[starts[clue] : starts[clue + 1]]:
            if is_open[cell]:
                around.append(cell)
            else:
                need -= is_mine[cell]
        if around or need:
            found.append(Constraint(clue, need, tuple(around)))
    return found


def open_cells(tiles: bytes, trust_flags: bool) -> list[int]:
    """The cells whose mines are to be found out."""
    return list(compress(range(len(tiles)), tiles.translate(_IS_OPEN[trust_flags])))


def scan_constraints(constraints: Sequence[Constraint], covered: Iterable[int]) -> Frontier | int:
    """The frontier of any grid; or the number (in `constraints`) of one that fails once the others have had their say."""
    beside: dict[int, list[int]] = {}
    for number, constraint in enumerate(constraints):
        for cell in constraint.cells:
            beside.setdefault(cell, []).append(number)
    needs = [constraint.need for constraint in constraints]
    rooms = [len(constraint.cells) for constraint in constraints]
    settled: dict[int, int] = {}
    todo = list(range(len(constraints)))
    while todo:
        number = todo.pop()
        need = needs[number]
        if not 0 <= need <= rooms[number]:
            return number
        if not rooms[number] or 0 < need < rooms[number]:
            continue
        mine = 1 if need else 0
        for cell in constraints[number].cells:
            if cell not in settled:
                settled[cell] = mine
                for other in beside[cell]:
                    needs[other] -= mine
                    rooms[other] -= 1
                    todo.append(other)
    return _group(constraints, needs, rooms, covered, beside, settled)


def _group(
    constraints: Sequence[Constraint],
    needs: list[int],
    rooms: list[int],
    covered: Iterable[int],
    beside: dict[int, list[int]],
    settled: dict[int, int],
) -> Frontier:
    active = [number for number, room in enumerate(rooms) if room]
    renumbered = {number: clue for clue, number in enumerate(active)}
    by_key: dict[tuple[int, ...], list[int]] = {}
    for cell, numbers in beside.items():
        if cell not in settled:
            by_key.setdefault(tuple([renumbered[number] for number in numbers]), []).append(cell)
    return Frontier(
        [constraints[number].clue for number in active],
        [needs[number] for number in active],
        list(by_key),
        list(by_key.values()),
        [cell for cell in covered if cell not in beside],
        sorted(cell for cell, mine in settled.items() if not mine),
        sorted(cell for cell, mine in settled.items() if mine),
    )
