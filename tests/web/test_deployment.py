"""deploy/ and compose.yaml with a real HAProxy in front of both servers; only addresses and ports are other ones.

Each client has an address of its own of 127.0.0.0/8, which is all that tells who came.
"""

import asyncio
import os
import re
import resource
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus

from deploy.site import answers, find_haproxy, free_port, proxy_configuration
from tests.network import PATIENCE, ServerProcess, Wire, served, start
from tests.web_process import WebProcess, web_process

ROOT = Path(__file__).parents[2]
COMPOSE = (ROOT / "compose.yaml").read_text(encoding="utf-8")
NAME = "play.example.org"
HOW = "HAProxy is not installed (Debian: apt-get install haproxy), so deploy/ is not tried"


def _service(name: str) -> str:
    """What compose.yaml says of a service."""
    match = re.search(rf"^  {name}:(?: &\w+)?\n((?:    .*\n|\n)+)", COMPOSE, re.MULTILINE)
    assert match is not None
    return match[1]


def _options(name: str) -> list[str]:
    """The options of a server's command in compose.yaml, with this machine's address for all of the network's."""
    match = re.search(r"command: \[sapper, \w+, ([^\]]+)\]", _service(name))
    assert match is not None
    return [{"0.0.0.0": "127.0.0.1"}.get(one, one) for one in match[1].split(", ")]


class Site:
    """Both servers behind the proxy."""

    def __init__(self, web: WebProcess, game: ServerProcess, folder: Path) -> None:
        self.web = web
        self.game = game
        self.port, self.game_port = free_port(), free_port()
        self.log = folder / "haproxy.log"
        self.configuration = folder / "haproxy.cfg"
        text = proxy_configuration([web.port], port=self.port, game=game.port, game_port=self.game_port)
        bind = f"    bind 127.0.0.1:{self.port}\n"
        assert bind in text
        self.tls_port = free_port()
        text = text.replace(
            bind, f"{bind}    bind 127.0.0.1:{self.tls_port} ssl crt {certificate(folder)} alpn h2,http/1.1\n"
        )
        self.configuration.write_text(text, encoding="utf-8")

    @contextmanager
    def running(self, program: str) -> Iterator["Site"]:
        """The proxy, with as many files as compose.yaml gives it, if this machine does."""
        nofile = re.search(r"nofile: (\d+)", _service("proxy"))
        assert nofile is not None
        limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        files = int(nofile[1]) if limit == resource.RLIM_INFINITY else min(int(nofile[1]), limit)
        words = ["sh", "-c", f'ulimit -n {files}; exec "$@"', "sh", program, "-db", "-f", str(self.configuration)]
        with self.log.open("w", encoding="utf-8") as log, subprocess.Popen(words, stdout=log, stderr=log) as process:
            try:
                until = time.monotonic() + PATIENCE
                while not answers(self.port):
                    assert process.poll() is None, self.log.read_text(encoding="utf-8")
                    assert time.monotonic() < until
                    time.sleep(0.05)
                yield self
            finally:
                process.terminate()
                process.wait(PATIENCE)

    def get(self, path: str, *, address: str = "127.0.0.2", host: str = NAME, **headers: str) -> httpx.Response:
        with httpx.Client(transport=httpx.HTTPTransport(local_address=address), timeout=PATIENCE) as client:
            return client.get(f"http://127.0.0.1:{self.port}{path}", headers={"host": host, **headers})


def certificate(folder: Path) -> Path:
    """A key and a certificate in one file, as HAProxy takes them."""
    key, made, both = folder / "key.pem", folder / "made.pem", folder / "site.pem"
    words = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "2",
    ]
    words += ["-subj", f"/CN={NAME}", "-keyout", str(key), "-out", str(made)]
    subprocess.run(words, check=True, capture_output=True, timeout=PATIENCE)
    both.write_bytes(made.read_bytes() + key.read_bytes())
    return both


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    program = find_haproxy()
    if program is None:
        if os.environ.get("CI"):
            pytest.fail(HOW)
        pytest.skip(HOW)
    folder = tmp_path_factory.mktemp("site")
    # As docs/web.md has it for others, besides what compose.yaml says.
    web_options = [*_options("web1"), "web.proxies=127.0.0.1", f"web.allowed_hosts={NAME}", "web.max_per_address=5"]
    with (
        web_process(folder, *web_options) as web,
        served(*_options("game"), "server.proxies=127.0.0.1", "server.max_per_address=1") as game,
        Site(web, game, folder).running(program) as found,
    ):
        yield found
    assert "Traceback" not in web.log


def test_the_proxy_starts_without_a_complaint(site: Site) -> None:
    assert not re.search(r"ALERT|WARNING", site.log.read_text(encoding="utf-8"))


def test_the_site_goes_by_its_name(site: Site) -> None:
    page = site.get("/")
    assert (page.status_code, "secure" in page.headers["set-cookie"].lower()) == (200, False)
    assert site.get("/", host="evil.example").status_code == 403
    assert site.get("/health").json()["status"] == "ok"


def test_over_tls_browsers_are_told_to_stay_there_and_pages_without_it_change_nothing(site: Site) -> None:
    assert "strict-transport-security" not in site.get("/").headers
    with httpx.Client(verify=False, timeout=PATIENCE, headers={"host": NAME}) as client:
        url = f"https://127.0.0.1:{site.tls_port}"
        page = client.get(url)
        assert (page.status_code, "secure" in page.headers["set-cookie"].lower()) == (200, True)
        assert page.headers["strict-transport-security"] == "max-age=31536000"
        for scheme, status in (("https", 201), ("http", 403)):
            made = client.post(f"{url}/api/games", json={}, headers={"origin": f"{scheme}://{NAME}"})
            assert made.status_code == status


def test_the_proxy_logs_no_players(site: Site) -> None:
    before = site.log.read_text(encoding="utf-8")
    for path, status in (("/", 200), ("/no-such-page", 404)):
        assert site.get(path, address="127.0.0.77").status_code == status
    with socket.create_connection(("127.0.0.1", site.port), source_address=("127.0.0.77", 0)) as one:
        one.sendall(b"nonsense\r\n\r\n")
        assert b" 400 " in one.recv(1000)
    assert site.log.read_text(encoding="utf-8") == before
    assert "127.0.0.77" not in before


def test_what_checks_the_containers_finds_them_well(site: Site) -> None:
    """The commands as they stand in Dockerfile and compose.yaml, which know an address and a port and no name."""
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    for text, written, port in ((dockerfile, "8080", site.web.port), (_service("game"), "9999", site.game.port)):
        match = re.search(r'(?:CMD|"CMD",) ?\[?"python", "-c", "(.+)"\]', text)
        assert match is not None
        assert match[1].count(written) == 1
        subprocess.run([sys.executable, "-c", match[1].replace(written, str(port))], check=True, timeout=PATIENCE)


def test_the_proxy_refuses_an_address_that_asks_without_end(site: Site) -> None:
    async def test() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", site.port, local_addr=("127.0.0.9", 0))
        heads = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
        writer.write(heads * 2_100)
        heard = b""
        async with asyncio.timeout(PATIENCE):
            while (
                b"<h1>429 Too Many Requests</h1>" not in heard[-70_000:]
            ):  # the proxy's own page, and no answer of the server
                part = await reader.read(65_536)
                assert part
                heard += part
        writer.close()

    asyncio.run(test())
    assert site.get("/health", address="127.0.0.10").status_code == 200


def test_limits_of_the_web_game_count_players_and_not_the_proxy(site: Site) -> None:
    async def test() -> None:
        async with asyncio.timeout(5 * PATIENCE):
            with ExitStack() as stack:
                client = stack.enter_context(
                    httpx.Client(transport=httpx.HTTPTransport(local_address="127.0.0.3"), timeout=PATIENCE)
                )
                base = f"http://127.0.0.1:{site.port}"
                made = client.post(f"{base}/api/games", json={}, headers={"host": NAME, "connection": "close"})
                assert made.status_code == 201
                cookie = f"sapper_player={made.cookies['sapper_player']}"

                async def open_one(address: str) -> ClientConnection:
                    headers = {"cookie": cookie, "x-forwarded-for": "192.0.2.9"}
                    return await connect(
                        f"ws://{NAME}{made.json()['socket']}", additional_headers=headers, host="127.0.0.1",
                        port=site.port, local_addr=(address, 0), compression=None, open_timeout=PATIENCE, proxy=None,
                    )  # fmt: skip

                sockets = [await open_one("127.0.0.4") for _ in range(5)]
                with pytest.raises(InvalidStatus) as refused:
                    await open_one("127.0.0.4")
                assert refused.value.response.status_code == 503
                sockets.append(await open_one("127.0.0.5"))
                await sockets[-1].send('{"do":"ping","id":1}')
                heard = [await sockets[-1].recv() for _ in range(2)]
                assert any('"pong"' in str(one) for one in heard)
                for one in sockets:
                    await one.close()

    asyncio.run(test())


def test_limits_of_the_game_server_count_players_and_not_the_proxy(site: Site) -> None:
    with Wire(site.game_port) as one:
        assert "Sorry" not in one.ask(start(20, 10))
        with Wire(site.game_port) as other:
            assert "1 connection at once from one address" in other.read()
        with Wire(site.game_port, address="127.0.0.7") as third:
            assert "Sorry" not in third.ask(start(20, 10))
