"""`sapper simulate merge FILES`: the parts of a simulation or a benchmark, joined to what the whole would have said."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import click

from sapper.cli.exits import ExitCode
from sapper.cli.files import decoded
from sapper.cli.simulate_report import run_as_data, run_in_words, runs_as_data, runs_in_words
from sapper.core.words import counted
from sapper.errors import RecordError
from sapper.simulate.comparison import OutcomeLog, Pairing, StrategyRun
from sapper.simulate.plan import Shard
from sapper.simulate.results import RunSummary

_PLANNED = (
    *("seed", "rules", "preset", "start", "first", "width", "height", "mine_count"),
    *("boards", "boards_sha256", "shard", "shard_of", "sapper", "players"),
)
"""The keys that say what was played."""
_BENCHMARK = ("seed", "stored", "games", "shard", "sapper", "player")
"""Those of a benchmark."""
_OWN = ("boards", "shard")
"""Those that the parts of a run need not share: where a list of boards lies, counts not."""

_EXAMPLES = """\b
Examples:
  sapper simulate --preset expert --games 1000000 --seed 1 --shard 1/2 --json > first.json
  sapper simulate --preset expert --games 1000000 --seed 1 --shard 2/2 --json > second.json
  sapper simulate merge first.json second.json
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """One document."""

    name: str
    shard: Shard
    planned: Mapping[str, Any]
    runs: Sequence[Mapping[str, Any]]
    """One for each strategy, or for each set of a benchmark."""
    pairs: Sequence[Mapping[str, Any]]
    date: str | None
    """When a benchmark was played."""

    @property
    def games(self) -> int:
        total: int = self.planned["shard_of"] if self.date is None else self.planned["games"]
        return total


@click.command("merge", epilog=_EXAMPLES)
@click.argument("files", nargs=-1, required=True, type=click.File("rb"))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document, as simulate does for a whole run.")
def merge(files: Sequence[Any], as_json: bool) -> ExitCode:
    """Join the parts of a simulation or a benchmark: what simulate or benchmark --shard K/N --json printed of each of the N parts.

    The counts, rates, intervals and pairs are those of the whole run; seconds are those of all parts together. Exit code 2 if a part is
    missing, given twice, broken off, or of another run.
    """
    parts = [_read(file.name, decoded(file.read(), file.name)) for file in files]
    _check(parts)
    parts.sort(key=lambda part: part.shard)
    if parts[0].date is not None:
        return _say_benchmark(parts, as_json=as_json)
    planned = {**parts[0].planned, "shard": None, "shard_of": None}
    runs = [_joined(parts, place) for place in range(len(parts[0].runs))]
    pairs = [_joined_pair([part.pairs[place] for part in parts]) for place in range(len(parts[0].pairs))]
    if as_json:
        found = (
            runs_as_data(planned, runs, pairs, None)
            if pairs
            else run_as_data(planned, runs[0].summary, runs[0].strategy, None)
        )
        click.echo(json.dumps(found))
    elif pairs:
        click.echo(runs_in_words(planned, runs, pairs, None))
    else:
        click.echo(run_in_words(planned, runs[0].summary, runs[0].strategy))
    return ExitCode.NO if any(run.summary.faulted for run in runs) else ExitCode.DONE


def _say_benchmark(parts: Sequence[_Part], *, as_json: bool) -> ExitCode:
    from sapper.cli.benchmark import data_in_words, joined_score, scores_as_data

    planned = parts[0].planned
    scores = [joined_score([part.runs[place] for part in parts]) for place in range(len(parts[0].runs))]
    date = max(part.date or "" for part in parts)
    data = scores_as_data(planned["player"], scores, date=date, games=planned["games"], shard=None)
    click.echo(json.dumps(data) if as_json else data_in_words(data))
    return ExitCode.NO if any(score["faulted"] for score in scores) else ExitCode.DONE


def _read(name: str, text: str) -> _Part:
    wrong = RecordError(f"{name} is not what sapper simulate or benchmark --shard K/N --json prints")
    try:
        document = json.loads(text)
        planned = {key: document[key] for key in (_BENCHMARK if "sets" in document else _PLANNED)}
        if planned["shard"] is None:
            raise RecordError(f"{name} is a whole run, not a part: --shard K/N makes parts")
        number, _, of = planned["shard"].partition("/")
        runs = document.get("sets", document.get("strategies", [document]))
        return _Part(
            name=name,
            shard=Shard(int(number), int(of)),
            planned=planned,
            runs=runs,
            pairs=document.get("pairs", []),
            date=document["date"] if "sets" in document else None,
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise error if isinstance(error, RecordError) else wrong from None


def _check(parts: Sequence[_Part]) -> None:
    """That they are all the parts of one run; `RecordError` says what is wrong."""
    first = parts[0]
    homes: dict[int, str] = {}
    for part in parts:
        if part.planned.keys() != first.planned.keys():
            raise RecordError(f"parts of two runs: of {first.name} and {part.name} one is a benchmark")
        for key in part.planned:
            if key not in _OWN and part.planned[key] != first.planned[key]:
                words = (f"{key} {json.dumps(one.planned[key])} in {one.name}" for one in (first, part))
                raise RecordError(f"parts of two runs: {' and '.join(words)}")
        names, others = (", ".join(run.get("set", run["strategy"]) for run in one.runs) for one in (first, part))
        if names != others:
            raise RecordError(f"parts of two runs: {names} played in {first.name} and {others} in {part.name}")
        if part.shard.of != first.shard.of:
            raise RecordError(f"{first.name} is part {first.shard} and {part.name} part {part.shard}: of how many?")
        if part.shard.number in homes:
            raise RecordError(f"part {part.shard} is given twice: {homes[part.shard.number]} and {part.name}")
        homes[part.shard.number] = part.name
        for run in part.runs:
            if run["games"] != len(part.shard.games(part.games)):
                done = f"{run['games']:,} of {counted(run['requested'], 'game')} of {run['strategy']}"
                raise RecordError(f"{part.name}: part {part.shard} stopped after {done}: finish it first")
    missing = [str(Shard(number, first.shard.of)) for number in range(1, first.shard.of + 1) if number not in homes]
    if missing:
        raise RecordError(f"missing: part {', '.join(missing[:10])}{', …' if len(missing) > 10 else ''}")


def _joined(parts: Sequence[_Part], place: int) -> StrategyRun:
    some = [part.runs[place] for part in parts]
    total = {
        name: sum(one[name] for one in some)
        for name in ("games", "requested", "won", "lost", "terminated", "moves", "guesses", "seconds", "ready_seconds")
    }
    faults: Counter[str] = Counter()
    for one in some:
        faults.update(one["faults"])
    summary = RunSummary(
        **total,
        faults=dict(sorted(faults.items())),
        fault_example=next((one["fault_example"] for one in some if one["fault_example"]), ""),
        backend="+".join(sorted({word for one in some for word in one["backend"].split("+")})),
        interrupted=False,
    )
    return StrategyRun(strategy=some[0]["strategy"], summary=summary, outcomes=OutcomeLog())


def _joined_pair(some: Sequence[Mapping[str, Any]]) -> Pairing:
    counts = {name: sum(one[name] for one in some) for name in ("both", "only_first", "only_second", "neither")}
    return Pairing(
        first=some[0]["first"],
        second=some[0]["second"],
        **counts,
        first_games=tuple(game for one in some for game in one["only_first_games"]),
        second_games=tuple(game for one in some for game in one["only_second_games"]),
    )
