"""`sapper benchmark STRATEGY`: anybody's strategy on the fixed board sets, beside sapper's own on the same boards.

Knows: the command's options, a file of results of another program, what is said.
Does not know: the sets (`simulate.benchmark_sets`), how games are played.
"""

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from math import comb, erf, sqrt
from typing import Any

import click

from sapper.cli.compile_progress import compiling_told
from sapper.cli.exits import ExitCode
from sapper.cli.file_text import decoded
from sapper.cli.options import move_limit_option, workers_option
from sapper.cli.progress import Progress
from sapper.core.words import counted
from sapper.errors import NotationError
from sapper.metrics.interval import wilson
from sapper.simulate.benchmark_sets import GAMES, SETS, BenchmarkSet, find_set, stored_results, stored_version
from sapper.simulate.comparison import OutcomeLog, Pairing, StrategyRun
from sapper.simulate.external import DEFAULT_MOVE_LIMIT
from sapper.simulate.results import GameOutcome, PlayedGame, RunSummary
from sapper.simulate.runner import check_strategy, simulate

_EXAMPLES = """\b
Examples:
  sapper benchmark
  sapper benchmark mine.py --set beginner-safe --games 1000
  sapper benchmark --boards expert-open > boards.txt
  sapper benchmark theirs --set expert-open --results theirs.txt --json
"""


@click.command("benchmark", epilog=_EXAMPLES)
@click.argument("strategy", required=False)
@click.option("--set", "sets", multiple=True, metavar="NAME", help=f"{', '.join(SETS)}. [default: all six]")
@click.option(
    "--games", type=click.IntRange(1, GAMES), default=GAMES, show_default=True, help="The first games of each set."
)
@workers_option
@move_limit_option(DEFAULT_MOVE_LIMIT)
@click.option("--boards", metavar="NAME", help="Print the board list of this set instead, for another program to play.")
@click.option(
    "--results",
    type=click.File("rb"),
    help="Play nothing: STRATEGY is another program, and this file has won or lost first on a line for each board.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead.")
def command(strategy: str | None, **options: Any) -> ExitCode:  # fmt: skip
    """Score a strategy on the fixed sets of 10,000 boards, paired with sapper's own on the same boards.

    Without STRATEGY: the sets, the SHA-256 of each board list, and the stored results of sapper's own. docs/benchmarks.md is the protocol.
    """
    if options["boards"] is not None:
        for line in find_set(options["boards"]).board_list():
            click.echo(line, nl=False)
        return ExitCode.DONE
    chosen = [find_set(name) for name in options["sets"] or SETS]
    if strategy is None:
        source = click.get_current_context().get_parameter_source("games")
        if options["results"] is not None or source is click.core.ParameterSource.COMMANDLINE:
            name = "results" if options["results"] is not None else "games"
            raise click.UsageError(f"--{name} is about a strategy: name it, as sapper benchmark STRATEGY --{name} ...")
        return _list(chosen, as_json=options["as_json"])
    if options["results"] is not None:
        if len(chosen) != 1:
            raise click.UsageError("--results is of one set: name it with --set")
        logs = [_read(options["results"], strategy)]
    else:
        check_strategy(strategy)
        with compiling_told(sys.stderr):
            logs = [_play(one, strategy, options) for one in chosen]
    scores = [_score(one, run) for one, run in zip(chosen, logs, strict=True)]
    if options["as_json"]:
        click.echo(json.dumps({"strategy": strategy, "stored": stored_version(), "sets": scores}))
    else:
        click.echo("\n\n".join(_in_words(score) for score in scores))
    return ExitCode.NO if any(run.summary.faulted or run.summary.interrupted for run in logs) else ExitCode.DONE


def _play(chosen: BenchmarkSet, strategy: str, options: dict[str, Any]) -> StrategyRun:
    outcomes = OutcomeLog()
    with Progress(options["games"], sys.stderr, chosen.name) as screen:

        def note(played: PlayedGame) -> None:
            outcomes.add(played.result, game=played.number)
            screen.advance()

        summary = simulate(
            chosen.plan(options["games"]),
            strategy,
            workers=options["workers"],
            move_limit=options["move_limit"],
            on_ready=screen.ready,
            on_played=note,
        )
    return StrategyRun(strategy=strategy, summary=summary, outcomes=outcomes)


def _read(file: Any, name: str) -> StrategyRun:
    """Another program's results: the first word of each line."""
    outcomes = OutcomeLog()
    won = 0
    for number, line in enumerate(decoded(file.read(), file.name).splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        word = line.split()[0].lower()
        if word not in ("won", "lost"):
            raise NotationError(f"a result is won or lost, not {word[:20]!r}", source=file.name, line=number, column=1)
        won += word == "won"
        outcomes.add(GameOutcome(word))
    if not 1 <= len(outcomes) <= GAMES:
        raise click.UsageError(f"{file.name}: {counted(len(outcomes), 'result')}; a set has {GAMES:,} boards")
    games = len(outcomes)
    nothing = RunSummary.nothing(games, "another program")
    summary = replace(nothing, games=games, won=won, lost=games - won, interrupted=False)
    return StrategyRun(strategy=name, summary=summary, outcomes=outcomes)


def _score(chosen: BenchmarkSet, run: StrategyRun) -> dict[str, Any]:
    """One set, with the keys of `--json`."""
    low, high = run.summary.interval
    pairs = []
    for name, log in stored_results(chosen.name).items():
        stored = StrategyRun(strategy=name, summary=run.summary, outcomes=log)
        pair = Pairing.of(run, stored)
        pairs.append(
            {
                "strategy": name,
                "won": pair.both + pair.only_second,
                "only_first": pair.only_first,
                "only_second": pair.only_second,
                "difference": pair.difference,
                "low": pair.interval[0],
                "high": pair.interval[1],
                "p": sign_test(pair.only_first, pair.only_second),
            }
        )
    return {
        "set": chosen.name,
        "sha256": chosen.sha256,
        "strategy": run.strategy,
        "games": run.summary.games,
        "won": run.summary.won,
        "rate": run.summary.rate,
        "low": low,
        "high": high,
        "faulted": run.summary.faulted,
        "games_per_second": run.summary.games_per_second,
        "pairs": pairs,
    }


def sign_test(one: int, other: int) -> float:
    """The two-sided p of so many boards that only one of two wins, if either is as likely to; by the normal law beyond 1,000."""
    total = one + other
    if total > 1000:
        return 1 - erf(max(0.0, (abs(one - other) - 1) / sqrt(2 * total)))
    tail: float = sum(comb(total, count) for count in range(min(one, other) + 1)) / 2**total
    return min(1.0, 2 * tail)


def _in_words(score: dict[str, Any]) -> str:
    rate = f"{100 * score['rate']:.2f} % (95 %: {100 * score['low']:.2f} to {100 * score['high']:.2f} %)"
    lines = [f"{score['set']}: {score['strategy']} won {score['won']:,} of {score['games']:,} games: {rate}"]
    if score["faulted"]:
        lines.append(f"  {counted(score['faulted'], 'game')} ended by a fault of the strategy")
    for pair in score["pairs"]:
        difference = (
            f"{100 * pair['difference']:+6.2f} (95 %: {100 * pair['low']:+.2f} to {100 * pair['high']:+.2f}) points"
        )
        only = f"boards only one wins: {pair['only_first']:,} and {pair['only_second']:,}, p = {pair['p']:.3f}"
        lines.append(f"  beside {pair['strategy']:8} {difference}; {only}")
    return "\n".join(lines)


def _list(chosen: Sequence[BenchmarkSet], *, as_json: bool) -> ExitCode:
    """The sets and what is stored."""
    stored = {one.name: _rates(one) for one in chosen}
    if as_json:
        found = [{"set": one.name, "sha256": one.sha256, "results": stored[one.name]} for one in chosen]
        click.echo(json.dumps({"stored": stored_version(), "sets": found}))
        return ExitCode.DONE
    for one in chosen:
        click.echo(f"{one.name}: sha256 {one.sha256}")
        for name, rate in stored[one.name].items():
            share = f"{100 * rate['rate']:6.2f} % (95 %: {100 * rate['low']:.2f} to {100 * rate['high']:.2f} %)"
            click.echo(f"  {name:8} {share}")
    click.echo(f"{GAMES:,} boards each; sapper {stored_version()}")
    return ExitCode.DONE


def _rates(chosen: BenchmarkSet) -> dict[str, dict[str, float]]:
    """The stored rate of each strategy on a set, with its interval."""
    found = {}
    for name, log in stored_results(chosen.name).items():
        won = sum(log.has_won(game) for game in range(len(log)))
        low, high = wilson(won, len(log))
        found[name] = {"games": len(log), "won": won, "rate": won / len(log), "low": low, "high": high}
    return found
