"""Two worlds: the same moves on another layout that agrees with all that was seen show the same, to the byte.

What is compared is in `tests.worlds`: a row for everything that is shown of a game or worked out from a board.
"""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, given, settings

from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.grid import Grid
from sapper.core.move import Move
from sapper.core.rng import Rng
from sapper.core.rules import RULES, Rules, Start, Win
from sapper.core.update import Update
from sapper.game.game import Game
from sapper.game.layout import Layout
from sapper.game.referee import Referee
from tests.playing import Script, layout_of, play
from tests.sizes import sized
from tests.strategies import any_rules, layouts, scripts, seeds
from tests.worlds import CHOOSERS, VIEWS, other_worlds


class Delayed:
    """A source that has its layout, and gives it when the start rule says."""

    is_fixed = True

    def __init__(self, layout: Layout, start: Start) -> None:
        self.grid: Grid = layout.grid
        self.mine_count = layout.mine_count
        self._layout = layout
        self._start = start

    @property
    def safe_first(self) -> None:
        return None

    @property
    def promise(self) -> None:
        return None

    def start(self) -> Layout | None:
        return self._layout if self._start is Start.ANY else None

    def generate(self, board: Board, cell: Cell) -> Layout:
        return self._layout


def _start(rules: Rules, layout: Layout) -> tuple[Game, Referee]:
    referee = Referee(rules=rules, source=Delayed(layout, rules.start))
    return Game.of(referee), referee


def _shown(game: Game, update: Update) -> dict[str, Any]:
    return {name: view(game, update) for name, view in VIEWS.items()}


def _compare(rules: Rules, truth: Layout, other: Layout, moves: list[Move], *, work_out: bool) -> int:
    """Play the moves in both worlds until a player could tell them apart; how many were the same."""
    (one, _), (two, _) = _start(rules, truth), _start(rules, other)
    nothing = Update.nothing(one.status)
    assert _shown(one, nothing) == _shown(two, nothing)
    for number, move in enumerate(moves):
        first, second = one.play(move), two.play(move)
        if rules.win is not Win.REVEALED and one.board.flagged in (truth.mines, other.mines):
            return number  # that marks win, or do not, is to be seen
        assert _shown(one, first) == _shown(two, second)
        if work_out and not one.status.ended:
            for name, choose in CHOOSERS.items():
                assert choose(one.board) == choose(two.board), name
    return len(moves)


@pytest.mark.requirement("cb6545f1")
@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
@settings(max_examples=sized(5, 20))
@given(truth=layouts(), script=scripts(12), seed=seeds)
def test_what_is_shown_does_not_depend_on_what_nobody_saw(
    rules: Rules, truth: Layout, script: Script, seed: int
) -> None:
    _try(rules, truth, script, seed)


@settings(max_examples=sized(10, 30))
@given(any_rules(), layouts(), scripts(12), seeds)
def test_so_it_is_with_any_rules(rules: Rules, truth: Layout, script: Script, seed: int) -> None:
    _try(rules, truth, script, seed)


def _try(rules: Rules, truth: Layout, script: Script, seed: int) -> None:
    _, referee = _start(rules, truth)
    steps = [step for step in play(referee, script) if not step.after.status.ended]
    board = steps[-1].after if steps else referee.board
    assume(not board.status.ended)
    other = next(other_worlds(board, truth, Rng(seed)), None)
    assume(other is not None)
    assert other is not None
    _compare(rules, truth, other, [step.move for step in steps], work_out=truth.grid.size <= 40)


# --- the test itself can fail -------------------------------------------------------------------------


TRUTH = layout_of("*..../...../....*")
OTHER = layout_of("*..../...../...*.")
MOVES = [Move.flag(3), Move.reveal(1), Move.unflag(3), Move.reveal(5)]


@pytest.mark.parametrize(
    "peek",
    [lambda game, update: game._Game__referee.layout.mines.mask, lambda game, update: game._Game__referee.snapshot()],
)
def test_a_view_that_peeks_is_caught(peek: Callable[[Game, Update], object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(VIEWS, "peeking", peek)
    with pytest.raises(AssertionError):
        _compare(RULES["engine"], TRUTH, OTHER, MOVES, work_out=False)


def test_most_games_have_another_world() -> None:
    """The property above would be worth nothing if it were mostly assumed away."""
    found = 0
    for number in range(50):
        _, referee = _start(RULES["modern"].replace(start=Start.ANY), layout_of("*...*/.*.../...*./*..../..*.."))
        list(play(referee, [("safe", number), ("mine", number), ("safe", 3 * number)]))
        found += any(True for _ in other_worlds(referee.board, referee.layout or TRUTH, Rng(number)))
    assert found > 40
