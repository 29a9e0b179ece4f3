"""Several processes on one port: shared limits, results in one place, a worker that dies."""

import asyncio
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sapper.net import supervisor as module
from sapper.net.limits import ServerLimits
from sapper.net.metrics import Metrics
from sapper.net.results import GameResult
from sapper.net.settings import ServerSettings
from sapper.net.supervisor import Supervisor, WorkerError
from sapper.server.rate_limits import ConnectionLimiter
from tests.net.test_serving import _metrics, _serve_in_process
from tests.network import PATIENCE, Wire, rows_of, served, start


def test_players_are_shared_out_and_the_limits_are_common() -> None:
    with served("--workers", "2", "--max-connections", "6", "--metrics-port", "0", "--log-level", "debug") as server:
        wires = [Wire(server.port) for _ in range(6)]
        for wire in wires:
            assert rows_of(wire.ask(start(5, 5, 2)))[0] == "?????"  # six mines: one mark is no win
            wire.ask(6)  # a mark: only a game that was touched counts
        with Wire(server.port) as late:
            assert rows_of(late.read())[2].startswith("Sorry: this server is full; it lets in ")
        # A worker that is too busy to answer at once is counted as it was.
        until = time.monotonic() + PATIENCE
        while (samples := _metrics(server))["sapper_games_playing"] != 6:
            assert time.monotonic() < until, samples
        assert samples["sapper_connections"] == 6
        assert samples["sapper_connections_refused_total{the server is full}"] == 1
        wires[0].sock.sendall(b"\x08")
        assert wires[0].is_closed()
        server.wait_for("reason=quit")
        # Its place is free once the worker has said so.
        while True:
            with Wire(server.port) as again:
                again.sock.sendall(start(3, 1))
                if rows_of(again.read())[0] == "???":
                    break
        for wire in wires:
            wire.sock.close()


def test_a_worker_that_dies_is_replaced_and_the_other_plays_on() -> None:
    with served("--workers", "2", "--max-connections", "2") as server:
        pids = [int(match[1]) for match in server.wait_for(r'event="worker ready".* pid=(\d+)', 2)]
        with Wire(server.port) as one, Wire(server.port) as other:
            one.ask(start(5, 2))
            other.ask(start(5, 2))
            os.kill(pids[0], signal.SIGKILL)
            server.wait_for('event="worker died" worker=[01] code=-9')
            server.wait_for('event="worker ready"', 3)
            closed, playing = (one, other) if _is_gone(one) else (other, one)
            assert rows_of(playing.ask(2))[0] == "?????"
            assert closed.is_closed()
            # The places of its players are free again.
            with Wire(server.port) as new:
                assert rows_of(new.ask(start(3, 1)))[0] == "???"


def _is_gone(wire: Wire) -> bool:
    wire.sock.settimeout(0.5)
    try:
        return wire.is_closed()
    except TimeoutError:
        return False
    finally:
        wire.sock.settimeout(PATIENCE)


def test_results_of_all_workers_come_to_one_place() -> None:
    results: list[GameResult] = []
    settings = ServerSettings(
        port=0, workers=2, seed=3, on_finished=results.append, limits=ServerLimits(connections=10)
    )

    def visit(port: int) -> None:
        wires = [Wire(port) for _ in range(4)]
        for wire in wires:
            wire.ask(start(4, 4))
            wire.ask(6)
        wires[0].ask(start(1, 1))
        assert "YOU WON" in wires[0].ask(6)
        for wire in wires:
            wire.sock.close()

    _serve_in_process(settings, visit)
    assert sorted(result.status.value for result in results) == ["terminated"] * 4 + ["won"]


def test_statistics_that_fail_do_not_end_the_server() -> None:
    def fail(result: GameResult) -> None:
        raise ZeroDivisionError

    def visit(port: int) -> None:
        with Wire(port) as wire:
            wire.ask(start(1, 1))
            assert "YOU WON" in wire.ask(6)
            assert "YOU WON" in wire.ask(6)

    _serve_in_process(ServerSettings(port=0, workers=2, on_finished=fail), visit)


def _supervised(test: Callable[[Supervisor, ConnectionLimiter], object], **changes: object) -> None:
    async def main() -> None:
        gate = ConnectionLimiter(connections=10, per_address=0)
        supervisor = Supervisor(ServerSettings(workers=1, **changes), gate)  # type: ignore[arg-type]
        await test(supervisor, gate)  # type: ignore[misc]

    asyncio.run(main())


def test_workers_run_no_code_of_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("sapper", "types"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(3)\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    async def test(supervisor: Supervisor, gate: ConnectionLimiter) -> None:
        await supervisor.start()  # an error if none gets ready
        await supervisor.shut_down()

    _supervised(test)


def test_workers_that_do_not_start_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "START_TIME", 0.5)
    monkeypatch.setattr(sys, "executable", "/nonexistent/python")

    async def test(supervisor: Supervisor, gate: ConnectionLimiter) -> None:
        with pytest.raises(WorkerError, match="the workers do not start"):
            await supervisor.start()

    _supervised(test)


def test_a_worker_that_does_not_end_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "END_TIME", 0.2)

    async def test(supervisor: Supervisor, gate: ConnectionLimiter) -> None:
        await supervisor.start()
        process = supervisor._workers[0].process
        assert process is not None
        with _admitted(supervisor, gate):
            await _collected(supervisor, lambda total: total.opened == 1)
            process.send_signal(signal.SIGSTOP)
            total = Metrics()
            monkeypatch.setattr(module, "ANSWER_TIME", 0.1)
            await supervisor.collect(total)  # a worker that says nothing is not waited for
            assert total.opened == 1
            await supervisor.shut_down()
        assert process.returncode == -signal.SIGKILL

    _supervised(test)


@contextmanager
def _admitted(supervisor: Supervisor, gate: ConnectionLimiter) -> Iterator[socket.socket]:
    ours, theirs = socket.socketpair()
    with ours:
        gate.enter("a")
        supervisor.admit(theirs, "a")
        yield ours


async def _collected(supervisor: Supervisor, condition: Callable[[Metrics], bool]) -> Metrics:
    async with asyncio.timeout(PATIENCE):
        while True:
            total = Metrics()
            await supervisor.collect(total)
            if condition(total):
                return total
            await asyncio.sleep(0.01)


async def _until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)


def test_a_worker_that_says_nonsense_is_replaced_and_no_count_falls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PAUSE", 0.01)
    monkeypatch.setattr(module, "END_TIME", PATIENCE)  # a busy machine is no worker that hangs

    async def test(supervisor: Supervisor, gate: ConnectionLimiter) -> None:
        await supervisor.start()
        (worker,) = supervisor._workers
        with _admitted(supervisor, gate):
            assert (worker.load, worker.addresses) == (1, {"a": 1})
        await _until(lambda: not worker.load)
        assert not worker.addresses.keys()  # who has gone is not remembered
        assert gate.count == 0
        # No line, more than the pipe's buffers hold, so that it is not read on by itself; and a line that is no JSON.
        for died, nonsense in enumerate((b"x" * 3 * module.LONGEST_LINE, b"a stray line\n"), start=1):
            process = worker.process
            assert process is not None
            assert process.stdout is not None
            with _admitted(supervisor, gate) as player:
                player.sendall(start(4, 4, 3) + b"\x06")  # a mark: only a game that was touched counts
                await _collected(supervisor, lambda total: total.playing == 1)
                process.stdout.feed_data(nonsense)
                await _until(lambda process=process: worker.process is not process and worker.ready.is_set())  # type: ignore[misc]
            assert process.returncode == -signal.SIGKILL
            assert (gate.count, worker.load, worker.addresses) == (0, 0, {})
            total = await _collected(supervisor, lambda total: total.playing == 0)
            assert total.opened == total.closed.total() == 1 + died
            assert (total.closed["worker died"], total.finished["terminated"]) == (died, died)
        supervisor._hear(worker, {"left": "nobody"})
        assert gate.count == 0
        await supervisor.shut_down()
        assert worker.process is not None
        assert worker.process.returncode == 0

    _supervised(test)


def test_without_a_worker_nobody_is_kept_waiting() -> None:
    async def test(supervisor: Supervisor, gate: ConnectionLimiter) -> None:
        ours, theirs = socket.socketpair()
        gate.enter("a")
        supervisor.admit(theirs, "a")
        assert ours.recv(1) == b""
        ours.close()
        assert gate.count == 0

    _supervised(test)
