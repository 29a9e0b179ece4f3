"""Ctrl-C while the program is loading: one line, and no traceback."""

import signal
import subprocess
import sys

import pytest

from sapper.cli import interrupt
from sapper.cli.exits import ExitCode

# What takes long to import is waited for, and interrupted there.
_PROGRAM = """
import os, signal, sys, types
class Slow:
    def find_spec(self, name, *_):
        if name == "sapper.cli.program":
            os.kill(os.getpid(), signal.SIGINT)
            signal.sigtimedwait([], 10)
sys.meta_path.insert(0, Slow())
from sapper.cli.main import main
sys.exit(main(["--help"]))
"""


def test_an_interrupt_while_loading_is_one_line() -> None:
    done = subprocess.run([sys.executable, "-c", _PROGRAM], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (ExitCode.NO, "", "sapper: interrupted\n")


def test_afterwards_all_is_as_before() -> None:
    before = signal.getsignal(signal.SIGINT)
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        interrupt.guard()
        assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler
        interrupt.release()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)


def test_who_ignores_it_goes_on_ignoring_it() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        interrupt.guard()
        interrupt.release()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
