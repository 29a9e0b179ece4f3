"""The server's finished games on their way into a store.

The address of a player is not kept: it is nobody's name, and other people's business.

Knows: how a result of the server becomes a stored game.
Does not know: databases, how games are kept (it hands them to whoever does).
"""

from collections.abc import Callable
from datetime import datetime, timedelta

from sapper.net.results import GameResult, GameSink
from sapper.net.seat import level_preset
from sapper.store.models import GameKind, StoredGame, result_of


def recording_sink(
    record: Callable[[StoredGame], None], *, now: Callable[[], datetime], new_key: Callable[[], str]
) -> GameSink:
    """A sink that has every game recorded.

    `now` gives the time with its zone, `new_key` a key that no other game has. Called on the server's event loop, so
    `record` must not wait (`store.writer.BackgroundWriter.record` does not).
    """

    def take(result: GameResult) -> None:
        ended = now()
        record(
            StoredGame(
                key=new_key(),
                kind=GameKind.of(level_preset(result.columns, result.rows, result.level), result.mines),
                result=result_of(result.status),
                started=ended - timedelta(seconds=result.seconds),
                ended=ended,
                face="server",
                time_ms=round(result.seconds * 1000),
                seed=result.seed,
                moves=result.moves,
                debugged=result.debugged,
            )
        )

    return take
