"""What is shown while kernels are compiled: a line that goes on a terminal, a line elsewhere, nothing where all is kept."""

import io

import pytest

from sapper._kernels import loading
from sapper.cli.compile_progress import CompileScreen, compiling_told


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def _compile(stream: io.StringIO, *kernels: str) -> CompileScreen:
    screen = CompileScreen(stream)
    screen.loading()
    for kernel in kernels:
        screen.compiling(kernel)
    screen.loaded()
    return screen


def test_what_is_only_loaded_is_not_worth_a_word() -> None:
    for stream in (io.StringIO(), _Terminal()):
        _compile(stream)
        assert stream.getvalue() == ""


def test_elsewhere_it_is_one_line() -> None:
    stream = io.StringIO()
    _compile(stream, "play", "analyse")
    assert stream.getvalue() == "sapper: compiling, once a machine, a minute or so\n"


def test_on_a_terminal_nothing_stays() -> None:
    stream = _Terminal()
    _compile(stream, "analyse_board", "play")
    text = "sapper: compiling, once a machine, a minute or so: analyse_board"
    last = "sapper: compiling, once a machine, a minute or so: play".ljust(len(text))
    assert stream.getvalue() == f"\r{text}\r{last}\r{' ' * len(text)}\r"


def test_its_time_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([10.0, 13.0, 20.0, 24.0])
    monkeypatch.setattr("time.monotonic", lambda: next(times))
    screen = _compile(io.StringIO())
    assert screen.seconds == 3
    screen.loading()
    screen.loaded()
    assert screen.seconds == 7


def test_what_does_not_work_is_one_line_and_python_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_module: str, _progress: object) -> None:
        raise ImportError("numba needs\nanother numpy")

    monkeypatch.setattr(loading, "_State", type("_State", (), {"listener": None, "failure": None, "loaded": {}}))
    monkeypatch.setattr(loading, "_load", broken)
    stream = io.StringIO()
    with compiling_told(stream):
        assert loading.load("search") is None
        assert loading.load("search") is None
    assert stream.getvalue() == (
        "sapper: the compiled kernels do not work, so Python does it all, slowly: "
        "ImportError: numba needs another numpy (see: sapper doctor)\n"
    )
    assert not loading.can_compile()
