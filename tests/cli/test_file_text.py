"""Text of a file: what is none is said with its place."""

import pytest

from sapper.cli.file_text import decoded
from sapper.errors import NotationError


def test_text() -> None:
    assert decoded("één\n".encode(), "b.txt") == "één\n"


def test_no_text() -> None:
    with pytest.raises(NotationError, match=r"^b\.txt:2:3: this is no text: byte 0xff$"):
        decoded(b"ab\nab\xff", "b.txt")
