"""A game server in this process, and clients over real sockets, for tests."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from sapper.core.rng import Rng
from sapper.net.server import GameServer
from sapper.net.settings import ServerLimits
from sapper.store.models import StoredGame
from tests.network import PATIENCE, rows_of, start
from tests.played_games import ListSink

ONE_SCREEN = start(5, 4)


class LocalClient:
    """A client of a server in this process."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def ask(self, packet: bytes) -> list[str]:
        self.writer.write(packet)
        return await self.read()

    async def read(self) -> list[str]:
        header = await self.reader.readexactly(5)
        assert header[0] == 9
        return rows_of((await self.reader.readexactly(int.from_bytes(header[1:]))).decode())

    async def is_closed(self) -> bool:
        try:
            return await self.reader.read(1) == b""
        except ConnectionError:
            return True


class LocalServer:
    """A game server, and clients whose connections were accepted."""

    def __init__(self, limits: ServerLimits) -> None:
        self.sink = ListSink()
        self.news = asyncio.Condition()
        self.game_server = GameServer(limits=limits, new_seed=Rng(1).next, sink=self.sink)
        self.clients: list[LocalClient] = []

    @property
    def results(self) -> list[StoredGame]:
        """The games that have ended."""
        return self.sink.of(ended=True)

    @property
    def left(self) -> int:
        """How many connections have ended."""
        return self.game_server.metrics.closed.total()

    async def client(self, **options: int) -> LocalClient:
        theirs, ours = _pair()
        for name, value in options.items():
            ours.setsockopt(socket.SOL_SOCKET, getattr(socket, name), value)
            theirs.setsockopt(socket.SOL_SOCKET, getattr(socket, name), value)
        await asyncio.get_running_loop().connect_accepted_socket(self.game_server.admission, theirs)
        reader, writer = await asyncio.open_connection(sock=ours)
        self.clients.append(LocalClient(reader, writer))
        return self.clients[-1]

    async def close(self) -> None:
        await self.game_server.shut_down(grace=1.0)
        for client in self.clients:
            client.writer.transport.abort()
            with contextlib.suppress(OSError):
                await client.writer.wait_closed()

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait for something that the server does on its own, and tells nobody."""
        while not condition():  # noqa: ASYNC110 - there is no event, on purpose
            await asyncio.sleep(0.005)


def _pair() -> tuple[socket.socket, socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        ours = socket.create_connection(listener.getsockname())
        theirs, _ = listener.accept()
    for one in (ours, theirs):
        one.setblocking(False)
    return theirs, ours


@asynccontextmanager
async def local_server(**limits: float) -> AsyncIterator[LocalServer]:
    server = LocalServer(ServerLimits(**limits))  # type: ignore[arg-type]
    try:
        async with asyncio.timeout(PATIENCE):
            yield server
    finally:
        await server.close()
