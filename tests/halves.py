"""Both halves of the kernels: the native one, and the reference as where there is no library."""

import contextlib
from collections.abc import Iterator

import pytest

from sapper._kernels import loading

REASON = "the native library was not made: there is no C compiler"


@contextlib.contextmanager
def by_reference() -> Iterator[None]:
    """Have the reference do everything meanwhile."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loading, "absence", lambda: REASON)
        patch.setattr(loading, "native", lambda _module: None)
        yield


@contextlib.contextmanager
def by(half: str) -> Iterator[None]:
    """Have this half, `native` or `reference`, do everything meanwhile."""
    with by_reference() if half == "reference" else contextlib.nullcontext():
        assert loading.is_native() is (half == "native")
        yield
