"""What is known of a game beyond its clues belongs to the judgement: no guesses, Kaboom, a first cell that is known to be safe."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.grid import Grid
from sapper.core.move import Move
from sapper.core.notation import read_board
from sapper.core.record import Record, TimedMove
from sapper.core.rng import Rng
from sapper.core.rules import RULES, Promise, Start
from sapper.core.status import Status
from sapper.generator.game_code import CodedGame, game_of_code
from sapper.generator.layout_spec import LayoutSpec
from sapper.generator.new_game import new_game
from sapper.review.judging import sample_wins
from sapper.review.reviewing import review_game
from sapper.review.values import MoveVerdict
from sapper.session.storing import guesses_in
from sapper.solver.advice import advice_of
from sapper.solver.analysis import analyse
from sapper.solver.win import win_chance
from tests.halves import by_reference


def _no_guess(start: Start, *, seed: int = 5) -> CodedGame:
    grid, first = Grid(16, 16), Cell(34)
    rules = RULES["modern"].replace(start=start)
    spec = LayoutSpec(grid=grid, mine_count=40, start=start, first=first, no_guess=True)
    return game_of_code(CodedGame(rules=rules, grid=grid, mine_count=40, first=first, seed=seed, spec=spec).code)


def _kaboom(seed: int) -> CodedGame:
    return CodedGame(rules=RULES["modern"], grid=Grid(9, 9), mine_count=18, seed=seed, kaboom=True)


class _Play:
    """A game of a code, and the record of it."""

    def __init__(self, game: CodedGame) -> None:
        self._game = game
        self._referee = game.referee()
        self._played: list[TimedMove] = []

    @property
    def board(self) -> Board:
        return self._referee.board

    def reveal(self, cell: int) -> None:
        move = Move.reveal(cell)
        self._played.append(TimedMove(len(self._played), move, self._referee.play(move)))

    def all_that_is_safe(self) -> Iterator[Board]:
        """The boards on which nothing is safe any more, or that have ended."""
        while not self.board.status.ended:
            safe = analyse(self.board).safe
            if not safe:
                yield self.board
            for cell in safe:
                if self.board.is_legal(Move.reveal(cell)):
                    self.reveal(cell)

    def record(self) -> Record:
        mines = self._referee.layout_at_the_end.mines if self.board.status.ended else None
        game = self._game
        return Record(
            rules=game.rules, grid=game.grid, mine_count=game.mine_count, code=game.code, mines=mines, played=tuple(self._played)
        )  # fmt: skip


@pytest.mark.parametrize("start", [Start.OPEN, Start.ANY])
def test_a_board_that_needs_no_guess_is_won_for_certain_and_without_luck(start: Start) -> None:
    play = _Play(_no_guess(start))
    first = win_chance(play.board)
    assert first.win == first.exact == 1
    assert first.best is not None
    assert (first.best.cell, first.best.risk) == (34, 0.0)
    play.reveal(34)
    assert win_chance(play.board).exact == 1
    assert list(play.all_that_is_safe()) == []
    assert play.board.status is Status.WON
    review = review_game(play.record())
    assert (review.win_first, review.win_last, review.cost, review.luck, review.accuracy) == (1.0, 1.0, 0.0, 0.0, 1.0)
    assert review.turning_point is None
    assert review.moves[0].verdict is MoveVerdict.FIRST
    assert all(one.exact for one in review.moves)


def test_a_guess_on_such_a_board_costs_its_risk() -> None:
    play = _Play(_no_guess(Start.OPEN))
    play.reveal(34)
    analysis = analyse(play.board)
    layout = _no_guess(Start.OPEN).generate()
    assert layout is not None
    cell = next(cell for cell, risk in analysis.risks().items() if 0 < risk < 1 and not layout.is_mine(cell))
    play.reveal(cell)
    assert win_chance(play.board).exact == 1  # whoever survives goes on without a guess
    guess = review_game(play.record()).moves[-1]
    assert guess.verdict is MoveVerdict.NEEDLESS_GUESS
    assert (guess.win_before, guess.win_after) == (1.0, 1.0)
    assert guess.cost == pytest.approx(guess.risk)
    assert guess.luck == pytest.approx(guess.risk)


def test_a_game_that_is_begun_elsewhere_is_promised_nothing() -> None:
    play = _Play(_no_guess(Start.ANY))
    layout = _no_guess(Start.ANY).generate()
    assert layout is not None
    assert play.board.promise is Promise.NO_GUESS
    play.reveal(next(cell for cell in range(256) if layout.clues[cell] == 1))
    begun = play.board
    assert begun.promise is None
    assert (win_chance(begun).win or 0.0) < 1
    review = review_game(play.record())
    assert review.moves[0].verdict is MoveVerdict.NEEDLESS_GUESS  # the first cell was known
    assert (review.moves[0].win_after or 0.0) < 1


def test_forced_guesses_of_kaboom_are_safe_and_no_luck() -> None:
    play = _Play(_kaboom(9))
    assert win_chance(play.board).exact == 1
    play.reveal(20)
    forced = 0
    for board in play.all_that_is_safe():
        forced += 1
        chance = win_chance(board)
        assert chance.exact == 1
        assert chance.best is not None
        assert chance.best.risk == 0
        assert sum(share for _, share in chance.best.clues) == pytest.approx(1)
        assert "Kaboom" in (advice_of(chance) or "")
        play.reveal(chance.best.cell)
    assert forced
    assert play.board.status is Status.WON
    review = review_game(play.record())
    assert (review.win_first, review.luck, review.cost, review.survival) == (1.0, 0.0, 0.0, 1.0)
    assert review.count(MoveVerdict.RIGHT_GUESS) == forced
    assert guesses_in(play.record()) == []  # nor is it luck over time


def test_a_needless_guess_of_kaboom_is_a_mine_and_no_luck() -> None:
    play = _Play(_kaboom(2))
    play.reveal(40)
    analysis = analyse(play.board)
    assert analysis.safe
    play.reveal(next(cell for cell, risk in analysis.risks().items() if 0 < risk < 1))
    assert play.board.status is Status.LOST
    guess = review_game(play.record()).moves[-1]
    assert (guess.verdict, guess.risk) == (MoveVerdict.NEEDLESS_GUESS, 1.0)
    assert [(one.risk, one.exploded) for one in guesses_in(play.record())] == [(1.0, True)]
    assert (guess.win_before, guess.win_by_move, guess.win_after, guess.luck) == (1.0, 0.0, 0.0, 0.0)


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
