"""The kinds of cells of an SVG picture, each defined once, when it is first used."""

from typing import Final

from sapper.core.tile import Tile
from sapper.render import glyphs
from sapper.render.picture_palette import PicturePalette, ink_on

_SQUARE: Final = "M0 0h16v16H0z"
_SCALE: Final = f'transform="scale({1 / glyphs.CELL:g})"'
_WIDE: Final = 'fill="none" stroke-width="2.3"'


class Shapes:
    """The shapes that one picture uses; a method a kind, which answers its name for `use`."""

    __slots__ = ("_defined", "_palette", "_prefix")

    def __init__(self, palette: PicturePalette, prefix: str) -> None:
        self._palette = palette
        self._prefix = prefix
        self._defined: dict[str, str] = {}

    def use(self, name: str, x: float, y: float, tip: str = "") -> str:
        """A shape in column `x` of row `y`, with what a browser shows when the pointer is over it."""
        if name not in self._defined:
            getattr(self, f"_define_{name}")()
        start = f'<use href="#{self._prefix}{name}" x="{x:g}" y="{y:g}"'
        return f"{start}><title>{tip}</title></use>" if tip else f"{start}/>"

    def definitions(self) -> str:
        return "\n".join(["<defs>", *self._defined.values(), "</defs>"])

    # --- cells as the board has them ----------------------------------------------------------------

    def tile(self, code: int) -> str:
        name = f"n{code}" if code <= Tile.EIGHT else Tile(code).name.lower()
        if name not in self._defined:
            self._define(name, self._clue(code) if code <= Tile.EIGHT else self._other(Tile(code)))
        return name

    def small(self, code: int) -> str:
        """A flag or a question mark in the corner of a cell that shows something else."""
        name = f"small-{Tile(code).name.lower()}"
        if name not in self._defined:
            sign = self._question() if code == Tile.QUESTION else self._flag()
            self._define(name, f'<g transform="translate(8.2 .6) scale(.48)">{sign}</g>')
        return name

    def _clue(self, clue: int) -> str:
        digit = f'<path d="{glyphs.DIGITS[clue]}" stroke="{self._palette.clues[clue - 1]}" {_WIDE}/>'
        if not self._palette.pips:
            return digit
        pips = f'<path d="{glyphs.pips(clue)}" fill="{self._palette.clues[clue - 1]}"/>'
        return f'<g transform="translate(1 -1) scale(.875)">{digit}</g>{pips}'

    def _other(self, tile: Tile) -> str:
        palette = self._palette
        match tile:
            case Tile.FLAGGED:
                return self._raised(palette.covered) + self._flag()
            case Tile.QUESTION:
                return self._raised(palette.covered) + self._question()
            case Tile.MINE:
                return _mine("#000", "#fff")
            case Tile.EXPLODED:
                burst = f'<path d="{glyphs.BURST}" fill="#fff"/>' if palette.pips else ""
                return f'<path d="{_SQUARE}" fill="{palette.exploded}"/>{burst}' + _mine("#000", "#fff")
            case Tile.WRONG_FLAG:
                cross = f'<path d="{glyphs.CROSS}" fill="none" stroke="{palette.cross}" stroke-width="1.2"/>'
                halo = f'<path d="{glyphs.CROSS}" fill="none" stroke="{palette.light}" stroke-width="2.2"/>'
                return self._flag() + halo + cross
            case _:
                return self._raised(palette.covered)

    def _flag(self) -> str:
        return f'<path d="{glyphs.POLE}"/><path d="{glyphs.CLOTH}" fill="{self._palette.flag}"/>'

    def _question(self) -> str:
        return f'<path d="{glyphs.QUESTION}" stroke="#000" {_WIDE}/>'

    def _raised(self, face: str) -> str:
        palette = self._palette
        return (
            f'<g shape-rendering="crispEdges"><path d="{_SQUARE}" fill="{face}"/>'
            f'<path d="{glyphs.LIGHT_EDGE}" fill="{palette.light}"/><path d="{glyphs.DARK_EDGE}" fill="{palette.shade}"/></g>'
        )

    def label(self, value: int) -> str:
        name = f"l{value}"
        if name not in self._defined:
            self._define(name, _number(value, self._palette.label, x=8, y=8, scale=0.5))
        return name

    # --- cells about which something is said ----------------------------------------------------------

    def chance(self, chance: float) -> str:
        """A covered cell with its chance to be a mine, in percent."""
        percent = min(99, max(1, round(100 * chance)))  # 0 and 100 would read as certain
        name = f"p{percent}"
        if name not in self._defined:
            colour = self._palette.heat_colour(percent / 100)
            self._define(name, self._raised(colour) + _number(percent, ink_on(colour), x=8, y=8, scale=0.72))
        return name

    def certain(self, *, safe: bool, number: int | None) -> str:
        """A covered cell that is safe, or a mine; with the number of the step that showed it."""
        name = ("safe" if safe else "mined") + ("" if number is None else str(number))
        if name not in self._defined:
            colour = self._palette.safe if safe else self._palette.mined
            ink = ink_on(colour)
            sign = (
                f'<path d="{glyphs.CHECK}" stroke="{ink}" {_WIDE}/>'
                if safe
                else f'<g transform="translate(.8 .8) scale(.9)">{_mine(ink, colour)}</g>'
            )
            if number is not None:
                sign = f'<g transform="translate(4.2 7.7) scale(.47)">{sign}</g>' + _number(
                    number, ink, x=8, y=5.4, scale=0.62 if number < 100 else 0.5
                )
            self._define(name, self._raised(colour) + sign)
        return name

    def _define_read(self) -> None:
        self._outline("read", glyphs.RING, self._palette.read, "#fff", 1.6, 3)

    def _define_best(self) -> None:
        self._outline("best", glyphs.RING, self._palette.best, "#000", 1.8, 3.4)

    def _define_last(self) -> None:
        self._outline("last", glyphs.BRACKETS, "#000", "#fff", 1.5, 3.2)

    def _outline(self, name: str, path: str, colour: str, halo: str, width: float, wider: float) -> None:
        """A line with another below it, so that it is seen on every colour."""
        self._define(
            name,
            f'<g fill="none"><path d="{path}" stroke="{halo}" stroke-width="{wider:g}"/>'
            f'<path d="{path}" stroke="{colour}" stroke-width="{width:g}"/></g>',
        )

    def _define(self, name: str, content: str) -> None:
        self._defined[name] = f'<g id="{self._prefix}{name}" {_SCALE}>{content}</g>'


def _number(value: int, colour: str, *, x: float, y: float, scale: float) -> str:
    """A number with its middle at (x, y), in units."""
    digits = str(value)
    advance = 7.6
    left = -advance * (len(digits) - 1) / 2 - 8
    parts = "".join(
        f'<path d="{glyphs.DIGITS[int(digit)]}" transform="translate({left + advance * place:g} -8)"/>'
        for place, digit in enumerate(digits)
    )
    return (
        f'<g transform="translate({x:g} {y:g}) scale({scale:g})" fill="none" stroke="{colour}" stroke-width="1.8">'
        f"{parts}</g>"
    )


def _mine(colour: str, glint: str) -> str:
    return f'<g color="{colour}">{glyphs.MINE}<path d="{glyphs.GLINT}" fill="{glint}"/></g>'
