"""The native half: whether there is one, and its modules, which are loaded when they are first asked for."""

from functools import cache
from importlib import import_module
from types import ModuleType


def is_native() -> bool:
    return absence() is None


@cache
def absence() -> str | None:
    """Why there is no native library, in one line; None if there is one."""
    try:
        import_module("sapper._kernels.library")
    except (OSError, AttributeError, ImportError) as error:
        return " ".join(str(error).split())
    return None


@cache
def native(module: str) -> ModuleType | None:
    """A module of the native half; None if there is no library that will do."""
    return import_module(f"sapper._kernels.native.{module}") if is_native() else None
