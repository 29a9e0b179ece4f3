"""The PROXY protocol, versions 1 and 2: what a proxy in front of a server says first, so that the server knows who came.

Specification: https://www.haproxy.org/download/2.8/doc/proxy-protocol.txt

A server believes it only from proxies that its operator named, and from those it must come: who could leave it out, or send it from
elsewhere, could choose an address.
"""

import ipaddress
import socket
import struct
from typing import Final

from sapper.errors import SapperError

SIGNATURE: Final = b"\r\n\r\n\0\r\nQUIT\n"
"""How version 2 begins."""
LONGEST_LINE: Final = 107
"""Bytes of a header of version 1, its end included."""
LONGEST_BODY: Final = 4096
"""Bytes after the fixed part of version 2 that are accepted. Addresses take 36 at most; what else proxies add takes some hundred."""

_ADDRESSES: Final = {0x1: (socket.AF_INET, 4), 0x2: (socket.AF_INET6, 16)}


class ProxyHeaderError(SapperError, ValueError):
    """Not a valid header of the PROXY protocol."""


def read_line(line: bytes) -> str | None:
    """The source's address in a header of version 1 without its CR LF; None for `UNKNOWN`, a proxy that does not know.

    >>> read_line(b"PROXY TCP4 192.0.2.7 198.51.100.1 56324 9999")
    '192.0.2.7'
    """
    words = line.decode("latin-1").split(" ")
    if words[:2] == ["PROXY", "UNKNOWN"]:
        return None
    family = {"TCP4": ipaddress.IPv4Address, "TCP6": ipaddress.IPv6Address}.get(words[1] if len(words) > 1 else "")
    if words[0] != "PROXY" or family is None or len(words) != 6:
        raise ProxyHeaderError(f"not a header of the PROXY protocol: {line[:40]!r}")
    try:
        source, _ = family(words[2]), family(words[3])
    except ValueError as error:
        raise ProxyHeaderError(f"the PROXY header's addresses are none: {error}") from None
    for port in words[4:]:
        if not (port.isascii() and port.isdecimal() and len(port) <= 5 and int(port) <= 65535):
            raise ProxyHeaderError(f"the PROXY header's port is none: {port[:10]!r}")
    return str(source)


def read_binary(head: bytes, body: bytes) -> str | None:
    """The source's address in a header of version 2: its 16 bytes and what follows; None where the proxy speaks for itself, or of no address."""
    version, command = head[12] >> 4, head[12] & 15
    if version != 2 or command > 1:
        raise ProxyHeaderError(f"version and command {head[12]:#04x} of the PROXY protocol are not known")
    if command == 0:  # LOCAL: the proxy itself, to see whether we live
        return None
    family, protocol = head[13] >> 4, head[13] & 15
    if family not in _ADDRESSES or protocol != 1:
        return None
    kind, length = _ADDRESSES[family]
    if len(body) < 2 * length + 4:
        raise ProxyHeaderError(f"the PROXY header has {len(body)} bytes of addresses, not {2 * length + 4}")
    return socket.inet_ntop(kind, body[:length])


def read_header(data: bytes) -> tuple[str | None, int] | None:
    r"""The source's address, None if the header tells none, and how many bytes the header has; None while it is not whole.

    `ProxyHeaderError`, as soon as it can be told, if what has come begins with no header.

    >>> read_header(b"PROXY UNKNOWN\r\nwhat follows")
    (None, 15)
    """
    begin = data[: len(SIGNATURE)]
    if begin == SIGNATURE:
        if len(data) < 16:
            return None
        (length,) = struct.unpack_from(">H", data, 14)
        if length > LONGEST_BODY:
            raise ProxyHeaderError(f"a PROXY header of {length} bytes: at most {LONGEST_BODY} are accepted")
        whole = 16 + length
        return (read_binary(data[:16], data[16:whole]), whole) if len(data) >= whole else None
    if not (SIGNATURE.startswith(begin) or begin.startswith(b"PROXY "[: len(begin)])):
        raise ProxyHeaderError(f"not a header of the PROXY protocol: {begin!r}")
    end = data.find(b"\r\n", 0, LONGEST_LINE)
    if end >= 0 and begin.startswith(b"PROXY "):
        return read_line(data[:end]), end + 2
    if len(data) >= LONGEST_LINE:
        raise ProxyHeaderError(f"a PROXY header has {LONGEST_LINE} bytes at most")
    return None
