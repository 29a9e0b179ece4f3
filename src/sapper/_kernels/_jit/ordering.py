"""In what order the groups of a component are eliminated.

The work is the number of states, which follows the number of clues open at once. Greedily next is
the group that opens the fewest clues, less those it closes; among equals, the one whose clues were
opened first. The walk begins at an end of the component. Only where that looks bad are other
beginnings tried, and the best kept.

Knows: groups and their clues, by number.
Does not know: cells, states, mines.
"""

from sapper._kernels._jit import fields as f
from sapper._kernels._jit.compiler import I64, helper
from sapper._kernels._jit.workspace import SCRATCH, Scratch

EASY_WORK = 4000
"""Estimated states up to which the first order is taken."""
TRIALS = 6


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
    """One greedy order into `trial`, beginning at `part_groups[first]`; its estimated number of states."""
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
        ws.cell[f.TRIAL, step] = group
        open_clues += least
        work += 1 << min(open_clues + opens[group], 40)
        opens[group] = -1
        count = _visit(ws, group, count)
    return work


@helper(I64(SCRATCH, I64, I64))
def order_part(ws: Scratch, begin: int, end: int) -> int:
    """Put the groups `begin` to `end` of `part_groups` into `order`; the estimated number of states."""
    if end - begin == 1:
        ws.cell[f.ORDER, begin] = ws.cell[f.PART_GROUPS, begin]
        return 1
    best = _greedy(ws, begin, end, end - 1)
    ws.cell[f.ORDER, begin:end] = ws.cell[f.TRIAL, begin:end]
    if best <= EASY_WORK:
        return best
    for trial in range(TRIALS):
        work = _greedy(ws, begin, end, begin + trial * (end - begin) // TRIALS)
        if work < best:
            best = work
            ws.cell[f.ORDER, begin:end] = ws.cell[f.TRIAL, begin:end]
    return best
