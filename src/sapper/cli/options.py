"""Options that several commands share, and the game they describe together."""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sapper.config.settings import SETTINGS
from sapper.core.cells import Cell
from sapper.core.coordinates import place_name, read_cell, read_place
from sapper.core.grid import Grid
from sapper.core.preset import PRESETS, Preset, find_preset
from sapper.core.rules import Start, find_rules
from sapper.errors import CellError, LayoutError, NotationError

if TYPE_CHECKING:
    from sapper.generator.board_list import ListedGame
    from sapper.simulate.shards import Shard

    PairType = click.ParamType[tuple[int, int]]
    ShardType = click.ParamType[Shard]
    TextType = click.ParamType[str]
else:
    PairType = ShardType = TextType = click.ParamType  # before 8.3.2 it takes no type

Command = TypeVar("Command", bound=Callable[..., Any])

_SIZE = re.compile(r"(\d{1,9})[xX×](\d{1,9})")
_SHARD = re.compile(r"(\d{1,9})/(\d{1,9})")
_DRAWN_SEEDS = 1 << 32


class Size(PairType):
    """`WIDTHxHEIGHT`."""

    name = "WIDTHxHEIGHT"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        """Width and height."""
        match = _SIZE.fullmatch(str(value))
        if match is None:
            self.fail(f"a size is WIDTHxHEIGHT, for instance 9x9, not {str(value)[:40]!r}", param, ctx)
        return int(match[1]), int(match[2])


class CellAt(TextType):
    """A cell of a board that is not known yet: `c4`, or `X,Y` from 0."""

    name = "CELL"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The cell's name; `cell_of` finds it on the board."""
        try:
            return place_name(*read_place(str(value)))
        except NotationError as error:
            self.fail(error.message, param, ctx)


def cell_of(grid: Grid, name: str) -> Cell:
    """The cell that such an option names; `CellError` if it is off the board."""
    try:
        return read_cell(grid, name)
    except NotationError as error:
        raise CellError(error.message) from None


class ShardOf(ShardType):
    """`K/N`."""

    name = "K/N"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> "Shard":
        """A part of a run."""
        from sapper.simulate.shards import Shard

        match = _SHARD.fullmatch(str(value))
        if match is None or not 1 <= int(match[1]) <= int(match[2]):
            self.fail(f"a part is K/N, K from 1 to N, for instance 2/8, not {str(value)[:40]!r}", param, ctx)
        return Shard(int(match[1]), int(match[2]))


class Finite(click.FloatRange):
    """A number in a range; `nan`, which is in every range to Click, and infinity are none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number."""
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value!r} is not a finite number", param, ctx)
        return number


def preset_option(default: str | None = "beginner") -> Callable[[Command], Command]:
    """The option `--preset`, with what each preset is."""
    return click.option(
        "--preset",
        shell_complete=names_completed(PRESETS),
        default=default,
        show_default=True,
        help="The game: beginner (9x9/10), beginner8 (8x8/10), intermediate (16x16/40), expert (30x16/99); engine (Expert's board, any first "
        "cell, cascades clear flags), formal (10x10/15, won by revealing or by flagging), jminesweeper-1 to -3 (20x10, 5, 25 or 45 % mines, "
        "won by flagging), kata (3x3, 1 or 3 mines).",
    )


def names_completed(names: Iterable[str]) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """What a shell offers for an option that takes one of these names, or other text."""
    known = tuple(names)
    return lambda _context, _param, begun: [name for name in known if name.startswith(begun)]


START = click.Choice([start.value for start in Start])
"""The start rules by name."""

database_option = click.option(
    "--database", metavar="URL",
    help="The store: a file's path, or postgresql://USER@HOST/NAME. [default: the setting store.database]",
)  # fmt: skip
"""The option of every command that records, or asks what was recorded (`storing` opens it)."""

backend_option = click.option(
    "--backend",
    type=click.Choice(["auto", "reference"]),
    default="auto",
    show_default=True,
    help="reference: play in Python, without the native library.",
)
"""The option of commands that play many games."""


resume_option = click.option(
    "--resume",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Save games to this file while they are played, and continue from it. A run that is killed loses the last seconds at most.",
)
"""The option of commands whose run can be continued (`playing`)."""


def shard_option(text: str) -> Callable[[Command], Command]:
    """The option of commands that several machines can share; `text` says what a part is."""
    return click.option("--shard", type=ShardOf(), help=text)


def move_limit_option(default: float) -> Callable[[Command], Command]:
    """The option of commands that have somebody else's strategy play; `default` is in seconds (`simulate.external`)."""
    return click.option(
        "--move-limit",
        type=Finite(min=0, min_open=True),
        default=default,
        show_default=True,
        help="Seconds a move, for a strategy that is not sapper's own.",
    )


MOST_WORKERS = 256

workers_option = click.option(
    "--workers",
    type=click.IntRange(1, MOST_WORKERS),
    default=1,
    show_default=True,
    help="Games played at a time; changes no result.",
)
"""The option of commands that play many games."""


def setting_option(key: str, *names: str, **others: Any) -> Callable[[Command], Command]:
    """An option that is a setting too: default, range and help are the setting's, unless they are given."""
    setting = SETTINGS[key]
    found: dict[str, Any] = {"default": setting.default, "help": setting.help, "show_default": True}
    match setting.default:
        case tuple():
            found |= {"multiple": True, "show_default": False}
        case bool() | Mapping():
            pass  # a flag, by its names; tables have no options
        case int():
            least, most = (None if end is None else int(end) for end in (setting.least, setting.most))
            found["type"] = click.IntRange(least, most)
        case float():
            found["type"] = Finite(setting.least, setting.most)
        case str() if setting.choices:
            found["type"] = click.Choice(setting.choices)
        case str():
            pass
    return click.option(*names, **(found | others))


class HostPort(click.ParamType):  # type: ignore[type-arg]  # older Clicks have it not generic
    """HOST:PORT as a pair; nothing is None."""

    name = "HOST:PORT"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, int] | None:
        """The pair, or a usage error."""
        if not value or isinstance(value, tuple):
            return value or None
        host, _, port = str(value).rpartition(":")
        if not host or not (port.isascii() and port.isdecimal() and int(port) <= 65535):
            self.fail(f"write HOST:PORT, such as 127.0.0.1:9998 ([::1]:9998), not {value!r}.", param, ctx)
        return host.removeprefix("[").removesuffix("]"), int(port)


def serving_options(metrics: str) -> Callable[[Command], Command]:
    """The options of every server: `metrics` is the setting for the address of its metrics."""

    def add(command: Command) -> Command:
        for option in (
            setting_option("log.level", "--log-level"),
            setting_option("log.format", "--log-format"),
            setting_option(metrics, "--metrics", type=HostPort(), show_default=False),
        ):
            command = option(command)
        return command

    return add


def advisor_options(command: Command) -> Command:
    """Who advises where no cell is safe: `strategy` and `seconds`."""
    strategy = setting_option("advice.strategy", "--strategy", help="Whose guess is named where no cell is safe.")
    time = setting_option(
        "advice.time", "--time", "seconds", metavar="SECONDS",
        help="How long the strategy playouts may think; its guess then depends on the machine.",
    )  # fmt: skip
    return strategy(time(command))


def chosen_game(
    preset: str, *, rules: str | None, size: tuple[int, int] | None, mines: int | None, start: str | None
) -> Preset:
    """The preset of that name with what the other options change of it; the error of whatever cannot be."""
    base = find_preset(preset)
    chosen = base.rules if rules is None else find_rules(rules)
    if start is not None:
        chosen = chosen.replace(start=Start(start))
    width, height = size or (base.width, base.height)
    counts = base.mine_counts if mines is None else (mines,)
    Grid(width, height)  # a size that cannot be is said before its mines are
    try:
        return Preset(name=base.name, rules=chosen, width=width, height=height, mine_counts=counts)
    except LayoutError as error:
        if mines is None:
            raise LayoutError(f"{error}; say how many with --mines") from None
        raise


def rules_of_list(listed: "ListedGame", rules: str | None) -> Preset:
    """What a game of a board list is played by: the rules that are asked for (else those of Expert), on the grid and with the mines of the layout."""
    layout = listed.layout
    size = (layout.grid.width, layout.grid.height)
    return chosen_game("expert", rules=rules, size=size, mines=layout.mine_count, start="any")


def seed_or_drawn(seed: int | None) -> int:
    """The seed that was asked for, else one drawn: short enough to be typed again."""
    if seed is not None:
        return seed
    import secrets  # OpenSSL comes with it

    return secrets.randbelow(_DRAWN_SEEDS)
