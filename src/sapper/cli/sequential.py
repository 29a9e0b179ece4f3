"""`sapper simulate --sprt LOW,HIGH`: pairs of games until it is decided which of two strategies wins more.

The strategies take turns, with some boards each. The test looks at the pairs in the order of the boards, so it does not matter which
game ended first; what was played beyond the pair that decides is not counted.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

import click

from sapper.cli.exits import ExitCode
from sapper.cli.simulate_report import plan_as_data, plan_in_words
from sapper.cli.simulation_run import Playing, RunItem
from sapper.core.words import counted
from sapper.simulate.comparison import ALPHA, BETA, LOWER, UPPER, Accepted, SequentialTest, StrategyRun
from sapper.simulate.plan import Plan

MOST_PAIRS: Final = 1_000_000
"""Boards that a test may take unless told otherwise."""
_LEAST_TURN: Final = 1000
_SHARE: Final = 8
"""A turn has at least a thousand boards, and one for every eight that were played: few turns, and little is played in vain."""
_NOT_WITH: Final = ("per_game", "records", "losses", "shard", "record")
_NUMBER: Final = r"[+-]?\d+(?:\.\d+)?"
_BOUNDS: Final = re.compile(rf"\s*({_NUMBER})\s*,\s*({_NUMBER})\s*")


def bounds_from(text: object) -> tuple[float, float]:
    """`LOW,HIGH`, two differences of win rates in percentage points."""
    match = _BOUNDS.fullmatch(str(text))
    low, high = (float(match[1]), float(match[2])) if match else (0.0, 0.0)
    if not -100 < low < high < 100:
        raise click.BadParameter(
            f"two differences in percentage points, the lower first, for instance 0,0.3, not {str(text)[:40]!r}"
        )
    return low, high


def check_options(options: Mapping[str, Any]) -> None:
    """`click.UsageError` where other options do not fit a test."""
    if len(options["strategies"]) != 2:
        raise click.UsageError("--sprt compares two strategies: give --strategy twice")
    for name in _NOT_WITH:
        if options[name]:
            raise click.UsageError(
                f"--sprt and --{name.replace('_', '-')}: a test counts pairs of games and keeps no more"
            )


def run_test(plan: Plan, identity: Mapping[str, Any], options: dict[str, Any]) -> ExitCode:
    low, high = options["sprt"]
    race = _Race(plan, SequentialTest(low=low / 100, high=high / 100), options)
    # A test that is not decided can be gone on with, whatever the number of boards it may take.
    identity = {**identity, "games": None, "sprt": [low, high]}
    playing = Playing(
        items=race.items, label="strategy", identity=identity, options=options, parts=race.turns(), runs=race.runs
    )
    playing.play()
    race.take()
    test, planned = race.test, plan_as_data(plan, options)
    is_interrupted = any(one.summary.interrupted for one in race.runs)
    if options["as_json"]:
        data = _as_data(test, options, race.seconds, is_interrupted=is_interrupted)
        click.echo(json.dumps({**data, **planned}))
    else:
        click.echo(_in_words(test, options, plan_in_words(planned), is_interrupted=is_interrupted))
    if test.accepted is None and not is_interrupted:
        return ExitCode.LIMIT
    return ExitCode.DONE if test.accepted is Accepted.HIGH else ExitCode.NO


class _Race:
    """Two strategies that take turns."""

    def __init__(self, plan: Plan, test: SequentialTest, options: Mapping[str, Any]) -> None:
        self.test = test
        self.items = [RunItem(name=name, plan=plan, strategy=name, options=options) for name in options["strategies"]]
        self.runs: list[StrategyRun] = []
        """What was played: the first strategy's games of a turn, the second's, and so on."""
        self._taken = 0
        self._plan = plan

    def turns(self) -> Iterator[RunItem]:
        begin = self._plan.begin
        while begin < self._plan.end and self.test.accepted is None:
            part = self._plan.part(begin, min(max(_LEAST_TURN, begin // _SHARE), self._plan.end - begin))
            for one in self.items:
                yield replace(one, plan=part)
            self.take()
            begin = part.end

    def take(self) -> None:
        """Give the test the pairs that it does not have yet, in the order of the boards, up to the first that is missing."""
        while len(self.runs) - self._taken >= len(self.items):
            first, second = (run.outcomes for run in self.runs[self._taken :][: len(self.items)])
            self._taken += len(self.items)
            for game in range(first.begin, min(first.end, second.end)):
                if game not in first or game not in second:
                    break
                self.test.add(first=first.has_won(game), second=second.has_won(game))

    @property
    def seconds(self) -> float:
        return sum(one.summary.seconds for one in self.runs)


# --- what is said ---------------------------------------------------------------------------------------


def _as_data(
    test: SequentialTest, options: Mapping[str, Any], seconds: float, *, is_interrupted: bool
) -> dict[str, Any]:
    low, high = options["sprt"]
    return {
        "strategy": options["strategies"][0],
        "against": options["strategies"][1],
        "sprt": [low, high],
        "accepted": None if test.accepted is None else high if test.accepted is Accepted.HIGH else low,
        "ratio": test.ratio,
        "ratio_low": LOWER,
        "ratio_high": UPPER,
        "alpha": ALPHA,
        "beta": BETA,
        **{name: getattr(test, name) for name in ("pairs", "both", "only_first", "only_second", "neither")},
        "interrupted": is_interrupted,
        "seconds": seconds,
    }


def _in_words(test: SequentialTest, options: Mapping[str, Any], planned: str, *, is_interrupted: bool) -> str:
    first, second = options["strategies"]
    low, high = options["sprt"]
    counts = f"{test.both:,} won by both, {test.only_first:,} by {first} only, {test.only_second:,} by {second} only, {test.neither:,} by neither"
    ratio = f"log-likelihood ratio {test.ratio:.2f}; the test ends at {LOWER:.2f} and {UPPER:.2f}"
    lines = [f"{first} against {second} on {planned}", f"{counted(test.pairs, 'board')}: {counts}", ratio]
    if test.accepted is not None:
        accepted, other = (high, low) if test.accepted is Accepted.HIGH else (low, high)
        lines += [
            f"accepted: a difference of {accepted:g} percentage points ({first} less {second}), rather than {other:g}",
            "each answer is wrong in about 5 % of the cases in which the other is true; the counts above are no measure",
            "of the difference: for that, play boards of another seed with --strategy twice and without --sprt",
        ]
    elif is_interrupted:
        lines.append("interrupted before it was decided" + ("; --resume goes on" if options["resume"] else ""))
    else:
        lines.append(
            f"not decided: --games {2 * test.pairs} would allow more"
            + ("" if options["resume"] else ", with --resume FILE the games are kept")
        )
    return "\n".join(lines)
