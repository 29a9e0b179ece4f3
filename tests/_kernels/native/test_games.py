"""Whole games: the library plays what `Game` and the Python strategies play, move for move, and see no layout."""

import re
from dataclasses import replace
from functools import partial

import pytest

from sapper._kernels import batch, library_file
from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.grid import TORUS, Grid
from sapper.core.preset import find_preset
from sapper.core.rng import Rng
from sapper.core.rules import RULES, Start
from sapper.core.status import Status
from sapper.game.game import Game
from sapper.game.layout import Layout
from sapper.game.referee import Referee
from sapper.game.source import FixedLayout
from sapper.generator.new_game import new_source
from sapper.generator.uniform import UniformSource
from sapper.solver.strategies.base import StrategyFactory
from sapper.solver.strategies.best_reply import BestReplyStrategy
from sapper.solver.strategies.registry import NATIVE, STRATEGIES
from tests.sizes import sized

STARTS = {Start.ANY: 0, Start.SAFE: 1, Start.OPEN: 2}
SEED = 5
# Many small ones, for what is rare, and some of each larger kind.
GAMES = {"kata": sized(20, 40), "beginner": sized(14, 30), "intermediate": sized(6, 12), "expert": sized(2, 4)}


def _series(grid: Grid, mine_counts: tuple[int, ...], start: Start, first: int, *, plane: bool = True) -> batch.Series:
    starts, cells = grid.table
    width = grid.width if plane else 0
    return batch.Series(starts, cells, width, mine_counts, STARTS[start], first, SEED)


def _python(strategy: str | StrategyFactory, game: Game, first: int, rng: Rng) -> tuple[batch.EndedGame, list[int]]:
    """The same game by the engine and the Python strategy."""
    player = (STRATEGIES[strategy] if isinstance(strategy, str) else strategy)(rng)
    moves = [first]
    guesses = 0
    game.reveal(first)
    while not game.status.ended:
        choice = player.choose(game.board)
        moves.append(choice.move.cell)
        guesses += choice.risk != 0.0
        game.play(choice.move)
    won = game.status is Status.WON
    return batch.EndedGame(int(won), len(moves), guesses, len(game.board.revealed) - (not won)), moves


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("preset", GAMES)
@pytest.mark.parametrize("strategy", NATIVE)
def test_the_library_plays_what_the_engine_plays(strategy: str, preset: str, start: Start) -> None:
    base = find_preset(preset)
    chosen = replace(base, rules=base.rules.replace(start=start))
    first = chosen.grid.cell(1, 2)
    series = _series(chosen.grid, chosen.mine_counts, start, first)
    # Two calls: what a player keeps of the games before must not show.
    player = batch.make_player(strategy, series)
    half = GAMES[preset] // 2
    played = player.play_moves(0, half) + player.play_moves(half, GAMES[preset] - half)
    for number, ended in enumerate(played):
        seeds = Rng(SEED).split(number)
        game = Game(rules=chosen.rules, source=new_source(chosen, seeds.seed))
        assert ended == _python(strategy, game, first, seeds.split(2)), number


@pytest.mark.parametrize("preset", ["beginner", "expert"])
@pytest.mark.parametrize("parts", batch.OTHER_OPINIONS)
def test_the_other_opinions_are_played_as_their_twin_plays(preset: str, parts: batch.GuessParts) -> None:
    """One has forced guesses to come counted in; some games differ from those of `best-reply`."""
    chosen = replace(find_preset(preset), rules=replace(RULES["classic"], start=Start.SAFE))
    games = {"beginner": 12, "expert": 2}[preset]
    series = _series(chosen.grid, chosen.mine_counts, Start.SAFE, 0)
    player = batch.make_player("best-reply", series, parts)
    assert player.play_moves(0, 100) != batch.make_player("best-reply", series).play_moves(0, 100)
    for number, ended in enumerate(player.play_moves(0, games)):
        seeds = Rng(SEED).split(number)
        game = Game(rules=chosen.rules, source=new_source(chosen, seeds.seed))
        assert ended == _python(partial(BestReplyStrategy, parts=parts), game, 0, seeds.split(2)), number


@pytest.mark.parametrize("strategy", NATIVE)
def test_a_torus_and_a_board_too_wide_for_rows_of_bits(strategy: str) -> None:
    for grid, plane, mines in ((Grid(9, 9, TORUS), False, 10), (Grid(70, 4), True, 40), (Grid(70, 4), False, 40)):
        first = 5
        player = batch.make_player(strategy, _series(grid, (mines,), Start.OPEN, first, plane=plane))
        for number, ended in enumerate(player.play_moves(0, 6)):
            seeds = Rng(SEED).split(number)
            source = UniformSource(grid, mines, seeds.split(0).seed, Start.OPEN)
            game = Game(rules=RULES["modern"], source=source)
            assert ended == _python(strategy, game, first, seeds.split(2)), (grid, number)


def _elsewhere(layout: Layout, board: Board, rng: Rng) -> Layout | None:
    """Another layout that this board may be of: mines that no clue touches lie elsewhere."""
    seen = {near for cell in board.revealed for near in board.grid.neighbours(cell)}
    interior = [cell for cell in board.covered if cell not in seen]
    there = [cell for cell in interior if cell in layout.mines]
    if not 0 < len(there) < len(interior):
        return None
    drawn = {interior[at] for at in rng.sample(len(interior), len(there))}
    other = Layout(layout.grid, (layout.mines - CellSet.of(there)) | CellSet.of(drawn))
    assert other.agrees_with(board)
    return other if other != layout else None


@pytest.mark.parametrize("strategy", NATIVE)
def test_two_worlds(strategy: str) -> None:
    """The same moves on another layout that fits what was seen: the next choice is the same."""
    rng = Rng(11)
    grid = Grid(12, 9)
    first = Cell(40)
    player = batch.make_player(strategy, _series(grid, (16,), Start.ANY, first))
    compared = 0
    for number in range(40):
        layout = UniformSource(grid, 16, Rng(SEED).split(number).split(0).seed).start()
        assert layout is not None
        ((_, moves),) = player.play_moves(number, 1)
        referee = Referee(rules=RULES["modern"], source=FixedLayout(layout))
        for count, move in enumerate(moves[:-1], 1):
            Game.of(referee).reveal(move)
            other = _elsewhere(layout, referee.board, rng)
            if other is None or rng.below(4):
                continue
            maps = bytes(cell in other.mines for cell in range(grid.size))
            ((_, elsewhere),) = player.play_moves(number, 1, maps=maps, firsts=[first])
            assert elsewhere[: count + 1] == moves[: count + 1]
            compared += 1
    assert compared > 10


def test_what_chooses_is_given_no_layout() -> None:
    """A `chooser` has tiles, notes and the memory of the analysis; the truth is the player's, which is never passed on."""
    source = (library_file.SOURCES / "games.c").read_text(encoding="utf-8")
    choosing = source[source.index("/* --- choosing --- */") : source.index("/* --- the referee --- */")]
    for name in ("player", "mapped", "clues", "maps", "given", "layouts"):
        assert re.search(rf"\b{name}\b", choosing) is None
    (seen,) = re.findall(r"struct chooser {(.*?)};", source, re.DOTALL)
    assert re.findall(r"(\w+);", seen) == ["strategy", "notes", "desk", "rng", "tiles"]


def test_given_layouts_and_stop() -> None:
    grid = Grid(3, 1)
    player = batch.make_player("single", _series(grid, (1,), Start.ANY, 0))
    maps = bytes([0, 0, 1]) + bytes([1, 0, 0]) + bytes([0, 1, 0])
    ended = player.play(0, 3, maps=maps, firsts=[0, 0, 2])
    assert [(one.ending, one.moves, one.revealed) for one in ended[:2]] == [(1, 1, 2), (0, 1, 0)]
    assert ended[2].moves == 2
    player.stop()
    assert player.play(0, 3) == []
