"""In what order the groups of a component are eliminated.

The work is the number of states, which follows the number of clues open at once. Greedily next is
the group that opens the fewest clues, less those it closes; among equals, the one whose clues were
opened first. The walk begins at an end of the component. Where that looks bad, more costly orders are
tried from several beginnings: next is the group after which the needs of all clues can have the fewest
values together; or row by row. The one whose estimate is least is taken.

Knows: groups and their clues, by number; needs.
Does not know: cells, states.
"""

from sapper._kernels.compiled import fields as f
from sapper._kernels.compiled.compiler import F64, I64, helper
from sapper._kernels.compiled.workspace import SCRATCH, Scratch

EASY_WORK = 4000
"""Sum over the steps of 2 to the power of open clues, up to which the first order is taken."""
TRIALS = 12
TRIAL_WORK = 25
"""Estimated states, for each group, that are worth another order."""


@helper(I64(SCRATCH, I64, I64))
def _visit(ws: Scratch, group: int, count: int) -> int:
    """Open the clues of an eliminated group; the new number of groups in `queue`."""
    opens = ws.cell[f.GROUP_OPEN]
    closes = ws.cell[f.GROUP_CLOSE]
    left = ws.cell[f.CLUE_LEFT]
    near = ws.cell[f.QUEUE]
    for back in range(ws.cell[f.GROUP_START, group], ws.cell[f.GROUP_START, group + 1]):
        clue = ws.pair[f.GROUP_CLUES, back]
        left[clue] -= 1
        fresh = ws.cell[f.CLUE_SLOT, clue] == 0
        ws.cell[f.CLUE_SLOT, clue] = 1
        if not fresh and left[clue] != 1:
            continue
        for at in range(ws.cell[f.CLUE_FIRST, clue], ws.cell[f.CLUE_FIRST, clue + 1]):
            other = ws.pair[f.CLUE_GROUPS, at]
            if opens[other] < 0:
                continue
            if left[clue] == 1:
                closes[other] += 1
            if not fresh:
                continue
            if opens[other] == ws.cell[f.GROUP_START, other + 1] - ws.cell[f.GROUP_START, other]:
                near[count] = other
                count += 1
            opens[other] -= 1
    return count


@helper(I64(SCRATCH, I64, I64, I64))
def _greedy(ws: Scratch, begin: int, end: int, first: int) -> int:
    """One greedy order into `order`, beginning at `part_groups[first]`; its estimated number of states."""
    opens = ws.cell[f.GROUP_OPEN]
    closes = ws.cell[f.GROUP_CLOSE]
    left = ws.cell[f.CLUE_LEFT]
    for at in range(begin, end):
        group = ws.cell[f.PART_GROUPS, at]
        opens[group] = ws.cell[f.GROUP_START, group + 1] - ws.cell[f.GROUP_START, group]
        closes[group] = 0
        for back in range(ws.cell[f.GROUP_START, group], ws.cell[f.GROUP_START, group + 1]):
            clue = ws.pair[f.GROUP_CLUES, back]
            left[clue] = ws.cell[f.CLUE_FIRST, clue + 1] - ws.cell[f.CLUE_FIRST, clue]
            if left[clue] == 1:
                closes[group] += 1
            ws.cell[f.CLUE_SLOT, clue] = 0  # 1 once open
    near = ws.cell[f.QUEUE]  # groups beside an open clue, in the order in which they came to be
    near[0] = ws.cell[f.PART_GROUPS, first]
    count = 1
    open_clues = 0
    work = 0
    for step in range(begin, end):
        pick = 0
        least = 1 << 30
        for at in range(count):
            score = opens[near[at]] - closes[near[at]]
            if score < least:
                least = score
                pick = at
        group = near[pick]
        count -= 1
        for at in range(pick, count):
            near[at] = near[at + 1]
        ws.cell[f.ORDER, step] = group
        open_clues += least
        work += 1 << min(open_clues + opens[group], 40)
        opens[group] = -1
        count = _visit(ws, group, count)
    return work


@helper(I64(I64, I64, I64))
def _values(need: int, done: int, left: int) -> int:
    """How many values the need of a clue can have, `done` of its cells eliminated and `left` still to come."""
    return max(1, min(need, left) - max(0, need - done) + 1)


@helper(I64(SCRATCH, I64, I64))
def _close_all(ws: Scratch, begin: int, end: int) -> int:
    """For the groups of a component, all still to come: cells left and done of every clue; how many groups."""
    left = ws.cell[f.CLUE_LEFT]
    for at in range(begin, end):
        group = ws.cell[f.PART_GROUPS, at]
        ws.cell[f.GROUP_OPEN, group] = 0
        for back in range(ws.cell[f.GROUP_START, group], ws.cell[f.GROUP_START, group + 1]):
            clue = ws.pair[f.GROUP_CLUES, back]
            left[clue] = 0
            ws.cell[f.CLUE_SLOT, clue] = 0  # here: cells done
    for at in range(begin, end):
        group = ws.cell[f.PART_GROUPS, at]
        for back in range(ws.cell[f.GROUP_START, group], ws.cell[f.GROUP_START, group + 1]):
            left[ws.pair[f.GROUP_CLUES, back]] += ws.cell[f.GROUP_SIZE, group]
    return end - begin


@helper(F64(SCRATCH, I64))
def _growth(ws: Scratch, group: int) -> float:
    """By what the product of the numbers of values of all clues changes if the group is eliminated next."""
    size = ws.cell[f.GROUP_SIZE, group]
    growth = 1.0
    for back in range(ws.cell[f.GROUP_START, group], ws.cell[f.GROUP_START, group + 1]):
        clue = ws.pair[f.GROUP_CLUES, back]
        need = ws.cell[f.CLUE_NEED, clue]
        done = ws.cell[f.CLUE_SLOT, clue]
        left = ws.cell[f.CLUE_LEFT, clue]
        growth *= _values(need, done + size, left - size) / _values(need, done, left)
    return growth


@helper(I64(SCRATCH, I64, I64))
def _eliminate(ws: Scratch, group: int, count: int) -> int:
    """Count the cells of a group as done; the number of groups in `queue`, with those beside it."""
    size = ws.cell[f.GROUP_SIZE, group]
    for back in range(ws.cell[f.GROUP_START, group], ws.cell[f.GROUP_START, group + 1]):
        clue = ws.pair[f.GROUP_CLUES, back]
        ws.cell[f.CLUE_SLOT, clue] += size
        ws.cell[f.CLUE_LEFT, clue] -= size
        for at in range(ws.cell[f.CLUE_FIRST, clue], ws.cell[f.CLUE_FIRST, clue + 1]):
            other = ws.pair[f.CLUE_GROUPS, at]
            if ws.cell[f.GROUP_OPEN, other] == 0:
                ws.cell[f.GROUP_OPEN, other] = 1
                ws.cell[f.QUEUE, count] = other
                count += 1
    return count


@helper(F64(SCRATCH, I64, I64, I64))
def _by_values(ws: Scratch, begin: int, end: int, first: int) -> float:
    """Into `order`, next always the group of least growth, from `part_groups[first]`; the estimated work.

    With a negative `first`, the groups as `part_groups` lists them instead.
    """
    _close_all(ws, begin, end)
    count = 0
    if first >= 0:
        ws.cell[f.QUEUE, 0] = ws.cell[f.PART_GROUPS, first]
        ws.cell[f.GROUP_OPEN, ws.cell[f.QUEUE, 0]] = 1
        count = 1
    product = 1.0
    work = 0.0
    for step in range(begin, end):
        group = ws.cell[f.PART_GROUPS, step]
        if first >= 0:
            pick = 0
            best = 1e300
            for at in range(count):
                growth = _growth(ws, ws.cell[f.QUEUE, at])
                if growth < best * (1.0 - 1e-9):
                    best = growth
                    pick = at
            group = ws.cell[f.QUEUE, pick]
            count -= 1
            for at in range(pick, count):
                ws.cell[f.QUEUE, at] = ws.cell[f.QUEUE, at + 1]
        product *= _growth(ws, group)
        work += product
        ws.cell[f.ORDER, step] = group
        count = _eliminate(ws, group, count)
    return work


@helper(I64(SCRATCH, I64, I64))
def _by_number(ws: Scratch, begin: int, end: int) -> int:
    """Sort the groups of a component: for a board, that is by rows. How many there are."""
    listed = ws.cell[f.PART_GROUPS]
    for at in range(begin + 1, end):
        group = listed[at]
        place = at
        while place > begin and listed[place - 1] > group:
            listed[place] = listed[place - 1]
            place -= 1
        listed[place] = group
    return end - begin


@helper(I64(SCRATCH, I64, I64))
def order_part(ws: Scratch, begin: int, end: int) -> int:
    """Put the groups `begin` to `end` of `part_groups` into `order`; 1 if that was easy, else 0."""
    if end - begin == 1:
        ws.cell[f.ORDER, begin] = ws.cell[f.PART_GROUPS, begin]
        return 1
    if _greedy(ws, begin, end, end - 1) <= EASY_WORK:
        return 1
    _by_number(ws, begin, end)
    best = 1e300
    choice = -1
    for trial in range(-1, TRIALS):
        first = begin + trial * (end - begin) // TRIALS if trial >= 0 else -1
        work = _by_values(ws, begin, end, first)
        if work < best:
            best = work
            choice = first
        if (trial + 2) * (end - begin) * TRIAL_WORK > best:
            break
    _by_values(ws, begin, end, choice)
    return 0
