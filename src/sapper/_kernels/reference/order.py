"""In which order to eliminate the groups of a board, one connected component after the other.

The work of `count` is the number of states, which grows with the number of clues that are *open* at once: begun, not
finished. Greedily next is the group that opens the fewest clues less those it closes; among equals, the one whose clues were
opened first. The walk begins at an end of the component: the group that a walk in breadth comes to last. Where that looks bad,
more costly orders are tried from several beginnings: next is the group after which the needs of all clues can have the fewest
values together; or row by row. The one whose estimate is least is taken.

The native half has the same orders (`native/order.c`), so that both count the same states.
"""

from collections.abc import Sequence

from sapper._kernels.reference.count import Shape
from sapper._kernels.reference.scan import Frontier

EASY_WORK = 4_000
"""Sum over the steps of 2 to the power of open clues, up to which the first order is taken."""
HOPELESS = 64
"""Clues open at once from which no order will do: there are far too many states for any cap."""
TRIALS = 12
TRIAL_WORK = 25
"""Estimated states, for each group, that are worth another order."""


def components_of(frontier: Frontier) -> tuple[list[list[int]], list[list[int]]]:
    """The groups of each component, in no order to eliminate them yet; and those of each clue."""
    members: list[list[int]] = [[] for _ in frontier.clues]
    for group in sorted(range(len(frontier.keys)), key=lambda number: min(frontier.groups[number])):
        for clue in frontier.keys[group]:
            members[clue].append(group)
    return _components(frontier.keys, members), members


def order_groups(frontier: Frontier) -> list[list[int]]:
    """The groups of each component, in the order to eliminate them."""
    parts, members = components_of(frontier)
    return [order_of(part, frontier, members) for part in parts]


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


def _components(keys: Sequence[tuple[int, ...]], members: Sequence[Sequence[int]]) -> list[list[int]]:
    """The groups of each component in the order of a walk in breadth from its first clue."""
    listed = [False] * len(keys)
    seen = [False] * len(members)
    found = []
    for seed in range(len(members)):
        if seen[seed]:
            continue
        seen[seed] = True
        queue, part = [seed], []
        for clue in queue:
            for group in members[clue]:
                if not listed[group]:
                    listed[group] = True
                    part.append(group)
                    for near in keys[group]:
                        if not seen[near]:
                            seen[near] = True
                            queue.append(near)
        found.append(part)
    return found


def order_of(part: list[int], frontier: Frontier, members: Sequence[Sequence[int]]) -> list[int]:
    """The groups of one of the components that `components_of` gives, in the order to eliminate them."""
    if len(part) == 1:
        return part
    order, work, widest = _greedy(part, frontier.keys, members)
    if work <= EASY_WORK or widest >= HOPELESS:
        return order
    part = sorted(part)
    best = float("inf")
    for trial in range(-1, TRIALS):
        first = None if trial < 0 else part[trial * len(part) // TRIALS]
        tried, estimate = _by_values(part, first, frontier, members)
        if estimate < best:
            order, best = tried, estimate
        if (trial + 2) * len(part) * TRIAL_WORK > best:
            break
    return order


def _greedy(
    part: Sequence[int], keys: Sequence[tuple[int, ...]], members: Sequence[Sequence[int]]
) -> tuple[list[int], int, int]:
    """One greedy order, its estimated number of states, and the most clues that are open at once."""
    clues = {clue for group in part for clue in keys[group]}
    left = {clue: len(members[clue]) for clue in clues}
    # What a group would open, less what it would close.
    scores = {group: len(keys[group]) - sum([left[clue] == 1 for clue in keys[group]]) for group in part}
    opens = {group: len(keys[group]) for group in part}
    begun: set[int] = set()
    waiting = {part[-1]: None}  # a dict: in order of arrival, so that ties are the same everywhere
    score_of = scores.__getitem__
    order = []
    work = open_clues = widest = 0
    while waiting:
        group = min(waiting, key=score_of) if len(waiting) > 1 else next(iter(waiting))
        del waiting[group]
        order.append(group)
        open_clues += scores[group]
        peak = open_clues + opens.pop(group)
        work += 1 << min(peak, 40)
        widest = max(widest, peak)
        for clue in keys[group]:
            left[clue] -= 1
            is_fresh = clue not in begun
            begun.add(clue)
            if not is_fresh and left[clue] != 1:
                continue
            for other in members[clue]:
                if other not in opens:
                    continue
                if left[clue] == 1:
                    scores[other] -= 1
                if is_fresh:
                    opens[other] -= 1
                    scores[other] -= 1
                    waiting.setdefault(other)
    return order, work, widest


def _values(need: int, done: int, left: int) -> int:
    """How many values the need of a clue can have, `done` of its cells eliminated and `left` still to come."""
    return max(1, min(need, left) - max(0, need - done) + 1)


def _by_values(
    part: Sequence[int], first: int | None, frontier: Frontier, members: Sequence[Sequence[int]]
) -> tuple[list[int], float]:
    """An order in which always the group of least growth is next, from `first`; the estimated work. None: as they are listed."""
    keys, needs = frontier.keys, frontier.needs
    sizes = {group: len(frontier.groups[group]) for group in part}
    left = {clue: sum(sizes[group] for group in members[clue]) for group in part for clue in keys[group]}
    done = dict.fromkeys(left, 0)

    def growth(group: int) -> float:
        """By what the product of the numbers of values of all clues changes if the group is eliminated next."""
        size, by = sizes[group], 1.0
        for clue in keys[group]:
            before = _values(needs[clue], done[clue], left[clue])
            by *= _values(needs[clue], done[clue] + size, left[clue] - size) / before
        return by

    order: list[int] = []
    known = set() if first is None else {first}
    waiting = [] if first is None else [first]
    product, work = 1.0, 0.0
    for step in range(len(part)):
        group = part[step]
        if first is not None:
            best = 1e300
            for other in waiting:
                other_growth = growth(other)
                if other_growth < best * (1.0 - 1e-9):
                    best, group = other_growth, other
            waiting.remove(group)
        product *= growth(group)
        work += product
        order.append(group)
        for clue in keys[group]:
            done[clue] += sizes[group]
            left[clue] -= sizes[group]
            for other in members[clue]:
                if first is not None and other not in known:
                    known.add(other)
                    waiting.append(other)
    return order, work
