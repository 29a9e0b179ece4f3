"""Boards with answers known beforehand, and the plainest way to answer small ones: every layout there is."""

import itertools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sapper.core.grid import PLANE, TORUS, Grid, Topology
from sapper.core.rng import Rng

DATA = Path(__file__).parent / "data"
CENSUS_FILES = sorted(path.stem for path in (DATA / "census").glob("*.jsonl"))

_TILES = str.maketrans({"#": "9", ".": "0", "F": ":"})  # the character after 9: a flag's code is 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """A board of `tests/data/census`, with its answers."""

    name: str
    width: int
    height: int
    mines: int
    tiles: bytes
    census: int
    safe: tuple[int, ...]
    mined: tuple[int, ...]
    chances: dict[int, float]
    """P(mine) of each covered cell."""

    @property
    def grid(self) -> Grid:
        return Grid(self.width, self.height)


def tiles_of(rows: Sequence[str]) -> bytes:
    """Tile codes of a board's rows."""
    return bytes(ord(symbol) - ord("0") for row in rows for symbol in row.translate(_TILES))


def positions(file: str) -> list[Position]:
    """The boards of one census file."""
    found = []
    for line in (DATA / "census" / f"{file}.jsonl").read_text(encoding="ascii").splitlines():
        entry = json.loads(line)
        tiles = tiles_of(entry["rows"])
        covered = [cell for cell, tile in enumerate(tiles) if tile == 9]
        found.append(
            Position(
                name=entry["id"],
                width=entry["width"],
                height=entry["height"],
                mines=entry["mines"],
                tiles=tiles,
                census=int(entry["census"]),
                safe=tuple(entry["safe"]),
                mined=tuple(entry["mined"]),
                chances=dict(zip(covered, entry["mine"], strict=True)),
            )
        )
    return found


def layouts_of(
    tiles: bytes, grid: Grid, mine_count: int | None, *, trust_flags: bool = False, clues: Sequence[int] | None = None
) -> list[set[int]]:
    """Every set of covered cells that can be the mines, by trying all; with any number of mines for None.

    Only the `clues` at the given cells count, where they are given.
    """
    known = {cell for cell, tile in enumerate(tiles) if tile in (12, 13) or (trust_flags and tile == 10)}
    unknown = [cell for cell, tile in enumerate(tiles) if tile in (9, 11) or (tile == 10 and not trust_flags)]
    read = [cell for cell, tile in enumerate(tiles) if tile <= 8 and (clues is None or cell in clues)]
    sizes = range(len(unknown) + 1) if mine_count is None else [mine_count - len(known)]
    return [
        set(chosen)
        for size in sizes
        if size >= 0
        for chosen in itertools.combinations(unknown, size)
        if all(tiles[cell] == sum(n in known or n in chosen for n in grid.neighbours(cell)) for cell in read)
    ]


def some_board(seed: int, *, most: int = 12, topology: Topology | None = None) -> tuple[bytes, Grid, int]:
    """A small board that some layout fits, with at most so many covered cells; its grid and its number of mines.

    Flags (right and wrong ones), question marks, mines that are shown and wrong flags occur.
    """
    rng = Rng(seed)
    grid = Grid(2 + rng.below(5), 2 + rng.below(5), topology or (PLANE if rng.below(2) else TORUS))
    mined = rng.sample(grid.size, rng.below(1 + min(grid.size // 2, 7)))
    covered = mined | rng.sample(grid.size, rng.below(min(grid.size, most - len(mined)) + 1))
    tiles = bytearray(grid.size)
    for cell in range(grid.size):
        if cell in covered:
            tiles[cell] = (9, 9, 9, 9, 10, 11, 9, 13 if cell in mined else 9)[rng.below(8)]
        elif rng.below(12):
            tiles[cell] = sum(other in mined for other in grid.neighbours(cell))
        else:
            tiles[cell] = 14
    return bytes(tiles), grid, len(mined)
