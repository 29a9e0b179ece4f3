"""`sapper simulate`: many games of one strategy, and how often it wins.

Knows: the command's options, its lines, its JSON, the progress bar, Ctrl-C.
Does not know: how games are played.
"""

import contextlib
import json
import re
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import IO, Any

import click

from sapper.cli.compile_progress import compiling_told
from sapper.cli.exits import ExitCode
from sapper.cli.file_text import decoded
from sapper.cli.game_progress import GameProgress
from sapper.cli.options import START, Finite, Size, chosen_game, database_option, seed_or_drawn
from sapper.cli.storing import new_key, now, open_chosen
from sapper.core.preset import PRESETS, Preset
from sapper.core.rules import RULES
from sapper.core.words import counted
from sapper.generator.board_list import ListedGame, read_board_list
from sapper.generator.first_cell import default_first
from sapper.generator.uniform import nearest_start
from sapper.simulate.external import DEFAULT_MOVE_LIMIT
from sapper.simulate.plan import Plan
from sapper.simulate.results import COLUMNS, PlayedGame, RunSummary, line_of
from sapper.simulate.runner import backend_of, simulate
from sapper.solver.strategies.registry import STRATEGIES
from sapper.store.models import GameKind, StoredSimulation

_MOST_WORKERS = 256
_CELL = re.compile(r"\s*(\d{1,9})\s*,\s*(\d{1,9})\s*")

_EXAMPLES = f"""\b
Examples:
  sapper simulate --preset expert --strategy exact --games 20000 --seed 1
  sapper simulate --preset intermediate --start safe --strategy subset --games 1000 --per-game games.txt
  sapper simulate --boards boards.txt --strategy exact --json
  sapper simulate --preset beginner --strategy mine:Player --move-limit 1 --games 100

\b
--per-game writes, after a line of comment, a line a game:
  {COLUMNS}
The guesses are the moves after the first that the strategy did not call certain; revealed counts safe cells.
"""


@click.command("simulate", epilog=_EXAMPLES)
@click.option("--preset", help=f"The game: {', '.join(PRESETS)}.")
@click.option("--rules", help=f"Other rules for it: {', '.join(RULES)}; with changes: modern+start=safe.")
@click.option("--size", type=Size(), help="Another size.")
@click.option("--mines", type=int, help="Another number of mines.")
@click.option("--start", type=START, help="Another rule for the first reveal.")
@click.option(
    "--first", metavar="X,Y", help="The first cell to reveal; start open: 3,3 on Expert, 2,2 on smaller; else 0,0."
)
@click.option("--boards", type=click.File("rb"), help="Play the layouts and first cells of this board list.")
@click.option(
    "--strategy", default="exact", show_default=True, help=f"{', '.join(STRATEGIES)}, or a plugin's, or module:factory."
)
@click.option("--games", type=click.IntRange(min=1), help="How many games to play (1000, or all that are listed).")
@click.option("--seed", type=int, help="0 to 2^64-1; the same seed is the same games. One is drawn if you give none.")
@click.option(
    "--workers",
    type=click.IntRange(1, _MOST_WORKERS),
    default=1,
    show_default=True,
    help="Games played at a time; changes no result.",
)
@click.option(
    "--per-game",
    type=click.Path(dir_okay=False, allow_dash=True),
    help="Write a line a game into this file, with its layout's 3BV; - is standard output, and the result goes to standard error.",
)
@click.option(
    "--move-limit",
    type=Finite(min=0, min_open=True),
    default=DEFAULT_MOVE_LIMIT,
    show_default=True,
    help="Seconds a move, for a strategy that is not sapper's own.",
)
@click.option(
    "--backend",
    type=click.Choice(["auto", "python"]),
    default="auto",
    show_default=True,
    help="python: compile nothing.",
)
@click.option("--record", is_flag=True, help="Keep the result (sapper stats --strategies).")
@database_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead.")
def command(**options: Any) -> ExitCode:  # fmt: skip
    """Play many games with a strategy, and say how often it wins: the rate and its 95 % interval (Wilson's)."""
    plan = replace(_plan(options), with_bbbv=options["per_game"] is not None)
    run = _Run(plan=plan, options=options)
    if options["record"]:  # what is wrong with the store is said before hours of playing
        open_chosen(options["database"]).close()
    if options["per_game"] == "-" and options["as_json"]:
        raise click.UsageError("--per-game - and --json: standard output is for one of them")
    try:
        summary = run.play()
    except KeyboardInterrupt:  # before the first game, or a second one
        summary = RunSummary.nothing(plan.games, backend_of(plan, options["strategy"]))
    if options["record"] and summary.games:
        _record(plan, summary, options)
    if options["as_json"]:
        click.echo(json.dumps(_as_data(plan, summary, options)))
    else:
        click.echo(_in_words(plan, summary, options), err=options["per_game"] == "-")
    return ExitCode.NO if summary.interrupted else ExitCode.DONE


# --- what is asked for ----------------------------------------------------------------------------------


def _plan(options: dict[str, Any]) -> Plan:
    boards = options["boards"]
    if boards is None:
        if options["preset"] is None:
            raise click.UsageError("say what to play: --preset NAME, or --boards FILE")
        names = ("rules", "size", "mines", "start")
        preset = chosen_game(options["preset"], **{name: options[name] for name in names})
        grid = preset.grid
        first = default_first(grid, preset.rules.start)
        if options["first"] is not None:
            first = grid.cell(*_read_cell(options["first"]))
        _say_what_start_is_kept(preset, first)
        return Plan(preset=preset, games=options["games"] or 1000, first=first, seed=seed_or_drawn(options["seed"]))
    for name in ("size", "mines", "first"):
        if options[name] is not None:
            raise click.UsageError(f"--{name} and --boards: the boards have their own")
    listed = tuple(read_board_list(decoded(boards.read(), boards.name), source=boards.name))
    if not listed:
        raise click.UsageError(f"{boards.name}: no boards in it")
    preset = _preset_of(listed, options)
    games = len(listed) if options["games"] is None else options["games"]
    return Plan(preset=preset, games=games, first=listed[0].first, seed=seed_or_drawn(options["seed"]), boards=listed)


def _say_what_start_is_kept(preset: Preset, first: int) -> None:
    """Say aloud where the mines leave no room for the start rule: the games are played by the nearest that fits."""
    wanted = preset.rules.start
    for mines in preset.mine_counts:
        kept = nearest_start(preset.grid, mines, wanted, first)
        if kept is not wanted:
            click.echo(
                f"note: with {counted(mines, 'mine')} on {preset.width}x{preset.height} cells start {wanted.value!r} "
                f"cannot be kept at {preset.grid.xy(first)}; start {kept.value!r} is",
                err=True,
            )


def _read_cell(text: str) -> tuple[int, int]:
    match = _CELL.fullmatch(text)
    if match is None:
        raise click.BadParameter(f"a cell is X,Y, for instance 3,3, not {text[:40]!r}", param_hint="'--first'")
    return int(match[1]), int(match[2])


def _preset_of(listed: tuple[ListedGame, ...], options: dict[str, Any]) -> Preset:
    """The rules to play a list by, on the grid of its first board."""
    layout = listed[0].layout
    return chosen_game(
        options["preset"] or "expert",
        rules=options["rules"],
        size=(layout.grid.width, layout.grid.height),
        mines=layout.mine_count,
        start="any",
    )


# --- playing ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """One run of the command."""

    plan: Plan
    options: dict[str, Any]
    events: list[str] = field(default_factory=list)
    """`ready` when the games have begun, `stop` when somebody asked for the end."""

    def play(self) -> RunSummary:
        """Play everything, or until Ctrl-C."""
        self._say_what_is_missing()
        with contextlib.ExitStack() as stack:
            lines: IO[str] | None = None
            if self.options["per_game"] is not None:
                lines = stack.enter_context(click.open_file(self.options["per_game"], "w", encoding="utf-8"))
                lines.write(f"# {COLUMNS}\n")
            stack.enter_context(compiling_told(sys.stderr))
            screen = stack.enter_context(GameProgress(self.plan.games, sys.stderr))
            stack.enter_context(self._heard())

            def ready() -> None:
                self.events.append("ready")
                screen.ready()

            def note(played: PlayedGame) -> None:
                if lines is not None:
                    lines.write(line_of(played) + "\n")
                screen.advance()

            return simulate(
                self.plan,
                self.options["strategy"],
                workers=self.options["workers"],
                compiled=self.options["backend"] == "auto",
                move_limit=self.options["move_limit"],
                on_ready=ready,
                on_played=note,
                should_stop=lambda: "stop" in self.events,
            )

    def _say_what_is_missing(self) -> None:
        from sapper._kernels import batch

        is_slow = self.options["backend"] == "auto" and self.options["strategy"] in STRATEGIES
        if is_slow and not batch.can_compile():
            click.echo("sapper: numba is not installed, so Python plays, slowly: pip install 'sapper[fast]'", err=True)

    @contextlib.contextmanager
    def _heard(self) -> Iterator[None]:
        """Ctrl-C and SIGTERM end the run with what was done so far; before the first game, and the second time, at once."""

        def hear(*_: object) -> None:
            if "ready" not in self.events or "stop" in self.events:
                raise KeyboardInterrupt
            self.events.append("stop")

        before = {number: signal.signal(number, hear) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def _record(plan: Plan, summary: RunSummary, options: dict[str, Any]) -> None:
    """Keep what the run has come to. A preset that has several mine counts is no one kind of game, and kept by its name."""
    preset = plan.preset
    is_one_kind = plan.boards is None and len(preset.mine_counts) == 1
    boards = options["boards"].name if plan.boards is not None else None if is_one_kind else preset.name
    run = StoredSimulation(
        key=new_key(),
        kind=GameKind.of(preset) if is_one_kind else None,
        strategy=options["strategy"],
        games=summary.games,
        won=summary.won,
        lost=summary.lost,
        terminated=summary.terminated,
        faults=sum(summary.faults.values()),
        moves=summary.moves,
        guesses=summary.guesses,
        seconds=summary.seconds,
        backend=summary.backend,
        seed=plan.seed,
        boards=boards,
        at=now(),
    )
    with open_chosen(options["database"]) as store:
        store.record_simulation(run)


# --- what is said -----------------------------------------------------------------------------------------


def _as_data(plan: Plan, summary: RunSummary, options: dict[str, Any]) -> dict[str, Any]:
    low, high = summary.interval
    preset, listed = plan.preset, plan.boards is not None
    counts = preset.mine_counts
    return {
        "games": summary.games,
        "won": summary.won,
        "rate": summary.rate,
        "low": low,
        "high": high,
        "seconds": summary.seconds,
        "games_per_second": summary.games_per_second,
        "strategy": options["strategy"],
        "backend": summary.backend,
        "lost": summary.lost,
        "terminated": summary.terminated,
        "faulted": sum(summary.faults.values()),
        "faults": summary.faults,
        "fault_example": summary.fault_example or None,
        "requested": summary.requested,
        "interrupted": summary.interrupted,
        "moves": summary.moves,
        "guesses": summary.guesses,
        "ready_seconds": summary.ready_seconds,
        "workers": options["workers"],
        "seed": plan.seed,
        "rules": preset.rules.name,
        "preset": None if listed else preset.name,
        "start": None if listed else preset.rules.start.value,
        "first": None if listed else list(preset.grid.xy(plan.first)),
        "width": None if listed else preset.width,
        "height": None if listed else preset.height,
        "mines": None if listed else counts[0] if len(counts) == 1 else list(counts),
        "boards": options["boards"].name if listed else None,
    }


def _in_words(plan: Plan, summary: RunSummary, options: dict[str, Any]) -> str:
    lines = []
    if summary.interrupted:
        lines.append(f"interrupted after {summary.games:,} of {counted(summary.requested, 'game')}")
    if summary.rate is None:
        return "\n".join([*lines, "no game was played"])
    preset = plan.preset
    speed = f"{summary.games_per_second or 0:,.0f} games a second ({summary.backend})"
    what = f"{options['boards'].name}" if plan.boards is not None else (
        f"{preset.name}, {preset.width}x{preset.height}, {' or '.join(map(str, preset.mine_counts))} mine{'' if preset.mine_counts == (1,) else 's'}, "
        f"start {preset.rules.start.value} at {preset.grid.xy(plan.first)}, seed {plan.seed}"
    )  # fmt: skip
    lines += [
        f"{options['strategy']} on {what}",
        str(summary),
        f"{summary.moves / summary.games:.1f} moves and {summary.guesses / summary.games:.2f} guesses a game; {speed}",
    ]
    faulted = sum(summary.faults.values())
    if summary.terminated or faulted:
        others = f"the others: {summary.lost:,} lost, {summary.terminated:,} given up"
        lines.append(f"{others}, {faulted:,} ended by a fault of the strategy")
    if faulted:
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in summary.faults.items())
        lines.append(f"faults: {kinds}; the first: {summary.fault_example}")
    return "\n".join(lines)
