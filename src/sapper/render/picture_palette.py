"""The colours of pictures: the classic ones, and a set that is told apart by every kind of colour vision.

The classic colours of the numbers are the convention of thirty years (1 blue, 2 green, 3 red, 4 navy, 5 maroon,
6 teal, 7 black, 8 grey, on the grey of the board), faint contrasts included. The clear palette is for whoever
cannot use them: each number has a contrast of at least 4.5 to 1 (WCAG 2.2, 1.4.3), is dark or light, blue or
yellow enough to be told from the others without red or without green, and has its count once more below it: a dot
for one, a bar for five. Chances run from light blue to dark red, so that brightness alone tells them.
"""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

RGB = tuple[int, int, int]
"""Red, green and blue, 0 to 255."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PicturePalette:
    """Colours as `#rgb` or `#rrggbb`."""

    name: str
    clues: tuple[str, str, str, str, str, str, str, str]
    """The numbers 1 to 8."""
    pips: bool
    """True if each number has its count below it too: a dot for one, a bar for five."""
    revealed: str
    lines: str
    """Between revealed cells."""
    covered: str
    light: str
    """The upper left edges of what stands out."""
    shade: str
    """Its lower right edges."""
    label: str
    """The numbers of columns and rows, written on `covered`."""
    counter: str
    """The lit segments of the counter, on black."""
    flag: str
    cross: str
    """Over a flag that was wrong."""
    exploded: str
    """Behind the mine that was struck."""
    heat: tuple[tuple[float, RGB], ...]
    """Colours of chances from 0 to 1, ascending; between them they are mixed."""
    safe: str
    """Cells that are certain to be safe."""
    mined: str
    """Cells that are certain to be mines."""
    read: str
    """Around the clues that a step reads."""
    best: str
    """Around the cell to reveal."""

    def heat_colour(self, chance: float) -> str:
        """The colour of a chance.

        >>> CLASSIC.heat_colour(0.0), CLASSIC.heat_colour(1.0)
        ('#8fd18f', '#d93a2b')
        """
        (low, first), *rest = self.heat
        for high, second in rest:
            if chance <= high:
                share = (chance - low) / (high - low)
                return colour_of(tuple(round(a + share * (b - a)) for a, b in zip(first, second, strict=True)))
            low, first = high, second
        return colour_of(first)


def colour_of(rgb: tuple[int, ...]) -> str:
    """A colour in six hexadecimal digits.

    >>> colour_of((0, 128, 255))
    '#0080ff'
    """
    return "#" + "".join(f"{part:02x}" for part in rgb)


def rgb_of(colour: str) -> RGB:
    """The three parts of a colour.

    >>> rgb_of("#08f"), rgb_of("#0080ff")
    ((0, 136, 255), (0, 128, 255))
    """
    digits = colour[1:]
    if len(digits) == 3:
        digits = "".join(2 * digit for digit in digits)
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)


def luminance(colour: str) -> float:
    """How bright a colour is, from 0 to 1: WCAG 2.2's relative luminance."""

    def linear(part: int) -> float:
        share = part / 255
        return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4

    red, green, blue = map(linear, rgb_of(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """WCAG 2.2's contrast ratio of two colours, from 1 to 21.

    >>> contrast("#fff", "#000")
    21.0
    """
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def ink_on(colour: str) -> str:
    """Black or white, whichever is read better on a colour."""
    return "#000" if contrast("#000", colour) >= contrast("#fff", colour) else "#fff"


CLASSIC: Final = PicturePalette(
    name="classic",
    clues=("#0000ff", "#008000", "#ff0000", "#000080", "#800000", "#008080", "#000000", "#808080"),
    pips=False,
    revealed="#c0c0c0",
    lines="#808080",
    covered="#c0c0c0",
    light="#fff",
    shade="#808080",
    label="#404040",
    counter="#ff2a2a",
    flag="#f00",
    cross="#000",
    exploded="#f00",
    heat=(
        (0.0, (143, 209, 143)),
        (0.2, (222, 224, 130)),
        (0.4, (248, 196, 92)),
        (0.7, (236, 122, 62)),
        (1.0, (217, 58, 43)),
    ),
    safe="#17702f",
    mined="#8c1616",
    read="#0060ff",
    best="#ffe100",
)
"""The colours that players know."""

CLEAR: Final = PicturePalette(
    name="clear",
    clues=("#0452ec", "#113e2e", "#b84303", "#62388f", "#65441c", "#07736d", "#050505", "#54024a"),
    pips=True,
    revealed="#f4f4f2",
    lines="#b4b8bc",
    covered="#9fb0c3",
    light="#e4ecf5",
    shade="#54657a",
    label="#1c2733",
    counter="#ffb000",
    flag="#7a1200",
    cross="#000",
    exploded="#ffb000",
    heat=(
        (0.0, (226, 240, 255)),
        (0.25, (250, 214, 150)),
        (0.5, (230, 150, 70)),
        (0.75, (178, 84, 34)),
        (1.0, (110, 30, 14)),
    ),
    safe="#0b4fb3",
    mined="#2b0a05",
    read="#0452ec",
    best="#ffe100",
)
"""Colours for every kind of colour vision, and numbers that differ by shape too."""

PICTURE_PALETTES: Final = MappingProxyType({palette.name: palette for palette in (CLASSIC, CLEAR)})
"""The palettes by name."""
