"""Text of a file: what is none is said with its place."""

import io
import json
import sys
from pathlib import Path

import pytest

from sapper.cli.exits import ExitCode
from sapper.cli.file_text import decoded
from sapper.cli.main import main
from sapper.errors import NotationError


def test_text() -> None:
    assert decoded("één\n".encode(), "b.txt") == "één\n"


def test_no_text() -> None:
    with pytest.raises(NotationError, match=r"^b\.txt:2:3: not a text: byte 0xff$"):
        decoded(b"ab\nab\xff", "b.txt")


@pytest.mark.parametrize("name", ["analyse", "hint", "metrics"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_a_file_and_standard_input_are_read_alike(
    name: str, encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = "###" if name in ("analyse", "hint") else "*2*"
    data = f"3x2/2\r\n121\r\n{rows}\r\n".encode(encoding)
    file = tmp_path / "board"
    file.write_bytes(data)
    told = set()
    for words in ([str(file)], ["-"], []):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        assert main([name, *words, "--json"]) == ExitCode.DONE
        told.add(capsys.readouterr().out)
    assert len(told) == 1
    assert json.loads(told.pop())
