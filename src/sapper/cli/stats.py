"""`sapper stats`: what was played, and how well."""

import csv
import io
import json
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sapper.cli.files import write_named
from sapper.cli.options import database_option, json_option
from sapper.cli.storing import open_there
from sapper.core.preset import PRESETS, as_preset
from sapper.errors import UnknownNameError
from sapper.store.models import Category, GameKind, to_ms

if TYPE_CHECKING:
    from sapper.store.filters import Filter
    from sapper.store.game_list import GameEntry, GameQuery
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
@click.option("--since", type=_DATE, help="Only games that ended at this time (UTC) or later.")
@click.option("--until", type=_DATE, help="Only games that ended before this time (UTC).")
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
    help=r"Draw a plot into this file \(SVG, PNG or PDF\).",
)
@database_option
def command(view: str | None, **options: Any) -> None:
    r"""Show games played, won, streaks, times, speed and efficiency; times are those of games won.

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
    """
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
            _show_strategies(store, options)
            return
        wanted = _filter(options)
        data = _answer(store, wanted, view, options)
        if options["plot"] is not None:
            _plot(store, wanted, options["plot"])
    if options["as_json"]:
        click.echo(json.dumps(data["json"]))
    elif options["as_csv"]:
        click.echo(_csv(data["json"]["kinds"]), nl=False)
    else:
        click.echo("\n".join(data["lines"]))


def _refuse_others_of_strategies() -> None:
    """Simulations have no players and no dates to ask for: what would be ignored is a mistake."""
    context = click.get_current_context()
    for name in ("player", "since", "until", "table", "count"):
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
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


def _filter(options: dict[str, Any]) -> "Filter":
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


def _answer(store: "Store", wanted: "Filter", view: str | None, options: dict[str, Any]) -> dict[str, Any]:
    from sapper.cli.stats_text import best_lines, calibration_lines, game_lines, luck_lines, statistics_lines
    from sapper.store.luck import luck_over_time, luck_together
    from sapper.store.statistics import best_times, calibration, count_games, statistics

    found = statistics(store, wanted, most_kinds=options["count"])
    others = {
        name: count_games(store, replace(wanted, category=category))
        for name, category in (*_TABLES.items(), ("debugged", Category.DEBUGGED))
        if category is not wanted.category
    }
    data = as_data(found)
    data["others"] = {name: {"played": played, "won": won} for name, (played, won) in others.items()}
    data["table"] = options["table"]
    lines = statistics_lines(found, options["table"], others, whose=_whose(wanted))
    if not found.total.played:
        lines += _of_nobody(store, wanted)
    if view == "best":
        bests = best_times(store, wanted, most_kinds=options["count"])
        data["best"] = [{**_kind_data(kind), "times": [asdict(one) for one in times]} for kind, times in bests]
        lines += best_lines(bests)
    if view == "games":
        page = store.list_games(_query(wanted), most=options["count"])
        data["games"] = [_entry_data(one) for one in page.games]
        lines += game_lines(page)
    if view == "luck":
        periods = luck_over_time(store, wanted, parts=12)
        together = luck_together(periods)
        data["luck"] = {
            "total": None if together is None else _luck_data(together),
            "periods": [_luck_data(one) for one in periods],
        }
        lines += luck_lines(periods, together)
    if view == "calibration":
        buckets = calibration(store, wanted)
        data["calibration"] = [
            {**asdict(one), "rate_low": one.interval.low, "rate_high": one.interval.high} for one in buckets
        ]
        lines += calibration_lines(buckets)
    return {"json": data, "lines": lines}


def _whose(wanted: "Filter") -> str:
    names = [
        f"{kind} {name}"
        for kind, name in (("player", wanted.player), ("strategy", wanted.strategy))
        if name is not None
    ]
    everybody = "programs" if wanted.category is Category.BOT else "players"
    return ", ".join(names) or f"all {everybody} of this store"


def _query(wanted: "Filter") -> "GameQuery":
    from sapper.store.game_list import GameQuery

    return GameQuery(
        player=wanted.player,
        strategy=wanted.strategy,
        category=wanted.category,
        preset=wanted.preset,
        size=wanted.size,
        mine_count=wanted.mine_count,
        since=wanted.since,
        until=wanted.until,
    )


def _entry_data(one: "GameEntry") -> dict[str, Any]:
    return {
        **asdict(one), "kind": _kind_data(one.kind), "category": one.category.name.lower(), "result": one.result.value,
        "started": to_ms(one.started), "ended": to_ms(one.ended),
    }  # fmt: skip


def _luck_data(one: "LuckOfPeriod") -> dict[str, Any]:
    return {**asdict(one), "forced": one.forced, "luck": one.luck}


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


def as_data(found: "Statistics") -> dict[str, Any]:
    return {
        **_numbers_data(found.total),
        "streak": found.streak,
        "best_streak": found.best_streak,
        "kinds": [{**_kind_data(kind), **_numbers_data(numbers)} for kind, numbers in found.kinds],
        "kind_count": found.kind_count,
    }


def _numbers_data(numbers: "StatisticsTotals") -> dict[str, Any]:
    low, high = numbers.interval
    return {**asdict(numbers), "rate": numbers.rate, "low": low, "high": high}


def _kind_data(kind: GameKind) -> dict[str, Any]:
    return {
        "preset": kind.preset, "rules": kind.rules.name, "start": kind.rules.start.value, "width": kind.width,
        "height": kind.height, "mine_count": kind.mine_count, "no_guess": kind.no_guess,
    }  # fmt: skip


def _csv(rows: list[dict[str, Any]]) -> str:
    text = io.StringIO()
    if rows:
        writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return text.getvalue()


# --- strategies -----------------------------------------------------------------------------------------


def _show_strategies(store: "Store", options: dict[str, Any]) -> None:
    from sapper.cli.stats_text import strategy_lines
    from sapper.store.comparison import compare

    rows = compare(
        store.simulations(), **{name: options[name] for name in ("preset", "size", "mine_count", "strategy")}
    )
    if options["plot"] is not None:
        from sapper.plots.figure import written
        from sapper.plots.rates import WinRate, plot_rates

        rates = [
            WinRate(label=f"{row.strategy}, {row.what}", rate=row.won / row.games, low=row.interval.low, high=row.interval.high, games=row.games)
            for row in rows
        ]  # fmt: skip
        write_named(options["plot"], written(plot_rates(rates), options["plot"].suffix[1:].lower()))
    data = [
        {**asdict(row), "kind": None if row.kind is None else _kind_data(row.kind), "rate": row.won / row.games,
         "low": row.interval.low, "high": row.interval.high}
        for row in rows
    ]  # fmt: skip
    if options["as_json"]:
        click.echo(json.dumps({"strategies": data}))
    elif options["as_csv"]:
        click.echo(
            _csv([{**{k: v for k, v in row.items() if k != "kind"}, **(row["kind"] or {})} for row in data]), nl=False
        )
    else:
        click.echo("\n".join(strategy_lines(rows)))


# --- plots ----------------------------------------------------------------------------------------------


def _check_plot(path: Path) -> None:
    from sapper.plots.figure import FORMATS

    if path.suffix[1:].lower() not in FORMATS:
        raise click.BadParameter(f"a plot is one of {', '.join(FORMATS)}: {path.name}", param_hint="'--plot'")


def _plot(store: "Store", wanted: "Filter", path: Path) -> None:
    from sapper.plots.figure import written
    from sapper.plots.progress import Claims, ProgressSpan, plot_progress
    from sapper.store.statistics import calibration, over_time

    spans = [
        ProgressSpan(
            begin=datetime.fromtimestamp(one.begin / 1000, UTC),
            games=one.played,
            won=one.won,
            seconds=None if one.mean_ms is None else one.mean_ms / 1000,
        )
        for one in over_time(store, wanted)
    ]
    claims = [
        Claims(
            claimed=one.claimed, moves=one.moves, exploded=one.exploded, low=one.interval.low, high=one.interval.high
        )
        for one in calibration(store, wanted)
    ]
    write_named(path, written(plot_progress(spans, claims), path.suffix[1:].lower()))
