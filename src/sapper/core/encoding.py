"""Text that somebody saved: UTF-8, with or without its mark, or UTF-16, which PowerShell's `>` writes."""

import re
from typing import Final

_UTF8_MARK: Final = b"\xef\xbb\xbf"
_MARKS: Final = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
_NO_TEXT: Final = re.compile(r"[^\t\n\r\x20-\x7e\xa0-\ud7ff\uf900-\ufffd\U00010000-\U0010ffff]")


def as_utf8(data: bytes) -> bytes:
    """The same text in UTF-8 and without a mark, where the bytes are text in UTF-16 or begin with UTF-8's mark; else the bytes."""
    if data.startswith(_UTF8_MARK):
        return data[len(_UTF8_MARK) :]
    encoding = _MARKS.get(data[:2]) or _unmarked(data)
    # An MBF file of 255x254 or 254x255 cells begins with the same two bytes, then says how many pairs of bytes follow.
    if encoding is None or len(data) == 4 + 2 * int.from_bytes(data[2:4], "big"):
        return data
    try:
        text = data.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError:
        return data
    return data if _NO_TEXT.search(text) else text.encode()


def _unmarked(data: bytes) -> str | None:
    """UTF-16 without a mark has a zero in its first character, which is of ASCII; no format of boards and games begins so."""
    if len(data) < 2 or len(data) % 2 or (data[0] == 0) == (data[1] == 0):
        return None
    return "utf-16-be" if data[0] == 0 else "utf-16-le"
