"""Whose guesses advice names: what a strategy thinks becomes what is said of winning, within what is proved."""

from collections.abc import Callable, Iterator

import pytest

from sapper._kernels import batch
from sapper._kernels.native.deciding import Decider
from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.move import Move
from sapper.core.notation import read_board
from sapper.core.rng import Rng
from sapper.errors import UnknownNameError
from sapper.generator.new_game import new_game
from sapper.solver.advisor import ADVISORS, Advisor, AdvisorName
from sapper.solver.analysis import analyse
from sapper.solver.hint import hint
from sapper.solver.strategies.best_reply import BestReplyStrategy, SecondOpinionStrategy
from sapper.solver.win import WinChance, win_chance, win_chance_of
from tests.solver.test_playouts import FORCED


def _guesses(games: int) -> Iterator[tuple[Board, Cell]]:
    """Boards of Expert games whose chance to win is not exact, and what `best-reply` plays there."""
    for seed in range(games):
        game, strategy = new_game("expert", seed=seed), BestReplyStrategy(Rng(0))
        while not game.board.status.ended:
            choice = strategy.choose(game.board)
            if choice.risk and win_chance_of(analyse(game.board), parts=None).exact is None:
                assert choice.move.cell is not None
                yield game.board, choice.move.cell
            game.play(choice.move)


def _assert_coherent(chance: WinChance) -> None:
    """The first candidate wins what the board does, and nothing wins more; all within what is proved."""
    best = chance.best
    assert best is not None
    assert best.win is not None
    assert best.win == chance.win
    assert best.cell in chance.level
    for one in chance.candidates:
        assert one.win is None or one.win_low <= one.win <= min(one.win_high, best.win)
    assert chance.of(chance.analysis.least_risky or 0) is not None


def test_the_guess_of_best_reply_is_named_and_wins_what_the_board_does(half: str) -> None:
    boards = list(_guesses(3))
    plain = [win_chance(board) for board, _ in boards]
    for (board, cell), before in zip(boards, plain, strict=True):
        (step,) = hint(board, advisor=Advisor(strategy="best-reply")).steps
        assert step.chance is not None
        assert step.best == cell
        assert (step.chance.win is None) == (half == "reference")
        assert (
            hint(board, advisor=Advisor(strategy="best-reply")).text
            == hint(board, advisor=Advisor(strategy="best-reply")).text
        )
        if half == "native":
            _assert_coherent(step.chance)
            assert before.win == pytest.approx(step.chance.win, abs=0.1)


def test_playouts_say_what_guesses_win(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "parts_of", {"playouts@0.500s": batch.PLAYOUTS}.get)
    for board, _ in _guesses(2):
        chosen = SecondOpinionStrategy(Rng(0), batch.PLAYOUTS).best(analyse(board))
        assert chosen is not None
        chance = win_chance_of(analyse(board), parts=Advisor("playouts").parts)
        assert chance.best is not None
        assert chance.best.cell == chosen.cell
        _assert_coherent(chance)


def test_without_an_advisor_it_is_the_second_opinion() -> None:
    for board, _ in _guesses(1):
        assert hint(board) == hint(board, advisor=Advisor())
        assert win_chance(board) == win_chance_of(analyse(board), parts=Advisor().parts)


@pytest.mark.parametrize(
    "board", [read_board("3x2/2\n###\n121"), read_board("2x2/1\n1#\n##")], ids=["a safe cell", "exact"]
)
def test_where_all_is_known_no_strategy_is_asked(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "make_decider", lambda *_: pytest.fail("asked"))
    assert win_chance(board).exact is not None


def test_who_may_advise() -> None:
    with pytest.raises(UnknownNameError, match="best-reply"):
        Advisor("least-risk")  # type: ignore[arg-type]
    assert Advisor("playouts", seconds=0.1).strategy == "playouts"


@pytest.mark.usefixtures("half")
def test_the_second_opinion_advises_the_same_each_time() -> None:
    for board, _ in list(_guesses(2)):
        analysis = analyse(board)
        expected = SecondOpinionStrategy(Rng(1)).best(analysis)
        assert expected is not None
        for _ in range(2):
            (step,) = hint(board, advisor=Advisor()).steps
            assert step.best == expected.cell


@pytest.mark.parametrize("strategy", ADVISORS)
def test_the_chance_to_win_sees_guesses_that_are_forced_later(strategy: AdvisorName) -> None:
    told = win_chance_of(analyse(read_board(FORCED)), parts=Advisor(strategy).parts)
    assert told.win == pytest.approx(0.175, abs=0.06)
    _assert_coherent(told)


@pytest.mark.parametrize("strategy", ["best-reply", "second-opinion"])
def test_a_very_large_board_gets_no_more_work_than_others(
    strategy: AdvisorName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Too few layouts can be played out there to say what is won."""
    game = new_game("140x140/4300", seed=1)
    first = game.board.first_cell
    assert first is not None
    game.play(Move.reveal(first))
    played: list[int] = []
    monkeypatch.setattr(Decider, "play", _counted(Decider.play, played))
    told = win_chance_of(analyse(game.board), parts=Advisor(strategy).parts)
    assert told.win is None
    assert "too large" in (told.reason or "")
    assert 0 < sum(played) < 32


def _counted(play: Callable[[Decider, int], int], played: list[int]) -> Callable[[Decider, int], int]:
    def counted(decider: Decider, layouts: int) -> int:
        played.append(play(decider, layouts))
        return played[-1]

    return counted
