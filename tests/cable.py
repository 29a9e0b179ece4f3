"""A network cable that can be pulled: what connects to its port is passed on to another, until it is cut."""

import contextlib
import socket
import threading
import time


class Cable:
    """A port of its own that leads to a port of this machine."""

    def __init__(self, port: int, delay: float = 0.0) -> None:
        """`delay`: a long one, by which what is sent comes that many seconds later, in either direction."""
        self._to = port
        self._delay = delay
        self._lock = threading.Lock()
        self._ends: list[socket.socket] = []
        self._listening: socket.socket | None = None
        self.port = 0
        self.mend()

    @property
    def url(self) -> str:
        """What is at the other end, by way of the cable."""
        return f"http://127.0.0.1:{self.port}/"

    def mend(self) -> None:
        """Pass on what connects from now on."""
        self._listening = socket.create_server(("127.0.0.1", self.port))
        self.port = self._listening.getsockname()[1]
        threading.Thread(target=self._accept, args=(self._listening,), daemon=True).start()

    def cut(self) -> None:
        """Break all connections, and refuse others."""
        assert self._listening is not None
        # Only this wakes who waits for the next connection.
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        with self._lock:
            ends, self._ends = self._ends, []
        for end in ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _accept(self, listening: socket.socket) -> None:
        while True:
            try:
                near, _ = listening.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(("127.0.0.1", self._to))
            except OSError:
                near.close()
                continue
            with self._lock:
                self._ends += [near, far]
            pair = _Pair(near, far, self._delay)
            threading.Thread(target=pair.carry, args=(near, far), daemon=True).start()
            threading.Thread(target=pair.carry, args=(far, near), daemon=True).start()


class _Pair:
    """Both ends of one connection, which are closed when nothing comes from either any more."""

    def __init__(self, near: socket.socket, far: socket.socket, delay: float) -> None:
        self._both = (near, far)
        self._delay = delay
        self._lock = threading.Lock()
        self._going = 2

    def carry(self, source: socket.socket, to: socket.socket) -> None:
        """Pass on what comes from one end until it has no more."""
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                time.sleep(self._delay)
                to.sendall(data)
        with contextlib.suppress(OSError):
            to.shutdown(socket.SHUT_WR)
        with self._lock:
            self._going -= 1
            if not self._going:
                for end in self._both:
                    end.close()
