"""A worker takes over sockets and lines however they were put together, and ends with its supervisor."""

import json
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict

import pytest

from sapper.net.limits import ServerLimits
from tests.network import PATIENCE, Wire, rows_of, start


@contextmanager
def _worker(*, results: bool = True) -> Iterator[tuple[socket.socket, "subprocess.Popen[str]"]]:
    orders = {
        "number": 0,
        "limits": asdict(ServerLimits()),
        "seed": 1,
        "records": True,
        "results": results,
        "log_format": "json",
        "log_level": "error",
    }
    ours, theirs = socket.socketpair()
    with ours, theirs:
        command = [sys.executable, "-m", "sapper.net.worker", str(theirs.fileno()), json.dumps(orders)]
        with subprocess.Popen(command, pass_fds=[theirs.fileno()], stdout=subprocess.PIPE, text=True) as process:
            theirs.close()
            assert _said(process) == {"ready": True}
            # Else whoever waits for what it never says waits for ever.
            watchdog = threading.Timer(2 * PATIENCE, process.kill)
            watchdog.start()
            try:
                yield ours, process
            finally:  # else a test that fails waits for a worker that nobody ends
                ours.close()
                watchdog.cancel()
            assert process.wait(PATIENCE) == 0


def _said(process: "subprocess.Popen[str]") -> object:
    assert process.stdout is not None
    return json.loads(process.stdout.readline())


def _visitors(count: int) -> tuple[list[Wire], list[socket.socket]]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        wires = [Wire(listener.getsockname()[1]) for _ in range(count)]
        return wires, [listener.accept()[0] for _ in range(count)]


def test_two_sockets_in_one_message_and_a_line_in_two() -> None:
    wires, theirs = _visitors(3)
    with _worker() as (control, process):
        socket.send_fds(control, [b"+one\n+two\n+th"], [sock.fileno() for sock in theirs])
        control.send(b"ree\n?")
        control.send(b"\n")
        for wire in wires:
            assert rows_of(wire.ask(start(4, 4, 3)))[0] == "????"
        for sock in theirs:
            sock.close()
        answer = _said(process)
        assert isinstance(answer, dict)
        assert answer["metrics"]["opened"] in {0, 1, 2, 3}
        wires[1].sock.sendall(b"\x06")
        kept = _said(process)
        assert isinstance(kept, dict)
        assert (kept["keep"], kept["game"]["status"]) == (1, "playing")
        # The mark is answered when its game is durable.
        control.send(b"=1\n")
        assert rows_of(wires[1].read())[0] == "F???"
        wires[1].sock.sendall(b"\x08")
        finished, ended, left = _said(process), _said(process), _said(process)
        assert isinstance(finished, dict)
        assert isinstance(ended, dict)
        assert finished["finished"]["status"] == ended["game"]["status"] == "terminated"
        assert left == {"left": "two"}
        for wire in wires:
            wire.sock.close()


@pytest.mark.skipif(sys.platform != "linux", reason="what a system does without a file left is its own")
def test_without_a_file_left_a_connection_is_given_back_and_the_next_line_is_read() -> None:
    wires, theirs = _visitors(3)
    with _worker(results=False) as (control, process):
        soft, hard = resource.prlimit(process.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (3, hard))
        for line, sock in zip((b"+one\n", b"+two\n"), theirs, strict=False):
            socket.send_fds(control, [line], [sock.fileno()])
            assert _said(process) == {"left": line[1:-1].decode()}
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (soft, hard))
        socket.send_fds(control, [b"+three\n"], [theirs[2].fileno()])
        assert rows_of(wires[2].ask(start(4, 4, 3)))[0] == "????"
        for sock in theirs:
            sock.close()
        assert wires[0].is_closed()
        # It has no sink for results, so each game is said once.
        wires[2].sock.sendall(b"\x06")
        started = _said(process)
        control.send(b"=1\n")
        wires[2].read()
        wires[2].sock.sendall(b"\x08")
        ended, left = _said(process), _said(process)
        assert isinstance(started, dict)
        assert isinstance(ended, dict)
        assert [said["game"]["status"] for said in (started, ended)] == ["playing", "terminated"]
        assert left == {"left": "three"}
        for wire in wires:
            wire.sock.close()


def test_sigterm_alone_ends_a_worker_in_order_and_ctrl_c_is_its_supervisor_s() -> None:
    (wire,), (theirs,) = _visitors(1)
    with _worker() as (control, process), wire, theirs:
        socket.send_fds(control, [b"+one\n"], [theirs.fileno()])
        wire.ask(start(4, 1))
        os.kill(process.pid, signal.SIGINT)
        assert rows_of(wire.ask(2))[0] == "????"
        os.kill(process.pid, signal.SIGTERM)
        assert rows_of(wire.read())[2] == "Goodbye: server shutting down."


def test_the_supervisor_need_not_listen_any_more() -> None:
    with _worker() as (_, process):
        assert process.stdout is not None
        process.stdout.close()
