"""The states of a component, and which numbers of mines each can have.

Groups are eliminated one by one: a layer for each. A state is what every open clue still needs, 4
bits a clue; a move puts k mines into the group: the new key is the old one less k times the group's
mask. Moves that leave a clue more than its other cells can hold are never made, so closed clues are
met. Reachable numbers of mines are sets of bits, 62 to a word, counted from the least in the layer:
certainty comes from these, never from a float.

Knows: groups, clues, their order.
Does not know: cells, numbers of layouts, other components.
"""

from sapper._kernels.compiled import fields as f
from sapper._kernels.compiled.compiler import I64, I64S, helper, lowest_bit
from sapper._kernels.compiled.filling import fill_ints
from sapper._kernels.compiled.workspace import SCRATCH, SLOTS, STATES, Ints, Scratch, States

WORD = 62
FULL = (1 << 62) - 1

IMPOSSIBLE = -1
OVER_CAP = -2
NO_ROOM = -3

MIX0 = 0x1E3779B97F4A7C15
MIX1 = 0x42B2AE3D27D4EB4F
"""Odd numbers, to spread keys over a hash table."""


@helper(I64(SCRATCH, I64, I64))
def _open_clues(ws: Scratch, group: int, free: int) -> int:
    """Give the group's new clues a slot each, the lowest free; the slots left, or -1 if there are none."""
    for back in range(ws.cell[f.GROUP_START, group], ws.cell[f.GROUP_START, group + 1]):
        clue = ws.pair[f.GROUP_CLUES, back]
        if ws.cell[f.CLUE_SLOT, clue] < 0:
            if free == 0:
                return -1
            slot = lowest_bit(free)
            free &= free - 1
            ws.cell[f.CLUE_SLOT, clue] = slot + SLOTS  # fresh: its need is still to be put into the keys
        ws.cell[f.CLUE_LEFT, clue] -= ws.cell[f.GROUP_SIZE, group]
    return free


@helper(I64(SCRATCH, I64, I64))
def _close_clues(ws: Scratch, group: int, free: int) -> int:
    """Take back the slots of clues that have no group left; the free slots."""
    for back in range(ws.cell[f.GROUP_START, group], ws.cell[f.GROUP_START, group + 1]):
        clue = ws.pair[f.GROUP_CLUES, back]
        slot = ws.cell[f.CLUE_SLOT, clue] & (SLOTS - 1)
        ws.cell[f.CLUE_SLOT, clue] = slot
        if ws.cell[f.CLUE_LEFT, clue] == 0:
            free |= 1 << slot
    return free


@helper(I64(SCRATCH, I64, I64S))
def _plan_moves(ws: Scratch, group: int, plan: Ints) -> int:
    """Where the clues of `group` lie in a key; the most mines that the group can hold.

    plan[0:4]: the masks of the two words and the needs that fresh clues add to them; plan[4]: clues
    in the first word, plan[5]: clues; then shifts, and from 6 + SLOTS on what the other cells hold.
    """
    fill_ints(plan, 0, 6, 0)
    top = ws.cell[f.GROUP_SIZE, group]
    begin = ws.cell[f.GROUP_START, group]
    end = ws.cell[f.GROUP_START, group + 1]
    for word in range(2):
        for back in range(begin, end):
            clue = ws.pair[f.GROUP_CLUES, back]
            slot = ws.cell[f.CLUE_SLOT, clue]
            if ((slot >> 4) & 1) != word:
                continue
            shift = (slot & 15) * 4
            need = ws.cell[f.CLUE_NEED, clue]
            plan[word] |= 1 << shift
            if slot >= SLOTS:
                plan[2 + word] |= need << shift
            top = min(top, need)
            plan[6 + plan[5]] = shift
            plan[6 + SLOTS + plan[5]] = ws.cell[f.CLUE_LEFT, clue]
            plan[5] += 1
            if word == 0:
                plan[4] += 1
    return int(top)


@helper(I64(STATES, I64, I64, I64, I64))
def _state_of(st: States, word0: int, word1: int, room: int, count: int) -> int:
    """The state of the layer that has a key; state `count` is made for it if there is none.

    The table has `room` places, a power of two, at least half of them free.
    """
    mixed = word0 * MIX0 + word1 * MIX1
    at = (mixed >> 32) & (room - 1)
    found = st.edge[f.TABLE, at]
    while found >= 0:
        if st.state[f.KEY0, found] == word0 and st.state[f.KEY1, found] == word1:
            return int(found)
        at = (at + 1) & (room - 1)
        found = st.edge[f.TABLE, at]
    st.edge[f.TABLE, at] = count
    st.state[f.KEY0, count] = word0
    st.state[f.KEY1, count] = word1
    return count


@helper(I64(SCRATCH, STATES, I64, I64, I64, I64))
def _expand_layer(ws: Scratch, st: States, group: int, first: int, last: int, most: int) -> int:
    """Make the moves of `group` from the states `first` to `last`; the number of states after it.

    It is `most` at the most; or as in expand_part.
    """
    plan = ws.cell[f.PLAN]
    size = _plan_moves(ws, group, plan)
    in_first = plan[4]
    clues = plan[5]
    edge = st.state[f.FIRST_EDGE, first]
    limit = min(most, st.state.shape[1] - 1)
    room = 4
    while room < 2 * min((last - first) * (size + 1), limit - last + 1):
        room *= 2
    if room > st.edge.shape[1]:
        return NO_ROOM
    fill_ints(st.edge[f.TABLE], 0, room, -1)
    count = last
    for state in range(first, last):
        word0 = st.state[f.KEY0, state] + plan[2]
        word1 = st.state[f.KEY1, state] + plan[3]
        least = 0
        greatest = size
        for i in range(in_first):
            need = (word0 >> plan[6 + i]) & 15
            greatest = min(greatest, need)
            least = max(least, need - plan[6 + SLOTS + i])
        for i in range(in_first, clues):
            need = (word1 >> plan[6 + i]) & 15
            greatest = min(greatest, need)
            least = max(least, need - plan[6 + SLOTS + i])
        if edge + greatest - least >= st.edge.shape[1]:
            return NO_ROOM
        st.state[f.FIRST_EDGE, state] = edge
        st.state[f.FEWEST, state] = least
        word0 -= least * plan[0]
        word1 -= least * plan[1]
        for mines in range(least, greatest + 1):
            if count >= limit:
                return OVER_CAP if limit == most else NO_ROOM
            found = _state_of(st, word0, word1, room, count)
            low = st.state[f.LOW, state] + mines
            high = st.state[f.HIGH, state] + mines
            if found == count:
                count += 1
            else:
                low = min(low, st.state[f.LOW, found])
                high = max(high, st.state[f.HIGH, found])
            st.state[f.LOW, found] = low
            st.state[f.HIGH, found] = high
            st.edge[f.EDGE_TO, edge] = found
            edge += 1
            word0 -= plan[0]
            word1 -= plan[1]
    st.state[f.FIRST_EDGE, count] = edge
    st.state[f.FIRST_EDGE, last] = edge
    return count if count > last else IMPOSSIBLE


@helper(I64(I64S, I64, I64, I64S, I64, I64, I64))
def add_shifted(to: Ints, target: int, words: int, of: Ints, source: int, old_words: int, shift: int) -> int:
    """Add a set of bits, each moved up by `shift`, to another; what falls outside is left out."""
    for i in range(old_words):
        bits = of[source + i]
        if bits == 0:
            continue
        place = i * WORD + shift
        word = place // WORD
        up = place - word * WORD
        if 0 <= word < words:
            to[target + word] |= (bits << up) & FULL
        if 0 <= word + 1 < words:
            to[target + word + 1] |= bits >> (WORD - up)
    return 0


@helper(I64(SCRATCH, STATES, I64, I64, I64, I64, I64S))
def _measure_layer(ws: Scratch, st: States, layer: int, first: int, last: int, count: int, marks: Ints) -> int:
    """Place the polynomials of layer `layer`, the states `last` to `count`, and fill its reachable sets.

    0 if there is no room, else 1.
    """
    base = st.state[f.LOW, last]
    top = st.state[f.HIGH, last]
    used = 0
    for state in range(last, count):
        st.state[f.WAYS_AT, state] = marks[0] + used
        used += st.state[f.HIGH, state] - st.state[f.LOW, state] + 1
        base = min(base, st.state[f.LOW, state])
        top = max(top, st.state[f.HIGH, state])
    words = (top - base) // WORD + 1
    place = marks[1]
    needed = words * (count - last)
    if marks[0] + used > st.real.shape[1] or place + needed > st.edge.shape[1]:
        return 0
    marks[0] += used
    marks[1] += needed
    marks[2] = max(marks[2], used)
    marks[3] = max(marks[3], needed)
    ws.pair[f.LAYER_BASE, layer] = base
    ws.pair[f.LAYER_WORDS, layer] = words
    ws.pair[f.LAYER_REACH, layer] = place
    reach = st.edge[f.REACH]
    fill_ints(reach, place, place + needed, 0)
    old_words = ws.pair[f.LAYER_WORDS, layer - 1]
    old_place = ws.pair[f.LAYER_REACH, layer - 1]
    slide = ws.pair[f.LAYER_BASE, layer - 1] - base
    for state in range(first, last):
        source = old_place + (state - first) * old_words
        shift = slide + st.state[f.FEWEST, state]
        for edge in range(st.state[f.FIRST_EDGE, state], st.state[f.FIRST_EDGE, state + 1]):
            target = place + (st.edge[f.EDGE_TO, edge] - last) * words
            if words == 1 and old_words == 1:
                bits = reach[source]
                reach[target] |= bits << shift if shift >= 0 else bits >> -shift
            else:
                add_shifted(reach, target, words, reach, source, old_words, shift)
            shift += 1
    return 1


@helper(I64(SCRATCH, STATES, I64, I64, I64, I64, I64, I64S))
def expand_part(ws: Scratch, st: States, begin: int, end: int, layer: int, state: int, most: int, marks: Ints) -> int:
    """Make all layers of the component `order[begin:end]`, from `layer` and `state` on.

    The number of states after it, IMPOSSIBLE where no layout fits, OVER_CAP where there would be
    more than `most` states or than SLOTS open clues, NO_ROOM where `st` is too small.
    marks[0], marks[1]: the ends of `ways` and `reach` in use; marks[2], marks[3]: the most that a
    layer needs of `rest` and `back`.
    """
    if state + 1 >= st.state.shape[1] or marks[0] >= st.real.shape[1] or marks[1] >= st.edge.shape[1]:
        return NO_ROOM
    for at in range(begin, end):
        group = ws.cell[f.ORDER, at]
        for back in range(ws.cell[f.GROUP_START, group], ws.cell[f.GROUP_START, group + 1]):
            clue = ws.pair[f.GROUP_CLUES, back]
            ws.cell[f.CLUE_SLOT, clue] = -1
            ws.cell[f.CLUE_LEFT, clue] = 0
    for at in range(begin, end):
        group = ws.cell[f.ORDER, at]
        for back in range(ws.cell[f.GROUP_START, group], ws.cell[f.GROUP_START, group + 1]):
            ws.cell[f.CLUE_LEFT, ws.pair[f.GROUP_CLUES, back]] += ws.cell[f.GROUP_SIZE, group]
    st.state[f.KEY0, state] = 0
    st.state[f.KEY1, state] = 0
    st.state[f.LOW, state] = 0
    st.state[f.HIGH, state] = 0
    st.state[f.FIRST_EDGE, state] = st.state[f.FIRST_EDGE, state - 1] if state else 0
    st.state[f.WAYS_AT, state] = marks[0]
    marks[0] += 1
    st.edge[f.REACH, marks[1]] = 1
    ws.pair[f.LAYER_FIRST, layer] = state
    ws.pair[f.LAYER_BASE, layer] = 0
    ws.pair[f.LAYER_WORDS, layer] = 1
    ws.pair[f.LAYER_REACH, layer] = marks[1]
    marks[1] += 1
    free = (1 << SLOTS) - 1
    count = state + 1
    for at in range(begin, end):
        free = _open_clues(ws, ws.cell[f.ORDER, at], free)
        if free < 0:
            return OVER_CAP
        first = ws.pair[f.LAYER_FIRST, layer]
        last = count
        count = _expand_layer(ws, st, ws.cell[f.ORDER, at], first, last, state + most)
        if count < 0:
            return count
        layer += 1
        ws.pair[f.LAYER_FIRST, layer] = last
        if not _measure_layer(ws, st, layer, first, last, count, marks):
            return NO_ROOM
        free = _close_clues(ws, ws.cell[f.ORDER, at], free)
    return count
