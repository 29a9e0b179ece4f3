"""The recordings of a folder, measured: a table, a row a game.

Knows: which files are looked at, what becomes of those that cannot be read, the columns.
Does not know: how files are read, how games are measured.
"""

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import click

from sapper.cli.exits import ExitCode, ending_of
from sapper.cli.game_input import read_game
from sapper.cli.progress import Progress
from sapper.cli.where import Condition
from sapper.errors import SapperError
from sapper.replay.numbers import RecordedGame, numbers_of
from sapper.replay.reading import READERS

_ENDINGS: Final = frozenset({f".{name}" for name in READERS} | {".json", ".jsonl"})
_BATCH: Final = 64
"""Games that are measured at once, and held at once."""

NAMES: Final = frozenset(
    ("source", "format", "version", "program", "started", "name", "rules", "width", "height", "mines", "status", "won", "seconds", "event_seconds", "bbbv", "zini", "hzini", "openings", "islands", "left_clicks", "right_clicks", "double_clicks", "effective_clicks", "path", "events", "moves", "solved_bbbv", "clicks", "bbbv_per_second", "ioe", "correctness", "throughput", "ios", "rqp", "qg", "stnb")
)  # fmt: skip
"""What a condition may speak of."""

_COLUMNS: Final = ("width", "height", "mines", "won", "seconds", "bbbv", "bbbv_per_second", "zini", "clicks", "ioe", "throughput", "rqp", "source")  # fmt: skip


def files_of(folder: Path) -> list[Path]:
    """The files of a folder and those in it that are named like recordings, in the order of their names."""
    return sorted(path for path in folder.rglob("*") if path.suffix.lower() in _ENDINGS and path.is_file())


def show_table(folder: Path, *, where: str | None, as_json: bool) -> ExitCode:
    """Measure and print; files that cannot be read are named on stderr and counted."""
    condition = None if where is None else Condition(where, NAMES)
    files = files_of(folder)
    if not files:
        raise click.UsageError(f"{folder} has no file that ends in {', '.join(sorted(_ENDINGS))}")
    bad: list[dict[str, str]] = []
    kept: list[dict[str, Any]] = []
    if not as_json:
        click.echo(_line({name: name for name in _COLUMNS}))
    with Progress(len(files), sys.stderr, "files") as screen:
        for rows in _measured(files, bad, screen):
            wanted = [row for row in rows if condition is None or condition.holds(row)]
            if as_json:
                kept += wanted
            else:
                kept += [{"seconds": row["seconds"], "won": row["won"]} for row in wanted]
                click.echo("".join(f"{_line(row)}\n" for row in wanted), nl=False)
    for one in bad:
        click.echo(f"sapper: {one['error']}", err=True)
    if as_json:
        click.echo(json.dumps({"files": len(files), "games": kept, "bad": bad}))
    else:
        click.echo(_summary(len(files), kept, bad))
    return ExitCode.USAGE if len(bad) == len(files) else ExitCode.DONE


def _measured(files: Iterable[Path], bad: list[dict[str, str]], screen: Progress) -> Iterator[list[dict[str, Any]]]:
    files = list(files)
    for begin in range(0, len(files), _BATCH):
        games: list[RecordedGame] = []
        some = files[begin : begin + _BATCH]
        for path in some:
            try:
                games.append(read_game(path))
            except (SapperError, OSError) as error:
                bad.append({"file": str(path), "error": ending_of(error).line or str(path)})
        # Kernels are loaded if the folder is worth it: what is kept compiled takes a second or two.
        yield numbers_of(games, compiled=True if len(files) > _BATCH else None)
        screen.advance(len(some))


def _line(row: dict[str, Any]) -> str:
    cells = []
    for name in _COLUMNS:
        value = row[name]
        if name == "source":
            cells.append(str(value))
        elif isinstance(value, bool):
            cells.append(f"{'won' if value else 'no':>{_width(name)}}")
        elif isinstance(value, float):
            cells.append(f"{value:>{_width(name)}.3f}")
        else:
            cells.append(f"{'' if value is None else value:>{_width(name)}}")
    return "  ".join(cells)


def _width(name: str) -> int:
    return max(len(name), 6)


def _summary(files: int, kept: list[dict[str, Any]], bad: list[dict[str, str]]) -> str:
    won = [row["seconds"] for row in kept if row["won"]]
    best = f", best {min(won):.3f} s" if won else ""
    unreadable = f"; {len(bad)} could not be read" if bad else ""
    return f"{len(kept)} of {files} files shown, {len(won)} won{best}{unreadable}"
