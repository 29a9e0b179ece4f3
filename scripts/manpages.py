"""Writes the manual pages, made from `--help`: python scripts/manpages.py FOLDER.

The build of a wheel writes them into it (`hatch_build.py`), as share/man/man1/sapper*.1. A page has the sections NAME, SYNOPSIS, DESCRIPTION, OPTIONS,
EXAMPLES and EXIT STATUS. Roff's own characters (a backslash, a dot or quote that begins a line) are escaped.
"""

import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import click

from sapper import __version__
from sapper.cli.commands import ALONE, COMMANDS

EXIT_STATUS = (
    ("0", "done"),
    ("1", "the answer is no, or a strategy faulted, or it was interrupted"),
    ("2", "wrong usage or unreadable input"),
    ("3", "a limit was reached"),
    ("70", "a mistake of sapper's own"),
)


def escaped(text: str) -> str:
    """A text as roff takes it."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"(?m)^([.'])", r"\\&\1", text)


def paragraphs(text: str) -> Iterator[str]:
    r"""Help texts: a paragraph that begins with `\b` keeps its lines."""
    for part in re.split(r"\n\s*\n|\n(?=[ \t]*\x08)", text.strip()):
        lines = [line.strip() for line in part.split("\n")]
        yield ".PP"
        if lines[0] == "\b":
            yield from (".nf", *map(escaped, lines[1:]), ".fi")
        else:
            yield escaped(" ".join(lines))


def page(path: str, summary: str, command: click.Command) -> str:
    """The manual page of one command."""
    with click.Context(command, info_name=path, help_option_names=["-h", "--help"]) as context:
        usage = " ".join(command.collect_usage_pieces(context))
        records = [
            record for param in command.get_params(context) if (record := param.get_help_record(context)) is not None
        ]
    lines = [
        f'.TH "{path.replace(" ", "-").upper()}" 1 "" "sapper {__version__}" "sapper"',
        ".SH NAME", f"{escaped(path.replace(' ', '-'))} \\- {escaped(summary)}",
        ".SH SYNOPSIS", f".B {escaped(path)}", escaped(usage),
        ".SH DESCRIPTION", *paragraphs((command.help or "").replace("\f", "")),
    ]  # fmt: skip
    if isinstance(command, click.Group):
        lines.append(".SH COMMANDS")
        for name, one in command.commands.items():
            lines += [
                ".TP",
                f".B {escaped(name)}",
                escaped(f"{one.get_short_help_str(200)} See {path.replace(' ', '-')}-{name}(1)."),
            ]
    lines.append(".SH OPTIONS")
    for option, words in records:
        lines += [".TP", f".B {escaped(option)}", escaped(" ".join(words.split()))]
    if command.epilog:
        lines += [".SH EXAMPLES", *paragraphs(re.sub(r"(?m)^[ \t]*Examples?:[ \t]*\n?", "", command.epilog, count=1))]
    lines.append(".SH EXIT STATUS")
    for code, words in EXIT_STATUS:
        lines += [".TP", f".B {code}", words]
    return "\n".join(lines) + "\n"


def pages() -> Iterator[tuple[str, str]]:
    """Each page with the name of its file."""
    found = []
    for name, entry in COMMANDS.items():
        command: click.Command = import_module(entry.module).command
        found.append((f"sapper-{name}", entry.summary, command))
        if isinstance(command, click.Group):
            found += [
                (f"sapper-{name}-{sub}", one.get_short_help_str(200), one) for sub, one in command.commands.items()
            ]
    for name, summary, command in found:
        yield f"{name}.1", page(name.replace("-", " "), summary, command)
    yield "sapper.1", overview()


def overview() -> str:
    """The page of `sapper` itself."""
    lines = [
        f'.TH "SAPPER" 1 "" "sapper {__version__}" "sapper"',
        ".SH NAME", "sapper \\- Minesweeper: one engine, many faces",
        ".SH SYNOPSIS", ".B sapper", escaped("[COMMAND] [OPTIONS] [ARGUMENTS]"),
        ".SH DESCRIPTION", escaped(f"Without a command, sapper is sapper {' '.join(ALONE)}: a bot plays a game."),
        ".SH COMMANDS",
    ]  # fmt: skip
    for name, entry in COMMANDS.items():
        lines += [".TP", f".BR sapper\\-{escaped(name)} (1)", escaped(entry.summary)]
    lines.append(".SH EXIT STATUS")
    for code, words in EXIT_STATUS:
        lines += [".TP", f".B {code}", words]
    return "\n".join(lines) + "\n"


def main(folder: Path) -> None:
    """Write them all."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
