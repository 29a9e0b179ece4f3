"""A layout generated from all that are consistent with a board, every one exactly as likely.

The analysis says how many layouts there are by how the mines are shared out among components and interior; so
many mines are chosen for each, then the layout of each component by going through its groups and back. All
weights are whole numbers, and so is what is drawn below them.
"""

from collections.abc import Sequence
from math import comb

from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.rng import Rng
from sapper.core.tile import Tile
from sapper.game.layout import Layout
from sapper.solver.analysis import DEFAULT_CAP, Analysis, analyse, with_conditions

_NONE = CellSet()


def sample_layout(
    board: Board, rng: Rng, *, mined: CellSet = _NONE, safe: CellSet = _NONE, cap: int = DEFAULT_CAP
) -> Layout:
    """Draw a layout that agrees with a board, every one as likely; flags count for nothing.

    `mined` and `safe` are covered cells that must be mines, or must not be.

    Raises:
        CellError: a condition on a cell that is not covered, or two that contradict each other.
        ContradictionError: no layout agrees with the board and the conditions.
        TooHardError: the board takes more than `cap` states.

    """
    conditioned = with_conditions(board, mined=mined, safe=safe)
    return sample_analysed(conditioned, analyse(conditioned, cap=cap), rng)


def sample_analysed(board: Board, analysis: Analysis, rng: Rng) -> Layout:
    """The same for a board that is analysed already."""
    mines = {cell for cell, tile in enumerate(board.tiles) if tile in (Tile.MINE, Tile.EXPLODED)}
    inside = [cell for group in analysis.groups if group.component < 0 for cell in group.cells]
    grouped = {cell for group in analysis.groups for cell in group.cells}
    mines.update(cell for cell in analysis.mined if cell not in grouped)
    shares = _shares(analysis, len(inside), rng)
    for number, share in enumerate(shares):
        mines |= _component(analysis, number, share, rng)
    left = analysis.mines_left - sum(shares)
    mines.update(inside[place] for place in rng.sample(len(inside), left))
    return Layout(board.grid, CellSet.of(mines))


def below(rng: Rng, bound: int) -> int:
    """A number from 0 to `bound` - 1, each exactly as likely, however large the bound is."""
    if bound <= 1 << 64:
        return rng.below(bound)
    bits = (bound - 1).bit_length()
    words = -(-bits // 64)
    while True:
        number = 0
        for _ in range(words):
            number = number << 64 | rng.next()
        number >>= 64 * words - bits
        if number < bound:
            return number


def _choose(rng: Rng, weights: Sequence[int]) -> int:
    """A place in `weights`, each as likely as its weight says."""
    number = below(rng, sum(weights))
    for place, weight in enumerate(weights):
        if number < weight:
            return place
        number -= weight
    raise AssertionError("a number below the sum of the weights")


def _shares(analysis: Analysis, interior: int, rng: Rng) -> list[int]:
    """How many mines each component has; the interior has the rest."""
    components = analysis.components
    left = analysis.mines_left - sum(component.least for component in components)
    # after[i][m]: the ways in which components from i on have m mines together, above their least.
    after: list[list[int]] = [[1]]
    for component in reversed(components):
        before = after[-1]
        product = [0] * (len(before) + len(component.ways) - 1)
        for above, count in enumerate(component.ways):
            for mines, ways in enumerate(before):
                product[above + mines] += count * ways
        after.append(product)
    after.reverse()
    total = _choose(
        rng, [ways * comb(interior, left - used) if used <= left else 0 for used, ways in enumerate(after[0])]
    )
    shares: list[int] = []
    for component, rest in zip(components, after[1:], strict=True):
        weights = [
            count * rest[total - above] if 0 <= total - above < len(rest) else 0
            for above, count in enumerate(component.ways)
        ]
        above = _choose(rng, weights)
        shares.append(component.least + above)
        total -= above
    return shares


def _component(analysis: Analysis, number: int, mine_count: int, rng: Rng) -> set[Cell]:
    """The mines of one component, `mines` of them, every layout of it as likely."""
    component = analysis.components[number]
    groups = [analysis.groups[group] for group in component.groups]
    place = {clue: index for index, clue in enumerate(component.clues)}
    touched = [[place[clue] for clue in group.clues] for group in groups]
    room = [0] * len(component.clues)
    for group, clues in zip(groups, touched, strict=True):
        for clue in clues:
            room[clue] += len(group.cells)
    # Forward: what the clues still need and the mines so far, with the ways to get there.
    layers: list[dict[tuple[tuple[int, ...], int], int]] = [{(component.needs, 0): 1}]
    for group, clues in zip(groups, touched, strict=True):
        size = len(group.cells)
        for clue in clues:
            room[clue] -= size
        after: dict[tuple[tuple[int, ...], int], int] = {}
        for (needs, so_far), ways in layers[-1].items():
            for count in range(min(size, mine_count - so_far) + 1):
                left = list(needs)
                for clue in clues:
                    left[clue] -= count
                if all(0 <= left[clue] <= room[clue] for clue in clues):
                    key = (tuple(left), so_far + count)
                    after[key] = after.get(key, 0) + ways * comb(size, count)
        layers.append(after)
    # Back: from the end, a way to have got there.
    drawn: set[Cell] = set()
    needs, so_far = tuple([0] * len(component.clues)), mine_count
    for index in range(len(groups) - 1, -1, -1):
        cells, before = groups[index].cells, layers[index]
        ways_back, keys = [], []
        for count in range(len(cells) + 1):
            more = list(needs)
            for clue in touched[index]:
                more[clue] += count
            key = (tuple(more), so_far - count)
            keys.append(key)
            ways_back.append(before.get(key, 0) * comb(len(cells), count))
        count = _choose(rng, ways_back)
        needs, so_far = keys[count]
        drawn.update(Cell(cells[one]) for one in rng.sample(len(cells), count))
    return drawn
