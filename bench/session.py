"""Bench of sessions and settings: what they cost beside what they stand on.

    .venv/bin/python bench/session.py

The same games (Expert, played by the strategy `single`, its moves chosen beforehand) are played through bare games and through
sessions, in turns; then each is saved and loaded at its end. The ratio is the median over rounds of one run.
"""

import argparse
import platform
import sys
import time
import tracemalloc

from spread import spread

from sapper.core.move import Move
from sapper.core.preset import Preset
from sapper.core.rng import Rng
from sapper.core.rules import RULES
from sapper.game.referee import Referee
from sapper.generator.new_game import new_game, new_referee
from sapper.session.game_request import coded_game
from sapper.session.saving import load_session, save_session
from sapper.session.session import Session
from sapper.solver.strategies.registry import find_strategy


def moves_of(seed: int) -> list[Move]:
    game, strategy = new_game("expert", seed=seed), find_strategy("single")(Rng(seed))
    moves = []
    while not game.status.ended:
        moves.append(strategy.choose(game.board).move)
        game.play(moves[-1])
    return moves


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    games = [(seed, moves) for seed in range(options.games) if len(moves := moves_of(seed)) > 20]
    count = sum(len(moves) for _, moves in games)
    bare, timed, ratios, saving, loading, sizes = [], [], [], [], [], []
    for _ in range(options.rounds):
        began = time.process_time()
        for seed, moves in games:
            referee = new_referee("expert", seed=seed)
            for move in moves:
                referee.play(move)
        middle = time.process_time()
        sessions = []
        for seed, moves in games:
            referee = new_referee("expert", seed=seed)
            session = Session(referee, code=coded_game("expert", seed=seed).code, seed=seed)
            for move in moves:
                session.play(move)
            sessions.append((session, referee))
        ended = time.process_time()
        texts = [save_session(*one) for one in sessions]
        saved = time.process_time()
        for text in texts:
            load_session(text)
        loaded = time.process_time()
        bare.append((middle - began) / count)
        timed.append((ended - middle) / count)
        ratios.append((ended - middle) / (middle - began))
        saving.append((saved - ended) / len(games))
        loading.append((loaded - saved) / len(games))
        sizes.append(sum(map(len, texts)) / len(games))
    print(
        f"{platform.machine()}, Python {platform.python_version()}, {len(games)} games of {count / len(games):.0f} moves"
    )
    print(f"a move of a bare game     {spread([1e6 * one for one in bare])} us")
    print(f"a move through a session  {spread([1e6 * one for one in timed])} us   ratio {spread(ratios, 2)}")
    print(f"saving a whole game       {spread([1e3 * one for one in saving], 2)} ms   {sizes[-1] / 1024:.1f} KiB")
    print(f"loading it                {spread([1e3 * one for one in loading], 2)} ms")
    settings()
    memory()


def memory(count: int = 5_000) -> None:
    """What an input takes of memory: flags set and taken away, all over a large board."""
    coded = coded_game(Preset(name="large", rules=RULES["modern"], width=100, height=100, mine_counts=(500,)), seed=1)
    now = 0
    session = Session(Referee(rules=coded.rules, source=coded.source()), clock=lambda: now, code=coded.code)
    session.left_click(0)
    tracemalloc.start()
    for number in range(count):
        now += 1_000
        session.right_click(session.grid.size - 1 - number % (session.grid.size // 2))
    taken = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    print(f"an input in memory        {taken / count:7.0f} bytes")


def settings() -> None:
    for name in [name for name in sys.modules if name.startswith("sapper.config")]:
        del sys.modules[name]
    began = time.process_time()
    from sapper.config.configuration import load

    middle = time.process_time()
    load()
    ended = time.process_time()
    print(
        f"settings: importing {(middle - began) * 1e3:.1f} ms, reading {(ended - middle) * 1e3:.2f} ms where there is no file"
    )


if __name__ == "__main__":
    main()
