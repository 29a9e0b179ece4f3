"""Options that several commands share, and the game they describe together."""

import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sapper.config.configuration import load
from sapper.config.settings import SETTINGS
from sapper.core.cells import Cell
from sapper.core.coordinates import cell_name, place_name, read_cell, read_place
from sapper.core.grid import Grid
from sapper.core.preset import PRESETS, Preset, as_preset, rounded_share
from sapper.core.rules import RULES, Start
from sapper.core.words import counted
from sapper.errors import CellError, LayoutError, NotationError
from sapper.solver.strategies.registry import STRATEGIES

if TYPE_CHECKING:
    from sapper.generator.board_file import ListedGame
    from sapper.simulate.plan import Shard

Command = TypeVar("Command", bound=Callable[..., Any])

_SIZE = re.compile(r"(\d{1,9})[xX×](\d{1,9})")
_PERCENT = re.compile(r"(\d{1,3}(?:\.\d{1,9})?)%")
_SHARD = re.compile(r"(\d{1,9})/(\d{1,9})")
_RANDOM_SEEDS = 1 << 32


def is_given(name: str) -> bool:
    """True for an option of the running command that stands on the command line."""
    source = click.get_current_context().get_parameter_source(name)
    return source is click.core.ParameterSource.COMMANDLINE


# Click calls these with what was typed; a `BadParameter` gets the option's name from it.


def size_from(text: object) -> tuple[int, int]:
    match = _SIZE.fullmatch(str(text))
    if match is None:
        raise click.BadParameter(f"a size is WIDTHxHEIGHT, for instance 9x9, not {str(text)[:40]!r}")
    return int(match[1]), int(match[2])


def mine_count_from(text: object) -> int | Fraction:
    """The number; a percentage of the cells as a fraction, because half a mine must be told from less than half."""
    match = _PERCENT.fullmatch(str(text))
    if match is not None and float(match[1]) <= 100:
        return Fraction(match[1])
    try:
        return int(str(text))
    except ValueError:
        raise click.BadParameter(f"a number of mines is 40 or 20%, not {str(text)[:40]!r}") from None


def cell_from(text: object) -> str:
    """The name of a cell of a board that is not known yet: `c4`, or `X,Y` from 0; `cell_of` finds it on the board."""
    try:
        return place_name(*read_place(str(text)))
    except NotationError as error:
        raise click.BadParameter(error.message) from None


def cell_of(grid: Grid, name: str) -> Cell:
    """The cell that such an option names; `CellError` if it is off the board."""
    try:
        return read_cell(grid, name)
    except NotationError as error:
        raise CellError(error.message) from None


def shard_from(text: object) -> "Shard":
    from sapper.simulate.plan import Shard

    match = _SHARD.fullmatch(str(text))
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise click.BadParameter(f"a part is K/N, K from 1 to N, for instance 2/8, not {str(text)[:40]!r}")
    return Shard(int(match[1]), int(match[2]))


def names_completed(names: Iterable[str]) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """What a shell offers for an option that takes one of these names, or other text."""
    known = tuple(names)
    return lambda _context, _param, begun: [name for name in known if name.startswith(begun)]


def preset_option(default: str | None = "beginner") -> Callable[[Command], Command]:
    return click.option(
        "--preset",
        shell_complete=names_completed(PRESETS),
        default=default,
        show_default=True,
        help="The game: beginner (9x9/10), beginner8 (8x8/10), intermediate (16x16/40), expert (30x16/99); engine (Expert's board, any first "
        "cell, cascades clear flags), formal (10x10/15, won by revealing or by flagging), jminesweeper-1 to -3 (20x10, 5, 25 or 45 % mines, "
        "won by flagging), kata (3x3, 1 or 3 mines); or WIDTHxHEIGHT/MINES.",
    )


rules_option = click.option(
    "--rules",
    metavar="NAME",
    shell_complete=names_completed(RULES),
    help=f"Other rules for it: {', '.join(RULES)}; with changes: modern+start=safe+spread=4.",
)

_size_options = (
    click.option("--size", type=size_from, metavar="WIDTHxHEIGHT", help="Another size."),
    click.option(
        "--mines", type=mine_count_from, metavar="N|P%", help="Another number of mines, or a percentage of the cells."
    ),
)
_start_options = (
    click.option(
        "--start", type=click.Choice([start.value for start in Start]), help="Another rule for the first reveal."
    ),
    click.option(
        "--first",
        type=cell_from,
        metavar="CELL",
        help="The first cell to reveal. Start open: d4 on Expert, c3 on smaller; else a1.",
    ),
)


def game_options(*, default: str | None = "beginner", with_start: bool = True) -> Callable[[Command], Command]:
    def add(command: Command) -> Command:
        for option in reversed(
            (preset_option(default), rules_option, *_size_options, *(_start_options if with_start else ()))
        ):
            command = option(command)
        return command

    return add


def strategy_words() -> str:
    return f"{', '.join(STRATEGIES)}; playouts@N (with N playouts a move) or playouts@0.5s; a plugin's; module:factory, file.py:factory, file.py"


database_option = click.option(
    "--database", metavar="URL",
    help="The store: a file's path, or postgresql://USER@HOST/NAME. [default: the setting store.database]",
)  # fmt: skip
"""The option of every command that records, or asks what was recorded (`storing` opens it)."""

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of text.")

game_number_option = click.option(
    "--game", "number", type=click.IntRange(min=1), help="Which record of a file that has several. [default: the first]"
)
"""The option of commands about one recorded game (`game_input`)."""

resume_option = click.option(
    "--resume",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Save games to this file while they are played, and continue from it. A run that is killed loses the last seconds at most.",
)
"""The option of commands whose run can be continued (`playing`)."""


def shard_option(text: str) -> Callable[[Command], Command]:
    """The option of commands that several machines can share; `text` says what a part is."""
    return click.option("--shard", type=shard_from, metavar="K/N", help=text)


MOST_WORKERS = 256


def setting_option(key: str, *names: str, **others: Any) -> Callable[[Command], Command]:
    """An option whose default is a setting; it has the setting's range and help."""
    setting = SETTINGS[key]
    found: dict[str, Any] = {"default": lambda: load().value(key), "help": setting.help}
    if isinstance(setting.default, tuple):
        found |= {"multiple": True, "show_default": ", ".join(setting.default)}
    else:
        found["show_default"] = str(setting.default)
    if isinstance(setting.default, int):
        least, most = (None if end is None else int(end) for end in (setting.least, setting.most))
        found["type"] = click.IntRange(least, most)
    return click.option(*names, **(found | others))


workers_option = setting_option("simulate.workers", "--workers")
"""The option of commands that play many games."""


def chosen_game(preset: str, options: Mapping[str, Any]) -> Preset:
    """The preset of that name with what the options `rules`, `size`, `mines` and `start` change of it; the error of whatever cannot be."""
    base = as_preset(preset)
    size, mines, start = (options.get(name) for name in ("size", "mines", "start"))
    if isinstance(mines, Fraction):
        mines = rounded_share(Grid(*(size or (base.width, base.height))).size, mines)
    try:
        return base.changed(
            rules=options.get("rules"),
            size=size,
            mine_counts=() if mines is None else (mines,),
            start=None if start is None else Start(start),
        )
    except LayoutError as error:
        if mines is None and size is not None:
            raise LayoutError(f"{error}; say how many with --mines") from None
        raise


def game_words(preset: Preset, options: Mapping[str, Any]) -> list[str]:
    """The words of a command line that describe this game as the options did."""
    words = []
    for name in ("preset", "rules", "size", "mines", "start"):
        value = options.get(name)
        if value is not None:
            text = {"size": f"{preset.width}x{preset.height}", "mines": str(preset.mine_counts[0])}.get(name, value)
            words += [f"--{name}", text]
    return words


def rules_of_list(listed: "ListedGame", rules: str | None) -> Preset:
    """What a game of a board list is played by: the rules that are asked for (else those of Expert), on the grid and with the mines of the layout."""
    layout = listed.layout
    size = (layout.grid.width, layout.grid.height)
    return chosen_game("expert", {"rules": rules, "size": size, "mines": layout.mine_count, "start": "any"})


def say_start_not_kept(grid: Grid, mine_count: int, start: Start, first: int) -> None:
    """Say on stderr that the mines leave no room for a start rule: then the game is played by the nearest that fits."""
    from sapper.generator.uniform import nearest_start

    kept = nearest_start(grid, mine_count, start, first)
    if kept is not start:
        click.echo(
            f"note: with {counted(mine_count, 'mine')} on {grid.width}x{grid.height} cells start {start.value!r} "
            f"cannot be kept at {cell_name(grid, first)}; start {kept.value!r} is",
            err=True,
        )


def seed_or_random(seed: int | None) -> int:
    """The seed that is given, else a random one, short enough to be typed again."""
    if seed is not None:
        return seed
    import secrets  # OpenSSL comes with it

    return secrets.randbelow(_RANDOM_SEEDS)
