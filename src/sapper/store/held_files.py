"""Files that a process holds for as long as it lives, on every system.

Linux, macOS and other Unixes lock a whole file (`flock`). Windows locks bytes of it, and nobody else can read those; so one byte is locked far
behind all that is ever written. Either lock goes with its process, however that ends.

Knows: how a file is opened, locked, read and written at a place, and removed while it is held.
Does not know: what is in it.
"""

import contextlib
import importlib
import os
from pathlib import Path
from typing import Any, Final


def _module(name: str) -> Any:
    """A module of some systems; None on others."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


fcntl = _module("fcntl")
msvcrt = _module("msvcrt")
FLAGS: Final = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
"""What every file is opened with: not for the programs that are started, and byte by byte."""
_FAR: Final = 1 << 40
"""The byte that is locked on Windows: no file of ours is a terabyte long."""


def try_lock(handle: int) -> bool:
    """Lock a file that is open; False if another process holds it, and True where the system has no locks at all."""
    try:
        if fcntl is not None:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        elif msvcrt is not None:
            os.lseek(handle, _FAR, os.SEEK_SET)
            try:
                msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
            finally:
                os.lseek(handle, 0, os.SEEK_SET)
    except OSError:
        return False
    return True


def read_at(handle: int, count: int, at: int) -> bytes:
    """Up to so many bytes from a place on. Where there is no `pread`, one thread at a time may ask."""
    if hasattr(os, "pread"):
        return os.pread(handle, count, at)
    os.lseek(handle, at, os.SEEK_SET)
    return os.read(handle, count)


def write_at(handle: int, data: bytes | memoryview, at: int) -> int:
    """Write bytes at a place; how many were written. Where there is no `pwrite`, one thread at a time may ask."""
    if hasattr(os, "pwrite"):
        return os.pwrite(handle, data, at)
    os.lseek(handle, at, os.SEEK_SET)
    return os.write(handle, data)


def close_and_remove(handle: int, path: Path) -> None:
    """Let go of a file, and remove it, first: what another process finds under that name is then another file.

    Windows does not remove a file that is open; there it is closed first, and stays if another process has opened it since.
    """
    is_open = False
    try:
        path.unlink(missing_ok=True)
    except PermissionError:
        is_open = True
    except OSError:
        pass  # a disk that has gone
    with contextlib.suppress(OSError):
        os.close(handle)
    if is_open:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
