"""What choices lost in a game."""

from dataclasses import replace

import pytest

from sapper.core.cells import CellSet
from sapper.core.grid import Grid
from sapper.core.move import Move
from sapper.core.record import Record, TimedMove
from sapper.core.rng import Rng
from sapper.core.rules import RULES, Start
from sapper.game.layout import Layout
from sapper.game.referee import Referee
from sapper.game.source import FixedLayout
from sapper.generator.new_game import new_game
from sapper.review.judging import review_game
from sapper.solver.strategies.registry import find_strategy
from tests.sizes import sized

LAYOUT = Layout(Grid(3, 1), CellSet.of([0]))


def _played(moves: list[Move]) -> Record:
    referee = Referee(rules=RULES["classic"].replace(start=Start.ANY), source=FixedLayout(LAYOUT))
    played = tuple(TimedMove(100 * at, move, referee.play(move)) for at, move in enumerate(moves))
    mines = LAYOUT.mines if referee.status.ended else None
    return Record(rules=referee.board.rules, grid=LAYOUT.grid, mine_count=1, mines=mines, played=played)


def test_what_is_lost_by_giving_up_is_all_that_was_left() -> None:
    moves = [Move.reveal(1), Move.reveal(0)]  # a third is lost by beginning in the middle; then a 50/50
    lost = [review_game(_played(some)).lost for some in (moves, moves[:1], [moves[0], Move.terminate()])]
    assert lost == pytest.approx([1 / 3, 5 / 6, 5 / 6])
    assert review_game(_played([])).lost == 1
    shortened = replace(_played(moves), left_out=1)  # what is left out is not judged
    assert review_game(shortened).lost == pytest.approx(5 / 6)


def _game_of(name: str, seed: int) -> Record:
    game, strategy = new_game("beginner", seed=seed), find_strategy(name)(Rng(seed))
    played: list[TimedMove] = []
    while not game.board.status.ended:
        move = strategy.choose(game.board).move
        played.append(TimedMove(100 * len(played), move, game.play(move)))
    return Record(
        rules=game.board.rules, grid=game.grid, mine_count=10, mines=game.layout.mines, played=tuple(played)
    )  # fmt: skip


def test_the_better_a_player_the_less_is_lost() -> None:
    """Best play loses nothing, and what others lose is, on average, what they win less often."""
    lost = {}
    for name in ("best-reply", "least-risk", "subset", "random"):
        games = [review_game(_game_of(name, seed)).lost for seed in range(sized(40, 200))]
        assert None not in games
        lost[name] = sum(one or 0.0 for one in games) / len(games)
    assert lost["best-reply"] < 0.001
    assert lost["best-reply"] <= lost["least-risk"] < lost["subset"] < lost["random"]
    assert lost["random"] > 0.5
