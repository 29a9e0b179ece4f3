"""Proofs that a layout needs no guess, as far as the library finds their steps."""

import ctypes
from array import array
from collections.abc import Iterable, Sequence

from sapper._kernels.batch import FIRST_STEP, HEAD
from sapper._kernels.declarations import PROOF
from sapper._kernels.library import SINGLE, Table, check

STUCK, DONE, FULL = range(3)

NeighbourLists = tuple[Sequence[int], Sequence[int]]


class Prover:
    """One proof on its way."""

    def __init__(
        self,
        table: NeighbourLists,
        edges: NeighbourLists,
        *,
        columns: int,
        wraps: bool,
        mapped: bytes,
        first: int,
        hardest: int,
    ) -> None:
        """Of the layout with this mine map, from its first cell, with no technique above `hardest`."""
        self._tables = Table(*table, 0), Table(*edges, 0)
        size = len(mapped)
        self._seen = (ctypes.c_uint8 * (3 * size))()
        self._scratch = ctypes.create_string_buffer(SINGLE.sapper_proof_room(self._tables[0].address))
        self._steps = (ctypes.c_int32 * (FIRST_STEP + 16 * (HEAD + size)))()
        clues = ctypes.addressof(self._seen)
        self._proof = PROOF(
            self._tables[0].address, self._tables[1].address, columns, wraps, first, hardest, 0, 0, 0,
            clues, clues + size, clues + 2 * size, ctypes.addressof(self._scratch),
        )  # fmt: skip
        self._address = ctypes.addressof(self._proof)
        self._size = size
        self.meets_mine = bool(check(SINGLE.sapper_proof_begin(self._address, mapped)))
        """Whether the first cell is a mine: then there is no proof."""

    @property
    def tiles(self) -> bytes:
        return bytes(self._seen[self._size : 2 * self._size])

    @property
    def mined(self) -> list[int]:
        """The cells known to be mines."""
        return [cell for cell, is_mine in enumerate(self._seen[2 * self._size :]) if is_mine]

    def go_on(self) -> tuple[bool, int, list["array[int]"]]:
        """Take steps until none follows: whether all is open then, the hardest technique of them, and the steps' numbers."""
        parts = []
        hardest = 0
        while True:
            count = check(SINGLE.sapper_proof_go_on(self._address, self._steps, len(self._steps)))
            numbers = array("i", bytes(memoryview(self._steps)[:count]))
            hardest = max(hardest, numbers[1])
            if count > FIRST_STEP:
                parts.append(numbers)
            if numbers[0] != FULL:
                return numbers[0] == DONE, hardest, parts

    def conclude(self, safe: Iterable[int], mined: Iterable[int]) -> None:
        """Take over what another step shows."""
        cells = array("i", safe)
        count = len(cells)
        cells.extend(mined)
        check(SINGLE.sapper_proof_conclude(self._address, cells.buffer_info()[0], count, len(cells) - count))
