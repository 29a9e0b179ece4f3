"""Files that say their name when the disk is full: Python's errors of writing have none."""

import io
from pathlib import Path
from typing import Any


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
