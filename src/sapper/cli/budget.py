"""The options `--budget` and `--time`: how much `playouts` may think about a move."""

from collections.abc import Callable, Sequence
from typing import Any

import click

from sapper._kernels import batch

_budget = click.option(
    "--budget",
    type=click.IntRange(1, batch.MOST_PLAYOUTS),
    metavar="PLAYOUTS",
    help=f"Playouts a move for the strategy playouts ({batch.PLAYOUTS.playouts:,}); the same seed and budget are the same game.",
)
_time = click.option(
    "--time",
    "seconds",
    type=click.FloatRange(0.01, batch.MOST_SECONDS),
    metavar="SECONDS",
    help="Seconds a move for the strategy playouts, instead of --budget; results then depend on the machine.",
)


def budget_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Both options."""
    return _budget(_time(command))


def with_budget(strategies: Sequence[str], budget: int | None, seconds: float | None) -> tuple[str, ...]:
    """The strategies, `playouts` with that budget; a usage error if it is not among them, or if there are two budgets."""
    if budget is None and seconds is None:
        return tuple(strategies)
    if budget is not None and seconds is not None:
        raise click.UsageError("give --budget or --time, not both")
    if "playouts" not in strategies:
        raise click.UsageError(
            f"{'--budget' if seconds is None else '--time'} is for the strategy playouts: add --strategy playouts"
        )
    name = f"playouts@{budget}" if seconds is None else f"playouts@{seconds:.3f}".rstrip("0").rstrip(".") + "s"
    return tuple(name if one == "playouts" else one for one in strategies)
