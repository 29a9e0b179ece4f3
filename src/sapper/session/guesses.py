"""The guesses of a game that has ended, judged for the calibration of risks and for luck over time."""

import time
from typing import Final

from sapper.core.move import Action
from sapper.core.record import Record
from sapper.errors import ContradictionError, TooHardError
from sapper.generator.game_code import fresh_board
from sapper.metrics.game import guess_of
from sapper.store.changes import LateGuesses
from sapper.store.models import Result, StoredGame, StoredGuess

CAP: Final = 20_000
"""States that the analysis of one board may take."""
MOST_TIME: Final = 1_000
"""Milliseconds that the guesses of one game are looked for: nobody waits for them, and others may wait for this thread."""
LONGEST_RECORD: Final = 400_000
"""Characters of the record of a game whose guesses are judged."""


def thread_clock() -> int:
    """Milliseconds that this thread has worked: what counts where others work beside it."""
    return time.thread_time_ns() // 1_000_000


def guesses_in(record: Record) -> list[StoredGuess]:
    """The guesses of a game; none of them if a board is too hard, or all of them take too long."""
    end = thread_clock() + MOST_TIME
    found: list[StoredGuess] = []
    for one, before in zip(record.judged, record.boards(fresh_board(record)), strict=False):
        if one.move.action in (Action.REVEAL, Action.CHORD) and before.is_protected(one.move.cell):
            continue
        if thread_clock() >= end:
            return []
        try:
            guess = guess_of(before, one.move, one.update, cap=CAP)
        except (TooHardError, ContradictionError):
            return []
        if guess is not None:
            found.append(StoredGuess.of(guess))
    return found


def is_judged(game: StoredGame) -> bool:
    """Whether the guesses of a game are to be looked for: it has ended, and has its moves, and not too many."""
    return game.result is not Result.PLAYING and game.record is not None and len(game.record) <= LONGEST_RECORD


def late_guesses(game: StoredGame) -> LateGuesses | None:
    """The guesses of a game that was recorded without them, for `Store.apply`; None where there are none, or they are not looked for."""
    if not is_judged(game):
        return None
    assert game.record is not None
    found = guesses_in(Record.from_json(game.record))
    return LateGuesses(key=game.key, guesses=tuple(found)) if found else None
