"""One suite for every rule set: the registered ones and a few of nobody's, on a plane and on a torus."""

import pytest
from hypothesis import given, settings, strategies as st

from sapper.core.grid import PLANE, TORUS, Grid, Topology
from sapper.core.move import Action, Move
from sapper.core.rules import RULES, Rules, Start, Win
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.core.update import Update
from sapper.errors import MoveFault
from sapper.game.game import Game
from sapper.game.layout import Layout
from sapper.game.referee import Referee
from sapper.game.source import FixedLayout
from sapper.generator.uniform import UniformSource
from tests import reference
from tests.playing import Script, game_on, play
from tests.refusals import refused
from tests.strategies import custom_rules, grids, layouts, scripts, seeds

CUSTOM = [
    Rules(
        name="everything", win=Win.EITHER, spread=4, question_marks=True, start=Start.OPEN, click_reveals_flagged=True
    ),
    Rules(name="late-flags", win=Win.FLAGGED, cascade_clears_flags=True, start=Start.SAFE, question_marks=True),
]
ALL = [*RULES.values(), *CUSTOM]

every_rules = pytest.mark.parametrize("rules", ALL, ids=lambda rules: rules.name)
every_topology = pytest.mark.parametrize("topology", [PLANE, TORUS], ids=lambda topology: topology.name)


# --- the engine is the plain rules, whatever is played ----------------------------------------------


def _follow(referee: Referee, script: Script) -> None:
    """Play, and compare every step with the reference, and every update with what changed."""
    tiles = dict(enumerate(map(Tile, referee.board.tiles)))
    for before, move, update, after in play(referee, script):
        layout = referee.layout
        if layout is None:  # not drawn yet: marks only
            assert move.action in (Action.FLAG, Action.UNFLAG, Action.QUESTION, Action.UNQUESTION)
            assert after.status is Status.PLAYING
            assert len(update) == 1
            tiles[move.cell] = after.tile(move.cell)
        else:
            tiles, status = reference.play(before.rules, layout, tiles, move)
            assert after.status is update.status is status
        assert after.tiles == bytes(tiles.values())
        assert before.apply(update) == after
        changed = [cell for cell in range(before.grid.size) if before.tiles[cell] != after.tiles[cell]]
        assert [cell for cell, _ in update.cells()] == changed
        ends = [start + len(codes) for start, codes in update.runs]
        assert all(end < start for end, (start, _) in zip(ends, update.runs[1:], strict=False))


@every_rules
@given(layout=layouts(), script=scripts(40))
def test_every_step_of_every_game_is_that_of_the_plain_rules(rules: Rules, layout: Layout, script: Script) -> None:
    _follow(Referee(rules=rules, source=FixedLayout(layout)), script)


@given(custom_rules(), layouts(), scripts(40))
def test_so_it_is_with_any_rules_at_all(rules: Rules, layout: Layout, script: Script) -> None:
    _follow(Referee(rules=rules, source=FixedLayout(layout)), script)


@every_rules
@given(grid=grids(), seed=seeds, script=scripts(), data=st.data())
def test_so_it_is_with_layouts_drawn_by_the_start_rule(
    rules: Rules, grid: Grid, seed: int, script: Script, data: st.DataObject
) -> None:
    mines = data.draw(st.integers(1, max(1, grid.size - 1)))
    _follow(Referee(rules=rules, source=UniformSource(grid, mines, seed, rules.start)), script)


# --- the states --------------------------------------------------------------------------------------


@every_topology
@every_rules
def test_ready_playing_and_the_three_ends(rules: Rules, topology: Topology) -> None:
    rows = "*..../...../...../...../....*"
    game = game_on(rows, rules, topology)
    assert game.status is Status.READY
    assert game.flag(0).status is Status.PLAYING  # any change of a cell is a first move
    assert game.unflag(0).status is Status.PLAYING
    assert game.reveal(1).status is Status.PLAYING
    assert game.terminate() == Update.nothing(Status.TERMINATED)
    lost = game_on(rows, rules, topology)
    assert lost.reveal(24) == Update(((Move.reveal(24).cell, bytes([Tile.EXPLODED])),), Status.LOST)
    won = game_on(rows, rules, topology)
    for cell in range(25):
        if won.status.ended:
            break
        if rules.win is Win.FLAGGED:
            if cell in (0, 24):
                won.flag(cell)
        elif cell not in (0, 24) and not won.board.tile(cell).is_revealed:
            won.reveal(cell)
    assert won.status is Status.WON


@pytest.mark.requirement("7c0354cf", "46675b82")
@every_rules
@settings(max_examples=20)
@given(layout=layouts(), script=scripts(40))
def test_after_the_end_clicks_do_nothing_and_verbs_raise(rules: Rules, layout: Layout, script: Script) -> None:
    referee = Referee(rules=rules, source=FixedLayout(layout))
    list(play(referee, script))
    if not referee.status.ended:
        referee.play(Move.terminate())
    game, board = Game.of(referee), referee.board
    for cell in range(board.grid.size):
        assert game.left_click(cell) == game.right_click(cell) == Update.nothing(board.status)
        for verb in (game.reveal, game.flag, game.unflag, game.chord):
            with refused(MoveFault.GAME_OVER, f"it was {board.status.words}"):
                verb(cell)
    assert game.board == board
    assert game.layout == layout


# --- how a game is won ---------------------------------------------------------------------------------


@every_topology
@every_rules
def test_flagging_exactly_the_mines(rules: Rules, topology: Topology) -> None:
    game = game_on("*../.../..*", rules, topology)
    game.flag(0)
    game.flag(4)
    game.flag(8)
    assert game.status is Status.PLAYING
    after = game.unflag(4)
    assert (after.status is Status.WON) == (rules.win is not Win.REVEALED)
    assert game.board.revealed_count == 0


@every_topology
@every_rules
def test_a_board_without_mines_opens_at_once_and_is_won(rules: Rules, topology: Topology) -> None:
    """In one run, and by a loop: a cascade that calls itself would be 90,000 calls deep."""
    side = 300 if topology is PLANE else 60  # a torus is opened cell by cell
    game = game_on("/".join(["." * side] * side), rules, topology)
    update = game.reveal(game.grid.cell(side // 2, side // 2))
    assert (len(update), len(update.runs), update.status) == (side * side, 1, Status.WON)


# --- first clicks ----------------------------------------------------------------------------------------


@every_topology
@pytest.mark.parametrize("mines", [1, 10, 15, 16, 24, 25])
@every_rules
def test_the_first_reveal_is_what_the_start_rule_says_or_the_nearest_that_can_be(
    rules: Rules, mines: int, topology: Topology
) -> None:
    grid = Grid(5, 5, topology)
    for seed in range(12):
        for first in (0, 2, 12):
            game = Game(rules=rules, source=UniformSource(grid, mines, seed, rules.start))
            game.reveal(first)
            room = grid.size - 1 - len(grid.neighbours(first))
            if rules.start is Start.OPEN and mines <= room:
                assert game.board.tile(first) is Tile.ZERO
            elif rules.start is not Start.ANY and mines < grid.size:
                assert game.board.tile(first).is_clue
    exploded = [
        seed
        for seed in range(40)
        if Game(rules=rules, source=UniformSource(grid, mines, seed, rules.start)).reveal(7).status is Status.LOST
    ]
    assert bool(exploded) == (rules.start is Start.ANY or mines == grid.size)


@every_rules
def test_flags_are_kept_across_a_late_draw(rules: Rules) -> None:
    plain = rules.replace(cascade_clears_flags=False)
    for seed in range(10):
        game = Game(rules=plain, source=UniformSource(Grid(6, 6), 5, seed, plain.start))
        for cell in (0, 7, 35):
            game.flag(cell)
        game.reveal(14)
        assert game.board.flagged == {0, 7, 35}


# --- marks -------------------------------------------------------------------------------------------------
