"""Reading a request's body: no longer than it may be, and no slower.

Knows: lengths, times.
Does not know: what is asked for.
"""

import asyncio

from starlette.requests import ClientDisconnect, Request

from sapper.errors import RequestError
from sapper.web.http.limits import WebLimits


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
