"""`sapper web` as its operator sees it: options, the lines that say why it cannot serve, the order in which it ends."""

import os
import signal
import socket
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from sapper.cli.exits import ExitCode
from sapper.cli.main import main
from sapper.config.configuration import load
from sapper.store.repository import open_store
from sapper.web.http.identity import FILE
from sapper.web.http.limits import WebLimits
from tests.missing import run_without
from tests.web_process import settings_among, web_process


def _database(tmp_path: Path) -> list[str]:
    return ["--database", str(tmp_path / "web.db")]


def test_a_port_that_is_taken_is_one_line(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["web", "--port", str(port), *_database(tmp_path)]) == ExitCode.NO
    out, err = capfd.readouterr()
    assert out == ""
    assert err == (
        f"sapper: cannot serve on 127.0.0.1:{port}: the port is taken (another server is running; --port chooses another)\n"
    )


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--port", "70000"], "Invalid value for '--port'"),
        (["web.max_cells=0"], "web.max_cells is a whole number from 1 to 1000000, not 0"),
        (["web.max_address_rate=nan"], "web.max_address_rate is a number from 1 on"),
        (["log.format=xml"], "log.format is one of logfmt, json"),
        (["web.proxies=nope"], "'nope' is neither an address nor a network: write 192.0.2.7 or 10.0.0.0/8"),
        (
            ["web.allowed_hosts=play.example.org:443"],
            "'play.example.org:443' is not a name: write it without scheme, port",
        ),
        (
            ["web.allowed_origins=nope"],
            "'nope' is not an origin: write scheme://host or scheme://host:port, such as https://",
        ),
    ],
)
def test_wrong_values_are_one_line(
    words: list[str], line: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    words, settings = settings_among(words)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    assert main(["web", *words, *_database(tmp_path)]) == ExitCode.USAGE
    err = capsys.readouterr().err
    assert line in err
    assert err.count("\n") == 1


def test_a_store_that_another_server_has_is_said_with_what_can_be_done(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with open_store(tmp_path / "web.db") as store, store.hold("web", "sapper web"):
        assert main(["web", "--port", "0", *_database(tmp_path)]) == ExitCode.NO
    err = capfd.readouterr().err
    assert "sapper web already uses this store" in err
    assert err.endswith("; stop that server, or give this one another store with --database\n")


def test_a_store_that_cannot_be_opened_is_one_line(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "web.db"
    path.write_text("this is a diary, and no store", encoding="utf-8")
    assert main(["web", *_database(tmp_path)]) == ExitCode.USAGE
    out, err = capfd.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert str(path) in err
    assert path.read_text(encoding="utf-8") == "this is a diary, and no store"


def test_a_secret_that_is_none_is_one_line(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:  # fmt: skip
    monkeypatch.setenv("SAPPER_WEB_SECRET", "too short")
    assert main(["web", "--port", "0", *_database(tmp_path)]) == ExitCode.USAGE
    assert "web.secret has at least 16 characters" in capfd.readouterr().err
    monkeypatch.delenv("SAPPER_WEB_SECRET")
    (tmp_path / FILE).write_text("x" * 40, encoding="ascii")
    (tmp_path / FILE).chmod(0o644)
    assert main(["web", "--port", "0", *_database(tmp_path)]) == ExitCode.USAGE
    assert "others may read this secret" in capfd.readouterr().err


def test_without_the_extra_it_says_which_one(tmp_path: Path) -> None:
    done = run_without("uvicorn", ["web", *_database(tmp_path)], tmp_path)
    assert (done.returncode, done.stdout) == (ExitCode.USAGE, "")
    assert done.stderr == "sapper: uvicorn is not installed: pip install '.[web]' in the clone of sapper\n"


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, ExitCode.DONE), (signal.SIGINT, ExitCode.NO)])
def test_it_ends_in_order(number: signal.Signals, code: ExitCode, tmp_path: Path) -> None:
    with web_process(tmp_path, "log.format=json", real=True) as server:
        with urllib.request.urlopen(server.url) as answer:
            assert answer.status == 200
        assert server.stop(number) == code
    assert [word in server.log for word in ('"serving"', '"shutting down"', '"ended"', "Traceback")] == [True] * 3 + [False]  # fmt: skip
    assert (tmp_path / FILE).stat().st_mode & 0o077 == 0


def test_options_reach_the_server(tmp_path: Path) -> None:
    with web_process(tmp_path, "web.max_cells=81", "web.allowed_hosts=play.example", "log.level=warning") as server:
        address = f"http://127.0.0.1:{server.port}/api/presets"
        request = urllib.request.Request(address, headers={"Host": "play.example:80"})
        with urllib.request.urlopen(request) as answer:
            assert b'"cells":81' in answer.read()
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(address)
    assert server.log == ""


def test_the_defaults_are_the_limits_own() -> None:
    assert WebLimits.of(load({"SAPPER_CONFIG": os.devnull})) == WebLimits()
    small = load({"SAPPER_CONFIG": os.devnull}, options={"web.max_address_rate": 100.0})
    limits = WebLimits.of(small)
    assert (limits.requests.per_second, limits.address_messages.per_second, limits.new_games.per_second) == (
        100,
        1000,
        10,
    )
