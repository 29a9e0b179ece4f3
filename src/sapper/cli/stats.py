"""`sapper stats`: what was played, and how well."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from sapper.cli.files import write_named
from sapper.cli.options import database_option, is_given, json_option
from sapper.cli.store_access import open_there
from sapper.cli.terminal import table_lines
from sapper.core.preset import PRESETS, as_preset
from sapper.core.status import Status
from sapper.errors import UnknownNameError
from sapper.store.models import Category, GameKind, from_ms, to_ms

if TYPE_CHECKING:
    from sapper.store.filters import Filter
    from sapper.store.luck import LuckOfPeriod
    from sapper.store.repository import Store
    from sapper.store.statistics import Statistics, StatisticsTotals

_EXAMPLES = """\b
Examples:
  sapper stats
  sapper stats --preset expert --player ann --since 2026-01-01
  sapper stats --table bots --strategy least-risk --json
  sapper stats best --preset expert
  sapper stats games --player ann --count 50
  sapper stats luck --player ann
  sapper stats strategies
  sapper stats --plot progress.svg
"""

_TABLES = {"plain": Category.PLAIN, "assisted": Category.ASSISTED, "bots": Category.BOT}
_HEADS = {"plain": "", "assisted": " with help", "bots": " by programs"}
_OTHERS = {
    "plain": "without help (--table plain)",
    "assisted": "with help (--table assisted)",
    "bots": "by programs (--table bots)",
    "debugged": "with the mines shown, which count nowhere",
}
_VIEWS = ("games", "best", "luck", "calibration", "strategies")
_DATE = click.DateTime(["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"])


@click.command("stats", epilog=_EXAMPLES)
@click.argument("view", metavar=f"[{'|'.join(_VIEWS)}]", type=click.Choice(_VIEWS), required=False)
@click.option(
    "--preset",
    help="Only games of this preset, or of boards WIDTHxHEIGHT/MINES; jminesweeper-1 is that level in every size.",
)
@click.option("--player", help="Only games of this player.")
@click.option("--strategy", help="Only games that this strategy played (with --table bots).")
@click.option("--since", type=_DATE, metavar="YYYY-MM-DD", help="Only games that ended at this time (UTC) or later.")
@click.option("--until", type=_DATE, metavar="YYYY-MM-DD", help="Only games that ended before this time (UTC).")
@click.option(
    "--table", type=click.Choice(list(_TABLES)), default="plain", show_default=True,
    help="Games by people, by people with help, or by programs.",
)  # fmt: skip
@click.option(
    "--count",
    type=click.IntRange(1, 500),
    default=20,
    show_default=True,
    help="Most kinds of games, or games, to list.",
)
@json_option
@click.option("--csv", "as_csv", is_flag=True, help="Print comma-separated values, a line a kind of game.")
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="Draw a plot into this file (SVG, PNG or PDF).",
)
@database_option
def command(view: str | None, **options: Any) -> None:
    """Show games played, won, streaks, times, speed and efficiency; times are those of games won.

    \b
    games         those that ended last, each with the key for sapper replay and review
    best          the ten best times of each kind, with their games
    luck          guesses, forced and needless, and how many were survived, over time
    calibration   how often moves exploded, by the risk that was claimed for them
    strategies    strategies compared by recorded simulations (simulate --record)

    The games are those of all players of the store, unless you name one (--player).

    Games with hints, undone moves, help with flags or a board seen before have a table of their own (--table assisted), and so have
    those of programs (--table bots). Games whose mines were shown count nowhere.

    For calibration each reveal and chord of a recorded game counts for which a risk was claimed before it (sapper
    bot --record): not those of risk 0 that were safe, and not those of strategies that compute no risk.
    """  # noqa: D301  # Click wants the character
    if options["as_json"] and options["as_csv"]:
        raise click.UsageError("--json or --csv, not both")
    if options["as_csv"] and view not in (None, "strategies"):
        raise click.UsageError(f"{view} and --csv: --json has all of {view}")
    if view == "strategies":
        _refuse_others_of_strategies()
    if options["plot"] is not None:
        _check_plot(options["plot"])
    if options["since"] is not None and options["until"] is not None and options["since"] >= options["until"]:
        raise click.UsageError("--since must be before --until")
    with open_there(options["database"], to_read=True) as store:
        options |= _board_of(store, options["preset"])
        if view == "strategies":
            told = _strategies(store, options)
        else:
            wanted = _filter(options)
            told = _statistics(store, wanted, options)
            if view is not None:
                more = _OF_VIEWS[view](store, wanted, options["count"])
                told = Told(told.data | more.data, told.lines + more.lines, told.rows)
            if options["plot"] is not None:
                _plot(store, wanted, options["plot"])
    if options["as_json"]:
        click.echo(json.dumps(told.data))
    elif options["as_csv"]:
        click.echo(_csv(told.rows), nl=False)
    else:
        click.echo("\n".join(told.lines))


class Told(NamedTuple):
    """An answer in all its forms."""

    data: dict[str, Any]
    lines: list[str]
    rows: Sequence[Mapping[str, Any]] = ()


def _refuse_others_of_strategies() -> None:
    """Simulations have no players and no dates to ask for: what would be ignored is a mistake."""
    for name in ("player", "since", "until", "table", "count"):
        if is_given(name):
            raise click.UsageError(f"--{name} and strategies: the simulations that it compares have no {name}")


def _board_of(store: "Store", name: str | None) -> dict[str, Any]:
    """The options `preset`, `size` and `mine_count` of a filter, from what `--preset` says."""
    if name is not None and "/" in name:
        preset = as_preset(name)
        return {"preset": None, "size": (preset.width, preset.height), "mine_count": preset.mine_counts[0]}
    _check_preset(store, name)
    return {"preset": name, "size": None, "mine_count": None}


def _check_preset(store: "Store", name: str | None) -> None:
    """`UnknownNameError` for what is neither a preset nor the name that games were recorded by, as those of a server are."""
    if name is None or name in PRESETS:
        return
    from sapper.store.reading import read_kinds

    with store.reading() as connection:
        kinds = [kind for kind in read_kinds(connection).values() if kind.preset is not None]
    if not any(name in (kind.preset, kind.family) for kind in kinds):
        families = {kind.family or "" for kind in kinds}
        raise UnknownNameError("preset", name, [*PRESETS, *sorted(families - PRESETS.keys())])


def _filter(options: Mapping[str, Any]) -> "Filter":
    from sapper.store.filters import Filter

    def utc(when: datetime | None) -> datetime | None:
        return None if when is None else when.replace(tzinfo=UTC)

    names = ("preset", "size", "mine_count", "player", "strategy")
    return Filter(
        category=_TABLES[options["table"]],
        since=utc(options["since"]),
        until=utc(options["until"]),
        **{name: options[name] for name in names},
    )


def _csv(rows: Sequence[Mapping[str, Any]]) -> str:
    text = io.StringIO()
    if rows:
        writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return text.getvalue()


# --- statistics -----------------------------------------------------------------------------------------


def _statistics(store: "Store", wanted: "Filter", options: Mapping[str, Any]) -> Told:
    from sapper.store.statistics import count_games, statistics

    found = statistics(store, wanted, most_kinds=options["count"])
    total = found.total
    others = {
        name: count_games(store, replace(wanted, category=category))
        for name, category in (*_TABLES.items(), ("debugged", Category.DEBUGGED))
        if category is not wanted.category
    }
    kinds = [{**_kind_data(kind), **_numbers_data(numbers)} for kind, numbers in found.kinds]
    data = {
        **_numbers_data(total),
        "streak": found.streak,
        "best_streak": found.best_streak,
        "kinds": kinds,
        "kind_count": found.kind_count,
        "others": {name: {"played": played, "won": won} for name, (played, won) in others.items()},
        "table": options["table"],
    }
    lines = [
        f"games played{_HEADS[options['table']]} ({_whose(wanted)}): {total.played:,}",
        f"games won: {total.won:,}{_share(total)}",
    ]
    if total.played:
        lines.append(
            f"lost {total.lost:,}, given up {total.terminated:,}, not finished {total.unfinished:,}; "
            f"streak {found.streak:,}, longest {found.best_streak:,}"
        )
    lines += _kind_lines(found)
    if also := [f"{played:,} {_OTHERS[name]}" for name, (played, _) in others.items() if played]:
        lines += ["", f"not in this table: {'; '.join(also)}"]
    if not total.played:
        lines += _of_nobody(store, wanted)
    return Told(data, lines, kinds)


def _numbers_data(numbers: "StatisticsTotals") -> dict[str, Any]:
    low, high = numbers.interval
    return {**asdict(numbers), "rate": numbers.rate, "low": low, "high": high}


def _kind_data(kind: GameKind) -> dict[str, Any]:
    names = ("width", "height", "mine_count", "no_guess")
    of_rules = {"preset": kind.preset, "rules": kind.rules.name, "start": kind.rules.start.value}
    return of_rules | {name: getattr(kind, name) for name in names}


def _whose(wanted: "Filter") -> str:
    names = (("player", wanted.player), ("strategy", wanted.strategy))
    everybody = "programs" if wanted.category is Category.BOT else "players"
    return ", ".join(f"{kind} {name}" for kind, name in names if name is not None) or f"all {everybody} of this store"


def _share(numbers: "StatisticsTotals") -> str:
    if numbers.rate is None:
        return ""
    low, high = numbers.interval
    return (
        f", {_percent(numbers.rate)} of {numbers.ended:,} that have ended (95 %: {100 * low:.1f} to {_percent(high)})"
    )


def _kind_lines(found: "Statistics") -> list[str]:
    if not found.kinds:
        return []
    rows = [("game", "played", "won", "rate", "best", "median", "3BV/s", "efficiency")]
    for kind, numbers in found.kinds:
        rate = "" if numbers.rate is None else _percent(numbers.rate)
        speed = "" if numbers.bbbv_per_second is None else f"{numbers.bbbv_per_second:.2f}"
        efficiency = "" if numbers.efficiency is None else f"{100 * numbers.efficiency:.0f} %"
        times = (_seconds(numbers.best_ms), _seconds(numbers.median_ms))
        rows.append((kind_words(kind), f"{numbers.played:,}", f"{numbers.won:,}", rate, *times, speed, efficiency))
    more = found.kind_count - len(found.kinds)
    return ["", *table_lines(rows), *([f"… and {more:,} more (--count)"] if more > 0 else [])]


def _of_nobody(store: "Store", wanted: "Filter") -> list[str]:
    """Where there is no game: whether that is because of a name that none was recorded of."""
    from sapper.store.filters import Filter
    from sapper.store.statistics import count_games

    def has_games(of: Filter) -> bool:
        return any(count_games(store, replace(of, category=category))[0] for category in Category)

    lines = []
    if wanted.player is not None and not has_games(Filter(player=wanted.player)):
        lines.append(f"no game of player {wanted.player!r} was recorded")
    if wanted.strategy is not None and not has_games(Filter(strategy=wanted.strategy)):
        lines.append(f"no game of strategy {wanted.strategy!r} was recorded")
    return lines


# --- words ----------------------------------------------------------------------------------------------


def kind_words(kind: GameKind) -> str:
    name = kind.family or kind.rules.name
    no_guess = ", no guess" if kind.no_guess else ""
    return f"{name} {kind.width}x{kind.height}/{kind.mine_count}, start {kind.rules.start.value}{no_guess}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _seconds(milliseconds: float | None) -> str:
    return "" if milliseconds is None else f"{milliseconds / 1000:.3f} s"


def _speed(time_ms: int | None, solved_bbbv: int | None) -> str:
    return "" if not time_ms or solved_bbbv is None else f"{1000 * solved_bbbv / time_ms:.2f}"


def _key(key: str, has_moves: bool) -> str:
    return key if has_moves else f"{key} (no moves)"


# --- views ----------------------------------------------------------------------------------------------


def _best(store: "Store", wanted: "Filter", count: int) -> Told:
    from sapper.store.statistics import best_times

    bests = best_times(store, wanted, most_kinds=count)
    data = [{**_kind_data(kind), "times": [asdict(one) for one in times]} for kind, times in bests]
    lines = [] if bests else ["", "no game that was won has a time"]
    for kind, times in bests:
        rows = [("", "time", "3BV/s", "ended (UTC)", "player", "game")]
        for place, one in enumerate(times, 1):
            numbers = (_seconds(one.time_ms), _speed(one.time_ms, one.solved_bbbv))
            ended = f"{from_ms(one.ended):%Y-%m-%d %H:%M}"
            rows.append((f"{place}.", *numbers, ended, one.player or "", _key(one.key, one.has_record)))
        lines += ["", f"best times of {kind_words(kind)}", *table_lines(rows)]
    return Told({"best": data}, lines)


def _games(store: "Store", wanted: "Filter", count: int) -> Told:
    from sapper.store.game_list import GameQuery

    names = ("player", "strategy", "category", "preset", "size", "mine_count", "since", "until")
    page = store.list_games(GameQuery(**{name: getattr(wanted, name) for name in names}), most=count)
    data = [
        {
            **asdict(one),
            "kind": _kind_data(one.kind),
            "category": one.category.name.lower(),
            "result": one.result.value,
            "started": to_ms(one.started),
            "ended": to_ms(one.ended),
        }
        for one in page.games
    ]
    if not page.games:
        return Told({"games": data}, ["", "no such game has ended in this table"])
    rows = [("game", "ended (UTC)", "result", "time", "3BV/s", "player", "key")]
    for one in page.games:
        numbers = (_seconds(one.time_ms), _speed(one.time_ms, one.solved_bbbv))
        who = (one.player or one.strategy or "", _key(one.key, one.recorded))
        rows.append(
            (kind_words(one.kind), f"{one.ended:%Y-%m-%d %H:%M}", Status(one.result.value).words, *numbers, *who)
        )
    lines = ["", *table_lines(rows)]
    if page.next is not None:
        lines.append(f"earlier ones: --until {page.games[-1].ended + timedelta(seconds=1):%Y-%m-%dT%H:%M:%S}")
    return Told({"games": data}, lines)


def _luck(store: "Store", wanted: "Filter", _count: int) -> Told:
    from sapper.store.luck import luck_over_time, luck_together

    periods = luck_over_time(store, wanted, parts=12)
    together = luck_together(periods)

    def data(one: "LuckOfPeriod") -> dict[str, Any]:
        return {**asdict(one), "forced": one.forced, "luck": one.luck}

    if together is None:
        return Told({"luck": {"total": None, "periods": [data(one) for one in periods]}}, ["", "no guess was recorded"])
    rows = [("ended (UTC)", "games", "forced", "needless", "survived", "expected", "luck")]
    for one in (*periods, together):
        name = "together" if one is together else f"{from_ms(one.begin):%Y-%m-%d %H:%M}"
        counts = (f"{one.games:,}", f"{one.forced:,}", f"{one.needless:,}", f"{one.survived:,}")
        rows.append((name, *counts, f"{one.expected:.2f}", f"{round(one.luck, 2) + 0.0:+.2f}"))
    explained = "games: those with a guess; luck: how many more guesses were survived than on average"
    told = {"luck": {"total": data(together), "periods": [data(one) for one in periods]}}
    return Told(told, ["", *table_lines(rows), explained])


def _calibration(store: "Store", wanted: "Filter", _count: int) -> Told:
    from sapper.store.statistics import calibration

    buckets = calibration(store, wanted)
    data = [{**asdict(one), "rate_low": one.interval.low, "rate_high": one.interval.high} for one in buckets]
    if not buckets:
        return Told({"calibration": data}, ["", "no move with a claimed risk was recorded"])
    rows = [("risk claimed", "mean", "moves", "exploded", "95 %", "needless")]
    for one in buckets:
        claimed = (f"{100 * one.low:.0f} to {100 * one.high:.0f} %", _percent(one.claimed))
        rate = (_percent(one.exploded / one.moves), f"{100 * one.interval.low:.1f} to {_percent(one.interval.high)}")
        rows.append((*claimed, f"{one.moves:,}", *rate, f"{one.needless:,}"))
    explained = "needless: there was a cell that was certain to be safe"
    return Told({"calibration": data}, ["", *table_lines(rows), explained])


_OF_VIEWS = {"best": _best, "games": _games, "luck": _luck, "calibration": _calibration}


def _strategies(store: "Store", options: Mapping[str, Any]) -> Told:
    from sapper.store.comparison import compare

    found = compare(store.simulations(), _filter(options))
    if options["plot"] is not None:
        from sapper.plots.figure import written
        from sapper.plots.rates import WinRate, plot_rates

        rates = [
            WinRate(
                label=f"{one.strategy}, {one.what}",
                rate=one.won / one.games,
                low=one.interval.low,
                high=one.interval.high,
                games=one.games,
            )
            for one in found
        ]
        write_named(options["plot"], written(plot_rates(rates), options["plot"].suffix[1:].lower()))
    data = []
    rows = [("game", "strategy", "games", "won", "95 %", "moves", "guesses", "games/s")]
    for one in found:
        low, high = one.interval
        rate = one.won / one.games
        kind = None if one.kind is None else _kind_data(one.kind)
        data.append({**asdict(one), "kind": kind, "rate": rate, "low": low, "high": high})
        share = (f"{100 * rate:.2f} %", f"{100 * low:.2f} to {100 * high:.2f} %")
        speed = "" if one.games_per_second is None else f"{one.games_per_second:,.0f}"
        rows.append((one.what, one.strategy, f"{one.games:,}", *share, f"{one.moves:.1f}", f"{one.guesses:.2f}", speed))
    flat = [{**{name: row[name] for name in row if name != "kind"}, **(row["kind"] or {})} for row in data]
    lines = table_lines(rows) if found else ["no simulation was recorded: sapper simulate … --record"]
    return Told({"strategies": data}, lines, flat)


# --- plots ----------------------------------------------------------------------------------------------


def _check_plot(path: Path) -> None:
    from sapper.plots.figure import FORMATS

    if path.suffix[1:].lower() not in FORMATS:
        raise click.BadParameter(f"a plot is one of {', '.join(FORMATS)}: {path.name}", param_hint="'--plot'")


def _plot(store: "Store", wanted: "Filter", path: Path) -> None:
    from sapper.plots.figure import written
    from sapper.plots.progress import plot_progress
    from sapper.store.statistics import calibration, over_time

    figure = plot_progress(over_time(store, wanted), calibration(store, wanted))
    write_named(path, written(figure, path.suffix[1:].lower()))
