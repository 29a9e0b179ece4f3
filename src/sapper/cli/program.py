"""What the command `sapper` does: finds the command that is asked for, runs it, and ends as the contract says.

`sapper --help` answers from a table. Importing Click takes longer than all else together, so that
happens only when a command runs.
"""

import contextlib
import os
import sys
from collections.abc import Mapping, Sequence
from io import TextIOWrapper
from typing import TextIO

from sapper import __version__
from sapper.cli import interrupt
from sapper.cli.commands import ALONE, COMMANDS, GROUPS, Entry
from sapper.cli.exits import Ending, ExitCode, ending_of

_HELP = """\
Usage: sapper [COMMAND] [OPTIONS] [ARGUMENTS]

Minesweeper. Without a command, a bot plays a game of Beginner: `sapper {alone}`.

{commands}

Options:
  -h, --help  show this help; after a command, its help
  --version   show the version

sapper help, and sapper help COMMAND, are the same as --help.

Exit codes: 0 done, 1 the answer is no, 2 wrong usage or unreadable input, 3 a limit was reached, 74 a full disk.

Example:
  sapper play --preset beginner
"""


def run(words: Sequence[str], commands: Mapping[str, Entry] | None = None) -> int:
    """Run `sapper` with these arguments and return its exit code; `commands` are other ones than there are.

    Nothing is raised: an error is a line on stderr and a code (`cli.exits`). With SAPPER_DEBUG=1
    in the environment its traceback is shown too.
    """
    commands = COMMANDS if commands is None else commands
    try:
        interrupt.release()
        _open_closed_streams()
        _prepare_streams()
        code = _dispatch(list(words), commands)
        sys.stdout.flush()
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the one place where every error ends
        code = _end(error)
    for stream in (sys.stdout, sys.stderr):
        _settle(stream)
    return code


def _dispatch(words: list[str], commands: Mapping[str, Entry]) -> int:
    if "_SAPPER_COMPLETE" in os.environ:  # a shell asks, by what `sapper completion` gave it
        from sapper.cli.completion import complete

        return complete()
    name, *rest = words or ALONE
    if name in {"-h", "--help"}:
        sys.stdout.write(_help(commands))
        return ExitCode.DONE
    if name == "--version":
        sys.stdout.write(f"sapper {__version__}\n")
        return ExitCode.DONE
    if name == "help" and name not in commands:
        if not rest:
            sys.stdout.write(_help(commands))
            return ExitCode.DONE
        if len(rest) > 1:
            _complain(f"help takes one command: sapper help {rest[0]}")
            return ExitCode.USAGE
        name, rest = rest[0], ["--help"]
    if name not in commands:
        _complain(_unknown(name, commands))
        return ExitCode.USAGE
    from sapper.cli.invoke import invoke

    return invoke(name, commands[name], rest, complain=_complain)


def _help(commands: Mapping[str, Entry]) -> str:
    width = max(len(name) for name in commands)
    grouped = {title: {name: group[name] for name in group if name in commands} for title, group in GROUPS.items()}
    grouped["Others"] = {name: entry for name, entry in commands.items() if name not in COMMANDS}
    lines = [
        f"{title}:\n" + "\n".join(f"  {name:{width}}  {entry.summary}" for name, entry in group.items())
        for title, group in grouped.items()
        if group
    ]
    return _HELP.format(alone=" ".join(ALONE), commands="\n\n".join(lines))


def _unknown(word: str, commands: Mapping[str, Entry]) -> str:
    if word.startswith("-"):
        return f"no option {word} before a command (options follow it: sapper play {word})"
    import difflib  # as long as the rest of `sapper --help`, and seldom needed

    near = difflib.get_close_matches(word, commands, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"commands: {', '.join(commands)}"
    return f"no command {word!r}; {hint}"


def _end(error: BaseException) -> ExitCode:
    if isinstance(error, OSError) and error.filename is None and _stdout_is_stuck(error):
        error.filename = "standard output"
        _abandon(sys.stdout)
    ending: Ending = ending_of(error)
    if isinstance(error, BrokenPipeError):
        _abandon(sys.stdout)
    if os.environ.get("SAPPER_DEBUG", "0") not in {"", "0"}:
        import traceback

        traceback.print_exception(error)
    if ending.line is not None:
        _complain(ending.line)
    return ending.code


def _complain(line: str) -> None:
    # Bytes of a file's name that are no text come as lone surrogates, which nobody can read.
    shown = line.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    with contextlib.suppress(OSError, ValueError):  # before the streams are prepared
        sys.stderr.write(f"sapper: {shown}\n")


def _open_closed_streams() -> None:
    """Replace a stream that the caller closed (`>&-`) by the null device.

    Python has None in its place, which every write and every question to it would trip over.
    """
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115  # open for as long as the process is
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115


class _Stderr(TextIOWrapper):
    """Standard error that drops what it cannot write: a lost message must not end a command or change its exit code."""

    def write(self, text: str) -> int:
        """Write `text` if that is possible; its length."""
        try:
            return super().write(text)
        except OSError:
            _abandon(self)
            return len(text)


def _prepare_streams() -> None:
    """Send each line when it is written, through a pipe too: a script may wait for it before it answers.

    A terminal that has no `–`, or a file name that is not text, must not end the program.
    """
    if isinstance(sys.stdout, TextIOWrapper):
        errors = "replace" if sys.stdout.errors == "strict" else None
        sys.stdout.reconfigure(errors=errors, line_buffering=True)
    if sys.stderr is sys.__stderr__ and isinstance(sys.stderr, TextIOWrapper):
        sys.stderr = _Stderr(sys.stderr.buffer, sys.stderr.encoding, sys.stderr.errors, line_buffering=True)


def _stdout_is_stuck(error: OSError) -> bool:
    """True if standard output cannot be written for the same reason: then the error is about it."""
    try:
        sys.stdout.flush()
    except OSError as again:
        return again.errno == error.errno and not isinstance(again, BrokenPipeError)
    except ValueError:  # somebody has closed it
        return False
    return False


def _settle(stream: TextIO) -> None:
    """Leave nothing in the buffer of a stream that cannot be written: Python would try again at its exit, and end with code 120."""
    try:
        stream.flush()
    except (OSError, ValueError):
        _abandon(stream)


def _abandon(stream: TextIO) -> None:
    """Send what is still buffered, and all that comes, nowhere."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
