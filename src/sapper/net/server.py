"""The game server of one process: its connections, their limits in time, and its end.

Knows: all connections of this process; where seeds come from and results go.
Does not know: listening sockets (see `acceptor`), other processes (see `supervisor`), signals, packets.
"""

import asyncio
import contextlib
import logging
import secrets
import socket
from collections.abc import Callable
from time import monotonic
from typing import Final

from sapper.core.rng import Rng
from sapper.net.connection import SHUTDOWN, Connection
from sapper.net.limits import ServerLimits
from sapper.net.metrics import Metrics
from sapper.net.results import GameRecorder, GameResult, GameSink, discard
from sapper.net.turns import Dealer, Turns
from sapper.server.logging import log, log_failure

READ_SIZE: Final = 4096
"""Bytes read from a connection at a time, and so the most packets that one can have waiting."""
GRACE: Final = 2.0
"""Seconds that connections have to take the last screen when the server ends."""


def seeds_of(seed: int | None) -> Callable[[], int]:
    """Where the seeds of games come from: the system's randomness, or one seed, for tests."""
    return Rng(seed).next if seed is not None else _secret_seed


def _secret_seed() -> int:
    return secrets.randbits(64)


class GameServer:
    """Plays with everyone who was let in. Belongs to one event loop.

    `on_finished` takes the result of each game, `on_left` the address of each connection that has gone. `recorder` gets each game
    when it is started and when it has ended, and the player is answered when it is durable.
    """

    def __init__(
        self,
        *,
        limits: ServerLimits,
        draw_seed: Callable[[], int] = _secret_seed,
        on_finished: GameSink = discard,
        recorder: GameRecorder | None = None,
        on_left: Callable[[str], None] | None = None,
    ) -> None:
        self.limits = limits
        self.metrics = Metrics()
        self.buffer = bytearray(READ_SIZE)
        self.draw_seed = draw_seed
        self._on_finished = on_finished
        self._recorder = recorder
        self.has_recorder = recorder is not None
        self._on_left = on_left
        self._connections: set[Connection] = set()
        self._admissions: set[asyncio.Task[None]] = set()
        self._loop = asyncio.get_running_loop()
        self.turns = Turns(self._loop)
        self.dealer = Dealer(self._loop, self.turns.starts)
        self._empty = asyncio.Event()
        self._empty.set()
        self._is_ending = False
        self._sweeper: asyncio.TimerHandle | None = None
        # Limits are kept to within a quarter of themselves, or a second.
        self._interval = min(1.0, limits.idle / 4, limits.stall / 4)
        self._sweep()

    # --- connections ------------------------------------------------------------------------------

    def admit(self, sock: socket.socket, address: str) -> None:
        """Take over a connection that was accepted."""
        task = self._loop.create_task(self._connect(sock, address))
        self._admissions.add(task)
        task.add_done_callback(self._admissions.discard)

    async def _connect(self, sock: socket.socket, address: str) -> None:
        try:
            await self._loop.connect_accepted_socket(lambda: Connection(self, self._loop, address), sock)
        except OSError as error:  # it has gone already
            log(logging.INFO, "connection lost at once", peer=address, reason=error.strerror)
            sock.close()
            self._say_left(address)

    def joined(self, connection: Connection) -> None:
        """A connection is open."""
        self.metrics.opened += 1
        self._connections.add(connection)
        self._empty.clear()
        if self._is_ending:
            connection.dismiss(SHUTDOWN)

    def left(self, connection: Connection) -> None:
        """A connection is gone."""
        self._connections.discard(connection)
        if not self._connections:
            self._empty.set()
        self._say_left(connection.address)

    def _say_left(self, address: str) -> None:
        if self._on_left is not None:
            self._on_left(address)

    def draw_key(self) -> str:
        """A name that no other game has."""
        return secrets.token_hex(16)

    def record(self, result: GameResult, durable: Callable[[], None] = lambda: None) -> bool:
        """Count a game that was started or has ended, and hand it on; whether that can be told only when `durable` is called."""
        if result.status.ended:
            self._finish(result)
        if self._recorder is None:
            return False
        try:
            self._recorder(result, durable)
        except Exception:  # noqa: BLE001 - whoever keeps games must not end a player's connection
            self.metrics.errors["result"] += 1
            # The player is told that it is not saved.
            log_failure("game not taken", peer=result.peer)
        return True

    def _finish(self, result: GameResult) -> None:
        self.metrics.finished[result.status.value if result.counts else "debugged"] += 1
        log(
            logging.DEBUG, "game finished", peer=result.peer, result=result.status.value, debugged=result.debugged,
            columns=result.columns, rows=result.rows, difficulty=result.level, seed=result.seed,
            moves=result.moves, seconds=result.seconds,
        )  # fmt: skip
        try:
            self._on_finished(result)
        except Exception:  # noqa: BLE001 - whoever keeps statistics must not end a player's connection
            self.metrics.errors["result"] += 1
            log_failure("result not taken", peer=result.peer)

    def snapshot(self) -> Metrics:
        """The counts as of now."""
        self.metrics.playing = sum(connection.seat.is_started for connection in self._connections)
        return self.metrics

    def _sweep(self) -> None:
        """End whatever has outlived a limit: one timer for all connections."""
        now = monotonic()
        for connection in list(self._connections):
            connection.check(now)
        self.turns.forget()
        self._sweeper = self._loop.call_later(self._interval, self._sweep)

    # --- the end ----------------------------------------------------------------------------------

    async def shut_down(self, grace: float = GRACE) -> None:
        """Tell everyone, close everything, and wait until it is; not longer than `grace` seconds."""
        self._is_ending = True
        for connection in list(self._connections):
            connection.dismiss(SHUTDOWN)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(grace):
                await self._empty.wait()
        for connection in list(self._connections):
            connection.abort(SHUTDOWN)
        if self._sweeper is not None:
            self._sweeper.cancel()
        self.dealer.close()
        await asyncio.sleep(0)  # aborted connections report that they are lost
