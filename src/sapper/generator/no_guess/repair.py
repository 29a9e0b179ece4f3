"""Repair: where logic ends, mines are moved about until it goes on.

A layout is generated and played out by logic. While a guess is needed, a mine near where logic ended changes
places with a safe cell; the change stays if logic, from the first cell on, then gets as far as before or
further. After too many changes in vain the next layout is generated. The clues seen change with the mines, so
nothing is kept from one attempt to the next, and what is found is proven from the first cell on like any other.

The bias: such layouts are near to uniform ones, not uniform. A mine is moved only where a guess was needed, and
away from where it made one: what logic cannot get through (enclosed corners, walls of mines) is rarer, and
some layouts are reached from many, others from few. docs/generator.md has measurements.
"""

from dataclasses import replace

from sapper._kernels import batch
from sapper._kernels.batch import EXACT, SOLVED, Playout, Search, Wanted, has_wanted
from sapper.core.cells import CellSet
from sapper.core.grid import Grid
from sapper.core.rng import Rng
from sapper.core.rules import Start
from sapper.core.tile import Tile
from sapper.errors import LayoutNotFoundError
from sapper.game.layout import Layout
from sapper.generator.layout_spec import LayoutSpec
from sapper.generator.no_guess.prove import attempt, prove
from sapper.generator.search_values import START_NUMBERS, Budget, GeneratedLayout, SearchStats, field_of, wanted_numbers
from sapper.generator.uniform import kept_free, place_mines
from sapper.solver.deduce.step import Technique

_PATIENCE = 400
"""Changes in vain, one after the other, after which the next layout is generated."""


def repair(spec: LayoutSpec, seed: int, *, budget: Budget, stats: SearchStats) -> GeneratedLayout:
    """The layout that a spec and a seed name, by repair; every layout played out counts as a try."""
    if spec.start is Start.ANY:  # the first cell must be safe all the same
        spec = replace(spec, start=Start.SAFE) if spec.mine_count < spec.grid.size else spec
    begin = stats.tried
    drawn = 0
    player = LayoutPlayer(spec, seed)
    while True:
        rng = Rng(seed).split(drawn)
        drawn += 1
        layout = place_mines(spec.grid, spec.mine_count, rng, start=spec.start, first=spec.first)
        now = player.play(layout)
        stats.tried += 1
        vain = 0
        while True:
            stats.furthest = max(stats.furthest, now.revealed)
            if now.status == SOLVED:
                stats.measured += player.has_numbers(layout)
                certificate = prove(layout, spec.first, spec.up_to)
                assert certificate is not None  # it was opened by no more than that
                stats.solved += 1
                if player.has_numbers(layout) and certificate.difficulty in spec.difficulty:
                    return GeneratedLayout(
                        layout=layout, first=spec.first, certificate=certificate, tries=stats.tried - begin
                    )
                break
            changed = player.change(layout, now, rng) if vain < _PATIENCE else None
            if changed is None:
                break
            if not budget.batch(stats.tried - begin, 1):
                raise LayoutNotFoundError(stats.told(spec), tries=stats.tried - begin)
            then = player.play(changed)
            stats.tried += 1
            vain = 0 if then.revealed > now.revealed else vain + 1
            if then.revealed >= now.revealed:
                layout, now = changed, then
        if not budget.batch(stats.tried - begin, 1):
            raise LayoutNotFoundError(stats.told(spec), tries=stats.tried - begin)


class LayoutPlayer:
    """Plays layouts out, and changes them."""

    def __init__(self, spec: LayoutSpec, seed: int) -> None:
        self._spec = spec
        self._grid: Grid = spec.grid
        self._free = CellSet.of({spec.first, *kept_free(spec.grid, spec.start, spec.first)})
        self._order = Search(
            field=field_of(spec.grid),
            mines=spec.mine_count,
            start=START_NUMBERS[spec.start],
            first=spec.first,
            logic=EXACT,
            wanted=Wanted(),
            seed=seed,
        )
        self._searcher = batch.searcher(self._order)

    def has_numbers(self, layout: Layout) -> bool:
        return has_wanted(self._order.field, layout.clues, wanted_numbers(self._spec))

    def play(self, layout: Layout) -> Playout:
        if self._spec.up_to < Technique.CASES:
            tried_out = attempt(layout, self._spec.first, self._spec.up_to)
            tiles = tried_out.tiles
            return Playout(SOLVED if tried_out.certificate else 0, tiles, bytes(len(tiles)))
        return self._searcher.play_out(layout.clues)

    def change(self, layout: Layout, now: Playout, rng: Rng) -> Layout | None:
        """A mine and a safe cell change places, one of them where logic ended; None if there are no two such cells.

        The other is mostly near there too, among cells that nothing is known of; sometimes it is anywhere, so
        that the last pocket of a board can be mended as well.
        """
        tiles, grid = now.tiles, self._grid
        open_cells = [cell for cell, tile in enumerate(tiles) if tile == Tile.COVERED and not now.certain[cell]]
        frontier = [cell for cell in open_cells if any(tiles[near] < Tile.COVERED for near in grid.neighbours(cell))]
        if not open_cells:
            return None
        one = rng.choice(frontier or open_cells)
        is_mine = layout.is_mine(one)
        others = [cell for cell in open_cells if layout.is_mine(cell) != is_mine]
        if not others or rng.below(4) == 0:
            anywhere = layout.mines if not is_mine else CellSet.of(range(grid.size)) - layout.mines - self._free
            others = list(anywhere)
        if not others or one in self._free:
            return None
        other = rng.choice(others)
        return Layout(grid, layout.mines ^ CellSet.of((one, other)))
