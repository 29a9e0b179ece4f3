"""Bodies: how long, how slow."""

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest
from starlette.requests import Request
from starlette.types import Message

from sapper.errors import RequestError
from sapper.web.http.bodies import read_body
from sapper.web.http.limits import WebLimits
from tests.asking import scope_of

LIMITS = WebLimits(body=1000)


def _read(parts: Iterable[bytes], headers: dict[str, str] | None = None, limits: WebLimits = LIMITS, *, lost: bool = False) -> Any:  # fmt: skip
    async def read() -> Any:
        waiting = list(parts)

        async def receive() -> Message:
            if not waiting and lost:
                return {"type": "http.disconnect"}
            if not waiting:
                await asyncio.Event().wait()
            return {"type": "http.request", "body": waiting.pop(0), "more_body": bool(waiting) or lost}

        scope = scope_of("http", "/", (headers or {}).items(), address="::1", method="POST")
        return await read_body(Request(scope, receive), limits)

    return asyncio.run(read())


def test_a_body_in_parts() -> None:
    assert _read([b'{"a": "', "ü".encode()[:1], "ü".encode()[1:], b'"}']) == '{"a": "ü"}'.encode()
    assert _read([b" \n"]) == b"{}", "nothing at all is an empty object"


@pytest.mark.parametrize(
    ("parts", "headers"),
    [([b" " * 1001], {}), ([b" " * 500] * 3, {}), ([b"{}"], {"content-length": "1001"}), ([b"{}"], {"content-length": "9" * 5000})],
)  # fmt: skip
def test_a_body_that_is_too_long(parts: list[bytes], headers: dict[str, str]) -> None:
    with pytest.raises(RequestError, match="a body has at most 1000 bytes") as caught:
        _read(parts, headers)
    assert caught.value.code == "too-large"


def test_a_body_that_does_not_come() -> None:
    async def read() -> None:
        async def receive() -> Message:
            await asyncio.sleep(0)
            return {"type": "http.request", "body": b"", "more_body": True}

        request = Request(scope_of("http", "/", (), address="::1", method="POST"), receive)
        await read_body(request, replace(LIMITS, head_time=1.0))

    with pytest.raises(RequestError, match=r"did not arrive within 1 s"):
        asyncio.run(read())


def test_a_connection_that_is_lost() -> None:
    with pytest.raises(RequestError, match="the connection was lost"):
        _read([b"{"], lost=True)
