"""Other people's strategies, each in a process of its own that never holds a layout.

The parent keeps the game. The child is sent boards, and answers moves. It has a limit of time a move:
one that raises, answers nonsense or an illegal move, or hangs loses that game and no other: the child is
ended, with whatever it started, and the next game gets a new one.

This guards against mistakes and peeking, not against malice: the child runs with the user's own rights.
What is sent is pickled, what comes back is JSON, so that nothing of the child's is ever run here; and the
seed it gets is a hash, from which the seed of the layout can't be computed back.
"""

import contextlib
import hashlib
import json
import os
import pickle
import queue
import signal
import subprocess
import threading
from collections.abc import Iterator
from typing import IO, Any

from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.move import Action, Move
from sapper.core.rng import Rng
from sapper.errors import StrategyLoadError
from sapper.server.worker_process import python_command, python_path
from sapper.simulate.plan import Chunk, Plan
from sapper.simulate.play import FaultError, play_game
from sapper.simulate.results import SimulatedGame
from sapper.solver.strategies.base import Choice
from sapper.solver.strategies.registry import own_strategy

START_LIMIT = 60.0
"""Seconds that loading the strategy may take: it may import something large."""
DEFAULT_MOVE_LIMIT = 10.0
LONGEST_ANSWER = 65_536
"""Bytes of an answer; a move takes fewer than a hundred."""
_SHORT = 500  # characters of a fault's text


def is_stranger(strategy: str) -> bool:
    """True for a strategy that is not sapper's own: an entry point, `module:factory` or a file."""
    return own_strategy(strategy) is None


class ExternalEngine:
    """Plays games with a stranger's strategy, in one child after another."""

    def __init__(self, plan: Plan, strategy: str, move_limit: float = DEFAULT_MOVE_LIMIT) -> None:
        """Starts the first child; `StrategyLoadError` if the strategy cannot be loaded."""
        self._plan = plan
        self._strategy = strategy
        self._limit = move_limit
        self._stopped = threading.Event()
        self._child: Child | None = Child(strategy)

    def play(self, chunk: Chunk) -> Iterator[SimulatedGame]:
        for index in range(chunk.begin, chunk.begin + chunk.games):
            if self._stopped.is_set():
                return
            played = self._play(index)
            if self._stopped.is_set() and played.fault:
                return  # the child was ended in the middle of the game: that is no fault of its
            yield played

    def _play(self, index: int) -> SimulatedGame:
        plan = self._plan
        referee, first = plan.referee(index)
        if self._child is None:
            self._child = Child(self._strategy)
        strategy = ExternalStrategy(self._child, plan.strategy_rng(index), self._limit)
        name = self._strategy if plan.with_records else None
        played = play_game(
            index, plan.seed_of(index), referee, first, strategy, with_bbbv=plan.with_bbbv, recorded_as=name
        )
        if played.fault:
            self.close()
        return played

    def stop(self) -> None:
        self._stopped.set()
        child = self._child
        if child is not None:
            child.end()

    def close(self) -> None:
        if self._child is not None:
            self._child.end()
        self._child = None


def _hidden_seed(seed: int) -> int:
    """A seed that tells nothing of the one it is made from."""
    return int.from_bytes(hashlib.sha256(b"sapper strategy %d" % seed).digest()[:8], "big")


class ExternalStrategy:
    """A strategy of one game that thinks in a child: a `Strategy` like any other, whose faults are `FaultError`s."""

    def __init__(self, child: "Child", rng: Rng, limit: float = DEFAULT_MOVE_LIMIT) -> None:
        """`rng` is the game's; the child gets another that tells nothing of it. `limit` is in seconds a move."""
        self._child = child
        self.name = child.strategy
        """The name that the user gave."""
        self._seed: int | None = _hidden_seed(rng.seed)
        self._limit = limit

    def choose(self, board: Board) -> Choice:
        answer = self._child.ask((self._seed, board), self._limit)
        self._seed = None  # it was the first question of a new game
        match answer:
            case {"fault": str(kind), "why": str(why)}:
                raise FaultError(kind, " ".join(why.split())[:_SHORT])
            case {
                "action": int(action),
                "cell": int(cell),
                "risk": float() | int() | None as risk,
                "reason": str(reason),
            } if 0 <= action < len(Action) and (risk is None or 0 <= risk <= 1):
                return Choice(Move(Action(action), Cell(cell)), reason[:_SHORT], risk)
            case _:
                raise FaultError("nonsense", f"answered {str(answer)[:_SHORT]}")


class Child:
    """A process with a stranger's strategy in it."""

    def __init__(self, strategy: str) -> None:
        """Starts it; `StrategyLoadError` if the strategy cannot be loaded."""
        self.strategy = strategy
        self._process = subprocess.Popen(  # noqa: S603  # our own interpreter and module
            [*python_command(), "-m", "sapper.simulate.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": python_path(with_current_folder=True)},
            start_new_session=True,  # Ctrl-C is for the parent, and what the child starts ends with it
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._to: IO[bytes] = self._process.stdin
        self._answers: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        threading.Thread(target=_listen, args=(self._process.stdout, self._answers), daemon=True).start()
        try:
            answer = self.ask(strategy, START_LIMIT)
        except FaultError as error:
            self.end()
            raise StrategyLoadError(f"strategy {strategy!r} could not be started: {error.why}") from None
        if answer != {"ready": True}:
            self.end()
            why = f"strategy {strategy!r} could not be loaded: {answer.get('why', answer)}"
            raise StrategyLoadError(answer.get("unloadable", why))

    def ask(self, question: object, limit: float) -> dict[str, Any]:
        """Send something and wait for the answer, at most `limit` seconds; `FaultError` if none comes."""
        try:
            pickle.dump(question, self._to, protocol=pickle.HIGHEST_PROTOCOL)
            self._to.flush()
            line = self._answers.get(timeout=limit)
        except queue.Empty:
            raise FaultError("timeout", f"no move within {limit:g} seconds") from None
        except (OSError, ValueError):  # it closed the pipe, or we have ended it
            line = None
        if line is None:
            raise FaultError("died", f"its process ended (exit status {self._exit_status()})")
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise FaultError("nonsense", f"answered {line[:_SHORT]!r}")
        return answer

    def _exit_status(self) -> int | None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._process.wait(timeout=1)
        return None

    def end(self) -> None:
        """End the process and all it has started; it may be ended already."""
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()
        with contextlib.suppress(OSError, ValueError):
            self._to.close()


def _listen(pipe: IO[bytes], answers: "queue.SimpleQueue[bytes | None]") -> None:
    """Pass on each line; None at the end, or once a line is longer than any answer."""
    with pipe, contextlib.suppress(OSError, ValueError):
        while line := pipe.readline(LONGEST_ANSWER):
            answers.put(line)
            if not line.endswith(b"\n"):
                break
    answers.put(None)
