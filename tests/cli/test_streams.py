"""Streams as a script has them: pipes that are read line by line, and outputs that are closed, full or gone."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sapper.cli.exits import ExitCode

_SAPPER = [sys.executable, "-m", "sapper"]
_TALKING = {
    "play --lines --no-store --seed 1": "Beginner: 9 columns, a to i, 9 rows, 10 mines.",
    "bot --games 100000 --seed 1": "",
    "generate --preset beginner --count 10000000 --seed 1 --format list": "",
    "serve --port 0": "",
}
"""Commands that go on until somebody ends them, and the first line that they write (empty: any line)."""


def _buffered() -> dict[str, str]:
    """The environment of a machine where Python buffers what goes into a pipe, as it does by default."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}


@pytest.mark.parametrize("words", _TALKING)
def test_a_line_arrives_while_the_command_goes_on(words: str) -> None:
    both = subprocess.STDOUT if words.startswith("serve") else None
    with subprocess.Popen(
        [*_SAPPER, *words.split()], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=both, text=True, env=_buffered()
    ) as process:  # fmt: skip
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line.endswith("\n")
            assert line.startswith(_TALKING[words])
            assert process.poll() is None
        finally:
            process.kill()


_ENDINGS = [
    ("nonsense", ExitCode.USAGE),
    ("analyse -", ExitCode.USAGE),
    ("--help", ExitCode.DONE),
    ("bot --seed 1", ExitCode.DONE),
    ("simulate --preset beginner --strategy single --games 3 --seed 1 --json", ExitCode.DONE),
    ("stats", ExitCode.DONE),
    ("play --lines --no-store", ExitCode.DONE),
]


def _code(words: str, redirection: str) -> int:
    command = f'"$@" {redirection}; exit "${{PIPESTATUS[0]}}"'
    done = subprocess.run(
        ["bash", "-c", command, "bash", *_SAPPER, *words.split()],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=_buffered(), check=False,
    )  # fmt: skip
    return done.returncode


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize(("words", "code"), _ENDINGS)
def test_an_error_stream_that_cannot_be_written_changes_nothing(words: str, code: ExitCode) -> None:
    for redirection in ("2>/dev/full", "2>&-", "2> >(true)"):
        assert _code(words, redirection) == code, redirection


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize(("words", "code"), _ENDINGS)
def test_an_output_that_cannot_be_written_is_an_error_of_the_contract(words: str, code: ExitCode) -> None:
    assert _code(words, ">/dev/full 2>/dev/full") == (code or ExitCode.FULL)
    assert _code(words, ">&- 2>&-") == code
    assert _code(words, "| true") in {code, ExitCode.NO}  # no reader is left: nobody to tell
