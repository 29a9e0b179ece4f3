"""From tiles to constraints: what is known at once, and the clues that are left.

A clue whose mines are all known makes its other cells safe; one with as many cells left as mines
makes them mined. That is followed to its end here, since most of a board goes that way and what is
left falls into smaller components. Rectangles of up to 62 columns are read as rows of bits, any
other grid cell by cell over its neighbour table.

Knows: tile codes, rows of bits, neighbour tables.
Does not know: groups, counting, the number of mines.
"""

from sapper._kernels.compiled import fields as f
from sapper._kernels.compiled.compiler import I32S, I64, I64S, U8S, bit_count, helper, lowest_bit
from sapper._kernels.compiled.filling import fill_ints
from sapper._kernels.compiled.workspace import SCRATCH, Bytes, Indices, Ints, Scratch

COVERED = 9
FLAGGED = 10
QUESTION = 11
MINE = 12
EXPLODED = 13
WRONG_FLAG = 14
WIDEST = 62
"""Columns of the widest rectangle that is read as rows of bits: one bit of margin on either side."""

UNKNOWN = 0
SAFE = 1
MINED = 2

CLEAR_KIND = 0  # for grids with a table: revealed, or known to be safe
OPEN_KIND = 1  # covered and undetermined
MINE_KIND = 2  # shown, or known


@helper(I64(I64S, I64, I64))
def _window(rows: Ints, at: int, shift: int) -> int:
    """The nine bits around cell `shift` of the row at index `at`."""
    above = (rows[at - 1] >> shift) & 7
    level = (rows[at] >> shift) & 7
    below = (rows[at + 1] >> shift) & 7
    return int(above | (level << 3) | (below << 6))


@helper(I64(U8S, I64, I64, I64, I64S, U8S))
def load_rows(tiles: Bytes, width: int, height: int, trust: int, rows: Ints, mark: Bytes) -> int:
    """Read a rectangle into rows of bits; 0 if a clue with no covered neighbour is wrong, else 1.

    Cell x is bit x + 1. There are two rows of margin at the top and at the bottom.
    """
    stride = height + 4
    fill_ints(rows, 0, 5 * stride, 0)
    clear = trust == 0
    any_mine = 0
    for y in range(height):
        covered = 0
        mined = 0
        clues = 0
        zeros = 0
        for x in range(width):
            cell = y * width + x
            tile = tiles[cell]
            mark[cell] = UNKNOWN
            bit = 2 << x
            if tile <= 8:
                clues |= bit
                if tile == 0:
                    zeros |= bit
            elif tile == COVERED or tile == QUESTION or (tile == FLAGGED and clear):
                covered |= bit
            elif tile == FLAGGED:
                mined |= bit
                mark[cell] = MINED
            elif tile <= EXPLODED:
                mined |= bit
        rows[y + 2] = covered
        rows[stride + y + 2] = mined
        rows[2 * stride + y + 2] = clues
        rows[3 * stride + y + 2] = clues & ~zeros
        any_mine |= mined
    for r in range(2, height + 2):
        near = rows[r - 1] | rows[r] | rows[r + 1]
        near |= (near << 1) | (near >> 1)
        clues = rows[2 * stride + r]
        # Clues without a covered neighbour are only checked: zeros need that only near a mine.
        check = (clues if any_mine else rows[3 * stride + r]) & ~near
        while check:
            s = lowest_bit(check) - 1
            check &= check - 1
            around = _window(rows, stride + r, s)
            if bit_count(around) != tiles[(r - 2) * width + s]:
                return 0
        rows[3 * stride + r] = clues & near
        rows[4 * stride + r] = clues & near
    return 1


@helper(I64(U8S, I64, I64, I64S, U8S))
def settle_rows(tiles: Bytes, width: int, height: int, rows: Ints, mark: Bytes) -> int:
    """Follow single clues to the end; 0 if one cannot be met, else 1. Active rows keep open clues."""
    stride = height + 4
    active = 3 * stride
    dirty = 4 * stride
    y = 0
    while y < height:
        r = y + 2
        todo = rows[dirty + r]
        if todo == 0:
            y += 1
            continue
        low = todo & -todo
        rows[dirty + r] = todo ^ low
        x = lowest_bit(low) - 1
        cells = _window(rows, r, x)
        count = bit_count(cells)
        need = tiles[y * width + x] - bit_count(_window(rows, stride + r, x))
        if need < 0 or need > count:
            return 0
        if need != 0 and need != count:
            continue
        rows[active + r] &= ~low
        if count == 0:
            continue
        verdict = SAFE if need == 0 else MINED
        for i in range(3):
            part = ((cells >> (3 * i)) & 7) << x
            rows[r - 1 + i] &= ~part
            if verdict == MINED:
                rows[stride + r - 1 + i] |= part
            first = (y - 1 + i) * width - 1
            while part:
                mark[first + lowest_bit(part)] = verdict
                part &= part - 1
        reach = (31 << (x - 1)) if x > 0 else 15
        for i in range(r - 2, r + 3):
            rows[dirty + i] |= reach & rows[active + i]
        y = max(y - 2, 0)
    return 1


@helper(I64(U8S, I64, I64, SCRATCH, I64S))
def emit_rows(tiles: Bytes, width: int, height: int, ws: Scratch, counts: Ints) -> int:
    """Write the open clues with their undetermined cells; the number of clues.

    `counts` gets the number of undetermined cells and of known mines.
    """
    rows = ws.pair[f.ROWS]
    need = ws.cell[f.CLUE_NEED]
    start = ws.cell[f.CLUE_START]
    cells = ws.pair[f.CLUE_CELLS]
    stride = height + 4
    clues = 0
    end = 0
    covered = 0
    mined = 0
    for y in range(height):
        r = y + 2
        covered += bit_count(rows[r])
        mined += bit_count(rows[stride + r])
        todo = rows[3 * stride + r]
        while todo:
            x = lowest_bit(todo) - 1
            todo &= todo - 1
            need[clues] = tiles[y * width + x] - bit_count(_window(rows, stride + r, x))
            start[clues] = end
            clues += 1
            around = _window(rows, r, x)
            corner = (y - 1) * width + x - 1
            while around:
                place = lowest_bit(around)
                around &= around - 1
                line = (place * 11) >> 5  # place // 3, for 0 to 8
                cells[end] = corner + line * width + place - 3 * line
                end += 1
    start[clues] = end
    counts[0] = covered
    counts[1] = mined
    return clues


@helper(I64(U8S, I64, I64, I32S, I32S, SCRATCH, U8S))
def settle_table(tiles: Bytes, size: int, trust: int, starts: Indices, cells: Indices, ws: Scratch, mark: Bytes) -> int:
    """The same for any grid: kinds of cells, marks; 0 if a clue cannot be met, else 1.

    Clues are visited from a worklist; in `rows` a clue is flagged while it waits there.
    """
    kind = ws.cell[f.KIND]
    todo = ws.pair[f.ROWS]
    waits = ws.pair[f.CLASS_STAMP]
    count = 0
    for cell in range(size):
        tile = tiles[cell]
        mark[cell] = UNKNOWN
        waits[cell] = 0
        kind[cell] = CLEAR_KIND
        if tile <= 8:
            todo[count] = cell
            waits[cell] = 1
            count += 1
        elif tile == COVERED or tile == QUESTION or (tile == FLAGGED and trust == 0):
            kind[cell] = OPEN_KIND
        elif tile <= EXPLODED:
            kind[cell] = MINE_KIND
            if tile == FLAGGED:
                mark[cell] = MINED
    while count:
        count -= 1
        clue = todo[count]
        waits[clue] = 0
        covered = 0
        need = int(tiles[clue])
        for at in range(starts[clue], starts[clue + 1]):
            found = kind[cells[at]]
            covered += found == OPEN_KIND
            need -= found == MINE_KIND
        if need < 0 or need > covered:
            return 0
        if covered == 0 or (need != 0 and need != covered):
            continue
        verdict = SAFE if need == 0 else MINED
        for at in range(starts[clue], starts[clue + 1]):
            cell = cells[at]
            if kind[cell] != OPEN_KIND:
                continue
            kind[cell] = CLEAR_KIND if verdict == SAFE else MINE_KIND
            mark[cell] = verdict
            for back in range(starts[cell], starts[cell + 1]):
                near = cells[back]
                if tiles[near] <= 8 and waits[near] == 0:
                    waits[near] = 1
                    todo[count] = near
                    count += 1
    return 1


@helper(I64(U8S, I64, I32S, I32S, SCRATCH, I64S))
def emit_table(tiles: Bytes, size: int, starts: Indices, cells: Indices, ws: Scratch, counts: Ints) -> int:
    """As emit_rows, for any grid."""
    kind = ws.cell[f.KIND]
    clues = 0
    end = 0
    covered = 0
    mined = 0
    for cell in range(size):
        covered += kind[cell] == OPEN_KIND
        mined += kind[cell] == MINE_KIND
        if tiles[cell] > 8:
            continue
        need = int(tiles[cell])
        begin = end
        for at in range(starts[cell], starts[cell + 1]):
            found = kind[cells[at]]
            if found == OPEN_KIND:
                ws.pair[f.CLUE_CELLS, end] = cells[at]
                end += 1
            need -= found == MINE_KIND
        if end > begin:
            ws.cell[f.CLUE_NEED, clues] = need
            ws.cell[f.CLUE_START, clues] = begin
            clues += 1
    ws.cell[f.CLUE_START, clues] = end
    counts[0] = covered
    counts[1] = mined
    return clues
