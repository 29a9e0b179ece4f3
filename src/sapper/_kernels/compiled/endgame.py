"""The exact chance to win, and the best moves, where few layouts are left.

What a player knows is the set of layouts that are still possible. A move splits it by what the cell would show; the part in
which the cell is a mine is lost. In counts of layouts: wins(set) = the most, over the cells, of the sum of wins(part) over the
parts in which the cell is safe; a set of one layout is won. All covered cells that are safe in the whole set are revealed
first, which costs nothing. So the value depends on the set alone, whatever the order of moves, and sets are kept in a table
under two 64-bit sums of random numbers (a false match has a chance below 1e-30 a lookup).

What makes it quick: cells that show the same in every layout of the set are one cell; a cell that could show only one number
(it tells nothing, so that it can wait) is left out while there are others; a move is looked at while the sum of bounds of its
parts can still be the best, and a part only as far as it has to be known (`need`: a value below it may be any upper bound).

Knows: columns of numbers, one a layout (see layouts).
Does not know: boards, clues, the layout that is true.
"""

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from sapper._kernels.compiled.compiler import I64, I64S, helper
from sapper._kernels.compiled.layouts import LIST, MINE_VALUE, LayoutList
from sapper._kernels.compiled.workspace import Ints

OUT_OF_BUDGET = -1
EXPANDED = -2

# Rows of `SearchTree.frame`, a number for each depth of the search.
BEGIN = 0  # the set: order[BEGIN:END]
END = 1
TOP = 2  # where the parts of a move go in `order`
KEY0 = 3
KEY1 = 4
GOAL = 5  # a value below this may be any upper bound
BEST = 6  # the most layouts that a move was found to win
BOUND = 7  # no move that was given up wins more
LIVE = 8  # how many places still differ
PICKS = 9  # how many moves there are to try
AT = 10  # the one being tried
PARTS = 11  # how many parts it has
PART = 12  # the one being looked at
WON = 13  # layouts won in the parts before it
REST = 14  # the bounds of the parts after it
WANTED = 15  # what this part must reach
FRAME_ROWS = 16

# Rows of `part[depth]`, a number for each value that a cell can show.
PART_BEGIN = 0
PART_SIZE = 1
PART_KEY0 = 2
PART_KEY1 = 3
PART_BOUND = 4
PART_ROWS = 5

# Places in `tally`.
NODES = 0  # sets looked at
BUDGET = 1  # sets that may be
GENERATION = 2  # of the entries of the table that count
USED = 3  # entries
BOUND_SUM = 4  # what `_weigh_parts` found: the sum of the bounds of the parts
WEIGHT_SUM = 5  # and the weight of the move
TALLIES = 6

# Rows of `table`.
T_KEY0 = 0
T_KEY1 = 1
T_LOW = 2
T_HIGH = 3
T_GENERATION = 4
TABLE_ROWS = 5

KNOWN_WEIGHT = 16
OPEN_WEIGHT = 13
"""For the order of moves: what a layout in a part counts whose value is known (or that is alone), and any other."""

MOST_ENTRIES = 1 << 22
"""Entries of a table at most: 160 MB."""
LARGE = 12
"""Layouts in a set from which the table is asked about the parts of all its moves, for their order."""


class SearchTree(NamedTuple):
    """Scratch for searches; made once, used for many."""

    key: NDArray[np.int64]
    order: Ints
    frame: NDArray[np.int64]
    live: NDArray[np.int64]
    pick: NDArray[np.int64]
    pick_bound: NDArray[np.int64]
    part: NDArray[np.int64]
    sizes: NDArray[np.int64]
    table: NDArray[np.int64]
    tally: Ints


def table_size(sets: int) -> int:
    """Entries of the table for a search of so many sets, a power of two: half of them stay free, up to a limit."""
    return min(1 << max((2 * sets).bit_length(), 8), MOST_ENTRIES)


def make_tree(places: int, layouts: int, entries: int) -> SearchTree:
    """Scratch for so many places and layouts, and a table of `entries` sets, a power of two."""
    depth = min(places, layouts) + 3
    numbers = np.arange(2 * layouts + 2, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(0x1234567)
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    numbers ^= numbers >> np.uint64(31)
    return SearchTree(
        numbers.view(np.int64).reshape(2, layouts + 1).copy(),
        np.empty(layouts * min(depth, 32) + 64, np.int64),
        np.zeros((FRAME_ROWS, depth), np.int64),
        np.zeros((depth, places), np.int64),
        np.zeros((depth, places + 1), np.int64),
        np.zeros((depth, places + 1), np.int64),
        np.zeros((depth, PART_ROWS, MINE_VALUE), np.int64),
        np.zeros((3, MINE_VALUE + 1), np.int64),
        np.zeros((TABLE_ROWS, entries), np.int64),
        np.zeros(TALLIES, np.int64),
    )


TREE = numba.typeof(make_tree(1, 1, 2))


@helper(I64(TREE, I64, I64))
def _entry(tree: SearchTree, key0: int, key1: int) -> int:
    """Where the set with these keys is in the table, or the free place where it would go."""
    mask = tree.table.shape[1] - 1
    at = ((key0 >> 17) ^ key1) & mask
    generation = tree.tally[GENERATION]
    while tree.table[T_GENERATION, at] == generation and (
        tree.table[T_KEY0, at] != key0 or tree.table[T_KEY1, at] != key1
    ):
        at = (at + 1) & mask
    return at


@helper(I64(TREE, I64, I64, I64, I64))
def _store(tree: SearchTree, key0: int, key1: int, low: int, high: int) -> int:
    """Keep what is known of a set; a table three quarters full takes no more."""
    at = _entry(tree, key0, key1)
    if tree.table[T_GENERATION, at] == tree.tally[GENERATION]:
        tree.table[T_LOW, at] = max(tree.table[T_LOW, at], low)
        tree.table[T_HIGH, at] = min(tree.table[T_HIGH, at], high)
    elif 4 * tree.tally[USED] < 3 * tree.table.shape[1]:
        tree.tally[USED] += 1
        tree.table[T_GENERATION, at] = tree.tally[GENERATION]
        tree.table[T_KEY0, at] = key0
        tree.table[T_KEY1, at] = key1
        tree.table[T_LOW, at] = low
        tree.table[T_HIGH, at] = high
    return high


@helper(I64(TREE, LIST, I64, I64, I64))
def _count(tree: SearchTree, found: LayoutList, place: int, begin: int, end: int) -> int:
    """For the set order[begin:end] and one place: the size of each part, into `sizes`; that of the mines."""
    sizes = tree.sizes[0]
    for value in range(MINE_VALUE + 1):
        sizes[value] = 0
    values = found.value[place]
    for i in range(begin, end):
        sizes[values[tree.order[i]]] += 1
    return sizes[MINE_VALUE]


@helper(I64(TREE, LIST, I64, I64, I64))
def _add_keys(tree: SearchTree, found: LayoutList, place: int, begin: int, end: int) -> int:
    """The keys of each part, into `sizes`; the size of the set."""
    for value in range(MINE_VALUE + 1):
        tree.sizes[1, value] = 0
        tree.sizes[2, value] = 0
    values = found.value[place]
    for i in range(begin, end):
        layout = tree.order[i]
        value = values[layout]
        tree.sizes[1, value] += tree.key[0, layout]
        tree.sizes[2, value] += tree.key[1, layout]
    return end - begin


@helper(I64(TREE, I64, I64, I64))
def _bound_of(tree: SearchTree, size: int, key0: int, key1: int) -> int:
    """An upper bound of the wins in a part; its complement if that is exact."""
    if size == 1:
        return ~1
    if size > 2:
        at = _entry(tree, key0, key1)
        if tree.table[T_GENERATION, at] == tree.tally[GENERATION]:
            high = tree.table[T_HIGH, at]
            return I64(~high if tree.table[T_LOW, at] == high else high)
    return size


@helper(I64(TREE, I64, I64, I64, I64))
def _add_pick(tree: SearchTree, depth: int, place: int, bound: int, weight: int) -> int:
    """Put a move among those to try, by weight; the number of moves."""
    count = tree.frame[PICKS, depth]
    at = count
    while at > 0 and (tree.pick[depth, at - 1] >> 20) < weight:
        tree.pick[depth, at] = tree.pick[depth, at - 1]
        tree.pick_bound[depth, at] = tree.pick_bound[depth, at - 1]
        at -= 1
    tree.pick[depth, at] = (weight << 20) | place
    tree.pick_bound[depth, at] = bound
    tree.frame[PICKS, depth] = count + 1
    return count + 1


@helper(I64(TREE, LIST, I64, I64))
def _are_equal(tree: SearchTree, found: LayoutList, depth: int, place: int) -> int:
    """Whether some place that is live already shows what this one does in every layout of the set; 1 or 0."""
    begin = tree.frame[BEGIN, depth]
    end = tree.frame[END, depth]
    for i in range(tree.frame[LIVE, depth]):
        other = tree.live[depth, i]
        at = begin
        while at < end and found.value[place, tree.order[at]] == found.value[other, tree.order[at]]:
            at += 1
        if at == end:
            return 1
    return 0


@helper(I64(TREE, LIST, I64))
def _of_two(tree: SearchTree, found: LayoutList, depth: int) -> int:
    """The wins in a set of two: both if a safe cell tells them apart, else one."""
    one = tree.order[tree.frame[BEGIN, depth]]
    other = tree.order[tree.frame[BEGIN, depth] + 1]
    for i in range(tree.frame[LIVE, depth - 1]):
        place = tree.live[depth - 1, i]
        here = found.value[place, one]
        there = found.value[place, other]
        if here != there and here != MINE_VALUE and there != MINE_VALUE:
            return 2
    return 1


@helper(I64(TREE, I64))
def _weigh_parts(tree: SearchTree, keyed: int) -> int:
    """How many parts are in `sizes`; the sum of their bounds and the weight of the move go into the tally.

    `keyed`: their keys are there too, so that the table can be asked.
    """
    parts = 0
    total = 0
    weight = 0
    for value in range(MINE_VALUE):
        size = tree.sizes[0, value]
        if size:
            parts += 1
            bound = size if size > 1 else ~1
            if keyed and size > 2:
                bound = _bound_of(tree, size, tree.sizes[1, value], tree.sizes[2, value])
            if bound < 0:
                total += ~bound
                weight += KNOWN_WEIGHT * ~bound
            else:
                total += bound
                weight += OPEN_WEIGHT * bound
    tree.tally[BOUND_SUM] = total
    tree.tally[WEIGHT_SUM] = weight
    return parts


@helper(I64(TREE))
def _parts(tree: SearchTree) -> int:
    """How many parts are in `sizes`, the mines not counted."""
    parts = 0
    for value in range(MINE_VALUE):
        parts += tree.sizes[0, value] > 0
    return parts


@helper(I64(TREE, LIST, I64))
def _list_moves(tree: SearchTree, found: LayoutList, depth: int) -> int:
    """The moves of the set at `depth`, and the places that still differ; an upper bound of its wins.

    A safe place with several numbers is the only move there is. A move that tells nothing is there only if no other is.
    """
    begin = tree.frame[BEGIN, depth]
    end = tree.frame[END, depth]
    tree.frame[LIVE, depth] = 0
    tree.frame[PICKS, depth] = 0
    large = 1 if end - begin >= LARGE else 0
    quiet = -1
    quiet_bound = 0
    most = 0
    for i in range(tree.frame[LIVE, depth - 1]):
        place = tree.live[depth - 1, i]
        mines = _count(tree, found, place, begin, end)
        if mines == end - begin:
            continue
        if mines == 0 and _parts(tree) == 1:
            continue
        if large:
            _add_keys(tree, found, place, begin, end)
        parts = _weigh_parts(tree, large)
        if _are_equal(tree, found, depth, place):
            continue
        tree.live[depth, tree.frame[LIVE, depth]] = place
        tree.frame[LIVE, depth] += 1
        bound = tree.tally[BOUND_SUM]
        if mines == 0:
            for rest in range(i + 1, tree.frame[LIVE, depth - 1]):
                tree.live[depth, tree.frame[LIVE, depth]] = tree.live[depth - 1, rest]
                tree.frame[LIVE, depth] += 1
            tree.frame[PICKS, depth] = 0
            _add_pick(tree, depth, place, bound, 0)
            return bound
        if parts == 1:
            if bound > quiet_bound:
                quiet_bound = bound
                quiet = place
            continue
        most = max(most, bound)
        _add_pick(tree, depth, place, bound, tree.tally[WEIGHT_SUM])
    if tree.frame[PICKS, depth] == 0:
        most = quiet_bound
        _add_pick(tree, depth, quiet, quiet_bound, 0)
    return most


@helper(I64(TREE, LIST, I64, I64))
def split(tree: SearchTree, found: LayoutList, depth: int, place: int) -> int:
    """Make the parts of a move, the smallest first, into `part[depth]`; the sum of their bounds, OUT_OF_BUDGET without room."""
    begin = tree.frame[BEGIN, depth]
    end = tree.frame[END, depth]
    top = tree.frame[TOP, depth]
    mines = _count(tree, found, place, begin, end)
    _add_keys(tree, found, place, begin, end)
    if top + end - begin - mines > tree.order.size:
        return OUT_OF_BUDGET
    part = tree.part[depth]
    parts = 0
    total = 0
    least = 0
    while True:
        # The next size up; parts of one size in the order of their numbers.
        size = end - begin + 1
        for value in range(MINE_VALUE):
            if least < tree.sizes[0, value] < size:
                size = tree.sizes[0, value]
        if size > end - begin:
            break
        least = size
        for value in range(MINE_VALUE):
            if tree.sizes[0, value] != size:
                continue
            part[PART_BEGIN, parts] = top
            part[PART_SIZE, parts] = size
            part[PART_KEY0, parts] = tree.sizes[1, value]
            part[PART_KEY1, parts] = tree.sizes[2, value]
            bound = _bound_of(tree, size, tree.sizes[1, value], tree.sizes[2, value])
            part[PART_BOUND, parts] = bound
            total += ~bound if bound < 0 else bound
            parts += 1
            for i in range(begin, end):
                if found.value[place, tree.order[i]] == value:
                    tree.order[top] = tree.order[i]
                    top += 1
    tree.frame[PARTS, depth] = parts
    return total


@helper(I64(TREE, I64, I64, I64))
def _push(tree: SearchTree, depth: int, part: int, goal: int) -> int:
    """Go down into a part of the move at `depth`; the depth below."""
    below = depth + 1
    at = tree.part[depth, PART_BEGIN, part]
    last = tree.frame[PARTS, depth] - 1
    tree.frame[BEGIN, below] = at
    tree.frame[END, below] = at + tree.part[depth, PART_SIZE, part]
    tree.frame[TOP, below] = tree.part[depth, PART_BEGIN, last] + tree.part[depth, PART_SIZE, last]
    tree.frame[KEY0, below] = tree.part[depth, PART_KEY0, part]
    tree.frame[KEY1, below] = tree.part[depth, PART_KEY1, part]
    tree.frame[GOAL, below] = goal
    return below


@helper(I64(TREE, LIST, I64))
def _enter(tree: SearchTree, found: LayoutList, depth: int) -> int:
    """Begin with the set at `depth`: its wins (or a bound below the goal) if that is easy, EXPANDED, or OUT_OF_BUDGET."""
    size = tree.frame[END, depth] - tree.frame[BEGIN, depth]
    if size == 1:
        return 1
    if size == 2:
        return _of_two(tree, found, depth)
    goal = tree.frame[GOAL, depth]
    key0 = tree.frame[KEY0, depth]
    key1 = tree.frame[KEY1, depth]
    at = _entry(tree, key0, key1)
    if tree.table[T_GENERATION, at] == tree.tally[GENERATION]:
        high = tree.table[T_HIGH, at]
        if high < goal or tree.table[T_LOW, at] == high:
            return I64(high)
    tree.tally[NODES] += 1
    if tree.tally[NODES] > tree.tally[BUDGET]:
        return OUT_OF_BUDGET
    bound = _list_moves(tree, found, depth)
    if bound < goal:
        return _store(tree, key0, key1, 1, bound)
    tree.frame[BEST, depth] = 0
    tree.frame[BOUND, depth] = 0
    tree.frame[AT, depth] = -1
    return EXPANDED


@helper(I64(TREE, LIST, I64))
def _next_move(tree: SearchTree, found: LayoutList, depth: int) -> int:
    """Go on to the next move that can still be the best; the value of the set if there is none, EXPANDED, OUT_OF_BUDGET."""
    goal = max(tree.frame[BEST, depth] + 1, tree.frame[GOAL, depth])
    at = tree.frame[AT, depth] + 1
    while at < tree.frame[PICKS, depth] and tree.pick_bound[depth, at] < goal:
        tree.frame[BOUND, depth] = max(tree.frame[BOUND, depth], tree.pick_bound[depth, at])
        at += 1
    tree.frame[AT, depth] = at
    if at == tree.frame[PICKS, depth]:
        best = tree.frame[BEST, depth]
        low = max(best, 1)
        high = best if best >= tree.frame[GOAL, depth] else max(best, tree.frame[BOUND, depth])
        return _store(tree, tree.frame[KEY0, depth], tree.frame[KEY1, depth], low, high)
    rest = split(tree, found, depth, tree.pick[depth, at] & 0xFFFFF)
    if rest < 0:
        return OUT_OF_BUDGET
    tree.frame[REST, depth] = rest
    tree.frame[WON, depth] = 0
    tree.frame[PART, depth] = -1
    return EXPANDED


@helper(I64(TREE, I64, I64))
def next_part(tree: SearchTree, depth: int, goal: int) -> int:
    """Go on to the next part of the move that has to be searched, its goal in WANTED; 1, or 0 if there is none.

    Then the move's value is WON if that reaches `goal`, else WON + REST is below it and a bound.
    """
    part = tree.part[depth]
    while True:
        at = tree.frame[PART, depth] + 1
        if at == tree.frame[PARTS, depth] or tree.frame[WON, depth] + tree.frame[REST, depth] < goal:
            return 0
        tree.frame[PART, depth] = at
        bound = part[PART_BOUND, at]
        if bound < 0:
            tree.frame[WON, depth] += ~bound
            tree.frame[REST, depth] -= ~bound
            continue
        tree.frame[REST, depth] -= bound
        tree.frame[WANTED, depth] = goal - tree.frame[WON, depth] - tree.frame[REST, depth]
        return 1


@helper(I64(TREE, I64, I64))
def take_value(tree: SearchTree, depth: int, value: int) -> int:
    """Count the value of the part that was searched: as won if it is exact, else as a bound, which ends the move."""
    if value < tree.frame[WANTED, depth]:
        tree.frame[REST, depth] += value
        return 0
    tree.frame[WON, depth] += value
    return 1


@helper(I64(TREE, LIST, I64, I64))
def search(tree: SearchTree, found: LayoutList, root: int, part: int) -> int:
    """The wins in a part of the move at depth `root`: exact if they reach WANTED there, else an upper bound; or OUT_OF_BUDGET."""
    depth = _push(tree, root, part, tree.frame[WANTED, root])
    value = _enter(tree, found, depth)
    while True:
        if value == OUT_OF_BUDGET:
            return OUT_OF_BUDGET
        if value == EXPANDED:
            value = _next_move(tree, found, depth)
            if value != EXPANDED:
                continue
        else:
            depth -= 1
            if depth == root:
                return value
            take_value(tree, depth, value)
        goal = max(tree.frame[BEST, depth] + 1, tree.frame[GOAL, depth])
        if next_part(tree, depth, goal):
            depth = _push(tree, depth, tree.frame[PART, depth], tree.frame[WANTED, depth])
            value = _enter(tree, found, depth)
            continue
        won = tree.frame[WON, depth]
        rest = tree.frame[REST, depth]
        if won + rest >= goal:
            tree.frame[BEST, depth] = won
        else:
            tree.frame[BOUND, depth] = max(tree.frame[BOUND, depth], won + rest)
        value = EXPANDED


@helper(I64(TREE, LIST, I64, I64, I64S, I64S))
def _begin(tree: SearchTree, found: LayoutList, places: int, layouts: int, low: Ints, high: Ints) -> int:
    """Put the whole list at depth 0, and its moves into `pick[0]`; `low` and `high` get what is known of each.

    A place equal to one before it gets the complement of that one's number in `high`, and is no move of its own.
    """
    tree.tally[GENERATION] += 1
    tree.tally[USED] = 0
    tree.tally[NODES] = 0
    for layout in range(layouts):
        tree.order[layout] = layout
    tree.frame[BEGIN, 0] = 0
    tree.frame[END, 0] = layouts
    tree.frame[TOP, 0] = layouts
    tree.frame[LIVE, 0] = 0
    tree.frame[PICKS, 0] = 0
    for place in range(places):
        low[place] = 0
        high[place] = 0
        mines = _count(tree, found, place, 0, layouts)
        if mines == layouts:
            continue
        for i in range(tree.frame[LIVE, 0]):
            other = tree.live[0, i]
            at = 0
            while at < layouts and found.value[place, at] == found.value[other, at]:
                at += 1
            if at == layouts:
                high[place] = ~other
                break
        if high[place] < 0:
            continue
        low[place] = _weigh_parts(tree, 0)
        high[place] = tree.tally[BOUND_SUM]
        tree.live[0, tree.frame[LIVE, 0]] = place
        tree.frame[LIVE, 0] += 1
        _add_pick(tree, 0, place, high[place], tree.tally[WEIGHT_SUM] + (layouts << 8 if mines == 0 else 0))
    return 0


@helper(I64(TREE, LIST, I64, I64, I64S, I64S))
def _try_move(tree: SearchTree, found: LayoutList, place: int, goal: int, low: Ints, high: Ints) -> int:
    """Search one move of the whole list, as far as `goal` asks; 0, or OUT_OF_BUDGET. What is known goes to `low`, `high`."""
    rest = split(tree, found, 0, place)
    if rest < 0:
        return OUT_OF_BUDGET
    tree.frame[REST, 0] = rest
    tree.frame[WON, 0] = 0
    tree.frame[PART, 0] = -1
    while next_part(tree, 0, goal):
        value = search(tree, found, 0, tree.frame[PART, 0])
        if value == OUT_OF_BUDGET:
            bound = tree.part[0, PART_BOUND, tree.frame[PART, 0]]
            low[place] = max(low[place], tree.frame[WON, 0] + tree.frame[PARTS, 0] - tree.frame[PART, 0])
            high[place] = min(high[place], tree.frame[WON, 0] + bound + tree.frame[REST, 0])
            return OUT_OF_BUDGET
        take_value(tree, 0, value)
    high[place] = tree.frame[WON, 0] + tree.frame[REST, 0]
    if high[place] >= goal:
        low[place] = high[place]
    return 0


@helper(I64(TREE, LIST, I64, I64, I64, I64S, I64S))
def solve_list(
    tree: SearchTree, found: LayoutList, places: int, layouts: int, every: int, low: Ints, high: Ints
) -> int:
    """The best move of a list of layouts: the lowest place of those that win most; `~place` if the budget ran out.

    `low` and `high`, for each place: between how many layouts revealing it wins. They are the same for the best, and for all
    places with `every`. `tally[BUDGET]` is the number of sets that may be looked at. -1 (which is `~0`) for a list of mines.
    """
    _begin(tree, found, places, layouts, low, high)
    best = -1
    status = 0
    for i in range(tree.frame[PICKS, 0]):
        place = tree.pick[0, i] & 0xFFFFF
        goal = 0
        if best >= 0 and not every:
            goal = low[best] if place < best else low[best] + 1
        if status == 0 and high[place] >= goal:
            status = _try_move(tree, found, place, goal, low, high)
        if best < 0 or low[place] > low[best] or (low[place] == low[best] and place < best):
            best = place
    for place in range(places):
        if high[place] < 0:
            low[place] = low[~high[place]]
            high[place] = high[~high[place]]
    return best if status == 0 else ~best
