"""The server's games on their way into a store.

The address of a player is not kept: it is nobody's name, and other people's business.

Knows: how a result of the server becomes a stored game.
Does not know: databases, how games are kept (it hands them to whoever does).
"""

from collections.abc import Callable
from datetime import datetime, timedelta

from sapper.metrics.game import layout_of, solved_of
from sapper.net.results import GameRecorder, GameResult
from sapper.net.seat import level_preset
from sapper.store.models import GameKind, StoredGame, result_of

Put = Callable[[Callable[[], StoredGame], Callable[[], None]], None]
"""Has a game kept without waiting, and calls the second function when it is durable; the first makes the game, on any thread."""


def recorder_of(put: Put, *, now: Callable[[], datetime]) -> GameRecorder:
    """A recorder that has every game kept, when it is started and when it has ended.

    `now` gives the time with its zone. Called on the server's event loop, so `put` must not wait (`play.writer` does not).
    """

    def take(result: GameResult, durable: Callable[[], None]) -> None:
        when = now()
        # The record of a long game takes some milliseconds to make: nobody who plays waits for that.
        put(lambda: stored_game_of(result, when), durable)

    return take


def stored_game_of(result: GameResult, when: datetime) -> StoredGame:
    """The game as the store keeps it, at this moment."""
    is_over = result.status.ended
    record = None if result.record is None else result.record()
    bbbv = solved = None
    if record is not None and record.mines is not None:
        bbbv, solved = solved_of(layout_of(record), record.last_tiles)
    return StoredGame(
        key=result.key,
        kind=GameKind.of(level_preset(result.columns, result.rows, result.level), result.mine_count),
        result=result_of(result.status),
        started=when - timedelta(seconds=result.seconds),
        ended=when,
        face="server",
        time_ms=round(result.seconds * 1000) if is_over else None,
        seed=result.seed,
        moves=result.moves,
        debugged=result.debugged,
        record=None if record is None else record.to_json(),
        # Counted by the server: of a long game the record has not every move, and of no game those that changed nothing.
        clicks=result.clicks if is_over else None,
        effective_clicks=result.moves if is_over else None,
        bbbv=bbbv,
        solved_bbbv=solved,
    )
