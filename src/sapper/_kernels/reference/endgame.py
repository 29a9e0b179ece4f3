"""The exact chance to win, while few layouts are left: a search over what can still be known.

A position is the set of layouts that fit what is seen; nothing else matters. Which cells are revealed follows from
it: every cell that is safe in all of them may as well be, since that costs nothing and can only tell more. A guess
loses the layouts that have a mine there, and splits the others by the clue that is seen. With one layout left the
game is won. So, counting layouts instead of chances,

    wins(S) = 1                                               if S has one layout
    wins(S) = sum of wins(S_v) over the clues v of a safe cell, if that cell splits S
    wins(S) = max over cells of the sum of wins(S_v)          else

and the chance to win is wins(S) / |S|. How far a zero's cascade spreads makes no difference: its neighbours are safe.

The search keeps a table of positions, and leaves out what cannot change the result: cells that split alike
(*equal*), cells that show the same clue wherever they are safe (*dead*: who guesses one may as well guess
it last, so none is tried while another cell is left), moves whose bound does not reach the best so far. Sets are
ints, a bit a layout. A board is first split into regions (`layouts`), whose chances multiply, and symmetric first moves
are searched once.

A search that runs out of nodes or memory ends with bounds: what the best line found wins, and what no line can exceed.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil, prod
from typing import NamedTuple

from sapper._kernels.reference.analysis import Analysed
from sapper._kernels.reference.layouts import Region, layouts_of_region, regions_of
from sapper._kernels.reference.search import START_ANY, START_OPEN, START_SAFE

MOST_LAYOUTS = 2_000
"""Layouts of a region that are searched unless told otherwise."""
NODES = 50_000
"""Positions that a search may take unless told otherwise: about two seconds."""
MEMORY = 256 << 20
"""Bytes that its table may take."""

_ENTRY = 120
"""Bytes of an entry of the table, beside the set itself."""


class EndgameMove(NamedTuple):
    """A first move: of `layouts` it survives `safe`, and best play after it wins at least `low` and at most `high`.

    `layouts` are those of the region; where the first reveal is protected, those that the start rule allows for this cell.
    """

    cell: int
    layouts: int
    safe: int
    low: int
    high: int


class EndgameRegion(NamedTuple):
    """A region: best play wins between `low` and `high` of its layouts; `moves` are its uncertain cells, ascending.

    `is_searched` is False where it has too many layouts: then there are no moves, and the bounds are 1 and all.
    """

    cells: tuple[int, ...]
    layouts: int
    is_searched: bool
    low: int
    high: int
    moves: tuple[EndgameMove, ...]


class Endgame(NamedTuple):
    """The result of a search: the regions of a board, and the number of positions that were searched.

    The board is won in `low` to `high` of its `layouts`. With no region the layout is known.
    """

    layouts: int
    low: int
    high: int
    regions: tuple[EndgameRegion, ...]
    nodes: int


class EndgameSearch:
    """The positions of one region. `cells` are the cells of the local numbers, in which everything is said here."""

    def __init__(self, layouts: Sequence[int], cells: Sequence[int], near: Sequence[Sequence[int]], mined: int) -> None:
        """`layouts` with a bit a mine; cells that may be revealed; the `near` cells of each; the cells `mined` in some layout."""
        self.whole = (1 << len(layouts)) - 1
        self.columns: dict[int, int] = {}
        """For each cell that can be a mine: the layouts in which it is one."""
        for cell in (bit for bit in range(mined.bit_length()) if mined >> bit & 1):
            text = "".join(["1" if layout >> cell & 1 else "0" for layout in layouts])
            self.columns[cell] = int(text[::-1], 2)
        self.parts: dict[int, tuple[int, ...]] = {}
        """For each cell that can tell something: the layouts in which it is safe, by its clue."""
        for cell, around in zip(cells, near, strict=True):
            by_clue = [self.whole & ~self.columns.get(cell, 0)]
            for other in around:
                mine = self.columns.get(other)
                if mine is not None:
                    by_clue = [
                        (some & ~mine) | (fewer & mine)
                        for some, fewer in zip([*by_clue, 0], [0, *by_clue], strict=True)
                    ]
            self.parts[cell] = tuple([some for some in by_clue if some])
        self.exact: dict[int, int] = {}
        self.upper: dict[int, int] = {}
        self.nodes = 0
        self.most_nodes = NODES
        self.most_entries = 0

    def limit(self, nodes: int, memory: int) -> None:
        """Allow so many more positions, and so many bytes."""
        self.most_nodes = self.nodes + nodes
        self.most_entries = memory // (_ENTRY + self.whole.bit_length() // 8)

    @property
    def is_spent(self) -> bool:
        return self.nodes >= self.most_nodes or len(self.exact) + len(self.upper) >= self.most_entries

    def after(self, layouts: int, cell: int) -> tuple[int, int]:
        """Bounds of how many of these layouts are won after a reveal of the cell."""
        parts = [some for some in [layouts & one for one in self.parts[cell]] if some]
        cells = list(self.parts)
        bounds = [self.wins(some, cells, -1) for some in sorted(parts, key=int.bit_count)]
        return sum(low for low, _ in bounds), sum(high for _, high in bounds)

    def wins(self, layouts: int, cells: list[int], enough: int) -> tuple[int, int]:
        """Bounds of how many of these layouts best play wins; equal, unless that is at most `enough`, or the limit is reached.

        `cells` are those that can tell something.
        """
        count = layouts.bit_count()
        if count == 1:
            return 1, 1
        known = self.exact.get(layouts)
        if known is not None:
            return known, known
        bound = self.upper.get(layouts, count)
        if bound <= enough:
            return 1, bound
        self.nodes += 1
        safe, living = self.split(layouts, count, cells)
        if len(safe) > 1:
            low, high = self._sum(safe, [cell for cell, _, _ in living], enough)
        else:
            low, high = self._best(living, enough)
        if low == high:
            self.exact[layouts] = low
        elif high < bound:
            self.upper[layouts] = high
        return low, high

    def split(
        self, layouts: int, count: int, cells: list[int]
    ) -> tuple[list[int], list[tuple[int, int, tuple[int, ...]]]]:
        """The layouts as the safe cells split them, and the cells that are left: number, layouts survived, parts."""
        pieces = [layouts]
        living = []
        for cell in cells:
            parts = [some for some in [layouts & one for one in self.parts[cell]] if some]
            if not parts:
                continue
            survived = sum([some.bit_count() for some in parts])
            if survived < count:
                living.append((cell, survived, tuple(parts)))
            elif len(parts) > 1:
                pieces = [both for piece in pieces for part in parts if (both := piece & part)]
        return pieces, living

    def _sum(self, pieces: list[int], cells: list[int], enough: int) -> tuple[int, int]:
        """Bounds of what is won over some positions together."""
        pieces.sort(key=int.bit_count)
        bounds = [self._bound(piece) for piece in pieces]
        low, high = 0, sum(bounds)
        for piece, bound in zip(pieces, bounds, strict=True):
            if high <= enough:
                return max(low, 1), high  # every piece that is left wins one more
            least, most = self.wins(piece, cells, enough - (high - bound))
            low += least
            high += most - bound
        return low, high

    def _bound(self, layouts: int) -> int:
        known = self.exact.get(layouts)
        return known if known is not None else self.upper.get(layouts, layouts.bit_count())

    def _best(self, living: list[tuple[int, int, tuple[int, ...]]], enough: int) -> tuple[int, int]:
        """Bounds of the best guess."""
        telling = {parts: survived for _, survived, parts in living if len(parts) > 1}  # equal cells once
        if not telling:  # all are dead: no clue will ever tell, one layout is all that can be hoped for
            return 1, 1
        cells = [cell for cell, _, _ in living]
        low, high = 1, 1
        has_tried = False
        for parts, survived in sorted(telling.items(), key=lambda item: (item[1], len(item[0])), reverse=True):
            if survived <= max(low, enough) or (has_tried and self.is_spent):  # as do all that follow
                high = max(high, survived)
                break
            least, most = self._sum(list(parts), cells, max(low, enough))
            low = max(low, least)
            high = max(high, most)
            has_tried = True
        return low, high


def solve_endgame(
    found: Analysed,
    starts: Sequence[int],
    cells: Sequence[int],
    *,
    start: int = START_ANY,
    symmetries: Callable[[], Sequence[Sequence[int]]] = tuple,
    most_layouts: int = MOST_LAYOUTS,
    nodes: int = NODES,
    memory: int = MEMORY,
    search_region: Callable[[Region, int], tuple[EndgameRegion, int] | None] | None = None,
) -> Endgame:
    """The chance to win an analysed board, and that of each first move. The neighbours of cell i are `cells[starts[i]:starts[i + 1]]`.

    `start` is the rule that the next reveal is made under: not `START_ANY` only where nothing is revealed yet. Regions
    of more than `most_layouts` are left out; `nodes` and `memory` (bytes) are for all together, the smallest region first.
    Of moves that `symmetries` (asked for permutations of the cells that leave the board as it is) make equal, one is searched.
    `search_region` is asked for a region first where `start` is `START_ANY`, with the nodes that are left; None: it cannot tell.
    """
    regions = regions_of(found, starts, cells)
    solved: dict[Region, EndgameRegion] = {}
    used = 0
    for region in sorted(regions, key=lambda one: one.layouts):
        if region.layouts > most_layouts or _is_wide(found, region, most_layouts):
            solved[region] = EndgameRegion(region.cells, region.layouts, False, 1, region.layouts, ())
            continue
        left = max(nodes - used, 1)
        if search_region is not None and start == START_ANY and (one := search_region(region, left)) is not None:
            solved[region], more = one
            used += more
            continue
        search = _search_of(found, region, starts, cells)
        roots = _FirstMoves(search, region, start, starts, cells)
        solved[region] = roots.searched(symmetries(), left, memory)
        used += search.nodes
    listed = tuple(solved[region] for region in regions)
    layouts = prod(one.layouts for one in listed)
    return Endgame(layouts, prod(one.low for one in listed), prod(one.high for one in listed), listed, used)


def symmetries_of(tiles: bytes, width: int, height: int) -> list[list[int]]:
    """The turns and reflections of a rectangle that leave a board as it is, as permutations of its cells; without the identity."""
    every = [list(range(y * width, (y + 1) * width)) for y in range(height)]
    upright = [every, every[::-1], [row[::-1] for row in every], [row[::-1] for row in every[::-1]]]
    turned = [[list(column) for column in zip(*one, strict=True)] for one in upright] if width == height else []
    flat = [[cell for row in one for cell in row] for one in (*upright[1:], *turned)]
    return [one for one in flat if bytes([tiles[cell] for cell in one]) == tiles]


def _is_wide(found: Analysed, region: Region, most_layouts: int) -> bool:
    """True if a component has far more layouts than the number of mines allows: listing them would take too long."""
    return any(sum(found.components[number].ways) > 50 * most_layouts for number in region.components)


def _search_of(found: Analysed, region: Region, starts: Sequence[int], cells: Sequence[int]) -> EndgameSearch:
    """The search of a region: its cells, and the safe ones beside them."""
    layouts = layouts_of_region(found, region)
    mined = sum(1 << cell for cell in region.cells)
    beside = {near for cell in region.cells for near in cells[starts[cell] : starts[cell + 1]]}
    useful = sorted({*region.cells, *(beside & set(found.safe))})
    return EndgameSearch(layouts, useful, [cells[starts[cell] : starts[cell + 1]] for cell in useful], mined)


class _FirstMoves:
    """The first moves of a region."""

    def __init__(
        self, search: EndgameSearch, region: Region, start: int, starts: Sequence[int], cells: Sequence[int]
    ) -> None:
        self._search = search
        self._region = region
        self._start = start
        self._near = {cell: cells[starts[cell] : starts[cell + 1]] for cell in region.cells}

    def _allowed(self, cell: int) -> int:
        """The layouts that a protected first reveal of a cell leaves: by the rule, or the nearest that can be kept."""
        columns, whole = self._search.columns, self._search.whole
        for rule in (START_OPEN, START_SAFE):
            if rule <= self._start:
                left = whole & ~columns[cell]
                for near in self._near[cell] if rule == START_OPEN else ():
                    left &= ~columns.get(near, 0)
                if left:
                    return left
        return whole

    def searched(self, symmetries: Sequence[Sequence[int]], nodes: int, memory: int) -> EndgameRegion:
        """The region: two thirds of the nodes go to its best play, the rest in equal shares to its moves."""
        search, region = self._search, self._region
        low = high = 0
        if self._start == START_ANY:
            search.limit(2 * nodes // 3, memory)
            low, high = search.wins(search.whole, list(search.parts), -1)
        todo: dict[int, list[int]] = {}
        for cell in region.cells:
            images = [one[cell] for one in symmetries if one[cell] in self._near]
            todo.setdefault(min([cell, *images]), []).append(cell)
        order = sorted(todo, key=lambda cell: (search.columns[cell].bit_count(), cell))
        moves = []
        for place, cell in enumerate(order):
            search.limit((nodes - search.nodes) // (len(order) - place), memory)
            allowed = self._allowed(cell)
            least, most = search.after(allowed, cell)
            safe = (allowed & ~search.columns[cell]).bit_count()
            moves += [EndgameMove(one, allowed.bit_count(), safe, least, most) for one in todo[cell]]
        if self._start != START_ANY:
            layouts, low, high = _best_of_shares(moves)
            return EndgameRegion(region.cells, layouts, True, low, high, tuple(sorted(moves)))
        low = max(low, *(move.low for move in moves))
        if high > low and len(search.split(search.whole, region.layouts, list(search.parts))[0]) == 1:
            high = min(high, max(move.high for move in moves))  # no safe cell tells anything: one of the moves is next
        return EndgameRegion(region.cells, region.layouts, True, low, high, tuple(sorted(moves)))


def _best_of_shares(moves: Sequence[EndgameMove]) -> tuple[int, int, int]:
    """Layouts, and bounds of those won, of the best move, where moves have different numbers of layouts."""
    best = max(moves, key=lambda move: Fraction(move.low, move.layouts))
    most = max(Fraction(move.high, move.layouts) for move in moves)
    return best.layouts, best.low, ceil(most * best.layouts)
