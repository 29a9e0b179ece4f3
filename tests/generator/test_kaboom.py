"""Kaboom: as late and as cruel as the board allows, and fair to who must guess."""

from collections import Counter

import pytest

from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.grid import TORUS, Grid
from sapper.core.move import Move
from sapper.core.rng import Rng
from sapper.core.rules import RULES, Start
from sapper.core.status import Status
from sapper.errors import InvalidValueError, LayoutError, TooHardError
from sapper.game.game import Game
from sapper.game.referee import Referee
from sapper.generator import kaboom
from sapper.generator.kaboom import KaboomSource
from sapper.solver.analysis import analyse
from sapper.solver.strategies.least_risk import LeastRiskStrategy

SMALL = Grid(7, 6)


def _referee(seed: int, rules: str = "modern", grid: Grid = SMALL, mine_count: int = 9) -> Referee:
    return Referee(rules=RULES[rules], source=KaboomSource(grid, mine_count, seed, RULES[rules].start))


@pytest.mark.parametrize("rules", ["modern", "classic", "engine", "formal", "jminesweeper"])
def test_who_reveals_what_is_safe_and_guesses_only_when_forced_wins(rules: str) -> None:
    for seed in range(6):
        game = Game(rules=RULES[rules], source=KaboomSource(Grid(7, 6), 9, seed, RULES[rules].start))
        player = LeastRiskStrategy(Rng(0))
        while not game.status.ended:
            game.play(player.choose(game.board).move)
        assert game.status is Status.WON
        assert game.layout.mine_count == 9


def test_a_needless_risk_is_always_a_mine_and_a_forced_guess_never() -> None:
    """Every covered cell is tried at every board of some games, each in a world of its own."""
    met: Counter[str] = Counter()
    for seed in range(5):
        referee = _referee(seed)
        referee.play(Move.reveal(Cell(0)))  # in the corner: fewer games open at once
        player = LeastRiskStrategy(Rng(0))
        while not referee.status.ended:
            board = referee.board
            analysis = analyse(board)
            for cell in board.covered:
                saved = referee.snapshot()
                update = referee.play(Move.reveal(cell))
                may_be_safe = cell not in analysis.mined
                expected = cell in analysis.safe or (may_be_safe and not analysis.safe)
                assert (update.status is not Status.LOST) == expected
                assert referee.layout is not None
                assert referee.layout.agrees_with(referee.board)
                assert referee.layout.mine_count == referee.mine_count
                met["safe" if cell in analysis.safe else "forced" if expected else "punished"] += 1
                referee.restore(saved)
            referee.play(player.choose(board).move)
    assert min(met["safe"], met["forced"], met["punished"]) > 10


@pytest.mark.parametrize("start", list(Start))
def test_the_first_reveal_is_a_forced_guess_under_every_start_rule(start: Start) -> None:
    for seed in range(20):
        source = KaboomSource(Grid(4, 4), 6, seed, start)
        game = Game(rules=RULES["classic"].replace(start=start), source=source)
        game.reveal(5)
        assert game.board.clue(5) == 0 if start is Start.OPEN else game.board.clue(5) >= 0
    full = Game(rules=RULES["engine"], source=KaboomSource(Grid(2, 2), 4, 0))
    full.reveal(0)
    assert full.status is Status.LOST


def test_chords_are_reveals_one_after_the_other() -> None:
    lost = 0
    for seed in range(40):
        referee = _referee(seed, rules="classic", grid=Grid(5, 5), mine_count=6)
        referee.play(Move.reveal(Cell(12)))
        clue = referee.board.clue(12)
        near = referee.grid.neighbours(12)
        if clue == 0:
            continue
        for cell in near[:clue]:
            referee.play(Move.flag(cell))
        referee.play(Move.chord(Cell(12)))
        lost += referee.status is Status.LOST
        assert referee.layout is not None
        assert referee.layout.agrees_with(referee.board)
    assert lost > 10  # flags at random are nearly always wrong, and then the mine is found


def test_a_move_taken_back_and_made_again_ends_as_it_did() -> None:
    referee = _referee(3)
    referee.play(Move.reveal(Cell(20)))
    saved = referee.snapshot()
    cells = list(referee.board.covered)
    ends = []
    for _ in range(2):
        for cell in cells[:10]:
            referee.play(Move.reveal(cell))
            ends.append(referee.snapshot())
            referee.restore(saved)
    assert ends[:10] == ends[10:]


def test_other_topologies() -> None:
    referee = _referee(1, grid=Grid(6, 6, TORUS))
    referee.play(Move.reveal(Cell(0)))
    assert referee.board.clue(0) == 0


def test_a_board_too_hard_is_played_on_with_the_last_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    referee = _referee(2)
    referee.play(Move.reveal(Cell(20)))
    layout = referee.layout
    assert layout is not None

    def too_hard(board: Board) -> object:
        raise TooHardError("too hard", cap=1)

    monkeypatch.setattr(kaboom, "analyse", too_hard)
    cell = next(iter(referee.board.covered - layout.mines))
    referee.play(Move.reveal(cell))
    assert referee.layout == layout
    other = KaboomSource(Grid(7, 6), 9, 2)
    with pytest.raises(TooHardError):
        other.generate(referee.board, next(iter(referee.board.covered)))


def test_what_cannot_be() -> None:
    with pytest.raises(LayoutError):
        KaboomSource(Grid(2, 2), 5, 0)
    with pytest.raises(InvalidValueError):
        KaboomSource(Grid(2, 2), 1, -1)
    source = KaboomSource(Grid(2, 2), 1, 0)
    assert (source.grid, source.mine_count, source.is_fixed, source.start()) == (Grid(2, 2), 1, False, None)


def test_marks_are_opinions() -> None:
    """The same reveals give the same game whatever was flagged."""
    plain, marked = _referee(9), _referee(9)
    for referee in (plain, marked):
        referee.play(Move.reveal(Cell(20)))
    covered = list(plain.board.covered)
    marked.play(Move.flag(covered[-1]))
    for referee in (plain, marked):
        referee.play(Move.reveal(covered[0]))
    assert plain.layout == marked.layout
    assert marked.board.flagged <= CellSet.of(covered)
