"""The files that commands read and write; errors say which file they are about."""

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final

import click

from sapper.core.encoding import as_utf8
from sapper.errors import NotationError


class _NamedFile(io.FileIO):
    """Errors of writing have the file's name."""

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            if error.filename is None:
                error.filename = self.name
            raise


def open_named(name: str) -> io.BufferedWriter:
    return io.BufferedWriter(_NamedFile(name, "wb"))


def open_named_text(name: str) -> io.TextIOWrapper:
    return io.TextIOWrapper(open_named(name), encoding="utf-8", newline="\n")


def write_named(path: Path | str, data: bytes) -> None:
    with open_named(str(path)) as file:
        file.write(data)


BINARY_ENDING: Final = ".sapr"
RECORD_ENDINGS: Final = (BINARY_ENDING, ".json", ".jsonl")


class RecordFile:
    """A file that gets records one by one."""

    def __init__(self, file: BinaryIO, *, binary: bool) -> None:
        self._file = file
        self._is_binary = binary

    def add(self, packed: bytes) -> None:
        """A record in the binary form."""
        if not self._is_binary:
            from sapper.core.record_binary import unpack_record  # most commands read and write no records

            packed = unpack_record(packed).to_json().encode() + b"\n"
        self._file.write(packed)


@contextmanager
def open_record_file(name: str) -> Iterator[RecordFile]:
    """A new file of records: binary where its name ends in `.sapr`, else a JSON line a game."""
    if name == "-":
        raise click.UsageError("records cannot go to standard output: name a file (./- for a file of that name)")
    with open_named(name) as file:
        yield RecordFile(file, binary=name.lower().endswith(BINARY_ENDING))


def read_input(file: str, *, wanted: str, most: int | None = None) -> tuple[bytes, str]:
    """The bytes of a file, `-` for standard input, and what errors call it; text is UTF-8 then, whatever it was.

    `wanted` is what somebody is asked to type. `OSError` for a file that cannot be read, `click.UsageError` where standard input is closed, `NotationError` for more than `most` bytes.
    """
    if file == "-":
        source = "<stdin>"
        if sys.stdin is None:
            raise click.UsageError("standard input is closed: name a file")
        if sys.stdin.isatty():
            click.echo(f"{wanted}; end it with Ctrl-D", err=True)
        data = _limited(sys.stdin.buffer, source, most)
    else:
        source = file
        with Path(file).open("rb") as stream:
            data = _limited(stream, source, most)
    return as_utf8(data), source


def _limited(stream: BinaryIO, source: str, most: int | None) -> bytes:
    data = stream.read() if most is None else stream.read(most + 1)
    if most is not None and len(data) > most:
        raise NotationError(f"it has more than {most:,} bytes, the limit", source=source)
    return data


def decoded(data: bytes, source: str) -> str:
    """The text that these bytes of `source` are; `NotationError`, with line and column, if they are none."""
    data = as_utf8(data)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise NotationError(
            f"not a text: byte {data[error.start]:#04x}", source=source, line=line, column=column
        ) from None
