"""Who may come in: hosts, origins, addresses, rates; whose request it is; the headers of every answer."""

import asyncio
import time
from typing import Any

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from sapper.server.rate_limits import ConnectionLimiter, KeyedRateLimiter, RateLimit
from sapper.web.http.identity import RENEWED, PlayerCookies
from sapper.web.http.middleware import HEADERS, LOOPBACK, POLICY, AllowedOrigins, GuardMiddleware, address_of
from tests.asking import Answered, Line, ask, scope_of

SECRET = "a secret of the tests"
PLAYERS = PlayerCookies(SECRET)
ANY = AllowedOrigins(hosts=None)


class Inside:
    """The application behind the guard: remembers who came."""

    def __init__(self) -> None:
        self.scopes: list[Scope] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.scopes.append(scope)
        if scope["type"] == "http":
            await PlainTextResponse("in")(scope, receive, send)


async def _admits(_player: str, _session: str) -> bool:
    return True


def _guard(inside: Inside, allowed: AllowedOrigins = ANY, *, burst: float = 100) -> GuardMiddleware:
    requests = KeyedRateLimiter(RateLimit(per_second=0.001, burst=burst), lambda: 0.0)
    sockets = ConnectionLimiter(connections=10, per_address=10)
    return GuardMiddleware(inside, allowed=allowed, players=PLAYERS, admits=_admits, requests=requests, sockets=sockets)


def _ask(guard: GuardMiddleware, path: str = "/", **options: Any) -> Answered:
    return asyncio.run(ask(guard, path, **options))


def test_every_answer_has_the_headers() -> None:
    for answer in (_ask(_guard(Inside())), _ask(_guard(Inside(), AllowedOrigins(hosts=frozenset())))):
        assert dict(HEADERS).items() <= answer.headers.items()
    assert "unsafe" not in POLICY
    assert "default-src 'none'" in POLICY


def test_the_first_answer_sets_the_cookie_and_the_next_knows_it() -> None:
    inside = Inside()
    first = _ask(_guard(inside))
    (cookie,) = first.cookies
    again = _ask(_guard(inside), headers=[("host", "localhost"), ("cookie", cookie.partition(";")[0])])
    assert again.cookies == []
    assert inside.scopes[0]["player"] == inside.scopes[1]["player"]


def test_an_old_cookie_is_renewed_unless_its_player_is_to_be_forgotten() -> None:
    long_ago = PlayerCookies(SECRET, now=lambda: time.time() - RENEWED - 60).cookie(
        "web-" + "0" * 32, "1" * 16, is_secure=False
    )
    headers = [("host", "localhost"), ("cookie", long_ago.partition(";")[0])]
    inside = Inside()
    assert len(_ask(_guard(inside), "/api/player", headers=headers).cookies) == 1
    assert _ask(_guard(inside), "/api/player", headers=headers, method="DELETE").cookies == []
    assert [scope["player"] for scope in inside.scopes] == ["web-" + "0" * 32] * 2


def test_files_say_nothing_of_players() -> None:
    inside = Inside()
    assert _ask(_guard(inside), "/static/main.js").cookies == []
    assert inside.scopes[0]["player"] is None
    assert len(_ask(_guard(inside), "/api/player").cookies) == 1


@pytest.mark.parametrize(
    ("hosts", "bound", "found"),
    [
        (["auto"], ["127.0.0.1", "::1"], LOOPBACK),
        (["auto"], ["localhost"], LOOPBACK),
        (["auto"], ["127.0.0.1", "0.0.0.0"], None),
        (["auto"], ["example.org"], None),
        (["*"], ["127.0.0.1"], None),
        (["Play.Example.org"], ["127.0.0.1"], frozenset({"play.example.org"})),
    ],
)
def test_which_names_it_has(hosts: list[str], bound: list[str], found: frozenset[str] | None) -> None:
    assert AllowedOrigins.of(hosts, ["auto"], bound=bound) == AllowedOrigins(hosts=found)


@pytest.mark.parametrize(
    ("host", "is_fine"),
    [("localhost", True), ("LOCALHOST:8080", True), ("127.0.0.1:1", True), ("[::1]:8080", True), ("evil.example", False),
     ("localhost.evil.example", False), ("", False), (None, False), ("[::1].evil", False), ("[::1]evil:8080", False),
     ("localhost:1:2", False), ("localhost:port", False), ("evil@localhost", False)],
)  # fmt: skip
def test_a_name_that_somebody_had_lead_here_is_not_served(host: str | None, is_fine: bool) -> None:
    allowed = AllowedOrigins.of(["auto"], ["auto"], bound=["127.0.0.1"])
    assert allowed.answers_to(host) is is_fine
    inside = Inside()
    answer = _ask(_guard(inside, allowed), headers=[] if host is None else [("host", host)])
    assert (answer.status, len(inside.scopes)) == ((200, 1) if is_fine else (403, 0))
    if not is_fine:
        assert answer.code == "forbidden"
        assert answer.cookies == []


@pytest.mark.parametrize(
    ("origin", "is_fine"),
    [(None, True), ("http://localhost:8080", True), ("https://LOCALHOST:8080", True), ("https://pages.example", True),
     ("http://localhost", False), ("http://evil.example", False), ("null", False), ("", False), ("ftp://localhost:8080", False),
     ("http://localhost:8080.evil.example", False), ("http://[localhost:8080", False)],
)  # fmt: skip
def test_whose_pages_may_change_something(origin: str | None, is_fine: bool) -> None:
    allowed = AllowedOrigins.of(["auto"], ["https://Pages.example/"], bound=["127.0.0.1"])
    assert allowed.may_change(origin, "localhost:8080") is is_fine
    headers = [("host", "localhost:8080")] + ([] if origin is None else [("origin", origin)])
    for method in ("POST", "DELETE", "PUT"):
        assert _ask(_guard(Inside(), allowed), "/api/games", method=method, headers=headers).status == (200 if is_fine else 403)  # fmt: skip
    assert _ask(_guard(Inside(), allowed), "/api/games", headers=headers).status == 200
    inside, line = Inside(), Line()
    scope = scope_of("websocket", "/api/games/1/socket", headers, address="::1") | {
        "extensions": {"websocket.http.response": {}}
    }
    asyncio.run(_guard(inside, allowed)(scope, line.receive, line.send))
    assert len(inside.scopes) == is_fine
    if not is_fine:
        assert line.sent[0]["status"] == 403


@pytest.mark.parametrize(
    ("scheme", "origin", "is_fine"),
    [("https", "https://localhost:8080", True), ("https", "http://localhost:8080", False), ("http", "https://localhost:8080", True)],
)  # fmt: skip
def test_over_tls_a_page_without_it_changes_nothing(scheme: str, origin: str, is_fine: bool) -> None:
    allowed = AllowedOrigins.of(["auto"], [], bound=["127.0.0.1"])
    headers = [("host", "localhost:8080"), ("origin", origin)]
    for kind, path, one in (
        ("http", "/api/games", scheme),
        ("websocket", "/api/games/1/socket", scheme.replace("http", "ws")),
    ):
        inside, line = Inside(), Line()
        scope = scope_of(kind, path, headers, address="::1") | {
            "scheme": one, "method": "POST", "extensions": {"websocket.http.response": {}},
        }  # fmt: skip
        asyncio.run(_guard(inside, allowed)(scope, line.receive, line.send))
        assert len(inside.scopes) == is_fine


def test_too_many_requests_of_one_address_are_answered_so() -> None:
    guard = _guard(Inside(), burst=2)
    assert [_ask(guard).status for _ in range(3)] == [200, 200, 429]
    answer = _ask(guard)
    assert (answer.code, int(answer.headers["retry-after"]) > 100) == ("slow-down", True)
    assert _ask(guard, address="10.0.0.2").status == 200
    files = _guard(Inside(), burst=2)
    assert [_ask(files, "/static/x.js").status for _ in range(17)] == [200] * 16 + [429]


@pytest.mark.parametrize(
    ("client", "address"),
    [(("10.0.0.1", 5), "10.0.0.1"), (("2001:db8:1:2:3:4:5:6", 5), "2001:db8:1:2::/64"), (("::ffff:10.0.0.1", 5), "10.0.0.1"),
     (("fe80::1%eth0", 5), "fe80::/64"), (("a:b", 5), "a:b"), (None, "")],
)  # fmt: skip
def test_what_is_one_address(client: tuple[str, int] | None, address: str) -> None:
    assert address_of({"client": client}) == address


def test_a_secure_connection_has_a_secure_cookie() -> None:
    async def secure() -> list[str]:
        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            await _guard(Inside())({**scope, "scheme": "https"}, receive, send)

        return (await ask(app, "/")).cookies

    assert asyncio.run(secure())[0].endswith("; Secure")


def test_what_is_neither_request_nor_socket_goes_through() -> None:
    inside, line = Inside(), Line()
    asyncio.run(_guard(inside)({"type": "lifespan"}, line.receive, line.send))
    assert inside.scopes == [{"type": "lifespan"}]


@pytest.mark.parametrize(
    ("host", "status"), [("[::1].evil", 403), ("[::1]", 200), ("play.example:80", 200), ("a b", 403)]
)
def test_a_host_that_is_no_name_is_refused_by_a_server_with_any_name_too(host: str, status: int) -> None:
    assert _ask(_guard(Inside()), headers=[("host", host)]).status == status


def test_a_request_that_says_its_length_twice_is_refused() -> None:
    inside = Inside()
    lengths = [("content-length", "5"), ("transfer-encoding", "chunked")]
    answer = _ask(_guard(inside), headers=[("host", "localhost"), *lengths], method="POST")
    assert (answer.status, answer.code, inside.scopes) == (400, "bad-request", [])
    for one in lengths:
        assert _ask(_guard(Inside()), headers=[("host", "localhost"), one], method="POST").status == 200
