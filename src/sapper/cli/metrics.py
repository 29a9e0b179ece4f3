"""`sapper metrics`: 3BV, openings, islands, ZiNi of layouts."""

import sys
from dataclasses import asdict
from typing import Any

import click

from sapper.cli.files import read_input
from sapper.cli.options import json_option
from sapper.cli.progress import Progress
from sapper.generator.board_file import read_layouts
from sapper.metrics.layout import LayoutMetrics, measure_many

_COLUMNS = ("width", "height", "mine_count", "bbbv", "openings", "islands", "zini", "human_zini", "zeros")

_CELLS = 50_000


@click.command(
    "metrics",
    epilog="Example: sapper generate --preset expert --count 3 --seed 1 --format list | sapper metrics",
    help="""Measure the layouts of a file: a line a layout, then the means.

    bbbv is 3BV, the least number of left clicks that opens every safe cell; openings are groups of zeros, islands groups
    of clues that touch no opening; zini and human_zini are the clicks of a player who flags and chords, with and
    without seeing through covered cells.

    FILE is a board list (WIDTH HEIGHT MINES i,j,k… FIRST), board texts that show their mines, or MBF. Without
    FILE, or for -, standard input is read.""",
)
@click.argument("file", metavar="[FILE|-]", default="-")
@json_option
def command(file: str, as_json: bool) -> None:
    data, source = read_input(file, wanted="layouts, a line each or as boards")
    layouts = [game.layout for game in read_layouts(data, source=source)]
    found: list[LayoutMetrics] = []
    # A call for about so many cells as a tenth of a second takes, so that progress is seen between them.
    with Progress(len(layouts), sys.stderr, "layouts") as screen:
        step = max(1, _CELLS // max((layout.grid.size for layout in layouts), default=1))
        for begin in range(0, len(layouts), step):
            found += measure_many(layouts[begin : begin + step])
            screen.advance(min(step, len(layouts) - begin))
    rows: list[dict[str, Any]] = [
        {"width": layout.grid.width, "height": layout.grid.height, "mine_count": layout.mine_count} | asdict(metrics)
        for layout, metrics in zip(layouts, found, strict=True)
    ]
    if as_json:
        import json

        click.echo(json.dumps(rows))
        return
    widths = {name: max(len(name), 6) for name in _COLUMNS}
    click.echo("  ".join(f"{name:>{widths[name]}}" for name in _COLUMNS))
    for row in rows:
        click.echo("  ".join(f"{row[name]:>{widths[name]}}" for name in _COLUMNS))
    click.echo(_summary(found))


def _summary(found: list[LayoutMetrics]) -> str:
    if not found:
        return "no layouts"
    count = len(found)
    names = ("bbbv", "openings", "islands", "zini", "human_zini")
    means = ", ".join(f"{name} {sum(getattr(one, name) for one in found) / count:.2f}" for name in names)
    return f"{count} layout{'s' if count != 1 else ''}; mean {means}"
