"""What `sapper simulate` says: its JSON, its lines, the table of several strategies, the games that were lost."""

import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sapper import __version__
from sapper.cli.options import game_words
from sapper.cli.terminal import table_lines
from sapper.core.coordinates import cell_name, place_name
from sapper.core.preset import PRESETS
from sapper.core.words import counted
from sapper.simulate.comparison import Pairing, StrategyRun
from sapper.simulate.results import RunSummary
from sapper.solver.analysis import TIE
from sapper.solver.words import at, percent

if TYPE_CHECKING:
    from sapper.simulate.losses import Loss
    from sapper.simulate.plan import Plan


def again(plan: "Plan", options: Mapping[str, Any], strategy: str, number: int) -> str:
    """The command for game `number` of a plan that these options of `sapper simulate` made; a listed game is named by its code."""
    if plan.boards is None:
        words = [*game_words(plan.preset, options), "--first", cell_name(plan.preset.grid, plan.first)]
    else:
        from sapper.generator.game_code import CodedGame

        (listed,) = plan.listed(number, 1)
        layout = listed.layout
        game = CodedGame(
            rules=plan.rules, grid=layout.grid, mine_count=layout.mine_count, first=listed.first, layout=layout
        )
        words = ["--code", game.code]
    return shlex.join(["sapper", "bot", *words, "--strategy", strategy, "--seed", str(plan.seed_of(number))])


_MOST_NAMED = 3
"""Games that are named of those that only one strategy won."""


# --- for programs ------------------------------------------------------------------------------------------


_OF_A_RUN = (
    "games", "won", "lost", "terminated", "faulted", "faults", "rate", "moves", "guesses", "requested", "interrupted",
    "backend", "seconds", "ready_seconds", "games_per_second",
)  # fmt: skip
_OF_A_PAIR = ("first", "second", "games", "both", "only_first", "only_second", "neither", "difference")


def plan_as_data(plan: "Plan", options: Mapping[str, Any]) -> dict[str, Any]:
    preset, listed = plan.preset, plan.boards is not None
    counts = preset.mine_counts
    return {
        "seed": plan.seed,
        "rules": preset.rules.name,
        "preset": None if listed else preset.name,
        "start": None if listed else preset.rules.start.value,
        "first": None if listed else list(preset.grid.xy(plan.first)),
        "width": None if listed else preset.width,
        "height": None if listed else preset.height,
        "mine_count": None if listed else counts[0] if len(counts) == 1 else list(counts),
        "boards": options["boards"].name if listed else None,
        "boards_sha256": options["boards_sha256"],
        "shard": None if options["shard"] is None else str(options["shard"]),
        "shard_of": None if options["shard"] is None else options["all_games"],
        "sapper": __version__,
        "players": options["players"],
    }


def run_as_data(planned: Mapping[str, Any], summary: RunSummary, strategy: str, workers: int | None) -> dict[str, Any]:
    """One run, with the keys of the contract; `planned` is what `plan_as_data` said."""
    low, high = summary.interval
    return {
        **{name: getattr(summary, name) for name in _OF_A_RUN},
        "strategy": strategy,
        "low": low,
        "high": high,
        "fault_example": summary.fault_example or None,
        "workers": workers,
        **planned,
        "players": [player for player in planned["players"] if player["strategy"] == strategy],
    }


def runs_as_data(
    planned: Mapping[str, Any], runs: Sequence[StrategyRun], pairs: Iterable[Pairing], workers: int | None
) -> dict[str, Any]:
    """Several runs: each as one alone has it, and every two of them compared."""
    return {
        **planned,
        "strategies": [run_as_data(planned, run.summary, run.strategy, workers) for run in runs],
        "pairs": [_pair_as_data(pair) for pair in pairs],
    }


def _pair_as_data(pair: Pairing) -> dict[str, Any]:
    low, high = pair.interval
    games = {"only_first_games": list(pair.first_games), "only_second_games": list(pair.second_games)}
    return {**{name: getattr(pair, name) for name in _OF_A_PAIR}, "low": low, "high": high, **games}


def loss_as_data(plan: "Plan", loss: "Loss", strategy: str, options: Mapping[str, Any]) -> dict[str, Any]:
    grid, move = loss.board.grid, loss.choice.move
    return {
        "strategy": strategy,
        "game": loss.played.number,
        "seed": loss.played.seed,
        "move": loss.number,
        "action": move.action.name.lower(),
        "cell": grid.xy(move.cell),
        "reason": loss.choice.reason,
        "said_risk": loss.choice.risk,
        "risk": loss.risk,
        "least_risk": loss.least_risk,
        "least_cell": None if loss.least_cell is None else grid.xy(loss.least_cell),
        "safe": [grid.xy(cell) for cell in loss.safe],
        "board": str(loss.board).split(),
        "again": again(plan, options, strategy, loss.played.number),
    }


# --- for people ---------------------------------------------------------------------------------------------


def plan_in_words(planned: Mapping[str, Any]) -> str:
    """What is played, in one line; `planned` is what `plan_as_data` said."""
    part = "" if planned["shard"] is None else f", part {planned['shard']} of {planned['shard_of']:,} games"
    if planned["boards"] is not None:
        return f"{planned['boards']}{part}"
    mines = planned["mine_count"]
    counts = [mines] if isinstance(mines, int) else mines
    told = f"{' or '.join(map(str, counts))} mine{'' if counts == [1] else 's'}"
    start = f"start {planned['start']} at {place_name(*planned['first'])}"
    size = f"{planned['width']}x{planned['height']}"
    known = PRESETS.get(planned["preset"])
    is_other = known is not None and (known.width, known.height) != (planned["width"], planned["height"])
    name = "" if is_other else f"{planned['preset']}, "
    return f"{name}{size}, {told}, {start}, seed {planned['seed']}{part}"


def run_in_words(planned: Mapping[str, Any], summary: RunSummary, strategy: str) -> str:
    lines = [_interrupted(summary)] if summary.interrupted else []
    if summary.rate is None:
        return "\n".join([*lines, "no game was played"])
    speed = f"{summary.games_per_second or 0:,.0f} games a second ({summary.backend})"
    lines += [
        f"{strategy} on {plan_in_words(planned)}",
        str(summary),
        f"{summary.moves / summary.games:.1f} moves and {summary.guesses / summary.games:.2f} guesses a game; {speed}",
        *_others(summary),
    ]
    return "\n".join(lines)


def _interrupted(summary: RunSummary) -> str:
    return f"interrupted after {summary.games:,} of {counted(summary.requested, 'game')}"


def _others(summary: RunSummary) -> list[str]:
    lines = []
    if summary.terminated or summary.faulted:
        others = f"the others: {summary.lost:,} lost, {summary.terminated:,} given up"
        lines.append(f"{others}, {summary.faulted:,} ended by a fault of the strategy")
    if summary.faulted:
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in summary.faults.items())
        lines.append(f"faults: {kinds}; the first: {summary.fault_example}")
    return lines


def runs_in_words(
    planned: Mapping[str, Any],
    runs: Sequence[StrategyRun],
    pairs: Iterable[Pairing],
    shown_again: Callable[[str, int], str] | None,
) -> str:
    """Several runs: a table, and every two of them compared; `shown_again` gives the command for a game of a strategy."""
    lines = [f"{plan_in_words(planned)}: the same layouts for each", ""]
    rows: list[tuple[str, ...]] = [("strategy", "games", "won", "rate", "95 %", "moves", "guesses", "a second")]
    rows += [_row(run) for run in runs]
    lines += table_lines(rows)
    for run in runs:
        if run.summary.interrupted:
            lines.append(f"{run.strategy}: {_interrupted(run.summary)}")
        lines += [f"{run.strategy}: {line}" for line in _others(run.summary)]
    for pair in pairs:
        if pair.games:
            lines += ["", *_pair_in_words(pair, shown_again)]
    return "\n".join(lines)


def _row(run: StrategyRun) -> tuple[str, ...]:
    summary = run.summary
    if summary.rate is None:
        return (run.strategy, "0", "0", "-", "-", "-", "-", "-")
    low, high = summary.interval
    return (
        run.strategy,
        f"{summary.games:,}",
        f"{summary.won:,}",
        f"{100 * summary.rate:.2f} %",
        f"{100 * low:.2f} to {100 * high:.2f} %",
        f"{summary.moves / summary.games:.1f}",
        f"{summary.guesses / summary.games:.2f}",
        f"{summary.games_per_second or 0:,.0f}",
    )


def _pair_in_words(pair: Pairing, shown_again: Callable[[str, int], str] | None) -> list[str]:
    low, high = pair.interval
    difference = f"{round(100 * pair.difference, 2) + 0.0:+.2f} (95 %: {round(100 * low, 2) + 0.0:+.2f} to {round(100 * high, 2) + 0.0:+.2f})"
    lines = [
        f"{pair.first} and {pair.second}: {pair.both:,} won by both, {pair.neither:,} by neither",
        f"  rate of {pair.first} less that of {pair.second}: {difference} percentage points",
    ]
    for winner, loser, games in (
        (pair.first, pair.second, pair.first_games),
        (pair.second, pair.first, pair.second_games),
    ):
        named = ", ".join(map(str, games[:_MOST_NAMED])) + (", …" if len(games) > _MOST_NAMED else "")
        lines.append(f"  only {winner} won {counted(len(games), 'game')}{f': {named}' if games else ''}")
        if games and shown_again is not None:
            lines.append(f"    game {games[0]}: {shown_again(loser, games[0])}")
    return lines


def losses_in_words(
    plan: "Plan", strategy: str, losses: "Sequence[Loss | int]", options: Mapping[str, Any]
) -> list[str]:
    """Lost games; a number is one that was not lost when it was played again."""
    lines = [f"games that {strategy} lost:" if losses else f"{strategy} lost no game"]
    for loss in losses:
        if isinstance(loss, int):
            lines.append(f"game {loss}: played again, it went otherwise: take all that is random from the rng")
            continue
        lines += [
            f"game {loss.played.number}: {_moment(loss)}",
            f"  {strategy}: {loss.choice.reason}",
            f"  {again(plan, options, strategy, loss.played.number)}",
        ]
    return lines


def _moment(loss: "Loss") -> str:
    board, move = loss.board, loss.choice.move
    told = f"move {loss.number}, {move.action.name.lower()} {at(board, move.cell)}"
    if loss.risk is None:
        told += ", hit a mine; the board is too hard for the exact chances"
    elif loss.risk >= 1:
        told += ", was certain to hit a mine"
    else:
        told += f", hit a mine: its chance was {percent(loss.risk)}"
    if loss.safe:
        return f"{told}; {counted(len(loss.safe), 'cell')} {'was' if len(loss.safe) == 1 else 'were'} safe, {at(board, min(loss.safe))} first"
    if loss.risk is None or loss.least_risk is None or loss.least_cell is None:
        return told
    if loss.risk <= loss.least_risk + TIE:
        return f"{told}, and no cell risked less"
    return f"{told}; the least risk was {percent(loss.least_risk)} at {at(board, loss.least_cell)}"
