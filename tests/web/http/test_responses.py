"""Answers: JSON, errors and their statuses."""

import json

from sapper.web.games.messages import write_json
from sapper.web.http.responses import HTTP_ERRORS, ApiResponse, MessageEncoder, refusal


def test_json_is_short_and_keeps_its_letters() -> None:
    assert write_json({"a": [1, None], "b": "9×9"}) == '{"a":[1,null],"b":"9×9"}'


def test_a_writer_writes_each_message() -> None:
    writer, message = MessageEncoder(), {"a": 1}
    texts = [writer.text_of(message), writer.text_of(message), writer.text_of({"a": 2}), writer.text_of(message)]
    assert texts == ['{"a":1}', '{"a":1}', '{"a":2}', '{"a":1}']
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
