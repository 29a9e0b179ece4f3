"""The shapes that pictures are made of, as SVG: drawn, not written, so that no machine's fonts matter.

A cell is 16 units wide and high, as it was in pixels when the classic look was made. Strokes and fills that a
shape does not set are those of whoever uses it.
"""

from typing import Final

CELL: Final = 16
"""Units a cell."""

DIGITS: Final = (
    "M5 7a3 3.3 0 0 1 6 0v2a3 3.3 0 0 1-6 0z",
    "M5 6 8.4 3.7V12.4M5.2 12.4h6",
    "M4.9 6.2C5.2 4.4 6.4 3.6 8 3.6c1.8 0 3 1 3 2.6 0 2.4-4.2 3.5-5.9 6.2h6.2",
    "M5 4.9C5.8 4 6.8 3.6 7.9 3.6c1.7 0 2.9.8 2.9 2.1S9.7 7.8 7.9 7.8H7h.9c2 0 3.2.9 3.2 2.3s-1.3 2.3-3.2 2.3c-1.2 0-2.3-.4-3.1-1.3",
    "M9.5 13V3.8L4.7 10.1H12",
    "M11 3.6H5.9L5.5 7.7C6.1 7.2 7 6.9 7.9 6.9c1.9 0 3.2 1.1 3.2 2.7s-1.3 2.8-3.2 2.8c-1.2 0-2.3-.5-3-1.4",
    "M10.7 4.3C10.1 3.8 9.3 3.6 8.5 3.6 6.3 3.6 5 5.5 5 8.2v1.2a3 3 0 1 0 6 0a3 2.8 0 0 0-6 0",
    "M4.7 3.7H11.2L7.3 13",
    "M8 7.7a2.6 2.05 0 1 1 .01 0zM8 7.7a3 2.35 0 1 0 .01 0z",
    "M5.3 11.7c.6.5 1.4.7 2.2.7 2.2 0 3.5-1.9 3.5-4.6V6.6a3 3 0 1 0-6 0a3 2.8 0 0 0 6 0",
)
"""The digits as lines in the middle of a cell, to be drawn with a wide stroke."""

QUESTION: Final = "M5.3 6C5.5 4.4 6.6 3.6 8 3.6c1.6 0 2.8 1 2.8 2.4C10.8 8 8.1 8 8.1 10.1M8.1 11.6v1.8"
CHECK: Final = "M4 8.6 7 11.6 12.2 4.8"
CROSS: Final = "M2 2l12 12M14 2 2 14"

LIGHT_EDGE: Final = "M0 0H16L14 2H2V14L0 16z"
DARK_EDGE: Final = "M16 16H0L2 14H14V2L16 0z"

POLE: Final = "M8.2 2.6h1.4v8.6H8.2zM5.6 10.8h6.2v1.2H5.6zM3.6 12h10.2v1.8H3.6z"
CLOTH: Final = "M9.2 2V8.8L2.8 5.4z"

MINE: Final = (
    '<path d="M8 2v12M2 8h12M3.8 3.8l8.4 8.4M12.2 3.8l-8.4 8.4" stroke="currentColor" stroke-width="1.3"/>'
    '<circle cx="8" cy="8" r="4.3" fill="currentColor"/>'
)
GLINT: Final = "M5.7 5.7h2v2h-2z"
BURST: Final = "M8 0l1.9 3.4L13.7 2.3 12.6 6.1 16 8 12.6 9.9 13.7 13.7 9.9 12.6 8 16 6.1 12.6 2.3 13.7 3.4 9.9 0 8 3.4 6.1 2.3 2.3 6.1 3.4z"

BRACKETS: Final = "M1.2 5.5V1.2H5.5M10.5 1.2h4.3V5.5M14.8 10.5v4.3H10.5M5.5 14.8H1.2V10.5"
"""The four corners of a cell."""
RING: Final = "M1.5 1.5h13v13h-13z"

SEGMENTS: Final = (
    "M2 .8h6L6.6 2.6H3.4z",
    "M9 1.6V8L7.2 6.8V3.2z",
    "M9 10V16.4L7.2 14.8V11.2z",
    "M2 17.2h6L6.6 15.4H3.4z",
    "M1 10V16.4L2.8 14.8V11.2z",
    "M1 1.6V8L2.8 6.8V3.2z",
    "M2 9 3.2 8.1H6.8L8 9 6.8 9.9H3.2z",
)
"""The segments a to g of a digit of a counter, 10 units wide and 18 high."""
LIT: Final = {
    "0": "abcdef", "1": "bc", "2": "abdeg", "3": "abcdg", "4": "bcfg",
    "5": "acdfg", "6": "acdefg", "7": "abc", "8": "abcdefg", "9": "abcdfg", "-": "g",
}  # fmt: skip
"""Which segments make which sign."""

SMILE: Final = '<circle cx="8.7" cy="10" r="1.1"/><circle cx="15.3" cy="10" r="1.1"/><path d="M7.5 14.5C9 16.7 15 16.7 16.5 14.5" fill="none" stroke="#000" stroke-width="1.2"/>'
COOL: Final = '<path d="M4.5 8.5h15v1.3l-1.3.2c0 2-1 3-2.7 3s-2.8-1-2.9-2.7h-1.2C11.3 12 10.2 13 8.5 13s-2.7-1-2.7-3l-1.3-.2z"/><path d="M7.5 15.3C9 17 15 17 16.5 15.3" fill="none" stroke="#000" stroke-width="1.2"/>'
DEAD: Final = '<path d="M7.2 8.5l3 3m0-3l-3 3M13.8 8.5l3 3m0-3l-3 3M7.7 17C9.2 14.7 14.8 14.7 16.3 17" fill="none" stroke="#000" stroke-width="1.2"/>'
"""Faces on a round head of 24 by 24 units: of a game that runs, is won, is lost."""


def pips(clue: int) -> str:
    """A number below itself as an outline to fill: a dot for one, a bar for five.

    >>> pips(6).count("a")
    2
    """
    bars, dots = divmod(clue, 5)
    parts = []
    if bars:
        parts.append("M4 14h8v1.3h-8z")
    y = 12.7 if bars else 13.7
    x = 8 - 1.5 * (dots - 1)
    parts += [f"M{x + 3 * number - 0.9:g} {y:g}a.9.9 0 1 1 1.8 0a.9.9 0 1 1-1.8 0z" for number in range(dots)]
    return "".join(parts)
