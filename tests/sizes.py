"""How large tests are: as large as a few minutes allow, or in full with `./test.sh --full`."""

import os
from typing import Final

VARIABLE: Final = "SAPPER_TESTS_FULL"
"""Set by `--full` (tests/conftest.py), for the workers too."""


def sized(usual: int, full: int) -> int:
    """A number of examples, games, layouts."""
    return full if os.environ.get(VARIABLE) else usual
