"""Games that a command plays, strategy by strategy or set by set: files, progress, Ctrl-C, going on with them."""

import contextlib
import csv
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import click

from sapper.cli.exits import NO_ROOM
from sapper.cli.files import RecordFile, open_named, open_named_text, open_record_file
from sapper.cli.interrupt import OnSignals
from sapper.cli.progress import Progress, say_without_native
from sapper.cli.simulate_report import again
from sapper.core.words import counted
from sapper.errors import FullDiskError
from sapper.simulate.checkpoint import Checkpoint, run_of
from sapper.simulate.comparison import OutcomeLog, StrategyRun
from sapper.simulate.external import DEFAULT_MOVE_LIMIT
from sapper.simulate.plan import Plan
from sapper.simulate.results import COLUMNS, GameOutcome, RunSummary, SimulatedGame, line_of
from sapper.simulate.runner import EarlierGames, Team, backend_of, simulate
from sapper.solver.strategies.registry import STRATEGIES

TABLE_COLUMNS = ("game", "seed", "result", "moves", "guesses", "revealed", "bbbv", "fault", "again")
"""The columns of CSV and Parquet: those of the lines, and the command that shows the game. Before them is the strategy, or the set of boards."""

_ROWS = 20_000
"""Rows of a Parquet row group, which are in memory until it is written."""


class GameFile(Protocol):
    """Takes the games of a run, one by one."""

    def section(self, name: str) -> None:
        """The games from now on are of this strategy, or this set of boards."""

    def add(self, played: SimulatedGame, again: str) -> None:
        """One game, and the command that shows it."""


@contextmanager
def open_game_file(name: str, *, label: str, several: bool) -> Iterator[GameFile]:
    """A file of games, finished when left. `.csv` and `.parquet` are tables, all else lines.

    `label` is what its sections are, `strategy` or `set`: the first column of a table. Lines name them where there are `several`.
    """
    suffix = name.rpartition(".")[2].lower()
    if suffix == "parquet":
        table = _Parquet(name, label)
        try:
            yield table
        except OSError:
            table.abandon()
            raise
        finally:
            table.close()
        return
    with click.open_file(name, "w", encoding="utf-8") if name == "-" else open_named_text(name) as file:
        yield _Csv(file, label) if suffix == "csv" else _Lines(file, label if several else "")


class _Lines:
    def __init__(self, file: Any, label: str) -> None:
        self._file = file
        self._label = label
        file.write(f"# {COLUMNS} # the command that shows the game\n")

    def section(self, name: str) -> None:
        if self._label:
            self._file.write(f"# {self._label} {name}\n")

    def add(self, played: SimulatedGame, again: str) -> None:
        self._file.write(f"{line_of(played)} # {again}\n")


def _row(section: str, played: SimulatedGame, again: str) -> tuple[Any, ...]:
    """A game by `TABLE_COLUMNS`; what there is not is None."""
    fault = " ".join(played.fault.split()) or None
    counts = (played.moves, played.guesses, played.revealed, played.bbbv)
    return (section, played.number, played.seed, played.result.value, *counts, fault, again)


class _Csv:
    def __init__(self, file: Any, label: str) -> None:
        self._writer = csv.writer(file, lineterminator="\n")
        self._writer.writerow((label, *TABLE_COLUMNS))
        self._section = ""

    def section(self, name: str) -> None:
        self._section = name

    def add(self, played: SimulatedGame, again: str) -> None:
        self._writer.writerow(_row(self._section, played, again))


class _Parquet:
    def __init__(self, name: str, label: str) -> None:
        import pyarrow as pa
        from pyarrow import parquet

        types = (pa.string(), pa.int64(), pa.uint64(), pa.string(), *[pa.int32()] * 4, pa.string(), pa.string())
        may_miss = ("bbbv", "fault")
        self._columns = (label, *TABLE_COLUMNS)
        self._schema = pa.schema(
            [pa.field(column, kind, column in may_miss) for column, kind in zip(self._columns, types, strict=True)]
        )
        self._table = pa.Table
        self._file = open_named(name)  # pyarrow opens no file whose name is not UTF-8
        self._writer = parquet.ParquetWriter(self._file, self._schema)
        self._rows: list[tuple[Any, ...]] = []
        self._section = ""

    def section(self, name: str) -> None:
        self._section = name

    def add(self, played: SimulatedGame, again: str) -> None:
        self._rows.append(_row(self._section, played, again))
        if len(self._rows) == _ROWS:
            self._flush()

    def _flush(self) -> None:
        if self._rows:
            columns = zip(*self._rows, strict=True)
            self._writer.write_table(
                self._table.from_pydict(dict(zip(self._columns, map(list, columns), strict=True)), schema=self._schema)
            )
            self._rows.clear()

    def close(self) -> None:
        if not self._writer.is_open:
            return
        try:
            self._flush()
            self._writer.close()
        except OSError:
            self.abandon()
            raise
        self._file.close()

    def abandon(self) -> None:
        """Leave the file as it is: it could not be written."""
        self._writer.is_open = False  # or it writes its end when it is forgotten
        with suppress(OSError):
            self._file.close()


def take_seed(options: dict[str, Any]) -> None:
    """Without `--seed`: that of the run which is gone on with. Parts of a run need to be told it."""
    if options["seed"] is not None:
        return
    if options["resume"] is not None:
        before = run_of(options["resume"])
        options["seed"] = None if before is None else before.get("seed")
    if options["shard"] is not None and options["seed"] is None:
        raise click.UsageError("--shard needs --seed: the parts are of one run")


def check_files(options: Mapping[str, Any]) -> None:
    """Each option that writes has a file of its own."""
    homes: dict[str, str] = {}
    for name in ("per_game", "records", "resume"):
        path = Path(options.get(name) or "-")
        if str(path) == "-" or (path.exists() and not path.is_file()):
            continue  # nothing, standard output, or a device
        option = f"--{name.replace('_', '-')}"
        other = homes.setdefault(os.path.realpath(path), option)
        if other != option:
            raise click.UsageError(f"{other} and {option}: {path} cannot be used for both: name two files")
    if options["per_game"] == "-" and options["as_json"]:
        raise click.UsageError("--per-game - and --json: standard output is for one of them")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunItem:
    """Games of one strategy."""

    name: str
    """What they are called where there are others: the strategy, or a set of boards."""
    plan: Plan
    strategy: str
    options: Mapping[str, Any]
    """The options of `sapper bot` that make its games (`again`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Playing:
    """All games of one command."""

    items: Sequence[RunItem]
    label: str
    """What the items' names are: `strategy`, or `set`."""
    identity: Mapping[str, Any]
    """What makes two runs the same, for `--resume`."""
    options: Mapping[str, Any]
    """`workers`, and what else is asked for: `backend`, `per_game`, `records`, `resume`, `cluster`, `losses`."""
    parts: Iterable[RunItem] | None = None
    """Parts of the items, by the items' names, in the order in which they are played in place of the whole: each is asked for when those before it are in `runs`."""
    runs: list[StrategyRun] = field(default_factory=list)
    """What was played."""
    events: list[str] = field(default_factory=list)
    """`ready` when the games have begun, `stop` when somebody asked for the end, `kept` when that was before another game, and the
    file of `--resume` has some."""

    def play(self) -> list[StrategyRun]:
        """Play everything, item by item, or until Ctrl-C; `FullDiskError` names the file that a full disk ended, and what is kept."""
        self._say_what_is_missing()
        checkpoint: Checkpoint | None = None
        try:
            with contextlib.ExitStack() as stack:
                games: GameFile | None = None
                records: RecordFile | None = None
                if self._get("records") is not None:
                    records = stack.enter_context(open_record_file(self._get("records")))
                if self._get("per_game") is not None:
                    several = len(self.items) > 1
                    games = stack.enter_context(
                        open_game_file(self._get("per_game"), label=self.label, several=several)
                    )
                if self._get("resume") is not None:
                    checkpoint = stack.enter_context(Checkpoint(self._get("resume"), self.identity))
                stack.enter_context(OnSignals(self._hear, "SIGINT", "SIGTERM"))
                for item in self.items if self.parts is None else self.parts:
                    if games is not None:
                        games.section(item.name)
                    self.events[:] = [event for event in self.events if event == "stop"]
                    self.runs.append(self._play_one(item, games, records, checkpoint))
                    if self.runs[-1].summary.interrupted:
                        break
        except OSError as error:
            if error.errno not in NO_ROOM or error.filename is None:
                raise
            raise FullDiskError(f"{error.filename}: {error.strerror}; {self._kept(checkpoint)}") from error
        return self.runs

    def _get(self, name: str) -> Any:
        return self.options.get(name)

    def _kept(self, checkpoint: Checkpoint | None) -> str:
        """What stays of a run that a full disk has ended."""
        if checkpoint is None:
            return "no game was counted: free some space; --resume FILE saves games while they are played"
        count = sum(checkpoint.kept(number) for number in range(len(self.items)))
        total = sum(item.plan.games for item in self.items)
        return f"{count:,} of {counted(total, 'game')} stay in {self._get('resume')}: free some space, then run the same command to continue"

    def _play_one(
        self, item: RunItem, games: GameFile | None, records: RecordFile | None, checkpoint: Checkpoint | None
    ) -> StrategyRun:
        outcomes = OutcomeLog(item.plan.begin)
        lost: list[SimulatedGame] = []
        earlier = self._earlier(item, checkpoint)
        with Progress(item.plan.games, sys.stderr, item.name if len(self.items) > 1 else "games") as screen:

            def ready() -> None:
                self.events.append("ready")
                screen.ready()

            def note(played: SimulatedGame) -> None:
                outcomes.add(played.result, game=played.number)
                if played.result is GameOutcome.LOST and len(lost) < (self._get("losses") or 0):
                    lost.append(played)
                if games is not None:
                    games.add(played, again(item.plan, item.options, item.strategy, played.number))
                if records is not None and played.record is not None:
                    records.add(played.record)
                if checkpoint is not None:
                    checkpoint.add(played)
                screen.advance()

            try:
                summary = simulate(
                    item.plan,
                    item.strategy,
                    workers=self.options["workers"],
                    native=self._is_native,
                    earlier=earlier,
                    make_team=self._team_of(item.strategy),
                    on_ready=ready,
                    on_played=note,
                    should_stop=lambda: "stop" in self.events,
                )
            except KeyboardInterrupt:  # before the first game, or a second one
                if earlier is not None and earlier.count:
                    self.events.append("kept")
                    kept = f"{counted(earlier.count, 'game')} of {item.name} of before stay in {self._get('resume')}"
                    click.echo(f"sapper: {kept}: run the same command to continue", err=True)
                outcomes = OutcomeLog(item.plan.begin)
                backend = backend_of(item.plan, item.strategy)
                summary = RunSummary(requested=item.plan.games, backend=backend, interrupted=True)
        return StrategyRun(strategy=item.strategy, summary=summary, outcomes=outcomes, lost=tuple(lost))

    def _earlier(self, item: RunItem, checkpoint: Checkpoint | None) -> EarlierGames | None:
        """The games of an item that a run before this one has played; the checkpoint is ready for the next one."""
        if checkpoint is None:
            return None
        plan, place = item.plan, [one.name for one in self.items].index(item.name)
        count = min(max(0, checkpoint.end(place, plan.begin) - plan.begin), plan.games)
        checkpoint.begin(place, plan.begin + count)
        numbers = range(plan.begin, plan.begin + count)
        games = (game for game in checkpoint.games(place, plan.seed_of) if game.number in numbers)
        seconds = checkpoint.seconds(place) * count / checkpoint.kept(place) if count else 0.0
        return EarlierGames(games=games, count=count, seconds=seconds)

    @property
    def _is_native(self) -> bool:
        return bool(self._get("backend") != "reference")

    def _team_of(self, name: str) -> Callable[[Plan], Team] | None:
        """What plays on the cluster that was asked for; None for this machine."""
        address = self._get("cluster")
        if address is None:
            return None
        from sapper.cluster.team import ClusterTeam

        return lambda games: ClusterTeam(
            address,
            games,
            name,
            native=self._is_native,
            move_limit=DEFAULT_MOVE_LIMIT,
            on_waiting=lambda: click.echo(f"sapper: {address} has no workers yet: waiting for some", err=True),
        )

    def _say_what_is_missing(self) -> None:
        is_slow = (
            self._is_native
            and self._get("cluster") is None
            and any(item.strategy in STRATEGIES and not item.plan.with_records for item in self.items)
        )
        if is_slow:
            say_without_native()

    def _hear(self, *_: object) -> None:
        """A signal ends the run with what was done so far; before the first game, and the second time, at once."""
        if "ready" not in self.events or "stop" in self.events:
            raise KeyboardInterrupt
        self.events.append("stop")
