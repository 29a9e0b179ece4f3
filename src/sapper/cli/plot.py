"""`sapper simulate plot`: plot win rates of strategies or the 3BV of layouts."""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import click

from sapper.cli.exits import ExitCode
from sapper.cli.files import decoded, read_input, write_named
from sapper.cli.progress import Progress
from sapper.errors import NotationError

_AT_ONCE: Final = 500
"""Layouts measured between two looks at the clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotInput:
    """What was in the files, in their order."""

    runs: list[dict[str, Any]] = field(default_factory=list)
    """Runs of `sapper simulate --json`."""
    bbbv: dict[str, list[int]] = field(default_factory=dict)
    """The 3BV of each layout, by the name of the file."""

    def add(self, data: bytes, source: str) -> None:
        """Take over what is in a file; `NotationError` where that is nothing known."""
        if data.lstrip()[:1] not in (b"{", b"["):
            self._measure(data, source)
            return
        for document in _runs_apart(_documents(data, source)):
            if _is_run(document):
                if document["games"]:
                    self.runs.append(document)
                continue
            values = _bbbv_of(document)
            if values is None:
                raise NotationError(
                    "this JSON is not from sapper simulate, sapper metrics or sapper generate", source=source
                )
            self.bbbv.setdefault(source, []).extend(values)

    def _measure(self, data: bytes, source: str) -> None:
        from sapper.generator.board_file import read_layouts
        from sapper.metrics.layout import measure_many

        try:
            layouts = [game.layout for game in read_layouts(data, source=source)]
        except NotationError as error:
            raise NotationError(
                f"neither a result of sapper simulate --json nor a layout: {error.message}",
                source=source, line=error.line, column=error.column, offset=error.offset,
            ) from None  # fmt: skip
        values: list[int] = []
        with Progress(len(layouts), sys.stderr, "layouts") as screen:
            for begin in range(0, len(layouts), _AT_ONCE):
                some = layouts[begin : begin + _AT_ONCE]
                values += [one.bbbv for one in measure_many(some)]
                screen.advance(len(some))
        self.bbbv.setdefault(source, []).extend(values)

    def labels(self) -> list[str]:
        """What each run is called: by its strategy, and by what else tells the runs apart."""
        told = [[str(run["strategy"])] for run in self.runs]
        for name in ("preset", "rules", "start", "width", "height", "mine_count", "boards"):
            values = [run.get(name) for run in self.runs]
            if len({str(value) for value in values}) > 1:
                for words, value in zip(told, values, strict=True):
                    if value is not None:
                        words.append(
                            f"{name.replace('mine_count', 'mines')} {value}"
                            if name in ("width", "height", "mine_count", "start")
                            else str(value)
                        )
        return [", ".join(words) for words in told]


def _documents(data: bytes, source: str) -> Iterator[Any]:
    text = decoded(data, source)
    decoder = json.JSONDecoder()
    at = 0
    while text[at:].strip():
        at += len(text[at:]) - len(text[at:].lstrip())
        try:
            document, at = decoder.raw_decode(text, at)
        except json.JSONDecodeError as error:
            raise NotationError(error.msg, source=source, line=error.lineno, column=error.colno) from None
        except RecursionError:
            raise NotationError("this JSON is nested too deeply", source=source) from None
        yield document


def _runs_apart(documents: Iterator[Any]) -> Iterator[Any]:
    for document in documents:
        several = document.get("strategies") if isinstance(document, dict) else None
        yield from several if isinstance(several, list) and all(map(_is_run, several)) else [document]


def _is_run(document: Any) -> bool:
    if not isinstance(document, dict) or not isinstance(document.get("strategy"), str):
        return False
    games, won = document.get("games"), document.get("won")
    if type(games) is not int or type(won) is not int:
        return False
    return games == 0 or all(isinstance(document.get(name), int | float) for name in ("rate", "low", "high"))


def _bbbv_of(document: Any) -> list[int] | None:
    """The 3BV of the layouts in a document of `metrics` or `generate`; None for any other."""
    if isinstance(document, dict):
        rows, name = document.get("boards"), "3bv"
    else:
        rows, name = document, "bbbv"
    if not isinstance(rows, list):
        return None
    values = [row.get(name) if isinstance(row, dict) else None for row in rows]
    numbers = [value for value in values if type(value) is int and value >= 0]
    return numbers if len(numbers) == len(values) else None


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
    from sapper.plots.figure import written
    from sapper.plots.rates import WinRate, plot_bbbv, plot_rates

    if found.bbbv:
        return written(plot_bbbv(found.bbbv), form)
    rates = [
        WinRate(label=label, rate=run["rate"], low=run["low"], high=run["high"], games=run["games"])
        for label, run in zip(found.labels(), found.runs, strict=True)
    ]
    return written(plot_rates(rates), form)
