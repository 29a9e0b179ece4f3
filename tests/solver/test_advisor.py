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
from sapper.solver import advisor as module
from sapper.solver.advisor import ADVISORS, Advisor, AdvisorName
from sapper.solver.analysis import analyse
from sapper.solver.hint import hint
from sapper.solver.strategies.best_reply import BestReplyStrategy, SecondOpinionStrategy
from sapper.solver.strategies.least_risk import Best
from sapper.solver.win import WinChance, win_chance, win_chance_of
from tests import halves


def _guesses(games: int) -> Iterator[tuple[Board, Cell]]:
    """Boards of Expert games whose chance to win is an estimate, and what `best-reply` plays there."""
    for seed in range(games):
        game, strategy = new_game("expert", seed=seed), BestReplyStrategy(Rng(0))
        while not game.board.status.ended:
            choice = strategy.choose(game.board)
            if choice.risk and win_chance(game.board).estimated:
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
        assert step.chance.win is not None
        assert step.chance.win == before.win or half == "native"  # there, playouts say it
        assert (
            hint(board, advisor=Advisor(strategy="best-reply")).text
            == hint(board, advisor=Advisor(strategy="best-reply")).text
        )
        _assert_coherent(step.chance)
    assert any(
        before.best is not None and before.best.cell != cell for (_, cell), before in zip(boards, plain, strict=True)
    )


def test_playouts_say_what_guesses_win(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = batch.PLAYOUTS._replace(playouts=2_000)
    monkeypatch.setattr(batch, "parts_of", {"playouts@0.500s": parts}.get)
    advisor = Advisor(strategy="playouts")
    for board, _ in _guesses(2):
        analysis = analyse(board)
        played = SecondOpinionStrategy(Rng(0), parts).best(analysis)
        assert played is not None
        assert played.wins
        chance = advisor.advised(win_chance_of(analysis))
        assert chance.best is not None
        assert chance.best.cell == played.cell
        assert chance.win == pytest.approx(played.wins[played.cell])
        assert set(played.wins) <= {one.cell for one in chance.candidates}
        _assert_coherent(chance)


def test_a_guess_that_was_not_listed_is_looked_at_too() -> None:
    board, _ = next(_guesses(1))
    before = win_chance(board)
    cell = next(one for one in before.analysis.uncertain if before.of(one) is None)
    risk = before.analysis.risk(cell)
    after = module._with_opinion(before, Best(cell, "", risk, {cell: 0.25, before.candidates[0].cell: 0.5}))
    assert after.best is not None
    assert after.best.cell == cell
    assert after.best.risk == pytest.approx(risk)
    assert sum(share for _, share in after.best.clues) == pytest.approx(1 - risk)
    # The other is no better, but for chance: else it would have been chosen.
    assert [one.win for one in after.candidates if one.win is not None] == [0.25, 0.25]
    _assert_coherent(after)


def test_estimates_stay_within_what_is_proved() -> None:
    board, _ = next(_guesses(1))
    before = win_chance(board)
    assert before.best is not None
    for told, win in ((1.0, before.best.win_high), (0.0, before.best.win_low)):
        after = module._with_opinion(before, Best(before.best.cell, "", before.best.risk, {before.best.cell: told}))
        assert after.win == win
        _assert_coherent(after)


@pytest.mark.parametrize(
    "board",
    [read_board("3x2/2\n###\n121"), read_board("2x2/1\n1#\n##"), new_game("expert", seed=0).board],
    ids=["a safe cell", "exact", "a protected first reveal"],
)
def test_where_all_is_known_no_strategy_is_asked(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Advisor, "_strategy", lambda *_: pytest.fail("asked"))
    before = win_chance(board)
    assert Advisor().advised(before) is before


def test_flags_that_are_trusted_say_more_than_a_strategy_believes() -> None:
    board, _ = next(_guesses(1))
    mine = next(iter(analyse(board).mined))
    tiles = bytearray(board.tiles)
    tiles[mine] = 10
    flagged = Board(
        grid=board.grid, rules=board.rules, mine_count=board.mine_count, tiles=bytes(tiles), status=board.status
    )
    before = win_chance(flagged, trust_flags=True)
    assert Advisor().advised(before) is before


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


FORCED = """30x16/99
#1.2####11#21.2###############
11.3####322#1.2###############
...2#####1233225##############
11.12333212##2#3##3#2#########
#3211...113#322332212#########
##3#21..1#211.1#22211#########
3#32#21.222...112##11#########
11123#1.1#1..11112322#########
2222#21.112111#1.12#2#########
##3#2211..1#112211#44#########
#5#222#1..12223#212###########
##212#5421.1#2##31234#########
##212####1.112222#11#2#1######
#5#1135#31......22222312######
##31.1#32......12#22#2#2######
##2..12#1......1#22#22########
"""
"""Some pairs of cells of which one is a mine, whatever is played: `best-reply` wins 17.5 % of 16,000 playouts."""


@pytest.mark.parametrize("strategy", ADVISORS)
def test_the_chance_to_win_sees_guesses_that_are_forced_later(strategy: AdvisorName) -> None:
    board = read_board(FORCED)
    estimate = win_chance(board)
    assert estimate.win is not None
    assert estimate.win > 0.5
    told = Advisor(strategy).advised(estimate)
    assert told.win == pytest.approx(0.175, abs=0.06)
    _assert_coherent(told)
    assert told.win is not None
    assert estimate.win is not None
    # With one guess played out, the others win in proportion to their estimates.
    others = {one.cell: one.win for one in estimate.candidates if one.win is not None}
    if strategy == "best-reply":
        for one in told.candidates[1:]:
            assert one.win == pytest.approx(min(others[one.cell] * told.win / estimate.win, told.win))


@pytest.mark.parametrize("strategy", ADVISORS)
def test_the_chance_to_win_of_a_board_with_a_safe_cell_is_played_out_too(strategy: AdvisorName) -> None:
    """A cell that says nothing more is covered again: the board wins what it did."""
    covered = FORCED.replace("...2#####1233225", "#..2#####1233225")
    estimate = win_chance(read_board(covered))
    assert [str(cell) for cell in estimate.analysis.safe] == ["60"]
    told = Advisor(strategy).advised(estimate)
    assert told.win == pytest.approx(0.175, abs=0.06)
    assert {one.win for one in told.candidates} == {told.win}
    assert told.reason is None


def test_without_playouts_the_estimate_is_told() -> None:
    with halves.by("reference"):
        estimate = win_chance(read_board(FORCED))
        assert Advisor("best-reply").advised(estimate).win == estimate.win


@pytest.mark.parametrize("strategy", ["best-reply", "second-opinion"])
def test_a_very_large_board_gets_no_more_work_than_others(
    strategy: AdvisorName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Too few layouts can be played out there to say what is won."""
    game = new_game("150x150/5000", seed=1)
    first = game.board.first_cell
    assert first is not None
    game.play(Move.reveal(first))
    played: list[int] = []
    monkeypatch.setattr(Decider, "play", _counted(Decider.play, played))
    told = Advisor(strategy).advised(win_chance(game.board))
    assert told.win is None
    assert 0 < sum(played) < 32


def _counted(play: Callable[[Decider, int], int], played: list[int]) -> Callable[[Decider, int], int]:
    def counted(decider: Decider, layouts: int) -> int:
        played.append(play(decider, layouts))
        return played[-1]

    return counted
