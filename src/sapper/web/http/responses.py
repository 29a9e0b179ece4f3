"""Bodies over HTTP: those of requests are read within limits; answers are JSON, and errors are as the protocol has them."""

import asyncio
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from sapper.errors import RequestError
from sapper.web.games.bodies import CreatedGame, ErrorBody, ErrorReason
from sapper.web.games.live_game import LiveGame
from sapper.web.games.messages import write_json
from sapper.web.http.limits import WebLimits

HTTP_ERRORS: Final[Mapping[str, tuple[int, str]]] = MappingProxyType(
    {
        "bad-request": (400, "The request is impossible; the message says why."),
        "forbidden": (403, "The page is of another server, or this server does not have that name."),
        "not-found": (404, "No such game, or it belongs to somebody else."),
        "not-allowed": (405, "This method is not allowed here."),
        "conflict": (409, "Too many unfinished games, or the game has ended."),
        "not-yet": (423, "This is the board of a day that is not over: it is shown at 01:00 UTC of the next."),
        "too-large": (413, "The body is too long."),
        "slow-down": (429, "Too many requests; `Retry-After` says when to try again."),
        "failed": (500, "It took too much work, or is a bug of the server."),
        "busy": (503, "Busy; `Retry-After` says when to try again."),
    }
)
"""The codes of errors with their statuses and meanings; another code is a bad request."""


class MessageEncoder:
    """Writes what many get once. Belongs to one event loop."""

    __slots__ = ("_message", "_text")

    def __init__(self) -> None:
        self._message: Any = None
        self._text = b""

    def text_of(self, message: Any) -> bytes:
        """A value as JSON; the same one again, as twenty tabs of one game get it, is not written again."""
        if message is not self._message:
            self._message, self._text = message, write_json(message)
        return self._text


class ApiResponse(Response):
    """A value as JSON. It is about one player, so no cache keeps it."""

    def __init__(self, content: Any, status_code: int = 200, headers: Mapping[str, str] | None = None) -> None:
        found = {"cache-control": "no-store", **(headers or {})}
        super().__init__(write_json(content), status_code, found, "application/json")


def refusal(code: str, message: str, *, status: int | None = None, wait: float | None = None) -> ApiResponse:
    """An error; `wait`: seconds after which it may be tried again."""
    headers = {} if wait is None else {"retry-after": str(max(1, round(wait + 0.5)))}
    usual, _ = HTTP_ERRORS.get(code, HTTP_ERRORS["bad-request"])
    error = ErrorBody(error=ErrorReason(code=code, message=message))
    return ApiResponse(error, usual if status is None else status, headers)


def json_response(content: bytes) -> Response:
    """What a worker process has written as JSON."""
    return Response(content, headers={"cache-control": "no-store"}, media_type="application/json")


def created(live: LiveGame, status: int = 201) -> ApiResponse:
    """The answer with a new game."""
    answer = CreatedGame(game=live.id, socket=f"/api/games/{live.id}/socket", state=live.state())
    return ApiResponse(answer, status, {"location": f"/api/games/{live.id}"})


async def read_body(request: Request, limits: WebLimits) -> bytes:
    """The body; nothing at all is an empty object. `RequestError` for one that is too long or takes too long."""
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and (len(announced) > 12 or int(announced) > limits.body):
        raise _too_large(limits)
    content = bytearray()
    try:
        async with asyncio.timeout(limits.head_time):
            async for part in request.stream():
                content += part
                if len(content) > limits.body:
                    raise _too_large(limits)
    except TimeoutError:
        raise RequestError("bad-request", f"the body did not arrive within {limits.head_time:g} s") from None
    except ClientDisconnect:
        raise RequestError("bad-request", "the connection was lost") from None
    return bytes(content) if content.strip() else b"{}"


def _too_large(limits: WebLimits) -> RequestError:
    return RequestError("too-large", f"a body has at most {limits.body} bytes")
