"""Codes name a game exactly, and a mistyped one names none."""

from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from sapper.core.cells import Cell, CellSet
from sapper.core.grid import PLANE, TORUS, Grid
from sapper.core.move import Move
from sapper.core.rules import RULES, Rules, Start, find_rules
from sapper.errors import LayoutError, NotationError, SapperError, UnknownNameError
from sapper.game.layout import Layout
from sapper.generator.game_code import EXAMPLE, CodedGame, game_of_code
from sapper.generator.kaboom import KaboomSource
from sapper.generator.layout_spec import LayoutSpec, Method, Range
from sapper.generator.new_game import new_referee
from sapper.solver.deduce.step import Technique
from tests.strategies import HEX, any_rules, grids, layouts, seeds

EXPERT = CodedGame(rules=RULES["modern"], grid=Grid(30, 16), mine_count=99, first=Cell(93), seed=4711)
RECIPE = "modern#30x16x99.4711.f3-3.g1.w7zs"
LAYOUT = "modern:30x16x99.1Nama6gN61RbCrGowiiJWqIfEGKUgNOR_0vYOrWh6dM1YALZjf9ka1sZ2M93UuyXqSIflWTRMJtXZJGO.f3-3.39pc"
SPEC = LayoutSpec(
    grid=EXPERT.grid, mine_count=99, start=Start.OPEN, first=Cell(93), no_guess=True, up_to=Technique.OVERLAP,
    bbbv=Range(150, None), openings=Range(None, 20), difficulty=Range(2, 2),
)  # fmt: skip


def _of_layout(game: CodedGame) -> CodedGame:
    return replace(game, layout=game.generate(), seed=None, spec=None)


def test_codes_never_change() -> None:
    """Known answers: what was shared once must open the same game forever."""
    assert EXPERT.code == RECIPE
    assert _of_layout(EXPERT).code == LAYOUT
    assert game_of_code(RECIPE) == EXPERT
    assert game_of_code(f"  {LAYOUT.replace('39pc', '39PC')}\n").layout == EXPERT.generate()
    assert replace(EXPERT, spec=SPEC).code == "modern#30x16x99.4711.f3-3.n2.b150-.o-20.d2-2.g1." + _end(SPEC)


def _end(spec: LayoutSpec) -> str:
    return replace(EXPERT, spec=spec).code.rpartition(".")[2]


def test_a_recipe_is_the_game_that_preset_and_seed_give() -> None:
    referee = new_referee("expert", seed=4711)
    referee.play(Move.reveal(Cell(93)))
    assert EXPERT.generate() == referee.layout
    late = replace(EXPERT, first=None)
    assert late.generate() is None
    again = game_of_code(late.code).referee()
    again.play(Move.reveal(Cell(93)))
    assert again.layout == referee.layout
    drawn = replace(EXPERT, rules=RULES["engine"], first=None)
    assert drawn.generate() == new_referee("engine", seed=4711).layout == drawn.referee().layout


@given(layouts(), any_rules(), st.booleans())
def test_layouts_and_back(layout: Layout, rules: Rules, with_first: bool) -> None:
    first = Cell(layout.grid.size - 1) if with_first else None
    game = CodedGame(rules=rules, grid=layout.grid, mine_count=layout.mine_count, layout=layout, first=first)
    if layout.grid.topology == HEX:
        with pytest.raises(LayoutError):
            _ = game.code
        return
    again = game_of_code(game.code)
    assert again == game
    assert again.referee().layout == layout


@given(grids(topologies=(PLANE, TORUS)), seeds, any_rules(), st.booleans())
def test_recipes_and_back(grid: Grid, seed: int, rules: Rules, kaboom: bool) -> None:
    game = CodedGame(rules=rules, grid=grid, mine_count=grid.size // 5, seed=seed, kaboom=kaboom)
    assert game_of_code(game.code) == game
    source = game.source()
    assert isinstance(source, KaboomSource) == kaboom
    assert source.mine_count == game.mine_count


@pytest.mark.parametrize(
    "spec",
    [
        SPEC,
        replace(SPEC, up_to=Technique.CASES, method=Method.REPAIR, bbbv=Range()),
        LayoutSpec(grid=EXPERT.grid, mine_count=99, start=Start.OPEN, first=Cell(93), bbbv=Range(100, 180)),
    ],
)
def test_specs_and_back(spec: LayoutSpec) -> None:
    game = replace(EXPERT, spec=spec)
    assert game_of_code(game.code) == game
    late = game_of_code(replace(game, first=None).code)
    assert late.spec is not None
    assert replace(late.spec, first=Cell(93)) == spec
    assert late.generate() is None


def test_the_specified_layout_is_the_same_with_the_first_cell_told_or_played() -> None:
    spec = LayoutSpec(grid=Grid(9, 9), mine_count=10, start=Start.OPEN, first=Cell(20), no_guess=True)
    game = CodedGame(rules=RULES["modern"], grid=spec.grid, mine_count=10, seed=3, first=Cell(20), spec=spec)
    referee = replace(game, first=None).referee()
    referee.play(Move.reveal(Cell(20)))
    assert referee.layout == game_of_code(game.code).generate() == game_of_code(_of_layout(game).code).layout


@pytest.mark.parametrize("code", [RECIPE, LAYOUT, replace(EXPERT, spec=SPEC).code])
def test_every_single_typo_is_noticed(code: str) -> None:
    for place in range(len(code)):
        for other in "aQ07-_.#x":
            typo = code[:place] + other + code[place + 1 :]
            if typo != code and typo.lower() != code.lower():
                with pytest.raises(SapperError):
                    game_of_code(typo)
        with pytest.raises(SapperError):
            game_of_code(code[:place])


@pytest.mark.parametrize(
    ("code", "column", "words"),
    [
        ("", 1, "not a code"),
        ("modern", 1, "not a code"),
        ("modern#9x9x10.7", 8, "size, seed and check"),
        ("modern:9x9x10", 8, "size, cells and check"),
        ("modern#9x9.7.g1.aaaa", 8, "WIDTHxHEIGHTxMINES"),
        ("modern#9x9x10.-7.g1.aaaa", 15, "a seed is a number"),
        (f"modern#9x9x10.{1 << 64}.g1.aaaa", 15, "a seed is a number"),
        ("modern#9x9x10.7.g1.aaaa", 20, "mistyped"),
        ("modern:3x3x1.!!.aaaa", 14, "9 cells take 3"),
        ("modern:3x3x1.AAA.uuuu", 18, "mistyped"),
        ("modern:3x3x1.AAA.f0-0.g1.k.aaaa", 26, "a layout's code has"),
    ],
)
def test_where_the_error_is(code: str, column: int, words: str) -> None:
    with pytest.raises(NotationError) as caught:
        game_of_code(code)
    assert caught.value.column == column
    assert words in caught.value.message


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("modern#9x9x10.7", "another version"),
        ("modern#9x9x10.7.g2", "another version"),
        ("modern#9x9x10.7.f9-0.g1", "first cell is"),
        ("modern#9x9x10.7.f9.g1", "first cell is"),
        ("modern#9x9x10.7.z.g1", "not an option"),
        ("modern#9x9x10.7.g1.f1-1", "once each, in the order"),
        ("modern#9x9x10.7.n5.n5.g1", "once each, in the order"),
        ("modern#9x9x10.7.n5.r5.g1", "exclude each other"),
        ("modern#9x9x10.7.n5.k.g1", "exclude each other"),
        ("modern#9x9x10.7.n9.g1", "a technique is a number"),
        ("modern#9x9x10.7.n.g1", "a technique is a number"),
    ],
)
def test_recipes_that_say_what_cannot_be(body: str, words: str) -> None:
    with pytest.raises(NotationError, match=words):
        game_of_code(_checked(body))


def _checked(body: str) -> str:
    """A body with the check that fits it, as somebody might make it by hand."""
    from sapper.generator.game_code import _check

    return f"{body}.{_check(body.encode())}"


def test_games_that_cannot_be() -> None:
    with pytest.raises(LayoutError):
        game_of_code(_checked("modern#3x3x5.7.n5.b5-4.g1"))
    with pytest.raises(LayoutError, match="a difficulty is a number from 0 to "):
        game_of_code(_checked("modern#9x9x10.1.n5.d9-9.g1"))
    for digits in ("9" * 10, "9" * 5_000):
        with pytest.raises(NotationError, match="is not an option"):
            game_of_code(_checked(f"modern#9x9x10.1.b{digits}-.g1"))
    with pytest.raises(UnknownNameError):
        game_of_code(_checked("nobody#3x3x5.7.g1"))


def test_a_layout_is_hidden_from_a_glance() -> None:
    """Nearly equal layouts have codes that share nothing; the mines cannot be read off."""
    grid = Grid(16, 16)
    codes = [
        CodedGame(rules=RULES["engine"], grid=grid, mine_count=1, layout=Layout(grid, CellSet.of([cell]))).code
        for cell in (0, 1)
    ]
    cells = [code.split(".")[1] for code in codes]
    assert sum(a == b for a, b in zip(*cells, strict=True)) < len(cells[0]) // 4


def test_rules_without_a_name_are_named_by_what_differs() -> None:
    rules = Rules(start=Start.SAFE, question_marks=True)
    game = replace(EXPERT, rules=rules, first=None)
    assert find_rules(game.code.partition("#")[0]) == rules


def test_the_code_that_errors_show_is_one() -> None:
    assert game_of_code(EXAMPLE).code == EXAMPLE
