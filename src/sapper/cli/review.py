"""`sapper review`: a recorded game judged move by move, or all games of a folder."""

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from sapper.cli.exits import ExitCode, ending_of
from sapper.cli.game_input import find_game, read_games, tell_differences
from sapper.cli.options import database_option, game_number_option, json_option
from sapper.cli.progress import say_without_native
from sapper.core.coordinates import cell_name
from sapper.core.grid import Grid
from sapper.core.words import counted
from sapper.errors import SapperError
from sapper.replay.numbers import RecordedGame
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
from sapper.review.values import GameReview, MoveReview, MoveVerdict
from sapper.solver.advice import win_words
from sapper.solver.words import percent, points

_EXAMPLES = """\b
Examples:
  sapper review example
  sapper review 3f2a9c --all
  sapper review example --json
  sapper review .
"""


@click.command("review", epilog=_EXAMPLES)
@click.argument("file", metavar="FILE|ID|FOLDER")
@click.option("--all", "everything", is_flag=True, help="Print every move, including safe ones and flags.")
@click.option("--deep", is_flag=True, help="Search further, and play more layouts out. Takes some ten times as long.")
@json_option
@game_number_option
@database_option
def command(
    file: str, everything: bool, deep: bool, as_json: bool, number: int | None, database: str | None
) -> ExitCode:
    """Judge each move of a game by what was known before it.

    Says which guesses were right and had bad luck, which were wrong and had good luck, which were not needed, and what
    each mistake cost of the chance to win. FILE and ID are as for sapper replay. The words are defined in docs/review.md.

    Of a FOLDER all games are reviewed, and one report says how many guesses were needless, what mistakes cost by their kind, by
    the technique that was missed and by month, and which moves were the worst.
    """
    from sapper.review.judging import review_game

    say_without_native()
    if Path(file).is_dir():
        if deep or everything or number is not None:
            raise click.UsageError(f"--all, --deep and --game need one game, and {file} is a folder")
        return review_folder(Path(file), as_json=as_json)
    game = find_game(file, database, number=number)
    review = review_game(game.record, deep=deep)
    if as_json:
        click.echo(json.dumps(document(game, review), ensure_ascii=False))
    else:
        click.echo("\n".join(review_lines(review, everything=everything)))
    code = tell_differences(game)
    return ExitCode.LIMIT if review.too_hard else code


_OF_A_GAME = (
    *("win_first", "win_last", "cost", "luck", "accuracy"),
    *("survival", "expected_survived", "survived", "without_risk"),
)


def document(game: RecordedGame, review: GameReview) -> dict[str, Any]:
    grid, turn = game.record.grid, review.turning_point
    return {
        "source": game.source,
        "width": grid.width,
        "height": grid.height,
        "mine_count": game.record.mine_count,
        "status": game.record.status.value,
        "seconds": game.milliseconds / 1000,
        **{name: getattr(review, name) for name in _OF_A_GAME},
        "guesses": len(review.guesses),
        "verdicts": {verdict.value: review.count(verdict) for verdict in MoveVerdict},
        "turning_point": None if turn is None else turn.number,
        "moves": [_move(grid, one) for one in review.moves],
    }


def _move(grid: Grid, one: MoveReview) -> dict[str, Any]:
    x, y = grid.xy(one.move.cell)
    return {
        "number": one.number, "seconds": one.at / 1000, "action": one.move.action.name.lower(), "x": x, "y": y,
        "verdict": one.verdict.value, "words": one.words, "survived": one.survived, "risk": one.risk,
        "least_risk": one.least_risk, "safe_count": one.safe_count, "mine_count": one.mine_count,
        "missed": [grid.xy(cell) for cell in one.safe], "win_before": one.win_before, "win_by_move": one.win_by_move,
        "win_after": one.win_after, "exact": one.exact, "cost": one.cost, "luck": one.luck,
        "best": None if one.best is None else grid.xy(one.best), "why": one.why,
        "technique": None if one.technique is None else one.technique.words,
        "cost_error": one.cost_error,
    }  # fmt: skip


def review_lines(review: GameReview, *, everything: bool) -> list[str]:
    """A review as lines: the moves that are worth a word (or all), then the game."""
    grid = review.record.grid
    shown = [one for one in review.moves if everything or one.verdict.is_guess or one.verdict.is_mistake]
    lines = [line for one in shown for line in _move_lines(grid, one)]
    return [*lines, *([""] if lines else []), *_game_lines(review)]


def _move_lines(grid: Grid, one: MoveReview) -> list[str]:
    told = f"{one.number:>4}  {one.at / 1000:>8.3f} s  {one.said(grid)}"
    if one.risk:
        told += f"; risk {percent(one.risk)}, least {percent(one.least_risk or 0.0)}"
    if (
        one.win_before is not None
        and one.win_by_move is not None
        and one.win_after is not None
        and one.verdict.is_guess
    ):
        steps = win_words(one.win_before, one.win_by_move, one.win_after, is_exact=one.exact)
        told += f"; to win {' > '.join(steps)}"
    return [told] if one.why is None else [told, f"      {one.why}."]


def _guesses(count: int) -> str:
    return f"{count:,} guess{'' if count == 1 else 'es'}"


def _game_lines(review: GameReview) -> list[str]:
    status = review.record.status.words
    lines = [
        f"{status}: {counted(len(review.moves), 'move')}, {_guesses(len(review.guesses))}, {counted(len(review.mistakes), 'mistake')}"
    ]
    if review.guesses:
        counts = ", ".join(
            f"{count} {verdict.value}{'' if count == 1 or verdict is MoveVerdict.CERTAIN_MINE else 'es'}"
            for verdict in MoveVerdict
            if verdict.is_guess and (count := review.count(verdict))
        )
        if review.expected_survived is not None and review.survival is not None:
            counts += f"; {review.survived} survived, {review.expected_survived:.2f} expected, all of them {percent(review.survival)}"
        if review.without_risk:
            counts += f"; {review.without_risk} of unknown risk, not counted in what was survived"
        lines.append(counts)
    if review.win_first is not None and review.cost is not None and review.luck is not None:
        first = next(one for one in review.moves if not one.verdict.is_aside)
        (at_first,) = win_words(review.win_first, is_exact=first.exact)
        lines.append(
            f"to win: {at_first} at first, {points(-review.cost)} points by choices, {points(review.luck)} points by luck"
        )
        lines.append(f"accuracy {percent(review.accuracy or 0.0)}")
    if (turn := review.turning_point) is not None and turn.win_before is not None and turn.win_after is not None:
        before, after = win_words(turn.win_before, turn.win_after, is_exact=turn.exact)
        lines.append(f"turning point: move {turn.number}, from {before} to {after}")
    if review.too_hard:
        lines.append(f"{review.too_hard} moves were too hard to judge")
    if left_out := review.record.left_out:
        lines.append(f"the last move is not judged: the record leaves out {counted(left_out, 'move')} before it")
    return lines


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
    from sapper.cli.replay_measuring import ask_of_files, files_of  # its imports would delay the review of one game

    files = files_of(folder)
    if not files:
        raise click.UsageError(f"{folder} has no recordings and no records")
    games: list[ReviewedGame] = []
    left_out: list[str] = []
    has_untrusted = False
    for found in ask_of_files(_review, files, at_once=_AT_ONCE, many=_MANY):
        games += found.games
        left_out += found.left_out + found.untrusted
        has_untrusted = has_untrusted or bool(found.untrusted)
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
    from sapper.review.judging import review_game

    found = _Reviewed([], [], [])
    for name in files:
        try:
            for game in read_games(Path(name)):
                if not game.is_trusted and game.replayed is not None:
                    found.untrusted.append(f"{game.source}: {game.replayed.told_differences}")
                    continue
                month = (game.record.started or "")[:7]
                review = review_game(game.record)
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
