"""`sapper simulate --per-game FILE`: the games of a run in a file, as lines, CSV or Parquet, by the file's name.

Knows: the columns and their types (docs/formats.md lists them), pyarrow for Parquet.
Does not know: how games are played.
"""

import csv
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any, Protocol

import click

from sapper.cli.named_file import open_named, open_named_text
from sapper.simulate.results import COLUMNS, PlayedGame, line_of

TABLE_COLUMNS = ("strategy", "game", "seed", "result", "moves", "guesses", "revealed", "bbbv", "fault", "again")
"""The columns of CSV and Parquet: those of the lines, with the strategy before and the command that shows the game behind."""

_ROWS = 20_000
"""Rows of a Parquet row group, which are in memory until it is written."""


class GameFile(Protocol):
    """Takes the games of a run, one by one."""

    def strategy(self, name: str) -> None:
        """The games from now on are this strategy's."""

    def add(self, played: PlayedGame, again: str) -> None:
        """One game, and the command that shows it."""


@contextmanager
def open_game_file(name: str, *, several: bool) -> Iterator[GameFile]:
    """A file of games, finished when left. `several` strategies are played. `.csv` and `.parquet` are tables, all else lines."""
    suffix = name.rpartition(".")[2].lower()
    if suffix == "parquet":
        with closing(_Parquet(name)) as table:
            yield table
        return
    with click.open_file(name, "w", encoding="utf-8") if name == "-" else open_named_text(name) as file:
        yield _Csv(file) if suffix == "csv" else _Lines(file, several=several)


class _Lines:
    def __init__(self, file: Any, *, several: bool) -> None:
        self._file = file
        self._several = several
        file.write(f"# {COLUMNS} # the command that shows the game\n")

    def strategy(self, name: str) -> None:
        if self._several:
            self._file.write(f"# strategy {name}\n")

    def add(self, played: PlayedGame, again: str) -> None:
        self._file.write(f"{line_of(played)} # {again}\n")


def _row(strategy: str, played: PlayedGame, again: str) -> tuple[Any, ...]:
    """A game by `TABLE_COLUMNS`; what there is not is None."""
    fault = " ".join(played.fault.split()) or None
    counts = (played.moves, played.guesses, played.revealed, played.bbbv)
    return (strategy, played.number, played.seed, played.result.value, *counts, fault, again)


class _Csv:
    def __init__(self, file: Any) -> None:
        self._writer = csv.writer(file, lineterminator="\n")
        self._writer.writerow(TABLE_COLUMNS)
        self._strategy = ""

    def strategy(self, name: str) -> None:
        self._strategy = name

    def add(self, played: PlayedGame, again: str) -> None:
        self._writer.writerow(_row(self._strategy, played, again))


class _Parquet:
    def __init__(self, name: str) -> None:
        import pyarrow as pa
        from pyarrow import parquet

        types = (pa.string(), pa.int64(), pa.uint64(), pa.string(), *[pa.int32()] * 4, pa.string(), pa.string())
        may_miss = ("bbbv", "fault")
        self._schema = pa.schema(
            [pa.field(column, kind, column in may_miss) for column, kind in zip(TABLE_COLUMNS, types, strict=True)]
        )
        self._table = pa.Table
        self._file = open_named(name)  # pyarrow opens no file whose name is not UTF-8
        self._writer = parquet.ParquetWriter(self._file, self._schema)
        self._rows: list[tuple[Any, ...]] = []
        self._strategy = ""

    def strategy(self, name: str) -> None:
        self._strategy = name

    def add(self, played: PlayedGame, again: str) -> None:
        self._rows.append(_row(self._strategy, played, again))
        if len(self._rows) == _ROWS:
            self._flush()

    def _flush(self) -> None:
        if self._rows:
            columns = zip(*self._rows, strict=True)
            self._writer.write_table(
                self._table.from_pydict(dict(zip(TABLE_COLUMNS, map(list, columns), strict=True)), schema=self._schema)
            )
            self._rows.clear()

    def close(self) -> None:
        with self._file:
            self._flush()
            self._writer.close()
