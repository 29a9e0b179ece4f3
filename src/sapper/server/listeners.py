"""Listening sockets, and how many files the system lets a server open for its connections."""

import errno
import importlib
import os
import socket
from collections.abc import Iterable, Sequence
from types import ModuleType
from typing import Final

from sapper.errors import UnavailableError

resource: ModuleType | None
try:
    resource = importlib.import_module("resource")
except ImportError:  # Windows
    resource = None

BACKLOG: Final = 4096
"""Connections that the system holds until they are accepted; it may hold fewer (net.core.somaxconn)."""

SPARE_FILES: Final = 64
"""Open files that a process needs besides one for each connection."""


def listen(hosts: Iterable[str], port: int, *, option: str = "--port") -> list[socket.socket]:
    """Sockets that listen on a port of these hosts; port 0 is any free one, the same on all.

    `UnavailableError` says in one line why not: taken, not permitted, no such address; and that `option` chooses another port.
    """
    opened: list[socket.socket] = []
    try:
        for family, address in _resolve(hosts, port):
            number = opened[0].getsockname()[1] if opened else address[1]
            opened.append(_open(family, (address[0], number, *address[2:]), option))
    except BaseException:
        for one in opened:
            one.close()
        raise
    return opened


def listen_with_metrics(
    hosts: Iterable[str], port: int, metrics: tuple[str, int] | None, *, option: str
) -> tuple[list[socket.socket], list[socket.socket]]:
    """The sockets of a server and of its metrics, whose setting is `option`; errors as of `listen`."""
    listeners = listen(hosts, port)
    try:
        return listeners, [] if metrics is None else listen([metrics[0]], metrics[1], option=f"the setting {option}")
    except BaseException:
        for listener in listeners:
            listener.close()
        raise


def _resolve(hosts: Iterable[str], port: int) -> list[tuple[int, tuple[object, ...]]]:
    found: dict[tuple[int, tuple[object, ...]], None] = {}
    for host in hosts:
        try:
            infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        except OSError as error:
            raise UnavailableError(f"cannot serve on {host!r}: {error.strerror or error}") from None
        for family, _, _, _, address in infos:
            found[family, address] = None
    return list(found)


def _open(family: int, address: tuple[object, ...], option: str) -> socket.socket:
    # asyncio sets TCP_NODELAY only where the protocol is named. Without it each small message but the first waits for the peer's delayed
    # acknowledgement of the one before, 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":
            # Elsewhere this option would let two servers have the port.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
        listener.setblocking(False)
    except OSError as error:
        listener.close()
        raise UnavailableError(f"cannot serve on {place(address)}: {_why(error, option)}") from None
    return listener


def _why(error: OSError, option: str) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"the port is taken (another server is running; {option} chooses another)"
    if error.errno == errno.EACCES:
        return f"not permitted (ports below 1024 belong to the administrator; {option} chooses another)"
    if error.errno == errno.EADDRNOTAVAIL:
        return "this machine has no such address"
    return error.strerror or str(error)


def place(address: Sequence[object]) -> str:
    """An address in words, as `[::1]:80`."""
    host, port = address[:2]
    return f"[{host}]:{port}" if ":" in str(host) else f"{host}:{port}"


def raise_file_limit(wanted: int) -> int:
    """Raise the limit of open files to `wanted`, or as far as the hard limit permits; the new limit.

    Where there is no such limit (Windows), that is as many as wanted.
    """
    if resource is None:
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    raised = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, raised), hard))
    except (OSError, ValueError):
        return int(soft)
    return max(int(soft), raised)
