"""In which order to eliminate the groups of a board, one connected component after the other.

The work of `count` grows with the number of clues that are *open* at once: begun, not finished.
So the next group is, greedily, the one that opens the fewest clues less those it closes; where the
greedy order of a component looks bad, a few other first groups are tried. A component is finished
when no clue is open, so that ordering finds the components as it goes.

Knows: groups as tuples of the clues they touch.
Does not know: what a clue says, what is counted, cells.
"""

from collections.abc import Sequence

from sapper._kernels.reference.count import Shape
from sapper._kernels.reference.scan import Frontier

# A component that never has more open clues than this is not worth a second look. Of the others so
# many first groups are tried, more of them where the guess at the work says that it pays. One that
# has far too many open clues will be over any cap whatever the order.
_WIDE = 6
_HOPELESS = 40
_CROWD = 1000
_STARTS = 12
_HARD = 1 << 14
_MORE_STARTS = 60


def order_groups(keys: Sequence[tuple[int, ...]], clue_count: int) -> list[list[int]]:
    """The groups of each component, in the order to eliminate them; `keys[group]` are its clues, at least one."""
    members, base = _members(keys, clue_count)
    scores = base.copy()
    left = list(map(len, members))
    placed = [False] * len(keys)
    orders = []
    for start in sorted(range(len(keys)), key=base.__getitem__):
        if placed[start]:
            continue
        order, widest = _walk(start, keys, members, scores, left, placed)
        if _WIDE < widest < _HOPELESS:
            order = _best(order, keys)
        orders.append(order)
    return orders


def _members(keys: Sequence[tuple[int, ...]], clue_count: int) -> tuple[list[list[int]], list[int]]:
    """The groups of each clue; and for each group, the clues it would open as the first, less those it would close."""
    members: list[list[int]] = [[] for _ in range(clue_count)]
    for group, key in enumerate(keys):
        for clue in key:
            members[clue].append(group)
    scores = list(map(len, keys))
    for groups in members:
        if len(groups) == 1:
            scores[groups[0]] -= 1
    return members, scores


def shape_of(frontier: Frontier, order: Sequence[int]) -> tuple[Shape, list[int]]:
    """The shape of a component whose groups are eliminated in this order, and its clues as the shape numbers them."""
    numbers: dict[int, int] = {}
    shape = []
    for group in order:
        key = frontier.keys[group]
        for clue in key:
            if clue not in numbers:
                numbers[clue] = len(numbers)
        shape.append((len(frontier.groups[group]), tuple([numbers[clue] for clue in key])))
    return tuple(shape), list(numbers)


def _walk(
    start: int,
    keys: Sequence[tuple[int, ...]],
    members: list[list[int]],
    scores: list[int],
    left: list[int],
    placed: list[bool],
) -> tuple[list[int], int]:
    """One component from a first group on, and the most clues that were open at once.

    `scores` (clues a group would open less those it would close), `left` (groups of a clue not yet
    placed) and `placed` are kept up to date.
    """
    order = []
    score_of = scores.__getitem__
    waiting = {start: None}  # a dict: in order of arrival, so that ties are the same everywhere
    opened: set[int] = set()
    closed = widest = 0
    while waiting:
        # With very many to choose from, the choice is hopeless, and takes quadratic time.
        group = min(waiting, key=score_of) if 1 < len(waiting) < _CROWD else next(iter(waiting))
        del waiting[group]
        placed[group] = True
        order.append(group)
        for clue in keys[group]:
            if clue not in opened:
                opened.add(clue)
                for other in members[clue]:
                    scores[other] -= 1
                    if not placed[other]:
                        waiting[other] = None
            left[clue] -= 1
            if left[clue] == 1:
                for other in members[clue]:
                    if not placed[other]:
                        scores[other] -= 1
            elif not left[clue]:
                closed += 1
        widest = max(widest, len(opened) - closed)
    return order, widest


def _best(order: list[int], keys: Sequence[tuple[int, ...]]) -> list[int]:
    """The cheapest of the greedy orders of one component that begin at some of its groups."""
    numbers: dict[int, int] = {}
    local = [tuple([numbers.setdefault(clue, len(numbers)) for clue in keys[group]]) for group in order]
    members, base = _members(local, len(numbers))
    best = list(range(len(order)))
    lowest = _cost(best, local, members)
    step = max(1, len(order) // (_STARTS if lowest < _HARD else _MORE_STARTS))
    for start in range(step, len(order), step):
        other, _ = _walk(start, local, members, base.copy(), list(map(len, members)), [False] * len(local))
        cost = _cost(other, local, members)
        if cost < lowest:
            best, lowest = other, cost
    return [order[group] for group in best]


def _cost(order: Sequence[int], keys: Sequence[tuple[int, ...]], members: list[list[int]]) -> int:
    """A guess at the work: two states for every open clue, summed over the groups."""
    left = list(map(len, members))
    opened = cost = 0
    for group in order:
        for clue in keys[group]:
            if left[clue] == len(members[clue]):
                opened += 1
            left[clue] -= 1
            if not left[clue]:
                opened -= 1
        cost += 1 << opened
    return cost
