"""The recordings of a folder, or the records of a file, measured: a table, a row a game."""

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click

from sapper.cli.exits import ExitCode
from sapper.cli.progress import Progress
from sapper.cli.replay_measuring import MANY, jobs_of, measure_all
from sapper.cli.where import Condition
from sapper.core.words import counted
from sapper.replay.reading import READERS

_ENDINGS: Final = frozenset({f".{name}" for name in READERS} | {".json", ".jsonl", ".sapr"})
NAMES: Final = frozenset(
    ("source", "format", "version", "program", "started", "name", "rules", "mode", "question_marks", "width", "height", "mine_count", "status", "won", "differs", "trusted", "seconds", "event_seconds", "bbbv", "zini", "hzini", "openings", "islands", "left_clicks", "right_clicks", "double_clicks", "effective_clicks", "path", "events", "moves", "solved_bbbv", "clicks", "bbbv_per_second", "ioe", "correctness", "throughput", "ios", "rqp", "qg", "stnb")
)  # fmt: skip
"""What a condition may speak of."""

_COLUMNS: Final = ("width", "height", "mine_count", "won", "seconds", "bbbv", "bbbv_per_second", "zini", "clicks", "ioe", "throughput", "rqp", "source")  # fmt: skip


_TEXTS: Final = frozenset(
    ("source", "format", "version", "program", "started", "name", "rules", "mode", "status", "differs")
)


def files_of(folder: Path) -> list[Path]:
    """The files of a folder and those in it that are named like recordings, in the order of their names."""
    return sorted(path for path in folder.rglob("*") if path.suffix.lower() in _ENDINGS and path.is_file())


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLayout:
    """Which rows a table has, in which order, with which columns."""

    condition: Condition | None
    key: str | None
    """What the rows are sorted by; None: the order of the files."""
    is_falling: bool
    columns: tuple[str, ...]

    @classmethod
    def of(cls, *, where: str | None, sort: str | None, columns: str | None) -> "TableLayout":
        """What the options say; `click.UsageError` for names that there are not."""
        chosen = _COLUMNS if columns is None else tuple(name.strip() for name in columns.split(","))
        key = None if sort is None else sort.removeprefix("-")
        for name in (*chosen, *([] if key is None else [key])):
            if name not in NAMES:
                raise click.UsageError(f"a table has no {name[:40]!r}; known are: {', '.join(sorted(NAMES))}")
        condition = None if where is None else Condition(where, NAMES)
        return cls(condition=condition, key=key, is_falling=(sort or "").startswith("-"), columns=chosen)

    def sorted(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Rows in their order; those without the number come last, behind them those whose files cannot be trusted."""
        key = self.key
        if key is None:
            return rows
        known = [row for row in rows if row[key] is not None and row["trusted"]]
        known.sort(key=lambda row: row[key], reverse=self.is_falling)
        unknown = [row for row in rows if row[key] is None and row["trusted"]]
        return known + unknown + [row for row in rows if not row["trusted"]]


def show_table(path: Path, layout: TableLayout, *, as_json: bool, workers: int | None = None) -> ExitCode:
    """Measure the games of a folder or a file and print.

    Files that cannot be read, and those that state something else than their replay shows, are named on stderr and counted.
    """
    files = files_of(path) if path.is_dir() else [path]
    if not files:
        raise click.UsageError(f"{path} has no file that ends in {', '.join(sorted(_ENDINGS))}")
    count, jobs = jobs_of(path, files)
    if workers is None:
        workers = os.cpu_count() or 1 if count >= MANY else 1
    bad: list[dict[str, str]] = []
    kept: list[dict[str, Any]] = []
    games = doubtful = 0
    differing: list[str] = []
    is_printed_at_once = not as_json and layout.key is None
    if not as_json:
        click.echo(_line({name: name for name in layout.columns}, layout.columns))
    with Progress(count, sys.stderr, "files" if path.is_dir() else "games") as screen:
        for found in measure_all(jobs, workers=workers):
            games += len(found.rows)
            bad += found.bad
            doubtful += sum(not row["trusted"] for row in found.rows)
            differing += [f"{row['source']}: {row['differs']}" for row in found.rows if row["differs"]]
            wanted = [row for row in found.rows if layout.condition is None or layout.condition.holds(row)]
            if is_printed_at_once:
                click.echo("".join(f"{_line(row, layout.columns)}\n" for row in wanted), nl=False)
            kept += wanted if as_json else [{name: row[name] for name in _needed(layout)} for row in wanted]
            screen.advance(found.done)
    kept = layout.sorted(kept)
    if not as_json and not is_printed_at_once:
        click.echo("".join(f"{_line(row, layout.columns)}\n" for row in kept), nl=False)
    for line in [*(one["error"] for one in bad), *differing]:
        click.echo(f"sapper: {line}", err=True)
    if as_json:
        click.echo(json.dumps({"files": len(files), "games": kept, "bad": bad}))
    else:
        click.echo(_summary(games, len(files), kept, bad, len(differing)))
    if bad and not games:
        return ExitCode.USAGE
    return ExitCode.NO if doubtful else ExitCode.DONE


def _needed(layout: TableLayout) -> set[str]:
    """What is remembered of a row until the end."""
    return {"seconds", "won", "trusted"} | ({layout.key, *layout.columns} if layout.key is not None else set())


def _line(row: dict[str, Any], columns: tuple[str, ...]) -> str:
    cells = []
    for name in columns:
        value = row[name]
        if name in _TEXTS:
            cells.append(str(value or "") if name == columns[-1] else f"{value or '':<{_width(name)}}")
        elif isinstance(value, bool):
            word = ("won" if name == "won" else "yes") if value else "no"
            cells.append(f"{word:>{_width(name)}}")
        elif isinstance(value, float):
            cells.append(f"{value:>{_width(name)}.3f}")
        else:
            cells.append(f"{'' if value is None else value:>{_width(name)}}")
    return "  ".join(cells)


def _width(name: str) -> int:
    return 16 if name in _TEXTS else max(len(name), 6)


def _summary(games: int, files: int, kept: list[dict[str, Any]], bad: list[dict[str, str]], differing: int) -> str:
    won = [row["seconds"] for row in kept if row["won"] and row["trusted"]]
    best = f", best {min(won):.3f} s" if won else ""
    unreadable = f"; {len(bad):,} could not be read" if bad else ""
    if differing:
        unreadable += f"; {differing:,} differ{'s' if differing == 1 else ''} from what the file says"
    told = f"{len(kept):,} of {counted(games, 'game')} in {counted(files, 'file')}"
    return f"{told}, {len(won):,} won{best}{unreadable}"
