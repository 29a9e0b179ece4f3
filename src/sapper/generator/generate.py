"""Finding a layout with wanted properties, by whichever method suits it.

Try i generates the layout of child i of the seed; the first that has everything is the answer. So a seed and
a spec name one layout, whichever backend searches and however the tries are batched.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from math import comb

from sapper._kernels import batch
from sapper._kernels.batch import EXACT, NO_LOGIC, ONE_CLUE, Search, has_wanted
from sapper.core.arguments import check_type
from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.rng import Rng
from sapper.core.rules import Promise
from sapper.core.words import counted
from sapper.errors import LayoutNotFoundError, NoSuchLayoutError
from sapper.game.layout import Layout
from sapper.game.uncopyable import Uncopyable
from sapper.generator.layout_spec import ANYTHING, MOST_ENUMERATED, LayoutSpec, Method, layouts_in_all
from sapper.generator.no_guess.pack import pack
from sapper.generator.no_guess.prove import prove
from sapper.generator.no_guess.repair import repair
from sapper.generator.search_values import (
    START_NUMBERS,
    UNLIMITED,
    Budget,
    GeneratedLayout,
    SearchStats,
    field_of,
    wanted_numbers,
)
from sapper.generator.uniform import kept_free
from sapper.solver.deduce.step import Technique

_TRIES_BEFORE = 200
"""Tries that are made before that: more likely than not one of them will do."""
_BATCH_CELLS = 400_000


def generate_layout(
    spec: LayoutSpec, seed: int, *, budget: Budget = UNLIMITED, stats: SearchStats | None = None
) -> GeneratedLayout:
    """The layout that a spec and a seed name.

    `stats` is counted on, for who wants to know how rare such layouts are.

    Raises:
        LayoutNotFoundError: the budget was spent.
        NoSuchLayoutError: there is no such layout; this is found out where there are few layouts in all.
        InvalidValueError: the seed is not 0 to 2**64 - 1.

    """
    check_type("spec", spec, LayoutSpec)
    check_type("seed", seed, int)
    stats = SearchStats() if stats is None else stats
    if spec.method is Method.REPAIR:
        return repair(spec, seed, budget=budget, stats=stats)
    if spec.method is Method.PACK:
        return pack(spec, seed, budget=budget, stats=stats)
    searcher = batch.searcher(_order(spec, Rng(seed).seed))
    begin = stats.tried
    while True:
        tried = stats.tried - begin
        in_all = layouts_in_all(spec.grid, spec.mine_count, spec.start, spec.first)
        if tried >= _TRIES_BEFORE and in_all <= MOST_ENUMERATED:
            return _among_all(spec, seed, tried)
        size = spec.grid.size
        size_of_batch = max(1, min(_BATCH_CELLS // size, tried + 16))
        if tried < _TRIES_BEFORE:
            size_of_batch = min(size_of_batch, _TRIES_BEFORE - tried)
        tries = budget.batch(tried, size_of_batch)
        if not tries:
            raise LayoutNotFoundError(stats.told(spec), tries=tried)
        searched = searcher.search(tried, tries)
        stats.tried += searched.tried
        stats.measured += searched.measured
        stats.hard += searched.hard
        stats.furthest = max(stats.furthest, searched.furthest)
        if searched.found >= 0:
            found = _accept(spec, Layout(spec.grid, CellSet.where(searched.mines)), stats, stats.tried - begin)
            if found is not None:
                return found


def uniform_layouts(spec: LayoutSpec, seed: int, begin: int, count: int) -> Iterator[Layout]:
    """The uniform layouts of games `begin`, `begin` + 1, … of a run with that seed, wanted properties left aside.

    They are the layouts of `new_game` with the children of the seed.
    """
    size = spec.grid.size
    maps = batch.draw_many(
        field_of(spec.grid), spec.mine_count, START_NUMBERS[spec.start], spec.first, Rng(seed).seed, begin, count
    )
    for at in range(0, len(maps), size):
        yield Layout(spec.grid, CellSet.where(maps[at : at + size]))


def _order(spec: LayoutSpec, seed: int) -> Search:
    logic = NO_LOGIC
    if spec.no_guess:
        logic = ONE_CLUE if spec.up_to is Technique.ONE_CLUE else EXACT
    return Search(
        field=field_of(spec.grid),
        mines=spec.mine_count,
        start=START_NUMBERS[spec.start],
        first=spec.first,
        logic=logic,
        wanted=wanted_numbers(spec),
        seed=seed,
    )


def _accept(spec: LayoutSpec, layout: Layout, stats: SearchStats, tries: int) -> GeneratedLayout | None:
    """The layout with its proof, if that is as easy and as hard as it should be."""
    certificate = None
    if spec.no_guess:
        certificate = prove(layout, spec.first, spec.up_to)
        if certificate is None:
            return None
        stats.solved += 1
        if spec.difficulty != ANYTHING and certificate.difficulty not in spec.difficulty:
            return None
    return GeneratedLayout(layout=layout, first=spec.first, certificate=certificate, tries=tries)


def _among_all(spec: LayoutSpec, seed: int, tried: int) -> GeneratedLayout:
    """One of all layouts that will do, every one as likely; `NoSuchLayoutError` if there is none.

    `tried`: the tries of this spec and seed before, which the choice depends on.
    """
    free = set(kept_free(spec.grid, spec.start, spec.first))
    room = [cell for cell in range(spec.grid.size) if cell not in free]
    field, wanted = field_of(spec.grid), wanted_numbers(spec)
    unread = SearchStats()
    good = []
    for mines in combinations(room, spec.mine_count):
        layout = Layout(spec.grid, CellSet.of(mines))
        if has_wanted(field, layout.clues, wanted):
            found = _accept(spec, layout, unread, tried)
            if found is not None:
                good.append(found)
    if not good:
        raise NoSuchLayoutError(
            f"no layout exists with {spec.properties}: all {comb(len(room), spec.mine_count):,} layouts of {counted(spec.mine_count, 'mine')} on "
            f"{spec.grid.width}x{spec.grid.height} cells were tried"
        )
    return Rng(seed).split(tried).choice(good)


class SpecSource(Uncopyable):
    """Finds the layout at the first reveal: the spec's own first cell does not count, that one does.

    `generate` raises what `generate_layout` raises, and `LayoutError` where the start rule cannot be kept; the game is then
    as it was before. The layout is a function of seed and first cell alone.
    """

    __slots__ = ("_budget", "_seed", "_spec", "grid", "is_fixed", "mine_count", "promise", "safe_first")

    def __init__(self, spec: LayoutSpec, seed: int, *, budget: Budget = UNLIMITED) -> None:
        self._spec = spec
        self._seed = Rng(seed).seed
        self._budget = budget
        self.grid = spec.grid
        self.mine_count = spec.mine_count
        self.is_fixed = True
        # A layout without guesses is made for the cell that is revealed first, whichever that is.
        self.safe_first = CellSet((1 << spec.grid.size) - 1) if spec.no_guess else None
        self.promise = Promise.NO_GUESS if spec.no_guess else None

    def start(self) -> Layout | None:
        return None  # the layout depends on the first cell

    def generate(self, board: Board, cell: Cell) -> Layout:
        """The layout of this seed for a game whose first reveal is `cell`."""
        return generate_layout(replace(self._spec, first=cell), self._seed, budget=self._budget).layout
