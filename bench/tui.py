"""Bench of the terminal game: from the start to the menu, and from a key to its repaint.

    .venv/bin/python bench/tui.py

The start is that of `sapper play` in a pseudo-terminal: from the start of the process until the menu is on the screen; Python alone, and
Textual alone (an application that shows one word), are measured beside it, in turns. Medians of one run.

A move is a key that reveals a cell, in a terminal of 200x60 and without one (Textual's headless driver): the time from the key to the
end of the repaint that follows it, the bytes of the screen included. The first reveal opens the most cells; the others follow the solver.
"""

import argparse
import asyncio
import fcntl
import os
import platform
import pty
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

from sapper.core.move import Action
from sapper.core.rng import Rng
from sapper.solver.strategies.registry import find_strategy
from sapper.tui.app import PlayApp
from sapper.tui.board_view import BoardView
from sapper.tui.keeper import GameArchive
from sapper.tui.local_play import LocalPlay, wanted_game
from sapper.tui.look import PlayLook

BARE = """
from textual.app import App
from textual.widgets import Static
class Bare(App):
    def compose(self):
        yield Static("9 x 9")
Bare().run()
"""


def start_time(command: list[str], database: Path) -> tuple[float, float]:
    """Seconds from the start of a program until `9 x 9` is on its screen, and the processor's seconds that it took."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    environment = os.environ | {"TERM": "xterm-256color", "SAPPER_DATABASE": str(database), "SAPPER_CONFIG": os.devnull}
    began = time.perf_counter()
    process = subprocess.Popen(
        command, stdin=slave, stdout=slave, stderr=slave, start_new_session=True, env=environment
    )
    os.close(slave)
    written = b""
    while b"9 x 9" not in written:
        written += os.read(master, 65536)
    took = time.perf_counter() - began
    process.kill()
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    os.close(master)
    return took, usage.ru_utime + usage.ru_stime


async def move_times(size: tuple[int, int], mines: int, moves: int) -> list[tuple[float, float]]:
    """Seconds of each move of a game, and the processor's seconds."""
    archive = GameArchive(None, player="bench")
    play = LocalPlay(archive, draw_seed=lambda: 7)
    play.wanted = wanted_game(size=size, mines=mines)
    times: list[tuple[float, float]] = []
    app = PlayApp(play, PlayLook(), begins=True)
    async with app.run_test(size=(200, 60)) as pilot:
        await pilot.pause()
        view = app.screen.query_one(BoardView)
        strategy = find_strategy("single")(Rng(1))
        painted = asyncio.Event()
        display = app._display  # noqa: SLF001

        def displayed(screen, renderable) -> None:  # type: ignore[no-untyped-def]
            display(screen, renderable)
            painted.set()

        app._display = displayed  # type: ignore[method-assign]  # noqa: SLF001
        while len(times) < moves and not play.game.status.ended:
            move = strategy.choose(play.game.session.board).move
            view.move_to(move.cell)
            await pilot.pause()
            painted.clear()
            began, worked = time.perf_counter(), time.process_time()
            if move.action is Action.REVEAL:
                app.screen.act("reveal")  # type: ignore[attr-defined]
            else:
                app.screen.act("flag")  # type: ignore[attr-defined]
            await painted.wait()
            times.append((time.perf_counter() - began, time.process_time() - worked))
        app._display = display  # type: ignore[method-assign]  # noqa: SLF001
    archive.close()
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--starts", type=int, default=7)
    parser.add_argument("--moves", type=int, default=60)
    options = parser.parse_args()
    print(f"{platform.machine()}, Python {platform.python_version()}")
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "games.db"
        sapper = [str(Path(sys.executable).with_name("sapper")), "play"]
        start_time(sapper, database)
        ours, bare = [], []
        for _ in range(options.starts):
            ours.append(start_time(sapper, database))
            bare.append(start_time([sys.executable, "-c", BARE], database))
    print(f"from start to menu     {_both(ours)}; an empty Textual application {_both(bare)}")
    for size, mines in (((30, 16), 99), ((100, 100), 1500)):
        times = asyncio.run(move_times(size, mines, options.moves))
        print(
            f"a move on {size[0]}x{size[1]:<8}   {_both(times)}; first {_both(times[:1])}, slowest {_both([max(times)])}, {len(times)} moves"
        )


def _both(times: list[tuple[float, float]]) -> str:
    """The medians in milliseconds."""
    wall, work = (statistics.median(one) * 1e3 for one in zip(*times, strict=True))
    return f"{wall:.1f} ms ({work:.1f} of the processor's)"


if __name__ == "__main__":
    main()
