"""The compiled backend: whether it can be had, from when loading it pays, and who is told that it compiles.

Loading takes a second or two, and compiling half a minute or more, once a machine. Packages that are installed and
broken (another numpy, a library missing) are found out by loading; from then on there is no compiled backend.

Knows: where the compiled kernels are, and how many layouts or cells are worth loading them for.
Does not know: what kernels do; screens.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import ClassVar, Protocol

from sapper.errors import SapperError

Progress = Callable[[str, int, int], None]
"""Told, before a kernel is loaded or compiled: its name, how many came before, how many there are."""

MEASURED_LAYOUTS = 3_000
"""Layouts to measure from which loading pays."""
SEARCHED_CELLS = 20_000
"""Cells of layouts to try, from which it pays."""
DRAWN_CELLS = 100 * SEARCHED_CELLS
"""Cells of layouts that are only drawn, from which it pays."""


class LoadListener(Protocol):
    """Who is told what loading is about. Each call of `loading` is followed by one of `loaded`."""

    def loading(self) -> None:
        """Kernels are loaded from now on, and compiled where none were kept."""

    def compiling(self, kernel: str) -> None:
        """A kernel is being compiled, which may take seconds."""

    def loaded(self) -> None:
        """All that was asked for is there, or has failed."""

    def failed(self, reason: str) -> None:
        """The compiled backend is installed and does not work: Python does everything. Told once."""


class _State:
    listener: LoadListener | None = None
    failure: str | None = None
    loaded: ClassVar[dict[str, ModuleType]] = {}


def listen(listener: LoadListener | None) -> None:
    """Have this one told from now on, in place of any other; None tells nobody."""
    _State.listener = listener


@cache
def _is_installed() -> bool:
    return find_spec("numba") is not None


def can_compile() -> bool:
    """Whether the compiled backend is installed, and has not been found broken."""
    return _State.failure is None and _is_installed()


def failure() -> str | None:
    """Why the compiled backend does not work though it is installed; None as long as nobody has noticed that."""
    return _State.failure


def load(module: str, progress: Progress | None = None) -> ModuleType | None:
    """A module of the compiled backend, its kernels loaded, or compiled if no earlier process has.

    None if the backend is not installed or does not work. `progress` is told of each kernel.
    """
    if module in _State.loaded:
        return _State.loaded[module]
    if (found := native(module)) is not None:
        _State.loaded[module] = found
        return found
    if not can_compile():
        return None
    listener = _State.listener
    if listener is not None:
        listener.loading()
    try:
        _State.loaded[module] = _load(module, progress)
        return _State.loaded[module]
    except (MemoryError, SapperError):
        raise
    except Exception as error:  # noqa: BLE001  # other people's packages fail in ways of their own
        _State.failure = f"{type(error).__name__}: {' '.join(str(error).split())}"
        if listener is not None:
            listener.failed(_State.failure)
        return None
    finally:
        if listener is not None:
            listener.loaded()


def is_native() -> bool:
    """Whether there is a native library that will do."""
    return absence() is None


@cache
def absence() -> str | None:
    """Why there is no native library, in one line; None if there is one."""
    try:
        import_module("sapper._kernels.library")
    except (OSError, AttributeError) as error:
        return " ".join(str(error).split())
    return None


@cache
def native(module: str) -> ModuleType | None:
    """A module of the native half; None if there is no library that will do, or no such module yet."""
    name = f"sapper._kernels.native.{module}"
    return import_module(name) if find_spec(name) is not None and is_native() else None


def _load(module: str, progress: Progress | None) -> ModuleType:
    compiler = import_module("sapper._kernels.compiled.compiler")
    listener = _State.listener
    compiler.on_progress(progress)
    compiler.on_compiling(None if listener is None else listener.compiling)
    try:
        return import_module(f"sapper._kernels.compiled.{module}")
    finally:
        compiler.on_progress(None)
        compiler.on_compiling(None)
