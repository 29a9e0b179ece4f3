"""`sapper store import FOLDER`: recordings of other programs, as games of a store."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import click

from sapper.cli.exits import ExitCode, ending_of
from sapper.cli.game_input import named, read_data
from sapper.cli.replay_measuring import ask_of_files, files_of
from sapper.core.preset import PRESETS
from sapper.core.rules import RULES
from sapper.core.words import counted
from sapper.errors import SapperError
from sapper.metrics.game import ratios, solved_of
from sapper.replay.reading import READERS, read_recording
from sapper.replay.replaying import ReplayedGame, replay
from sapper.session.storing import guesses_in
from sapper.store.models import LONGEST_NAME, RECORDING, Result, StoredGame

if TYPE_CHECKING:
    from sapper.store.repository import Store

_AT_ONCE: Final = 16
"""Files of a job, and games of a transaction."""
_MANY: Final = 100
"""Files from which on another process pays."""
_ENDINGS: Final = frozenset(f".{name}" for name in READERS)
_SIZES: Final = {
    (preset.width, preset.height, preset.mine_counts[0]): preset.name
    for preset in (PRESETS["beginner"], PRESETS["beginner8"], PRESETS["intermediate"], PRESETS["expert"])
}
"""The presets that boards of other programs have the size of."""


class _Taken(NamedTuple):
    """What came of some files."""

    games: list[StoredGame]
    unreadable: list[str]
    untrusted: list[str]


def is_recordings(path: Path) -> bool:
    """True if a path is a folder, or named like a recording of another program."""
    return path.is_dir() or path.suffix.lower() in _ENDINGS


def import_recordings(store: "Store", path: Path, *, player: str | None) -> ExitCode:
    """Add the recordings of a folder, or one, and say how many were new; files that are not taken are named on stderr."""
    there = files_of(path) if path.is_dir() else [path]
    files = [one for one in there if one.suffix.lower() in _ENDINGS]
    if not files:
        raise click.UsageError(f"{path} has no file that ends in {', '.join(sorted(_ENDINGS))}")
    new = found = 0
    unreadable: list[str] = []
    untrusted: list[str] = []
    for taken in ask_of_files(_take, files, (player,), at_once=_AT_ONCE, many=_MANY):
        new += store.record_many(taken.games)
        found += len(taken.games)
        unreadable += taken.unreadable
        untrusted += taken.untrusted
    passed_over = [
        f"{one}: not imported: of a folder only recordings of other programs are"
        for one in there
        if one.suffix.lower() not in _ENDINGS
    ]
    for line in [*unreadable, *untrusted, *passed_over]:
        click.echo(f"sapper: {line}", err=True)
    told = [f"new: {counted(new, 'game')} of {counted(len(files), 'file')}"]
    told += [f"{found - new:,} {'was' if found - new == 1 else 'were'} there"] if found > new else []
    told += [f"{len(unreadable):,} could not be read"] if unreadable else []
    told += [f"{len(untrusted):,} not taken: their replay shows another result or other mines"] if untrusted else []
    told += [f"{len(passed_over):,} not imported: no recordings of other programs"] if passed_over else []
    click.echo("; ".join(told))
    if unreadable and not found:
        return ExitCode.USAGE
    return ExitCode.NO if untrusted else ExitCode.DONE


def _take(files: Sequence[str], player: str | None) -> _Taken:
    taken = _Taken([], [], [])
    for name in files:
        path = Path(name)
        try:
            data = read_data(path)
            with named(path):
                replayed = replay(read_recording(data, name=path.name))
            if not replayed.is_trusted:
                taken.untrusted.append(f"{name}: {replayed.told_differences}")
                continue
            modified = datetime.fromtimestamp(path.stat().st_mtime, UTC)
            taken.games.append(stored_game_of(replayed, data, player=player, otherwise=modified))
        except (SapperError, OSError) as error:
            taken.unreadable.append(ending_of(error).line or name)
    return taken


def stored_game_of(replayed: ReplayedGame, data: bytes, *, player: str | None, otherwise: datetime) -> StoredGame:
    """A recording as a game of a store; `otherwise` is when it ended, where the recording does not say when it began.

    The key is made of the file's content: the same file is the same game. A clock without a zone is taken for UTC.
    """
    recording = replayed.recording
    record = replayed.whole_record
    bbbv, solved = solved_of(recording.layout, replayed.board.tiles)
    metrics = ratios(
        seconds=replayed.milliseconds / 1000, bbbv=bbbv, solved=solved, clicks=replayed.clicks,
        effective=replayed.effective_clicks, size=(recording.grid.width, recording.grid.height),
    )  # fmt: skip
    length = timedelta(milliseconds=replayed.milliseconds)
    started = otherwise - length
    if recording.started:
        moment = datetime.fromisoformat(recording.started)
        started = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    name = (player or recording.player)[:LONGEST_NAME] or None
    game = StoredGame.of_record(
        replace(record, player=name),
        key=f"{recording.format}-{hashlib.sha256(data).hexdigest()[:32]}",
        started=started,
        ended=started + length,
        face=RECORDING,
        metrics=metrics,
        preset=_SIZES.get((recording.grid.width, recording.grid.height, recording.layout.mine_count)),
        no_guess="no-guess" in recording.mode,
        player=name,
        time_ms=replayed.milliseconds,
        clicks=replayed.clicks,
        effective_clicks=replayed.effective_clicks,
        bbbv=bbbv,
        solved_bbbv=solved,
        restarted=recording.mode == "upk",
        debugged=recording.mode == "cheat",
    )
    game = game.replace(kind=replace(game.kind, rules=RULES["classic"]))
    if game.result is Result.PLAYING:
        return game.replace(result=Result.TERMINATED)
    return game.replace(guesses=tuple(guesses_in(record)))
