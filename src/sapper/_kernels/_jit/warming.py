"""Compiling, or loading, before it is needed: for servers, and for screens that show how far it is.

Knows: which modules hold kernels.
Does not know: what they do.
"""

from collections.abc import Iterable
from importlib import import_module

from sapper._kernels._jit.compiler import Progress, on_progress


def warm_up(progress: Progress | None = None, modules: Iterable[str] = ("analysis",)) -> None:
    """Load the kernels of `modules` of this package, compiling what no earlier process has.

    `progress` is told of every one; see `compiler.on_progress`.
    """
    on_progress(progress)
    try:
        for module in modules:
            import_module(f"sapper._kernels._jit.{module}")
    finally:
        on_progress(None)
