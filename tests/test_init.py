"""What `import sapper` offers: every name is there, means what it says, and costs little."""

import ast
import base64
import importlib
import pkgutil
import re
import subprocess
import sys
import types
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import sapper

NAMES: list[str] = vars(sapper)["__all__"]


def test_every_name_that_is_offered_exists() -> None:
    assert len(NAMES) > 50
    assert all(hasattr(sapper, name) for name in NAMES)
    assert set(NAMES) <= set(dir(sapper))
    with pytest.raises(AttributeError, match="module 'sapper' has no attribute 'nothing'"):
        _ = sapper.nothing  # type: ignore[attr-defined]


def test_no_name_is_that_of_a_package_or_module() -> None:
    assert {module.name for module in pkgutil.iter_modules(sapper.__path__)} & set(NAMES) == set()
    for name in ("render", "solver", "simulate", "metrics", "generator"):
        assert isinstance(importlib.import_module(f"sapper.{name}"), types.ModuleType)
        assert getattr(sapper, name) is sys.modules[f"sapper.{name}"]


def test_every_public_thing_says_what_it_is() -> None:
    """Constants are documented where they stand; classes and functions carry their words with them."""
    silent = [name for name in NAMES if callable(thing := getattr(sapper, name)) and not thing.__doc__]
    assert silent in ([], ["Cell"])  # a NewType has no docstring of its own


def test_the_reference_has_every_name() -> None:
    text = (Path(__file__).parents[1] / "docs/library.md").read_text(encoding="utf-8")
    documented = re.findall(r"^\.\. auto\w+:: (\w+)$", text, re.MULTILINE)
    assert sorted(documented) == sorted(NAMES)


def test_nothing_public_is_offered_by_accident() -> None:
    accidental = [
        name
        for name, thing in vars(sapper).items()
        if not name.startswith("_")
        and name not in {*NAMES, "import_module", "TYPE_CHECKING"}
        and not isinstance(thing, types.ModuleType)
    ]
    assert accidental == []


def test_what_type_checkers_read_is_what_there_is() -> None:
    tree = ast.parse(Path(sapper.__file__).read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    read = [
        (one.name, one.asname, node.module)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for one in node.names
    ]
    assert read == [(name, name, home) for name, home in sapper._HOMES.items()]
    assert all(type(sapper._HOMES[name]) is str for name in NAMES)


def test_a_program_of_a_consumer_uses_each_name() -> None:
    """It is run here; `mypy` checks it with the tests, and `.ci/run` by basedpyright."""
    program = Path(__file__).with_name("consumer.py")
    used = {
        node.attr
        for node in ast.walk(ast.parse(program.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "sapper"
    }
    assert set(NAMES) - used == set()
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "won" in done.stdout


def test_a_board_prints_itself_and_says_what_it_is() -> None:
    board = sapper.read_board("3x2/2\n#F#\n121")
    assert str(board) == "#F#\n121"
    assert repr(board) == "<Board 3x2/2, rules modern, playing: 3 of 4 safe cells revealed, 1 flag>"
    torus = sapper.Board.new(sapper.Grid(3, 3, sapper.TORUS), sapper.RULES["formal"], 8)
    assert repr(torus) == "<Board 3x3/8 torus, rules formal, ready: 0 of 1 safe cell revealed>"
    game = sapper.new_game("beginner", seed=7)
    assert repr(game) == "<Game 9x9/10, rules modern, ready: 0 of 71 safe cells revealed>"


def test_boards_and_analyses_draw_themselves_in_a_notebook() -> None:
    board = sapper.read_board("4x1/1\n##1#")
    analysis = sapper.analyse(board)
    for thing, words in ((board, board.summary), (analysis, "2 layouts fit; 1 safe, 0 certain to be mines")):
        picture, page = thing._repr_svg_(), thing._repr_html_()
        assert picture is not None
        assert page is not None
        assert ET.fromstring(picture).tag == "{http://www.w3.org/2000/svg}svg"
        figure = ET.fromstring(page)
        image, caption = figure
        assert (image.attrib["alt"], caption.text) == ("##1#", words)
        assert base64.b64decode(image.attrib["src"].partition(",")[2]).decode() == picture
    assert "mine: 50.0 %" in (analysis._repr_svg_() or "")
    assert "mine: 50.0 %" not in (board._repr_svg_() or "")
    large = sapper.Board.new(sapper.Grid(1000, 100), sapper.RULES["modern"], 5)
    assert large._repr_svg_() is None
    assert large._repr_html_() is None


def test_games_from_names_and_seeds() -> None:
    preset = sapper.find_preset("beginner")
    assert preset is sapper.PRESETS["beginner"]
    assert isinstance(preset, sapper.Preset)
    assert sapper.new_game(preset, seed=7).grid == sapper.new_referee("beginner", seed=7).grid == preset.grid
    torus = sapper.Grid(5, 5, sapper.TORUS)
    assert isinstance(torus.topology, sapper.Topology)
    drawn = sapper.place_mines(torus, 4, sapper.Rng(3), start=sapper.Start.OPEN, first=12)
    assert drawn.clue(12) == 0
    source: sapper.LayoutSource = sapper.UniformSource(torus, 4, 3, sapper.Start.OPEN)
    rules = sapper.Rules(win=sapper.Win.EITHER, start=sapper.Start.OPEN)
    assert sapper.Game(rules=rules, source=source).reveal(12).status is not sapper.Status.LOST


def test_importing_it_loads_nothing_heavy() -> None:
    """Modules that cost more than all of sapper; `import sapper` is to take less than a tenth of a second."""
    heavy = ["importlib.metadata", "numpy", "ctypes", "asyncio", "random", "click", "rich", "sapper.cli", "sapper.net"]
    # What was there before is not ours: a coverage run brings modules of its own into every process.
    program = f"import sys; known = set(sys.modules); import sapper; print([name for name in {heavy!r} if name in set(sys.modules) - known])"
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_importing_it_loads_nothing_that_is_not_asked_for() -> None:
    program = "import sys, sapper; print([name for name in sys.modules if name.startswith('sapper.')])"
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_hint_shows_its_board_in_a_notebook() -> None:
    page = sapper.hint(sapper.read_board("3x2/2\n###\n121"))._repr_html_()
    assert page is not None
    image, caption = ET.fromstring(page)
    assert caption.text == "a2, b2 and c2 are a 1-2-1 in a line: a1 and c1 are mines, b1 is safe."
    assert "safe" in base64.b64decode(image.attrib["src"].partition(",")[2]).decode()


def test_a_game_by_name_is_taken_back_recorded_saved_and_loaded() -> None:
    assert sapper.new_game("beginner").board.mine_count == 10
    assert sapper.new_game("beginner").record().seed is None, "a seed comes to light with the end"
    game = sapper.new_game("9x9/10", seed=7)
    assert game.reveal(40) == sapper.Game.of(sapper.new_referee("beginner", seed=7)).reveal(40)
    game.flag(next(iter(game.board.covered)))
    text = sapper.save_game(game)
    game.undo()
    assert [one.move for one in game.record().played] == [sapper.Move.reveal(40)]
    again = sapper.load_game(text)
    assert (again.board.flag_count, len(again.record().played)) == (1, 2)
    again.undo()
    assert again.board == game.board
    assert sapper.load_game(sapper.save_game(again)).board == game.board
    with pytest.raises(sapper.ArgumentError, match="save_game takes a game that new_game or load_game made"):
        sapper.save_game(sapper.Game.of(sapper.new_referee("beginner", seed=7)))
    with pytest.raises(
        sapper.UnknownNameError, match=r"unknown preset '9x9'; known are: kata, .*, WIDTHxHEIGHT/MINES$"
    ):
        sapper.new_game("9x9")
    with pytest.raises(sapper.LayoutError, match="100 mines do not fit 9x9 cells"):
        sapper.new_game("9x9/100")
