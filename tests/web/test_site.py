"""`deploy/site.py` as it is started by hand: what it says where it cannot run, and that nothing of it stays."""

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.site import HOW, answers, find_haproxy, free_port
from tests.network import PATIENCE
from tests.postgres import needed_binaries

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _haproxy() -> None:
    if find_haproxy() is None:
        if os.environ.get("CI"):
            pytest.fail(HOW)
        pytest.skip(HOW)


def _refused(*words: str) -> str:
    done = subprocess.run(
        [sys.executable, "deploy/site.py", *words],
        check=False, capture_output=True, text=True, cwd=ROOT, timeout=PATIENCE,
    )  # fmt: skip
    assert (done.returncode != 0, done.stdout) == (True, "")
    return done.stderr


def test_what_cannot_be_is_one_line() -> None:
    assert _refused("--web", "0").splitlines()[-1] == "site.py: error: argument --web: a number from 1 to 64, not '0'"
    nowhere = f"postgresql://sapper@127.0.0.1:{free_port()}/sapper"
    error = _refused("--web", "1", "--port", "0", "--database", nowhere)
    assert error.startswith(f"site: web1 did not start: sapper: {nowhere}: connection failed")
    assert error.count("\n") == 1


def test_a_port_in_use_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert _refused("--port", str(port)) == f"site: port {port} is in use: choose another with --port\n"


def test_sigterm_ends_all_of_it(tmp_path: Path) -> None:
    needed_binaries()
    port = free_port()
    with subprocess.Popen(
        [sys.executable, "deploy/site.py", "--web", "1", "--port", str(port)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT, env=os.environ | {"TMPDIR": str(tmp_path)},
    ) as site:  # fmt: skip
        assert site.stdout is not None
        said = re.fullmatch(rf"http://127.0.0.1:{port}/, web processes: 1, logs in (.+)\n", site.stdout.readline())
        assert said is not None
        webs = [int(one) for one in re.findall(r"(?m)^    server web1 127.0.0.1:(\d+)$", (Path(said[1]) / "haproxy.cfg").read_text(encoding="utf-8"))]  # fmt: skip
        assert all(map(answers, [port, *webs]))
        site.send_signal(signal.SIGTERM)
        _, error = site.communicate(timeout=PATIENCE)
    assert (site.returncode, error) == (0, "")
    assert not any(map(answers, [port, *webs]))
    assert not list(tmp_path.glob("sapper-site-*"))
