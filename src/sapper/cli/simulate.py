"""`sapper simulate`: many games of a strategy or of several, and how often they win.

Knows: the command's options, the progress bar, Ctrl-C.
Does not know: how games are played; what is said of them (`simulate_report`).
"""

import contextlib
import hashlib
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import click

from sapper.cli.again import again
from sapper.cli.budget import budget_options, with_budget
from sapper.cli.compile_progress import compiling_told
from sapper.cli.exits import ExitCode
from sapper.cli.file_text import decoded
from sapper.cli.options import (
    START,
    CellAt,
    ShardOf,
    Size,
    backend_option,
    chosen_game,
    database_option,
    move_limit_option,
    names_completed,
    rules_of_list,
    seed_or_drawn,
    workers_option,
)
from sapper.cli.per_game import GameFile, open_game_file
from sapper.cli.progress import Progress
from sapper.cli.record_file import RecordFile, open_record_file
from sapper.cli.resuming import open_checkpoint, take_seed
from sapper.cli.simulate_report import (
    loss_as_data,
    losses_in_words,
    plan_as_data,
    run_as_data,
    run_in_words,
    runs_as_data,
    runs_in_words,
)
from sapper.cli.storing import new_key, now, open_chosen
from sapper.core.first_cell import first_cell
from sapper.core.preset import PRESETS, Preset
from sapper.core.rules import RULES
from sapper.core.words import counted
from sapper.generator.board_list import read_board_list
from sapper.generator.uniform import nearest_start
from sapper.simulate.checkpoint import Checkpoint
from sapper.simulate.comparison import OutcomeLog, StrategyRun, pairings
from sapper.simulate.external import DEFAULT_MOVE_LIMIT
from sapper.simulate.losses import Loss, loss_of, strategies
from sapper.simulate.plan import Plan
from sapper.simulate.results import COLUMNS, GameOutcome, PlayedGame, RunSummary
from sapper.simulate.runner import EarlierGames, Team, backend_of, check_strategy, simulate
from sapper.simulate.shards import Shard
from sapper.solver.strategies.registry import STRATEGIES
from sapper.store.models import GameKind, StoredSimulation

_EXAMPLES = f"""\b
Examples:
  sapper simulate --preset expert --strategy exact --games 20000 --seed 1
  sapper simulate --preset intermediate --start safe --strategy subset --games 1000 --per-game games.txt
  sapper simulate --boards boards.txt --strategy exact --json
  sapper simulate --preset beginner --strategy mine.py --strategy exact --games 1000 --seed 1
  sapper simulate --preset beginner --strategy mine.py --games 1000 --seed 1 --losses
  sapper simulate --preset expert --games 100 --records games.sapr

\b
--per-game writes, after a line of comment, a line a game:
  {COLUMNS}
A FILE that ends in .csv or .parquet is a table with these columns, strategy before and again (the command that shows the game) behind.
The guesses are the moves after the first that the strategy did not call certain; revealed counts safe cells.
"""


@click.command("simulate", epilog=_EXAMPLES)
@click.option("--preset", shell_complete=names_completed(PRESETS), help=f"The game: {', '.join(PRESETS)}.")
@click.option("--rules", help=f"Other rules for it: {', '.join(RULES)}; with changes: modern+start=safe.")
@click.option("--size", type=Size(), help="Another size.")
@click.option("--mines", type=int, help="Another number of mines.")
@click.option("--start", type=START, help="Another rule for the first reveal.")
@click.option(
    "--first", type=CellAt(), help="The first cell to reveal; start open: 3,3 on Expert, 2,2 on smaller; else 0,0."
)
@click.option("--boards", type=click.File("rb"), help="Play the layouts and first cells of this board list.")
@click.option(
    "--strategy",
    "strategies",
    multiple=True,
    metavar="NAME",
    help=f"{', '.join(STRATEGIES)}, or a plugin's, or module:factory, file.py:factory, file.py; several are compared on the same layouts. [default: exact]",
)
@budget_options
@click.option("--games", type=click.IntRange(min=1), help="How many games to play (1000, or all that are listed).")
@click.option("--seed", type=int, help="0 to 2^64-1; the same seed is the same games. One is drawn if you give none.")
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
    help="Then show the first N games that were lost (10 if N is left out): the move that hit a mine, the exact chances, and the command that shows the game.",
)
@move_limit_option(DEFAULT_MOVE_LIMIT)
@backend_option
@click.option(
    "--shard",
    type=ShardOf(),
    help="Play part K of N parts of the run, on one of several machines; sapper merge joins what --json says of them.",
)
@click.option(
    "--resume",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Keep the games in this file as they are played, and go on with those that it has: a run that was killed loses seconds.",
)
@click.option(
    "--cluster",
    metavar="URL",
    help="Play on the workers of this Dask scheduler, tcp://HOST:8786 (extra cluster; sapper cluster local runs one); changes no result.",
)
@click.option("--record", is_flag=True, help="Keep the result (sapper stats --strategies).")
@database_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead.")
def command(**options: Any) -> ExitCode:  # fmt: skip
    """Play many games with a strategy, and say how often it wins: the rate and its 95 % interval (Wilson's).

    Exit code 1 if a strategy faulted in any game: the game counts as played and not won.
    """
    options["strategies"] = options["strategies"] or ("exact",)
    options["strategies"] = with_budget(options["strategies"], options["budget"], options["seconds"])
    if len(set(options["strategies"])) < len(options["strategies"]):
        raise click.UsageError("each --strategy is named once")
    for name in options["strategies"]:
        check_strategy(name)
        if options["backend"] == "python" and name.partition("@")[0] == "deep":
            raise click.UsageError("deep plays layouts out with compiled code: leave --backend python out")
    _check_files(options)
    take_seed(options)
    if options["resume"] is not None and options["records"] is not None:
        raise click.UsageError("--resume keeps no moves: leave out --records, or play the games in parts (--shard)")
    whole = replace(
        _plan(options), with_bbbv=options["per_game"] is not None, with_records=options["records"] is not None
    )
    plan = _part(whole, options)
    run = _Run(plan=plan, options=options)
    if options["record"]:  # what is wrong with the store is said before hours of playing
        open_chosen(options["database"]).close()
    if options["per_game"] == "-" and options["as_json"]:
        raise click.UsageError("--per-game - and --json: standard output is for one of them")
    runs = run.play()
    if options["record"]:
        for one in runs:
            if one.summary.games:
                _record(plan, one, options)
    losses = {one.strategy: _losses(plan, one, options) for one in runs} if options["losses"] else {}
    if options["as_json"]:
        click.echo(json.dumps(_as_data(plan, runs, losses, options)))
    else:
        click.echo(
            _in_words(plan, runs, losses, options, has_kept="kept" in run.events), err=options["per_game"] == "-"
        )
    is_good = not any(one.summary.interrupted or one.summary.faulted for one in runs)
    return ExitCode.DONE if is_good else ExitCode.NO


def _check_files(options: dict[str, Any]) -> None:
    """Each option that writes has a file of its own."""
    homes: dict[str, str] = {}
    for name in ("per_game", "records", "resume"):
        path = Path(options[name] or "-")
        if str(path) == "-" or (path.exists() and not path.is_file()):
            continue  # nothing, standard output, or a device
        option = f"--{name.replace('_', '-')}"
        other = homes.setdefault(os.path.realpath(path), option)
        if other != option:
            raise click.UsageError(f"{other} and {option}: {path} cannot be both, name two files")


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


def _losses(plan: Plan, run: StrategyRun, options: dict[str, Any]) -> list[Loss | int]:
    """The first games that were lost, played again; a number is one that is not lost again."""
    with (
        strategies(run.strategy, options["move_limit"]) as make,
        Progress(len(run.lost), sys.stderr, "losses") as screen,
    ):
        return [loss_of(plan, played, make) or played.number for played in screen.of(run.lost)]


# --- what is asked for ----------------------------------------------------------------------------------


def _plan(options: dict[str, Any]) -> Plan:
    boards = options["boards"]
    options["boards_sha256"] = None
    if boards is None:
        if options["preset"] is None:
            raise click.UsageError("say what to play: --preset NAME, or --boards FILE")
        names = ("rules", "size", "mines", "start")
        preset = chosen_game(options["preset"], **{name: options[name] for name in names})
        grid = preset.grid
        first = first_cell(grid, preset.rules.start)
        if options["first"] is not None:
            first = grid.cell(*options["first"])
        _say_what_start_is_kept(preset, first)
        return Plan(preset=preset, games=options["games"] or 1000, first=first, seed=seed_or_drawn(options["seed"]))
    for name in ("size", "mines", "first"):
        if options[name] is not None:
            raise click.UsageError(f"--{name} and --boards: the boards have their own")
    content = boards.read()
    options["boards_sha256"] = hashlib.sha256(content).hexdigest()
    listed = tuple(read_board_list(decoded(content, boards.name), source=boards.name))
    if not listed:
        raise click.UsageError(f"{boards.name}: no boards in it")
    preset = rules_of_list(listed[0], options["preset"], options["rules"])
    games = len(listed) if options["games"] is None else options["games"]
    return Plan(preset=preset, games=games, first=listed[0].first, seed=seed_or_drawn(options["seed"]), boards=listed)


def _part(plan: Plan, options: dict[str, Any]) -> Plan:
    """The part that `--shard` asks for; the whole run without it."""
    options["all_games"] = plan.games
    shard: Shard | None = options["shard"]
    return plan if shard is None else shard.plan(plan)


def _say_what_start_is_kept(preset: Preset, first: int) -> None:
    """Say aloud where the mines leave no room for the start rule: the games are played by the nearest that fits."""
    wanted = preset.rules.start
    for mines in preset.mine_counts:
        kept = nearest_start(preset.grid, mines, wanted, first)
        if kept is not wanted:
            click.echo(
                f"note: with {counted(mines, 'mine')} on {preset.width}x{preset.height} cells start {wanted.value!r} "
                f"cannot be kept at {preset.grid.xy(first)}; start {kept.value!r} is",
                err=True,
            )


# --- playing ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """One run of the command."""

    plan: Plan
    options: dict[str, Any]
    events: list[str] = field(default_factory=list)
    """`ready` when the games have begun, `stop` when somebody asked for the end, `kept` when that was before another game, and the
    file of `--resume` has some."""

    def play(self) -> list[StrategyRun]:
        """Play everything, strategy by strategy, or until Ctrl-C."""
        self._say_what_is_missing()
        runs: list[StrategyRun] = []
        with contextlib.ExitStack() as stack:
            games: GameFile | None = None
            records: RecordFile | None = None
            if self.options["records"] is not None:
                records = stack.enter_context(open_record_file(self.options["records"]))
            if self.options["per_game"] is not None:
                several = len(self.options["strategies"]) > 1
                games = stack.enter_context(open_game_file(self.options["per_game"], several=several))
            checkpoint = stack.enter_context(open_checkpoint(self.plan, self.options))
            stack.enter_context(compiling_told(sys.stderr))
            stack.enter_context(self._heard())
            for name in self.options["strategies"]:
                if games is not None:
                    games.strategy(name)
                self.events[:] = [event for event in self.events if event == "stop"]
                runs.append(self._play_one(name, games, records, checkpoint))
                if runs[-1].summary.interrupted:
                    break
        return runs

    def _play_one(
        self, name: str, games: GameFile | None, records: RecordFile | None, checkpoint: Checkpoint | None
    ) -> StrategyRun:
        outcomes = OutcomeLog(self.plan.begin)
        lost: list[PlayedGame] = []
        number = self.options["strategies"].index(name)
        earlier = _earlier(self.plan, checkpoint, number)
        many = len(self.options["strategies"]) > 1
        with Progress(self.plan.games, sys.stderr, name if many else "games") as screen:

            def ready() -> None:
                self.events.append("ready")
                screen.ready()

            def note(played: PlayedGame) -> None:
                outcomes.add(played.result, game=played.number)
                if played.result is GameOutcome.LOST and len(lost) < (self.options["losses"] or 0):
                    lost.append(played)
                if games is not None:
                    games.add(played, again(self.plan, self.options, name, played.number))
                if records is not None and played.record is not None:
                    records.add(played.record)
                if checkpoint is not None:
                    checkpoint.add(played)
                screen.advance()

            try:
                summary = simulate(
                    self.plan,
                    name,
                    workers=self.options["workers"],
                    compiled=self.options["backend"] == "auto",
                    move_limit=self.options["move_limit"],
                    earlier=earlier,
                    make_team=self._team_of(name),
                    on_ready=ready,
                    on_played=note,
                    should_stop=lambda: "stop" in self.events,
                )
            except KeyboardInterrupt:  # before the first game, or a second one
                if earlier is not None and earlier.count:
                    self.events.append("kept")
                    kept = f"{counted(earlier.count, 'game')} of {name} of before stay in {self.options['resume']}"
                    click.echo(f"sapper: {kept}: the same command goes on with them", err=True)
                outcomes = OutcomeLog(self.plan.begin)
                summary = RunSummary.nothing(self.plan.games, backend_of(self.plan, name))
        return StrategyRun(strategy=name, summary=summary, outcomes=outcomes, lost=tuple(lost))

    def _team_of(self, name: str) -> Callable[[Plan], Team] | None:
        """What plays on the cluster that was asked for; None for this machine."""
        address = self.options["cluster"]
        if address is None:
            return None
        from sapper.cluster.team import ClusterTeam

        return lambda games: ClusterTeam(
            address,
            games,
            name,
            compiled=self.options["backend"] == "auto",
            move_limit=self.options["move_limit"],
            on_waiting=lambda: click.echo(f"sapper: {address} has no workers yet: waiting for some", err=True),
        )

    def _say_what_is_missing(self) -> None:
        from sapper._kernels import batch

        is_here = self.options["backend"] == "auto" and self.options["cluster"] is None
        is_slow = (
            is_here and not self.plan.with_records and any(name in STRATEGIES for name in self.options["strategies"])
        )
        if is_slow and not batch.can_compile():
            click.echo("sapper: numba is not installed, so Python plays, slowly: pip install 'sapper[fast]'", err=True)

    @contextlib.contextmanager
    def _heard(self) -> Iterator[None]:
        """Ctrl-C and SIGTERM end the run with what was done so far; before the first game, and the second time, at once."""

        def hear(*_: object) -> None:
            if "ready" not in self.events or "stop" in self.events:
                raise KeyboardInterrupt
            self.events.append("stop")

        before = {number: signal.signal(number, hear) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def _earlier(plan: Plan, checkpoint: Checkpoint | None, strategy: int) -> EarlierGames | None:
    """The games of a strategy that a run before this one has played; the checkpoint is ready for the next one."""
    if checkpoint is None:
        return None
    count = checkpoint.kept(strategy)
    checkpoint.begin(strategy, plan.begin + count)
    games = checkpoint.games(strategy, plan.seed_of)
    return EarlierGames(games=games, count=count, seconds=checkpoint.seconds(strategy))


def _record(plan: Plan, one: StrategyRun, options: dict[str, Any]) -> None:
    """Keep what the run has come to. A preset that has several mine counts is no one kind of game, and kept by its name."""
    preset, summary = plan.preset, one.summary
    is_one_kind = plan.boards is None and len(preset.mine_counts) == 1
    boards = options["boards"].name if plan.boards is not None else None if is_one_kind else preset.name
    run = StoredSimulation(
        key=new_key(),
        kind=GameKind.of(preset) if is_one_kind else None,
        strategy=one.strategy,
        games=summary.games,
        won=summary.won,
        lost=summary.lost,
        terminated=summary.terminated,
        faults=summary.faulted,
        moves=summary.moves,
        guesses=summary.guesses,
        seconds=summary.seconds,
        backend=summary.backend,
        seed=plan.seed,
        boards=boards,
        at=now(),
    )
    with open_chosen(options["database"]) as store:
        store.record_simulation(run)
