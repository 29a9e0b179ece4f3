"""Layouts of a board at hand, each as likely: drawn from what its analysis has counted.

`analyse_board` leaves the numbers of layouts of every state in its scratch. A layout is drawn by going back through them: the
mines of all components together by the weights at the root of the product tree, those of each component down the tree, those
of each group from the last layer to the first, which cells of the group have them, and at last those of the interior. Every
choice is made in proportion to the layouts that it leads to, so that each layout is as likely as any other.

Knows: the scratch that an analysis has left, marks, random numbers.
Does not know: clues, the layout that is true.
"""

from sapper._kernels.compiled import fields as f
from sapper._kernels.compiled.board import INTERIOR_CELLS, PARTS, STATES_USED, TILT
from sapper._kernels.compiled.cascade import COVERED
from sapper._kernels.compiled.compiler import F64, F64S, I64, U8S, helper
from sapper._kernels.compiled.polynomials import move_weights
from sapper._kernels.compiled.random import U64S, Word, Words, below, next_word
from sapper._kernels.compiled.scan import MINED, UNKNOWN
from sapper._kernels.compiled.workspace import SCRATCH, STATES, Bytes, Floats, Scratch, States

_11 = Word(11)


@helper(F64(U64S))
def fraction(state: Words) -> float:
    """A number from 0 up to, not including, 1."""
    return float(next_word(state) >> _11) * 2.0**-53


@helper(I64(SCRATCH, STATES))
def can_draw(ws: Scratch, st: States) -> int:
    """Whether all that an analysis (OK, and its latest) has counted lies in `st`: boards with many states get memory of their own."""
    tally = ws.cell[f.TALLY]
    states = st.state.shape[1]
    parts = tally[PARTS]
    tree = 0
    if parts:
        root = 2 * parts - 2
        tree = ws.pair[f.NODE_AT, root] + ws.pair[f.NODE_SIZE, root]
    # An edge is a number of mines, at most 9 a state; `_split` asks for less room than this.
    return 10 * tally[STATES_USED] < states and 8 * (tally[0] + tally[1] + tally[2] + tally[3] + tree) < states


@helper(I64(STATES, I64, I64, I64, I64, I64, U64S))
def _split_node(st: States, left: int, left_size: int, right: int, right_size: int, total: int, words: Words) -> int:
    """How much of `total` is the left one's, of two polynomials in the tree; -1 if nothing fits."""
    first = max(0, total - right_size + 1)
    last = min(left_size - 1, total)
    whole = 0.0
    for j in range(first, last + 1):
        whole += st.real[f.TREE, left + j] * st.real[f.TREE, right + total - j]
    aim = fraction(words) * whole
    for j in range(first, last + 1):
        aim -= st.real[f.TREE, left + j] * st.real[f.TREE, right + total - j]
        if aim < 0.0:
            return j
    return last if first <= last else -1


@helper(I64(SCRATCH, STATES, I64, U64S))
def _share_out(ws: Scratch, st: States, parts: int, words: Words) -> int:
    """Draw how many mines each component has, into `QUEUE` (by node of the tree); those of all."""
    root = 2 * parts - 2
    at = ws.pair[f.NODE_AT, root]
    size = ws.pair[f.NODE_SIZE, root]
    whole = 0.0
    for i in range(size):
        whole += st.real[f.TREE, at + i] * st.real[f.TREE_REST, at + i]
    aim = fraction(words) * whole
    mines = ws.cell[f.QUEUE]
    total = -1
    for i in range(size):
        term = st.real[f.TREE, at + i] * st.real[f.TREE_REST, at + i]
        if term > 0.0:
            total = i
            aim -= term
            if aim < 0.0:
                break
    mines[root] = ws.pair[f.NODE_LOW, root] + total
    for node in range(root, parts - 1, -1):
        left = 2 * (node - parts)
        low = ws.pair[f.NODE_LOW, left]
        other = ws.pair[f.NODE_LOW, left + 1]
        mine = _split_node(
            st, ws.pair[f.NODE_AT, left], ws.pair[f.NODE_SIZE, left],
            ws.pair[f.NODE_AT, left + 1], ws.pair[f.NODE_SIZE, left + 1], mines[node] - low - other, words,
        )  # fmt: skip
        mines[left] = low + mine
        mines[left + 1] = mines[node] - mines[left]
    return int(mines[root])


@helper(I64(STATES, I64, I64, I64, I64, F64S, F64))
def _edge_into(st: States, first: int, last: int, state: int, mines: int, weights: Floats, aim: float) -> int:
    """Of the moves that lead to a state with so many mines, the one at which the sum of the layouts passes `aim`.

    The state before times 16, and the mines of the move; -1 if there is none. weights[9] gets the sum of all.
    """
    whole = 0.0
    chosen = -1
    for one in range(first, last):
        low = st.state[f.LOW, one]
        length = st.state[f.HIGH, one] - low + 1
        k = st.state[f.FEWEST, one]
        for edge in range(st.state[f.FIRST_EDGE, one], st.state[f.FIRST_EDGE, one + 1]):
            if st.edge[f.EDGE_TO, edge] == state and 0 <= mines - k - low < length:
                term = weights[k] * st.real[f.WAYS, st.state[f.WAYS_AT, one] + mines - k - low]
                if term > 0.0 and whole <= aim:
                    chosen = one * 16 + k
                whole += term
            k += 1
    weights[9] = whole
    return chosen


@helper(I64(SCRATCH, STATES, I64, I64, U64S))
def _walk_back(ws: Scratch, st: States, live: int, mines: int, words: Words) -> int:
    """Draw how many mines each group of a component has, into `GROUP_OPEN`; 0 if the scratch does not fit."""
    weights = ws.real[f.WEIGHTS]
    part = ws.cell[f.PART_INDEX, live]
    begin = ws.cell[f.PART_START, part]
    end = ws.cell[f.PART_START, part + 1]
    layer = ws.cell[f.PART_LAYER, live] + end - begin
    state = ws.cell[f.PART_FINAL, live] - 1
    for at in range(end - 1, begin - 1, -1):
        group = ws.cell[f.ORDER, at]
        move_weights(ws.cell[f.GROUP_SIZE, group], weights[TILT], weights)
        last = ws.pair[f.LAYER_FIRST, layer]
        layer -= 1
        first = ws.pair[f.LAYER_FIRST, layer]
        # A layer's numbers are divided by a common power of two that is not kept: their sum comes first.
        _edge_into(st, first, last, state, mines, weights, 0.0)
        chosen = _edge_into(st, first, last, state, mines, weights, fraction(words) * weights[9])
        if chosen < 0:
            return 0
        ws.cell[f.GROUP_OPEN, group] = chosen & 15
        mines -= chosen & 15
        state = chosen >> 4
    return 1


@helper(I64(U8S, U8S, SCRATCH, STATES, I64, U64S, U8S))
def draw_layout(tiles: Bytes, mark: Bytes, ws: Scratch, st: States, mines: int, words: Words, mapped: Bytes) -> int:
    """Draw a layout of the board that was analysed last (with no safe cell), 1 at each mine; 0 if that cannot be.

    `mines`: of the whole board. `mark`: the marks of the analysis.
    """
    parts = ws.cell[f.TALLY, PARTS]
    groups = 0
    for cell in range(tiles.size):
        groups = max(groups, ws.cell[f.GROUP_OF, cell])
    # Components of one group have no states: their mines are what their clues need.
    left = ws.cell[f.GROUP_OPEN]
    for group in range(groups):
        left[group] = -1
    if parts:
        _share_out(ws, st, parts, words)
        for live in range(parts):
            if not _walk_back(ws, st, live, ws.cell[f.QUEUE, live], words):
                return 0
    for group in range(groups):
        if left[group] < 0:
            left[group] = ws.cell[f.CLUE_NEED, ws.pair[f.GROUP_CLUES, ws.cell[f.GROUP_START, group]]]
        ws.cell[f.QUEUE, group] = ws.cell[f.GROUP_SIZE, group]
    interior = ws.cell[f.TALLY, INTERIOR_CELLS]
    for cell in range(tiles.size):
        mapped[cell] = 0
        if tiles[cell] != COVERED:
            continue
        group = ws.cell[f.GROUP_OF, cell] - 1
        if group >= 0:
            # The cells of a group one after the other: each is as likely to have one of the mines that are left.
            if below(words, ws.cell[f.QUEUE, group]) < left[group]:
                mapped[cell] = 1
                left[group] -= 1
            ws.cell[f.QUEUE, group] -= 1
        elif mark[cell] == MINED:
            mapped[cell] = 1
        mines -= mapped[cell]
    for cell in range(tiles.size):
        if tiles[cell] == COVERED and mark[cell] == UNKNOWN and ws.cell[f.GROUP_OF, cell] == 0:
            if mines > 0 and below(words, interior) < mines:
                mapped[cell] = 1
                mines -= 1
            interior -= 1
    return 1 if mines == 0 else 0
