"""Files that say their name when the disk is full."""

import io
import json
import os
import sys
from pathlib import Path

import pytest

from sapper.cli.exits import ExitCode
from sapper.cli.files import decoded, open_named_text
from sapper.cli.main import main
from sapper.errors import NotationError

FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="no device here is always full")
def test_a_full_disk_is_said_with_the_name() -> None:
    file = open_named_text(str(FULL))
    file.write("a")
    with pytest.raises(OSError, match="/dev/full") as told:
        file.close()
    assert told.value.filename == str(FULL)


@pytest.mark.skipif(not FULL.exists(), reason="no device here is always full")
@pytest.mark.parametrize(
    "words",
    [
        ["replay", "example", "--save", "full.rawvf"],
        ["replay", "example", "--save", "full.sapr"],
        ["replay", "example", "--move", "end", "--picture", "full.png"],
        ["replay", "example", "--save", "full.gif"],
        ["store", "export", "full.jsonl"],
    ],
)
def test_commands_say_which_file_has_no_room(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    name = words[-1]
    Path(name).symlink_to(FULL)
    assert main(words) == ExitCode.FULL
    assert capsys.readouterr().err == f"sapper: {name}: No space left on device\n"


def test_lines_are_written_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"f\xff")
    with open_named_text(str(path)) as file:
        file.write("ä\n")
    assert path.read_bytes() == b"\xc3\xa4\n"


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
