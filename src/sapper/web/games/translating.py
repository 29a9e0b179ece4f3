"""What happens in a game, as messages."""

from collections.abc import Callable
from typing import Any, Final

from msgspec import UNSET

from sapper import _kernels
from sapper.core.notation import write_tiles
from sapper.errors import IllegalMoveError, RequestError
from sapper.play.events import (
    ChancesFound,
    Changed,
    GameEnded,
    GameEvent,
    HintFound,
    Judged,
    MayGuessFound,
    Refused,
    Working,
)
from sapper.play.jobs import LastMoveVerdict
from sapper.play.played_game import PlayedGame
from sapper.web.games.messages import (
    CellRun,
    ChancesMessage,
    EndMessage,
    ErrorMessage,
    GameNow,
    HintMessage,
    MayGuessMessage,
    ReviewMessage,
    RulesData,
    ServerMessage,
    StateMessage,
    UpdateMessage,
    place,
    places,
    rows_data,
    runs_data,
)
from sapper.web.games.reasons import shown, step_data, win_unknown


def error_message(error: RequestError | IllegalMoveError, number: int | None = None) -> ErrorMessage:
    """Why something is not done, as the answer to a request of that id."""
    code = error.code if isinstance(error, RequestError) else "illegal-move"
    return (
        ErrorMessage(code=code, message=str(error))
        if number is None
        else ErrorMessage(code=code, message=str(error), id=number)
    )


def state_message(game: PlayedGame) -> StateMessage:
    """Everything about the game now, but for chances."""
    coded, grid, now = game.game, game.grid, _update(game, game.number, "", [])
    return StateMessage(
        game=game.key,
        title=game.title,
        preset=game.kind.preset,
        rules=RulesData.of(coded.rules),
        no_guess=game.kind.no_guess,
        width=grid.width,
        height=grid.height,
        mine_count=coded.mine_count,
        first=None if coded.first is None else place(grid, coded.first),
        board=rows_data(game.session.board),
        end=UNSET if game.end is None else _end(game, game.end),
        review=UNSET if game.verdict is None else _review(game, game.verdict),
        **{name: getattr(now, name) for name in GameNow.__struct_fields__ if name != "id"},
    )


def message_of(game: PlayedGame, event: GameEvent) -> ServerMessage:
    """The message that tells of an event."""
    return _MESSAGES[type(event)](game, event)


def _update(game: PlayedGame, number: int, what: str, runs: list[CellRun]) -> UpdateMessage:
    session, board = game.session, game.referee.board
    return UpdateMessage(
        what=what, runs=runs, number=number, status=board.status, time=session.elapsed, running=session.is_running,
        paused=session.is_paused, flags=board.flag_count, can_undo=session.can_undo, can_redo=session.can_redo,
        assistance=session.assistance, overlay=session.shows_chances,
    )  # fmt: skip


def _end(game: PlayedGame, event: GameEnded) -> EndMessage:
    session, metrics = game.session, event.metrics
    runs: list[CellRun] = []
    if game.referee.layout is not None:
        board = session.board
        mined = board.show(session.layout.mines).tiles
        text = write_tiles(mined)
        runs = [(start, text[start:end]) for start, end in _kernels.changed_runs(board.tiles, mined)]
    speed = None if metrics is None or not session.assistance.is_timed else metrics.bbbv_per_second
    return EndMessage(
        status=session.status,
        runs=runs,
        code=None if game.kind.is_daily else session.code,  # the board is others' until the day is over
        seed=None if game.referee.layout is None or game.game.seed is None else str(game.game.seed),
        bbbv=None if metrics is None else metrics.bbbv,
        solved_bbbv=None if metrics is None else metrics.solved_bbbv,
        clicks=None if metrics is None else metrics.clicks,
        effective_clicks=None if metrics is None else metrics.effective_clicks,
        efficiency=None if metrics is None or metrics.ioe is None else round(metrics.ioe, 4),
        bbbv_per_second=None if speed is None else round(speed, 4),
        played=event.played,
        won=event.won,
        best=event.is_best,
    )


def _review(game: PlayedGame, verdict: LastMoveVerdict) -> ReviewMessage:
    return ReviewMessage(
        safe=places(game.grid, verdict.safe),
        mined=places(game.grid, verdict.mined),
        risk=verdict.risk,
        least=verdict.least,
        forced=verdict.forced,
    )


def _hint(game: PlayedGame, event: HintFound) -> HintMessage:
    steps = [step_data(game.grid, step) for step in event.hint.steps]
    return HintMessage(number=event.number, steps=steps, may_guess=event.hint.may_guess)


def _chances(game: PlayedGame, event: ChancesFound) -> ChancesMessage:
    found, width = event.chances, game.grid.width
    risks = found.risks
    return ChancesMessage(
        number=event.number,
        chances=None if risks is None else [(at % width, at // width, shown(risk)) for at, risk in risks.items()],
        win=found.win,
        win_low=found.win_low,
        win_high=found.win_high,
        unknown=None if risks is None or found.win is not None else win_unknown(game.session.board),
    )


_MESSAGES: Final[dict[type[GameEvent], Callable[[PlayedGame, Any], ServerMessage]]] = {
    Changed: lambda game, event: _update(game, event.number, event.what._value_, runs_data(event.update)),
    Working: lambda game, event: _update(game, event.number, "working", []),
    GameEnded: _end,
    Judged: lambda game, event: _review(game, event.verdict),
    HintFound: _hint,
    MayGuessFound: lambda _, event: MayGuessMessage(answer=event.answer),
    ChancesFound: _chances,
    Refused: lambda _, event: error_message(event.error),
}
