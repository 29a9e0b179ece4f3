"""Statistics in words."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from sapper.store.comparison import Compared
from sapper.store.game_list import GamePage
from sapper.store.luck import LuckOfPeriod
from sapper.store.models import GameKind, from_ms
from sapper.store.statistics import BestTime, Bucket, Statistics, StatisticsTotals

_HEADS = {"plain": "", "assisted": " with help", "bots": " by programs"}
_OTHERS = {
    "plain": "without help (--table plain)", "assisted": "with help (--table assisted)", "bots": "by programs (--table bots)",
    "debugged": "with the mines shown, which count nowhere",
}  # fmt: skip


def statistics_lines(found: Statistics, table: str, others: Mapping[str, tuple[int, int]], *, whose: str) -> list[str]:
    total = found.total
    lines = [f"games played{_HEADS[table]} ({whose}): {total.played:,}", f"games won: {total.won:,}{_share(total)}"]
    if total.played:
        lines.append(
            f"lost {total.lost:,}, given up {total.terminated:,}, not finished {total.unfinished:,}; "
            f"streak {found.streak:,}, longest {found.best_streak:,}"
        )
    if found.kinds:
        rows: list[tuple[str, ...]] = [("game", "played", "won", "rate", "best", "median", "3BV/s", "efficiency")]
        rows += [_row(kind, numbers) for kind, numbers in found.kinds]
        lines += ["", *table_lines(rows)]
        if found.kind_count > len(found.kinds):
            lines.append(f"… and {found.kind_count - len(found.kinds):,} more (--count)")
    also = [f"{played:,} {_OTHERS[name]}" for name, (played, _) in others.items() if played]
    if also:
        lines += ["", f"not in this table: {'; '.join(also)}"]
    return lines


def _share(numbers: StatisticsTotals) -> str:
    if numbers.rate is None:
        return ""
    low, high = numbers.interval
    return f", {100 * numbers.rate:.1f} % of {numbers.ended:,} that have ended (95 %: {100 * low:.1f} to {100 * high:.1f} %)"


def _row(kind: GameKind, numbers: StatisticsTotals) -> tuple[str, ...]:
    return (
        kind_words(kind), f"{numbers.played:,}", f"{numbers.won:,}",
        "" if numbers.rate is None else f"{100 * numbers.rate:.1f} %",
        _seconds(numbers.best_ms), _seconds(numbers.median_ms),
        "" if numbers.bbbv_per_second is None else f"{numbers.bbbv_per_second:.2f}",
        "" if numbers.efficiency is None else f"{100 * numbers.efficiency:.0f} %",
    )  # fmt: skip


def kind_words(kind: GameKind) -> str:
    name = kind.family or kind.rules.name
    no_guess = ", no guess" if kind.no_guess else ""
    return f"{name} {kind.width}x{kind.height}/{kind.mine_count}, start {kind.rules.start.value}{no_guess}"


def _seconds(milliseconds: float | None) -> str:
    return "" if milliseconds is None else f"{milliseconds / 1000:.3f} s"


def best_lines(bests: Sequence[tuple[GameKind, Sequence[BestTime]]]) -> list[str]:
    if not bests:
        return ["", "no game that was won has a time"]
    lines = []
    for kind, times in bests:
        rows: list[tuple[str, ...]] = [("", "time", "3BV/s", "ended (UTC)", "player", "game")]
        for place, one in enumerate(times, 1):
            speed = "" if not one.time_ms or one.solved_bbbv is None else f"{1000 * one.solved_bbbv / one.time_ms:.2f}"
            ended = f"{from_ms(one.ended):%Y-%m-%d %H:%M}"
            moves = "" if one.has_record else " (no moves)"
            rows.append((f"{place}.", _seconds(one.time_ms), speed, ended, one.player or "", f"{one.key}{moves}"))
        lines += ["", f"best times of {kind_words(kind)}", *table_lines(rows)]
    return lines


def game_lines(page: GamePage) -> list[str]:
    if not page.games:
        return ["", "no such game has ended in this table"]
    rows: list[tuple[str, ...]] = [("game", "ended (UTC)", "result", "time", "3BV/s", "player", "key")]
    for one in page.games:
        speed = "" if not one.time_ms or one.solved_bbbv is None else f"{1000 * one.solved_bbbv / one.time_ms:.2f}"
        who = one.player or one.strategy or ""
        moves = "" if one.recorded else " (no moves)"
        rows.append(
            (
                kind_words(one.kind), f"{one.ended:%Y-%m-%d %H:%M}", one.result.value, _seconds(one.time_ms), speed, who,
                f"{one.key}{moves}",
            )
        )  # fmt: skip
    more = (
        []
        if page.next is None
        else [f"earlier ones: --until {page.games[-1].ended + timedelta(seconds=1):%Y-%m-%dT%H:%M:%S}"]
    )
    return ["", *table_lines(rows), *more]


def luck_lines(spans: Sequence[LuckOfPeriod], together: LuckOfPeriod | None) -> list[str]:
    if together is None:
        return ["", "no guess was recorded"]
    rows = [("ended (UTC)", "games", "forced", "needless", "survived", "expected", "luck")]
    for one in (*spans, together):
        name = "together" if one is together else f"{from_ms(one.begin):%Y-%m-%d %H:%M}"
        rows.append(
            (
                name, f"{one.games:,}", f"{one.forced:,}", f"{one.needless:,}", f"{one.survived:,}", f"{one.expected:.2f}",
                f"{round(one.luck, 2) + 0.0:+.2f}",
            )
        )  # fmt: skip
    return [
        "",
        *table_lines(rows),
        "games: those with a guess; luck: how many more guesses were survived than on average",
    ]


def calibration_lines(buckets: Sequence[Bucket]) -> list[str]:
    if not buckets:
        return ["", "no move with a claimed risk was recorded"]
    rows = [("risk claimed", "mean", "moves", "exploded", "95 %", "needless")]
    for one in buckets:
        low, high = one.interval
        rows.append(
            (
                f"{100 * one.low:.0f} to {100 * one.high:.0f} %", f"{100 * one.claimed:.1f} %", f"{one.moves:,}",
                f"{100 * one.exploded / one.moves:.1f} %", f"{100 * low:.1f} to {100 * high:.1f} %",
                f"{one.needless:,}",
            )
        )  # fmt: skip
    return ["", *table_lines(rows), "needless: there was a cell that was certain to be safe"]


def strategy_lines(rows: Sequence[Compared]) -> list[str]:
    if not rows:
        return ["no simulation was recorded: sapper simulate … --record"]
    table = [("game", "strategy", "games", "won", "95 %", "moves", "guesses", "games/s")]
    for row in rows:
        low, high = row.interval
        table.append(
            (
                row.what, row.strategy, f"{row.games:,}", f"{100 * row.won / row.games:.2f} %",
                f"{100 * low:.2f} to {100 * high:.2f} %", f"{row.moves:.1f}", f"{row.guesses:.2f}",
                "" if row.games_per_second is None else f"{row.games_per_second:,.0f}",
            )
        )  # fmt: skip
    return table_lines(table)


def table_lines(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as lines: the first column to the left, numbers to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
