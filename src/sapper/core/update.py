"""The changes that a move made: one value that is returned, logged, sent and redrawn."""

from collections.abc import Iterator
from dataclasses import dataclass

from sapper.core.cells import Cell
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.errors import InvalidValueError

_TILES = tuple(Tile)


@dataclass(frozen=True, slots=True)
class Update:
    """The cells that changed, as sorted runs `(first cell, their tiles, one byte each)`, and the status.

    Runs keep it small: ten million cells opened at once are one run of ten megabytes.
    """

    runs: tuple[tuple[Cell, bytes], ...]
    status: Status

    def __post_init__(self) -> None:
        end = 0
        for start, tiles in self.runs:
            if start < end or not tiles:
                raise InvalidValueError(
                    f"the runs of an update are sorted, apart and not empty; the one at {start} is not"
                )
            end = start + len(tiles)

    @classmethod
    def nothing(cls, status: Status) -> "Update":
        """The update of a move that changed nothing."""
        return cls((), status)

    @property
    def is_empty(self) -> bool:
        """True if no cell changed (the status may have)."""
        return not self.runs

    def __len__(self) -> int:
        """How many cells changed."""
        return sum(len(tiles) for _, tiles in self.runs)

    def __bool__(self) -> bool:
        """Always true: an update with no cells is still an update; ask `is_empty`."""
        return True

    def cells(self) -> Iterator[tuple[Cell, Tile]]:
        """The changed cells with their new tiles, in index order."""
        for start, tiles in self.runs:
            for cell, code in enumerate(tiles, start):
                yield Cell(cell), _TILES[code]
