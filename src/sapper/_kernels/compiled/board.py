"""One board: from its tiles to the chance of a mine in every covered cell, inside kernels.

For other kernels, `analyse_board` is the entry; it allocates nothing unless a board needs more
states than `st` holds (then for that board alone):

    status = analyse_board(tiles, width, height, starts, cells, mines, trust, cap, ws, st,
                           chance, mark, info, facts)

- `tiles`: uint8[cells], codes 0-8 clue, 9 covered, 10 flagged, 11 question mark, 12 mine and 13
  exploded (a mine that is known), 14 wrong flag (a cell known to be safe).
- `width`, `height`; the neighbours are the eight around a cell where `starts` has no entries (then
  `width` is at most WIDEST), else int32 arrays: those of cell i are cells[starts[i]:starts[i + 1]].
  The relation has to be symmetric.
- `mines`: of the whole board. `trust`: 1 takes flags for mines, 0 for covered cells.
- `cap`: the most states that a component may have.
- `ws`, `st`: scratch, `make_cells(width * height, pairs)` (pairs: 8 a cell, or `cells.size`) and
  `make_states(n)`, used again and again.
- Out: `chance`, float64[cells], of a mine in a covered cell (a trusted flag: 1), NaN elsewhere;
  `mark`, uint8[cells]: 1 certainly safe, 2 certainly mined, 0 neither or not covered;
  `info`, int64[8]: [LOWEST] the covered cell least likely to be a mine, the first of those within
  1e-9, -1 if there is none; [SAFE_CELLS], [MINED_CELLS] the numbers of marks; [STATE_COUNT] the work;
  [UNDETERMINED] cells left after single clues; [INTERIOR] cells of no clue;
  `facts`, float64[2]: [LOG_CENSUS] the decimal logarithm of the number of layouts, [INTERIOR_CHANCE].
- Status: OK; CONTRADICTION: no layout fits; CAPPED; LOST: the range of a float was not enough;
  BAD_TILE: a code above 14. But for OK, chances are NaN, and marks mean nothing save for CAPPED
  and LOST, where those of single clues are there, and right.

`settle_board` stops after single clues: much cheaper, where a caller wants only the next safe cell.

Knows: the order of the steps.
Does not know: Python objects, rules, games.
"""

from math import log, nan

from sapper._kernels.compiled import fields as f
from sapper._kernels.compiled.combine import (
    LEAST,
    LONG,
    better_tilt,
    hand_down,
    leaf_nodes,
    log_binomial,
    multiply_up,
    round_tilt,
    weigh_interior,
)
from sapper._kernels.compiled.compiler import F64, F64S, I32S, I64, I64S, U8S, helper, kernel
from sapper._kernels.compiled.filling import fill_floats, fill_ints
from sapper._kernels.compiled.groups import find_groups, find_parts, lone_need, name_cells
from sapper._kernels.compiled.ordering import order_part
from sapper._kernels.compiled.polynomials import count_part, expect_part
from sapper._kernels.compiled.scan import (
    COVERED,
    MINED,
    QUESTION,
    SAFE,
    UNKNOWN,
    WRONG_FLAG,
    emit_rows,
    emit_table,
    load_rows,
    settle_rows,
    settle_table,
)
from sapper._kernels.compiled.states import IMPOSSIBLE, OVER_CAP, expand_part
from sapper._kernels.compiled.totals import NOTHING_FITS, possible_totals
from sapper._kernels.compiled.workspace import (
    SCRATCH,
    STATES,
    Bytes,
    Floats,
    Indices,
    Ints,
    Scratch,
    States,
    make_states,
)

OK = 0
CONTRADICTION = 1
CAPPED = 2
LOST = 3
BAD_TILE = 4
GROW = 5  # inside this module only

LOWEST = 0
SAFE_CELLS = 1
MINED_CELLS = 2
STATE_COUNT = 3
UNDETERMINED = 4
INTERIOR = 5
INFO = 8

LOG_CENSUS = 0
INTERIOR_CHANCE = 1
FACTS = 2

# Places in `tally`; before them are those of expand_part.
PARTS = 4
LONE_MINES = 5
LONE_CELLS = 6
FRONTIER = 7
STATES_USED = 8
INTERIOR_CELLS = 9
INTERIOR_MARK = 10
BOUNDS = 11
TALLIES = 13

TILT = 11
"""Where the tilt of the analysis is kept in the weights, for those who draw layouts."""

TIE = 1e-9
ATTEMPTS = 3

TILES = I64(U8S, I64, I64, I32S, I32S, I64, SCRATCH, U8S, I64S)


@helper(TILES)
def settle_board(
    tiles: Bytes,
    width: int,
    height: int,
    starts: Indices,
    cells: Indices,
    trust: int,
    ws: Scratch,
    mark: Bytes,
    info: Ints,
) -> int:
    """What single clues tell: marks, and the open clues in `ws`; OK, CONTRADICTION or BAD_TILE.

    info[UNDETERMINED] is the number of covered cells without a mark, info[MINED_CELLS] that of
    known mines, shown ones and trusted flags included, info[STATE_COUNT] that of open clues.
    """
    size = width * height
    worst = 0
    for cell in range(size):
        worst = max(worst, int(tiles[cell]))
    if worst > WRONG_FLAG:
        return BAD_TILE
    if starts.size == 0:
        if not load_rows(tiles, width, height, trust, ws.pair[f.ROWS], mark):
            return CONTRADICTION
        if not settle_rows(tiles, width, height, ws.pair[f.ROWS], mark):
            return CONTRADICTION
        info[STATE_COUNT] = emit_rows(tiles, width, height, ws, ws.cell[f.PLAN])
    else:
        if not settle_table(tiles, size, trust, starts, cells, ws, mark):
            return CONTRADICTION
        info[STATE_COUNT] = emit_table(tiles, size, starts, cells, ws, ws.cell[f.PLAN])
    info[UNDETERMINED] = ws.cell[f.PLAN, 0]
    info[MINED_CELLS] = ws.cell[f.PLAN, 1]
    return OK


@helper(I64(SCRATCH, STATES, I64, I64, I64, F64S))
def _split(ws: Scratch, st: States, clues: int, size: int, cap: int, facts: Floats) -> int:
    """Groups, components and their states; OK, CONTRADICTION, CAPPED or GROW.

    A component of one group is solved at once; facts[0] gets the logarithm of the ways of those.
    """
    tally = ws.cell[f.TALLY]
    fill_ints(tally, 0, TALLIES, 0)
    facts[0] = 0.0
    live = 0
    state = 0
    layer = 0
    groups = find_groups(ws, size, clues)
    parts = find_parts(ws, groups, clues)
    name_cells(ws, clues)
    for group in range(groups):
        tally[FRONTIER] += ws.cell[f.GROUP_SIZE, group]
    for part in range(parts):
        begin = ws.cell[f.PART_START, part]
        end = ws.cell[f.PART_START, part + 1]
        if end - begin == 1:
            group = ws.cell[f.PART_GROUPS, begin]
            need = lone_need(ws, group)
            if need < 0:
                return CONTRADICTION
            cells = ws.cell[f.GROUP_SIZE, group]
            ws.cell[f.GROUP_MARK, group] = UNKNOWN
            ws.real[f.CHANCE, group + 1] = need / cells
            tally[LONE_MINES] += need
            tally[LONE_CELLS] += cells
            facts[0] += log_binomial(cells, need)
            continue
        order_part(ws, begin, end)
        final = expand_part(ws, st, begin, end, layer, state, cap, tally)
        if final < 0:
            return CONTRADICTION if final == IMPOSSIBLE else CAPPED if final == OVER_CAP else GROW
        ws.cell[f.PART_INDEX, live] = part
        ws.cell[f.PART_LAYER, live] = layer
        layer += end - begin
        ws.cell[f.PART_LAST, live] = layer
        ws.cell[f.PART_FINAL, live] = final
        ws.cell[f.PART_LOW, live] = st.state[f.LOW, final - 1]
        ws.cell[f.PART_HIGH, live] = st.state[f.HIGH, final - 1]
        layer += 1
        state = final
        live += 1
    tally[PARTS] = live
    tally[STATES_USED] = state
    room = 2 * max(tally[2], 1) <= st.real.shape[1] and 2 * max(tally[3], 1) <= st.edge.shape[1]
    return OK if room else GROW


@helper(I64(SCRATCH, STATES, I64, I64, I64, F64))
def _seed(ws: Scratch, st: States, live: int, wide: int, words: int, least: float) -> int:
    """Put what a component looks like from outside at the end of its states; 0 if too small to be relied upon."""
    for word in range(words):
        st.edge[f.BACK, word] = ws.cell[f.WIDE, wide + word]
    length = ws.cell[f.PART_HIGH, live] - ws.cell[f.PART_LOW, live] + 1
    at = ws.pair[f.NODE_AT, live]
    total = 0.0
    most_ways = 0.0
    most_rest = 0.0
    for j in range(length):
        rest = st.real[f.TREE_REST, at + j]
        st.real[f.REST, j] = rest
        total += rest * st.real[f.TREE, at + j]
        most_ways = max(most_ways, st.real[f.TREE, at + j])
        most_rest = max(most_rest, rest)
    return 1 if total > 0.0 and total >= least * most_ways * most_rest else 0


@helper(I64(SCRATCH, STATES, I64, I64, I64, I64, F64, F64S))
def _weigh(
    ws: Scratch,
    st: States,
    parts: int,
    interior: int,
    mines: int,
    possible: int,
    tilt: float,
    facts: Floats,
) -> int:
    """Chances for all groups under one tilt; OK, LOST or GROW."""
    weights = ws.real[f.WEIGHTS]
    power = 0
    for live in range(parts):
        part = ws.cell[f.PART_INDEX, live]
        power += count_part(
            ws,
            st,
            ws.cell[f.PART_START, part],
            ws.cell[f.PART_START, part + 1],
            ws.cell[f.PART_LAYER, live],
            ws.cell[f.PART_FINAL, live],
            tilt,
            weights,
        )
    end = leaf_nodes(ws, st, parts)
    if end < 0:
        return GROW
    taken = multiply_up(ws, st, parts, end, 0)
    if taken == -1 << 60 or end > st.real.shape[1]:
        return GROW
    root = 2 * parts - 2
    if not weigh_interior(ws, st, root, interior, mines, possible, tilt, facts):
        return LOST
    facts[0] += (power + taken) * log(2.0)
    hand_down(ws, st, parts, 0)
    least = LEAST if ws.pair[f.NODE_SIZE, root] > LONG else 0.0
    good = 1
    wide = 0
    for live in range(parts):
        part = ws.cell[f.PART_INDEX, live]
        words = (ws.cell[f.PART_HIGH, live] - ws.cell[f.PART_LOW, live]) // 62 + 1
        good &= _seed(ws, st, live, wide, words, least)
        wide += words
        good &= expect_part(
            ws,
            st,
            ws.cell[f.PART_START, part],
            ws.cell[f.PART_START, part + 1],
            ws.cell[f.PART_LAYER, live],
            tilt,
            least,
            weights,
        )
    return OK if good else LOST


@helper(I64(SCRATCH, STATES, I64, I64, I64, I64, I64, F64S))
def _solve(ws: Scratch, st: States, clues: int, size: int, unknown: int, mines: int, cap: int, facts: Floats) -> int:
    """From `clues` open clues to the chances of groups and, in chance[0], interior; a status or GROW.

    `unknown` cells are covered and not known, `mines` of them mined. The interior's mark is in
    tally[INTERIOR_MARK], its size in tally[INTERIOR_CELLS].
    """
    if mines < 0 or mines > unknown:
        return CONTRADICTION
    status = _split(ws, st, clues, size, cap, facts)
    if status != OK:
        return status
    tally = ws.cell[f.TALLY]
    parts = tally[PARTS]
    mines -= tally[LONE_MINES]
    interior = unknown - tally[FRONTIER]
    tally[INTERIOR_CELLS] = interior
    known_ways = facts[LOG_CENSUS]
    bounds = tally[BOUNDS:]
    found = possible_totals(ws, st, parts, interior, mines, bounds)
    if found < 0:
        return CONTRADICTION if found == NOTHING_FITS else GROW
    least = bounds[0]
    most = bounds[1]
    tally[INTERIOR_MARK] = SAFE if most == 0 else MINED if least == interior else UNKNOWN
    if parts == 0:
        facts[LOG_CENSUS] = known_ways + log_binomial(interior, mines)
        facts[INTERIOR_CHANCE] = mines / interior if interior else 0.0
    else:
        cells = unknown - tally[LONE_CELLS]
        tilt = round_tilt(max(mines, 0.5) / max(cells - mines, 0.5))
        for attempt in range(ATTEMPTS):
            if attempt:
                tilt = better_tilt(ws, st, parts, interior, mines, tilt)
            status = _weigh(ws, st, parts, interior, mines, most, tilt, facts)
            if status != LOST:
                break
        facts[LOG_CENSUS] += known_ways
        ws.real[f.WEIGHTS, TILT] = tilt
    ws.real[f.CHANCE, 0] = 0.0 if most == 0 else 1.0 if least == interior else facts[INTERIOR_CHANCE]
    return status


@helper(I64(U8S, I64, SCRATCH, F64S, U8S, I64S))
def _report(tiles: Bytes, size: int, ws: Scratch, chance: Floats, mark: Bytes, info: Ints) -> int:
    """Write chances, marks, their numbers and the least likely mine; how many cells are covered."""
    of = ws.cell[f.GROUP_OF]
    known = ws.real[f.CHANCE]
    covered = 0
    safe = 0
    mined = 0
    least = 2.0
    inside = ws.cell[f.TALLY, INTERIOR_MARK]
    for cell in range(size):
        if tiles[cell] < COVERED or tiles[cell] > QUESTION:
            chance[cell] = nan
            continue
        covered += 1
        if mark[cell] == UNKNOWN:
            group = of[cell]
            mark[cell] = ws.cell[f.GROUP_MARK, group - 1] if group else inside
            chance[cell] = known[group]
        else:
            chance[cell] = 0.0 if mark[cell] == SAFE else 1.0
        safe += mark[cell] == SAFE
        mined += mark[cell] == MINED
        least = min(least, chance[cell])
    info[SAFE_CELLS] = safe
    info[MINED_CELLS] = mined
    info[LOWEST] = -1
    for cell in range(size):
        if chance[cell] <= least + TIE:
            info[LOWEST] = cell
            break
    return covered


@kernel(I64(U8S, I64, I64, I32S, I32S, I64, I64, I64, SCRATCH, STATES, F64S, U8S, I64S, F64S))
def analyse_board(
    tiles: Bytes,
    width: int,
    height: int,
    starts: Indices,
    cells: Indices,
    mines: int,
    trust: int,
    cap: int,
    ws: Scratch,
    st: States,
    chance: Floats,
    mark: Bytes,
    info: Ints,
    facts: Floats,
) -> int:
    """The whole analysis of one board; a status. See the top of the module."""
    size = width * height
    status = settle_board(tiles, width, height, starts, cells, trust, ws, mark, info)
    clues = info[STATE_COUNT]
    unknown = info[UNDETERMINED]
    left = mines - info[MINED_CELLS]
    info[LOWEST] = -1
    info[STATE_COUNT] = 0
    info[INTERIOR] = 0
    facts[LOG_CENSUS] = nan
    facts[INTERIOR_CHANCE] = nan
    if status == OK:
        status = _solve(ws, st, clues, size, unknown, left, cap, facts)
        room = st.state.shape[1]
        while status == GROW:
            # Memory is asked for only as it is touched.
            room *= 8
            more = make_states(room)
            status = _solve(ws, more, clues, size, unknown, left, cap, facts)
            if status == GROW and room > 16 * cap:
                status = CAPPED
    if status != OK:
        fill_floats(chance, 0, size, nan)
        info[SAFE_CELLS] = 0
        info[MINED_CELLS] = 0
        facts[LOG_CENSUS] = nan
        return status
    _report(tiles, size, ws, chance, mark, info)
    info[STATE_COUNT] = ws.cell[f.TALLY, STATES_USED]
    info[INTERIOR] = ws.cell[f.TALLY, INTERIOR_CELLS]
    facts[LOG_CENSUS] /= log(10.0)
    facts[INTERIOR_CHANCE] = ws.real[f.CHANCE, 0] if info[INTERIOR] else nan
    return OK
