"""`sapper simulate benchmark STRATEGY`: anybody's strategy on the fixed board sets, beside sapper's own on the same boards."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Final

import click

from sapper import __version__
from sapper.cli.exits import ExitCode
from sapper.cli.files import decoded
from sapper.cli.options import is_given, json_option, resume_option, shard_option, workers_option
from sapper.cli.simulation_run import Playing, RunItem, check_files
from sapper.cli.store_access import now
from sapper.core.words import counted
from sapper.errors import NotationError
from sapper.metrics.interval import p_in_words, paired_difference, sign_test, wilson
from sapper.simulate.benchmark_sets import GAMES, SEED, SETS, BenchmarkSet, find_set, stored_results, stored_version
from sapper.simulate.comparison import OutcomeLog, Pairing, StrategyRun
from sapper.simulate.plan import Shard
from sapper.simulate.results import GameOutcome, RunSummary
from sapper.simulate.runner import check_strategy
from sapper.simulate.strategy_names import Player, player_of

_SUMS = ("games", "requested", "won", "faulted", "seconds")
_PAIR_SUMS = ("both", "only_first", "only_second", "neither")


def scores_as_data(player: Mapping[str, Any], scores: Sequence[Mapping[str, Any]], **others: Any) -> dict[str, Any]:
    """All that has to be told to cite a result; `others` are keys of the run: date, games, part."""
    return {
        "strategy": player["strategy"],
        "player": player,
        "sapper": __version__,
        "seed": SEED,
        "stored": stored_version(),
        **others,
        "sets": scores,
    }


def score_of(chosen: BenchmarkSet, run: StrategyRun) -> dict[str, Any]:
    summary = run.summary
    pairs = []
    for name, log in stored_results(chosen.name).items():
        pair = Pairing.of(run, StrategyRun(strategy=name, summary=summary, outcomes=log))
        pairs.append({"strategy": name} | {key: getattr(pair, key) for key in _PAIR_SUMS})
    sums = {name: getattr(summary, name) for name in _SUMS}
    return _score({"set": chosen.name, "sha256": chosen.sha256, "strategy": run.strategy}, sums, pairs)


def joined_score(parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    pairs = [
        {"strategy": some[0]["strategy"]} | {key: sum(one[key] for one in some) for key in _PAIR_SUMS}
        for some in zip(*(part["pairs"] for part in parts), strict=True)
    ]
    sums = {name: sum(part[name] for part in parts) for name in _SUMS}
    return _score({name: parts[0][name] for name in ("set", "sha256", "strategy")}, sums, pairs)


def _score(named: Mapping[str, Any], sums: Mapping[str, Any], pairs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    games, won, seconds = sums["games"], sums["won"], sums["seconds"]
    low, high = wilson(won, games)
    return {
        **named,
        **sums,
        "rate": won / games if games else None,
        "low": low,
        "high": high,
        "games_per_second": games / seconds if games and seconds else None,
        "pairs": [_compared(pair) for pair in pairs],
    }


def _compared(pair: Mapping[str, Any]) -> dict[str, Any]:
    """Boards that both, one and none of two players won, and what follows from them."""
    both, only_first, only_second, neither = (pair[key] for key in _PAIR_SUMS)
    games = both + only_first + only_second + neither
    low, high = paired_difference(both, only_first, only_second, neither)
    return {
        **pair,
        "won": both + only_second,
        "difference": (only_first - only_second) / games if games else 0.0,
        "low": low,
        "high": high,
        "p": sign_test(only_first, only_second),
    }


def score_in_words(score: Mapping[str, Any]) -> str:
    name = f"{score['set']}: {score['strategy']}"
    lines = []
    if score["games"] < score["requested"]:
        lines.append(f"{name} was interrupted after {score['games']:,} of {counted(score['requested'], 'game')}")
    if score["games"]:
        share = f"{percent(score['rate'])} % (95 %: {percent(score['low'])} to {percent(score['high'])} %)"
        lines.append(f"{name} won {score['won']:,} of {score['games']:,} games: {share}")
    if score["faulted"]:
        lines.append(f"  {counted(score['faulted'], 'game')} ended by a fault of the strategy")
    pairs = score["pairs"] if score["games"] else []
    width = max((len(pair["strategy"]) for pair in pairs), default=0)
    for pair in pairs:
        difference = f"{round(100 * pair['difference'], 2) + 0.0:+6.2f} (95 %: {round(100 * pair['low'], 2) + 0.0:+6.2f} to {round(100 * pair['high'], 2) + 0.0:+6.2f}) points"
        only = f"boards only one wins: {pair['only_first']:6,} and {pair['only_second']:6,}, {p_in_words(pair['p'])}"
        lines.append(f"  beside {pair['strategy']:{width}} {difference}; {only}")
    return "\n".join(lines)


def percent(share: float) -> str:
    return f"{100 * share:.2f}"


def data_in_words(data: Mapping[str, Any]) -> str:
    player = data["player"]
    version = player["version"]
    known = [data["strategy"] if version is None else f"{data['strategy']} {version}"]
    if player["sha256"] is not None:
        known.append(f"SHA-256 {player['sha256']}")
    parts = [*known, f"sapper {data['sapper']}", f"seed {data['seed']}", data["date"]]
    sets = [f"  {one['set']}, {counted(one['games'], 'game')}, SHA-256 {one['sha256']}" for one in data["sets"]]
    return "\n\n".join([*map(score_in_words, data["sets"]), "\n".join(["to cite: " + ", ".join(parts), *sets])])


_OF_PLAYING: Final = ("per_game", "shard", "resume")

_EXAMPLES = """\b
Examples:
  sapper simulate benchmark
  sapper simulate benchmark mine.py --set beginner-safe --games 1000
  sapper simulate benchmark --boards expert-open > boards.txt
  sapper simulate benchmark theirs --set expert-open --results theirs.txt --json
"""


@click.command("benchmark", epilog=_EXAMPLES)
@click.argument("strategy", required=False)
@click.option("--set", "sets", multiple=True, metavar="NAME", help=f"{', '.join(SETS)}. [default: all six]")
@click.option(
    "--games", type=click.IntRange(1, GAMES), default=GAMES, show_default=True, help="The first games of each set."
)
@workers_option
@click.option("--boards", metavar="NAME", help="Print the board list of this set instead, for another program to play.")
@click.option(
    "--results",
    type=click.File("rb"),
    help="Score another program's results: this file has a line for each board that starts with won or lost.",
)
@click.option(
    "--per-game",
    type=click.Path(dir_okay=False, allow_dash=True),
    help="Write a line a game into this file, as simulate does; .csv and .parquet are tables with the set in the first column.",
)
@shard_option("Play part K of N of each set; sapper simulate merge joins the --json output of the parts.")
@resume_option
@json_option
def benchmark(strategy: str | None, **options: Any) -> ExitCode:  # fmt: skip
    """Score a strategy on the fixed sets of 10,000 boards, paired with sapper's own on the same boards.

    Without STRATEGY: the sets, the SHA-256 of each board list, and the stored results of sapper's own. docs/benchmarks.md is the protocol.
    """
    if options["boards"] is not None:
        for line in find_set(options["boards"]).board_list():
            click.echo(line, nl=False)
        return ExitCode.DONE
    chosen = [find_set(name) for name in options["sets"] or SETS]
    if strategy is None:
        for name in ("results", "games", *_OF_PLAYING):
            if is_given(name):
                option = f"--{name.replace('_', '-')}"
                raise click.UsageError(
                    f"{option} is about a strategy: name it, as sapper simulate benchmark STRATEGY {option} ..."
                )
        return _list(chosen, as_json=options["as_json"])
    if options["results"] is not None:
        data, runs = _others(chosen, strategy, options)
    else:
        check_strategy(strategy)
        check_files(options)
        player = player_of(strategy)
        runs = _play(chosen, strategy, player, options)
        data = _as_data(chosen, asdict(player), runs, options)
    click.echo(json.dumps(data) if options["as_json"] else data_in_words(data), err=options["per_game"] == "-")
    return ExitCode.NO if any(run.summary.faulted or run.summary.interrupted for run in runs) else ExitCode.DONE


def _others(
    chosen: Sequence[BenchmarkSet], name: str, options: dict[str, Any]
) -> tuple[dict[str, Any], list[StrategyRun]]:
    if len(chosen) != 1:
        raise click.UsageError("--results is of one set: name it with --set")
    for option in _OF_PLAYING:
        if options[option] is not None:
            raise click.UsageError(f"--results plays nothing: leave out --{option.replace('_', '-')}")
    content = options["results"].read()
    runs = [_read(content, options["results"].name, name)]
    player = asdict(Player(strategy=name, version=None, sha256=None))
    data = _as_data(chosen, player, runs, options)
    return data | {"results_sha256": hashlib.sha256(content).hexdigest()}, runs


def _as_data(
    chosen: Sequence[BenchmarkSet], player: Mapping[str, Any], runs: Sequence[StrategyRun], options: dict[str, Any]
) -> dict[str, Any]:
    shard: Shard | None = options["shard"]
    return scores_as_data(
        player,
        [score_of(one, run) for one, run in zip(chosen, runs, strict=False)],  # an interrupted run has fewer
        date=now().isoformat(timespec="seconds"),
        games=options["games"] if options["results"] is None else runs[0].summary.games,
        shard=None if shard is None else str(shard),
    )


def _play(chosen: Sequence[BenchmarkSet], strategy: str, player: Player, options: dict[str, Any]) -> list[StrategyRun]:
    shard: Shard | None = options["shard"]
    items = []
    for one in chosen:
        whole = replace(one.plan(options["games"]), with_bbbv=options["per_game"] is not None)
        game = dict.fromkeys(("rules", "size", "mines")) | {"preset": one.preset, "start": one.start.value}
        plan = whole if shard is None else shard.plan(whole)
        items.append(RunItem(name=one.name, plan=plan, strategy=strategy, options=game))
    identity = {
        "benchmark": {one.name: one.sha256 for one in chosen},
        "games": options["games"],
        "shard": None if shard is None else str(shard),
        "sapper": __version__,
        "player": asdict(player),
        "per_game": options["per_game"] is not None,
    }
    return Playing(items=items, label="set", identity=identity, options=options).play()


def _read(content: bytes, file: str, name: str) -> StrategyRun:
    """Another program's results: the first word of each line."""
    outcomes = OutcomeLog()
    won = 0
    for number, line in enumerate(decoded(content, file).splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        word = line.split()[0].lower()
        if word not in ("won", "lost"):
            raise NotationError(f"a result is won or lost, not {word[:20]!r}", source=file, line=number, column=1)
        won += word == "won"
        outcomes.add(GameOutcome(word))
    if not 1 <= len(outcomes) <= GAMES:
        raise click.UsageError(f"{file}: {counted(len(outcomes), 'result')}; a set has {GAMES:,} boards")
    games = len(outcomes)
    summary = RunSummary(requested=games, games=games, won=won, lost=games - won, backend="another program")
    return StrategyRun(strategy=name, summary=summary, outcomes=outcomes)


def _list(chosen: Sequence[BenchmarkSet], *, as_json: bool) -> ExitCode:
    stored = {one.name: _rates(one) for one in chosen}
    if as_json:
        found = [{"set": one.name, "sha256": one.sha256, "results": stored[one.name]} for one in chosen]
        click.echo(json.dumps({"sapper": __version__, "seed": SEED, "stored": stored_version(), "sets": found}))
        return ExitCode.DONE
    for one in chosen:
        click.echo(f"{one.name}: sha256 {one.sha256}")
        for name, rate in stored[one.name].items():
            share = f"{percent(rate['rate']):>6} % (95 %: {percent(rate['low'])} to {percent(rate['high'])} %)"
            click.echo(f"  {name:8} {share}")
    click.echo(f"{GAMES:,} boards each; sapper {stored_version()}")
    return ExitCode.DONE


def _rates(chosen: BenchmarkSet) -> dict[str, dict[str, float]]:
    found = {}
    for name, log in stored_results(chosen.name).items():
        won = sum(log.has_won(game) for game in range(len(log)))
        low, high = wilson(won, len(log))
        found[name] = {"games": len(log), "won": won, "rate": won / len(log), "low": low, "high": high}
    return found
