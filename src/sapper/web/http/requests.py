"""The player, session and address of a request, and whether it comes too often."""

from collections.abc import Iterable

from starlette.requests import Request
from starlette.responses import Response

from sapper.errors import RequestError
from sapper.server.rate_limits import KeyedRateLimiter
from sapper.web.http.limits import RateLimits
from sapper.web.http.responses import refusal


def player_of(request: Request) -> str:
    player: str = request.scope["player"]
    return player


def session_of(request: Request) -> str:
    """The session that asks."""
    session: str = request.scope["session"]
    return session


def agent_of(request: Request) -> str:
    """The `User-Agent` of a request."""
    return request.headers.get("user-agent", "")


def address_of_asker(request: Request) -> str:
    """The network address that asks."""
    address: str = request.scope["address"]
    return address


def check_quota(request: Request, rates: RateLimits) -> None:
    """Count a new game or player that goes into the store; `RequestError` (`slow-down`) if the asker's address, or all, have had enough."""
    if not rates.may_keep(address_of_asker(request)):
        raise RequestError("slow-down", "so many games were begun lately that nothing new is kept now: come back later")


def slowed(request: Request, rates: RateLimits, names: Iterable[str]) -> Response | None:
    """The answer to too many requests: rates named `address_…` are of the address, others of the player."""
    for name in names:
        limiter: KeyedRateLimiter = getattr(rates, name)
        asker = address_of_asker(request) if name.startswith("address_") else player_of(request)
        if not limiter.take(asker):
            return refusal("slow-down", "this was asked for too often", wait=limiter.wait(asker))
    return None
