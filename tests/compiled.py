"""Calling from Python what only kernels may call."""

from collections.abc import Callable
from typing import Any

import numba


def callable_from_python(helper: Any) -> Callable[..., Any]:
    """A helper of the compiled kernels behind a kernel of its own, compiled when it is first called."""
    names = ", ".join(f"argument_{number}" for number in range(helper.py_func.__code__.co_argcount))
    scope: dict[str, Any] = {"helper": helper}
    exec(f"def call({names}):\n    return helper({names})", scope)
    compiled: Callable[..., Any] = numba.njit(scope["call"])
    return compiled
