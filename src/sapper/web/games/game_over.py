"""The end of a game: what is shown and told only then.

Knows: mines shown, numbers of the game.
Does not know: who is told, what is stored.
"""

from typing import Any

from sapper import _kernels
from sapper.core.notation import write_tiles
from sapper.errors import AccessError
from sapper.game.layout import Layout
from sapper.metrics.game import GameMetrics
from sapper.play.prepared_source import PreparedSource
from sapper.session.session import Session
from sapper.web.games.messages import CellRun, EndMessage


def layout_of(session: Session) -> Layout | None:
    """The layout of a game that has ended; None if it ended before one was drawn."""
    try:
        return session.layout
    except AccessError:
        return None


def end_message(
    session: Session,
    source: PreparedSource,
    numbers: GameMetrics | None,
    *,
    played: int,
    won: int,
    best: bool,
) -> EndMessage:
    """The `end`; `numbers` where a layout was drawn."""
    layout = layout_of(session)
    return EndMessage(
        status=session.status,
        runs=[] if layout is None else _shown(session, layout),
        code=session.code,
        seed=None if layout is None or source.game.seed is None else str(source.game.seed),
        **_numbers(numbers, is_timed=session.assistance.is_timed),
        played=played,
        won=won,
        best=best,
    )


def _shown(session: Session, layout: Layout) -> list[CellRun]:
    board = session.board
    shown = board.show(layout.mines).tiles
    text = write_tiles(shown)
    return [(start, text[start:end]) for start, end in _kernels.changed_runs(board.tiles, shown)]


def _numbers(numbers: GameMetrics | None, *, is_timed: bool) -> dict[str, Any]:
    if numbers is None:
        names = ("bbbv", "solved_bbbv", "clicks", "effective_clicks", "efficiency", "bbbv_per_second")
        return dict.fromkeys(names)
    speed = numbers.bbbv_per_second if is_timed else None
    return {
        "bbbv": numbers.bbbv,
        "solved_bbbv": numbers.solved_bbbv,
        "clicks": numbers.clicks,
        "effective_clicks": numbers.effective_clicks,
        "efficiency": None if numbers.ioe is None else round(numbers.ioe, 4),
        "bbbv_per_second": None if speed is None else round(speed, 4),
    }
