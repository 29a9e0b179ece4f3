"""Answers over HTTP: JSON, and errors as the protocol has them.

Knows: the form of an error, which status each has.
Does not know: who asks, what is answered.
"""

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from starlette.responses import Response

STATUSES: Final[Mapping[str, int]] = MappingProxyType(
    {
        "bad-request": 400,
        "forbidden": 403,
        "not-found": 404,
        "not-allowed": 405,
        "conflict": 409,
        "too-large": 413,
        "slow-down": 429,
        "failed": 500,
        "busy": 503,
    }
)
"""The codes of errors and their statuses; another code is a bad request."""


_ENCODE: Final = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, check_circular=False).encode
"""Made once: `json.dumps` makes another for each message."""


def text_of(message: Any) -> str:
    """A value as JSON, as short as it gets."""
    return _ENCODE(message)


class MessageEncoder:
    """Writes what many get once. Belongs to one event loop."""

    __slots__ = ("_message", "_text")

    def __init__(self) -> None:
        self._message: Any = None
        self._text = ""

    def text_of(self, message: Any) -> str:
        """A value as JSON; the same one again, as twenty tabs of one game get it, is not written again."""
        if message is not self._message:
            self._message, self._text = message, text_of(message)
        return self._text


class ApiResponse(Response):
    """A value as JSON. It is about one player, and kept by nobody."""

    def __init__(self, content: Any, status_code: int = 200, headers: Mapping[str, str] | None = None) -> None:
        found = {"cache-control": "no-store", **(headers or {})}
        super().__init__(text_of(content).encode(), status_code, found, "application/json")


def refusal(code: str, message: str, *, status: int | None = None, wait: float | None = None) -> ApiResponse:
    """An error; `wait`: seconds after which it may be tried again."""
    headers = {} if wait is None else {"retry-after": str(max(1, round(wait + 0.5)))}
    error = {"error": {"code": code, "message": message}}
    return ApiResponse(error, STATUSES.get(code, 400) if status is None else status, headers)
