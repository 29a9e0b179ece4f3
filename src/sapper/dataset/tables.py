"""Positions in files: Parquet, NumPy's npz, CSV, JSON lines. A file is there whole or not at all."""

import contextlib
import os
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from sapper.dataset.drawing import Positions
from sapper.dataset.sums import digest_of, note_sums
from sapper.errors import UnknownNameError
from sapper.solver.deduce.step import Technique

FORMATS: Final = ("parquet", "npz", "csv", "jsonl")
DATA: Final = "data"
"""The folder of the files, inside that of the positions: nothing else lies in it, so that libraries read it as a whole."""
COLUMNS: Final = {
    "seed": ("uint64", "of the game; positions of one game share it"),
    "revealed": ("int32", "cells revealed"),
    "safe": ("int32", "covered cells that are certainly safe"),
    "best": ("int32", "the cell that is least likely a mine, `y * width + x`; of several within 1e-9 the lowest"),
    "least_risk": ("float64", "its chance of a mine"),
    "census_log10": ("float64", "decimal logarithm of the number of layouts that fit"),
    "technique": ("string", "the hardest technique on the easiest way to a safe cell, as hints take it: `one clue`, `overlap`, `pattern`, `mine count`, `cases`; `guess` where no cell is safe"),
    "tiles": ("uint8, one a cell", "what is seen: 0 to 8 a clue, 9 covered; in CSV and JSONL a text of as many digits"),
    "chances": ("float64, one a cell", "exact chance of a mine, correctly rounded up to the last places; -1 at revealed cells; in CSV separated by spaces"),
    "mines": ("uint8, one a cell", "the truth: 1 where a mine is, else 0; in CSV and JSONL a text of as many digits"),
}  # fmt: skip
"""Name: type and meaning."""
WIN_COLUMNS: Final = {
    "win": ("float64", "chance to win by best play; played out where the bounds differ; NaN (CSV, JSONL: empty, null) where not known"),
    "win_low": ("float64", "proved lower bound of it"),
    "win_high": ("float64", "proved upper bound of it"),
    "win_best": ("int32", "the cell to reveal for it; -1 where not known"),
}  # fmt: skip


class PositionsFile(Protocol):
    """Takes positions."""

    def add(self, positions: Positions) -> None:
        """These follow."""

    def close(self) -> None:
        """No others follow."""

    def abandon(self) -> None:
        """The file is of no use: let go of it."""


def names_of(*, with_win: bool) -> list[str]:
    return [*COLUMNS, *(WIN_COLUMNS if with_win else ())]


@contextlib.contextmanager
def open_positions(
    folder: Path, name: str, kind: str, *, size: int, with_win: bool, about: Mapping[str, Any]
) -> Iterator[PositionsFile]:
    """A file of positions on `size` cells in a folder, which has its name, and its line in `SHA256SUMS`, when the block ends well.

    What the positions are `about` (see `card.identity`) is in the metadata of a Parquet file.
    """
    part = folder / f".{Path(name).name}.part"
    try:
        file = _open(part, kind, size, names_of(with_win=with_win), about)
        try:
            yield file
            file.close()
        except BaseException:
            with contextlib.suppress(OSError):
                file.abandon()
            raise
        note_sums(folder, [(name, digest_of(part))])
        os.replace(part, folder / name)  # noqa: PTH105
    finally:
        part.unlink(missing_ok=True)


def _open(path: Path, kind: str, size: int, names: list[str], about: Mapping[str, Any]) -> PositionsFile:
    if kind == "parquet":
        return _Parquet(path, size, names, about)
    if kind == "npz":
        return _Npz(path, names)
    if kind in ("csv", "jsonl"):
        return _Text(path, names, as_json=kind == "jsonl")
    raise UnknownNameError("format", kind, FORMATS)


class _Parquet:
    """A row group for each `_ROWS` positions: they are in memory until it is written."""

    _ROWS = 4096

    def __init__(self, path: Path, size: int, names: list[str], about: Mapping[str, Any]) -> None:
        import pyarrow as pa  # noqa: PLC0415  # the other formats do without
        from pyarrow import parquet  # noqa: PLC0415

        kinds = {
            "seed": pa.uint64(),
            "technique": pa.string(),
            "tiles": pa.list_(pa.uint8(), size),
            "chances": pa.list_(pa.float64(), size),
            "mines": pa.list_(pa.uint8(), size),
        }
        whole = ("revealed", "safe", "best", "win_best")
        plain = {name: kinds.get(name, pa.int32() if name in whole else pa.float64()) for name in names}
        self._pa: Any = pa
        fields = [pa.field(name, kind, nullable=False) for name, kind in plain.items()]
        self._schema = pa.schema(fields, metadata={name: str(value) for name, value in about.items()})
        self._size = size
        self._names = names
        self._file = path.open("wb")  # pyarrow opens no file whose name is not UTF-8
        self._writer = parquet.ParquetWriter(self._file, self._schema, compression="zstd", compression_level=1)
        self._waiting: list[Positions] = []

    def add(self, positions: Positions) -> None:
        self._waiting.append(positions)
        if sum(len(one.seed) for one in self._waiting) >= self._ROWS:
            self._flush()

    def _flush(self) -> None:
        if not self._waiting:
            return
        columns = []
        for field in self._schema:
            values = _together(self._waiting, field.name)
            if values.ndim == 2:
                flat = self._pa.array(values.reshape(-1), field.type.value_type)
                columns.append(self._pa.FixedSizeListArray.from_arrays(flat, type=field.type))
            else:
                columns.append(self._pa.array(values, field.type))
        self._writer.write_table(self._pa.Table.from_arrays(columns, schema=self._schema))
        self._waiting.clear()

    def close(self) -> None:
        with self._file:
            self._flush()
            self._writer.close()

    def abandon(self) -> None:
        self._writer.is_open = False  # or it writes its end when it is forgotten
        self._file.close()


class _Npz:
    """Arrays by name; all positions of the file are in memory until it is closed."""

    def __init__(self, path: Path, names: list[str]) -> None:
        self._path = path
        self._names = names
        self._waiting: list[Positions] = []

    def add(self, positions: Positions) -> None:
        self._waiting.append(positions)

    def close(self) -> None:
        # As `numpy.savez_compressed` does at level 6, which takes three times as long and saves a seventh of the bytes.
        with zipfile.ZipFile(self._path, "w", zipfile.ZIP_DEFLATED, compresslevel=4) as archive:
            for name in self._names if self._waiting else ():
                values = _together(self._waiting, name)
                with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
                    np.lib.format.write_array(file, values, allow_pickle=False)

    def abandon(self) -> None:
        self._waiting.clear()


class _Texts(dict[float, str]):
    """Numbers as texts, each written once: a row of chances has few that differ."""

    def __missing__(self, value: float) -> str:
        text = self[value] = repr(value)
        return text


class _Text:
    """A line a position: CSV, or JSON. No value has a comma, a quote or a line feed in it, so that lines are put together as they are."""

    def __init__(self, path: Path, names: list[str], *, as_json: bool) -> None:
        self._file = path.open("w", encoding="utf-8", newline="")
        self._names = names
        marks = {"technique": '"%s"', "tiles": '"%s"', "mines": '"%s"', "chances": "[%s]"}
        fields = [f'"{name}":{marks.get(name, "%s")}' for name in names] if as_json else ["%s"] * len(names)
        self._line = ("{" + ",".join(fields) + "}\n") if as_json else ",".join(fields) + "\n"
        self._missing, self._between = ("null", ",") if as_json else ("", " ")
        if not as_json:
            self._file.write(",".join(names) + "\n")

    def add(self, positions: Positions) -> None:
        columns = [self._column(name, getattr(positions, name)) for name in self._names]
        self._file.writelines([self._line % values for values in zip(*columns, strict=True)])

    def _column(self, name: str, values: NDArray[Any]) -> list[str]:
        if name == "technique":
            return [str(word) for word in _WORDS[values]]
        if name in ("tiles", "mines"):
            count, size = values.shape
            digits = (values + ord("0")).astype(np.uint8).tobytes().decode("ascii")
            return [digits[at : at + size] for at in range(0, count * size, size)]
        if name == "chances":
            texts = _Texts()
            return [self._between.join(map(texts.__getitem__, row)) for row in values.tolist()]
        return [self._missing if value != value else repr(value) for value in values.tolist()]  # noqa: PLR0124  # NaN

    def close(self) -> None:
        self._file.close()

    def abandon(self) -> None:
        self._file.close()


_WORDS: Final = np.array([technique.words for technique in Technique])


def _together(positions: list[Positions], name: str) -> NDArray[Any]:
    values = np.concatenate([getattr(one, name) for one in positions])
    return _WORDS[values] if name == "technique" else values
