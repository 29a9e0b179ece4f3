"""The plain endpoints as an OpenAPI 3.1 document, for bots and their makers: made from the table of routes and the types of bodies."""

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from sapper import __version__
from sapper.core.preset import PRESETS
from sapper.web.games.bodies import ErrorBody, NewGameBody
from sapper.web.games.description import PREFIX, Schema, prose, schemas_of
from sapper.web.games.messages import AnyServerMessage, PlayerMessage
from sapper.web.games.play_policy import PlayPolicy
from sapper.web.http.identity import COOKIE
from sapper.web.http.responses import HTTP_ERRORS

JSON: Final = "application/json"

Endpoint = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Operation:
    """What one method does at one path. Its endpoint's name and docstring are those of the operation."""

    method: str
    path: str
    endpoint: Endpoint
    answer: Any = None
    """The type of a successful answer; None if that has no content."""
    body: Any = None
    """The type of the request's body; `bytes` is a file."""
    status: int = 200
    errors: tuple[str, ...] = ()
    """The codes of errors besides those that follow from the path, the body and the parameters."""
    parameters: Sequence[dict[str, Any]] = ()
    rates: Sequence[str] = ("work", "address_work")
    """The names of the `RateLimits` that it counts for."""

    def all_errors(self) -> list[str]:
        """Every code of an error that it may answer with."""
        codes = {"forbidden", "slow-down", "failed", "busy", *self.errors}
        codes |= {"bad-request", "too-large"} if self.body is not None else set()
        codes |= {"bad-request"} if self.parameters else set()
        codes |= {"not-found"} if "{id}" in self.path else set()
        return sorted(codes, key=list(HTTP_ERRORS).index)


def describe(policy: PlayPolicy, operations: Sequence[Operation]) -> dict[str, Any]:
    """The document for a server with this policy and these operations."""
    game = {
        "name": "id", "in": "path", "required": True,
        "schema": {"type": "string", "description": "The name of a game, or of a session."},
    }  # fmt: skip
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "sapper",
            "version": __version__,
            "license": {"name": "MIT", "identifier": "MIT"},
            "description": "Minesweeper over HTTP. Games are played on a WebSocket each: the path is in `socket` of the answer to a "
            "new game, the messages are in docs/web-protocol.md.",
        },
        "servers": [{"url": "/"}],
        "security": [{}, {"player": []}],
        "paths": _paths(operations),
        "components": {
            "schemas": _schemas(policy, operations),
            "responses": {_name(code): _error(code) for code in HTTP_ERRORS},
            "parameters": {"game": game},
            "securitySchemes": {"player": {"type": "apiKey", "in": "cookie", "name": COOKIE, "description": "Set by the first answer."}},
        },
    }  # fmt: skip


def query_parameters(kind: type, *names: str) -> list[dict[str, Any]]:
    """The fields of a query, or those named."""
    fields = schemas_of([kind])[kind.__name__]["properties"]
    return [
        {"name": name, "in": "query", "description": schema["description"], "schema": _given(schema)}
        for name, schema in fields.items()
        if not names or name in names
    ]


def _schemas(policy: PlayPolicy, operations: Sequence[Operation]) -> dict[str, Schema]:
    """Of all that is taken and answered, and of what is said on sockets; those of a new game have this server's limits."""
    kinds = {kind for one in operations for kind in (one.answer, one.body) if isinstance(kind, type)}
    found = schemas_of(
        [AnyServerMessage, PlayerMessage, ErrorBody, *sorted(kinds - {bytes, dict}, key=lambda kind: kind.__name__)]
    )
    fields = found[NewGameBody.__name__]["properties"]
    for name, least in (("width", 1), ("height", 1), ("mine_count", 0)):
        about = fields[name]["description"]
        fields[name] = {"type": ["integer", "null"], "minimum": least, "maximum": policy.cells, "description": about}
    fields["preset"] |= {"anyOf": [{"enum": list(PRESETS)}, {"type": "null"}], "default": "beginner"}
    return found


def _paths(operations: Sequence[Operation]) -> dict[str, Any]:
    paths: dict[str, Any] = {}
    for one in operations:
        path = paths.setdefault(one.path, {})
        if "{id}" in one.path:
            path["parameters"] = [{"$ref": "#/components/parameters/game"}]
        path[one.method.lower()] = _described(one)
    return paths


def _described(one: Operation) -> dict[str, Any]:
    done: dict[str, Any] = {"description": "Done."}
    if one.answer is not None:
        done["content"] = {JSON: {"schema": _schema(one.answer)}}
    errors = {str(HTTP_ERRORS[code][0]): {"$ref": f"#/components/responses/{_name(code)}"} for code in one.all_errors()}
    found: dict[str, Any] = {
        "operationId": re.sub("_(.)", lambda match: match[1].upper(), one.endpoint.__name__),
        "summary": prose(one.endpoint.__doc__),
        "responses": {str(one.status): done, **errors},
    }
    if one.parameters:
        found["parameters"] = list(one.parameters)
    if one.body is bytes:
        found["requestBody"] = {"required": True, "content": {"application/octet-stream": {}}}
    elif one.body is not None:
        found["requestBody"] = {"content": {JSON: {"schema": _schema(one.body)}}}
    return found


def _schema(kind: Any) -> Schema:
    return {"type": "object"} if kind is dict else {"$ref": PREFIX + kind.__name__}


def _name(code: str) -> str:
    return code.title().replace("-", "")


def _error(code: str) -> dict[str, Any]:
    answer: dict[str, Any] = {"description": HTTP_ERRORS[code][1], "content": {JSON: {"schema": _schema(ErrorBody)}}}
    if code in ("slow-down", "busy"):
        answer["headers"] = {"Retry-After": {"description": "Seconds.", "schema": {"type": "integer", "minimum": 1}}}
    return answer


def _given(schema: Schema) -> Schema:
    """The schema of a value that is there: a query has no null."""
    for one in schema.get("anyOf", ()):
        if one != {"type": "null"}:
            return dict(one)
    return {name: value for name, value in schema.items() if name != "description"}
