"""The numbers of a game that is played back, named as the rankings' programs name them."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sapper.core.move import Action
from sapper.core.record import Record
from sapper.core.status import Status
from sapper.game.layout import Layout
from sapper.metrics.game import layout_of, ratios, solved_of
from sapper.metrics.layout import LayoutMetrics, measure_many
from sapper.replay.replaying import ReplayedGame


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedGame:
    """A game to be played back: one of ours, or what came of a recording of another program."""

    source: str
    """Where it is from: a file's name, or the key of a stored game."""
    record: Record
    replayed: ReplayedGame | None = None
    """The replay of another program's recording; None for a game of ours."""
    player: str | None = None
    time_ms: int | None = None
    """The time that the store has of it; None where the record says it."""

    @property
    def layout(self) -> Layout | None:
        """Where the mines were; None where that is not told, as of a game of ours that has not ended."""
        if self.replayed is not None:
            return self.replayed.recording.layout
        return None if self.record.mines is None else layout_of(self.record)

    @property
    def is_trusted(self) -> bool:
        """False for a recording whose file states another result, or another number of mines, than its replay shows."""
        return self.replayed is None or self.replayed.is_trusted

    @property
    def milliseconds(self) -> int:
        if self.replayed is not None:
            return self.replayed.milliseconds
        if self.time_ms is not None:
            return self.time_ms
        return self.record.played[-1].at if self.record.played else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Clicks:
    left: int
    right: int
    chords: int
    effective: int


_LEFT = (Action.REVEAL,)
_NOT_RIGHT = (Action.REVEAL, Action.CHORD, Action.TERMINATE)


def numbers_of(games: Sequence[RecordedGame]) -> list[dict[str, Any]]:
    """The numbers of each game. Those that need a layout or a mouse that is missing are None."""
    layouts = [game.layout for game in games]
    known = [layout for layout in layouts if layout is not None]
    measured = iter(measure_many(known))
    return [
        _numbers(game, layout, None if layout is None else next(measured))
        for game, layout in zip(games, layouts, strict=True)
    ]


def _numbers(game: RecordedGame, layout: Layout | None, measured: LayoutMetrics | None) -> dict[str, Any]:
    grid, record = game.record.grid, game.record
    tiles = record.last_tiles if game.replayed is None else game.replayed.board.tiles
    clicks = _clicks_of(game)
    recording = None if game.replayed is None else game.replayed.recording
    return {
        "source": game.source,
        "format": "sapper" if recording is None else recording.format,
        "version": None if recording is None else recording.version,
        "program": None if recording is None else recording.program,
        "started": record.started if recording is None else recording.started,
        "name": game.player if recording is None else recording.player,
        "rules": record.rules.name,
        "mode": None if recording is None else recording.mode,
        "question_marks": record.rules.question_marks if recording is None else recording.question_marks,
        "width": grid.width,
        "height": grid.height,
        "mine_count": record.mine_count,
        "mine_cells": None if layout is None else list(layout.mines),
        "status": record.status.value,
        "won": record.status is Status.WON,
        "differs": "" if game.replayed is None else game.replayed.told_differences,
        "trusted": game.is_trusted,
        "seconds": game.milliseconds / 1000,
        "event_seconds": _event_milliseconds(game) / 1000,
        "bbbv": None if measured is None else measured.bbbv,
        "zini": None if measured is None else measured.zini,
        "hzini": None if measured is None else measured.human_zini,
        "openings": None if measured is None else measured.openings,
        "islands": None if measured is None else measured.islands,
        "left_clicks": clicks.left,
        "right_clicks": clicks.right,
        "double_clicks": clicks.chords,
        "effective_clicks": clicks.effective,
        "path": None if game.replayed is None else round(game.replayed.path, 2),
        "events": len(record.played) if recording is None else len(recording.events),
        "moves": len(record.played),
        **_ratios(game, layout, tiles, clicks),
    }


def _event_milliseconds(game: RecordedGame) -> int:
    if game.replayed is not None:
        return game.replayed.event_milliseconds
    return game.record.played[-1].at if game.record.played else 0


def _clicks_of(game: RecordedGame) -> _Clicks:
    """Clicks as the rankings count them where there is a mouse (`replaying`); else each move is a click."""
    if (replayed := game.replayed) is not None:
        return _Clicks(
            left=replayed.left_clicks, right=replayed.right_clicks, chords=replayed.chords,
            effective=replayed.effective_clicks,
        )  # fmt: skip
    played = game.record.played
    return _Clicks(
        left=sum(one.move.action in _LEFT for one in played),
        right=sum(one.move.action not in _NOT_RIGHT for one in played),
        chords=sum(one.move.action is Action.CHORD for one in played),
        effective=sum(not one.update.is_empty and one.move.action is not Action.TERMINATE for one in played),
    )


_DERIVED = ("solved_bbbv", "clicks", "bbbv_per_second", "ioe", "correctness", "throughput", "ios", "rqp", "qg", "stnb")


def _ratios(game: RecordedGame, layout: Layout | None, tiles: bytes, clicks: _Clicks) -> dict[str, Any]:
    if layout is None:
        return dict.fromkeys(_DERIVED)
    bbbv, solved = solved_of(layout, tiles)
    grid = game.record.grid
    found = asdict(
        ratios(
            seconds=game.milliseconds / 1000,
            bbbv=bbbv,
            solved=solved,
            clicks=clicks.left + clicks.right + clicks.chords,
            effective=clicks.effective,
            size=(grid.width, grid.height),
        )
    )
    return {name: found[name] for name in _DERIVED}
