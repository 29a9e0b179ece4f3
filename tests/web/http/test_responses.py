"""Requests' bodies: how long, how slow. Answers: JSON, errors and their statuses."""

import asyncio
import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest
from starlette.requests import Request
from starlette.types import Message

from sapper.errors import RequestError
from sapper.web.games.messages import write_json
from sapper.web.http.limits import WebLimits
from sapper.web.http.responses import HTTP_ERRORS, ApiResponse, MessageEncoder, read_body, refusal
from tests.asking import scope_of

LIMITS = WebLimits(body=1000)


def test_json_is_short_and_keeps_its_letters() -> None:
    assert write_json({"a": [1, None], "b": "9×9"}) == '{"a":[1,null],"b":"9×9"}'.encode()


def test_a_writer_writes_each_message() -> None:
    writer, message = MessageEncoder(), {"a": 1}
    texts = [writer.text_of(message), writer.text_of(message), writer.text_of({"a": 2}), writer.text_of(message)]
    assert texts == [b'{"a":1}', b'{"a":1}', b'{"a":2}', b'{"a":1}']
    assert texts[0] is texts[1]


def test_an_answer_is_kept_by_nobody() -> None:
    answer = ApiResponse({"won": 3})
    assert (answer.status_code, json.loads(bytes(answer.body))) == (200, {"won": 3})
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["content-type"] == "application/json"


def test_each_code_has_its_status() -> None:
    for code, (status, _) in HTTP_ERRORS.items():
        answer = refusal(code, "no")
        assert answer.status_code == status
        assert json.loads(bytes(answer.body)) == {"error": {"code": code, "message": "no"}}
    assert refusal("illegal-move", "no").status_code == 400


def test_when_to_come_again() -> None:
    assert refusal("slow-down", "no", wait=0.0).headers["retry-after"] == "1"
    assert refusal("slow-down", "no", wait=1.2).headers["retry-after"] == "2"
    assert "retry-after" not in refusal("slow-down", "no").headers


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
