"""Runs before every request: player, address, rates, and the headers of every answer."""

import contextlib
import re
from collections.abc import Awaitable, Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sapper.errors import StoreError
from sapper.server.connections import is_loopback, network_of
from sapper.server.rate_limits import ConnectionLimiter, KeyedRateLimiter
from sapper.web.http.identity import PlayerCookies, draw_player, draw_session
from sapper.web.http.responses import refusal
from sapper.web.http.transport import CONNECTION

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Only what this server sends is run, and only this server is spoken to; nothing inline."""

HEADERS: Final = (
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=()"),
    ("x-frame-options", "DENY"),
)
"""Of every answer."""

AUTO: Final = "auto"
LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "[::1]"})
HEALTH: Final = "/health"
"""Answered by any name: what checks a server, a proxy or a container, knows its address only. It tells nothing of players."""
FILE: Final = 0.125
"""What one of the page's files costs of the rate of requests: the page has dozens."""
PAGES: Final = frozenset(
    {"/", "/games", "/analyse", "/recording", "/practice", "/daily", "/rankings", "/name", "/honesty"}
)
"""Places of the page, besides those of single games."""
SECURE: Final = ("https", "wss")
"""Schemes of requests over TLS, as the server or a trusted proxy says."""
SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})


@dataclass(frozen=True, slots=True, kw_only=True)
class AllowedOrigins:
    """Which names the server answers to, and whose pages may change something."""

    hosts: frozenset[str] | None
    """None is any."""
    origins: frozenset[str] = frozenset()
    """Besides the server's own."""

    @classmethod
    def of(cls, hosts: Collection[str], origins: Iterable[str], *, bound: Iterable[str]) -> "AllowedOrigins":
        """What the settings say. `auto` hosts are this machine's own names, where only this machine can reach the server:
        a page that has its own name lead here (DNS rebinding) must not be served.
        """
        wanted = frozenset(host.lower() for host in hosts)
        found: frozenset[str] | None = wanted
        if AUTO in wanted:
            found = LOOPBACK if all(is_loopback(host) for host in bound) else None
        elif "*" in wanted:
            found = None
        return cls(hosts=found, origins=frozenset(origin.lower().rstrip("/") for origin in origins) - {AUTO})

    def answers_to(self, host: str | None) -> bool:
        """True if a `Host` header names this server, on any port."""
        if self.hosts is None:
            return host is None or _name(host) is not None
        return _name(host or "") in self.hosts

    def may_change(self, origin: str | None, host: str | None, *, is_secure: bool = False) -> bool:
        """True if a page from there may change something. Only browsers send an origin.

        `is_secure`: the request came over TLS, so a page without it is not ours. Without that a proxy may do TLS and not say so.
        """
        if origin is None:
            return True
        try:
            parts = urlsplit(origin.lower())
        except ValueError:  # no browser says such a thing
            return False
        own = (
            parts.scheme in (("https",) if is_secure else ("http", "https"))
            and bool(host)
            and parts.netloc == (host or "").lower()
        )
        return own or origin.lower() in self.origins


_HOST: Final = re.compile(r"(\[[0-9a-f:.]+\]|[^\s\[\]/?#@:]+)(?::[0-9]{0,5})?")


def _name(host: str) -> str | None:
    """A `Host` header without its port; None for one that is no name, or goes on after it."""
    match = _HOST.fullmatch(host.lower())
    return match[1] if match else None


def address_of(scope: Scope) -> str:
    """The address or network that a request counts for."""
    client = scope.get("client")
    return network_of(client[0]) if client else ""


class GuardMiddleware:
    """Lets in what may come in, and says whose it is: `scope["player"]`, `scope["session"]`, `scope["address"]`."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        allowed: AllowedOrigins,
        players: PlayerCookies,
        admits: Callable[[str, str], Awaitable[bool]],
        requests: KeyedRateLimiter,
        sockets: ConnectionLimiter,
    ) -> None:
        self._app = app
        self._sockets = sockets
        self._allowed = allowed
        self._players = players
        self._admits = admits
        self._requests = requests

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or one socket."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        connection = scope.get("state", {}).get(CONNECTION)
        with contextlib.nullcontext() if connection is None else connection.request():
            await self._answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        address = scope["address"] = address_of(scope)
        refused = self._refused(scope, headers, address)
        is_secure = scope["scheme"] in SECURE
        bearer = self._players.read(headers.get("cookie"), is_secure=is_secure)
        try:
            if refused is None and bearer is not None and not await self._admits(bearer.player, bearer.session):
                bearer = None
        except StoreError:
            refused = refusal("busy", "whose session this is cannot be looked up now", wait=5)
        scope["player"], scope["session"] = (None, "") if bearer is None else bearer[:2]
        if scope["type"] == "websocket":
            # By the address that a proxy names too: what comes from a proxy is counted for nobody when it connects.
            if refused is not None or self._sockets.enter(address) is not None:
                refused = refused or refusal("busy", "this address has too many sockets (web.max_per_address)", wait=5)
                await refused(scope, receive, send)
                return
            try:
                await self._app(scope, receive, send)
            finally:
                self._sockets.leave(address)
            return
        cookie = None
        if refused is None and (bearer is None or bearer.is_old) and _names_players(scope["path"]):
            if bearer is None:
                scope["player"], scope["session"] = draw_player(), draw_session()
            if scope["method"] != "DELETE":  # who wants to be forgotten gets no new cookie after the old one is gone
                cookie = self._players.cookie(scope["player"], scope["session"], is_secure=is_secure)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                found = MutableHeaders(scope=message)
                for name, value in HEADERS:
                    found[name] = value
                if cookie is not None and "set-cookie" not in found:  # an answer may make the asker another player
                    found.append("set-cookie", cookie)
            await send(message)

        await (self._app if refused is None else refused)(scope, receive, send_with_headers)

    def _refused(self, scope: Scope, headers: Headers, address: str) -> ASGIApp | None:
        host = headers.get("host")
        if "content-length" in headers and "transfer-encoding" in headers:
            # Whoever stands in between may go by the other of the two, and see another request in the body.
            return refusal("bad-request", "a request says how long it is once: content-length or transfer-encoding")
        if scope["path"] != HEALTH and not self._allowed.answers_to(host):
            return refusal("forbidden", f"this server does not go by the name {str(host)[:80]!r} (web.allowed_hosts)")
        if not self._requests.take(address, FILE if scope["path"].startswith("/static/") else 1):
            return refusal("slow-down", "too many requests from this address", wait=self._requests.wait(address))
        changes = scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS
        is_secure = scope["scheme"] in SECURE
        if changes and not self._allowed.may_change(headers.get("origin"), host, is_secure=is_secure):
            return refusal("forbidden", "a page of another server may change nothing here (web.allowed_origins)")
        return None


def _names_players(path: str) -> bool:
    """True if an answer there may set the player's cookie."""
    return path.startswith(("/api/", "/game/")) or path in PAGES
