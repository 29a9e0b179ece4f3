"""`sapper kata`: runs the scenarios, examples and UATs of the kata's documents; red or green."""

import contextlib
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

import click

from sapper.cli.exits import ExitCode
from sapper.cli.files import decoded
from sapper.cli.options import json_option
from sapper.cli.progress import Progress
from sapper.cli.terminal import colours
from sapper.errors import NotationError
from sapper.kata.document import Item, Verdict, read_document
from sapper.kata.report import as_data, log_text, total_text, verdict_text
from sapper.kata.runner import run_items
from sapper.render.ansi import COLOURED, PLAIN, Palette

MOST_BYTES = 16 * 1024 * 1024
"""No document is longer; what has no end (a device) must not be read forever."""

_EXAMPLES = """\b
Examples:
  sapper kata tests/data/kata.md
  sapper kata tests/data/kata.md --log report.txt
"""


@click.command("kata", epilog=_EXAMPLES)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--log", metavar="FILE", help="Write the report to this file too, without colours, with all that was played."
)
@json_option
def command(files: tuple[str, ...], log: str | None, as_json: bool) -> ExitCode:
    """Run the scenarios, examples and UATs in the kata's documents (- is standard input), and report red or green.

    Exit code 1 if one is red.
    """
    palette = COLOURED if colours() else PLAIN
    documents = [(name, _read(name)) for name in files]
    with contextlib.ExitStack() as stack:
        log_file = None if log is None else stack.enter_context(_open_log(log, files))
        reports = [(name, _run(name, items, None if as_json else palette)) for name, items in documents]
        if log is not None and log_file is not None:
            with _naming(log), log_file:  # what is buffered is written when it is closed
                log_file.write("\n".join(log_text(name, verdicts) for name, verdicts in reports))
    everything = [verdict for _, verdicts in reports for verdict in verdicts]
    if as_json:
        click.echo(json.dumps(_as_data(reports, everything)))
    elif len(reports) > 1:
        _say(f"all files: {total_text(everything, palette)}")
    return ExitCode.DONE if all(verdict.is_green for verdict in everything) else ExitCode.NO


def _read(name: str) -> tuple[Item, ...]:
    """The items of a document; NotationError if it is no text, or has none."""
    source = "standard input" if name == "-" else name
    with _naming(source):
        if name == "-":
            data = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise NotationError(f"this is longer than {MOST_BYTES:,} bytes: no document of the kata", source=source)
    return read_document(decoded(data, source), source=source)


@contextlib.contextmanager
def _naming(name: str) -> Iterator[None]:
    """An error of the system while reading or writing says which file it is about."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = name
        raise


def _open_log(log: str, files: tuple[str, ...]) -> TextIO:
    path = Path(log)
    for name in files:
        if name != "-" and path.exists() and path.samefile(name):
            raise click.BadParameter(f"the log would overwrite {name}", param_hint="'--log'")
    return path.open("w", encoding="utf-8", errors="backslashreplace", newline="\n")


def _run(name: str, items: tuple[Item, ...], palette: Palette | None) -> list[Verdict]:
    """Run a document, and print each verdict as it comes; nothing without a palette."""
    verdicts = []
    if palette is not None:
        _say(palette.bold(name))
    # Each verdict is shown as it comes; where none is, a bar says how far it is.
    with Progress(len(items), sys.stderr if palette is None else io.StringIO(), "items") as screen:
        for verdict in screen.of(run_items(items)):
            verdicts.append(verdict)
            if palette is not None:
                _say(verdict_text(verdict, palette, told=False))
    if palette is not None:
        _say(f"{total_text(verdicts, palette)}\n")
    return verdicts


def _say(text: str) -> None:
    click.echo(text, color=colours() > 0)


def _as_data(reports: list[tuple[str, list[Verdict]]], everything: list[Verdict]) -> dict[str, Any]:
    green = sum(verdict.is_green for verdict in everything)
    return {
        "green": green,
        "red": len(everything) - green,
        "files": [as_data(name, verdicts) for name, verdicts in reports],
    }
