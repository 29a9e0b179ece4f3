"""A session's game as the store keeps it, from its beginning to its end, and the guesses in it."""

import time
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

from sapper.core.board import Board
from sapper.core.move import Action
from sapper.core.record import Record
from sapper.errors import ContradictionError, TooHardError
from sapper.generator.game_code import fresh_board
from sapper.metrics.game import GameMetrics, guess_of
from sapper.session.events import Assistance, Finished
from sapper.session.session import Session
from sapper.store.changes import LateGuesses
from sapper.store.models import MOST_MOVES, GameKind, Result, SessionState, StoredGame, StoredGuess


def begun_game(
    assistance: Assistance, *, key: str, kind: GameKind, started: datetime, face: str, player: str | None,
    record: Record | None = None,
) -> StoredGame:  # fmt: skip
    """A game that has begun and not ended, for `Store.record`: again when help was had in it, so that it counts as unaided no longer.

    Its `record` until then, which goes with advice, is kept on a board that its player could not know.
    """
    has_record = record is not None and not is_known(assistance)
    return StoredGame(
        key=key, kind=kind, result=Result.PLAYING, started=started, ended=started, face=face, player=player,
        **_marks(assistance),
        record=record.shortened(MOST_MOVES).to_json() if record is not None and has_record else None,
    )  # fmt: skip


def state_of(session: Session, board: Board) -> SessionState:
    """What lists say of a game to be gone on with; `board` is its referee's, since a session that is paused shows none."""
    return SessionState(board.status, session.elapsed, board.flag_count, board.covered_count, session.is_paused)


def is_known(assistance: Assistance) -> bool:
    """True if the player may have known the board."""
    return assistance.restarts > 0 or assistance.seen or assistance.practice


def _marks(assistance: Assistance) -> dict[str, Any]:
    """The columns that say what help was had."""
    return {
        "hints": assistance.hints, "undos": assistance.undone, "restarted": is_known(assistance), "overlay": assistance.overlay,
        "aided": assistance.aided, "debugged": assistance.shown,
    }  # fmt: skip


def stored_game(
    finished: Finished,
    *,
    key: str,
    ended: datetime,
    face: str,
    player: str | None = None,
    strategy: str | None = None,
    preset: str | None = None,
    name: str | None = None,
    metrics: GameMetrics | None = None,
) -> StoredGame:
    """A game that has ended, for `Store.record`. Call it once a `FINISHED`, which comes once a game.

    `name` is who played, as the record itself is to say it: it may be given to others, so a face whose players have no names gives none.
    It was started as long before the end as its clock says; `metrics` need not be
    measured again where they are known. A game that was paused is stored without a time: it is counted, and its time compared with none. `StoreError` as in `StoredGame`.
    """
    assistance = finished.assistance
    return StoredGame.of_record(
        finished.record if name is None else replace(finished.record, player=name),
        key=key,
        started=ended - timedelta(milliseconds=finished.milliseconds),
        ended=ended,
        face=face,
        metrics=metrics,
        time_ms=finished.milliseconds if assistance.is_timed else None,
        player=player,
        strategy=strategy,
        preset=preset,
        **_marks(assistance),
    )


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
    """True if the guesses of a game are to be looked for: it has ended, and has its moves, and not too many."""
    return game.result is not Result.PLAYING and game.record is not None and len(game.record) <= LONGEST_RECORD


def late_guesses(game: StoredGame) -> LateGuesses | None:
    """The guesses of a game that was recorded without them, for `Store.apply`; None where there are none, or they are not looked for."""
    if not is_judged(game):
        return None
    assert game.record is not None
    found = guesses_in(Record.from_json(game.record))
    return LateGuesses(key=game.key, guesses=tuple(found)) if found else None
