"""The player's object: its verbs, its clicks, and what it does not let a player see."""

import copy
import inspect
import pickle
from typing import Any

import pytest
from hypothesis import given

from sapper.core.cells import CellSet
from sapper.core.grid import Grid
from sapper.core.move import Action, Move
from sapper.core.rules import RULES, Rules, Start
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.core.update import Update
from sapper.errors import AccessError, ArgumentError, CellError, MoveFault
from sapper.game.game import Game
from sapper.game.layout import Layout
from sapper.game.referee import Referee
from sapper.game.source import FixedLayout
from sapper.generator.uniform import UniformSource
from sapper.session.session import Session
from tests.playing import Script, play
from tests.refusals import refused
from tests.strategies import any_rules, layouts, scripts

LAYOUT = Layout(Grid(3, 2), CellSet.of([0]))
ENGINE = RULES["engine"]


def _game(rules: Rules = ENGINE) -> Game:
    return Game(rules=rules, source=FixedLayout(LAYOUT))


@pytest.mark.requirement("cb6545f1", "34c19906", "3452bee5", "128fe573", "361bd967")
def test_what_a_player_may_always_know() -> None:
    game = _game()
    for expected in ((0, 0), (0, 1), (4, 1), (4, 1)):
        assert (game.grid.width, game.grid.height) == (game.board.grid.width, game.board.grid.height) == (3, 2)
        assert game.mine_count == game.board.mine_count == 1
        assert (game.board.revealed_count, game.board.flag_count) == expected
        assert (len(game.board.revealed), len(game.board.flagged)) == expected
        assert game.rules is ENGINE
        if expected == (0, 0):
            game.flag(0)
        elif expected == (0, 1):
            game.reveal(2)
        elif not game.status.ended:
            game.terminate()


@pytest.mark.requirement("e789ed4e", "544f0ab3")
def test_the_mines_are_known_at_the_end_only() -> None:
    game = _game()
    for move in (Move.flag(0), Move.reveal(1), Move.reveal(2)):
        with pytest.raises(AccessError, match="when the game has ended, not before"):
            game.layout  # noqa: B018
        game.play(move)
    with pytest.raises(AccessError):
        game.layout  # noqa: B018
    game.reveal(3)
    assert game.status is Status.WON
    assert game.layout == LAYOUT


def test_a_game_that_ended_before_the_draw_never_had_mines() -> None:
    game = Game(rules=RULES["modern"], source=UniformSource(Grid(9, 9), 10, 1, Start.OPEN))
    game.flag(3)
    game.terminate()
    with pytest.raises(AccessError, match="no layout was ever generated"):
        game.layout  # noqa: B018


@pytest.mark.requirement("cb6545f1", "e789ed4e")
@given(any_rules(), layouts(), scripts(10))
def test_no_public_name_of_a_running_game_leads_to_the_mines(rules: Rules, layout: Layout, script: Script) -> None:
    """Walk over everything public that can be reached from a game: there is no layout, and no referee."""
    referee = Referee(rules=rules, source=FixedLayout(layout))
    list(play(referee, script))
    game = Game.of(referee)
    if game.status.ended:
        return
    seen: set[int] = set()
    todo: list[object] = [game, game.board]
    while todo:
        thing = todo.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        assert not isinstance(thing, Layout | Referee)
        names = [name for name in dir(thing) if not name.startswith("_")]
        for name in names if type(thing).__module__.startswith("sapper") else ():
            try:
                value = getattr(thing, name)
            except AccessError:
                continue
            if not callable(value):
                todo.append(value)


def test_every_verb_is_a_move() -> None:
    game = _game(ENGINE.replace(question_marks=True))
    assert game.flag(0) == Update(((Move.flag(0).cell, bytes([Tile.FLAGGED])),), Status.PLAYING)
    assert game.is_legal(Move.unflag(0))
    game.unflag(0)
    assert game.board.flag_count == 0
    game.play(Move.question(0))
    assert game.board.questioned == {0}
    game.flag(0)
    game.reveal(1)
    update = game.chord(1)
    assert [cell for cell, _ in update.cells()] == [2, 3, 4, 5]
    assert update.status is game.status is Status.WON
    other = _game()
    assert other.terminate() == Update.nothing(Status.TERMINATED)


@pytest.mark.requirement("7161862a", "2ab18af2")
def test_clicks_never_raise_for_a_rule_and_verbs_do() -> None:
    game = _game()
    game.flag(0)
    assert game.left_click(0).is_empty
    game.reveal(1)
    with refused(MoveFault.REVEALED):
        game.reveal(1)
    with refused(MoveFault.REVEALED):
        game.check(Move.flag(1))
    assert game.right_click(1) == Update.nothing(Status.PLAYING)
    game.terminate()
    for cell in range(6):
        assert game.left_click(cell) == game.right_click(cell) == Update.nothing(Status.TERMINATED)
        with refused(MoveFault.GAME_OVER):
            game.reveal(cell)
    with refused(MoveFault.GAME_OVER):
        game.terminate()


def test_cells_off_the_board() -> None:
    game = _game()
    for act in (game.reveal, game.flag, game.unflag, game.chord, game.left_click, game.right_click):
        for cell in (-1, 6):
            with pytest.raises(CellError, match="off the board"):
                act(cell)
    assert game.status is Status.READY


def test_it_is_for_keeping_not_for_copying() -> None:
    """A copy of a game is made from a record or a snapshot, which say what they hold."""
    assert not hasattr(_game(), "__dict__")
    assert "layout" not in repr(_game())
    assert copy.copy(_game().board) == _game().board
    assert pickle.loads(pickle.dumps(_game().board)) == _game().board
    assert all(inspect.getdoc(getattr(Game, name)) for name in dir(Game) if not name.startswith("_"))


@pytest.mark.parametrize("cell", [1.5, None, (4, 4), True, "1"])
def test_what_is_no_cell_is_refused_with_what_one_is(cell: Any) -> None:
    """For every verb of a game, and for a session's clicks; and nothing has changed."""
    game = _game()
    session = Session(Referee(rules=ENGINE, source=FixedLayout(LAYOUT)))
    verbs = (game.left_click, game.right_click, game.reveal, game.flag, game.unflag, game.chord)
    for verb in (*verbs, session.left_click, session.right_click, game.board.tile, game.board.clue):
        with pytest.raises((CellError, ArgumentError), match="cell is an integer"):
            verb(cell)
    assert Move(Action.REVEAL, cell) not in game.board.legal_moves
    assert game.status is session.status is Status.READY
    assert session.input_count == 0
