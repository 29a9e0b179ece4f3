"""One place on the grid, and sets of them."""

from collections.abc import Iterable, Iterator, Set as AbstractSet
from typing import Final, NewType

from sapper.errors import InvalidValueError

Cell = NewType("Cell", int)
"""A cell's index: `y * width + x`, from 0, the origin at the top left."""

_BITS: Final = tuple(tuple(bit for bit in range(8) if byte >> bit & 1) for byte in range(256))


_FEW: Final = 8
"""Cells up to which a set is made and iterated bit by bit: each bit costs an operation on the whole integer."""


class CellSet(AbstractSet[Cell]):
    """An immutable set of cells, held as one integer with a bit a cell.

    Set operators (`|`, `&`, `-`, `^`, `<=`, `in`, …) work as on any set and cost one operation on
    integers; iteration is in index order and goes byte by byte. There is no limit to the size.

    >>> CellSet.of([5, 3]) | CellSet.of([64])
    CellSet.of([3, 5, 64])
    """

    __slots__ = ("_mask",)
    _mask: int

    def __init__(self, mask: int = 0) -> None:
        """The set of the bits of `mask`, an integer from 0."""
        if mask < 0:
            raise InvalidValueError(f"the mask of a set of cells is an integer from 0, not {mask}")
        self._mask = mask

    @classmethod
    def of(cls, cells: Iterable[int]) -> "CellSet":
        """The set of some cells."""
        if type(cells) is CellSet:  # isinstance() asks an abstract class, which takes longer than all the rest
            return cells
        try:
            listed = sorted(cells)
            if not listed:
                return cls(0)
            if listed[0] < 0:
                raise InvalidValueError(f"a cell is an index from 0, not {listed[0]}")
            buffer = bytearray((listed[-1] >> 3) + 1)
            for cell in listed:
                buffer[cell >> 3] |= 1 << (cell & 7)
        except TypeError:
            raise InvalidValueError("a set of cells is made of integers from 0 (Grid.cell makes them)") from None
        return cls(int.from_bytes(buffer, "little"))

    @classmethod
    def _from_iterable(cls, cells: Iterable[int]) -> "CellSet":  # type: ignore[override]  # cells only
        """How `Set` makes the result of an operator whose left side is another kind of set."""
        return cls.of(cells)

    @classmethod
    def where(cls, marks: bytes | bytearray) -> "CellSet":
        """The set of the indices at which `marks`, one byte a cell, is not 0."""
        # int() reads a string of 0 and 1 in base 2 at once; its first digit is the highest cell.
        digits = bytes(marks).translate(_TO_DIGITS)[::-1]
        return cls(int(digits, 2) if digits else 0)

    def marks(self, size: int) -> bytes:
        r"""One byte a cell for `size` cells, 1 where the set has it: what `where` takes. No member from `size` on.

        >>> CellSet.of([0, 3]).marks(5)
        b'\x01\x00\x00\x01\x00'
        """
        # In base 2 an integer is its own list of bits, the highest first.
        return f"{self._mask:0{size}b}".encode().translate(_FROM_DIGITS)[::-1]

    @property
    def mask(self) -> int:
        """The set as an integer: bit *i* is cell *i*."""
        return self._mask

    def __contains__(self, cell: object) -> bool:
        return isinstance(cell, int) and cell >= 0 and bool(self._mask >> cell & 1)

    def __iter__(self) -> Iterator[Cell]:
        mask = self._mask
        if mask.bit_count() <= _FEW:
            while mask:
                lowest = mask & -mask
                yield Cell(lowest.bit_length() - 1)
                mask ^= lowest
            return
        for index, byte in enumerate(mask.to_bytes((mask.bit_length() + 7) // 8, "little")):
            if byte:
                base = index << 3
                for bit in _BITS[byte]:
                    yield Cell(base + bit)

    def __len__(self) -> int:
        return self._mask.bit_count()

    def __bool__(self) -> bool:
        return self._mask != 0

    def __eq__(self, other: object) -> bool:
        if isinstance(other, CellSet):
            return self._mask == other.mask
        return super().__eq__(other)

    def __hash__(self) -> int:
        return self._hash()  # as frozenset does, for it may be equal to one

    def __le__(self, other: AbstractSet[object]) -> bool:
        if isinstance(other, CellSet):
            return self._mask & ~other.mask == 0
        return super().__le__(other)

    def __and__(self, other: Iterable[object]) -> "CellSet":
        return CellSet(self._mask & _mask_of(other))

    def __or__(self, other: Iterable[int]) -> "CellSet":  # type: ignore[override]  # cells only
        return CellSet(self._mask | CellSet.of(other).mask)

    def __sub__(self, other: Iterable[object]) -> "CellSet":
        return CellSet(self._mask & ~_mask_of(other))

    def __xor__(self, other: Iterable[int]) -> "CellSet":  # type: ignore[override]  # cells only
        return CellSet(self._mask ^ CellSet.of(other).mask)

    def isdisjoint(self, other: Iterable[object]) -> bool:
        """True if the two have no cell in common."""
        return self._mask & _mask_of(other) == 0

    def __reduce__(self) -> tuple[type["CellSet"], tuple[int]]:
        return (CellSet, (self._mask,))

    def __repr__(self) -> str:
        return f"CellSet.of({list(self)})"


_FROM_DIGITS: Final = bytes(1 if code == ord("1") else 0 for code in range(256))
_TO_DIGITS: Final = bytes([48]) + bytes([49]) * 255


def _mask_of(other: Iterable[object]) -> int:
    if isinstance(other, CellSet):
        return other.mask
    # Whatever cannot be a cell is in no set of cells, and so counts for nothing.
    return CellSet.of(cell for cell in other if isinstance(cell, int) and cell >= 0).mask
