"""From mines to clues."""

from collections.abc import Iterable, Sequence

MINE_CLUE = 9
"""In a buffer of clues, a mine: one more than the highest clue."""

_AT_MOST_A_MINE = bytes(min(value, MINE_CLUE) for value in range(256))


def mine_map(size: int, mines: Iterable[int]) -> bytearray:
    """One byte a cell: 1 where there is a mine."""
    mapped = bytearray(size)
    for cell in mines:
        mapped[cell] = 1
    return mapped


def clues_of_plane(width: int, height: int, mapped: bytes | bytearray) -> bytes:
    """Clues on a rectangle with eight neighbours: 0-8, `MINE_CLUE` at a mine.

    The whole board is one big integer with a byte a cell, and counting is eight shifted additions
    (two when done by rows and then by columns), so ten million cells take a few additions of ten
    megabytes instead of eighty million steps. A zero column between rows keeps the left edge from
    seeing the right one; no byte overflows, as none exceeds 9.
    """
    stride = width + 1
    padded = b"\0".join(mapped[row : row + width] for row in range(0, width * height, width))
    mines = int.from_bytes(padded, "little")
    rows = mines + (mines << 8) + (mines >> 8)
    total = rows + (rows << 8 * stride) + (rows >> 8 * stride)
    # A mine counts itself once; adding 8 more and taking the 1 away leaves 9 + neighbours there.
    raised = (total + 8 * mines).to_bytes(stride * (height + 1) + 1, "little")
    flat = b"".join(raised[row : row + width] for row in range(0, stride * height, stride))
    return flat.translate(_AT_MOST_A_MINE)


def clues_of_table(starts: Sequence[int], cells: Sequence[int], mapped: bytes | bytearray) -> bytes:
    """Clues on any grid, given its neighbour table: 0-8, `MINE_CLUE` at a mine."""
    clues = bytearray(len(mapped))
    for cell, mine in enumerate(mapped):
        if mine:
            for index in range(starts[cell], starts[cell + 1]):
                clues[cells[index]] += 1
    for cell, mine in enumerate(mapped):
        if mine:
            clues[cell] = MINE_CLUE
    return bytes(clues)
