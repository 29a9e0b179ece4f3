"""The text in a file.

Knows: UTF-8, and how to say where something is none.
Does not know: what the text is.
"""

from sapper.errors import NotationError


def decoded(data: bytes, source: str) -> str:
    """The text that these bytes of `source` are; `NotationError`, with line and column, if they are none."""
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise NotationError(
            f"this is no text: byte {data[error.start]:#04x}", source=source, line=line, column=column
        ) from None
