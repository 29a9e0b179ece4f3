"""The plain endpoints as an OpenAPI 3.1 document, for bots and their makers.

Knows: what each endpoint takes and answers (docs/web-protocol.md says it in words); the schemas of values (`schemas`).
Does not know: what endpoints do.
"""

from typing import Any, Final

from sapper import __version__
from sapper.web.http.identity import COOKIE
from sapper.web.http.limits import WebLimits
from sapper.web.http.responses import STATUSES
from sapper.web.http.schemas import NAMED, array, new_game, object_of, ref, text

JSON: Final = "application/json"

_WORDS: Final = {
    "bad-request": "What is asked for cannot be; the message says why.",
    "forbidden": "A page of another server asked, or this server does not go by that name.",
    "not-found": "There is no such game, or it is somebody else's.",
    "not-allowed": "That is not what is done there.",
    "conflict": "Not as things are: too many unfinished games, or a game that has ended.",
    "too-large": "The body is too long.",
    "slow-down": "Too many requests; `Retry-After` says when there may be another.",
    "failed": "That took too much work, or is a mistake of the server's.",
    "busy": "Not now; `Retry-After` says when.",
}


def describe(limits: WebLimits) -> dict[str, Any]:
    """The document for a server with these limits."""
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
        "paths": _paths(),
        "components": {
            "schemas": {**NAMED, "NewGame": new_game(limits)},
            "responses": {_name(code): _error(code) for code in STATUSES},
            "parameters": {
                "game": {"name": "id", "in": "path", "required": True, "schema": text("The name of a game.")}
            },
            "securitySchemes": {"player": {"type": "apiKey", "in": "cookie", "name": COOKIE, "description": "Set by the first answer."}},
        },
    }  # fmt: skip


def _name(code: str) -> str:
    return code.title().replace("-", "")


def _error(code: str) -> dict[str, Any]:
    answer: dict[str, Any] = {"description": _WORDS[code], "content": {JSON: {"schema": ref("Error")}}}
    if code in ("slow-down", "busy"):
        answer["headers"] = {"Retry-After": {"description": "Seconds.", "schema": {"type": "integer", "minimum": 1}}}
    return answer


def _operation(
    name: str,
    summary: str,
    answer: dict[str, Any] | None,
    *,
    errors: tuple[str, ...] = (),
    body: dict[str, Any] | None = None,
    status: int = 200,
    **others: Any,
) -> dict[str, Any]:
    done: dict[str, Any] = {"description": "Done."}
    if answer is not None:
        done["content"] = {JSON: {"schema": answer}}
    all_errors = ("forbidden", "slow-down", *errors, "failed", "busy")
    found: dict[str, Any] = {
        "operationId": name,
        "summary": summary,
        "responses": {
            str(status): done,
            **{str(STATUSES[code]): {"$ref": f"#/components/responses/{_name(code)}"} for code in all_errors},
        },
        **others,
    }
    if body is not None:
        found["requestBody"] = {"content": {JSON: {"schema": body}}}
    return found


def _paths() -> dict[str, Any]:
    of_game = [{"$ref": "#/components/parameters/game"}]
    made = object_of(game=text("Its name."), socket=text("The path of its WebSocket."), state=ref("State"))
    return {
        "/api/games": {
            "post": _operation(
                "newGame", "A new game.", made, errors=("bad-request", "conflict", "too-large"), status=201,
                body=ref("NewGame"),
            ),
            "get": _operation("games", "The player's unfinished games.", object_of(games=array(ref("OpenGame")))),
        },
        "/api/games/{id}": {
            "parameters": of_game,
            "get": _operation("game", "A game as it is now.", ref("State"), errors=("not-found",)),
        },
        "/api/games/{id}/hint": {
            "parameters": of_game,
            "post": _operation(
                "hint", "The next step and its reason. The game is marked.", ref("Hint"), errors=("not-found", "conflict", "bad-request")
            ),
        },
        "/api/games/{id}/analysis": {
            "parameters": of_game,
            "post": _operation(
                "chances", "Every covered cell's chance to be a mine. The game is marked.", ref("Chances"),
                errors=("not-found", "conflict", "bad-request"),
            ),
        },
        "/api/analysis": {
            "post": _operation(
                "analyse", "The same of any board.", ref("Analysis"), errors=("bad-request", "too-large"),
                body=ref("Board"),
            )
        },
        "/api/statistics": {
            "get": _operation(
                "statistics", "The player's statistics.", ref("Statistics"), errors=("bad-request",),
                parameters=_statistics_parameters(),
            )
        },
        "/api/player": {
            "get": _operation("player", "Games played and won.", object_of(played={"type": "integer"}, won={"type": "integer"})),
            "delete": _operation("forget", "Forget everything about me.", None, status=204),
        },
        "/api/presets": {"get": _operation("presets", "The presets, and what a custom game may be.", ref("Presets"))},
        "/api/page": {"get": _operation("page", "How the page looks where a player has not said otherwise.", ref("Look"))},
        "/api/openapi.json": {"get": _operation("openapi", "This document.", {"type": "object"})},
    }  # fmt: skip


def _statistics_parameters() -> list[dict[str, Any]]:
    def parameter(name: str, schema: dict[str, Any], description: str) -> dict[str, Any]:
        return {"name": name, "in": "query", "description": description, "schema": schema}

    moment = {"type": "integer", "minimum": 0}
    return [
        parameter(
            "category", {"enum": ["plain", "assisted"], "default": "plain"}, "Unaided games, or those with help."
        ),
        parameter("preset", {"type": "string"}, "Games of this preset."),
        parameter("kind", {"type": "string", "pattern": r"^\d+x\d+x\d+$"}, "Games of this size, `WxHxM`."),
        parameter("since", moment, "Games that ended then or later, in milliseconds since 1970."),
        parameter("until", moment, "Games that ended before."),
    ]
