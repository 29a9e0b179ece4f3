"""`sapper simulate --resume FILE`: which run a file's games are of.

Knows: the options that make two runs the same.
Does not know: how games are kept (see `simulate.checkpoint`), how they are played.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from sapper.cli.simulate_report import plan_as_data
from sapper.simulate.checkpoint import Checkpoint, run_of
from sapper.simulate.external import is_stranger
from sapper.simulate.plan import Plan
from sapper.simulate.strategy_names import is_path


def take_seed(options: dict[str, Any]) -> None:
    """Without `--seed`: that of the run which is gone on with. Parts of a run need to be told it."""
    if options["seed"] is not None:
        return
    if options["resume"] is not None:
        before = run_of(options["resume"])
        options["seed"] = None if before is None else before.get("seed")
    if options["shard"] is not None and options["seed"] is None:
        raise click.UsageError("--shard needs --seed: the parts are of one run")


@contextmanager
def open_checkpoint(plan: Plan, options: dict[str, Any]) -> Iterator[Checkpoint | None]:
    """The file of the run that was asked for, begun or gone on with; None without `--resume`."""
    if options["resume"] is None:
        yield None
        return
    with Checkpoint(options["resume"], _identity(plan, options)) as checkpoint:
        yield checkpoint


def _identity(plan: Plan, options: dict[str, Any]) -> dict[str, Any]:
    """What makes two runs the same: then their games are."""
    names = options["strategies"]
    played = plan_as_data(plan, options)
    del played["boards"]  # its contents count, not where it lies
    return {
        "strategies": list(names),
        "games": options["all_games"],
        **played,
        "per_game": plan.with_bbbv,
        "backend": options["backend"],
        "code": {name: _digest(name) for name in names if is_path(name)},
        "move_limit": options["move_limit"] if any(map(is_stranger, names)) else None,
    }


def _digest(name: str) -> str | None:
    """A strategy's file; None if there is none, which is said when it is loaded."""
    path = Path(name.partition(".py")[0] + ".py")
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None
