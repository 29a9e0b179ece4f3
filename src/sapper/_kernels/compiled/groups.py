"""Groups: cells that are in the same constraints. Components: clues that share no cell with others.

Groups come from refining one class of all cells by each clue in turn: exact, and linear in the
number of pairs of clue and cell. Component order is that of a walk in breadth, whose last group
lies at an end of the component.

Knows: clues as lists of cells.
Does not know: what a cell is, where it lies, counting.
"""

from sapper._kernels.compiled import fields as f
from sapper._kernels.compiled.compiler import I64, helper
from sapper._kernels.compiled.filling import fill_ints
from sapper._kernels.compiled.workspace import SCRATCH, Scratch


@helper(I64(SCRATCH, I64, I64))
def _transpose(ws: Scratch, groups: int, clues: int) -> int:
    """Turn the groups of each clue into the clues of each group; the number of pairs."""
    start = ws.cell[f.GROUP_START]
    total = 0
    for group in range(groups):
        total += start[group]
        start[group] = total
    start[groups] = total
    for clue in range(clues - 1, -1, -1):
        for at in range(ws.cell[f.CLUE_FIRST, clue], ws.cell[f.CLUE_FIRST, clue + 1]):
            group = ws.pair[f.CLUE_GROUPS, at]
            start[group] -= 1
            ws.pair[f.GROUP_CLUES, start[group]] = clue
    return total


@helper(I64(SCRATCH, I64, I64))
def find_groups(ws: Scratch, size: int, clues: int) -> int:
    """Fill `group_of` (0 interior, else group + 1), sizes and the groups of each clue; number of groups."""
    of = ws.cell[f.GROUP_OF]
    start = ws.cell[f.CLUE_START]
    cells = ws.pair[f.CLUE_CELLS]
    stamp = ws.pair[f.CLASS_STAMP]
    child = ws.pair[f.CLASS_CHILD]
    count = ws.pair[f.CLASS_SIZE]
    name = ws.pair[f.CLASS_GROUP]
    fill_ints(of, 0, size, 0)
    classes = 1
    stamp[0] = -1
    count[0] = 0
    for clue in range(clues):
        for at in range(start[clue], start[clue + 1]):
            cell = cells[at]
            old = of[cell]
            if stamp[old] != clue:
                stamp[old] = clue
                child[old] = classes
                stamp[classes] = -1
                count[classes] = 0
                name[classes] = -1
                classes += 1
            new = child[old]
            of[cell] = new
            count[old] -= 1
            count[new] += 1
    groups = 0
    end = 0
    seen = ws.cell[f.GROUP_OPEN]
    for clue in range(clues):
        ws.cell[f.CLUE_FIRST, clue] = end
        for at in range(start[clue], start[clue + 1]):
            old = of[cells[at]]
            group = name[old]
            if group < 0:
                group = groups
                name[old] = group
                ws.cell[f.GROUP_SIZE, group] = count[old]
                ws.cell[f.GROUP_START, group] = 0
                seen[group] = -1
                groups += 1
            if seen[group] != clue:
                seen[group] = clue
                ws.cell[f.GROUP_START, group] += 1
                ws.pair[f.CLUE_GROUPS, end] = group
                end += 1
    ws.cell[f.CLUE_FIRST, clues] = end
    _transpose(ws, groups, clues)
    return groups


@helper(I64(SCRATCH, I64, I64))
def find_parts(ws: Scratch, groups: int, clues: int) -> int:
    """Components: fill `part_start` and `part_groups`; the number of components."""
    part_of = ws.cell[f.PART_OF]
    queue = ws.cell[f.QUEUE]
    listed = ws.cell[f.PART_GROUPS]
    seen = ws.cell[f.GROUP_OPEN]
    for group in range(groups):
        seen[group] = 0
    for clue in range(clues):
        part_of[clue] = -1
    parts = 0
    end = 0
    for first in range(clues):
        if part_of[first] >= 0:
            continue
        ws.cell[f.PART_START, parts] = end
        part_of[first] = parts
        queue[0] = first
        head = 0
        tail = 1
        while head < tail:
            clue = queue[head]
            head += 1
            for at in range(ws.cell[f.CLUE_FIRST, clue], ws.cell[f.CLUE_FIRST, clue + 1]):
                group = ws.pair[f.CLUE_GROUPS, at]
                if seen[group]:
                    continue
                seen[group] = 1
                listed[end] = group
                end += 1
                for back in range(ws.cell[f.GROUP_START, group], ws.cell[f.GROUP_START, group + 1]):
                    near = ws.pair[f.GROUP_CLUES, back]
                    if part_of[near] < 0:
                        part_of[near] = parts
                        queue[tail] = near
                        tail += 1
        parts += 1
    ws.cell[f.PART_START, parts] = end
    return parts


@helper(I64(SCRATCH, I64))
def name_cells(ws: Scratch, clues: int) -> int:
    """Turn classes into group + 1 in `group_of`, for the cells of clues; how many pairs were visited.

    A cell of several clues is visited several times: it is renamed once, while marked as a class
    by its complement.
    """
    of = ws.cell[f.GROUP_OF]
    end = ws.cell[f.CLUE_START, clues]
    for at in range(end):
        cell = ws.pair[f.CLUE_CELLS, at]
        if of[cell] > 0:
            of[cell] = -1 - of[cell]
    for at in range(end):
        cell = ws.pair[f.CLUE_CELLS, at]
        if of[cell] < 0:
            of[cell] = ws.pair[f.CLASS_GROUP, -1 - of[cell]] + 1
    return int(end)


@helper(I64(SCRATCH, I64))
def lone_need(ws: Scratch, group: int) -> int:
    """What all clues of a lone group need, or -1 where they differ."""
    begin = ws.cell[f.GROUP_START, group]
    need = ws.cell[f.CLUE_NEED, ws.pair[f.GROUP_CLUES, begin]]
    for at in range(begin + 1, ws.cell[f.GROUP_START, group + 1]):
        if ws.cell[f.CLUE_NEED, ws.pair[f.GROUP_CLUES, at]] != need:
            return -1
    return int(need)
