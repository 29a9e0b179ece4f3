"""`sapper simulate --records FILE`: whole games in a file, in either form of records."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, Final

import click

from sapper.cli.named_file import open_named
from sapper.core.record_binary import unpack_record

BINARY_ENDING: Final = ".sapr"
RECORD_ENDINGS: Final = (BINARY_ENDING, ".json", ".jsonl")


class RecordFile:
    """A file that gets records one by one."""

    def __init__(self, file: BinaryIO, *, binary: bool) -> None:
        self._file = file
        self._is_binary = binary

    def add(self, packed: bytes) -> None:
        """A record in the binary form."""
        self._file.write(packed if self._is_binary else unpack_record(packed).to_json().encode() + b"\n")


@contextmanager
def open_record_file(name: str) -> Iterator[RecordFile]:
    """A new file of records: binary where its name ends in `.sapr`, else a JSON line a game."""
    if name == "-":
        raise click.UsageError("records cannot go to standard output: name a file (./- for a file of that name)")
    with open_named(name) as file:
        yield RecordFile(file, binary=name.lower().endswith(BINARY_ENDING))
