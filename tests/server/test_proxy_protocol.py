"""Headers of the PROXY protocol: those of its specification, broken ones, whole or in pieces."""

import pytest
from hypothesis import given, strategies as st

from sapper.server.proxy_protocol import LONGEST_BODY, SIGNATURE, ProxyHeaderError, read_binary, read_header, read_line


def _binary(command: int, family: int, body: bytes) -> bytes:
    return SIGNATURE + bytes([command, family]) + len(body).to_bytes(2, "big") + body


V4 = _binary(0x21, 0x11, bytes([192, 0, 2, 7, 198, 51, 100, 1]) + b"\xdc\x04\x27\x0f")
V6 = _binary(
    0x21,
    0x21,
    bytes([0x20, 1, 0xD, 0xB8]) + bytes(11) + b"\x07" + bytes(16) + b"\xdc\x04\x27\x0f" + b"\x03\x00\x04more",
)
GOOD = {
    b"PROXY TCP4 255.255.255.255 255.255.255.255 65535 65535\r\n": "255.255.255.255",
    b"PROXY TCP6 2001:db8::7 ::1 65535 65535\r\n": "2001:db8::7",
    b"PROXY UNKNOWN\r\n": None,
    # The longest line that the specification gives.
    b"PROXY UNKNOWN ffff:f...f:ffff ffff:f...f:ffff 65535 65535\r\n": None,
    V4: "192.0.2.7",
    V6: "2001:db8::7",
    _binary(0x20, 0x00, b""): None,  # LOCAL
    _binary(0x21, 0x31, bytes(216)): None,  # a Unix socket
}
BAD = [
    b"PROXY TCP4 1.2.3.4 5.6.7.8 1 65536\r\n",
    b"PROXY TCP4 1.2.3.4 5.6.7.8 1\r\n",
    b"PROXY TCP4 ::1 ::1 1 2\r\n",
    b"PROXY TCP5 1.2.3.4 5.6.7.8 1 2\r\n",
    b"PROXY " + b"x" * 200,
    b"proxy TCP4 1.2.3.4 5.6.7.8 1 2\r\n",
    b"\x07\x00\x00\x00\x03\x14\x0a\x01" * 3,
    _binary(0x11, 0x11, bytes(12)),
    _binary(0x22, 0x11, bytes(12)),
    _binary(0x21, 0x11, bytes(11)),
    SIGNATURE + b"\x21\x11" + (LONGEST_BODY + 1).to_bytes(2, "big") + bytes(100),
]


def _read(data: bytes) -> tuple[str | None, bytes] | None:
    """The source, and what follows the header, which comes byte by byte."""
    for length in range(len(data) + 1):
        if (found := read_header(data[:length])) is not None:
            assert found[1] == length
            assert read_header(data) == found
            return found[0], data[length:]
    return None


@pytest.mark.parametrize("header", GOOD)
def test_a_header_and_not_a_byte_more(header: bytes) -> None:
    assert _read(header + b"\x07\x00") == (GOOD[header], b"\x07\x00")


@pytest.mark.parametrize("header", BAD)
def test_what_is_no_header(header: bytes) -> None:
    with pytest.raises(ProxyHeaderError):
        read_header(header)
    with pytest.raises(ProxyHeaderError):
        _read(header)


def test_a_header_that_is_not_whole_is_waited_for() -> None:
    assert [read_header(V4[:length]) for length in range(len(V4))] == [None] * len(V4)
    assert read_header(b"PROXY TCP4") is None


@given(st.binary(max_size=150))
def test_any_line_is_an_address_or_an_error(line: bytes) -> None:
    try:
        assert read_line(b"PROXY " + line) is None or line[:4] in {b"TCP4", b"TCP6"}
    except ProxyHeaderError as error:
        assert str(error)


@given(st.binary(min_size=4, max_size=4), st.binary(max_size=60))
def test_any_binary_header_is_an_address_or_an_error(rest: bytes, body: bytes) -> None:
    try:
        read_binary(SIGNATURE + rest, body)
    except ProxyHeaderError as error:
        assert str(error)
