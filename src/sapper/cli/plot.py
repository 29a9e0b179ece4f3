"""`sapper simulate plot`: plot win rates of strategies or the 3BV of layouts."""

from pathlib import Path

import click

from sapper.cli.exits import ExitCode
from sapper.cli.file_text import read_input
from sapper.cli.named_file import write_named
from sapper.cli.plot_input import PlotInput

_FORMATS = ("svg", "png", "pdf")


@click.command(
    "plot",
    epilog="""\b
    Examples:
      sapper simulate --preset expert --strategy least-risk --games 1000 --json > least-risk.json
      sapper simulate --preset expert --strategy single --games 1000 --json > single.json
      sapper simulate plot least-risk.json single.json --out rates.svg
    \b
      sapper generate --preset beginner --count 1000 --format list > boards.txt
      sapper simulate plot boards.txt --out 3bv.png""",
    help="""Plot results: how often strategies win, with 95 % intervals, or how 3BV is distributed over layouts.

    Each FILE has what sapper simulate --json prints, one run after the other, or layouts: a board list, board texts, MBF,
    or what sapper metrics --json or sapper generate --json prints. - is standard input.""",
)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "--out", "target", required=True, metavar="FILE", type=click.Path(dir_okay=False),
    help="The picture: .svg, .png or .pdf.",
)  # fmt: skip
def plot(files: tuple[str, ...], target: str) -> ExitCode:
    """Plot results."""
    form = target.rpartition(".")[2].lower()
    if form not in _FORMATS:
        raise click.BadParameter(
            f"a plot's name must end in {', '.join(f'.{known}' for known in _FORMATS)}, not {target!r}",
            param_hint="'--out'",
        )
    found = PlotInput()
    for file in files:
        found.add(*read_input(file, wanted="results or layouts"))
    if found.runs and found.bbbv:
        raise click.UsageError("some files contain results, others layouts: plot them separately")
    picture = _plotted(found, form)
    write_named(Path(target), picture)
    return ExitCode.DONE


def _plotted(found: PlotInput, form: str) -> bytes:
    from sapper.plots.bbbv import plot_bbbv
    from sapper.plots.figure import written
    from sapper.plots.rates import WinRate, plot_rates

    if found.bbbv:
        return written(plot_bbbv(found.bbbv), form)
    rates = [
        WinRate(label=label, rate=run["rate"], low=run["low"], high=run["high"], games=run["games"])
        for label, run in zip(found.labels(), found.runs, strict=True)
    ]
    return written(plot_rates(rates), form)
