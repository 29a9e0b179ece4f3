"""How a command ends: its exit code, and the one line that an error becomes."""

import errno
import os
from enum import IntEnum
from typing import NamedTuple

from sapper.errors import (
    AccessError,
    ContradictionError,
    FullDiskError,
    HeldStoreError,
    IllegalMoveError,
    LayoutNotFoundError,
    NoSuchLayoutError,
    SapperError,
    StrategyError,
    StrategyLoadError,
    TooHardError,
    UnavailableError,
)


class ExitCode(IntEnum):
    """What a script can rely on."""

    DONE = 0
    NO = 1
    """The answer is no: a red scenario, a contradictory board, a lost connection, a store that another
    process has to itself, interrupted."""
    USAGE = 2
    """Wrong usage or unreadable input."""
    LIMIT = 3
    """A limit was reached."""
    BUG = 70
    """A mistake of ours (EX_SOFTWARE of sysexits.h), so that no script takes it for an answer."""
    FULL = 74
    """No room for what is written: a full disk (EX_IOERR). 3 would be an answer of many commands."""


EXIT_CODES: dict[type[BaseException], ExitCode] = {
    # What was asked was understood, and the answer is no.
    ContradictionError: ExitCode.NO,
    IllegalMoveError: ExitCode.NO,
    AccessError: ExitCode.NO,
    HeldStoreError: ExitCode.NO,  # somebody has it: no mistake in what was asked
    StrategyError: ExitCode.NO,
    ConnectionError: ExitCode.NO,
    UnavailableError: ExitCode.NO,
    NoSuchLayoutError: ExitCode.NO,
    KeyboardInterrupt: ExitCode.NO,
    # There was not enough of something.
    TooHardError: ExitCode.LIMIT,
    LayoutNotFoundError: ExitCode.LIMIT,
    FullDiskError: ExitCode.FULL,
    MemoryError: ExitCode.LIMIT,
    StrategyLoadError: ExitCode.USAGE,  # no answer of a strategy's, but a name that is none
    # Everything else raised on purpose is about a value that cannot be.
    SapperError: ExitCode.USAGE,
    UnicodeDecodeError: ExitCode.USAGE,
    OSError: ExitCode.USAGE,
}
"""The nearest class an error inherits from decides; what inherits from none of them is a bug."""

EXTRAS = {
    "numpy": "data",
    "resvg_py": "pictures", "PIL": "pictures",
    "matplotlib": "plots",
    "sqlalchemy": "store", "alembic": "store", "psycopg": "store", "platformdirs": "store",
    "tomlkit": "config", "prometheus_client": "metrics",
    "starlette": "web", "uvicorn": "web", "websockets": "web", "itsdangerous": "web", "msgspec": "web",
    "disarm": "web",
    "textual": "tui", "rich": "tui", "ms_toollib": "replays", "gymnasium": "rl", "pyarrow": "data", "distributed": "cluster", "dask": "cluster",
}  # fmt: skip
"""Which extra of this project brings a module that may be missing."""

_DISTRIBUTIONS = {"PIL": "pillow", "prometheus_client": "prometheus-client"}


def distribution_of(module: str) -> str:
    """What is installed to have a module of `EXTRAS`: its name where packages come from."""
    return _DISTRIBUTIONS.get(module, module)


NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""What the system says when a disk is full, or a file may not grow."""


class Ending(NamedTuple):
    """The exit code, and the line to show: none where silence is right."""

    code: ExitCode
    line: str | None


def ending_of(error: BaseException) -> Ending:
    """How the program ends when this error reaches the top."""
    if isinstance(error, BrokenPipeError):
        # Whoever read our output has gone (`sapper bot | head`): nobody is left to be told.
        return Ending(ExitCode.NO, None)
    if isinstance(error, ModuleNotFoundError) and error.name == "click":
        return Ending(ExitCode.USAGE, "click is not installed: pip install click")
    if isinstance(error, ModuleNotFoundError) and (package := (error.name or "").partition(".")[0]) in EXTRAS:
        extra = EXTRAS[package]
        return Ending(
            ExitCode.USAGE,
            f"{distribution_of(package)} is not installed: pip install '.[{extra}]' in the clone of sapper",
        )
    for kind in type(error).__mro__:
        if kind in EXIT_CODES:
            return Ending(_code(error, EXIT_CODES[kind]), _line(error))
    return Ending(ExitCode.BUG, f"this is a bug: {type(error).__name__}: {_text(error)} (SAPPER_DEBUG=1 shows where)")


def _code(error: BaseException, code: ExitCode) -> ExitCode:
    if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
        return ExitCode.NO
    if isinstance(error, OSError) and error.errno in NO_ROOM:
        return ExitCode.FULL
    return code


def _line(error: BaseException) -> str:
    match error:
        case KeyboardInterrupt():
            return "interrupted"
        case MemoryError():
            return "not enough memory"
        case UnicodeDecodeError():
            return f"this is not UTF-8 text: byte {error.object[error.start]:#04x} at offset {error.start}"
        case FileExistsError(filename=str(name)):  # of a folder that was to be made: files are replaced
            return f"{name} is no folder"
        case OSError(filename=name, strerror=str(reason)) if name is not None:
            return f"{os.fsdecode(name) if isinstance(name, bytes) else name}: {reason}"
        case OSError(strerror=str(reason)):
            return reason
        case _:
            return _text(error)


def _text(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__
