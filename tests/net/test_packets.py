"""The table of packet types is the seed's, row by row, and packets become the bytes it says."""

import pytest

from sapper.errors import PacketError
from sapper.net.packets import (
    FORMS,
    SIGNALS,
    PacketType,
    ScreenContent,
    Signal,
    StartRequest,
    decode,
    encode,
    encode_screen,
)

# Type, name, and length of the payload; as the requirements list them.
TABLE = [
    (1, "MOVE_LEFT", 0),
    (2, "MOVE_RIGHT", 0),
    (3, "MOVE_UP", 0),
    (4, "MOVE_DOWN", 0),
    (5, "REVEAL", 0),
    (6, "TOGGLE_BOMB_MARK", 0),
    (7, "START", 3),
    (8, "QUIT", 0),
    (9, "SCREEN_CONTENT", None),
    (10, "TOGGLE_DEBUG_MODE", 0),
]


def test_the_table_is_that_of_the_requirements() -> None:
    assert [(int(kind), kind.name, FORMS[kind].length) for kind in sorted(PacketType)] == TABLE


@pytest.mark.parametrize("code", sorted(SIGNALS))
def test_a_signal_is_one_byte(code: int) -> None:
    assert encode(SIGNALS[code]) == bytes([code])
    assert decode(PacketType(code), b"") == Signal(type=PacketType(code))


def test_start_is_eight_bytes() -> None:
    start = StartRequest(columns=255, rows=1, level=3)
    assert encode(start) == bytes([7, 0, 0, 0, 3, 255, 1, 3])
    assert decode(PacketType.START, bytes([255, 1, 3])) == start
    assert start.type is PacketType.START


def test_a_screen_is_utf_8_with_its_length_in_bytes() -> None:
    screen = ScreenContent(content="ä€")
    assert encode(screen) == bytes([9, 0, 0, 0, 5]) + "ä€".encode()
    assert encode_screen("ä€".encode()) == encode(screen)
    assert decode(PacketType.SCREEN_CONTENT, "ä€".encode()) == screen
    assert screen.type is PacketType.SCREEN_CONTENT


def test_text_that_is_no_utf_8_is_the_peer_s_fault() -> None:
    with pytest.raises(PacketError, match="SCREEN_CONTENT is not UTF-8: byte 0xff"):
        decode(PacketType.SCREEN_CONTENT, b"ab\xffc")


@pytest.mark.parametrize("name", ["columns", "rows", "level"])
@pytest.mark.parametrize("value", [-1, 256])
def test_a_number_that_is_no_byte_cannot_be_sent(name: str, value: int) -> None:
    with pytest.raises(PacketError, match=f"{name} {value} do not fit one byte"):
        encode(StartRequest(**{"columns": 1, "rows": 1, "level": 1, name: value}))
