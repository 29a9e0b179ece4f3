"""Files that say their name when the disk is full."""

import os
from pathlib import Path

import pytest

from sapper.cli.exits import ExitCode
from sapper.cli.main import main
from sapper.cli.named_file import open_named_text

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
    assert main(words) == ExitCode.LIMIT
    assert capsys.readouterr().err == f"sapper: {name}: No space left on device\n"


def test_lines_are_written_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"f\xff")
    with open_named_text(str(path)) as file:
        file.write("ä\n")
    assert path.read_bytes() == b"\xc3\xa4\n"
