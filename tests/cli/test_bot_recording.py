"""The bot's games are recorded when asked, as a bot's, with what was claimed and what was true."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from sapper.cli.bot_recording import BotRecorder, claimed_guess_of
from sapper.cli.main import main
from sapper.core.board import Board
from sapper.core.move import Move
from sapper.core.notation import read_board
from sapper.core.preset import find_preset
from sapper.core.record import Record
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.generator.new_game import new_game
from sapper.kata.bot import Turn, play, strategy_rng
from sapper.kata.messages import answer
from sapper.session.storing import guesses_in
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
    assert main([*words, "--games", "2", "--record", "--json", "--strategy", "least-risk"]) == 0
    with open_store(path) as store:
        games = list(store.games())
    assert [(game.category, game.strategy, game.face) for game in games] == [(Category.BOT, "least-risk", "bot")] * 2
    first = games[0]
    assert (first.seed, first.kind.preset, first.kind.mine_count, first.hints) == (4, "beginner", 10, 0)
    assert first.time_ms is not None
    assert [check_stored(game).player for game in games] == ["least-risk", "least-risk"]
    assert first.bbbv
    if first.result is Result.WON:
        assert first.solved_bbbv == first.bbbv
    # This strategy guesses only where it must.
    assert all(guess.forced for game in games for guess in game.guesses)


def test_a_bot_that_claims_no_risk_has_its_guesses_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database = ["--database", str(tmp_path / "games.db")]
    assert main(["bot", "--preset", "beginner", "--games", "30", "--seed", "1", "--strategy", "single", "--quiet", "--record", *database]) == 0  # fmt: skip
    capsys.readouterr()
    assert main(["stats", "luck", "--table", "bots", "--json", *database]) == 0
    total = json.loads(capsys.readouterr().out)["luck"]["total"]
    with open_store(tmp_path / "games.db") as store:
        kept = [game for game in store.games() if game.record is not None]
        judged = [guess for game in kept for guess in guesses_in(Record.from_json(game.record or ""))]
    assert len(kept) == 30
    assert total["guesses"] == len(judged) > 5
    assert total["survived"] == sum(not guess.exploded for guess in judged)
    assert total["expected"] == pytest.approx(float(sum(1 - guess.risk for guess in judged)))


def test_recording_changes_no_game(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = "bot --seed 7 --games 3 --quiet --rules modern+start=safe --size 6x5 --mines 8".split()
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
    recorder = BotRecorder(keeper, strategy="least-risk", now=lambda: BEGIN, new_key=lambda: "one")
    game = recorder.new_game(preset, 4)
    turns = recorder.watch(game, preset, play(game, find_strategy("least-risk")(strategy_rng(4))))
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
    tiles = bytearray(board.tiles)
    tiles[made.cell] = Tile.EXPLODED if lost else 1
    after = replace(board, tiles=bytes(tiles), status=Status.LOST if lost else Status.PLAYING)
    return board, Turn(number=1, choice=Choice(made, "so", risk), board=after, answer=answer(board, made))


def test_a_guess_is_forced_where_no_cell_is_safe() -> None:
    assert claimed_guess_of(*_turn(OPEN, 0.25)) == StoredGuess(0.25, forced=True, exploded=False)
    assert claimed_guess_of(*_turn(SURE, 0.25, lost=True)) == StoredGuess(0.25, forced=False, exploded=True)


def test_a_guess_that_claims_nothing_has_its_exact_risk() -> None:
    assert claimed_guess_of(*_turn(SURE, None)) == StoredGuess(1 / 5, forced=False, exploded=False)
    assert claimed_guess_of(*_turn(SURE, None, lost=True)) == StoredGuess(1 / 5, forced=False, exploded=True)
    # A first reveal that the start rule keeps safe is none, nor is a reveal of what is certain.
    assert claimed_guess_of(*_turn(OPEN, None)) == StoredGuess(3 / 16, forced=True, exploded=False)
    protected = new_game("beginner", seed=4)
    first = next(play(protected, find_strategy("single")(strategy_rng(4))))
    assert claimed_guess_of(new_game("beginner", seed=4).board, first) is None
    assert claimed_guess_of(*_turn(SURE, None, move=Move.reveal(2))) is None


def test_a_guess_that_claims_to_be_safe_is_one_if_it_was_not() -> None:
    assert claimed_guess_of(*_turn(OPEN, 0.0)) is None
    assert claimed_guess_of(*_turn(OPEN, 0.2, move=Move.flag(0))) is None
    # A proof that was none is what calibration must not hide.
    assert claimed_guess_of(*_turn(SURE, 0.0, lost=True)) == StoredGuess(0.0, forced=False, exploded=True)
