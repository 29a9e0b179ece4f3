"""Reading bytes one field after the other, never past the end."""

import re
import struct
import sys
from array import array
from typing import Any, Final

from sapper.errors import RecordError

_HIGH: Final = range(0x80, 0x100)
_SMALL_LETTERS: Final = range(0xE0, 0x100)
"""Bytes that are small letters with accents in the Western code page."""
_BESIDE_LETTERS: Final = re.compile(r"[A-Za-z][^\x00-\x7f]|[^\x00-\x7f][A-Za-z]")


_CODES: Final = {2: "H", 4: "I"}


def column(*parts: bytes, signed: bool = False) -> "array[int]":
    """Integers of two or four bytes from a column of each of their bytes, the lowest first: no loop in Python."""
    size = len(parts)
    mixed = bytearray(size * len(parts[0]))
    for number, part in enumerate(parts if sys.byteorder == "little" else reversed(parts)):
        mixed[number::size] = part
    return array(_CODES[size].lower() if signed else _CODES[size], bytes(mixed))


class ByteReader:
    """The bytes of a file and a place in them. Every method raises `RecordError` where the file ends too early."""

    __slots__ = ("_data", "at")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.at = 0

    def __len__(self) -> int:
        return len(self._data)

    @property
    def left(self) -> int:
        return len(self._data) - self.at

    @property
    def rest(self) -> bytes:
        """The bytes that are left; the place stays."""
        return self._data[self.at :]

    def take(self, count: int) -> bytes:
        begin, end = self.at, self.at + count
        if not begin <= end <= len(self._data):
            raise RecordError(f"the file ends at byte {len(self._data)}: {count} more were expected after {begin}")
        self.at = end
        return self._data[begin:end]

    def fields(self, shape: struct.Struct) -> tuple[Any, ...]:
        begin = self.at
        if begin + shape.size > len(self._data):
            self.take(shape.size)
        self.at = begin + shape.size
        return shape.unpack_from(self._data, begin)

    def byte(self) -> int:
        at = self.at
        if at >= len(self._data):
            self.take(1)
        self.at = at + 1
        return self._data[at]

    def number(self, size: int) -> int:
        """An integer of so many bytes, the highest first."""
        return int.from_bytes(self.take(size), "big")

    def until(self, end: bytes, most: int = 4096) -> bytes:
        """The bytes before the next `end`, which is skipped; at most so many are looked at."""
        found = self._data.find(end, self.at, self.at + most + len(end))
        if found < 0:
            raise RecordError(f"no {end!r} follows byte {self.at}")
        begin, self.at = self.at, found + len(end)
        return self._data[begin:found]

    def text(self, count: int) -> str:
        """A text of so many bytes (see `decode`)."""
        return decode(self.take(count))


def decode(data: bytes, *, may_be_utf8: bool = True) -> str:
    """A text in the encoding that fits: UTF-8 in new programs, GBK or the Western code page in old ones, which do not say it, or say it wrongly.

    What fits none is replaced. Controls and padding are dropped.
    """
    text = _decoded(data, may_be_utf8)
    if not text.isprintable():
        text = "".join(character for character in text if character.isprintable())
    return text.strip()


def _decoded(data: bytes, may_be_utf8: bool) -> str:
    if data.isascii():
        return data.decode("ascii")
    order = ["gb18030", "cp1252"] if _is_chinese(data) else ["cp1252", "gb18030"]
    for encoding in ["utf-8", *order] if may_be_utf8 else order:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("utf-8", "replace")


def _is_chinese(data: bytes) -> bool:
    """True if a text that is not UTF-8 is GBK and not Western.

    Nearly all bytes make sense in both. The letters of a Western name stand between letters without accents, the first byte of a
    Chinese character does not: it takes the byte behind it, and what is beside the two is another character, a blank or the end.
    """
    try:
        text = data.decode("gb18030")
    except UnicodeDecodeError:
        return False
    try:
        data.decode("gb2312")
    except UnicodeDecodeError:
        pass
    else:
        # Every character is one of the usual ones, whose two bytes are both high. So are two accents in a row.
        return not all(byte in _SMALL_LETTERS for byte in data if byte in _HIGH) or data[0] in _HIGH
    return _BESIDE_LETTERS.search(text) is None
