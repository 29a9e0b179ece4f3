"""What is in a file that a command is given, or in standard input: all commands read both alike."""

import sys
from typing import BinaryIO

import click

from sapper.core.encoding import as_utf8
from sapper.errors import NotationError


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
        with open(file, "rb") as stream:  # noqa: PTH123  # importing pathlib takes 10 ms
            data = _limited(stream, source, most)
    return as_utf8(data), source


def _limited(stream: BinaryIO, source: str, most: int | None) -> bytes:
    """All there is to read, within the limit."""
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
