"""The cascade: what opens when a zero is revealed.

A rectangle is filled by runs of a row, not cell by cell: a row is looked at once, as bytes, and
searching, comparing and copying are the interpreter's own, at memory speed. Nothing recurses, and
nothing is touched that the cascade does not reach, so a small opening on a huge board costs little.
Any other grid is filled cell by cell over its neighbour table.
"""

import re
from collections.abc import Sequence

from sapper._kernels.reference.layout import MINE_CLUE

COVERED = 9
FLAGGED = 10
QUESTION = 11

Run = tuple[int, int]
"""Cells from the first number up to, not including, the second."""

_CHANGED = re.compile(rb"[^\0]+")
_BLOCKED = re.compile(rb"[^\0]")

# 0 where a tile may be revealed, 1 where not.
_SHUT_CLEARING = bytes(0 if tile in (COVERED, FLAGGED, QUESTION) else 1 for tile in range(256))
_SHUT_LEAVING = bytes(0 if tile in (COVERED, QUESTION) else 1 for tile in range(256))


def cascade_plane(
    width: int, height: int, spread: int, clears_flags: bool, clues: bytes, tiles: bytearray, cell: int
) -> list[Run]:
    """Reveal `cell`, and on from every zero, on a rectangle; the runs of cells that changed, in order.

    `tiles` is changed in place. `spread` is 8 or 4, the neighbours that a zero opens. A flag is
    cleared and its cell revealed, or left with the cascade going around it. Clue 0-8 at `cell`.
    """
    if clues[cell]:
        tiles[cell] = clues[cell]
        return [(cell, cell + 1)]
    reach = 1 if spread == 8 else 0
    shut = _SHUT_CLEARING if clears_flags else _SHUT_LEAVING
    before: dict[int, bytes] = {}
    todo: dict[int, bytearray] = {}  # per row: 0 where a zero is still to be opened
    stack = [(cell // width, cell % width, cell % width + 1)]
    while stack:
        y, left, right = stack.pop()
        for row in (y - 1, y, y + 1):
            if not 0 <= row < height:
                continue
            begin = row * width
            if row not in before:
                old = bytes(tiles[begin : begin + width])
                blocked = int.from_bytes(old.translate(shut)) | int.from_bytes(clues[begin : begin + width])
                before[row] = old
                todo[row] = bytearray(blocked.to_bytes(width))
            grow = 1 if row == y else reach
            low = max(left - grow, 0)
            high = min(right + grow, width)
            tiles[begin + low : begin + high] = clues[begin + low : begin + high]
            _open_zeros(todo[row], row, low, high, stack)
    return _finish(width, clears_flags, tiles, before)


def _open_zeros(todo: bytearray, row: int, low: int, high: int, stack: list[tuple[int, int, int]]) -> None:
    """Take the runs of zeros that touch `low`-`high` out of `todo`, whole, onto the stack."""
    start = todo.find(0, low, high)
    while start >= 0:
        blocked = _BLOCKED.search(todo, start)
        end = blocked.start() if blocked else len(todo)
        if start == low:
            start = _first_of_run(todo, start)
        todo[start:end] = b"\1" * (end - start)
        stack.append((row, start, end))
        start = todo.find(0, end, high) if end < high else -1


def _first_of_run(todo: bytearray, cell: int) -> int:
    """Where the run of zero bytes that ends before or at `cell` begins, in windows that grow."""
    window = 64
    while True:
        begin = max(cell - window, 0)
        rest = len(todo[begin:cell].rstrip(b"\0"))
        if rest or begin == 0:
            return begin + rest
        cell = begin
        window *= 4


def _finish(width: int, clears_flags: bool, tiles: bytearray, before: dict[int, bytes]) -> list[Run]:
    """Put back the flags that the rules leave, and compare the rows with what they were."""
    runs: list[Run] = []
    for row in sorted(before):
        old = before[row]
        begin = row * width
        if not clears_flags:
            flag = old.find(FLAGGED)
            while flag >= 0:
                tiles[begin + flag] = FLAGGED
                flag = old.find(FLAGGED, flag + 1)
        for start, end in changed_runs(old, tiles[begin : begin + width]):
            _append_run(runs, begin + start, begin + end)
    return runs


def _append_run(runs: list[Run], start: int, end: int) -> None:
    """Add a run behind the others, joined to the last one where they touch."""
    if runs and runs[-1][1] == start:
        start = runs.pop()[0]
    runs.append((start, end))


def changed_runs(before: bytes, after: bytes | bytearray) -> list[Run]:
    """The runs in which two buffers of one length differ, in order."""
    differing = int.from_bytes(before) ^ int.from_bytes(after)
    return [match.span() for match in _CHANGED.finditer(differing.to_bytes(len(before)))]


def cascade_table(
    starts: Sequence[int], cells: Sequence[int], clears_flags: bool, clues: bytes, tiles: bytearray, cell: int
) -> list[Run]:
    """The same over a neighbour table, which names the cells that a zero opens."""
    shut = _SHUT_CLEARING if clears_flags else _SHUT_LEAVING
    tiles[cell] = clues[cell]
    changed = [cell]
    for zero in changed:  # grows while it is walked
        if clues[zero]:
            continue
        for index in range(starts[zero], starts[zero + 1]):
            near = cells[index]
            if not shut[tiles[near]] and clues[near] != MINE_CLUE:
                tiles[near] = clues[near]
                changed.append(near)
    return merge_runs([(one, one + 1) for one in changed])


def merge_runs(runs: list[Run]) -> list[Run]:
    """Disjoint runs, sorted, with neighbours joined."""
    merged: list[Run] = []
    for start, end in sorted(runs):
        _append_run(merged, start, end)
    return merged
