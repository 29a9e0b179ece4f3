"""The metrics endpoint answers scrapers, and nothing else troubles it."""

import asyncio
import urllib.error
import urllib.request
from collections.abc import Callable

import pytest

from sapper.server import metrics_endpoint as module
from sapper.server.listeners import listen
from sapper.server.metrics_endpoint import CONTENT_TYPE, Scrape
from tests.network import Wire


def _with_endpoint(visit: Callable[[int], None]) -> None:
    async def collect() -> str:
        return "sapper_connections 1\n"

    async def main() -> None:
        listeners = listen(["127.0.0.1"], 0)
        scrape = Scrape(listeners, collect)
        await scrape.open()
        await asyncio.to_thread(visit, listeners[0].getsockname()[1])
        scrape.close()

    asyncio.run(main())


@pytest.mark.parametrize("path", ["/metrics", "/metrics?name=x"])
def test_a_scraper_gets_the_metrics(path: str) -> None:
    def visit(port: int) -> None:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}") as response:
            assert response.headers["Content-Type"] == CONTENT_TYPE
            assert response.read() == b"sapper_connections 1\n"

    _with_endpoint(visit)


@pytest.mark.parametrize(("path", "method", "status"), [("/", "GET", 404), ("/metrics", "POST", 405)])
def test_other_requests_are_told_so(path: str, method: str, status: int) -> None:
    def visit(port: int) -> None:
        with pytest.raises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{port}{path}", method=method))
        caught.value.close()
        assert caught.value.code == status

    _with_endpoint(visit)


def test_head_has_no_body() -> None:
    def visit(port: int) -> None:
        with urllib.request.urlopen(
            urllib.request.Request(f"http://127.0.0.1:{port}/metrics", method="HEAD")
        ) as response:
            assert response.headers["Content-Length"] == "21"
            assert response.read() == b""

    _with_endpoint(visit)


@pytest.mark.parametrize("garbage", [b"\n", b"x" * 10_000, b"GET /metrics HTTP/1.1\r\n" + b"a: b\r\n" * 5000])
def test_garbage_is_closed_and_others_are_served(garbage: bytes) -> None:
    def visit(port: int) -> None:
        with Wire(port) as wire:
            wire.sock.sendall(garbage)
            wire.sock.shutdown(1)
            while not wire.is_closed():
                pass
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as response:
            assert response.status == 200

    _with_endpoint(visit)


def test_who_says_nothing_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.2)

    def visit(port: int) -> None:
        with Wire(port) as silent:
            silent.sock.sendall(b"G")
            assert silent.is_closed()

    _with_endpoint(visit)


def test_too_many_at_once_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 60.0)
    monkeypatch.setattr(module, "AT_ONCE", 1)

    def visit(port: int) -> None:
        with Wire(port) as first, Wire(port) as second:
            first.sock.sendall(b"G")
            second.sock.sendall(b"GET /metrics HTTP/1.1\r\n\r\n")
            assert second.take(12) == b"HTTP/1.1 503"
            first.sock.sendall(b"ET /metrics HTTP/1.1\r\n\r\n")
            assert first.take(12) == b"HTTP/1.1 200"

    _with_endpoint(visit)
