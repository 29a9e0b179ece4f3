"""`sapper` as it is for somebody who has not installed everything, in a process of its own.

To pretend that in the tests' own process would mean to import modules a second time; what had them before then has others
than what comes after, and a test that runs later fails for it.
"""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

_PROGRAM = """
import sys
sys.modules[sys.argv[1]] = None
from sapper.cli.main import main
sys.exit(main(sys.argv[2:]))
"""


def run_without(missing: str, words: Sequence[str], folder: Path) -> "subprocess.CompletedProcess[str]":
    """`sapper WORDS` where the package `missing` is not installed, in that folder."""
    return subprocess.run(
        [sys.executable, "-c", _PROGRAM, missing, *words], capture_output=True, text=True, cwd=folder, check=False
    )
