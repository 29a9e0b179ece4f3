"""A session's game as the store keeps it, from its beginning to its end."""

from dataclasses import replace
from datetime import datetime, timedelta

from sapper.core.board import Board
from sapper.metrics.game import GameMetrics
from sapper.session.events import Assistance, Finished
from sapper.session.session import Session
from sapper.store.models import GameKind, Result, SessionState, StoredGame


def begun_game(
    assistance: Assistance, *, key: str, kind: GameKind, started: datetime, face: str, player: str | None
) -> StoredGame:
    """A game that has begun and not ended, for `Store.record`: again when help was had in it, so that it counts as unaided no longer."""
    return StoredGame(
        key=key, kind=kind, result=Result.PLAYING, started=started, ended=started, face=face, player=player,
        hints=assistance.hints, undos=assistance.undone, restarted=is_known(assistance), overlay=assistance.overlay, aided=assistance.aided,
        debugged=assistance.shown,
    )  # fmt: skip


def state_of(session: Session, board: Board) -> SessionState:
    """What lists say of a game to be gone on with; `board` is its referee's, since a session that is paused shows none."""
    return SessionState(board.status, session.elapsed, board.flag_count, board.covered_count, session.is_paused)


def is_known(assistance: Assistance) -> bool:
    """Whether its player may have known the board."""
    return assistance.restarts > 0 or assistance.seen or assistance.practice


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
        hints=assistance.hints,
        undos=assistance.undone,
        restarted=is_known(assistance),
        overlay=assistance.overlay,
        aided=assistance.aided,
        debugged=assistance.shown,
    )
