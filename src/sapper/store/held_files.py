"""Files that a process holds for as long as it lives, on every system.

Linux, macOS and other Unixes lock a whole file (`flock`). Windows locks bytes of it, and nobody else can read those; so one byte is locked far
behind all that is ever written. Either lock goes with its process, however that ends.

A draft is such a file: it gets its name when it is whole. What a process that was killed left of one goes with the next draft there.
"""

import contextlib
import importlib
import itertools
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final


def _module(name: str) -> Any:
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


_DRAFT: Final = re.compile(r"\..+\.\d+\.part")
_COMPANIONS: Final = ("", "-wal", "-shm", "-journal")
"""What SQLite puts beside a database, and the database."""


@contextlib.contextmanager
def drafted(target: Path) -> Iterator[Path]:
    """An empty file beside a target that only its owner may read, to be written and given a name; what is left of it at the end is removed."""
    _clear_drafts(target.parent)
    draft = target.with_name(f".{target.name}.{os.getpid()}.part")
    handle = _make_draft(draft)
    try:
        yield draft
    finally:
        _remove_draft(draft)
        if handle is not None:
            os.close(handle)


def _make_draft(draft: Path) -> int | None:
    """Make it, and hold it where a file that is open can be renamed."""
    while True:
        handle = os.open(draft, os.O_RDWR | os.O_CREAT | FLAGS, 0o600)
        if fcntl is None:
            os.close(handle)
            return None
        try_lock(handle)
        if is_same(handle, draft):
            os.ftruncate(handle, 0)
            return handle
        os.close(handle)  # another process took it for one that is left over, before it was locked


def _clear_drafts(folder: Path) -> None:
    with contextlib.suppress(OSError):
        for path in folder.glob(".*.part"):
            if not _DRAFT.fullmatch(path.name):
                continue
            with contextlib.suppress(OSError):
                handle = os.open(path, os.O_RDWR | FLAGS)
                try:
                    is_left = try_lock(handle)
                finally:
                    os.close(handle)
                if is_left:
                    _remove_draft(path)


def _remove_draft(draft: Path) -> None:
    for suffix in _COMPANIONS:
        with contextlib.suppress(OSError):  # a disk that may not be written; that was said
            draft.with_name(draft.name + suffix).unlink(missing_ok=True)


def is_same(handle: int, path: Path) -> bool:
    """True if an open file is the one of that name."""
    try:
        there = path.stat()
    except FileNotFoundError:
        return False
    here = os.fstat(handle)
    return (here.st_dev, here.st_ino) == (there.st_dev, there.st_ino)


def sync(path: Path) -> None:
    """Have a file, or the names in a folder, on the disk."""
    try:
        handle = os.open(path, os.O_RDONLY | FLAGS)
    except PermissionError:
        return  # Windows opens no folders
    try:
        os.fsync(handle)
    except OSError:
        if path.is_file():
            raise
    finally:
        os.close(handle)


def link(path: Path, name: str, suffix: str = "") -> Path:
    """Give a file one more name beside it, `name` or the first of `name-1` … that is free; a copy has it where links cannot be had."""
    for number in itertools.count():
        free = path.with_name(f"{name}{f'-{number}' if number else ''}{suffix}")
        try:
            os.link(path, free)
        except FileExistsError:
            continue
        except OSError:
            try:
                with free.open("xb"):
                    pass
            except FileExistsError:
                continue
            shutil.copy2(path, free)
        return free
    raise AssertionError
