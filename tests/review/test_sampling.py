"""Guesses that are played on: what is known exactly lies in the interval, the same seed gives the same, on either backend."""

from dataclasses import replace

import pytest

from sapper.core.cells import Cell
from sapper.core.move import Move
from sapper.core.notation import read_board
from sapper.core.record import Record, TimedMove
from sapper.core.rng import Rng
from sapper.generator.new_game import new_game
from sapper.review.reviewing import review_game
from sapper.review.sampling import sample_wins
from sapper.solver.analysis import analyse
from sapper.solver.win import win_chance
from tests.halves import by_reference


@pytest.mark.parametrize(
    "text",
    [
        "3x1/1\n#1#",  # a 50/50
        "2x2/1\n1#\n##",
        "5x4/4\n#####\n#####\n112##\n..1##",
        "4x4/5\nF###\n#2##\n####\n####",  # a flag is an opinion
    ],
)
def test_the_exact_chance_lies_in_the_interval(text: str) -> None:
    board = read_board(text)
    chance = win_chance(board, most_layouts=1_000_000, nodes=10_000_000)
    assert chance.exact is not None
    assert chance.win is not None
    assert chance.best is not None
    plain = replace(board, tiles=board.tiles.replace(b"\x0a", b"\x09"))
    (sampled,) = sample_wins(analyse(plain), [chance.best.cell], Rng(4), 400)
    # What plays on takes the least risk: nobody wins more often than best play does.
    assert sampled.interval.low <= chance.win
    assert sampled.games == 400
    assert sampled.win >= 0.8 * chance.win


def _two_reveals(seed: int) -> Record:
    """The opening of an Expert game, and a reveal far from it, if that goes well."""
    game = new_game("expert", seed=seed)
    moves = [Move.reveal(game.grid.cell(*place)) for place in ((3, 3), (25, 12))]
    played = tuple(TimedMove(0, move, game.play(move)) for move in moves)
    return Record(rules=game.board.rules, grid=game.grid, mine_count=99, played=played)


def test_guesses_without_exact_chances_are_played_on() -> None:
    record = _two_reveals(1)
    plain, deep, again = (review_game(record, deep=True, samples=samples, seed=5) for samples in (0, 30, 30))
    assert deep.moves == again.moves
    assert plain.moves == tuple(replace(one, sampled=()) for one in deep.moves)
    first, second = deep.moves
    assert first.sampled == ()
    assert not second.exact
    assert [one.cell for one in second.sampled] == [second.move.cell, second.best]
    made, best = second.sampled
    # On the same layouts: what is certain to be safe cannot do much worse.
    assert made.games == best.games == 30
    assert 0 < made.won <= best.won + 3
    assert review_game(record, deep=True, samples=30, seed=6).moves[1].sampled != second.sampled


def test_both_halves_play_the_same_games() -> None:
    board = read_board("9x9/10\n" + "#########\n" * 6 + "111######\n..1######\n..1######\n")
    cells = [Cell(0), Cell(40)]
    quick = sample_wins(analyse(board), cells, Rng(3), 30)
    with by_reference():
        plain = sample_wins(analyse(board), cells, Rng(3), 30)
    assert quick == plain
    assert 0 < quick[0].won < 30
