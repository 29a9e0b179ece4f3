"""Kills writers in the middle: python -m tests.killing ADDRESS ROUNDS. Prints the keys that were acknowledged.

Each round forks a writer that records games and says each key when the store has taken it, and kills it (SIGKILL) after
some milliseconds: while it opens the store, within a transaction, between two.
"""

import os
import random
import select
import signal
import sys
import time

from sapper.store.repository import open_store
from tests.stored import stored


def write(address: str, number: int, pipe: int) -> None:
    """Record games until somebody ends this."""
    with open_store(address) as store:
        for game in range(1_000_000):
            key = f"{number}-{game}"
            store.record(stored(key, player=f"player {game}"))
            os.write(pipe, f"{key}\n".encode())


def main() -> None:
    """Write, kill, and tell."""
    address, rounds = sys.argv[1], int(sys.argv[2])
    open_store(address).close()
    rng = random.Random(5)
    for number in range(rounds):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            write(address, number, writing)
        os.close(writing)
        # Half are killed at any time, and half soon after a game was taken, so that enough are.
        if number % 2:
            select.select([reading], [], [], 60)
        time.sleep(rng.random() * 0.02)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        with os.fdopen(reading, encoding="ascii") as told:
            # A line that was cut was not said.
            sys.stdout.write("".join(line for line in told if line.endswith("\n")))


if __name__ == "__main__":
    main()
