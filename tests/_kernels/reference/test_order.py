"""Orders of elimination: complete, by component, and not wider than need be."""

from collections.abc import Sequence

import pytest

from sapper._kernels.reference.order import order_groups
from sapper._kernels.reference.scan import Frontier, scan_plane
from sapper.core.rng import Rng
from tests.census import positions


def _widest(order: Sequence[int], keys: Sequence[tuple[int, ...]]) -> int:
    """The most clues that are open at once."""
    last = {clue: place for place, group in enumerate(order) for clue in keys[group]}
    opened: set[int] = set()
    widest = 0
    for place, group in enumerate(order):
        opened |= set(keys[group])
        opened -= {clue for clue in opened if last[clue] == place}
        widest = max(widest, len(opened))
    return widest


def _some_keys(seed: int) -> tuple[list[tuple[int, ...]], int]:
    rng = Rng(seed)
    clue_count = 1 + rng.below(30)
    keys = {tuple(sorted(rng.sample(clue_count, 1 + rng.below(min(3, clue_count))))) for _ in range(1 + rng.below(30))}
    keys |= {(clue,) for clue in range(clue_count)}
    return sorted(keys), clue_count


def _frontier(keys: Sequence[tuple[int, ...]], clue_count: int) -> Frontier:
    """Groups of one cell each, every clue in need of one mine."""
    return Frontier(
        list(range(clue_count)), [1] * clue_count, list(keys), [[cell] for cell in range(len(keys))], [], [], []
    )


@pytest.mark.parametrize("seed", range(40))
def test_each_group_once_and_components_apart(seed: int) -> None:
    keys, clue_count = _some_keys(seed)
    orders = order_groups(_frontier(keys, clue_count))
    assert sorted(group for order in orders for group in order) == list(range(len(keys)))
    clues = [{clue for group in order for clue in keys[group]} for order in orders]
    assert sum(map(len, clues)) == clue_count
    for order in orders:  # connected: every group but the first shares a clue with one before
        seen: set[int] = set()
        together = [set(keys[group]) for group in order]
        while together:
            joined = [key for key in together if not seen or key & seen]
            assert joined
            seen |= joined[0]
            together.remove(joined[0])


def test_a_chain_is_walked_from_an_end() -> None:
    keys = [(clue, clue + 1) for clue in range(20)] + [(0,), (20,)]
    (order,) = order_groups(_frontier(keys, 21))
    assert order[0] in {20, 21}
    assert _widest(order, keys) == 1


@pytest.mark.parametrize("file", ["expert-stuck", "scatter-30x24"])
def test_boards_are_narrow(file: str) -> None:
    for position in positions(file)[:40]:
        frontier = scan_plane(position.tiles, position.width, position.height, trust_flags=False)
        assert frontier is not None
        orders = order_groups(frontier)
        assert max((_widest(order, frontier.keys) for order in orders), default=0) <= 12, position.name
