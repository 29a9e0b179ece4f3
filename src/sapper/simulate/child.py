"""The process of a stranger's strategy: `python -m sapper.simulate.child`, run by `strangers`.

It reads pickles from its standard input: first the strategy's name; then, for each move, a pair of a seed
(for the first move of a game: a new strategy is made from it) and the board. To each it writes an
answer to its standard output, a line of JSON. What the strategy prints goes to standard error.

Knows: questions and answers.
Does not know: layouts: none is ever sent here.
"""

import json
import os
import pickle
import queue
import threading
from typing import IO, Any

from sapper.core.rng import Rng
from sapper.errors import StrategyLoadError
from sapper.simulate.strategy_names import load_strategy
from sapper.solver.strategies.base import Strategy


def main() -> None:
    """Answer until the parent is gone."""
    incoming = os.fdopen(os.dup(0), "rb")
    outgoing = os.fdopen(os.dup(1), "wb")
    # Whatever the strategy reads and prints must not come between the two.
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    questions: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(incoming, questions), daemon=True).start()
    factory = None
    strategy: Strategy | None = None
    while True:
        question = questions.get()
        try:
            if factory is None:
                factory = load_strategy(question)
                answer: dict[str, Any] = {"ready": True}
            else:
                seed, board = question
                if seed is not None:
                    strategy = factory(Rng(seed))
                assert strategy is not None
                choice = strategy.choose(board)
                move = choice.move
                answer = {"action": int(move.action), "cell": int(move.cell), "certain": choice.risk == 0}
        except StrategyLoadError as error:
            answer = {"unloadable": str(error)}
        except BaseException as error:  # noqa: BLE001  # whatever it is, SystemExit too: it is told, and loses the game
            answer = {"raised": f"{type(error).__name__}: {error}"}
        outgoing.write(json.dumps(answer).encode() + b"\n")
        outgoing.flush()


def _listen(pipe: IO[bytes], questions: "queue.SimpleQueue[Any]") -> None:
    """Pass on what is asked; when the parent is gone, end at once, even amid a move that never ends."""
    try:
        while True:
            questions.put(pickle.load(pipe))  # noqa: S301  # from our own parent
    except BaseException:  # noqa: BLE001  # the end of the pipe, or half a message
        os._exit(0)


if __name__ == "__main__":
    main()
