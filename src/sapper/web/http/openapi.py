"""The plain endpoints as an OpenAPI 3.1 document, for bots and their makers.

Knows: what each endpoint takes and answers.
Does not know: what endpoints do; the fields of values (`games.bodies`, `games.messages`).
"""

from typing import Any, Final

from sapper import __version__
from sapper.core.preset import PRESETS
from sapper.web.games.bodies import (
    BoardAnalysis,
    BoardBody,
    CreatedGame,
    ErrorBody,
    GameList,
    NewGameBody,
    PageLook,
    PlayerCounts,
    PresetsAnswer,
    StatisticsAnswer,
    StatisticsQuery,
)
from sapper.web.games.description import PREFIX, Schema, schemas_of
from sapper.web.games.messages import AnyServerMessage, ChancesMessage, HintMessage, PlayerMessage, StateMessage
from sapper.web.games.play_policy import PlayPolicy
from sapper.web.games.played_bodies import (
    FinishedGameData,
    GameVerdicts,
    PlayedList,
    PlayedQuery,
    PositionAnswer,
    PositionBody,
    PracticeBody,
    ReviewedRecording,
    SharingBody,
    WrongPositions,
)
from sapper.web.http.identity import COOKIE
from sapper.web.http.responses import HTTP_ERRORS

JSON: Final = "application/json"

BODIES: Final = (
    AnyServerMessage, BoardAnalysis, BoardBody, CreatedGame, ErrorBody, GameList, NewGameBody, PageLook, PlayerCounts, PlayerMessage,
    PresetsAnswer, StatisticsAnswer, GameVerdicts, FinishedGameData, PlayedList, PositionAnswer, PositionBody, PracticeBody,
    ReviewedRecording, SharingBody, WrongPositions,
)  # fmt: skip
"""All that is taken and answered; what is said on sockets too, for bots."""


def describe(policy: PlayPolicy) -> dict[str, Any]:
    """The document for a server with this policy."""
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
            "schemas": _schemas(policy),
            "responses": {_name(code): _error(code) for code in HTTP_ERRORS},
            "parameters": {
                "game": {"name": "id", "in": "path", "required": True, "schema": _text("The name of a game.")}
            },
            "securitySchemes": {"player": {"type": "apiKey", "in": "cookie", "name": COOKIE, "description": "Set by the first answer."}},
        },
    }  # fmt: skip


def _schemas(policy: PlayPolicy) -> dict[str, Schema]:
    """Of all values; those of a new game have this server's limits."""
    found = schemas_of(BODIES)
    fields = found[NewGameBody.__name__]["properties"]
    for name, least in (("width", 1), ("height", 1), ("mines", 0)):
        about = fields[name]["description"]
        fields[name] = {"type": ["integer", "null"], "minimum": least, "maximum": policy.cells, "description": about}
    fields["preset"] |= {"anyOf": [{"enum": list(PRESETS)}, {"type": "null"}], "default": "beginner"}
    return found


def _ref(kind: type) -> Schema:
    """The schema of that type."""
    return {"$ref": PREFIX + kind.__name__}


def _text(description: str) -> Schema:
    return {"type": "string", "description": description}


def _name(code: str) -> str:
    return code.title().replace("-", "")


def _error(code: str) -> dict[str, Any]:
    answer: dict[str, Any] = {"description": HTTP_ERRORS[code][1], "content": {JSON: {"schema": _ref(ErrorBody)}}}
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
            **{str(HTTP_ERRORS[code][0]): {"$ref": f"#/components/responses/{_name(code)}"} for code in all_errors},
        },
        **others,
    }
    if body is not None:
        found["requestBody"] = {"content": {JSON: {"schema": body}}}
    return found


def _paths() -> dict[str, Any]:
    of_game = [{"$ref": "#/components/parameters/game"}]
    return {
        "/api/games": {
            "post": _operation(
                "newGame", "A new game.", _ref(CreatedGame), errors=("bad-request", "conflict", "too-large"), status=201,
                body=_ref(NewGameBody),
            ),
            "get": _operation("games", "The player's unfinished games.", _ref(GameList)),
        },
        "/api/games/{id}": {
            "parameters": of_game,
            "get": _operation("game", "A game as it is now.", _ref(StateMessage), errors=("not-found",)),
        },
        "/api/games/{id}/hint": {
            "parameters": of_game,
            "post": _operation(
                "hint", "The next step and its reason. The game is marked.", _ref(HintMessage), errors=("not-found", "conflict", "bad-request")
            ),
        },
        "/api/games/{id}/analysis": {
            "parameters": of_game,
            "post": _operation(
                "chances", "Every covered cell's chance to be a mine. The game is marked.", _ref(ChancesMessage),
                errors=("not-found", "conflict", "bad-request"),
            ),
        },
        "/api/analysis": {
            "post": _operation(
                "analyse", "The same of any board.", _ref(BoardAnalysis), errors=("bad-request", "too-large"),
                body=_ref(BoardBody),
            )
        },
        "/api/statistics": {
            "get": _operation(
                "statistics", "The player's statistics.", _ref(StatisticsAnswer), errors=("bad-request",),
                parameters=_query_parameters(StatisticsQuery),
            )
        },
        **_played_paths(),
        "/api/player": {
            "get": _operation("player", "Games played and won.", _ref(PlayerCounts)),
            "delete": _operation("forget", "Forget everything about me.", None, status=204),
        },
        "/api/player/sessions": {
            "delete": _operation("endSessions", "Have only this request's answer know me: other cookies of mine are nobody's.", None, status=204)
        },
        "/api/presets": {"get": _operation("presets", "The presets, and what a custom game may be.", _ref(PresetsAnswer))},
        "/api/page": {"get": _operation("page", "How the page looks where a player has not said otherwise.", _ref(PageLook))},
        "/api/openapi.json": {"get": _operation("openapi", "This document.", {"type": "object"})},
    }  # fmt: skip


def _played_paths() -> dict[str, Any]:
    of_game = [{"$ref": "#/components/parameters/game"}]
    file_name = {
        "name": "x-file-name", "in": "header", "schema": {"type": "string"},
        "description": "The name of the file: its ending helps where its content does not say what it is.",
    }  # fmt: skip
    file = {"required": True, "content": {"application/octet-stream": {}}}
    return {
        "/api/played": {
            "get": _operation(
                "playedGames", "The player's games that have ended, a page at a time.", _ref(PlayedList), errors=("bad-request",),
                parameters=_query_parameters(PlayedQuery),
            )
        },
        "/api/played/{id}": {
            "parameters": of_game,
            "get": _operation(
                "playedGame", "A game that has ended: one's own, or one that is shared.", _ref(FinishedGameData), errors=("bad-request", "not-found")
            ),
        },
        "/api/played/{id}/review": {
            "parameters": of_game,
            "get": _operation("review", "Its moves, judged.", _ref(GameVerdicts), errors=("bad-request", "not-found")),
        },
        "/api/played/{id}/shared": {
            "parameters": of_game,
            "put": _operation(
                "share", "Show a game of one's own to anyone who has its link, or no longer.", _ref(SharingBody),
                errors=("bad-request", "not-found", "too-large"), body=_ref(SharingBody),
            ),
        },
        "/api/recordings": {
            "post": _operation(
                "reviewRecording", "The review of a recording of any program; nothing of it is kept.", _ref(ReviewedRecording),
                errors=("bad-request", "too-large"), requestBody=file, parameters=[file_name],
            )
        },
        "/api/positions": {
            "post": _operation(
                "lookInto", "What can be known of a position: a board text, a code, or a game id of Simon Tatham's Mines.",
                _ref(PositionAnswer), errors=("bad-request", "too-large"), body=_ref(PositionBody),
            )
        },
        "/api/practice": {
            "get": _operation(
                "wrongPositions", "Positions of the player's games in which another move was better.", _ref(WrongPositions),
                errors=("bad-request",), parameters=[one for one in _query_parameters(PlayedQuery) if one["name"] == "after"],
            ),
            "post": _operation(
                "practise", "A new game that begins with a position, on mines that are drawn for it. It is marked.",
                _ref(CreatedGame), errors=("bad-request", "conflict", "too-large"), status=201, body=_ref(PracticeBody),
            ),
        },
    }  # fmt: skip


def _query_parameters(kind: type) -> list[dict[str, Any]]:
    fields = schemas_of([kind])[kind.__name__]["properties"]
    return [
        {"name": name, "in": "query", "description": schema["description"], "schema": _given(schema)}
        for name, schema in fields.items()
    ]


def _given(schema: Schema) -> Schema:
    """The schema of a value that is there: a query has no null."""
    for one in schema.get("anyOf", ()):
        if one != {"type": "null"}:
            return dict(one)
    return {name: value for name, value in schema.items() if name != "description"}
