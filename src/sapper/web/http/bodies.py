"""Reading a request's body: no longer than it may be, no slower, and JSON.

Knows: lengths, times, what JSON may be.
Does not know: what is asked for.
"""

import asyncio
import json
from typing import Any, NoReturn

from starlette.requests import ClientDisconnect, Request

from sapper.errors import RequestError
from sapper.web.http.limits import WebLimits


async def read_json(request: Request, limits: WebLimits) -> Any:
    """The body as a value; nothing at all is an empty object. `RequestError` otherwise."""
    content = await read_body(request, limits)
    if not content.strip():
        return {}
    try:
        return json.loads(content.decode(), parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise RequestError("bad-request", "the body is JSON, in UTF-8") from None


async def read_body(request: Request, limits: WebLimits) -> bytes:
    """The body; `RequestError` for one that is too long or takes too long."""
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
    return bytes(content)


def _too_large(limits: WebLimits) -> RequestError:
    return RequestError("too-large", f"a body has at most {limits.body} bytes")


def _refuse(word: str) -> NoReturn:
    raise ValueError(word)
