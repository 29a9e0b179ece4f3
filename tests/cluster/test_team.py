"""Games on a cluster of real processes, which are killed in the middle of it."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import dask
import pytest
from distributed import Client
from distributed.client import ClosedClientError
from distributed.scheduler import KilledWorker

from sapper.cli.exits import ExitCode
from sapper.cli.main import main
from sapper.cluster.team import ClusterTeam, ShareOrder, local_cluster
from sapper.core.board import first_cell
from sapper.core.preset import find_preset
from sapper.errors import LayoutError, UnavailableError
from sapper.simulate.plan import Chunk, Plan
from sapper.simulate.results import RunSummary, SimulatedGame
from sapper.simulate.runner import simulate
from tests.sizes import sized

BEGINNER = find_preset("beginner")
PLAN = Plan(preset=BEGINNER, games=sized(400, 800), first=first_cell(BEGINNER.grid, BEGINNER.rules.start), seed=7)


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Dask gives up a worker that does not reach its scheduler within 30 seconds; a busy machine is no reason for that."""
    for name in ("CONNECT", "TCP"):
        monkeypatch.setenv(f"DASK_DISTRIBUTED__COMM__TIMEOUTS__{name}", "300s")
    with dask.config.set({f"distributed.comm.timeouts.{name}": "300s" for name in ("connect", "tcp")}):
        yield


@pytest.fixture
def cluster() -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    words = ["simulate", "cluster", "--workers", "2", "--port", "0"]
    process = subprocess.Popen([sys.executable, "-m", "sapper", *words], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    with process:
        yield process.stdout.readline().partition(": ")[0], process
        process.terminate()
        assert process.wait(60) in (0, -signal.SIGKILL)


def _simulate(address: str, games: list[SimulatedGame], when: int, what: "list[int]") -> RunSummary:
    """Play the plan on a cluster in Python; these processes are killed when so many games have come."""

    def note(played: SimulatedGame) -> None:
        games.append(played)
        while len(games) == when and what:
            os.kill(what.pop(), signal.SIGKILL)

    return simulate(
        PLAN,
        "single",
        native=False,
        make_team=lambda plan: ClusterTeam(address, plan, "single", native=False, move_limit=1.0),
        on_played=note,
    )


def _workers(address: str) -> list[int]:
    with Client(address, set_as_default=False) as client:  # type: ignore[no-untyped-call]
        return list(client.run(os.getpid).values())


def test_lost_workers_change_no_result_and_a_lost_cluster_is_said(
    cluster: tuple[str, "subprocess.Popen[str]"], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    address, process = cluster
    here: list[SimulatedGame] = []
    simulate(PLAN, "single", native=False, on_played=here.append)

    workers = _workers(address)
    assert len(workers) == 2
    games: list[SimulatedGame] = []
    summary = _simulate(address, games, 150, workers)  # both of them, and they are replaced
    assert games == here
    assert (summary.games, summary.backend, summary.interrupted) == (PLAN.games, "reference", False)
    assert not set(_workers(address)) & set(workers)

    # Boards of a list travel with their chunks; the command joins parts that were played here and there.
    boards = tmp_path / "boards.txt"
    assert main(["generate", "--preset", "beginner", "--count", "60", "--seed", "1", "--format", "list"]) == 0
    boards.write_text(capsys.readouterr().out)
    said = {}
    for name, words in (("here", []), ("there", ["--cluster", address])):
        simulated = f"simulate --boards {boards} --seed 1 --strategy single --backend reference --json".split()
        assert main([*simulated, *words]) == ExitCode.DONE
        found = json.loads(capsys.readouterr().out)
        said[name] = {key: found[key] for key in ("games", "won", "moves", "guesses", "boards_sha256")}
    assert said["here"] == said["there"]

    with pytest.raises(UnavailableError, match="is gone"):
        _simulate(address, [], 150, [process.pid])


class _Killed:
    """A chunk of Dask's that was given up."""

    def result(self) -> None:
        last: Any = None  # no worker that one could name
        raise KilledWorker("chunk", last, 3)


def test_a_chunk_that_cannot_be_asked_for_again_is_answered() -> None:
    class ClosedClient:
        def submit(self, *_: object, **__: object) -> None:
            raise ClosedClientError("closed")

    team = object.__new__(ClusterTeam)  # without a cluster
    team._address, team._client, team._asked, team._run = "tcp://here", ClosedClient(), {}, "run"
    team._order = ShareOrder(version="1", run="run", plan=PLAN, strategy="single", native=False, move_limit=1.0)
    chunk = Chunk(0, 10, BEGINNER.grid)
    answer: Future[list[SimulatedGame]] = Future()
    team._note(_Killed(), chunk, answer, 2)
    assert answer.done()
    with pytest.raises(UnavailableError, match="is gone"):
        answer.result(0)
    answer = team.submit(chunk)
    assert isinstance(answer.exception(0), UnavailableError)


def test_what_cannot_be_reached_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["simulate", "--preset", "beginner", "--games", "5", "--seed", "1", "--cluster"]
    assert main([*words, "tcp://127.0.0.1:1"]) == ExitCode.NO
    assert capsys.readouterr().err.startswith("sapper: no Dask scheduler answers at tcp://127.0.0.1:1")
    assert main([*words, "nonsense://x"]) == ExitCode.NO
    assert "nonsense" in capsys.readouterr().err


def test_a_part_has_its_own_games_and_boards() -> None:
    part = PLAN.part(100, 50)
    assert (part.begin, part.end, part.seed_of(100)) == (100, 150, PLAN.seed_of(100))
    assert [chunk[:2] for chunk in part.chunks(10_000, 30)] == [(100, 30), (130, 20)]
    with pytest.raises(LayoutError, match="at least one"):
        PLAN.part(0, 0)


def test_workers_run_no_code_of_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the first ones nor one that replaces a dead one."""
    for name in ("sapper", "types"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(3)\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONSAFEPATH", "")  # no text is as none; Dask leaves it set, and other tests must not have it
    with local_cluster(1, 0) as address, Client(address) as client:  # type: ignore[no-untyped-call]
        first = client.submit(os.getpid, pure=False).result(timeout=120)
        os.kill(first, signal.SIGKILL)
        assert client.submit(os.getpid, pure=False).result(timeout=120) != first
