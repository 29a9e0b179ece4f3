"""How a kernel is compiled, and where the result is kept.

`kernel(signature)` compiles a function when its module is imported, or loads what an earlier
process compiled. Every kernel has exactly one declared signature: an argument of another type is
converted or refused, never compiled for, so nothing compiles twice and no narrow integer can wrap.

The results lie in a folder named by a hash of a kernel's module and of all it imports from here. numba
itself looks only at the file of the compiled function, so an edited callee in another file would run as
it was before.

Knows: numba's decorator and cache, folders, the environment variable `SAPPER_CACHE_DIR`.
Does not know: what any kernel does, screens (a hook is told what is being compiled).
"""

import hashlib
import os
import re
import stat
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba import types
from numba.extending import intrinsic

from sapper._kernels.compiled.linking import HelperCompiler, call_by_address

Function = TypeVar("Function", bound=Callable[..., Any])
Progress = Callable[[str, int, int], None]
"""Told, before a kernel is compiled or loaded, or a helper compiled for it: the name, how many kernels came
before, how many there are."""

I64 = types.int64
F64 = types.float64
U8 = types.uint8
U8S = types.uint8[::1]
I32S = types.int32[::1]
I64S = types.int64[::1]
F64S = types.float64[::1]

_PACKAGE = Path(__file__).parent
_njit: Any = numba.njit  # its types know no `no_cfunc_wrapper`
_DECORATOR = b"\n@kernel("
_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "boundscheck": False,
    "fastmath": False,
    "error_model": "numpy",
    "no_cfunc_wrapper": True,
}


class _Watch:
    """What has been compiled or loaded so far, and who is told."""

    hook: Progress | None = None
    on_compiling: Callable[[str], None] | None = None
    done: int = 0


def on_progress(hook: Progress | None) -> None:
    """Tell `hook` of every kernel from now on; None tells nobody."""
    _Watch.hook = hook


def on_compiling(hook: Callable[[str], None] | None) -> None:
    """Tell `hook` the name of every kernel or helper that is compiled from now on, not of those that are loaded."""
    _Watch.on_compiling = hook


@cache
def _sources() -> dict[str, bytes]:
    """Every source of this package, by its path in it."""
    return {path.relative_to(_PACKAGE).as_posix(): path.read_bytes() for path in sorted(_PACKAGE.rglob("*.py"))}


@cache
def kernel_count() -> int:
    """Number of kernels in the package, imported or not."""
    return sum(source.count(_DECORATOR) for source in _sources().values())


def _sources_of(module: str) -> set[str]:
    """A module of this package and all it imports from here, by path; by the mention of their names."""
    found: set[str] = set()
    waiting = [f"{module}.py", "compiler.py"]
    while waiting:
        name = waiting.pop()
        if name not in found and name in _sources():
            found.add(name)
            waiting += [
                f"{match.decode()}.py" for match in re.findall(rb"compiled(?:\.| import )(\w+)", _sources()[name])
            ]
    return found


@cache
def sources_hash(module: str) -> str:
    """A name for this state of what a module's kernels are made of: 16 hexadecimal digits."""
    digest = hashlib.sha256()
    for name in sorted(_sources_of(module)):
        source = _sources()[name]
        digest.update(f"{name}\0{len(source)}\0".encode())
        digest.update(source)
    return digest.hexdigest()[:16]


def _platform_folder() -> Path:
    """Where this platform keeps what can be made again."""
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / "sapper" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "sapper"
    xdg = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(xdg) if Path(xdg).is_absolute() else Path.home() / ".cache") / "sapper"


def _is_usable(folder: Path) -> bool:
    """Make the folder if need be; whether files can be written there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except (OSError, RuntimeError):
        return False


def _temporary_folder() -> Path:
    """A folder of this user's own among the temporary ones, the same one in every process.

    Loading compiled code runs it, so a folder that somebody else made or may write to will not do:
    then it is a fresh one, and the next process compiles anew.
    """
    user = os.getuid() if hasattr(os, "getuid") else 0
    folder = Path(tempfile.gettempdir()) / f"sapper-{user}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return Path(tempfile.mkdtemp(prefix="sapper-"))
    mine = not hasattr(os, "getuid") or (found.st_uid == user and not found.st_mode & 0o022)
    if stat.S_ISDIR(found.st_mode) and mine and _is_usable(folder):
        return folder
    return Path(tempfile.mkdtemp(prefix="sapper-"))


@cache
def cache_folder(module: str) -> Path:
    """Where a module's compiled kernels are kept.

    Below `SAPPER_CACHE_DIR`, the platform's place for such things, or a temporary folder.
    """
    name = f"jit-{sources_hash(module)}"
    chosen = os.environ.get("SAPPER_CACHE_DIR", "")
    try:
        folder = (Path(chosen) if chosen else _platform_folder()) / name
    except RuntimeError:  # no home directory
        return _temporary_folder() / name
    return folder if _is_usable(folder) else _temporary_folder() / name


def is_kept(module: str, kernel: str) -> bool:
    """Whether an earlier process compiled this kernel of this module, so that it is only loaded."""
    return any(cache_folder(module).rglob(f"{module}.{kernel}-*.nbi"))


def _announce(function: Callable[..., Any], *, kept: bool = False) -> None:
    if _Watch.hook is not None:
        _Watch.hook(function.__name__, _Watch.done, kernel_count())
    if _Watch.on_compiling is not None and not kept:
        _Watch.on_compiling(function.__name__)


def kernel(signature: object) -> Callable[[Function], Function]:
    """Compile the decorated function for `signature`, a numba signature or a tuple of argument types.

    It releases the GIL, keeps IEEE arithmetic, and does not check bounds: its author proves them.
    """

    def compiled(function: Function) -> Function:
        module = function.__module__.rpartition(".")[2]
        _announce(function, kept=_Watch.on_compiling is not None and is_kept(module, function.__name__))
        config: Any = numba.config
        before = config.CACHE_DIR
        # numba asks for the folder only here; other users of numba in this process keep theirs.
        config.CACHE_DIR = str(cache_folder(module))
        try:
            dispatcher = _njit(signature, cache=True, **_OPTIONS)(function)
            call_by_address(dispatcher, f"sapper.{module}.{function.__name__}")
            return cast(Function, dispatcher)
        finally:
            config.CACHE_DIR = before
            _Watch.done += 1

    return compiled


def helper(signature: object, *, allocates: bool = False) -> Callable[[Function], Function]:
    """Let kernels call the decorated function, which is compiled for `signature` when the first one is.

    It is neither kept nor loaded by itself: a kernel that is loaded has it inside already. Unless it `allocates` (makes an
    array, or copies one by assignment to a slice), references to arrays are not counted in it, which is quicker to compile.
    """

    def lazy(function: Function) -> Function:
        dispatcher = _njit(no_cpython_wrapper=True, pipeline_class=HelperCompiler, _nrt=allocates, **_OPTIONS)(function)
        look_up = dispatcher.get_call_template

        def template(arguments: Any, keywords: Any) -> Any:
            if not dispatcher.signatures:
                _announce(function)
                dispatcher.compile(signature)
                dispatcher.disable_compile()
            return look_up(arguments, keywords)

        # What numba asks when it meets a call; left to itself it compiles for whatever types it finds.
        dispatcher.get_call_template = template
        return cast(Function, dispatcher)

    return lazy


@intrinsic  # type: ignore[untyped-decorator, unused-ignore]
def _lowest_bit(_context: Any, _value: Any) -> Any:
    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], _false())

    return types.int64(types.int64), generate


@intrinsic  # type: ignore[untyped-decorator, unused-ignore]
def _bit_count(_context: Any, _value: Any) -> Any:
    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


def _false() -> Any:
    """LLVM's `false`: a zero argument is defined (it gives 64)."""
    from llvmlite import ir  # noqa: PLC0415  (only while compiling)

    return ir.Constant(ir.IntType(1), 0)


lowest_bit = cast(Callable[[int], int], _lowest_bit)
"""Inside kernels: the place of the lowest bit set, 64 if there is none."""
bit_count = cast(Callable[[int], int], _bit_count)
"""Inside kernels: the number of bits set."""
