"""Components counted against every choice of mines for every group."""

import itertools
from math import comb, prod

import pytest

from sapper._kernels.reference.count import OverCapError, Shape, Solved, forget, solve
from sapper.core.rng import Rng

NO_LIMIT = 1 << 30


def _plain(shape: Shape, needs: tuple[int, ...]) -> tuple[dict[int, int], list[dict[int, int]]]:
    """Layouts by the number of mines; and for each group those with a mine at a given cell."""
    ways: dict[int, int] = {}
    hits: list[dict[int, int]] = [{} for _ in shape]
    for chosen in itertools.product(*(range(size + 1) for size, _ in shape)):
        seen = [0] * len(needs)
        for mines, (_, clues) in zip(chosen, shape, strict=True):
            for clue in clues:
                seen[clue] += mines
        if tuple(seen) != needs:
            continue
        total = sum(chosen)
        layouts = [comb(size, mines) for mines, (size, _) in zip(chosen, shape, strict=True)]
        ways[total] = ways.get(total, 0) + prod(layouts)
        for group, (mines, (size, _)) in enumerate(zip(chosen, shape, strict=True)):
            hit = prod(layouts) * mines // size
            hits[group][total] = hits[group].get(total, 0) + hit
    return ways, hits


def _spread(solved: Solved) -> tuple[dict[int, int], list[dict[int, int]]]:
    def by_mines(coefficients: tuple[int, ...]) -> dict[int, int]:
        return {solved.least + above: ways for above, ways in enumerate(coefficients) if ways}

    return by_mines(solved.ways), [by_mines(hits) for hits in solved.hits]


def _nonzero(found: dict[int, int]) -> dict[int, int]:
    return {mines: ways for mines, ways in found.items() if ways}


def _some_component(seed: int) -> tuple[Shape, tuple[int, ...]]:
    rng = Rng(seed)
    clue_count = 1 + rng.below(5)
    groups = []
    for _ in range(1 + rng.below(6)):
        clues = rng.sample(clue_count, 1 + rng.below(min(3, clue_count)))
        groups.append((1 + rng.below(3), tuple(sorted(clues))))
    for clue in range(clue_count):
        if not any(clue in clues for _, clues in groups):
            groups.append((1 + rng.below(3), (clue,)))
    mines = [rng.below(size + 1) for size, _ in groups]
    needs = [sum(m for m, (_, clues) in zip(mines, groups, strict=True) if clue in clues) for clue in range(clue_count)]
    if not rng.below(4):  # most often nothing fits then
        needs[rng.below(clue_count)] = rng.below(9)
    return tuple(groups), tuple(needs)


@pytest.mark.parametrize("seeds", [range(start, start + 60) for start in range(0, 360, 60)], ids=str)
def test_solve(seeds: range) -> None:
    for seed in seeds:
        shape, needs = _some_component(seed)
        ways, hits = _plain(shape, needs)
        solved = solve(shape, needs, NO_LIMIT)
        if not ways:
            assert solved.ways == ()
            continue
        assert _spread(solved) == (ways, [_nonzero(hit) for hit in hits]), seed
        assert solved.ways[0]
        assert solved.ways[-1]


def test_a_group_larger_than_any_clue_of_a_rectangle() -> None:
    solved = solve(((40, (0,)), (30, (0, 1)), (50, (1,))), (8, 7), NO_LIMIT)
    assert sum(solved.ways) == sum(comb(40, 8 - n) * comb(30, n) * comb(50, 7 - n) for n in range(8))


def _ring(count: int) -> Shape:
    """Clues in a ring, each sharing a cell with the next, each with two cells of its own."""
    own = [(2, (clue,)) for clue in range(count)]
    shared = [(1, tuple(sorted((clue, (clue + 1) % count)))) for clue in range(count)]
    return tuple(group for pair in zip(own, shared, strict=True) for group in pair)


def test_a_limit_on_states() -> None:
    shape, needs = _ring(12), (2,) * 12
    solved = solve(shape, needs, NO_LIMIT)
    assert solve(shape, needs, solved.states) == solved
    with pytest.raises(OverCapError):
        solve(shape, needs, solved.states - 1)


def test_large_numbers_weigh_on_the_limit() -> None:
    """All clues are begun before any is finished: many states, with long polynomials."""
    shape: Shape = tuple((1, (clue,)) for clue in range(9)) + tuple((7, (clue,)) for clue in range(9))
    with_short = solve(shape, (1,) * 9, NO_LIMIT)
    assert sum(with_short.ways) == 8**9
    with pytest.raises(OverCapError):
        solve(shape, (1,) * 9, 500)


def test_what_is_remembered_is_what_is_counted() -> None:
    shape, needs = _ring(3), (1, 2, 1)
    first = solve(shape, needs, NO_LIMIT)
    assert solve(shape, needs, NO_LIMIT) is first
    forget()
    again = solve(shape, needs, NO_LIMIT)
    assert again is not first
    assert again == first


def test_few_groups_can_have_many_states() -> None:
    """No rectangle has such a component: what is remembered has a limit of its own, but the given one counts."""
    shape: Shape = (*((4, (clue,)) for clue in range(7)), (9, tuple(range(7))))
    solved = solve(shape, (4,) * 7, NO_LIMIT)
    assert solved.states > 1 << 16
    assert sum(solved.ways) == sum(comb(9, mines) * comb(4, 4 - mines) ** 7 for mines in range(5))
    with pytest.raises(OverCapError):
        solve(shape, (4,) * 7, 1 << 16)
