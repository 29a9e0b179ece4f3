"""A worker: the game server of one process among several (see `supervisor`).

Started as `python -m sapper.net.worker FD ORDERS`: the Unix socket to its supervisor, and its orders as JSON.

Knows: the lines between it and its supervisor.
Does not know: the port, the limiter, the other workers.
"""

import asyncio
import json
import logging
import signal
import socket
import sys
from collections import deque
from collections.abc import Callable
from typing import Any, Final

from sapper.net.limits import ServerLimits
from sapper.net.results import GameResult, discard
from sapper.net.server import GameServer, seeds_of
from sapper.server.collector import collect_in_short_looks
from sapper.server.listeners import SPARE_FILES, raise_file_limit
from sapper.server.logging import log, set_up
from sapper.server.signals import leave_to_parent

MOST_SOCKETS: Final = 64
"""Sockets taken over at a time."""


class Control:
    """The worker's end of the Unix socket: cuts what comes into lines, and gives each its socket."""

    def __init__(self, sock: socket.socket, server: GameServer, reply: asyncio.WriteTransport) -> None:
        self._sock = sock
        self._server = server
        self._reply = reply
        self._text = b""
        self._kept: dict[int, Callable[[], None]] = {}
        """What waits for the supervisor to say that it is durable."""
        self._asked = 0
        self._sockets: deque[int | None] = deque()
        """In the order of their lines; None for one that the system could not open here."""
        self.ended = asyncio.Event()

    def read(self) -> None:
        """Take what has come."""
        try:
            data, sockets, flags, _ = socket.recv_fds(self._sock, 16 * 1024, MOST_SOCKETS)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data, sockets, flags = b"", [], 0
        # How lines and sockets were put together on their way makes no difference: both keep their order.
        self._sockets.extend(sockets)
        if flags & socket.MSG_CTRUNC:
            # No file is left for a socket: the system has closed it, and delivers the rest (recvmsg(2)).
            self._sockets.append(None)
        if not data:
            asyncio.get_running_loop().remove_reader(self._sock)
            self.ended.set()
            return
        *lines, self._text = (self._text + data).split(b"\n")
        for line in lines:
            if line == b"?":
                self.say({"metrics": self._server.snapshot().state()})
            elif line.startswith(b"="):
                self._kept.pop(int(line[1:]), lambda: None)()
            elif line == b"!":
                self.ended.set()
            else:
                self._admit(self._sockets.popleft(), line[1:].decode())

    def _admit(self, fileno: int | None, address: str) -> None:
        if fileno is None:
            log(logging.ERROR, "connection lost at once", peer=address, reason="too many open files")
            self.say({"left": address})
        else:
            self._server.admit(socket.socket(fileno=fileno), address)

    def record(self, result: GameResult, durable: Callable[[], None]) -> None:
        """Have the supervisor keep a game."""
        self._asked += 1
        self._kept[self._asked] = durable
        self.say({"keep": self._asked, "game": result.to_json()})

    def say(self, message: dict[str, Any]) -> None:
        """Send the supervisor a line."""
        self._reply.write(json.dumps(message).encode() + b"\n")


class Reply(asyncio.Protocol):
    """The worker's end of the pipe to its supervisor; knows when all that was said is on its way."""

    def __init__(self) -> None:
        self.ended = asyncio.Event()

    def connection_lost(self, exc: Exception | None) -> None:
        """Everything is written, or nobody listens."""
        self.ended.set()


async def work(control_socket: socket.socket, orders: dict[str, Any]) -> None:
    """Play until the supervisor says so or has gone, or SIGTERM comes."""
    loop = asyncio.get_running_loop()
    reply, reply_end = await loop.connect_write_pipe(Reply, sys.stdout.buffer)
    limits = ServerLimits(**orders["limits"])
    raise_file_limit(limits.connections + SPARE_FILES)
    server = GameServer(
        limits=limits,
        draw_seed=seeds_of(orders["seed"]),
        on_finished=(lambda result: control.say({"finished": result.to_json()})) if orders["results"] else discard,
        recorder=(lambda result, durable: control.record(result, durable)) if orders["records"] else None,  # noqa: PLW0108  # it comes later
        on_left=lambda address: control.say({"left": address}),
    )
    control = Control(control_socket, server, reply)
    control_socket.setblocking(False)
    loop.add_signal_handler(signal.SIGTERM, control.ended.set)
    loop.add_reader(control_socket, control.read)
    control.say({"ready": True})
    await control.ended.wait()
    await server.shut_down()  # what is durable is still said on the socket: the last screens wait for it
    loop.remove_reader(control_socket)
    reply.close()
    await reply_end.ended.wait()


def main(argv: list[str]) -> None:
    """Run a worker with the arguments that its supervisor gave it."""
    # Ctrl-C and a terminal that closes reach all processes at once: the supervisor ends the workers, in order.
    leave_to_parent()
    orders = json.loads(argv[1])
    finish = set_up(sys.stderr, log_format=orders["log_format"], level=orders["log_level"])
    collect_in_short_looks()
    try:
        with socket.socket(fileno=int(argv[0])) as control_socket:
            asyncio.run(work(control_socket, orders))
    finally:
        finish()


if __name__ == "__main__":
    main(sys.argv[1:])
