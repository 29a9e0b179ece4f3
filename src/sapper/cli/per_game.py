"""`sapper simulate --per-game FILE`: the games of a run in a file, as lines, CSV or Parquet, by the file's name."""

import csv
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Protocol

import click

from sapper.cli.named_file import open_named, open_named_text
from sapper.simulate.results import COLUMNS, SimulatedGame, line_of

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
