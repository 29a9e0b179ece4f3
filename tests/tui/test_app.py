"""The terminal game in a real pseudo-terminal: start, resize, signals, crash; the terminal as it was, and the game gone on with."""

import fcntl
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sapper.store.repository import open_store
from tests.network import _WITH_TERMINAL, PATIENCE, TerminalProcess, in_terminal

SAPPER = str(Path(sys.executable).with_name("sapper"))

# The game as `sapper play` starts it, with a key that is a mistake of ours.
CRASHING = """
import sys
from sapper.cli.main import main
from sapper.tui.game_screen import GameScreen

def fail(self):
    raise ZeroDivisionError("a mistake")

GameScreen._help = fail
sys.exit(main(sys.argv[1:]))
"""


def _playing(database: Path, *options: str, program: tuple[str, ...] = (SAPPER,), **how: Any) -> Any:
    return in_terminal(*program, "play", "--database", str(database), "--player", "ann", *options, **how)


def _sees(terminal: TerminalProcess, *words: str) -> None:
    terminal.wait_until(lambda: all(any(word in line for line in terminal.lines) for word in words))


def _is_restored(terminal: TerminalProcess) -> bool:
    # The screen of its own, the mouse and bracketed paste are off again, the cursor is back, keys are echoed.
    ends = (b"\x1b[?1049l", b"\x1b[?1003l", b"\x1b[?1006l", b"\x1b[?25h")
    terminal.wait_until(lambda: all(end in terminal.written for end in ends))
    return terminal.modes_now() == terminal.modes


def _begin(terminal: TerminalProcess) -> None:
    _sees(terminal, "time: 0s", "Beginner")
    terminal.type(" ")
    _sees(terminal, "1   1   1               1")


def test_the_menu_does_not_wait_for_what_plays_and_solves() -> None:
    program = "import sys, sapper.tui.app, sapper.tui.menu_screen; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    needless = (
        "sapper.generator",
        "sapper.solver.analysis",
        "sapper.play",
        "sapper.session.session",
        "sapper.store.models",
    )
    assert not set(needless) & set(done.stdout.split())


def test_a_game_ends_with_q_and_is_gone_on_with(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    with _playing(database, "--seed", "1") as terminal:
        _begin(terminal)
        terminal.type("q")
        assert terminal.end() == 0
        assert _is_restored(terminal)
    with _playing(database) as terminal:
        _sees(terminal, "1  Beginner: 9 x 9, 10 mines", "go on: Beginner", "38 cells covered")
        terminal.type("\x1b[F\r")
        _sees(terminal, "1   1   1               1", "assisted")
        terminal.type("q")
        assert terminal.end() == 0


def test_standard_error_may_go_elsewhere(tmp_path: Path) -> None:
    log = tmp_path / "log"
    words = f"exec {SAPPER} play --no-store --seed 1 2>{log}"
    with in_terminal("bash", "-c", words) as terminal:
        _begin(terminal)
        terminal.type("q")
        assert terminal.end() == 0
        assert _is_restored(terminal)
    assert log.read_text() == ""


def test_ctrl_z_leaves_it_to_the_shell_and_ctrl_c_quits(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    with in_terminal("bash", "--norc", "--noprofile", "-i", environment={"PS1": "ready> "}) as shell:
        shell.wait_until(lambda: shell.written.count(b"ready> ") == 1)
        shell.type(f"{SAPPER} play --database {database} --player ann --seed 1\n")
        _begin(shell)
        shell.type("\x1a")
        _sees(shell, "Stopped")
        shell.wait_until(lambda: shell.written.count(b"ready> ") == 2)
        shell.type("echo f$((40 + 2))f\n")
        _sees(shell, "f42f")
        shell.wait_until(lambda: shell.written.count(b"ready> ") == 3)
        shell.type("fg; echo code=$?=\n")
        _sees(shell, "time: ", "flags: 0", "1   1   1               1")
        shell.wait_until(lambda: not any("Stopped" in line or "f42f" in line for line in shell.lines))
        shell.wait_until(lambda: shell.written.count(b"\x1b[?1004h") == 2)  # keys are for the game again
        shell.type("llllf")
        _sees(shell, "flags: 1")
        shell.type("\x03")
        _sees(shell, "code=0=")
    assert _saved(database) == 1


def test_ctrl_z_stops_nothing_that_no_shell_continues_and_ctrl_c_quits_from_a_prompt(tmp_path: Path) -> None:
    with _playing(tmp_path / "games.db") as terminal:
        _sees(terminal, "1  Beginner: 9 x 9, 10 mines")
        terminal.type("\x1a")
        terminal.wait_until(lambda: terminal.written.count(b"\x1b[?1004h") == 2)
        terminal.type("c")
        _sees(terminal, "Columns x rows / mines")
        terminal.type("\x03")
        assert terminal.end() == 0
        assert _is_restored(terminal)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_saves_the_game_and_gives_the_terminal_back(number: signal.Signals, tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    with _playing(database, "--seed", "1") as terminal:
        _begin(terminal)
        terminal.process.send_signal(number)
        assert terminal.end() == 1
        assert _is_restored(terminal)
        assert any("sapper: interrupted" in line for line in terminal.lines)
    assert _saved(database) == 1


def test_a_crash_saves_the_game_and_gives_the_terminal_back(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    with _playing(database, "--seed", "1", program=(sys.executable, "-c", CRASHING)) as terminal:
        _begin(terminal)
        terminal.type("?")
        assert terminal.end() == 70
        assert _is_restored(terminal)
        assert any("sapper: this is a bug: ZeroDivisionError: a mistake" in line for line in terminal.lines)
        assert not any("Traceback" in line for line in terminal.lines)
    assert _saved(database) == 1


def test_a_killed_game_is_there_up_to_its_last_move(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    with _playing(database, "--seed", "1") as terminal:
        _begin(terminal)
        while not database.exists() or _saved(database) != 1:
            time.sleep(0.05)
        terminal.process.kill()
        terminal.end()
    with _playing(database) as terminal:
        _sees(terminal, "go on: Beginner", "38 cells covered")
        terminal.type("q")
        assert terminal.end() == 0


def _begun_in_a_window(database: Path, *program: str) -> tuple[subprocess.Popen[bytes], int]:
    """A game with its first move saved, and the window it is played in: closing that takes its terminal away."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    process = subprocess.Popen(
        [*program, SAPPER, "play", "--database", str(database), "--player", "ann", "--seed", "1"],
        stdin=slave, stdout=slave, stderr=slave, start_new_session=True, env=os.environ | {"TERM": "xterm"},
    )  # fmt: skip
    os.close(slave)
    written = b""
    while b"Beginner" not in written:
        written += os.read(master, 65536)
    os.write(master, b" ")
    while b"left: 10" not in written or not database.exists() or _saved(database) != 1:
        written += os.read(master, 65536)
    return process, master


def test_a_closed_window_saves_the_game(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    process, master = _begun_in_a_window(database, sys.executable, "-c", _WITH_TERMINAL)
    os.close(master)  # the kernel sends SIGHUP, and nothing can be written any more
    assert process.wait(PATIENCE) == 1
    assert _saved(database) == 1


def test_a_game_whose_terminal_is_gone_is_ended_by_a_signal(tmp_path: Path) -> None:
    """No SIGHUP comes where it is not its controlling terminal. Whatever is drawn cannot be written; that is to hold nothing up."""
    database = tmp_path / "games.db"
    process, master = _begun_in_a_window(database)
    os.close(master)
    for _ in range(40):
        process.send_signal(signal.SIGCONT)  # Textual begins anew, and writes a screen
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE) == 1
    assert _saved(database) == 1


@pytest.mark.parametrize("environment", [{}, {"COLUMNS": "80", "LINES": "24"}])  # a shell may export its first size
def test_the_window_is_resized_at_any_moment(environment: dict[str, str], tmp_path: Path) -> None:
    how: dict[str, Any] = {"columns": 100, "rows": 30, "environment": environment}
    with _playing(tmp_path / "games.db", "--preset", "expert", **how) as terminal:
        _sees(terminal, "Expert", "reveal")
        for columns, rows in ((40, 12), (20, 6), (130, 40), (80, 24)):
            terminal.resize(columns, rows)
            terminal.wait_until(_fills(terminal, rows))
        terminal.type("q")
        assert terminal.end() == 0
        assert _is_restored(terminal)


def _fills(terminal: TerminalProcess, rows: int) -> Callable[[], bool]:
    return lambda: "help" in terminal.lines[rows - 1] and "time" in terminal.lines[0]


def test_a_click_beyond_column_95_is_for_the_cell_there(tmp_path: Path) -> None:
    with _playing(tmp_path / "games.db", "--preset", "120x10/100", columns=250, rows=20) as terminal:
        _sees(terminal, "120×10, 100 mines", "flags: 0", "reveal")
        terminal.wait_until(lambda: b"\x1b[?1006h" in terminal.written)  # the mouse is listened to
        # SGR mode: a right button at column 227, row 7, both from 1; cell dg3, in the middle of the window.
        terminal.type("\x1b[<2;227;7M\x1b[<2;227;7m")
        _sees(terminal, "flags: 1")
        terminal.wait_until(lambda: terminal.lines[6][226] == "F")  # the count may be drawn before the board
        terminal.type("q")
        assert terminal.end() == 0


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"NO_COLOR": "1"}, None),
        ({"TERM": "xterm-256color", "COLORTERM": ""}, b"256"),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, b"truecolour"),
    ],
)
def test_colours_are_those_that_the_terminal_has(
    environment: dict[str, str], expected: bytes | None, tmp_path: Path
) -> None:
    with _playing(tmp_path / "games.db", "--seed", "1", environment=environment) as terminal:
        _begin(terminal)
        terminal.type("q")
        assert terminal.end() == 0
        written = terminal.written
    found = {b"truecolour": b"8;2;" in written, b"256": b"8;5;" in written}
    assert found == {b"truecolour": expected == b"truecolour", b"256": expected == b"256"}
    if expected is None:
        assert b"\x1b[7" in written or b";7m" in written or b"7;" in written, "the cursor is there without colours"


def test_the_background_is_that_of_the_terminal_and_early_keys_count(tmp_path: Path) -> None:
    environment = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "COLORFGBG": "", "SSH_CONNECTION": "far away"}
    with _playing(tmp_path / "games.db", environment=environment) as terminal:
        terminal.wait_until(lambda: b"\x1b]11;?" in terminal.written)
        terminal.type("1\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?62c")
        _sees(terminal, "time: 0s", "Beginner")
        terminal.type("q")
        assert terminal.end() == 0
        assert b"48;2;196;196;196" in terminal.written, "covered cells of the light board"


def test_where_there_is_no_terminal_lines_are_proposed(tmp_path: Path) -> None:
    with in_terminal(SAPPER, "play", environment={"TERM": "dumb"}) as terminal:
        assert terminal.end() == 2
        assert any("sapper play --lines" in line for line in terminal.lines)


def _saved(database: Path) -> int:
    with open_store(database) as store:
        return len(store.listed_sessions("ann"))
