"""Counting the layouts of one component, by the number of its mines, exactly.

Groups are eliminated one by one. A state is what the open clues still need, packed four bits a
clue into one int; it carries the number of ways to get there as a polynomial in the number of
mines. One pass forward gives every state its ways from the start, one pass back its ways to the
end; their product over a group's moves says how often its cells are mines.

Three things make it quick:

- A polynomial is one int, its coefficients side by side in slots wide enough for the largest
  (Kronecker's substitution), so adding and multiplying are single operations of the interpreter.
- The mines of a clue are its need, whatever the layout. So clues that share no cell are set aside,
  as many as fit, and only the groups outside them count in the exponent: polynomials are short.
- A clue's mines also give those of its last group from those of its others: that takes no product.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import comb
from typing import NamedTuple

from sapper._kernels.reference.combine import unpack

Shape = tuple[tuple[int, tuple[int, ...]], ...]
"""A component's groups in the order of elimination: number of cells, clues touched (numbered from 0)."""

# Solved components of so few groups are remembered: boards are full of the same small ones, and
# from one move to the next most of a board stays as it is.
_SMALL = 8
_SMALL_LIMIT = 1 << 16
_REMEMBERED = 4096

# A limit on states bounds the memory too: their polynomials may have 2,048 bits each, on average (a quarter of a
# gigabyte a million, and as much again for the states themselves). Where states are few it is not worth adding up.
_STATE_BITS = 2_048
_MANY = 256


class OverCapError(Exception):
    """The component has more states than allowed; caught by `analysis`, never seen outside."""


class Solved(NamedTuple):
    """The answer for one component.

    `ways[i]` layouts have `least + i` mines; `hits[group][i]` of them have a mine at one given cell
    of the group. `states` is the work it took; none for a single group. No layout: `ways` is empty.
    """

    least: int
    ways: tuple[int, ...]
    hits: tuple[tuple[int, ...], ...]
    states: int


class _Moves(dict[int, list[tuple[int, int, int]]]):
    """One group's moves by what its clues still need, found when first asked for.

    `mask` picks that from a state. A move is what to take from the state, the ways to choose the
    group's mines, and the ways that have a mine at one given cell, the two as polynomials.
    `closes` is a clue that has no group after this one, or -1.
    """

    __slots__ = ("closes", "mask", "one", "opens", "parts", "shift", "size")

    def __init__(self, size: int, shift: int) -> None:
        self.size = size
        self.shift = shift  # bits of the exponent a mine adds, 0 where the group is not counted
        self.mask = 0
        self.one = 0  # one mine, taken from every clue
        self.opens = 0  # the needs of the clues begun here
        self.closes = -1
        self.parts: list[tuple[int, int, int]] = []  # slot, need if begun here, cells left after

    def __missing__(self, seen: int) -> list[tuple[int, int, int]]:
        low, high = 0, self.size
        for slot, begun, room in self.parts:
            need = ((seen >> slot) & 15) + begun
            high = min(high, need)
            low = max(low, need - room)
        size, shift, one, opens = self.size, self.shift, self.one, self.opens
        moves = [
            (mines * one - opens, comb(size, mines) << mines * shift, comb(size - 1, mines - 1) << mines * shift)
            if mines
            else (-opens, 1, 0)
            for mines in range(low, high + 1)
        ]
        self[seen] = moves
        return moves


_NONE = Solved(0, (), (), 0)


def solve(shape: Shape, needs: tuple[int, ...], limit: int) -> Solved:
    """Count the layouts of one component; every clue is touched by some group, each need is 0-15.

    Raises:
        OverCapError: more than `limit` states.

    """
    if len(shape) == 1:
        return _solve_one(shape[0][0], needs)
    if len(shape) <= _SMALL and limit >= _SMALL_LIMIT:
        try:
            return _solve_small(shape, needs)
        except OverCapError:  # eight groups of a grid that is no Minesweeper grid
            pass
    return _solve(shape, needs, limit)


def forget() -> None:
    """Forget the components remembered (measurements are made cold)."""
    _solve_small.cache_clear()


def _solve_one(size: int, needs: tuple[int, ...]) -> Solved:
    """One group: all its clues must say the same."""
    need = needs[0]
    if need > size or any(other != need for other in needs):
        return _NONE
    hit = comb(size - 1, need - 1) if need else 0
    return Solved(need, (comb(size, need),), ((hit,),), 0)


@lru_cache(maxsize=_REMEMBERED)
def _solve_small(shape: Shape, needs: tuple[int, ...]) -> Solved:
    return _solve(shape, needs, _SMALL_LIMIT)


def _solve(shape: Shape, needs: tuple[int, ...], limit: int) -> Solved:
    rooms = [0] * len(needs)
    for size, clues in shape:
        for clue in clues:
            rooms[clue] += size
    if any(map(int.__gt__, needs, rooms)):
        return _NONE
    counted, fixed, bound = _set_aside(shape, needs, rooms)
    width = bound.bit_length() + 4  # a need of up to 15 times the bound is summed in _last_of_clues
    layers = _layers(shape, needs, rooms, [width if exponent else 0 for exponent in counted])
    forward: list[dict[int, int]] = []
    states = {0: 1}
    total = 1
    bits = 0
    for layer in layers:
        forward.append(states)
        states = _advance(layer, states)
        total += len(states)
        if len(states) > _MANY:
            bits += sum(map(int.bit_length, states.values()))
        if total > limit or bits > _STATE_BITS * limit:
            raise OverCapError
    ways = states.get(0, 0)
    if not ways:
        return _NONE
    hits = _backward(layers, forward)
    _last_of_clues(shape, needs, layers, ways, hits)
    lowest = ((ways & -ways).bit_length() - 1) // width
    return Solved(
        fixed + lowest,
        unpack(ways >> lowest * width, width),
        tuple([unpack(hit >> lowest * width, width) for hit in hits]),
        total,
    )


def _set_aside(shape: Shape, needs: Sequence[int], rooms: Sequence[int]) -> tuple[list[bool], int, int]:
    """Set aside clues that share no group, greedily.

    Which groups are left to be counted, the mines of the others, a bound on the number of layouts.
    """
    members: list[list[int]] = [[] for _ in needs]
    for group, (_, clues) in enumerate(shape):
        for clue in clues:
            members[clue].append(group)
    counted = [True] * len(shape)
    fixed = 0
    bound = 1
    for clue in sorted(range(len(needs)), key=rooms.__getitem__, reverse=True):
        groups = members[clue]
        for group in groups:
            if not counted[group]:
                break
        else:
            for group in groups:
                counted[group] = False
            fixed += needs[clue]
            bound *= comb(rooms[clue], needs[clue])
    for group, (size, _) in enumerate(shape):
        if counted[group]:
            bound <<= size
    return counted, fixed, bound


def _layers(shape: Shape, needs: Sequence[int], rooms: Sequence[int], shifts: Sequence[int]) -> list[_Moves]:
    """The steps, with a slot of four bits for every clue while it is open."""
    left = list(rooms)
    slots: dict[int, int] = {}
    free: list[int] = []
    top = 0
    layers = []
    for (size, clues), shift in zip(shape, shifts, strict=True):
        layer = _Moves(size, shift)
        closed = []
        for clue in clues:
            begun = 0
            if clue not in slots:
                if free:
                    slots[clue] = free.pop()
                else:
                    slots[clue] = top
                    top += 4
                begun = needs[clue]
            slot = slots[clue]
            left[clue] -= size
            if not left[clue]:
                layer.closes = clue
                closed.append(slot)
            layer.mask |= 15 << slot
            layer.one |= 1 << slot
            layer.opens += begun << slot
            layer.parts.append((slot, begun, left[clue]))
        free += closed  # from the next step on: this one still reads them
        layers.append(layer)
    return layers


def _advance(layer: _Moves, states: dict[int, int]) -> dict[int, int]:
    """The states after one more group."""
    mask = layer.mask
    after: dict[int, int] = {}
    for state, ways in states.items():
        for step, choices, _ in layer[state & mask]:
            reached = state - step
            if reached in after:
                after[reached] += ways * choices
            else:
                after[reached] = ways * choices
    return after


def _backward(layers: list[_Moves], forward: list[dict[int, int]]) -> list[int]:
    """For each group the layouts with a mine at a given cell of it; 0 where `_last_of_clues` fills it in."""
    hits = [0] * len(layers)
    ends = {0: 1}
    for group in range(len(layers) - 1, -1, -1):
        layer = layers[group]
        mask = layer.mask
        before: dict[int, int] = {}
        if layer.closes >= 0:
            for state in forward[group]:
                for step, choices, _ in layer[state & mask]:
                    if state - step in ends:
                        before[state] = ends[state - step] * choices
        else:
            hit = 0
            for state, ways in forward[group].items():
                rest = mined = 0
                for step, choices, with_mine in layer[state & mask]:
                    if state - step in ends:
                        rest += ends[state - step] * choices
                        mined += ends[state - step] * with_mine
                if rest:
                    before[state] = rest
                    hit += ways * mined
            hits[group] = hit
        ends = before
    return hits


def _last_of_clues(shape: Shape, needs: Sequence[int], layers: list[_Moves], ways: int, hits: list[int]) -> None:
    """The last group of a clue has the mines that the clue's other groups have not."""
    sums = [0] * len(needs)
    for group, (size, clues) in enumerate(shape):
        closes = layers[group].closes
        if closes >= 0:
            hits[group] = (needs[closes] * ways - sums[closes]) // size
        for clue in clues:
            sums[clue] += size * hits[group]
