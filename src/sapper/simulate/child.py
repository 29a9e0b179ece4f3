"""The process of a user's strategy: `python -m sapper.simulate.child`, run by `external`.

It reads pickles from its standard input: first the strategy's name; then, for each move, a pair of a seed
(for the first move of a game: a new strategy is made from it) and the board. To each it writes an
answer to its standard output, a line of JSON: `{"ready": true}`, `{"unloadable": why}`, a choice, or `{"fault": kind, "why":
text}`, the text with the file and line of the strategy's. What the strategy prints goes to standard error.
"""

import json
import math
import os
import pickle
import queue
import sys
import threading
from io import TextIOWrapper
from typing import IO, Any

from sapper.core.board import Board
from sapper.core.move import Move
from sapper.core.rng import Rng
from sapper.errors import StrategyLoadError
from sapper.simulate.strategy_names import line_of_code, load_strategy, told
from sapper.solver.strategies.base import Choice, StrategyFactory


def main() -> None:
    """Answer until the parent is gone."""
    incoming = os.fdopen(os.dup(0), "rb")
    outgoing = os.fdopen(os.dup(1), "wb")
    # Whatever the strategy reads and prints must not come between the two.
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)  # the parent may end this process at any time
    questions: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(incoming, questions), daemon=True).start()
    answers = _Answers()
    while True:
        answer = answers.to(questions.get())
        outgoing.write(json.dumps(answer).encode() + b"\n")
        outgoing.flush()


class _Answers:
    """Answers the parent's questions, one after the other."""

    def __init__(self) -> None:
        self._factory: StrategyFactory | None = None
        self._strategy: Any = None

    def to(self, question: Any) -> dict[str, Any]:
        """The answer to a question; whatever the strategy raises, `SystemExit` too, is told, and loses the game."""
        try:
            if self._factory is None:
                self._factory = load_strategy(question)
                return {"ready": True}
            seed, board = question
            if seed is not None:
                fault = self._make(self._factory, seed)
                if fault is not None:
                    return fault
            return self._choose(board)
        except StrategyLoadError as error:
            return {"unloadable": str(error)}
        except BaseException as error:  # noqa: BLE001
            return {"fault": "raised", "why": told(error)}

    def _make(self, factory: StrategyFactory, seed: int) -> dict[str, Any] | None:
        """Make the strategy of a game; what is wrong with it, or None."""
        self._strategy = None
        try:
            self._strategy = factory(Rng(seed))
        except TypeError as error:
            if not _is_ours(error):
                raise
            name = getattr(factory, "__name__", repr(factory))
            why = f"{name}(rng) raised {told(error)}: it is called with one argument, an Rng; write def __init__(self, rng)"
            return {"fault": "raised", "why": f"{why}{line_of_code(factory)}"}
        if not callable(getattr(self._strategy, "choose", None)):
            why = f"{_short(self._strategy)} has no method choose(self, board)"
            return {"fault": "nonsense", "why": f"{why}{line_of_code(factory)}"}
        return None

    def _choose(self, board: Board) -> dict[str, Any]:
        choice = self._strategy.choose(board)
        if isinstance(choice, Choice) and isinstance(choice.move, Move):
            try:
                risk = None if choice.risk is None else float(choice.risk)
            except (TypeError, ValueError, OverflowError):
                risk = math.nan
            if risk is None or 0 <= risk <= 1:
                move = choice.move
                return {"action": int(move.action), "cell": int(move.cell), "risk": risk, "reason": str(choice.reason)}
            why = f"choose returned a Choice whose risk is {_short(choice.risk)}: it is the chance of a mine, 0 to 1, or None"
            return {"fault": "nonsense", "why": f"{why}{line_of_code(self._strategy.choose)}"}
        wrong = f"a Choice whose move is {_short(choice.move)}" if isinstance(choice, Choice) else _short(choice)
        why = f"choose returned {wrong}: return a Choice, as sapper.Choice(sapper.Move.reveal(cell), 'why')"
        return {"fault": "nonsense", "why": f"{why}{line_of_code(self._strategy.choose)}"}


def _is_ours(error: BaseException) -> bool:
    """True if the call itself failed, before a line of theirs ran.

    A class that inherits from `sapper.Strategy`, a protocol, has an `__init__` of the module `typing`.
    """
    at = error.__traceback__
    if at is not None and at.tb_next is not None and at.tb_next.tb_frame.f_globals.get("__name__") == "typing":
        at = at.tb_next
    return at is not None and at.tb_next is None


def _short(thing: object) -> str:
    try:
        text = repr(thing)
    except Exception:  # noqa: BLE001  # it is theirs
        text = "something"
    return f"{text[:80]} ({type(thing).__name__})"


def _listen(pipe: IO[bytes], questions: "queue.SimpleQueue[Any]") -> None:
    """Pass on what is asked; when the parent is gone, end at once, even amid a move that never ends."""
    try:
        while True:
            questions.put(pickle.load(pipe))  # noqa: S301  # from our own parent
    except BaseException:  # noqa: BLE001  # the end of the pipe, or half a message
        os._exit(0)


if __name__ == "__main__":
    main()
