"""Expecting a move to be illegal for one reason."""

from typing import Any

import pytest

from sapper.errors import IllegalMoveError, MoveFault


def refused(reason: MoveFault, match: str | None = None) -> Any:
    """A context in which an `IllegalMoveError` of this reason must be raised."""
    return pytest.raises(IllegalMoveError, match=match, check=lambda error: error.reason is reason)
