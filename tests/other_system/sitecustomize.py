"""Python as it is on Windows, as far as that can be had elsewhere: every process that has this folder on its path begins with it.

Modules and functions that Windows has not are gone; event loops wait for no file descriptors and no signals; `select` takes sockets alone;
a file that is open is not removed or replaced, and a folder is not opened. `msvcrt` is a stand-in for what Windows has instead. What the
standard library itself needs of this system it has imported before.

What cannot be had: the names of the platform (`sys.platform`, `os.name`), which the standard library goes by; paths; the event loop itself.
"""

import asyncio
import contextlib
import fcntl
import getpass  # noqa: F401
import os
import select
import shutil
import signal
import socket
import stat
import subprocess  # noqa: F401
import sys
import tempfile  # noqa: F401
import termios
import tty
import types
from pathlib import Path
from typing import Any, NoReturn

import platformdirs  # noqa: F401  # goes by the platform's name, as the standard library does

MODULES = ("resource", "termios", "fcntl", "pwd", "grp", "tty", "pty", "curses", "readline", "syslog")
FUNCTIONS = (
    "fork", "forkpty", "getuid", "geteuid", "getgid", "getegid", "killpg", "setsid", "getpgid", "nice", "pread", "pwrite", "fdatasync",
    "posix_fallocate", "fchmod", "fchown", "chown", "O_CLOEXEC", "sched_getaffinity", "getloadavg", "mkfifo", "set_blocking",
)  # fmt: skip
SIGNALS = (
    "SIGHUP",
    "SIGQUIT",
    "SIGTSTP",
    "SIGWINCH",
    "SIGCONT",
    "SIGUSR1",
    "SIGUSR2",
    "SIGALRM",
    "pthread_sigmask",
    "setitimer",
)


def _msvcrt() -> types.ModuleType:
    """Keys of standard input, one at a time; a lock of one byte."""
    module: Any = types.ModuleType("msvcrt")
    modes: list[Any] = []

    def kbhit() -> bool:
        if not modes:
            modes.append(termios.tcgetattr(0))
            tty.setcbreak(0)
        return bool(real_select([0], [], [], 0)[0])

    def getwch() -> str:
        return os.read(0, 1).decode("latin-1").replace("\n", "\r")

    def locking(handle: int, mode: int, count: int) -> None:
        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB, count, 0, os.SEEK_CUR)

    module.kbhit, module.getwch, module.locking, module.LK_NBLCK = kbhit, getwch, locking, 2
    return module  # type: ignore[no-any-return]


def _refuse(*_: object, **__: object) -> NoReturn:
    raise NotImplementedError


def _is_open(path: object) -> bool:
    """Whether this process has that file open."""
    found = os.path.realpath(os.fspath(path))  # type: ignore[call-overload]
    held = set()
    for one in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):  # the one that this list is read through
            held.add(str(one.readlink()))
    return found in held


def _unless_open(act: Any) -> Any:
    def acted(path: object, *others: Any, **names: Any) -> Any:
        if any(_is_open(one) for one in (path, *others[:1]) if isinstance(one, (str, os.PathLike))):
            raise PermissionError(13, "The process cannot access the file because it is being used", str(path))
        return act(path, *others, **names)

    return acted


def _unless_folder(act: Any) -> Any:
    def opened(path: Any, *others: Any, **names: Any) -> Any:
        if isinstance(path, (str, bytes, os.PathLike)) and Path(os.fsdecode(path)).is_dir() and "dir_fd" not in names:
            raise PermissionError(13, "Permission denied", str(path))
        return act(path, *others, **names)

    return opened


def _of_sockets(read: Any, write: Any, other: Any, *seconds: Any) -> Any:
    for one in (*read, *write, *other):
        if not stat.S_ISSOCK(os.fstat(one if isinstance(one, int) else one.fileno()).st_mode):
            raise OSError(10038, "an operation was attempted on something that is not a socket")
    return real_select(read, write, other, *seconds)


real_select = select.select
sys.modules["msvcrt"] = _msvcrt()
sys.modules.update(dict.fromkeys(MODULES))  # type: ignore[arg-type]
for name in FUNCTIONS:
    if hasattr(os, name):
        delattr(os, name)
for name in SIGNALS:
    if hasattr(signal, name):
        delattr(signal, name)
for name in ("send_fds", "recv_fds"):
    delattr(socket, name)
for loop in (asyncio.SelectorEventLoop, *asyncio.SelectorEventLoop.__mro__):
    for name in (
        "add_reader",
        "remove_reader",
        "add_writer",
        "remove_writer",
        "add_signal_handler",
        "remove_signal_handler",
    ):
        if name in vars(loop):
            setattr(loop, name, _refuse)
select.select = _of_sockets
os.unlink = os.remove = _unless_open(os.unlink)
os.replace, os.rename = _unless_open(os.replace), _unless_open(os.rename)
os.open = _unless_folder(os.open)
shutil._use_fd_functions = False  # type: ignore[attr-defined]
