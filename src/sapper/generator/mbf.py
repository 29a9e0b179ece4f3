"""MBF, the *Minesweeper Board Format* of the rankings' programs: one layout in a few bytes.

Width and height in a byte each, the number of mines in two (the high one first), then the mines' x and y in a
byte each. It has no place for a first cell.
"""

from sapper.core.cells import CellSet
from sapper.core.grid import Grid
from sapper.core.words import counted, do_not
from sapper.errors import LayoutError, NotationError
from sapper.game.layout import Layout

HEADER = 4


def write_mbf(layout: Layout) -> bytes:
    """The bytes of a layout; `LayoutError` for one that they cannot say."""
    grid = layout.grid
    if not grid.is_plane or grid.width > 255 or grid.height > 255 or layout.mine_count > 0xFFFF:
        raise LayoutError(f"an MBF file holds a plane of at most 255x255 cells, not {grid}")
    pairs = (place for cell in layout.mines for place in grid.xy(cell))
    return bytes((grid.width, grid.height, *layout.mine_count.to_bytes(2), *pairs))


def read_mbf(data: bytes, *, source: str = "<bytes>") -> Layout:
    """The layout that the bytes describe; `NotationError`, with the offset, if they describe none."""
    if len(data) < HEADER:
        raise NotationError(f"an MBF file begins with {HEADER} bytes, not {len(data)}", source=source, offset=len(data))
    width, height, mines = data[0], data[1], int.from_bytes(data[2:HEADER])
    if not width or not height:
        raise NotationError(f"a board of {width}x{height} cells", source=source, offset=0 if not width else 1)
    if mines > width * height:
        raise NotationError(
            f"{counted(mines, 'mine')} {do_not(mines)} fit {width}x{height} cells", source=source, offset=2
        )
    end = HEADER + 2 * mines
    if len(data) != end:
        raise NotationError(
            f"{counted(mines, 'mine')} {'takes' if mines == 1 else 'take'} {end} bytes with the first {HEADER}; there are {len(data)}",
            source=source,
            offset=min(len(data), end),
        )
    grid = Grid(width, height)
    cells: set[int] = set()
    for offset in range(HEADER, end, 2):
        x, y = data[offset], data[offset + 1]
        if x >= width or y >= height:
            raise NotationError(
                f"a mine at ({x}, {y}) is off a board of {width}x{height}", source=source, offset=offset
            )
        if y * width + x in cells:
            raise NotationError(f"a second mine at ({x}, {y})", source=source, offset=offset)
        cells.add(y * width + x)
    return Layout(grid, CellSet.of(cells))
