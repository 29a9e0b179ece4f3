"""What is kept of a game: what cannot be is refused, and each game has its table."""

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from sapper.core.move import Move
from sapper.core.preset import find_preset
from sapper.core.record import Record, TimedMove
from sapper.core.rules import RULES
from sapper.core.status import Status
from sapper.errors import StoreError
from sapper.generator.new_game import new_game
from sapper.store.models import (
    Category,
    GameKind,
    Result,
    SavedSession,
    StoredGame,
    StoredGuess,
    StoredSimulation,
    game_from_json,
    game_to_json,
    result_of,
)
from tests.stored import BEGIN, many, stored


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"key": ""}, "a game's key is 1 to 64"),
        ({"key": "x" * 65}, "a game's key is 1 to 64"),
        ({"player": "ann\n"}, "the name of a player is 1 to 200 printable"),
        ({"face": ""}, "the name of a face"),
        ({"ended": datetime(2026, 1, 1)}, "needs a time zone"),  # noqa: DTZ001
        ({"time_ms": -1}, "time_ms is a count, not -1"),
        ({"guesses": (StoredGuess(1.5, True, False),)}, "a risk is 0 to 1, not 1.5"),
    ],
)
def test_what_cannot_be_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(StoreError, match=message):
        stored(**changes)


def test_counts_of_a_simulation_add_up() -> None:
    with pytest.raises(StoreError, match="3 games are those won, lost"):
        StoredSimulation(key="a", kind=None, strategy="x", games=3, won=1, lost=1, at=BEGIN)
    with pytest.raises(StoreError, match="time zone"):
        SavedSession(key="a", version=1, text="", saved=datetime(2026, 1, 1))  # noqa: DTZ001


@pytest.mark.parametrize(
    ("marks", "category"),
    [
        ({}, Category.PLAIN),
        ({"hints": 1}, Category.ASSISTED),
        ({"undos": 1}, Category.ASSISTED),
        ({"restarted": True}, Category.ASSISTED),
        ({"overlay": True}, Category.ASSISTED),
        ({"aided": True}, Category.ASSISTED),
        ({"strategy": "least-risk", "hints": 1}, Category.BOT),
        ({"strategy": "least-risk", "debugged": True}, Category.DEBUGGED),
    ],
)
def test_each_game_has_its_table(marks: dict[str, Any], category: Category) -> None:
    assert stored(**marks).category is category


def test_json_round_trip() -> None:
    assert [game_from_json(game_to_json(game)) for game in many(50, 9)] == many(50, 9)


def test_a_presets_kind() -> None:
    preset = find_preset("kata")
    assert GameKind.of(preset).mine_count == 1
    assert GameKind.of(preset, 3).mine_count == 3
    assert GameKind.of(preset, 3).rules is RULES["kata"]
    assert result_of(Status.READY) is Result.PLAYING
    assert result_of(Status.TERMINATED) is Result.TERMINATED


def test_a_game_of_a_record_is_measured() -> None:
    game = new_game("beginner", seed=3)
    played: list[TimedMove] = []
    at = 0
    while not game.status.ended:
        at += 500
        cell = next(iter(game.board.covered))
        update = game.reveal(cell)
        played.append(TimedMove(at, Move.reveal(cell), update))
    record = Record(
        rules=game.board.rules, grid=game.grid, mine_count=game.mine_count, seed=3, mines=game.layout.mines, played=tuple(played)
    )  # fmt: skip
    made = StoredGame.of_record(record, key="a", started=BEGIN, ended=BEGIN, face="tui", preset="beginner", hints=2)
    assert made.kind == GameKind.of(find_preset("beginner"))
    assert (made.result, made.time_ms, made.moves, made.clicks) == (
        result_of(game.status),
        at,
        len(played),
        len(played),
    )
    assert made.bbbv is not None
    assert made.solved_bbbv is not None
    assert 0 < made.solved_bbbv <= made.bbbv
    assert made.hints == 2
    assert made.record == record.to_json()
    assert replace(made, hints=0).replace(hints=2) == made
