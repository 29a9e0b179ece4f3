"""What `import sapper` offers: every name is there, means what it says, and costs little."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import sapper
from sapper import SapperError


def test_every_name_that_is_offered_exists_once() -> None:
    names = sapper.__all__
    assert len(names) == len(set(names))
    assert all(hasattr(sapper, name) for name in names)
    # Constants, then classes, then functions, each in the order of the alphabet (as ruff sorts them).
    kinds = [[n for n in names if n.isupper()], [n for n in names if n[0].isupper() and not n.isupper()]]
    kinds.append([n for n in names if n.islower()])
    assert names == [name for kind in kinds for name in sorted(kind)]


def test_every_public_thing_says_what_it_is() -> None:
    """Constants are documented where they stand; classes and functions carry their words with them."""
    silent = [name for name in sapper.__all__ if callable(thing := getattr(sapper, name)) and not thing.__doc__]
    assert silent in ([], ["Cell"])  # a NewType has no docstring of its own


def test_nothing_public_is_offered_by_accident() -> None:
    import types

    accidental = [
        name
        for name, thing in vars(sapper).items()
        if not name.startswith("_")
        and name not in {*sapper.__all__, "import_module", "TYPE_CHECKING"}
        and not isinstance(thing, types.ModuleType)
    ]
    assert accidental == []


def test_what_type_checkers_read_is_what_there_is() -> None:
    tree = ast.parse(Path(sapper.__file__).read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    read = {node.module: [one.name for one in node.names] for node in block.body if isinstance(node, ast.ImportFrom)}
    assert read == {home: names.split() for home, names in sapper._HOMES.items()}
    assert sorted(name for names in read.values() for name in names) == sorted(set(sapper.__all__))
    assert set(sapper.__all__) <= set(dir(sapper))
    with pytest.raises(AttributeError, match="module 'sapper' has no attribute 'nothing'"):
        _ = sapper.nothing  # type: ignore[attr-defined]


def test_star_import_gives_what_is_offered() -> None:
    space: dict[str, object] = {}
    exec("from sapper import *", space)
    assert set(sapper.__all__) <= set(space)


def test_the_names_work_together() -> None:
    """One small game through nothing but the public names."""
    grid = sapper.Grid(3, 2, sapper.PLANE)
    layout = sapper.Layout(grid, sapper.CellSet.of([0]))
    line = sapper.write_game(layout, 2)
    (listed,) = sapper.read_board_list([line])
    assert listed.layout == layout
    referee = sapper.Referee(rules=sapper.find_rules("classic"), source=sapper.FixedLayout(listed.layout))
    game = sapper.Game.of(referee)
    board = sapper.Board.new(grid, sapper.RULES["classic"], 1)
    moves = [sapper.Move.flag(0), sapper.Move(sapper.Action.REVEAL, sapper.Cell(listed.first)), sapper.Move.reveal(3)]
    played = []
    for at, move in enumerate(moves):
        update = game.play(move)
        assert isinstance(update, sapper.Update)
        board = board.apply(update)
        played.append(sapper.Played(at, move, update))
    assert board == game.board
    assert board.status is sapper.Status.WON
    assert board.tile(0) is sapper.Tile.FLAGGED
    assert sapper.read_board(sapper.write_board(board), rules=sapper.RULES["classic"]) == board
    record = sapper.Record(rules=game.rules, grid=grid, mine_count=1, mines=layout.mines, played=tuple(played))
    assert sapper.Record.from_json(record.to_json()) == record


def test_games_from_names_and_seeds() -> None:
    preset = sapper.find_preset("beginner")
    assert preset is sapper.PRESETS["beginner"]
    assert isinstance(preset, sapper.Preset)
    assert sapper.new_game(preset, seed=7).grid == sapper.new_referee("beginner", seed=7).grid == preset.grid
    torus = sapper.Grid(5, 5, sapper.TORUS)
    assert isinstance(torus.topology, sapper.Topology)
    drawn = sapper.draw_layout(torus, 4, sapper.Rng(3), start=sapper.Start.OPEN, first=12)
    assert drawn.clue(12) == 0
    source: sapper.LayoutSource = sapper.UniformSource(torus, 4, 3, sapper.Start.OPEN)
    rules = sapper.Rules(win=sapper.Win.EITHER, start=sapper.Start.OPEN)
    assert sapper.Game(rules=rules, source=source).reveal(12).status is not sapper.Status.LOST


@pytest.mark.parametrize(
    ("act", "error"),
    [
        (lambda: sapper.read_board("###"), sapper.NotationError),
        (lambda: sapper.new_game("beginner", seed=7).unflag(0), sapper.IllegalMoveError),
        (lambda: sapper.new_game("beginner", seed=7).layout, sapper.AccessError),
    ],
)
def test_its_errors_have_one_root(act: object, error: type[SapperError]) -> None:
    assert issubclass(error, SapperError)
    assert callable(act)
    with pytest.raises(error):
        act()


def test_importing_it_loads_nothing_heavy() -> None:
    """Modules that cost more than all of sapper; `import sapper` is to take less than a tenth of a second."""
    heavy = ["importlib.metadata", "numpy", "numba", "asyncio", "random", "click", "rich", "sapper.cli", "sapper.net"]
    # What was there before is not ours: a coverage run brings modules of its own into every process.
    program = f"import sys; known = set(sys.modules); import sapper; print([name for name in {heavy!r} if name in set(sys.modules) - known])"
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_importing_it_loads_nothing_that_is_not_asked_for() -> None:
    program = "import sys, sapper; print([name for name in sys.modules if name.startswith('sapper.')])"
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_version() -> None:
    from importlib.metadata import version

    assert sapper.__version__ == version("sapper")
