"""The bot: its games are won or lost and nothing else, whatever the rules; and it tells every move."""

from collections.abc import Callable

import pytest
from hypothesis import given, strategies as st

from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.coordinates import cell_name
from sapper.core.move import Action, Move
from sapper.core.preset import PRESETS, Preset
from sapper.core.rules import RULES
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.errors import StrategyError, TooHardError
from sapper.generator.new_game import new_game
from sapper.kata.bot import VIEWS, Turn, play, seed_of_game, strategy_rng, summary
from sapper.session.game_request import coded_game, new_session
from sapper.solver.strategies.base import Choice
from sapper.solver.strategies.registry import STRATEGIES, find_strategy
from tests.strategies import seeds, small_presets

every_strategy = pytest.mark.parametrize("name", ["random", "single"])


def _turns(preset: str | Preset, seed: int, name: str = "single") -> list[Turn]:
    return list(play(new_game(preset, seed=seed), find_strategy(name)(strategy_rng(seed))))


# --- UAT 9.1 ----------------------------------------------------------------------------------------


@every_strategy
@given(preset=small_presets(), seed=seeds)
def test_it_loses_or_wins_and_no_other_outcome_is_possible(name: str, preset: Preset, seed: int) -> None:
    game = new_game(preset, seed=seed)
    turns = list(play(game, find_strategy(name)(strategy_rng(seed))))
    assert game.status in (Status.WON, Status.LOST)
    assert game.board.tiles.count(Tile.EXPLODED) == (game.status is Status.LOST)
    assert [turn.number for turn in turns] == list(range(1, len(turns) + 1))
    assert all(turn.board.status is Status.PLAYING for turn in turns[:-1])
    assert turns[-1].board == game.board
    assert game.board.is_won == turns[-1].answer.printed.endswith("the land is cleared! GOOD JOB!")
    assert (game.status is Status.LOST) == turns[-1].answer.printed.endswith("BOOM! \u2013 Game Over.")


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", STRATEGIES)
def test_it_ends_in_every_preset_with_every_strategy(name: str, preset: str) -> None:
    assert _turns(preset, 1, name)[-1].board.status in (Status.WON, Status.LOST)


def test_where_flags_win_it_flags_when_only_mines_are_left() -> None:
    turns = next(turns for seed in range(50) if (turns := _turns("jminesweeper-1", seed))[-1].board.is_won)
    actions = [turn.choice.move.action for turn in turns]
    flags = PRESETS["jminesweeper-1"].mine_counts[0]
    assert actions[-flags:] == [Action.FLAG] * flags
    assert set(actions[:-flags]) == {Action.REVEAL}


@pytest.mark.parametrize(
    ("preset", "first", "risk"),
    [("expert", (3, 3), 0.0), ("intermediate", (2, 2), 0.0), ("beginner", (2, 2), 0.0), ("engine", (0, 0), None)],
)
@pytest.mark.parametrize("name", STRATEGIES)
def test_it_begins_where_simulated_games_do(name: str, preset: str, first: tuple[int, int], risk: float | None) -> None:
    game = new_game(preset, seed=4)
    turn = next(play(game, find_strategy(name)(strategy_rng(4))))
    assert (turn.choice.move, turn.choice.risk) == (Move.reveal(game.grid.cell(*first)), risk)


def test_where_all_cells_are_mines_the_strategy_begins() -> None:
    preset = Preset(name="x", rules=RULES["formal"], width=3, height=3, mine_counts=(9,))
    assert {turn.choice.move.action for turn in _turns(preset, 1, "least-risk")} == {Action.FLAG}


# --- seeds -------------------------------------------------------------------------------------------


@given(seed=seeds, number=st.integers(0, 1000))
def test_the_games_of_a_series_have_seeds_of_their_own(seed: int, number: int) -> None:
    assert seed_of_game(seed, 0) == seed
    assert seed_of_game(seed, number) != seed_of_game(seed, number + 1)
    assert 0 <= seed_of_game(seed, number) < 2**64


# --- strategies that break their contract ---------------------------------------------------------------


class _Player:
    """A strategy that does what it is told."""

    def __init__(self, choose: Callable[[Board], Move]) -> None:
        self._choose = choose

    def choose(self, board: Board) -> Choice:
        return Choice(self._choose(board), "because")


def _fail(board: Board) -> Move:
    raise ZeroDivisionError("division by zero")


def _give_up_later(board: Board) -> Move:
    raise TooHardError("too many states", cap=5)


def _mark_for_ever(board: Board) -> Move:
    return Move.flag(8) if board.tiles[8] == Tile.COVERED else Move.unflag(8)


@pytest.mark.parametrize(
    ("choose", "message"),
    [
        (lambda board: Move.unflag(4), r"strategy _Player chose Move.unflag\(4\) as move 2: b2 has no flag"),
        (lambda board: Move.terminate(), "strategy _Player gave up at move 2"),
        (_fail, "strategy _Player raised ZeroDivisionError: division by zero"),
        (_mark_for_ever, "strategy _Player set 37 marks without a reveal: the game has no end"),
    ],
)
def test_a_strategy_that_would_not_end_the_game_is_an_error(choose: Callable[[Board], Move], message: str) -> None:
    with pytest.raises(StrategyError, match=message):
        list(play(new_game("kata", seed=1), _Player(choose)))


def test_an_error_on_purpose_stays_what_it_is() -> None:
    with pytest.raises(TooHardError):
        list(play(new_game("kata", seed=1), _Player(_give_up_later)))


# --- words ---------------------------------------------------------------------------------------------


def test_the_kata_s_view() -> None:
    view = VIEWS["kata"]
    frame = "+-+-+-+\n" + "| | | |\n+-+-+-+\n" * 3
    assert view.created(new_game("kata", seed=1).board) == f"{frame}[Sandbox 3x3] Game created"
    turn = _turns("kata", 1)[0]
    first, *board, message = view.turn(turn).split("\n")
    x, y = turn.board.grid.xy(turn.choice.move.cell)
    assert first == f"1: step on {x};{2 - y} ({turn.choice.reason})"
    assert len(board) == 7
    assert message == turn.answer.printed


def test_the_plain_view() -> None:
    view = VIEWS["text"]
    assert view.created(new_game("kata", seed=1).board) == "###\n###\n###"
    turn = _turns("kata", 1)[0]
    cell = cell_name(turn.board.grid, turn.choice.move.cell)
    assert view.turn(turn).startswith(f"1: reveal {cell} ({turn.choice.reason})\n")
    for seed in range(6):
        last = _turns("kata", seed)[-1]
        said = view.turn(last)
        assert "Sandbox" not in said
        assert said.endswith("\na mine exploded") is (last.board.status is Status.LOST)


def test_reasons_name_squares_as_the_view_does() -> None:
    turn = next(turn for turn in _turns("beginner", 3) if "has all its mines" in turn.choice.reason)
    assert turn.choice.reason in VIEWS["text"].turn(turn)
    first = VIEWS["kata"].turn(turn).split("\n")[0]
    square = first.split(" ")[3]
    assert first.endswith(f": {square} is safe)")
    assert "(x" not in first


@pytest.mark.parametrize("name", VIEWS)
def test_every_action_of_a_game_has_words(name: str) -> None:
    view = VIEWS[name]
    assert view.name == name
    board = new_game("kata", seed=1).board
    actions = [action for action in Action if action is not Action.TERMINATE]
    words = {view.move(board, Move(action, Cell(4))) for action in actions}
    assert len(words) == len(actions)
    assert all("1;1" in text or "b2" in text for text in words)


def test_the_message_can_be_painted() -> None:
    turn = _turns("kata", 1)[-1]
    painted = VIEWS["kata"].turn(turn, paint=lambda board, text: f"<{board.status.value}: {text}>")
    assert painted.endswith(f"<{turn.board.status.value}: {turn.answer.printed}>")


@pytest.mark.parametrize(
    ("games", "won", "text"),
    [
        (1, 1, "1 game: 1 won, 0 lost (100.0 % won)"),
        (3, 1, "3 games: 1 won, 2 lost (33.3 % won)"),
        (0, 0, "0 games: 0 won, 0 lost"),
    ],
)
def test_the_summary(games: int, won: int, text: str) -> None:
    assert summary(games, won) == text


# --- in time --------------------------------------------------------------------------------------------


def test_it_plays_a_session_as_it_plays_a_game() -> None:
    session, referee = new_session(coded_game("beginner", seed=5), clock=lambda: 0)
    turns = list(play(session, find_strategy("single")(strategy_rng(5))))
    assert turns == _turns("beginner", 5)
    assert [one.move for one in session.played] == [turn.choice.move for turn in turns]
    assert session.layout == referee.layout
