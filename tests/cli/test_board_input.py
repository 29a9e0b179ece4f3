"""Boards from files: what is missing is said, whatever the line ends and marks at the beginning."""

from pathlib import Path

import click
import pytest

from sapper.cli.board_input import board_from
from sapper.core.notation import write_board
from sapper.errors import NotationError


@pytest.mark.parametrize(
    "content",
    [b"3x1/1\n#1#\n", b"\xef\xbb\xbf3x1/1\r\n#1#\r\n", b"\n\n 3x1/1 \n#1#", b"3x1/1\r-1-\r"],
    ids=["plain", "Windows", "blank lines", "old Mac"],
)
def test_a_first_line_gives_the_mines(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "board"
    path.write_bytes(content)
    assert write_board(board_from(str(path), None)) == "3x1/1\n#1#\n"


def test_without_it_the_option_must(tmp_path: Path) -> None:
    path = tmp_path / "board"
    path.write_bytes(b"#1#\n")
    assert board_from(str(path), 1).mine_count == 1
    with pytest.raises(click.UsageError, match="give --mines N"):
        board_from(str(path), None)


def test_what_is_wrong_with_the_board_comes_first(tmp_path: Path) -> None:
    path = tmp_path / "board"
    path.write_bytes(b"#1\n#\n")
    with pytest.raises(NotationError, match=r"board:2:2: this row has 1 cell"):
        board_from(str(path), None)


def test_no_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(click.UsageError, match="standard input is closed: name a file"):
        board_from("-", 1)
