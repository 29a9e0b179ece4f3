"""`sapper review FOLDER`: the games of a folder reviewed, and one report of all of them."""

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from sapper.cli.exits import ExitCode, ending_of
from sapper.cli.game_input import read_games
from sapper.cli.progress import Progress
from sapper.cli.replay_measuring import ask_all, files_of
from sapper.core.coordinates import cell_name
from sapper.core.grid import Grid
from sapper.core.words import counted
from sapper.errors import SapperError
from sapper.review.judging import review_game
from sapper.review.summary import (
    Mistake,
    MistakeSum,
    ReviewedGame,
    by_kind,
    by_month,
    by_technique,
    needless,
    reviewed_game,
    worst_first,
)

_AT_ONCE: Final = 4
"""Files of a job."""
_MANY: Final = 20
"""Files from which on another process pays."""
_SHOWN: Final = 10
"""The worst moves that the text shows; the JSON has all."""


class _Reviewed(NamedTuple):
    games: list[ReviewedGame]
    left_out: list[str]
    """Why files cannot be read."""
    untrusted: list[str]
    """What files state otherwise than their replay shows it."""


def review_folder(folder: Path, *, as_json: bool) -> ExitCode:
    """Review the games of a folder and print the report; files that are left out of it are named on stderr."""
    files = files_of(folder)
    if not files:
        raise click.UsageError(f"{folder} has no recordings and no records")
    jobs = [[str(one) for one in files[at : at + _AT_ONCE]] for at in range(0, len(files), _AT_ONCE)]
    workers = os.cpu_count() or 1 if len(files) >= _MANY else 1
    games: list[ReviewedGame] = []
    left_out: list[str] = []
    has_untrusted = False
    with Progress(len(files), sys.stderr, "files") as screen:
        for job, found in zip(jobs, ask_all(_review, jobs, (), workers=workers), strict=True):
            games += found.games
            left_out += found.left_out + found.untrusted
            has_untrusted = has_untrusted or bool(found.untrusted)
            screen.advance(len(job))
    for line in left_out:
        click.echo(f"sapper: {line}", err=True)
    if not games:
        return ExitCode.USAGE
    if as_json:
        click.echo(json.dumps(_document(games, len(files), left_out), ensure_ascii=False))
    else:
        click.echo("\n".join(report_lines(games, len(left_out))))
    return ExitCode.NO if has_untrusted else ExitCode.DONE


def _review(files: Sequence[str]) -> _Reviewed:
    found = _Reviewed([], [], [])
    for name in files:
        try:
            for game in read_games(Path(name)):
                if not game.is_trusted and game.replayed is not None:
                    found.untrusted.append(f"{game.source}: {game.replayed.told_differences}")
                    continue
                replayed = game.replayed
                month = "" if replayed is None else replayed.recording.started[:7]
                review = review_game(game.record, protected_first=replayed is not None)
                found.games.append(reviewed_game(review, source=game.source, month=month))
        except (SapperError, OSError) as error:
            found.left_out.append(ending_of(error).line or name)
    return found


def _document(games: Sequence[ReviewedGame], files: int, left_out: Sequence[str]) -> dict[str, Any]:
    return {
        "files": files,
        "left_out": list(left_out),
        "games": len(games),
        "won": sum(game.won for game in games),
        "guesses": sum(game.guesses for game in games),
        "needless": _sum(needless(games)),
        "kinds": [_sum(one) for one in by_kind(games)],
        "techniques": [_sum(one) for one in by_technique(games)],
        "months": [_sum(one) for one in by_month(games)],
        "worst": [{**asdict(one), "kind": one.kind.value} for one in worst_first(games)],
    }


def _sum(one: MistakeSum) -> dict[str, Any]:
    return {
        "name": one.name, "games": one.games, "count": one.count, "per_game": one.per_game, "cost": one.cost, "unknown": one.unknown,
    }  # fmt: skip


def report_lines(games: Sequence[ReviewedGame], left_out: int) -> list[str]:
    won = sum(game.won for game in games)
    total = needless(games)
    guesses = sum(game.guesses for game in games)
    lines = [
        f"{counted(len(games), 'game')}, {won:,} won"
        + (f"; {left_out:,} left out, named on standard error" if left_out else ""),
        f"guesses: {guesses / len(games):.2f} a game, {total.per_game:.2f} of them needless",
        f"needless guesses cost {100 * total.cost / len(games):.1f} percentage points of the chance to win a game",
    ]
    if total.unknown:
        lines[-1] += f"; the cost of {total.unknown:,} is not known, and not in it"
    months = by_month(games)
    tables = [("mistakes by kind", by_kind(games)), ("missed techniques", by_technique(games))]
    if any(one.name for one in months):
        tables.append(("needless guesses by month", [_named(one) for one in months]))
    for title, rows in tables:
        if rows:
            lines += ["", f"{title:<26}  {'count':>6}  {'a game':>7}  {'cost a game':>12}"]
            lines += [
                f"{one.name:<26}  {one.count:>6,}  {one.per_game:>7.2f}  {100 * one.cost / one.games:>10.1f} %"
                for one in rows
            ]
    worst = worst_first(games)[:_SHOWN]
    if worst:
        lines += ["", "worst moves"]
        lines += [line for one in worst for line in _mistake_lines(one)]
    return lines


def _named(one: MistakeSum) -> MistakeSum:
    return one if one.name else replace(one, name="not known")


def _mistake_lines(one: Mistake) -> list[str]:
    place = cell_name(Grid(one.x + 1, one.y + 1), (one.x + 1) * (one.y + 1) - 1)
    told = f"{-100 * (one.cost or 0.0):>6.1f} %  {one.source}, move {one.number}, {place}: {one.kind.value}"
    return [told, f"          {one.why}."] if one.why else [told]
