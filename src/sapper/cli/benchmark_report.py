"""What `sapper simulate benchmark` says of each set: its JSON, its lines, and the parts of a run joined."""

from collections.abc import Mapping, Sequence
from typing import Any

from sapper import __version__
from sapper.core.words import counted
from sapper.metrics.interval import p_in_words, paired_difference, sign_test, wilson
from sapper.simulate.benchmark_sets import SEED, BenchmarkSet, stored_results, stored_version
from sapper.simulate.comparison import Pairing, StrategyRun

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
    return "\n\n".join([*map(score_in_words, data["sets"]), "to cite: " + ", ".join(parts)])
