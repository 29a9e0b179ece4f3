"""What standard output can show: how many colours, how many columns; tables of text."""

import os
import sys
from collections.abc import Sequence


def colours() -> int:
    """256 or 8 on a terminal that has them; 0 elsewhere, and where NO_COLOR is set (no-color.org).

    The setting `screen.colour` says otherwise: `always` has them in files and pipes too, `never` nowhere.
    """
    from sapper.config.configuration import load

    choice = load().text("screen.colour")
    term = os.environ.get("TERM", "")
    if choice == "never" or (
        choice == "auto" and (os.environ.get("NO_COLOR") or not _is_terminal() or term in {"", "dumb"})
    ):
        return 0
    if "256color" in term or "direct" in term or os.environ.get("COLORTERM") in {"truecolor", "24bit"}:
        return 256
    return 8


def columns() -> int | None:
    """The width of the terminal; None where there is none, and lines may be as long as they like."""
    if not _is_terminal():
        return None
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or None
    except OSError:
        return None


def _is_terminal() -> bool:
    # Python has no stdout at all where it was closed before the start.
    return sys.stdout is not None and sys.stdout.isatty()


def table_lines(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as lines: the first column to the left, numbers to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
