"""What runs on Windows and macOS runs where nothing of Linux's own is (`other_system/sitecustomize.py`): no fcntl, no termios, no signals of Unix."""

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any, Self

from tests.network import Wire, in_terminal, rows_of, start

FOLDER = Path(__file__).with_name("other_system")
SAPPER = (sys.executable, "-m", "sapper")

OWN = """
class Lowest:
    name = "lowest"

    def __init__(self, rng):
        pass

    def choose(self, board):
        from sapper.core.move import Move
        from sapper.solver.strategies.base import Choice

        return Choice(Move.reveal(next(iter(board.covered))), "the lowest")
"""

# The screen of `sapper play`, without a terminal: what draws on one is Textual's own, and differs by system.
SCREEN = """
import asyncio, os, sys
from pathlib import Path
os.environ["TEXTUAL_DRIVER"] = "textual.drivers.headless_driver:HeadlessDriver"
from sapper.store.repository import open_store
from sapper.tui.app import PlayApp
from sapper.tui.keeper import GameArchive
from sapper.tui.local_play import LocalPlay
from sapper.tui.look import PlayLook

archive = GameArchive(lambda: open_store(Path(sys.argv[1])), player="ann")
play = LocalPlay(archive, new_seed=lambda: 1)

async def run():
    async with PlayApp(play, PlayLook()).run_test() as pilot:
        await pilot.press("1", "space", "escape")
        await pilot.pause()

asyncio.run(run())
play.leave()
archive.close()
print(play.board.revealed_count, archive.trouble)
"""


def _environment(folder: Path) -> dict[str, str]:
    return os.environ | {
        "PYTHONPATH": str(FOLDER), "SAPPER_DATABASE": f"sqlite:///{folder / 'games.db'}", "SAPPER_CONFIG": os.devnull,
        "PYTHONUNBUFFERED": "1",
    }  # fmt: skip


def _ran(
    folder: Path, *words: str, typed: str = "", program: tuple[str, ...] = SAPPER
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*program, *words],
        input=typed,
        capture_output=True,
        text=True,
        env=_environment(folder),
        cwd=folder,
        check=False,
    )


def test_it_is_another_system(tmp_path: Path) -> None:
    for code in (
        "import termios",
        "import os; os.fork",
        "import signal; signal.SIGHUP",
        "import asyncio; asyncio.new_event_loop().add_reader(0, print)",
    ):
        assert _ran(tmp_path, "-c", code, program=(sys.executable,)).returncode == 1, code


def test_boards_games_and_strategies(tmp_path: Path) -> None:
    analysed = _ran(tmp_path, "analyse", "--json", "-", typed="3x3/1\n#1.\n11.\n...\n")
    assert json.loads(analysed.stdout)["mined"] == [[0, 0]], analysed.stderr
    bot = _ran(
        tmp_path, "bot", "--preset", "beginner", "--strategy", "least-risk", "--seed", "1", "--quiet", "--record"
    )
    assert bot.returncode == 0, bot.stderr
    (tmp_path / "lowest.py").write_text(OWN, encoding="utf-8")
    simulated = _ran(
        tmp_path,
        "simulate",
        "--preset",
        "beginner",
        "--strategy",
        "single",
        "--games",
        "40",
        "--seed",
        "1",
        "--workers",
        "2",
        "--json",
    )
    assert json.loads(simulated.stdout)["games"] == 40, simulated.stderr
    own = _ran(
        tmp_path, "simulate", "--preset", "kata", "--strategy", "lowest.py", "--games", "3", "--seed", "1", "--json"
    )
    assert json.loads(own.stdout)["games"] == 3, own.stderr


def test_a_game_line_by_line_and_on_the_screen(tmp_path: Path) -> None:
    lines = _ran(tmp_path, "play", "--lines", "--seed", "1", typed="reveal e5\nquit\n")
    assert (lines.returncode, "43 cells changed." in lines.stdout) == (0, True), lines.stderr
    resumed = _ran(tmp_path, "play", "--lines", typed="resume\nhint\nquit\n")
    assert "is safe." in resumed.stdout, resumed.stdout + resumed.stderr
    screen = _ran(tmp_path, "-c", SCREEN, str(tmp_path / "screen.db"), program=(sys.executable,))
    assert screen.stdout == "43 None\n", screen.stderr
    copied = _ran(tmp_path, "store", "backup", str(tmp_path / "copy.db"))
    assert copied.returncode == 0, copied.stderr


class _Server:
    """A server on such a system, from its first line to its end."""

    def __init__(self, folder: Path, *words: str) -> None:
        self._log = (folder / "log").open("a", encoding="utf-8")
        self.process: subprocess.Popen[str] = subprocess.Popen(
            [*SAPPER, *words], stdout=subprocess.PIPE, stderr=self._log, text=True, env=_environment(folder), cwd=folder
        )
        assert self.process.stdout is not None
        self.port = 0
        for line in self.process.stdout:
            if (found := re.search(r"127\.0\.0\.1:(\d+)", line)) is not None:
                self.port = int(found[1])
                break

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()
        self._log.close()

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)


def test_servers_and_the_client(tmp_path: Path) -> None:
    with _Server(tmp_path, "serve", "--port", "0", "--record", "--seed", "5") as server:
        with Wire(server.port) as wire:
            assert rows_of(wire.ask(start(4, 3)))[:3] == ["????"] * 3
            assert "marked 1" in wire.ask(6)
        connect = ("connect", "--port", str(server.port), "-c", "8", "-r", "6", "-l", "1")
        with in_terminal("env", f"PYTHONPATH={FOLDER}", *SAPPER, *connect) as player:
            player.wait_for("Mines 2, marked 0.")
            player.type(" ")
            player.wait_for("marked 1.")
            player.resize(60, 20)
            player.type("dx")
            assert player.end() == 0
        assert server.stop() == 0, (tmp_path / "log").read_text(encoding="utf-8")
    assert _count(tmp_path) == 2


def test_the_web_game(tmp_path: Path) -> None:
    with _Server(tmp_path, "web", "--port", "0") as server:
        url = f"http://127.0.0.1:{server.port}"
        with urllib.request.urlopen(url) as answer:
            assert answer.status == 200
        second = _ran(tmp_path, "web", "--port", "0")
        assert (second.returncode, "give this one another store with --database" in second.stderr) == (1, True), (
            second.stderr
        )
        assert server.stop() == 0, (tmp_path / "log").read_text(encoding="utf-8")
    assert not list(tmp_path.glob("games.db*lock"))


def _count(folder: Path) -> Any:
    with sqlite3.connect(folder / "games.db") as database:
        return database.execute("SELECT count(*) FROM games").fetchone()[0]
