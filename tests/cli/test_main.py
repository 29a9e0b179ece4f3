"""`sapper` finds the command, and ends as the contract says whatever the command does."""

import io
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import click
import pytest

import sapper
from sapper import errors
from sapper.cli.commands import ALONE, COMMANDS, Entry
from sapper.cli.exits import ExitCode
from sapper.cli.main import main
from sapper.store.repository import open_store
from tests.missing import run_without

Table = dict[str, Entry]


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Table]:
    """Makes a table of commands out of callbacks: `table(bot=lambda: ...)`."""

    def make(**callbacks: Callable[..., object]) -> Table:
        entries = {}
        for name, callback in callbacks.items():
            module = ModuleType(f"made_up_{name}")
            params: list[click.Parameter] = [click.Option(["--mines"], type=int), click.Argument(["rest"], nargs=-1)]
            params += getattr(callback, "__click_params__", [])
            vars(module)["command"] = click.Command(name, callback=callback, params=params, help=f"About {name}.")
            monkeypatch.setitem(sys.modules, module.__name__, module)
            entries[name] = Entry(f"does {name}", module.__name__)
        return entries

    return make


def _raises(error: BaseException) -> Callable[..., None]:
    def callback(mines: int | None, rest: tuple[str, ...]) -> None:
        raise error

    return callback


# --- finding the command ----------------------------------------------------------------------


def test_arguments_reach_the_command(table: Callable[..., Table]) -> None:
    seen: list[object] = []
    commands = table(bot=lambda **arguments: seen.append(arguments))
    assert main(["bot", "--mines", "3", "a", "b"], commands=commands) == ExitCode.DONE
    assert seen == [{"mines": 3, "rest": ("a", "b")}]


def test_no_arguments_is_the_default_command(table: Callable[..., Table]) -> None:
    seen: list[str] = []
    commands = table(
        kata=lambda **_: seen.append("kata"),
        bot=click.option("--watch", is_flag=True)(lambda watch, **_: seen.append(f"bot {watch}")),
    )
    assert main([], commands=commands) == ExitCode.DONE
    assert (seen, ALONE) == (["bot True"], ("bot", "--watch"))


def test_the_process_s_arguments_are_used(table: Callable[..., Table], monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[object] = []
    monkeypatch.setattr(sys, "argv", ["sapper", "bot", "x"])
    assert main(commands=table(bot=lambda rest, **_: seen.append(rest))) == ExitCode.DONE
    assert seen == [("x",)]


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_lists_every_command(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([option]) == ExitCode.DONE
    out, err = capsys.readouterr()
    assert err == ""
    for name, entry in COMMANDS.items():
        assert f"{name} " in out
        assert entry.summary in out


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_of_a_command(option: str, table: Callable[..., Table], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bot", option], commands=table(bot=_raises(AssertionError()))) == ExitCode.DONE
    out, err = capsys.readouterr()
    assert out.startswith("Usage: sapper bot [OPTIONS]")
    assert "About bot." in out
    assert err == ""


def test_help_is_a_word_too(table: Callable[..., Table], capsys: pytest.CaptureFixture[str]) -> None:
    commands = table(bot=_raises(AssertionError()))
    told = []
    for words in (["help"], ["--help"], ["help", "bot"], ["bot", "--help"]):
        assert main(words, commands=commands) == ExitCode.DONE
        told.append(capsys.readouterr())
    assert told[0] == told[1]
    assert told[2] == told[3]
    assert told[2].out.startswith("Usage: sapper bot [OPTIONS]")
    assert main(["help", "bto"], commands=commands) == ExitCode.USAGE
    assert capsys.readouterr().err == "sapper: no command 'bto'; did you mean 'bot'?\n"


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == ExitCode.DONE
    assert capsys.readouterr().out == f"sapper {sapper.__version__}\n"


# --- exit codes ---------------------------------------------------------------------------------


@pytest.mark.parametrize("code", list(ExitCode))
def test_the_answer_of_a_command_is_the_exit_code(code: ExitCode, table: Callable[..., Table]) -> None:
    assert main(["bot"], commands=table(bot=lambda **_: code)) == code


def test_click_s_exit(table: Callable[..., Table]) -> None:
    def callback(**_: object) -> None:
        click.get_current_context().exit(3)

    assert main(["bot"], commands=table(bot=callback)) == 3


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["bot", "--mins", "3"], "no option --mins; did you mean --mines?"),
        (["bot", "--mines", "few"], "Invalid value for '--mines': 'few' is not a valid integer."),
        (["bto"], "no command 'bto'; did you mean 'bot'?"),
        (["sweep"], "no command 'sweep'; commands: bot"),
        (["--seed", "3"], "no option --seed before a command (options follow it: sapper play --seed)"),
    ],
)
def test_wrong_usage_is_one_line(
    words: list[str], line: str, table: Callable[..., Table], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words, commands=table(bot=_raises(AssertionError()))) == ExitCode.USAGE
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"sapper: {line}")
    assert err.count("\n") == 1
    if words[0] == "bot":
        assert err.endswith(" (see: sapper bot --help)\n")


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (errors.LayoutError("10 mines, 9 cells"), ExitCode.USAGE, "sapper: 10 mines, 9 cells\n"),
        (errors.TooHardError("too many states", cap=5), ExitCode.LIMIT, "sapper: too many states\n"),
        (KeyboardInterrupt(), ExitCode.NO, "sapper: interrupted\n"),
        (click.Abort(), ExitCode.NO, "sapper: interrupted\n"),
        (click.ClickException("no\nway"), ExitCode.USAGE, "sapper: no way (see: sapper bot --help)\n"),
        (BrokenPipeError(), ExitCode.NO, ""),
        (
            ZeroDivisionError("division by zero"),
            ExitCode.BUG,
            "sapper: this is a bug: ZeroDivisionError: division by zero (SAPPER_DEBUG=1 shows where)\n",
        ),
    ],
)
def test_an_error_is_one_line(
    error: BaseException,
    code: ExitCode,
    line: str,
    table: Callable[..., Table],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("SAPPER_DEBUG", raising=False)
    assert main(["bot"], commands=table(bot=_raises(error))) == code
    assert capsys.readouterr() == ("", line)


@pytest.mark.parametrize(("value", "shown"), [("1", True), ("0", False), ("", False)])
def test_the_traceback_is_there_for_who_asks(
    value: str,
    shown: bool,
    table: Callable[..., Table],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SAPPER_DEBUG", value)
    assert main(["bot"], commands=table(bot=_raises(ZeroDivisionError("x")))) == ExitCode.BUG
    assert ("Traceback" in capsys.readouterr().err) is shown


def test_a_module_without_a_command_is_a_bug(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = ModuleType("made_up_bot")
    vars(module)["command"] = print
    monkeypatch.setitem(sys.modules, "made_up_bot", module)
    assert main(["bot"], commands={"bot": Entry("", "made_up_bot")}) == ExitCode.BUG
    assert "made_up_bot.command is a builtin_function_or_method" in capsys.readouterr().err


def test_without_click_it_says_how_to_get_it(tmp_path: Path) -> None:
    done = run_without("click", ["bot"], tmp_path)
    assert (done.returncode, done.stdout) == (ExitCode.USAGE, "")
    assert done.stderr == "sapper: click is not installed: pip install click\n"


def test_a_character_that_the_terminal_lacks_does_not_end_the_program(
    table: Callable[..., Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = io.TextIOWrapper(io.BytesIO(), encoding="iso-8859-1")
    monkeypatch.setattr(sys, "stdout", terminal)
    assert main(["bot"], commands=table(bot=lambda **_: print("BOOM! – Game Over."))) == ExitCode.DONE
    terminal.seek(0)
    assert terminal.read() == "BOOM! ? Game Over.\n"


# --- a process of its own -----------------------------------------------------------------------

_PROGRAM = """
import sys, time, types, click
from sapper.cli.commands import Entry
from sapper.cli.main import main

def endless():
    while True:
        click.echo("a board, a move, a board")

def patient():
    click.echo("ready")
    time.sleep(600)

table = {}
for callback in (endless, patient):
    module = types.ModuleType(callback.__name__)
    module.command = click.command()(callback)
    sys.modules[callback.__name__] = module
    table[callback.__name__] = Entry("", callback.__name__)
sys.exit(main(commands=table))
"""


def _start(name: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, name], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def test_a_reader_that_leaves_is_no_error() -> None:
    with _start("endless") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "a board, a move, a board\n"
        process.stdout.close()
        assert process.wait(timeout=60) == ExitCode.NO
        assert process.stderr.read() == ""


def test_an_interrupt_is_one_line() -> None:
    with _start("patient") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (ExitCode.NO, "", "sapper: interrupted\n")


@pytest.mark.parametrize(("words", "count"), [("", "frozen"), ("['--version']", "0")])
def test_nothing_is_looked_through_when_the_process_ends(words: str, count: str) -> None:
    program = (
        "import atexit, gc; from sapper.cli.main import main; "
        "atexit.register(lambda: print('frozen' if gc.get_freeze_count() > 1000 else gc.get_freeze_count())); "
        f"raise SystemExit(main({words}))"
    )
    done = subprocess.run([sys.executable, "-c", program, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [f"sapper {sapper.__version__}", count]


@pytest.mark.parametrize(
    ("words", "needless"),
    [
        (["--version"], ["difflib", "secrets", "traceback", "typing_extensions"]),
        (["bot", "--help"], ["secrets", "sapper.generator.generate", "sapper.store", "sqlalchemy", "numpy"]),
        (["stats", "--help"], ["secrets", "sqlalchemy", "sapper.session"]),
        (["review", "--help"], ["asyncio", "multiprocessing", "ssl", "sapper.generator", "sapper.review.judging"]),
        (["review", "example"], ["asyncio", "multiprocessing", "ssl"]),
        (
            ["stats", "--database", "games.db"],
            ["alembic", "mako", "psycopg", "sqlalchemy.dialects.postgresql", "tomllib", "numpy", "matplotlib"],
        ),
    ],
)
def test_what_is_not_needed_is_not_imported(words: list[str], needless: list[str], tmp_path: Path) -> None:
    if "--database" in words:
        open_store(tmp_path / "games.db").close()
    # What was there before is somebody else's: whatever measures coverage imports a few of these.
    program = (
        f"import sys; before = set(sys.modules); from sapper.cli.main import main; code = main({words!r}); "
        f"print(*[name for name in {needless!r} if name in set(sys.modules) - before], file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert (bool(done.stdout), done.stderr) == (True, "\n")


def test_help_imports_neither_click_nor_any_command() -> None:
    program = (
        "import sys; from sapper.cli.main import main; main(['--help']); main(['no']); "
        "print(*(m for m in sys.modules if m.partition('.')[0] in ('click', 'rich', 'numpy', 'ctypes') "
        f"or m in {[entry.module for entry in COMMANDS.values()]}), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr == f"sapper: no command 'no'; commands: {', '.join(COMMANDS)}\n\n"


def test_python_m_sapper_is_sapper(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sapper", "--version"], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    script = subprocess.run(
        [Path(sys.executable).with_name("sapper"), "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == script.stdout
    assert done.stdout.startswith("sapper ")


def test_a_closed_stderr_is_no_error() -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as nobody:
        done = subprocess.run([sys.executable, "-m", "sapper", "nonsense"], stderr=nobody, check=False)
    assert done.returncode == ExitCode.USAGE


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-"])
@pytest.mark.parametrize("words", ["--help", "--version", "bot --seed 1 --quiet", "analyse {board}", "metrics {games}"])
def test_closed_streams_change_no_exit_code(words: str, closed: str, tmp_path: Path) -> None:
    (tmp_path / "board").write_text("3x1/1\n#1#\n", encoding="ascii")
    (tmp_path / "games").write_text("3 1 1 1 0\n", encoding="ascii")
    command = words.format(board=tmp_path / "board", games=tmp_path / "games")
    done = subprocess.run(
        ["bash", "-c", f"'{sys.executable}' -m sapper {command} {closed}"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "bug" not in done.stderr


@pytest.mark.parametrize("words", ["metrics -", "kata -", "hint -"])
def test_a_closed_stdin_is_an_empty_one(words: str) -> None:
    done = subprocess.run(
        ["bash", "-c", f"'{sys.executable}' -m sapper {words} <&-"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2, done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_no_marks_of_the_formatter(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == 0
    said = capsys.readouterr().out
    assert not [mark for mark in ("\\b", "\b", "%Y") if mark in said]
