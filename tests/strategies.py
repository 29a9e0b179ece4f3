"""Every Hypothesis strategy of the tests, and nothing else."""

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy, composite

from sapper.core.board import Board
from sapper.core.cells import CellSet
from sapper.core.grid import PLANE, TORUS, Grid, Topology
from sapper.core.mouse_path import MouseAction, MouseEvent, MousePath
from sapper.core.preset import Preset
from sapper.core.rules import RULES, Rules, Start, Win
from sapper.core.tile import Tile
from sapper.game.layout import Layout
from tests.playing import KINDS, Script
from tests.sessions import DEEDS, SessionScript

HEX = Topology(name="hex", offsets=((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)))

seeds = st.integers(0, 2**64 - 1)
"""Seeds of our random numbers."""


@composite
def grids(draw: DrawFn, max_side: int = 8, topologies: tuple[Topology, ...] = (PLANE, TORUS, HEX)) -> Grid:
    """Small grids of some topology; lines and single cells are among them."""
    return Grid(draw(st.integers(1, max_side)), draw(st.integers(1, max_side)), draw(st.sampled_from(topologies)))


@composite
def custom_rules(draw: DrawFn) -> Rules:
    """Any rules there can be, registered or not."""
    switch = st.booleans()
    return Rules(
        win=draw(st.sampled_from(Win)),
        spread=draw(st.sampled_from([4, 8])),
        cascade_clears_flags=draw(switch),
        click_reveals_flagged=draw(switch),
        chording=draw(switch),
        start=draw(st.sampled_from(Start)),
        question_marks=draw(switch),
        one_game=draw(switch),
    )


def any_rules() -> SearchStrategy[Rules]:
    """The registered rules, and any others."""
    return st.one_of(st.sampled_from(list(RULES.values())), custom_rules())


@composite
def layouts(draw: DrawFn, grid: Grid | None = None) -> Layout:
    """Layouts with few mines, many, none or all."""
    if grid is None:
        grid = draw(grids())
    count = draw(st.one_of(st.integers(0, grid.size), st.integers(0, max(1, grid.size // 5))))
    order = draw(st.permutations(range(grid.size)))
    return Layout(grid, CellSet.of(order[:count]))


@composite
def tiles(draw: DrawFn, grid: Grid, codes: tuple[Tile, ...] = tuple(Tile)) -> bytes:
    """A tile for each cell, whether or not a game could lead there."""
    return bytes(draw(st.lists(st.sampled_from(codes), min_size=grid.size, max_size=grid.size)))


@composite
def boards(draw: DrawFn) -> Board:
    """Boards of any tiles, whether or not a game could lead there."""
    grid = draw(grids(topologies=(PLANE,)))
    return Board(
        grid=grid, rules=draw(any_rules()), mine_count=draw(st.integers(0, grid.size)), tiles=draw(tiles(grid))
    )


def scripts(max_size: int = 25) -> SearchStrategy[Script]:
    """What to try in a game, one thing after the other (see `tests.playing`)."""
    return st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 2**16)), max_size=max_size)


@composite
def mouse_paths(draw: DrawFn) -> MousePath:
    """What a mouse did, on the board and beside it, before the game and in it."""
    event = st.builds(
        MouseEvent, st.integers(-500, 2**40), st.sampled_from(MouseAction), st.integers(-9, 999), st.integers(-9, 999)
    )
    return MousePath.of(draw(st.lists(event, max_size=12)))


@composite
def small_presets(draw: DrawFn, max_side: int = 5) -> Preset:
    """Games of any rules on small boards with any number of mines, none and all among them."""
    width, height = draw(st.integers(1, max_side)), draw(st.integers(1, max_side))
    mines = draw(st.integers(0, width * height))
    return Preset(name="small", rules=draw(any_rules()), width=width, height=height, mine_counts=(mines,))


def session_scripts(max_size: int = 25) -> SearchStrategy[SessionScript]:
    """What to do to a session, one thing after the other, and how long each takes (see `tests.sessions`)."""
    step = st.tuples(st.sampled_from(DEEDS), st.integers(0, 2**16), st.integers(-50, 3000))
    return st.lists(step, max_size=max_size)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
"""What a document of JSON or TOML can have in a place."""


@st.composite
def neighbour_tables(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    """Neighbour tables as kernels take them, of up to 9 cells."""
    size = draw(st.integers(1, 9))
    pairs = draw(st.sets(st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)), max_size=36))
    rows: list[set[int]] = [set() for _ in range(size)]
    for one, other in pairs:
        if one != other:
            rows[one].add(other)
            rows[other].add(one)
    starts = [0]
    for row in rows:
        starts.append(starts[-1] + len(row))
    return starts, [cell for row in rows for cell in sorted(row)]
