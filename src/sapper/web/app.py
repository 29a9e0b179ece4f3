"""The application: the routes of `http.routes`, the sockets and the page, behind one guard."""

from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute

from sapper.server.rate_limits import ConnectionLimiter
from sapper.web.http.context import AppContext
from sapper.web.http.daily import DailyEndpoints
from sapper.web.http.devices import Devices
from sapper.web.http.endpoints import Endpoints, guarded
from sapper.web.http.identity import PlayerCookies
from sapper.web.http.middleware import PAGES, AllowedOrigins, GuardMiddleware
from sapper.web.http.openapi import Operation, describe
from sapper.web.http.played import PlayedEndpoints
from sapper.web.http.previews import ADDRESS, Previews
from sapper.web.http.responses import ApiResponse, refusal
from sapper.web.http.routes import operations
from sapper.web.http.social import SocialEndpoints
from sapper.web.http.static_files import ICONS, StaticFiles
from sapper.web.http.websocket import WebSocketEndpoint

SOCKET: Final = "/api/games/{id}/socket"

CODES: Final = {404: "not-found", 405: "not-allowed"}


def make_app(context: AppContext, *, players: PlayerCookies, devices: Devices, allowed: AllowedOrigins) -> Starlette:
    """The whole of it, ready to be served."""
    endpoints, played, pages = Endpoints(context, players, devices), PlayedEndpoints(context), StaticFiles()
    previews = Previews(context.png, f"/static/{pages.hash}/preview.png")

    async def index(request: Request) -> Response:
        return pages.index(request, previews=previews)

    async def static(request: Request) -> Response:
        return pages.static(request)

    async def openapi(_: Request) -> Response:
        """The OpenAPI document: this one."""
        return ApiResponse(description)

    table = (
        *operations(endpoints, played, DailyEndpoints(context), SocialEndpoints(context, players, devices, endpoints)),
        Operation("GET", "/api/openapi.json", openapi, dict, rates=()),
    )
    description = describe(context.policy, [one for one in table if one.path.startswith("/api/")])
    routes: list[BaseRoute] = [Route(one.path, guarded(one, context), methods=[one.method]) for one in table]
    routes += [
        WebSocketRoute(SOCKET, WebSocketEndpoint(context)),
        *(Route(path, index) for path in ("/game/{id}", *sorted(PAGES))),
        Route("/static/{hash}/{name:path}", static),
        Route(ADDRESS, previews.picture),
    ]

    async def icon(request: Request) -> Response:
        return pages.icon(request)

    async def worker(request: Request) -> Response:
        return pages.worker(request)

    routes += [Route("/service-worker.js", worker), *(Route(f"/{name}", icon) for name in ICONS)]

    async def explain(request: Request, error: Exception) -> Response:
        """What Starlette itself refuses: to people the page, which says so; to programs an error in the protocol's words."""
        status = error.status_code if isinstance(error, HTTPException) else 500
        if status == 404 and _wants_page(request):
            return pages.index(request, status)
        return _refused(request, error, status)

    limits = context.limits
    sockets = ConnectionLimiter(connections=limits.connections, per_address=limits.per_address)
    guard = Middleware(
        GuardMiddleware, allowed=allowed, players=players, admits=devices.admits, requests=context.rates.requests, sockets=sockets
    )  # fmt: skip
    return Starlette(routes=routes, middleware=[guard], exception_handlers={HTTPException: explain})


def _wants_page(request: Request) -> bool:
    """True for a browser at an unknown address."""
    path = request.url.path
    return "text/html" in request.headers.get("accept", "") and not path.startswith(("/api/", "/static/"))


def _refused(request: Request, error: Exception, status: int) -> Response:
    what = "there is nothing there" if status == 404 else f"{request.method} is not what is done there"
    answer = refusal(CODES.get(status, "bad-request"), what, status=status)
    if isinstance(error, HTTPException):
        answer.headers.update(error.headers or {})
    return answer
