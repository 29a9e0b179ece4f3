"""The option `--budget`: how much `deep` may think about a move.

Knows: the name of a strategy with a budget.
Does not know: what the budget is spent on.
"""

from collections.abc import Sequence

import click

from sapper._kernels import batch

budget_option = click.option(
    "--budget",
    type=click.IntRange(1, batch.MOST_SETS),
    metavar="SETS",
    help=f"Sets of layouts that deep may look at for a move ({batch.DEEP.sets:,}); the same budget plays the same moves.",
)


def with_budget(strategies: Sequence[str], budget: int | None) -> tuple[str, ...]:
    """The strategies, `deep` with that budget; a usage error if it is not among them."""
    if budget is None:
        return tuple(strategies)
    if "deep" not in strategies:
        raise click.UsageError("--budget is for the strategy deep: add --strategy deep")
    return tuple(f"deep@{budget}" if name == "deep" else name for name in strategies)
