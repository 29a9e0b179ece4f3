"""The bot's games are recorded when asked, as a bot's, with what was claimed and what was true."""

from dataclasses import replace
from pathlib import Path

import pytest

from sapper.cli.bot_recording import BotRecorder, guess_of
from sapper.cli.main import main
from sapper.core.board import Board
from sapper.core.move import Move
from sapper.core.notation import read_board
from sapper.core.preset import find_preset
from sapper.core.status import Status
from sapper.kata.bot import Turn, play, strategy_rng
from sapper.kata.messages import answer
from sapper.solver.strategies.base import Choice
from sapper.solver.strategies.registry import find_strategy
from sapper.store.models import Category, Result, StoredGame, StoredGuess
from sapper.store.repository import open_store
from tests.recorded import check_stored
from tests.stored import BEGIN


def test_games_are_recorded_when_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.db"
    monkeypatch.setenv("SAPPER_DATABASE", str(path))
    words = ["bot", "--seed", "4", "--preset", "beginner"]
    assert main([*words, "--quiet"]) == 0
    assert not path.exists()
    assert main([*words, "--games", "2", "--record", "--json", "--strategy", "exact"]) == 0
    with open_store(path) as store:
        games = list(store.games())
    assert [(game.category, game.strategy, game.face) for game in games] == [(Category.BOT, "exact", "bot")] * 2
    first = games[0]
    assert (first.seed, first.kind.preset, first.kind.mines, first.hints) == (4, "beginner", 10, 0)
    assert first.time_ms is not None
    assert [check_stored(game).player for game in games] == ["exact", "exact"]
    assert first.bbbv
    if first.result is Result.WON:
        assert first.solved_bbbv == first.bbbv
    # This strategy guesses only where it must.
    assert all(guess.forced for game in games for guess in game.guesses)


def test_recording_changes_no_game(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = [
        "bot",
        "--seed",
        "7",
        "--games",
        "3",
        "--quiet",
        "--rules",
        "modern+start=safe",
        "--size",
        "6x5",
        "--mines",
        "8",
    ]
    assert main(words) == 0
    alone = capsys.readouterr().out.splitlines()[1:]
    assert main([*words, "--record", "--database", str(tmp_path / "games.db")]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == alone


class _Keeper:
    """Writes down what it is given."""

    def __init__(self) -> None:
        self.games: list[StoredGame] = []

    def record(self, game: StoredGame) -> bool:
        self.games.append(game)
        return True


def test_a_start_and_an_end_are_recorded_before_they_are_told() -> None:
    keeper, preset = _Keeper(), find_preset("beginner")
    recorder = BotRecorder(keeper, strategy="exact", now=lambda: BEGIN, new_key=lambda: "one")
    game = recorder.new_game(preset, 4)
    turns = recorder.watch(game, preset, play(game, find_strategy("exact")(strategy_rng(4))))
    assert not keeper.games
    results = [Result.PLAYING]
    for turn in turns:
        if turn.board.status.ended:
            results.append(Result(turn.board.status.value))
        assert [one.result for one in keeper.games] == results
    assert len(results) == 2
    # It is one game, of one kind.
    assert len({(one.key, one.kind, one.strategy) for one in keeper.games}) == 1


# The covered cell in the corner is the only mine that the clues see, so what is right of them is safe.
SURE = "8x2/3\n#1######\n11######\n"
OPEN = "8x2/3\n########\n########\n"


def _turn(text: str, risk: float | None, *, lost: bool = False, move: Move | None = None) -> tuple[Board, Turn]:
    board = read_board(text)
    made = move or Move.reveal(board.grid.cell(7, 0))
    after = replace(board, status=Status.LOST if lost else Status.PLAYING)
    return board, Turn(number=1, choice=Choice(made, "so", risk), board=after, answer=answer(board, made))


def test_a_guess_is_forced_where_no_cell_is_safe() -> None:
    assert guess_of(*_turn(OPEN, 0.25)) == StoredGuess(0.25, forced=True, exploded=False)
    assert guess_of(*_turn(SURE, 0.25, lost=True)) == StoredGuess(0.25, forced=False, exploded=True)


def test_what_claims_nothing_is_no_guess() -> None:
    assert guess_of(*_turn(OPEN, None)) is None
    assert guess_of(*_turn(OPEN, 0.0)) is None
    assert guess_of(*_turn(OPEN, 0.2, move=Move.flag(0))) is None
    # A proof that was none is what calibration must not hide.
    assert guess_of(*_turn(SURE, 0.0, lost=True)) == StoredGuess(0.0, forced=False, exploded=True)
