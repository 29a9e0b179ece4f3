"""Many recorded games measured, by several processes where there are many."""

import json
import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final, NamedTuple, TypeVar

import click

from sapper.cli.exits import ExitCode, ending_of
from sapper.cli.game_input import game_of_piece, named, pieces_of, read_data, read_games
from sapper.cli.progress import Progress
from sapper.core.words import counted
from sapper.errors import SapperError, UnavailableError
from sapper.replay.numbers import RecordedGame, numbers_of
from sapper.replay.reading import READERS
from sapper.server.worker_process import LostError, WorkerProcess

Answer = TypeVar("Answer")

BATCH: Final = 64
"""Games that are measured at once, and held at once."""
MANY: Final = 500
"""Games from which on another process pays, which takes a second or two to start."""


class MeasuringJob(NamedTuple):
    """Files; or records of one file, of which the first is that number."""

    files: Sequence[str] = ()
    pieces: Sequence[bytes] = ()
    source: str = ""
    first: int = 1


class MeasuredGames(NamedTuple):
    """What came of a job: a row a game (`numbers_of`), and the files that cannot be read."""

    rows: list[dict[str, Any]]
    bad: list[dict[str, str]]
    done: int
    """How many files or records that were."""


def jobs_of(path: Path, files: Sequence[Path]) -> tuple[int, list[MeasuringJob]]:
    """How many files or records there are, and the jobs: of a folder its files, of a file of ours its records."""
    if path.is_dir():
        return len(files), [
            MeasuringJob(files=list(map(str, files[at : at + BATCH]))) for at in range(0, len(files), BATCH)
        ]
    data = read_data(path)
    with named(path):
        pieces = pieces_of(data)
    if pieces is None:
        return 1, [MeasuringJob(files=[str(path)])]
    firsts = range(1, len(pieces) + 1, BATCH)
    jobs = [MeasuringJob(pieces=pieces[at - 1 : at - 1 + BATCH], source=str(path), first=at) for at in firsts]
    return len(pieces), jobs


def measure(job: MeasuringJob) -> MeasuredGames:
    bad: list[dict[str, str]] = []
    rows: list[dict[str, Any]] = []
    games = _games(job, bad)
    while some := list(islice(games, BATCH)):
        rows += numbers_of(some)
    return MeasuredGames(rows, bad, len(job.files) + len(job.pieces))


def _games(job: MeasuringJob, bad: list[dict[str, str]]) -> Iterator[RecordedGame]:
    for name in job.files:
        try:
            yield from read_games(Path(name))
        except (SapperError, OSError) as error:
            bad.append({"file": name, "error": ending_of(error).line or name})
    for number, piece in enumerate(job.pieces, job.first):
        source = f"{job.source}:{number}"
        try:
            yield game_of_piece(source, piece)
        except SapperError as error:
            bad.append({"file": source, "error": f"{source}: {error}"})


def measure_all(jobs: Sequence[MeasuringJob], *, workers: int) -> Iterator[MeasuredGames]:
    return ask_all(measure, jobs, (), workers=workers)


def ask_all(
    function: Callable[..., Answer], jobs: Sequence[Any], more: tuple[Any, ...], *, workers: int
) -> Iterator[Answer]:
    """The answers of a function to each job, and `more`, in their order, by so many processes."""
    workers = min(workers, len(jobs))
    if workers < 2:
        yield from (function(job, *more) for job in jobs)
        return
    processes = [WorkerProcess() for _ in range(workers)]
    free: SimpleQueue[WorkerProcess] = SimpleQueue()
    for process in processes:
        free.put(process)

    def ask(job: Any) -> Answer:
        process = free.get()
        try:
            is_done, answer = process.ask(function, (job, *more))
        except LostError:
            raise UnavailableError("a worker process died: is there enough memory?") from None
        finally:
            free.put(process)
        if not is_done:
            raise answer if isinstance(answer, SapperError) else RuntimeError(answer)
        found: Answer = answer
        return found

    pool = ThreadPoolExecutor(workers)
    try:
        yield from _in_order(pool, ask, jobs, 2 * workers)
    finally:
        for process in processes:
            process.kill()
        pool.shutdown(cancel_futures=True)
        for process in processes:
            process.close()


def ask_of_files(
    function: Callable[..., Answer], files: Sequence[Path], more: tuple[Any, ...] = (), *, at_once: int, many: int
) -> Iterator[Answer]:
    """The answers to the names of some files each, with a bar; from so `many` files on by several processes."""
    jobs = [[str(one) for one in files[at : at + at_once]] for at in range(0, len(files), at_once)]
    workers = os.cpu_count() or 1 if len(files) >= many else 1
    with Progress(len(files), sys.stderr, "files") as screen:
        for job, answer in zip(jobs, ask_all(function, jobs, more, workers=workers), strict=True):
            yield answer
            screen.advance(len(job))


def _in_order(
    pool: ThreadPoolExecutor, ask: Callable[[Any], Answer], jobs: Iterable[Any], most: int
) -> Iterator[Answer]:
    """The answers in the order of the jobs; no more are under way than are soon wanted."""
    waiting: deque[Future[Answer]] = deque()
    for job in jobs:
        waiting.append(pool.submit(ask, job))
        if len(waiting) == most:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


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
