"""A connection without a network: what a protocol of asyncio writes is kept, and what it is to read is handed over by whoever has it."""

import asyncio
from typing import Any


class Wire(asyncio.Transport):
    """The transport of such a connection."""

    def __init__(self, peer: str = "127.0.0.1") -> None:
        super().__init__({"peername": (peer, 5000), "sockname": ("127.0.0.1", 80)})
        self.written = bytearray()

    def write(self, data: Any) -> None:
        self.written += data

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self.protocol: Any = protocol

    def is_closing(self) -> bool:
        return False

    def close(self) -> None:
        pass

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass
