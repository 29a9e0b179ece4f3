"""`sapper simulate`: many games of a strategy or of several, and how often they win."""

import hashlib
import json
import sys
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

import click

from sapper.cli import benchmark, cluster, merge, plot
from sapper.cli.exits import ExitCode
from sapper.cli.files import decoded
from sapper.cli.options import (
    cell_of,
    chosen_game,
    database_option,
    game_options,
    is_given,
    json_option,
    names_completed,
    resume_option,
    rules_of_list,
    say_start_not_kept,
    seed_or_random,
    shard_option,
    strategy_words,
    workers_option,
)
from sapper.cli.progress import Progress
from sapper.cli.sequential import MOST_PAIRS, bounds_from, check_options, run_test
from sapper.cli.simulate_report import (
    again,
    loss_as_data,
    losses_in_words,
    plan_as_data,
    run_as_data,
    run_in_words,
    runs_as_data,
    runs_in_words,
)
from sapper.cli.simulation_run import Playing, RunItem, check_files, take_seed
from sapper.cli.store_access import new_key, now, open_chosen
from sapper.core.board import first_cell
from sapper.generator.board_file import read_board_list
from sapper.simulate.comparison import StrategyRun, pairings
from sapper.simulate.losses import Loss, loss_of, strategies
from sapper.simulate.plan import Plan, Shard
from sapper.simulate.results import COLUMNS
from sapper.simulate.runner import check_strategy
from sapper.simulate.strategy_names import player_of
from sapper.solver.strategies.registry import STRATEGIES
from sapper.store.models import GameKind, StoredSimulation

_EXAMPLES = f"""\b
Examples:
  sapper simulate --preset expert --strategy least-risk --games 20000 --seed 1
  sapper simulate --preset intermediate --start safe --strategy subset --games 1000 --per-game games.txt
  sapper simulate --boards boards.txt --strategy least-risk --json
  sapper simulate --preset beginner --strategy mine.py --strategy least-risk --games 1000 --seed 1
  sapper simulate --preset beginner --strategy mine.py --games 1000 --seed 1 --losses
  sapper simulate --preset expert --games 100 --records games.sapr
  sapper simulate --preset expert --strategy best-reply --strategy least-risk --sprt 0,0.3 --resume test.run

\b
--per-game writes, after a line of comment, a line a game:
  {COLUMNS}
A FILE that ends in .csv or .parquet is a table with these columns, strategy before and again (the command that shows the game) behind.
The guesses are the moves after the first that the strategy did not call certain; revealed counts safe cells.
"""


@click.group("simulate", epilog=_EXAMPLES, invoke_without_command=True)
@game_options(default=None)
@click.option("--boards", type=click.File("rb"), help="Play the layouts and first cells of this board list.")
@click.option(
    "--strategy",
    "strategies",
    multiple=True,
    metavar="NAME",
    shell_complete=names_completed(STRATEGIES),
    help=f"{strategy_words()}. Several are compared on the same layouts. [default: least-risk]",
)
@click.option(
    "--sprt",
    type=bounds_from,
    metavar="LOW,HIGH",
    help="Play pairs of games until it is decided whether the first --strategy wins LOW or HIGH percentage points more than the second, as 0,0.3; --games limits them (1,000,000). Exit code 0: HIGH, 1: LOW, 3: not decided.",
)
@click.option("--games", type=click.IntRange(min=1), help="How many games to play (1000, or all that are listed).")
@click.option("--seed", type=int, help="0 to 2^64-1; the same seed is the same games. A random one if none is given.")
@workers_option
@click.option(
    "--per-game",
    type=click.Path(dir_okay=False, allow_dash=True),
    help="Write a line a game into this file, with its layout's 3BV; .csv and .parquet are tables; - is standard output, and the result goes to standard error.",
)
@click.option(
    "--records",
    type=click.Path(dir_okay=False),
    help="Write every game, move by move, into this file, for sapper replay and review; in the binary form where its name ends in .sapr, else a JSON line a game. Python plays then.",
)
@click.option(
    "--losses",
    is_flag=False,
    flag_value=10,
    type=click.IntRange(1, 1000),
    metavar="N",
    help="Show the first N lost games (10 without N): the move that hit a mine, the exact chances, and the command that shows the game.",
)
@click.option(
    "--backend", type=click.Choice(["auto", "reference"]), default="auto", show_default=True,
    help="reference: play in Python, without the native library.",
)  # fmt: skip
@shard_option("Play part K of N of the run; sapper simulate merge joins the --json output of the parts.")
@resume_option
@click.option(
    "--cluster",
    metavar="URL",
    help="Play on the workers of this Dask scheduler, tcp://HOST:8786 (extra cluster; sapper simulate cluster runs one); changes no result.",
)
@click.option("--record", is_flag=True, help="Record the result (sapper stats strategies).")
@database_option
@json_option
@click.pass_context
def command(context: click.Context, /, **options: Any) -> ExitCode | None:  # fmt: skip
    """Play many games with a strategy and print its win rate with the 95 % interval (Wilson's).

    Exit code 1 if a strategy faulted in any game: the game counts as played and not won.
    """
    if context.invoked_subcommand is not None:
        for param in context.command.params:
            if is_given(str(param.name)):
                raise click.UsageError(f"{param.opts[0]} is no option of sapper simulate {context.invoked_subcommand}")
        return None
    names = options["strategies"] = options["strategies"] or ("least-risk",)
    if options["sprt"] is not None:
        check_options(options)
    for name in names:
        if names.count(name) > 1:
            raise click.UsageError(f"{name} is given twice")
        check_strategy(name)
        if options["backend"] == "reference" and name.partition("@")[0] in ("second-opinion", "playouts"):
            raise click.UsageError(f"{name} needs the native library: leave out --backend reference")
    check_files(options)
    take_seed(options)
    if options["resume"] is not None and options["records"] is not None:
        raise click.UsageError("--resume saves no moves: leave out --records, or play the games in parts (--shard)")
    whole = replace(
        _plan(options), with_bbbv=options["per_game"] is not None, with_records=options["records"] is not None
    )
    plan = _part(whole, options)
    options["players"] = [asdict(player_of(name)) for name in options["strategies"]]
    if options["sprt"] is not None:
        return run_test(plan, _identity(plan, options), options)
    games = [RunItem(name=name, plan=plan, strategy=name, options=options) for name in options["strategies"]]
    run = Playing(items=games, label="strategy", identity=_identity(plan, options), options=options)
    if options["record"]:  # what is wrong with the store is said before hours of playing
        open_chosen(options["database"]).close()
    runs = run.play()
    if options["record"]:
        for one in runs:
            if one.summary.games:
                _record(plan, one, options)
    losses = {one.strategy: _losses(plan, one) for one in runs} if options["losses"] else {}
    if options["as_json"]:
        click.echo(json.dumps(_as_data(plan, runs, losses, options)))
    else:
        click.echo(
            _in_words(plan, runs, losses, options, has_kept="kept" in run.events), err=options["per_game"] == "-"
        )
    is_good = not any(one.summary.interrupted or one.summary.faulted for one in runs)
    return ExitCode.DONE if is_good else ExitCode.NO


for _part_of_simulate in (benchmark.benchmark, merge.merge, cluster.cluster, plot.plot):
    command.add_command(_part_of_simulate)


def _as_data(
    plan: Plan, runs: list[StrategyRun], losses: Mapping[str, list[Loss | int]], options: dict[str, Any]
) -> dict[str, Any]:
    planned = plan_as_data(plan, options)
    if len(runs) == 1 and len(options["strategies"]) == 1:
        data = run_as_data(planned, runs[0].summary, runs[0].strategy, options["workers"])
    else:
        data = runs_as_data(planned, runs, pairings(runs), options["workers"])
    if losses:
        data["losses"] = [
            {"strategy": name, "game": loss, "again": None}
            if isinstance(loss, int)
            else loss_as_data(plan, loss, name, options)
            for name, found in losses.items()
            for loss in found
        ]
    return data


def _in_words(
    plan: Plan,
    runs: list[StrategyRun],
    losses: Mapping[str, list[Loss | int]],
    options: dict[str, Any],
    *,
    has_kept: bool,
) -> str:
    planned = plan_as_data(plan, options)
    if len(runs) == 1 and runs[0].summary.rate is None and has_kept:
        lines = ["interrupted before another game was played"]
    elif len(runs) == 1:
        lines = [run_in_words(planned, runs[0].summary, runs[0].strategy)]
    else:
        lines = [runs_in_words(planned, runs, pairings(runs), lambda name, game: again(plan, options, name, game))]
    for name, found in losses.items():
        lines += ["", *losses_in_words(plan, name, found, options)]
    return "\n".join(lines)


def _losses(plan: Plan, run: StrategyRun) -> list[Loss | int]:
    """The first games that were lost, played again; a number is one that is not lost again."""
    with strategies(run.strategy) as make, Progress(len(run.lost), sys.stderr, "losses") as screen:
        return [loss_of(plan, played, make) or played.number for played in screen.of(run.lost)]


# --- what is asked for ----------------------------------------------------------------------------------


def _plan(options: dict[str, Any]) -> Plan:
    boards = options["boards"]
    options["boards_sha256"] = None
    if boards is None:
        options["preset"] = options["preset"] or "beginner"
        preset = chosen_game(options["preset"], options)
        grid = preset.grid
        first = first_cell(grid, preset.rules.start)
        if options["first"] is not None:
            first = cell_of(grid, options["first"])
        for mines in preset.mine_counts:
            say_start_not_kept(grid, mines, preset.rules.start, first)
        return Plan(
            preset=preset,
            games=options["games"] or (MOST_PAIRS if options["sprt"] else 1000),
            first=first,
            seed=seed_or_random(options["seed"]),
        )
    for name in ("preset", "size", "mines", "start", "first"):
        if options[name] is not None:
            own = "are played by --rules" if name in ("preset", "start") else "have their own"
            raise click.UsageError(f"--{name} and --boards: the boards {own}")
    content = boards.read()
    options["boards_sha256"] = hashlib.sha256(content).hexdigest()
    listed = tuple(read_board_list(decoded(content, boards.name), source=boards.name))
    if not listed:
        raise click.UsageError(f"{boards.name}: no boards in it")
    preset = rules_of_list(listed[0], options["rules"])
    games = len(listed) if options["games"] is None else options["games"]
    return Plan(preset=preset, games=games, first=listed[0].first, seed=seed_or_random(options["seed"]), boards=listed)


def _identity(plan: Plan, options: dict[str, Any]) -> dict[str, Any]:
    """What makes two runs the same: then their games are."""
    played = plan_as_data(plan, options)
    del played["boards"]  # its contents count, not where it lies
    return {
        "strategies": list(options["strategies"]),
        "games": options["all_games"],
        **played,
        "per_game": plan.with_bbbv,
        "backend": options["backend"],
    }


def _part(plan: Plan, options: dict[str, Any]) -> Plan:
    """The part that `--shard` asks for; the whole run without it."""
    options["all_games"] = plan.games
    shard: Shard | None = options["shard"]
    return plan if shard is None else shard.plan(plan)


_KEPT = ("games", "won", "lost", "terminated", "moves", "guesses", "seconds", "backend")
"""What a stored simulation has of its run."""


def _record(plan: Plan, one: StrategyRun, options: dict[str, Any]) -> None:
    """Keep what the run has come to. A preset that has several mine counts is no one kind of game, and kept by its name."""
    preset, summary = plan.preset, one.summary
    is_one_kind = plan.boards is None and len(preset.mine_counts) == 1
    boards = options["boards"].name if plan.boards is not None else None if is_one_kind else preset.name
    run = StoredSimulation(
        key=new_key(),
        kind=GameKind.of(preset) if is_one_kind else None,
        strategy=one.strategy,
        faults=summary.faulted,
        **{name: getattr(summary, name) for name in _KEPT},
        seed=plan.seed,
        boards=boards,
        at=now(),
    )
    with open_chosen(options["database"]) as store:
        store.record_simulation(run)
