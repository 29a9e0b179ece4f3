"""Other people's strategies: in a process of their own, without a layout; a fault loses one game and no more."""

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sapper.core.cells import Cell
from sapper.core.preset import find_preset
from sapper.core.rng import Rng
from sapper.errors import StrategyLoadError
from sapper.simulate.external import Child, ExternalEngine, is_stranger
from sapper.simulate.plan import Chunk, Plan
from sapper.simulate.results import GameOutcome, SimulatedGame

CODE = '''
"""Strategies of a stranger, good and bad."""
import os
import pathlib
import subprocess
import sys
import time

from sapper.core.move import Move
from sapper.solver.strategies.base import Choice
from sapper.solver.strategies.simple import SingleStrategy


class Good(SingleStrategy):
    def choose(self, board):
        print("thinking aloud")
        return super().choose(board)


class Bad:
    """Game after game another fault: told by the first word of a file, which counts the games."""

    def __init__(self, rng):
        self.rng = rng
        log = pathlib.Path(__file__).with_name("games.txt")
        log.write_text(log.read_text() + "x")
        self.game = len(log.read_text())

    def choose(self, board):
        if self.game == 1:
            raise ValueError("no idea\\nat all")
        if self.game == 2:
            return Choice(Move.reveal(0), "revealed already")
        if self.game == 3:
            subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
            while True:
                time.sleep(0.1)
        if self.game == 4:
            os._exit(3)
        if self.game == 5:
            sys.exit("bye")
        if self.game == 6:
            return Choice(Move.terminate(), "enough")
        if self.game == 7:
            return "A1"
        if self.game == 8:
            os.write(1, b"not to be mistaken for an answer\\n")
        return Choice(Move.reveal(min(board.covered)), "the first", 0.0)


class Curious:
    """Looks for a layout in everything that its process holds."""

    def __init__(self, rng):
        self.seed = rng.seed

    def choose(self, board):
        import gc
        found = [type(one).__name__ for one in gc.get_objects() if type(one).__name__ in ("Layout", "Referee", "Game")]
        raise LookupError(f"seed {self.seed}; found {found}")


class Slow:
    def __init__(self, rng):
        time.sleep(5)


NOTHING = 3
'''


@pytest.fixture(autouse=True)
def stranger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "stranger.py").write_text(CODE, encoding="utf-8")
    (tmp_path / "games.txt").write_text("", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


@pytest.fixture
def plan() -> Plan:
    return Plan(preset=find_preset("beginner"), games=20, first=Cell(20), seed=3)


def _play(plan: Plan, strategy: str, games: int, *, limit: float = 30.0) -> Iterator[SimulatedGame]:
    engine = ExternalEngine(plan, strategy, limit)
    try:
        yield from engine.play(Chunk(0, games, plan.preset.grid))
    finally:
        engine.close()


def test_who_is_a_stranger() -> None:
    assert [is_stranger(name) for name in ("least-risk", "random", "last", "module:factory")] == [
        False,
        False,
        True,
        True,
    ]


def test_a_good_one(plan: Plan, capfd: pytest.CaptureFixture[str]) -> None:
    played = list(_play(plan, "stranger:Good", 4))
    assert {one.result for one in played} <= {GameOutcome.WON, GameOutcome.LOST}
    assert all(one.moves > 1 for one in played)
    assert [one.number for one in played] == [0, 1, 2, 3]
    out, err = capfd.readouterr()
    assert out == ""
    assert "thinking aloud" in err


def test_faults_lose_a_game_each(plan: Plan) -> None:
    played = list(_play(plan, "stranger:Bad", 9, limit=4.0))
    assert [one.fault.partition(":")[0] for one in played] == [
        "raised", "illegal", "timeout", "died", "raised", "", "nonsense", "", "",
    ]  # fmt: skip
    assert [one.result for one in played[:7]] == [GameOutcome.FAULT] * 5 + [GameOutcome.TERMINATED, GameOutcome.FAULT]
    assert re.fullmatch(r"raised: ValueError: no idea at all \(.*stranger.py, line 31\)", played[0].fault)
    assert "is revealed already" in played[1].fault
    assert played[2].fault == "timeout: no move within 4 seconds"
    assert played[3].fault == "died: its process ended (exit status 3)"
    assert re.fullmatch(r"raised: SystemExit: bye \(.*stranger.py, line 41\)", played[4].fault)
    assert re.fullmatch(
        r"nonsense: choose returned 'A1' \(str\): return a Choice, .*stranger.py, line \d+\)", played[6].fault
    )
    assert all(one.result in (GameOutcome.WON, GameOutcome.LOST) for one in played[7:])


def test_its_process_holds_no_layout_and_no_seed_of_one(plan: Plan) -> None:
    (played,) = _play(plan, "stranger:Curious", 1)
    told = played.fault
    assert told.startswith("raised: LookupError: seed ")
    assert "; found [] (" in told
    assert str(plan.strategy_rng(0).seed) not in told


def test_one_that_cannot_be_loaded(plan: Plan) -> None:
    for name, why in (
        ("stranger:NOTHING", "could not be loaded: it is not callable, but 3"),
        ("stranger:Nobody", "has no attribute 'Nobody'"),
        ("nowhere:Nobody", "No module named 'nowhere'"),
    ):
        with pytest.raises(StrategyLoadError, match=why):
            ExternalEngine(plan, name)


def test_the_limit_counts_from_the_first_move(plan: Plan) -> None:
    (played,) = _play(plan, "stranger:Slow", 1, limit=0.5)
    assert played.fault == "timeout: no move within 0.5 seconds"


def test_ending_ends_what_the_child_started(plan: Plan, stranger: Path) -> None:
    (stranger / "games.txt").write_text("xx", encoding="utf-8")
    (played,) = _play(plan, "stranger:Bad", 1, limit=3.0)
    assert played.fault.startswith("timeout")
    marks = [path for path in Path("/proc").glob("[0-9]*/environ") if _mentions(path, str(stranger))]
    deadline = time.monotonic() + 60
    while marks and time.monotonic() < deadline:
        time.sleep(0.05)
        marks = [path for path in Path("/proc").glob("[0-9]*/environ") if _mentions(path, str(stranger))]
    assert marks == []


def _mentions(path: Path, text: str) -> bool:
    if path.parent.name == str(os.getpid()):
        return False
    try:
        return f"PYTHONPATH={text}".encode() in path.read_bytes()
    except OSError:
        return False


def test_stop_ends_a_move_that_never_ends_and_is_no_fault(plan: Plan, stranger: Path) -> None:
    import threading

    (stranger / "games.txt").write_text("xx", encoding="utf-8")
    engine = ExternalEngine(plan, "stranger:Bad", 300.0)
    threading.Timer(1.0, engine.stop).start()
    assert list(engine.play(Chunk(0, 3, plan.preset.grid))) == []
    engine.close()


def test_nonsense_from_a_child_is_a_fault(plan: Plan) -> None:
    from sapper.simulate.external import LONGEST_ANSWER, ExternalStrategy
    from sapper.simulate.play import FaultError

    child = Child("stranger:Good")
    board = plan.referee(0)[0].board
    try:
        for line in (
            b"[]\n",
            b"{\n",
            b'{"action": 99, "cell": 0, "risk": 0, "reason": ""}\n',
            b'{"action": 0}\n',
            b'{"action": 0, "cell": 0, "risk": NaN, "reason": ""}\n',
            b"\xff\n",
        ):
            child._answers.put(line)
            with pytest.raises(FaultError, match="nonsense"):
                ExternalStrategy(child, Rng(1), 10).choose(board)
            child._answers.get(timeout=60)  # its own answer
        assert LONGEST_ANSWER < 1 << 20
    finally:
        child.end()
    with pytest.raises(FaultError, match="died"):
        child.ask((1, board), 5)


def test_modules_of_the_current_folder_hide_none_of_sapper_and_python(
    plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But the strategy's own file finds what lies beside it, and a module of the current folder is found by its name."""
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in ("sapper", "types", "json"):
        (folder / f"{name}.py").write_text("raise RuntimeError('not this one')\n", encoding="utf-8")
    (folder / "helper_beside.py").write_text("from stranger import Good\n", encoding="utf-8")
    code = "import helper_beside\n\nclass Mine(helper_beside.Good):\n    pass\n"
    (folder / "mine.py").write_text(code, encoding="utf-8")
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(folder)  # as `python -m sapper` has it
    for strategy in ("mine.py", "mine:Mine"):
        assert [one.fault for one in _play(plan, strategy, 2)] == ["", ""], strategy


RISKS = """
import sapper

class Risky:
    def __init__(self, rng):
        pass

    def choose(self, board):
        return sapper.Choice(sapper.Move.reveal(min(board.covered)), "a risk", {risk})
"""


@pytest.mark.parametrize("risk", ["float('nan')", "float('inf')", "-0.5", "1.5", "'high'", "10**400"])
def test_a_risk_that_is_no_chance_is_nonsense(plan: Plan, stranger: Path, risk: str) -> None:
    (stranger / "risky.py").write_text(RISKS.format(risk=risk), encoding="utf-8")
    (played,) = _play(plan, f"{stranger}/risky.py", 1)
    why = r"nonsense: choose returned a Choice whose risk is .*: it is the chance of a mine, 0 to 1, or None \(.*risky.py, line 8\)"
    assert re.fullmatch(why, played.fault)
