"""A source that never searches."""

from dataclasses import replace

import pytest

from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.grid import Grid
from sapper.core.move import Move
from sapper.core.rules import find_rules
from sapper.core.status import Status
from sapper.errors import LayoutError
from sapper.game.layout import Layout
from sapper.game.referee import Referee
from sapper.generator.game_code import CodedGame
from sapper.generator.layout_spec import LayoutSpec, Range
from sapper.play.jobs import generate
from sapper.play.prepared_source import PreparedSource
from tests.registries import wanted


def _source(**values: object) -> PreparedSource:
    return PreparedSource(wanted(**values).game(5))


def test_a_layout_that_takes_no_search_is_drawn_when_it_was_always() -> None:
    source = _source(preset="expert")
    game = source.game
    assert not source.lacks(Cell(3))
    board = Board.new(game.grid, game.rules, game.mine_count)
    assert source.generate(board, Cell(3)) == game.source().generate(board, Cell(3))
    for cell in (Cell(3), Cell(255)):
        ahead = _source(preset="expert")
        ahead.generate_ahead()
        assert ahead.generate(board, cell) == game.source().generate(board, cell)
    assert _source(preset="engine").start() is not None


def test_a_layout_that_takes_a_search_is_handed_in() -> None:
    source = _source(no_guess=True)
    spec, board = source.game.spec, Board.new(source.grid, source.game.rules, 10)
    assert (source.start(), source.lacks(Cell(3))) == (None, True)
    with pytest.raises(LayoutError, match="not been prepared"):
        source.generate(board, Cell(3))
    assert spec is not None
    layout = Layout(source.grid, generate(spec, source.seed))
    source.prepare(Cell(0), layout)
    assert (source.lacks(Cell(0)), source.lacks(Cell(3))) == (False, True)
    assert source.generate(board, Cell(0)) is layout
    # It is the one that every face finds for this code.
    assert source.game.source().generate(board, Cell(0)) == layout


def test_the_first_cell_of_a_code_is_the_one_that_its_layout_is_for() -> None:
    game = replace(_source(no_guess=True).game, first=Cell(40))
    source = PreparedSource(wanted(code=game.code).game(0))
    assert (source.first_of(Cell(7)), source.lacks(Cell(7))) == (40, True)
    assert _source(no_guess=True).first_of(Cell(7)) == 7


def test_a_layout_that_was_drawn_before_is_given_again() -> None:
    game = _source(no_guess=True).game
    assert game.spec is not None
    layout = Layout(game.grid, generate(game.spec, _source(no_guess=True).seed))
    source = PreparedSource(game, layout)
    assert (source.start(), source.lacks(Cell(7))) == (None, False)
    assert source.generate(Board.new(game.grid, game.rules, 10), Cell(0)) is layout


def test_flags_alone_can_win_where_there_is_one_layout_only() -> None:
    rules, grid = find_rules("formal"), Grid(3, 3)
    spec = LayoutSpec(grid=grid, mine_count=9, start=rules.start, first=Cell(0), bbbv=Range(0, 5))
    source = PreparedSource(CodedGame(rules=rules, grid=grid, mine_count=9, seed=1, spec=spec))
    referee = Referee(rules=rules, source=source)
    referee.play(Move.flag(0))
    assert referee.status is Status.WON, "there is no safe cell to reveal"
    assert referee.layout == Layout(grid, CellSet.of(range(9)))
