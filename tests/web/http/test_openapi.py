"""The description is valid OpenAPI, names just the paths that there are, and fits what they answer (`test_endpoints`)."""

from typing import Any

from openapi_spec_validator import OpenAPIV31SpecValidator
from starlette.routing import Route

from sapper.web.games.play_policy import PlayPolicy
from sapper.web.http.responses import HTTP_ERRORS
from tests.web.http.test_endpoints import DESCRIPTION
from tests.web_app import app_of, description


def test_it_is_openapi() -> None:
    assert list(OpenAPIV31SpecValidator(DESCRIPTION).iter_errors()) == []


def test_it_names_the_paths_that_there_are_and_no_others() -> None:
    verbs = ("get", "post", "delete", "put", "patch")
    named = {(path, verb) for path, item in DESCRIPTION["paths"].items() for verb in item if verb in verbs}
    routes = {
        (route.path, verb.lower())
        for route in app_of().routes
        if isinstance(route, Route) and route.path.startswith("/api/")
        for verb in (route.methods or set()) - {"HEAD"}
    }
    assert named == routes


def test_every_operation_has_a_name_of_its_own_and_its_errors() -> None:
    operations: list[dict[str, Any]] = [
        operation for item in DESCRIPTION["paths"].values() for verb, operation in item.items() if verb != "parameters"
    ]
    assert len({one["operationId"] for one in operations}) == len(operations)
    for one in operations:
        assert {"403", "429"} <= one["responses"].keys()
        assert one["summary"].endswith(".")
    assert len(DESCRIPTION["components"]["responses"]) == len(HTTP_ERRORS)


def test_the_limits_are_the_server_s() -> None:
    small = description(PlayPolicy(cells=81))["components"]["schemas"]["NewGameBody"]["properties"]
    assert small["width"]["maximum"] == small["mine_count"]["maximum"] == 81
