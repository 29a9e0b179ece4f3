"""The recordings of a folder, or the records of a file, measured: a table, a row a game."""

import json
import os
import sys
from pathlib import Path
from typing import Any, Final

import click

from sapper.cli.exits import ExitCode
from sapper.cli.progress import Progress
from sapper.cli.replay_measuring import MANY, jobs_of, measure_all
from sapper.core.words import counted
from sapper.replay.reading import READERS

_ENDINGS: Final = frozenset({f".{name}" for name in READERS} | {".json", ".jsonl", ".sapr"})
_COLUMNS: Final = (
    "width", "height", "mine_count", "won", "seconds", "bbbv", "bbbv_per_second", "zini", "clicks", "ioe", "throughput", "rqp", "source",
)  # fmt: skip


def files_of(folder: Path) -> list[Path]:
    """The files of a folder and those in it that are named like recordings, in the order of their names."""
    return sorted(path for path in folder.rglob("*") if path.suffix.lower() in _ENDINGS and path.is_file())


def show_table(path: Path, *, as_json: bool) -> ExitCode:
    """Measure the games of a folder or a file and print.

    Files that cannot be read, and those that state something else than their replay shows, are named on stderr and counted.
    """
    files = files_of(path) if path.is_dir() else [path]
    if not files:
        raise click.UsageError(f"{path} has no file that ends in {', '.join(sorted(_ENDINGS))}")
    count, jobs = jobs_of(path, files)
    bad: list[dict[str, str]] = []
    rows: list[dict[str, Any]] = []
    if not as_json:
        click.echo(_line({name: name for name in _COLUMNS}))
    with Progress(count, sys.stderr, "files" if path.is_dir() else "games") as screen:
        for found in measure_all(jobs, workers=os.cpu_count() or 1 if count >= MANY else 1):
            bad += found.bad
            if as_json:
                rows += found.rows
            else:
                click.echo("".join(f"{_line(row)}\n" for row in found.rows), nl=False)
                rows += [
                    {name: row[name] for name in ("seconds", "won", "trusted", "source", "differs")}
                    for row in found.rows
                ]
            screen.advance(found.done)
    differing = [f"{row['source']}: {row['differs']}" for row in rows if row["differs"]]
    for line in [*(one["error"] for one in bad), *differing]:
        click.echo(f"sapper: {line}", err=True)
    if as_json:
        click.echo(json.dumps({"files": len(files), "games": rows, "bad": bad}))
    else:
        click.echo(_summary(rows, len(files), len(bad), len(differing)))
    if bad and not rows:
        return ExitCode.USAGE
    return ExitCode.DONE if all(row["trusted"] for row in rows) else ExitCode.NO


def _line(row: dict[str, Any]) -> str:
    cells = []
    for name in _COLUMNS:
        value, width = row[name], max(len(name), 6)
        if name == "source":
            cells.append(str(value))
        elif isinstance(value, bool):
            cells.append(f"{'won' if value else 'no':>{width}}")
        elif isinstance(value, float):
            cells.append(f"{value:>{width}.3f}")
        else:
            cells.append(f"{'' if value is None else value:>{width}}")
    return "  ".join(cells)


def _summary(rows: list[dict[str, Any]], files: int, bad: int, differing: int) -> str:
    won = [row["seconds"] for row in rows if row["won"] and row["trusted"]]
    parts = [f"{counted(len(rows), 'game')} in {counted(files, 'file')}, {len(won):,} won"]
    parts[0] += f", best {min(won):.3f} s" if won else ""
    parts += [f"{bad:,} could not be read"] if bad else []
    parts += [f"{differing:,} differ{'s' if differing == 1 else ''} from what the file says"] if differing else []
    return "; ".join(parts)
