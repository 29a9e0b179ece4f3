"""Every error has one exit code and one line."""

import ast
import errno
import sys
from pathlib import Path

import pytest

import sapper
from sapper import errors
from sapper.cli.exits import EXIT_CODES, EXTRAS, ExitCode, ending_of


def _all_errors(root: type[errors.SapperError] = errors.SapperError) -> list[type[errors.SapperError]]:
    return [root, *(error for child in root.__subclasses__() for error in _all_errors(child))]


def test_the_contract_s_numbers() -> None:
    assert [int(code) for code in ExitCode] == [0, 1, 2, 3, 70, 74]


@pytest.mark.parametrize("kind", _all_errors(), ids=lambda kind: kind.__name__)
def test_an_error_raised_on_purpose_is_never_taken_for_a_bug(kind: type[errors.SapperError]) -> None:
    error = kind.__new__(kind, "width must be 1 or more")
    ending = ending_of(error)
    assert ending.code in {ExitCode.NO, ExitCode.USAGE, ExitCode.LIMIT, ExitCode.FULL}
    assert ending.line == "width must be 1 or more"


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (errors.LayoutError("10 mines, 9 cells"), ExitCode.USAGE, "10 mines, 9 cells"),
        (
            errors.NotationError("no tile is written 'q'", source="b.txt", line=2, column=7),
            ExitCode.USAGE,
            "b.txt:2:7: no tile is written 'q'",
        ),
        (errors.IllegalMoveError("the game is over", errors.MoveFault.GAME_OVER), ExitCode.NO, "the game is over"),
        (errors.ContradictionError("clue 8 cannot be"), ExitCode.NO, "clue 8 cannot be"),
        (
            errors.HeldStoreError("games.db: sapper web has this store already"),
            ExitCode.NO,
            "games.db: sapper web has this store already",
        ),
        (errors.TooHardError("too many states", cap=5), ExitCode.LIMIT, "too many states"),
        (KeyboardInterrupt(), ExitCode.NO, "interrupted"),
        (MemoryError(), ExitCode.LIMIT, "not enough memory"),
        (BrokenPipeError(errno.EPIPE, "Broken pipe"), ExitCode.NO, None),
        (ConnectionResetError(errno.ECONNRESET, "Connection reset by peer"), ExitCode.NO, "Connection reset by peer"),
        (FileNotFoundError(errno.ENOENT, "No such file", "a.txt"), ExitCode.USAGE, "a.txt: No such file"),
        (FileNotFoundError(errno.ENOENT, "No such file", b"a.txt"), ExitCode.USAGE, "a.txt: No such file"),
        (OSError(errno.EADDRINUSE, "Address already in use"), ExitCode.NO, "Address already in use"),
        (OSError("no reason"), ExitCode.USAGE, "no reason"),
        (
            UnicodeDecodeError("utf-8", b"12\xff4", 2, 3, "invalid start byte"),
            ExitCode.USAGE,
            "this is not UTF-8 text: byte 0xff at offset 2",
        ),
        (
            ModuleNotFoundError("No module named 'numpy.core'", name="numpy.core"),
            ExitCode.USAGE,
            "numpy is not installed: pip install '.[data]' in the clone of sapper",
        ),
    ],
)
def test_code_and_line(error: BaseException, code: ExitCode, line: str | None) -> None:
    assert ending_of(error) == (code, line)


@pytest.mark.parametrize(
    "error", [ZeroDivisionError("division by zero"), ModuleNotFoundError("No module named 'sapper.x'", name="sapper.x")]
)
def test_anything_else_is_a_bug_and_says_how_to_see_more(error: Exception) -> None:
    code, line = ending_of(error)
    assert code == ExitCode.BUG
    assert line == f"this is a bug: {type(error).__name__}: {error} (SAPPER_DEBUG=1 shows where)"


def test_every_package_that_is_imported_is_known_by_its_extra() -> None:
    """Where one is missing, that is said, and is no bug."""
    imported: set[str] = set()
    for path in Path(sapper.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module is not None and not node.level:
                imported.add(node.module.partition(".")[0])
    needs_none = {"sapper", "click", "stable_baselines3"}  # the last is for who has it: no extra brings it
    assert imported - sys.stdlib_module_names - needs_none == EXTRAS.keys() & imported
    assert {"dask", "PIL", "textual"} <= imported


def test_a_line_is_one_line_and_never_empty() -> None:
    assert ending_of(errors.InvalidValueError("first\n  second\r\n")).line == "first second"
    assert ending_of(errors.InvalidValueError()).line == "InvalidValueError"


def test_the_nearest_class_decides() -> None:
    class Stubborn(errors.IllegalMoveError):
        pass

    assert Stubborn not in EXIT_CODES
    assert ending_of(Stubborn("no", errors.MoveFault.CHORD)).code == EXIT_CODES[errors.IllegalMoveError]
