"""The terminal is given back as it was, whatever ends the program. Real pseudo-terminals, a program each."""

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sapper.errors import InvalidValueError, UnavailableError
from sapper.terminal.full_screen import check_terminal
from sapper.terminal.tty import Terminal
from tests.network import PATIENCE, TerminalProcess, in_terminal

# Shows a line, then what keys and signals come, until told to end.
PROGRAM = """
import os, sys
from sapper.terminal.tty import Terminal
from sapper.terminal.viewport import ViewportFrame

read, write = os.pipe()
with Terminal() as terminal:
    seen = "ready"
    while "q" not in seen:
        terminal.show(ViewportFrame(lines=(seen, "%d x %d" % terminal.size()), x=0, y=0))
        keys, other = terminal.wait(read)
        seen = "keys " + keys.decode() if keys else "nothing"
        if keys == b"z":
            1 / 0
"""


def _is_restored(program: TerminalProcess) -> bool:
    program.wait_until(lambda: program.written.endswith(b"\x1b[?1049l") or b"\x1b[?1049l" in program.written)
    return program.modes_now() == program.modes


def test_keys_come_singly_and_unseen() -> None:
    with in_terminal(sys.executable, "-c", PROGRAM) as program:
        program.wait_for("ready")
        assert program.modes_now() != program.modes
        program.type("k")
        program.wait_for("keys k")
        assert sum("k" in line for line in program.lines) == 1
        program.type("\x13\x11")  # Ctrl-S stops nothing
        program.type("q")
        assert program.end() == 0
        assert _is_restored(program)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_a_signal_gives_the_terminal_back(number: signal.Signals) -> None:
    with in_terminal(sys.executable, "-c", PROGRAM) as program:
        program.wait_for("ready")
        program.process.send_signal(number)
        assert program.end() == 1
        assert _is_restored(program)
        program.wait_for(f"ended by {number.name}")


# The kernel gives the signal to the other thread, so that it does not interrupt the call in which the main thread
# sleeps: as with a signal that comes just before that call sleeps, which no test can time.
TO_ANOTHER_THREAD = """
import signal, threading
threading.Thread(target=threading.Event().wait, daemon=True).start()
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
"""


def test_a_signal_that_interrupts_nothing_is_heard() -> None:
    with in_terminal(sys.executable, "-c", TO_ANOTHER_THREAD + PROGRAM) as program:
        program.wait_for("ready")
        program.process.send_signal(signal.SIGTERM)
        assert program.end() == 1
        assert _is_restored(program)


def test_ctrl_c_is_such_a_signal() -> None:
    with in_terminal(sys.executable, "-c", PROGRAM) as program:
        program.wait_for("ready")
        program.type("\x03")
        assert program.end() == 1
        assert _is_restored(program)


def test_a_crash_gives_the_terminal_back() -> None:
    with in_terminal(sys.executable, "-c", PROGRAM) as program:
        program.wait_for("ready")
        program.type("z")
        assert program.end() == 1
        assert _is_restored(program)
        program.wait_for("ZeroDivisionError")


def test_stopped_the_shell_has_its_terminal_and_continued_we_have_ours(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    with in_terminal("bash", "--norc", "--noprofile", "-i", environment={"PS1": "PROMPT "}) as shell:
        shell.wait_for("PROMPT")
        shell.type(f"{sys.executable} {tmp_path}/program.py\r")
        shell.wait_for("ready")
        ours = shell.modes_now()
        shell.type("\x1a")
        shell.wait_for("Stopped")
        shell.type("stty -a | grep -c ' icanon.* echo '\r")
        shell.wait_until(lambda: "1" in [line.strip() for line in shell.lines])
        shell.type("fg\r")
        shell.wait_for("nothing")
        assert shell.modes_now() == ours
        shell.type("k")
        shell.wait_for("keys k")
        shell.type("q")
        shell.wait_for("PROMPT")
        shell.type("exit\r")
        assert shell.end() == 0


def test_a_new_size_is_noticed() -> None:
    with in_terminal(sys.executable, "-c", PROGRAM) as program:
        program.wait_for("80 x 24")
        program.resize(50, 12)
        program.wait_for("50 x 12")
        program.type("q")
        assert program.end() == 0


def test_a_terminal_that_goes_away_ends_the_program() -> None:
    master, slave = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdin=slave, stdout=slave, stderr=subprocess.DEVNULL, start_new_session=True
    ) as program:
        os.close(slave)
        seen = b""
        while b"ready" not in seen:
            seen += os.read(master, 1000)
        os.close(master)
        assert program.wait(PATIENCE) == 1


def test_without_a_terminal_there_is_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    read, write = os.pipe()
    with pytest.raises(UnavailableError, match="not a terminal to play in"):
        Terminal(read, write).__enter__()
    os.close(read)
    os.close(write)
    with Path(os.devnull).open() as nothing:
        monkeypatch.setattr(sys, "stdin", nothing)
        with pytest.raises(InvalidValueError, match="standard input is none"):
            check_terminal()


def test_with_neither_termios_nor_msvcrt_there_is_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "termios", None)
    with pytest.raises(UnavailableError, match="Python has neither termios nor msvcrt"):
        check_terminal()


def test_only_what_differs_is_written() -> None:
    from sapper.terminal.viewport import ViewportFrame

    master, slave = pty.openpty()
    terminal = Terminal(slave, slave)
    for frame, written in (
        (ViewportFrame(lines=("a", "b"), x=1, y=0), b"\x1b[m\x1b[2J\x1b[1;1H\x1b[2Ka\x1b[2;1H\x1b[2Kb\x1b[1;2H"),
        (ViewportFrame(lines=("a", "c"), x=0, y=1), b"\x1b[2;1H\x1b[2Kc\x1b[2;1H"),
        (ViewportFrame(lines=("a",), x=0, y=0), b"\x1b[2;1H\x1b[2K\x1b[1;1H"),
    ):
        terminal.show(frame)
        assert os.read(master, 1000) == written
    os.close(master)
    os.close(slave)
