"""Finding a layout with wanted properties: the one door to all the ways there are.

Try i draws the layout of child i of the seed; the first that has everything is the answer. So a seed and
a wish name one layout, whichever backend searches and however the tries are batched.

Knows: wishes, budgets, searches, proofs.
Does not know: where seeds come from, time, what becomes of the layout.
"""

from collections.abc import Iterator
from itertools import combinations
from math import comb

from sapper._kernels import batch
from sapper._kernels.batch import EXACT, NO_LOGIC, ONE_CLUE, Search, has_wanted
from sapper.core.cells import CellSet
from sapper.core.rng import Rng
from sapper.core.words import counted
from sapper.errors import LayoutNotFoundError, NoSuchLayoutError
from sapper.game.layout import Layout
from sapper.generator.budget import UNLIMITED, Budget
from sapper.generator.layout_spec import ANYTHING, MOST_ENUMERATED, LayoutSpec, Method, layouts_in_all
from sapper.generator.no_guess.pack import pack
from sapper.generator.no_guess.prove import prove
from sapper.generator.no_guess.repair import repair
from sapper.generator.search_values import START_NUMBERS, GeneratedLayout, SearchStats, field_of, wanted_numbers
from sapper.generator.uniform import kept_free
from sapper.solver.deduce.step import Technique

_TRIES_BEFORE = 200
"""Tries that are made before that: more likely than not one of them will do."""
_BATCH_CELLS = 400_000


def find_layout(
    wish: LayoutSpec,
    seed: int,
    *,
    budget: Budget = UNLIMITED,
    tally: SearchStats | None = None,
) -> GeneratedLayout:
    """The layout that a wish and a seed name.

    `tally` is counted on, for who wants to know how rare such layouts are.

    Raises:
        LayoutNotFoundError: the budget was spent.
        NoSuchLayoutError: there is no such layout; this is found out where there are few layouts in all.
        InvalidValueError: the seed is not 0 to 2**64 - 1.

    """
    tally = SearchStats() if tally is None else tally
    if wish.method is Method.REPAIR:
        return repair(wish, seed, budget=budget, tally=tally)
    if wish.method is Method.PACK:
        return pack(wish, seed, budget=budget, tally=tally)
    searcher = batch.searcher(_order(wish, Rng(seed).seed))
    begin = tally.tried
    while True:
        tried = tally.tried - begin
        in_all = layouts_in_all(wish.grid, wish.mines, wish.start, wish.first)
        if tried >= _TRIES_BEFORE and in_all <= MOST_ENUMERATED:
            return _among_all(wish, seed, tried)
        size = wish.grid.size
        size_of_batch = max(1, min(_BATCH_CELLS // size, tried + 16))
        if tried < _TRIES_BEFORE:
            size_of_batch = min(size_of_batch, _TRIES_BEFORE - tried)
        tries = budget.batch(tried, size_of_batch)
        if not tries:
            raise LayoutNotFoundError(tally.told(wish), tries=tried)
        searched = searcher.search(tried, tries)
        tally.tried += searched.tried
        tally.measured += searched.measured
        tally.hard += searched.hard
        tally.furthest = max(tally.furthest, searched.furthest)
        if searched.found >= 0:
            found = _accept(wish, Layout(wish.grid, CellSet.where(searched.mines)), tally, tally.tried - begin)
            if found is not None:
                return found


def draw_layouts(wish: LayoutSpec, seed: int, begin: int, count: int) -> Iterator[Layout]:
    """The uniform layouts of games `begin`, `begin` + 1, … of a run with that seed, wanted properties left aside.

    They are the layouts of `new_game` with the children of the seed.
    """
    size = wish.grid.size
    maps = batch.draw_many(
        field_of(wish.grid),
        wish.mines,
        START_NUMBERS[wish.start],
        wish.first,
        Rng(seed).seed,
        begin,
        count,
    )
    for at in range(0, len(maps), size):
        yield Layout(wish.grid, CellSet.where(maps[at : at + size]))


def _order(wish: LayoutSpec, seed: int) -> Search:
    logic = NO_LOGIC
    if wish.no_guess:
        logic = ONE_CLUE if wish.up_to is Technique.ONE_CLUE else EXACT
    return Search(
        field=field_of(wish.grid),
        mines=wish.mines,
        start=START_NUMBERS[wish.start],
        first=wish.first,
        logic=logic,
        wanted=wanted_numbers(wish),
        seed=seed,
    )


def _accept(wish: LayoutSpec, layout: Layout, tally: SearchStats, tries: int) -> GeneratedLayout | None:
    """The layout with its proof, if that is as easy and as hard as it should be."""
    certificate = None
    if wish.no_guess:
        certificate = prove(layout, wish.first, wish.up_to)
        if certificate is None:
            return None
        tally.solved += 1
        if wish.difficulty != ANYTHING and certificate.difficulty not in wish.difficulty:
            return None
    return GeneratedLayout(layout=layout, first=wish.first, certificate=certificate, tries=tries)


def _among_all(wish: LayoutSpec, seed: int, tried: int) -> GeneratedLayout:
    """One of all layouts that will do, every one as likely; `NoSuchLayoutError` if there is none.

    `tried`: the tries of this wish and seed before, which the choice depends on.
    """
    free = set(kept_free(wish.grid, wish.start, wish.first))
    room = [cell for cell in range(wish.grid.size) if cell not in free]
    field, wanted = field_of(wish.grid), wanted_numbers(wish)
    unread = SearchStats()
    good = []
    for mines in combinations(room, wish.mines):
        layout = Layout(wish.grid, CellSet.of(mines))
        if has_wanted(field, layout.clues, wanted):
            found = _accept(wish, layout, unread, tried)
            if found is not None:
                good.append(found)
    if not good:
        raise NoSuchLayoutError(
            f"no layout exists with {wish.properties}: all {comb(len(room), wish.mines):,} layouts of {counted(wish.mines, 'mine')} on "
            f"{wish.grid.width}x{wish.grid.height} cells were tried"
        )
    return Rng(seed).split(tried).choice(good)
