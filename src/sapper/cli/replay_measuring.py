"""Many recorded games measured, by several processes where there are many."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final, NamedTuple, TypeVar

from sapper.cli.exits import ending_of
from sapper.cli.game_input import game_of_piece, named, pieces_of, read_data, read_games
from sapper.errors import SapperError, UnavailableError
from sapper.replay.numbers import RecordedGame, numbers_of
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
        return len(files), [MeasuringJob(files=[str(one) for one in some]) for some in _some(files)]
    data = read_data(path)
    with named(path):
        pieces = pieces_of(data)
    if pieces is None:
        return 1, [MeasuringJob(files=[str(path)])]
    firsts = range(1, len(pieces) + 1, BATCH)
    jobs = [MeasuringJob(pieces=pieces[at - 1 : at - 1 + BATCH], source=str(path), first=at) for at in firsts]
    return len(pieces), jobs


def _some(files: Sequence[Path]) -> Iterator[Sequence[Path]]:
    return (files[begin : begin + BATCH] for begin in range(0, len(files), BATCH))


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
