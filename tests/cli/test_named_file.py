"""Files that say their name when the disk is full."""

import os
from pathlib import Path

import pytest

from sapper.cli.named_file import open_named_text

FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="no device here is always full")
def test_a_full_disk_is_said_with_the_name() -> None:
    file = open_named_text(str(FULL))
    file.write("a")
    with pytest.raises(OSError, match="/dev/full") as told:
        file.close()
    assert told.value.filename == str(FULL)


def test_lines_are_written_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"f\xff")
    with open_named_text(str(path)) as file:
        file.write("ä\n")
    assert path.read_bytes() == b"\xc3\xa4\n"
