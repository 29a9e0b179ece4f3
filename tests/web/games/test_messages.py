"""Every text is read or refused with words and the protocol's code."""

import json

import pytest
from hypothesis import given

from sapper.core.grid import Grid
from sapper.errors import RequestError
from sapper.web.games import decoding
from sapper.web.games.messages import (
    REQUESTS,
    LeftRequest,
    OverlayRequest,
    PongMessage,
    UndoRequest,
    read_request,
    write_json,
)
from tests.strategies import json_values

GRID = Grid(9, 4)


def test_requests_are_read() -> None:
    assert read_request('{"do": "left", "cell": [3, 2], "id": 7}', GRID) == LeftRequest(cell=(3, 2), id=7)
    assert read_request(b'{"do": "overlay", "on": true}', GRID) == OverlayRequest(on=True)
    assert read_request('{"do": "undo", "id": null}', GRID) == UndoRequest()
    assert (write_json(PongMessage().answering(None)), write_json(PongMessage().answering(3))) == (
        b'{"type":"pong"}',
        b'{"type":"pong","id":3}',
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "one JSON object"),
        (b"\xff\xfe\xfd", "one JSON object"),
        ("[" * 100_000, "one JSON object"),
        ("[]", "is an object"),
        ("{}", "do is one of"),
        ('{"do": ["left"]}', "do is one of"),
        ('{"do": "peek"}', 'not "peek"'),
        ('{"do": "left"}', "not null"),
        ('{"do": "left", "cell": [1]}', "column, row"),
        ('{"do": "left", "cell": [1, true]}', "column, row"),
        ('{"do": "left", "cell": [1.0, 2]}', "column, row"),
        ('{"do": "left", "cell": [9, 0]}', "columns are 0 to 8"),
        ('{"do": "left", "cell": [-1, 0]}', "columns are 0 to 8"),
        ('{"do": "left", "cell": [1, 1], "on": true}', "has no"),
        ('{"do": "undo", "cell": [1, 1]}', "has no"),
        ('{"do": "undo", "why": 1}', "has no"),
        ('{"do": "overlay"}', "on is true or false"),
        ('{"do": "overlay", "on": 1}', "on is true or false"),
        ('{"do": "undo", "id": 1.5}', "whole number"),
        ('{"do": "undo", "id": true}', "whole number"),
        ('{"do": "undo", "id": 9007199254740993}', "whole number"),
        ('{"do": "left", "cell": [1e400, 2]}', "column, row"),
        (f'{{"do": "left", "cell": [{"9" * 400}, 2]}}', "columns are 0 to 8"),
        (json.dumps({"do": "left", "cell": "x" * 4000}), "…"),
    ],
)
def test_anything_else_is_refused_with_words(text: str | bytes, words: str) -> None:
    with pytest.raises(RequestError, match=words) as caught:
        read_request(text, GRID)
    assert (caught.value.code, caught.value.id) == ("bad-message", None)
    assert len(str(caught.value)) < 300


def test_no_depth_of_a_message_is_a_mistake_of_ours() -> None:
    for depth in range(900, 1_010):
        with pytest.raises(RequestError):
            read_request(f'{{"do": {"[" * depth}{"]" * depth}}}', GRID)


def test_an_error_has_the_id_of_the_message() -> None:
    with pytest.raises(RequestError) as caught:
        read_request('{"do": "left", "cell": [99999999999999999999999999, 0], "id": 4}', GRID)
    assert caught.value.id == 4


@given(json_values)
def test_no_value_but_a_request_is_taken(value: object) -> None:
    try:
        request = read_request(json.dumps(value), GRID)
    except RequestError:
        return
    assert request.verb in REQUESTS


def test_a_wrong_message_costs_no_look_at_all_types() -> None:
    decoding.type_info.cache_clear()
    for _ in range(3):
        with pytest.raises(RequestError):
            read_request('{"do":"left","cell":[1]}', GRID)
    assert decoding.type_info.cache_info().hits >= 2
