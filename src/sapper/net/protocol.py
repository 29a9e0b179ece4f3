"""Bytes in, packets out: the protocol without a socket.

    receiver = Receiver(accepts=FROM_CLIENT)
    receiver.feed(data)                      # as much or as little as has come
    while (packet := receiver.next_packet()) is not None:
        ...

Both sides use it; it does not know on which side it is, only which types it is to accept. How the bytes
were cut into pieces on their way makes no difference. A peer's fault is a `PacketError`, always, and as
soon as it can be told: an impossible length before its payload has come. After one, the receiver can tell
no longer where a packet begins, and only raises it again.
"""

from collections.abc import Iterator
from typing import Final

from sapper.errors import PacketError
from sapper.net.packets import FORMS, HEADER, SIGNALS, Packet, PacketType, decode

MAX_PAYLOAD: Final = 4 * 1024 * 1024
"""The longest payload accepted by default, in bytes. The largest screen there is, 255×255 cells with a colour
each, takes 0.8 MB at most; a peer that announces more than this has lost its place, or means harm."""

_KINDS: Final = {int(kind): kind for kind in PacketType}


class Receiver:
    """Takes bytes as they come, gives packets.

    `accepts` are the types that the other side may send; `max_payload` is the longest payload, in bytes,
    that is waited for, and so the most memory that a peer can claim.
    """

    __slots__ = ("_accepts", "_buffer", "_fault", "_max_payload", "_position", "_signals")

    def __init__(self, *, accepts: frozenset[PacketType], max_payload: int = MAX_PAYLOAD) -> None:
        self._accepts = accepts
        self._signals = {int(kind): SIGNALS[kind] for kind in accepts if kind in SIGNALS}
        self._max_payload = max_payload
        self._buffer: bytes | bytearray = b""
        self._position = 0
        self._fault: PacketError | None = None

    @property
    def pending(self) -> int:
        """How many bytes have come that no packet was made of yet."""
        return len(self._buffer) - self._position

    @property
    def next_code(self) -> int | None:
        """The type of the next packet as it came, if its first byte has come."""
        return self._buffer[self._position] if self._position < len(self._buffer) else None

    def feed(self, data: bytes) -> None:
        """Take bytes that have come; `next_packet` gives what they make."""
        if self._position == len(self._buffer):
            # Nearly always everything was used up, and nothing has to be copied.
            self._buffer = data
        else:
            if not isinstance(self._buffer, bytearray):
                self._buffer = bytearray(self._buffer)
            # Both ends of a bytearray are cheap: a long payload that comes byte by byte stays linear.
            del self._buffer[: self._position]
            self._buffer += data
        self._position = 0

    def next_packet(self) -> Packet | None:
        """The next whole packet, or None until more bytes have come. `PacketError` for what cannot be one."""
        position = self._position
        if self._fault is None and position < len(self._buffer):
            code = self._buffer[position]
            packet: Packet | None = self._signals.get(code)
            if packet is not None:
                self._position = position + 1
                return packet
            kind = _KINDS.get(code)
            if kind is None or kind not in self._accepts:
                raise self._fail(_describe(code, self._accepts))
            return self._with_payload(kind)
        if self._fault is not None:
            raise self._fault
        return None

    def packets(self) -> Iterator[Packet]:
        while (packet := self.next_packet()) is not None:
            yield packet

    def _with_payload(self, kind: PacketType) -> Packet | None:
        start = self._position + HEADER.size
        if len(self._buffer) < start:
            return None
        _, length = HEADER.unpack_from(self._buffer, self._position)
        wanted = FORMS[kind].length
        if wanted is not None and length != wanted:
            raise self._fail(f"{kind.name} has {wanted} bytes of payload, not {length}")
        if length > self._max_payload:
            raise self._fail(f"{kind.name} of {length} bytes: at most {self._max_payload} are accepted")
        if len(self._buffer) < start + length:
            return None
        payload = bytes(self._buffer[start : start + length])
        self._position = start + length
        try:
            return decode(kind, payload)
        except PacketError as error:
            raise self._fail(str(error)) from None

    def _fail(self, message: str) -> PacketError:
        self._fault = PacketError(message)
        self._buffer = b""
        self._position = 0
        return self._fault


def _describe(code: int, accepts: frozenset[PacketType]) -> str:
    known = ", ".join(str(int(kind)) for kind in sorted(accepts))
    kind = _KINDS.get(code)
    what = f"packet type {code}" if kind is None else f"packet type {code} ({kind.name})"
    return f"{what} is not accepted here; accepted are {known}"
