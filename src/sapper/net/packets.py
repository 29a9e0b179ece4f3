"""The packets of the protocol: one table that says what each is, and who may send it.

A packet is a type (one byte). The types that carry a payload go on with its length (four bytes,
big-endian) and the payload. `docs/protocol.md` describes all of it for those who write a client.
"""

import struct
from dataclasses import dataclass
from enum import IntEnum, unique
from types import MappingProxyType
from typing import Final, NamedTuple

from sapper.errors import PacketError

PORT: Final = 9999
"""The protocol's TCP port."""

HEADER: Final = struct.Struct(">BI")
"""Type and payload length of a packet that carries a payload."""


@unique
class PacketType(IntEnum):
    """The types; the numbers are those on the wire."""

    MOVE_LEFT = 1
    MOVE_RIGHT = 2
    MOVE_UP = 3
    MOVE_DOWN = 4
    REVEAL = 5
    TOGGLE_BOMB_MARK = 6
    START = 7
    QUIT = 8
    SCREEN_CONTENT = 9
    TOGGLE_DEBUG_MODE = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """A packet without a payload: a move of the cursor, a reveal, a mark, QUIT, the debug mode."""

    type: PacketType


@dataclass(frozen=True, slots=True, kw_only=True)
class StartRequest:
    """START: begin a new game. The numbers are what was sent, possible or not."""

    columns: int
    rows: int
    level: int

    @property
    def type(self) -> PacketType:
        return PacketType.START


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenContent:
    """SCREEN_CONTENT: what the terminal is to show, ANSI sequences included."""

    content: str

    @property
    def type(self) -> PacketType:
        return PacketType.SCREEN_CONTENT


Packet = Signal | StartRequest | ScreenContent


class Form(NamedTuple):
    """What a type of packet looks like: its payload, and which side sends it."""

    by_client: bool
    length: int | None
    """The only possible length of the payload; None where it varies, 0 where there is none."""


FORMS: Final = MappingProxyType(
    dict.fromkeys(PacketType, Form(by_client=True, length=0))
    | {PacketType.START: Form(by_client=True, length=3), PacketType.SCREEN_CONTENT: Form(by_client=False, length=None)}
)
"""The table of packet types."""

FROM_CLIENT: Final = frozenset(kind for kind, form in FORMS.items() if form.by_client)
"""What a server accepts."""
FROM_SERVER: Final = frozenset(FORMS) - FROM_CLIENT
"""What a client accepts."""

SIGNALS: Final = MappingProxyType({int(kind): Signal(type=kind) for kind, form in FORMS.items() if form.length == 0})
"""The packets without a payload, by the byte they are. Each is made once."""


def encode(packet: Packet) -> bytes:
    """The packet as bytes.

    >>> encode(StartRequest(columns=20, rows=10, level=1)).hex(" ")
    '07 00 00 00 03 14 0a 01'
    """
    if isinstance(packet, Signal):
        return bytes([packet.type])
    if isinstance(packet, ScreenContent):
        return encode_screen(packet.content.encode())
    for name, value in (("columns", packet.columns), ("rows", packet.rows), ("level", packet.level)):
        if not 0 <= value <= 255:
            raise PacketError(f"{name} {value} do not fit one byte: 0 to 255 do")
    return HEADER.pack(PacketType.START, 3) + bytes([packet.columns, packet.rows, packet.level])


def encode_screen(content: bytes) -> bytes:
    """SCREEN_CONTENT of a screen that is UTF-8 bytes already."""
    return HEADER.pack(PacketType.SCREEN_CONTENT, len(content)) + content


def decode(kind: PacketType, payload: bytes) -> Packet:
    """The packet of a type with that payload, whose length is right; `PacketError` for text that is not UTF-8."""
    if kind is PacketType.START:
        columns, rows, level = payload
        return StartRequest(columns=columns, rows=rows, level=level)
    if kind is PacketType.SCREEN_CONTENT:
        try:
            return ScreenContent(content=payload.decode())
        except UnicodeDecodeError as error:
            raise PacketError(f"SCREEN_CONTENT is not UTF-8: byte {payload[error.start]:#04x}") from None
    return SIGNALS[kind]
