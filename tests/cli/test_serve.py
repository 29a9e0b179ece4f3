"""`sapper serve` and `run_server.sh`: options, and the line that says why it cannot serve."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from sapper.cli.exits import ExitCode
from sapper.cli.main import main
from sapper.cli.serve import ServerRecorder, host_names, metrics_address, origins, proxies, web_proxies
from sapper.config.configuration import Configuration, load
from sapper.config.setting import Value
from sapper.errors import ConfigError, StoreError
from sapper.server import logging as server_logging
from sapper.store.late_store import LateStore
from sapper.store.models import Category
from sapper.store.repository import Store, open_store
from tests.network import Wire, rows_of, served, start
from tests.web_process import settings_among

ROOT = Path(__file__).parents[2]


def test_a_port_that_is_taken_is_one_line(capfd: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == ExitCode.NO
        out, err = capfd.readouterr()
        assert out == ""
        assert err == (
            f"sapper: cannot serve on 127.0.0.1:{port}: the port is taken "
            "(another server is running; --port chooses another)\n"
        )


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--port", "70000"], "Invalid value for '--port'"),
        (["server.metrics=9998"], "server.metrics: write HOST:PORT, such as 127.0.0.1:9998 ([::1]:9998), not '9998'"),
        (["server.idle_timeout=0"], "server.idle_timeout is a number from 1 on, not 0"),
        (["log.format=xml"], "log.format is one of logfmt, json"),
    ],
)
def test_wrong_values_are_one_line(
    words: list[str], line: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words, settings = settings_among(words)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    assert main(["serve", *words]) == ExitCode.USAGE
    err = capsys.readouterr().err
    assert line in err
    assert err.count("\n") == 1


def test_the_options_reach_the_server() -> None:
    options = ("server.max_connections=2", "log.level=debug")
    with served("--host", "127.0.0.1", *options) as server, Wire(server.port) as wire:
        assert rows_of(wire.ask(start(3, 1)))[0] == "???"
        server.wait_for("level=debug .*opened")


def test_the_script_starts_the_server() -> None:
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        [ROOT / "run_server.sh", "--help"], capture_output=True, text=True, check=False, env=environment
    )
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "Usage: sapper serve [OPTIONS]")


def test_a_servers_games_are_recorded(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    for _ in range(2):
        with served("--database", str(path), "--seed", "1") as server:
            with Wire(server.port) as wire:
                wire.ask(start(9, 9, 1))
                wire.ask(6)  # a mark
                wire.ask(start(5, 5, 1))  # which nobody touches
                wire.ask(start(6, 6, 1))
                wire.ask(6)
                wire.sock.sendall(bytes([8]))  # QUIT
            with Wire(server.port) as wire:
                wire.ask(start(4, 4, 3))
                wire.ask(6)
                wire.ask(10)  # debug
    with open_store(path) as store:
        games = list(store.games())
    assert sorted((game.kind.width, game.category, game.result.value) for game in games) == sorted(
        [(9, Category.PLAIN, "terminated"), (6, Category.PLAIN, "terminated"), (4, Category.DEBUGGED, "terminated")] * 2
    )  # fmt: skip
    assert {(game.face, game.player, game.strategy) for game in games} == {("server", None, None)}


def test_a_store_nobody_named_does_not_keep_a_server_from_serving(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.delenv("SAPPER_DATABASE")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / "data").write_text("no folder", encoding="utf-8")
    heard: list[tuple[str, dict[str, object]]] = []
    monkeypatch.setattr(server_logging, "log", lambda _level, text, **values: heard.append((text, values)))
    recorder = ServerRecorder(None)
    recorder.close()
    assert [text for text, _ in heard] == ["games wait to be recorded"]
    assert "cannot be read: Not a directory" in str(heard[0][1]["reason"])


def test_a_server_whose_store_is_moved_away_ends_with_an_error(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with served("--database", str(path)) as server:
        path.rename(tmp_path / "moved.db")
        with Wire(server.port) as wire:
            wire.ask(start(9, 9, 1))
            wire.ask(6)
        assert server.stop() == 1
        server.wait_for("moved away or replaced while this server used it")


def test_what_is_not_installed_is_said() -> None:
    def missing() -> Store:
        raise ModuleNotFoundError("No module named 'sqlalchemy'", name="sqlalchemy")

    with pytest.raises(
        StoreError, match=r"sqlalchemy is not installed: pip install '\.\[store\]' in the clone of sapper"
    ):
        LateStore(missing).apply(())


def test_a_first_start_makes_the_store_that_nobody_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("SAPPER_DATABASE", raising=False)
    with served("--record") as server, Wire(server.port) as one:
        one.ask(start(20, 10))
        one.ask(6)
        assert server.stop() == 0
    assert not [line for line in server.log if "level=warning" in line]
    with open_store(tmp_path / "sapper" / "sapper.db") as store:
        assert len(list(store.games())) == 1


def _with(**settings: Value) -> Configuration:
    return load(
        {"SAPPER_CONFIG": "/dev/null"}, options={key.replace("_", ".", 1): value for key, value in settings.items()}
    )


def test_proxies() -> None:
    assert proxies(_with(server_proxies=("127.0.0.1", "none", "2001:db8::/32")), "server.proxies") == (
        "127.0.0.1",
        "2001:db8::/32",
    )
    for wrong in ("nope", "10.0.0.0/33", "1.2.3.4:80", "*"):
        with pytest.raises(ConfigError, match="neither an address nor a network"):
            proxies(_with(server_proxies=("127.0.0.1", wrong)), "server.proxies")
    # The web server's proxies are looked for as they are written, so a network is written as one.
    assert web_proxies(_with(web_proxies=("10.1.2.3/8",))) == ("10.0.0.0/8",)
    assert web_proxies(_with(web_proxies=("*",))) == ("*",)
    assert web_proxies(_with(web_proxies=("none",))) == ("none",)


def test_origins() -> None:
    right = ("auto", "https://example.org", "HTTP://a-b.example:8080/", "http://[::1]:80", "moz-extension://0a-1b")
    assert origins(_with(web_allowed_origins=right)) == right
    for wrong in (
        "*", "null", "nope", "example.org:80", "https://", "https://a/b", "https://a@b", "https://a:b", "//a", "https://*.a",
    ):  # fmt: skip
        with pytest.raises(ConfigError, match="is not an origin"):
            origins(_with(web_allowed_origins=("https://example.org", wrong)))


def test_host_names() -> None:
    """A name with a port would be no request's name, and every page an error."""
    right = ("auto", "*", "Play.example.org", "10.0.0.1", "a_b", "xn--bcher-kva.example", "[::1]")
    assert host_names(_with(web_allowed_hosts=right)) == right
    for wrong in ("a:80", "https://a", "a/b", "a b", "*.a", "::1", "bücher.example"):
        with pytest.raises(ConfigError, match="is not a name"):
            host_names(_with(web_allowed_hosts=("a", wrong)))


def test_the_address_of_metrics() -> None:
    assert metrics_address(_with(server_metrics=""), "server.metrics") is None
    assert metrics_address(_with(server_metrics="[::1]:0"), "server.metrics") == ("::1", 0)
    for wrong in ("9998", "host:", ":9998", "host:65536", "host:1x"):
        with pytest.raises(ConfigError, match="write HOST:PORT"):
            metrics_address(_with(server_metrics=wrong), "server.metrics")
