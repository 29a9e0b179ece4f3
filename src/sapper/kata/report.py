"""The report on a kata's document, in red and green: for a screen, a log file, and for programs.

The log is the same text without colours, and tells what was played too. Nothing in it changes from one run to the
next: no dates, no times.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from sapper.kata.document import Fault, Verdict
from sapper.render.ansi import PLAIN, Palette

_INDENT = " " * 7
_WIDEST = 60
"""Boards wider than this are shown one below the other."""


def verdict_text(verdict: Verdict, palette: Palette = PLAIN, *, told: bool = False) -> str:
    """One verdict: a line, what is wrong if it is red, and (if asked for) what was played."""
    item = verdict.item
    colour = palette.green if verdict.is_green else palette.red
    word = colour("green" if verdict.is_green else "red  ")
    lines = [f"{word}  {item.name:<11}  {item.title}".rstrip()]
    if told and verdict.told:
        lines += _indented("\n\n".join(verdict.told))
        if verdict.runs > 1:
            lines += _indented(f"(the same in each of the {verdict.runs} games that are as shown)")
        lines.append("")
    if verdict.fault is not None:
        lines += _indented(_fault_text(verdict.fault, palette))
        lines.append("")
    return "\n".join(lines)


def total_text(verdicts: Sequence[Verdict], palette: Palette = PLAIN) -> str:
    """How many are green and how many red, and which are red."""
    red = [verdict for verdict in verdicts if not verdict.is_green]
    green = palette.green(f"{len(verdicts) - len(red)} green")
    if not red:
        return f"{green}, 0 red"
    names = ", ".join(verdict.item.name for verdict in red)
    return f"{green}, {palette.red(f'{len(red)} red')}: {names}"


def log_text(name: str, verdicts: Sequence[Verdict]) -> str:
    return "\n".join([name, "", *(verdict_text(one, told=True) for one in verdicts), total_text(verdicts), ""])


def as_data(name: str, verdicts: Sequence[Verdict]) -> dict[str, Any]:
    return {
        "file": name,
        "green": sum(verdict.is_green for verdict in verdicts),
        "red": sum(not verdict.is_green for verdict in verdicts),
        "results": [_verdict_data(verdict) for verdict in verdicts],
    }


def _verdict_data(verdict: Verdict) -> dict[str, Any]:
    item, fault = verdict.item, verdict.fault
    return {
        "kind": item.kind.name.lower(),
        "number": item.number,
        "title": item.title,
        "line": item.line,
        "mark": item.mark or None,
        "colour": "green" if verdict.is_green else "red",
        "runs": verdict.runs,
        "fault": fault and {"line": fault.line, "reason": fault.reason, "expected": fault.expected, "got": fault.got},
    }


def _fault_text(fault: Fault, palette: Palette) -> str:
    lines = [f"line {fault.line}: {fault.reason}"]
    if fault.expected is not None and fault.got is not None:
        expected = ["expected", *fault.expected.split("\n")]
        got = ["got", *fault.got.split("\n")]
        lines += _side_by_side(expected, got, palette)
    return "\n".join(lines)


def _side_by_side(expected: list[str], got: list[str], palette: Palette) -> Iterator[str]:
    width = max(map(len, expected))
    if width > _WIDEST:
        yield from map(palette.green, expected)
        yield from map(palette.red, got)
        return
    for number in range(max(len(expected), len(got))):
        left = expected[number] if number < len(expected) else ""
        right = got[number] if number < len(got) else ""
        yield f"{palette.green(left)}{' ' * (width - len(left))}    {palette.red(right)}".rstrip()


def _indented(text: str) -> list[str]:
    return [f"{_INDENT}{line}".rstrip() for line in text.split("\n")]
