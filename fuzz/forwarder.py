"""A wire between two processes that can be cut: it is still there, and nothing comes through. For rigs of partitions."""

import asyncio
import contextlib
import threading
from pathlib import Path


class Forwarder:
    """Forwards TCP to a port of this machine, or to a Unix socket, on a thread of its own."""

    def __init__(self, target: int | Path) -> None:
        self.target = target
        self.port = 0
        self._loop = asyncio.new_event_loop()
        self._flows = asyncio.Event()
        self._flows.set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_up = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        self._is_up.wait(10)

    def cut(self) -> None:
        """Let nothing through, in either direction; connections stay, and new ones are taken."""
        self._loop.call_soon_threadsafe(self._flows.clear)

    def mend(self) -> None:
        """Let everything through, what was sent meanwhile too."""
        self._loop.call_soon_threadsafe(self._flows.set)

    def close(self) -> None:
        """End it."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._take, "127.0.0.1", 0))
        self.port = server.sockets[0].getsockname()[1]
        self._is_up.set()
        self._loop.run_forever()
        server.close()
        for task in self._tasks:
            task.cancel()
        with contextlib.suppress(RuntimeError):
            self._loop.run_until_complete(asyncio.gather(*self._tasks, return_exceptions=True))
        self._loop.close()

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._flows.wait()
        try:
            if isinstance(self.target, Path):
                there = await asyncio.open_unix_connection(self.target)
            else:
                there = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.close()
            return
        for one, other in ((reader, there[1]), (there[0], writer)):
            task = self._loop.create_task(self._carry(one, other))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65_536):
                await self._flows.wait()
                writer.write(data)
                await writer.drain()
        await self._flows.wait()
        writer.close()
