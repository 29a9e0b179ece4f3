"""Named games: rules, size and mines together."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from sapper.core.arguments import check_type
from sapper.core.grid import Grid
from sapper.core.rules import RULES, Rules, find_rules
from sapper.core.words import counted, do_not
from sapper.errors import LayoutError, UnknownNameError

if TYPE_CHECKING:
    from fractions import Fraction  # to import it takes milliseconds of every start


def check_mines(grid: Grid, mine_count: int) -> int:
    """The mine count itself, or `LayoutError` if so many cannot lie on the grid."""
    if not 0 <= mine_count <= grid.size:
        raise LayoutError(
            f"{counted(mine_count, 'mine')} {do_not(mine_count)} fit {grid.width}x{grid.height} cells: 0 to {grid.size} are possible"
        )
    return mine_count


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """A game by name. Where it has several mine counts, the seed draws one."""

    name: str
    rules: Rules
    width: int
    height: int
    mine_counts: tuple[int, ...]

    def __post_init__(self) -> None:
        if not self.mine_counts:
            raise LayoutError(f"preset {self.name!r} needs at least one mine count")
        for mines in self.mine_counts:
            check_mines(self.grid, mines)

    @property
    def grid(self) -> Grid:
        """The grid it is played on."""
        return Grid(self.width, self.height)

    def changed(
        self, *, rules: str | None = None, size: tuple[int, int] | None = None, mine_counts: tuple[int, ...] = (), **switches: object
    ) -> "Preset":  # fmt: skip
        """The game with other rules, by name, another size or other mines; `switches` are values of its rules. None changes nothing."""
        chosen = self.rules if rules is None else find_rules(rules)
        width, height = size or (self.width, self.height)
        return Preset(
            name=self.name,
            rules=chosen.replace(**{name: value for name, value in switches.items() if value is not None}),
            width=width,
            height=height,
            mine_counts=mine_counts or self.mine_counts,
        )


def rounded_share(cells: int, percent: "int | Fraction") -> int:
    """How many mines a percentage of the cells is, rounded half up: the one rule for levels and densities."""
    return int((cells * percent + 50) // 100)


def percent_of_mines(cells: int, percent: int) -> int:
    """The mines of a level: `rounded_share`, and at least one (or the game is won before it starts)."""
    return max(1, rounded_share(cells, percent))


def _preset(name: str, rules: str, width: int, height: int, *mine_counts: int) -> Preset:
    return Preset(name=name, rules=RULES[rules], width=width, height=height, mine_counts=mine_counts)


PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        preset.name: preset
        for preset in (
            _preset("kata", "kata", 3, 3, 1, 3),
            _preset("beginner", "modern", 9, 9, 10),
            _preset("beginner8", "modern", 8, 8, 10),
            _preset("intermediate", "modern", 16, 16, 40),
            _preset("expert", "modern", 30, 16, 99),
            _preset("engine", "engine", 30, 16, 99),
            _preset("formal", "formal", 10, 10, 15),
            *(
                _preset(f"jminesweeper-{level}", "jminesweeper", 20, 10, percent_of_mines(200, percent))
                for level, percent in ((1, 5), (2, 25), (3, 45))
            ),
        )
    }
)
"""The presets of sapper."""


_SIZED: Final = re.compile(r"([0-9]{1,9})x([0-9]{1,9})/([0-9]{1,9})")


def find_preset(name: str) -> Preset:
    """The preset of that name; `UnknownNameError` otherwise."""
    check_type("name", name, str)
    preset = PRESETS.get(name)
    if preset is None:
        raise UnknownNameError("preset", name, PRESETS)
    return preset


def as_preset(preset: Preset | str) -> Preset:
    """A preset that is given by name, as `9x9/10` (of rules `modern`) or as a value; `UnknownNameError` and `ArgumentError` otherwise."""
    if isinstance(preset, str):
        sized = _SIZED.fullmatch(preset)
        if sized is not None:
            return _preset(preset, "modern", *map(int, sized.groups()))
        if preset not in PRESETS:
            raise UnknownNameError("preset", preset, (*PRESETS, "WIDTHxHEIGHT/MINES"))
        return PRESETS[preset]
    check_type("preset", preset, Preset)
    return preset
