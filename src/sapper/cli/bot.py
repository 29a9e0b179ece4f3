"""`sapper bot`, and with --watch `sapper` alone: the bot plays, and prints every move until victory or game over."""

import contextlib
import json
import math
import shlex
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from sapper.cli.bot_games import OF_PRESETS, Games
from sapper.cli.bot_pictures import check_names, drawn
from sapper.cli.budget import budget_options, with_budget
from sapper.cli.options import START, CellAt, Size, database_option, names_completed, preset_option, seed_or_drawn
from sapper.cli.pictures import PARAMETERS, Pictures, picture_options
from sapper.cli.progress import Progress
from sapper.cli.terminal import colours
from sapper.cli.watching import watch
from sapper.core.board import Board
from sapper.core.move import Action
from sapper.core.notation import write_board
from sapper.core.rules import RULES
from sapper.core.words import counted
from sapper.game.game import Game
from sapper.generator.uniform import nearest_start
from sapper.kata.bot import VIEWS, Turn, View, play, seed_of_game, strategy_rng, summary
from sapper.render.palette import COLOURED, PLAIN, Palette
from sapper.solver.strategies.base import StrategyFactory
from sapper.solver.strategies.registry import STRATEGIES, find_strategy

if TYPE_CHECKING:
    from sapper.cli.bot_recording import BotRecorder
    from sapper.session.session import Session

MOST_CELLS = 1_000_000
"""The whole board is printed after every move: larger ones nobody can watch."""

LONGEST_DELAY = 60.0

_SAID = (click.core.ParameterSource.COMMANDLINE, click.core.ParameterSource.DEFAULT_MAP)
"""Where an option comes from that belongs to a command which is to do the same elsewhere."""

_NOT_THE_GAME = PARAMETERS | {"seed", "delay", "quiet", "watch", "record", "database"}
"""Options that another run of the same games may have otherwise, or that are said apart."""

_EXAMPLES = """\b
Examples:
  sapper bot --preset expert --strategy single --seed 7
  sapper bot --size 9x9 --mines 10 --rules modern+start=safe --view text
  sapper bot --preset expert --watch
  sapper bot --games 100 --quiet
  sapper bot --strategy mine.py --preset expert
  sapper bot --code "$(sapper generate --no-guess --codes)" --strategy least-risk
  sapper bot --preset beginner --svg end.svg
  sapper bot --preset beginner --png 'game-{move}.png'

\b
A picture shows the end of the game, or a move each if {move} is in the name of the file.
With several games {game} must be in it.
"""


def _check_delay(_context: click.Context, _param: click.Parameter, value: float) -> float:
    if not (math.isfinite(value) and 0 <= value <= LONGEST_DELAY):
        raise click.BadParameter(f"a delay is 0 to {LONGEST_DELAY:g} seconds, not {value:g}")
    return value


@click.command("bot", epilog=_EXAMPLES)
@preset_option()
@click.option("--rules", help=f"Other rules for it: {', '.join(RULES)}; with changes: modern+start=safe+spread=4.")
@click.option("--size", type=Size(), help="Another size.")
@click.option("--mines", type=int, help="Another number of mines.")
@click.option("--start", type=START, help="Another rule for the first reveal.")
@click.option(
    "--code", metavar="CODE", help="Play the game of this code (sapper generate --codes); replaces the options above."
)
@click.option("--boards", type=click.Path(dir_okay=False), metavar="FILE", help="Play a game of this board list.")
@click.option("--game", type=click.IntRange(min=0), metavar="N", help="Which game of the list, from 0.")
@click.option("--first", type=CellAt(), help="The cell to reveal first.")
@click.option("--kaboom", is_flag=True, help="Needless risks always hit a mine; forced guesses never do.")
@click.option(
    "--strategy",
    shell_complete=names_completed(STRATEGIES),
    default="best-reply",
    show_default=True,
    help=f"How to choose: {', '.join(STRATEGIES)}, or a plugin's, or module:factory, file.py:factory, file.py.",
)
@budget_options
@click.option("--seed", type=int, help="0 to 2^64-1; the same seed is the same game. One is drawn if you give none.")
@click.option("--games", type=click.IntRange(min=1), default=1, show_default=True, help="How many games to play.")
@click.option(
    "--view", type=click.Choice(list(VIEWS)), help="How to draw the board. [default: kata for rules kata, else text]"
)
@click.option("--delay", type=float, default=0, callback=_check_delay, help="Seconds to wait after each move.")
@click.option(
    "--watch",
    is_flag=True,
    help="Redraw the board in place, a game in a few seconds; where there is no terminal, print the boards.",
)
@click.option("--quiet", is_flag=True, help="Print one line a game and the summary, no moves.")
@click.option("--record", is_flag=True, help="Record the games, as a bot's (sapper stats --table bots).")
@database_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead.")
@picture_options
@click.pass_context
def command(context: click.Context, /, **options: Any) -> None:
    """Watch a bot play: each move, the board and the message after it."""
    for name in ("quiet", "as_json", "delay", "view"):
        if options["watch"] and options[name]:
            raise click.UsageError(f"--watch shows the board alone: leave out --{name.removeprefix('as_')}")
    (options["strategy"],) = with_budget((options["strategy"],), options["budget"], options["seconds"])
    with contextlib.ExitStack() as stack:
        _show(_BotSeries.of(options, stack, context), context, options)


def _factory(strategy: str, stack: contextlib.ExitStack) -> StrategyFactory:
    """The strategy of that name; one that is not sapper's own thinks in a process that never holds a layout, and ends with `stack`."""
    from sapper.simulate.external import Child, ExternalStrategy, is_stranger
    from sapper.simulate.runner import check_strategy

    check_strategy(strategy)
    if not is_stranger(strategy):
        return find_strategy(strategy)
    child = Child(strategy)
    stack.callback(child.end)
    return lambda rng: ExternalStrategy(child, rng)


def _show(series: "_BotSeries", context: click.Context, options: dict[str, Any]) -> None:
    if options["as_json"]:
        click.echo(json.dumps(_as_data(series, with_moves=not options["quiet"])))
        return
    if options["watch"]:
        for number in range(series.games):
            seed, game, turns = series.game(number)
            watch(game.board, list(turns), _again(context, seed))
        return
    palette = COLOURED if colours() else PLAIN
    view = options["view"] or ("kata" if series.asked.preset.rules.name == "kata" else "text")
    printer = _Printer(view=VIEWS[view], palette=palette, delay=options["delay"], quiet=options["quiet"])
    printer.say(f"{_describe(series, printer.view)}\nagain: {_again(context, series.seed)}")
    won = 0
    # Lines for people show how far it is; where they go elsewhere, a bar does.
    with Progress(series.games, sys.stderr) as screen:
        for number in range(series.games):
            won += printer.play(series, number)
            if not sys.stdout.isatty():
                screen.advance()
    if series.games > 1:
        printer.say(f"\n{palette.bold(summary(series.games, won))}")


@dataclass(frozen=True, slots=True, kw_only=True)
class _BotSeries:
    """The games to be played."""

    asked: Games
    strategy: str
    factory: StrategyFactory
    seed: int
    games: int
    pictures: Pictures
    recorder: "BotRecorder | None"

    @classmethod
    def of(cls, options: dict[str, Any], stack: contextlib.ExitStack, context: click.Context) -> "_BotSeries":
        """The series that the options describe, or the error of what cannot be; a store to record in is open as long as `stack`."""
        asked = Games.of(options, context)
        preset = asked.preset
        if preset.grid.size > MOST_CELLS:
            raise click.BadParameter(
                f"the bot prints the board after every move: at most {MOST_CELLS:,} cells, not {preset.grid.size:,}",
                param_hint="'--size'",
            )
        check_names(options["pictures"], preset.grid, options["games"])
        factory = _factory(options["strategy"], stack)
        seed = seed_or_drawn(options["seed"])
        strategy_rng(seed)  # a seed that cannot be is said before anything is printed
        recorder = None
        if options["record"]:
            from sapper.cli.bot_recording import BotRecorder
            from sapper.cli.storing import new_key, now, open_chosen

            store = stack.enter_context(open_chosen(options["database"]))
            recorder = BotRecorder(store, strategy=options["strategy"], now=now, new_key=new_key)
        return cls(
            asked=asked,
            strategy=options["strategy"],
            factory=factory,
            seed=seed,
            games=options["games"],
            pictures=options["pictures"],
            recorder=recorder,
        )

    def game(self, number: int) -> "tuple[int, Game | Session, Iterator[Turn]]":
        """A game of the series: its seed, the game, and its turns, played as they are asked for."""
        seed = seed_of_game(self.seed, number)
        strategy = self.factory(strategy_rng(seed))
        if self.recorder is None:
            alone = self.asked.new(seed)
            turns = play(alone, strategy, first=self.asked.first)
            return seed, alone, drawn(self.pictures, alone, number, self._watch(alone, turns))
        preset = self.asked.preset
        game = self.recorder.new_game(preset, seed)
        turns = self.recorder.watch(game, preset, self._watch(game, play(game, strategy, first=self.asked.first)))
        return seed, game, drawn(self.pictures, game, number, turns)

    def _watch(self, game: "Game | Session", turns: Iterator[Turn]) -> Iterator[Turn]:
        """The turns; a start rule that cannot be kept at the first reveal is said aloud."""
        is_first = True
        wanted = self.asked.start
        for turn in turns:
            move = turn.choice.move
            if is_first and move.action is Action.REVEAL:
                is_first = False
                kept = nearest_start(game.grid, game.mine_count, wanted, move.cell)
                if kept is not wanted:
                    click.echo(
                        f"note: with {counted(game.mine_count, 'mine')} on {game.grid.width}x{game.grid.height} cells start "
                        f"{wanted.value!r} cannot be kept here; start {kept.value!r} is",
                        err=True,
                    )
            yield turn


@dataclass(frozen=True, slots=True, kw_only=True)
class _Printer:
    """Prints games for people."""

    view: View
    palette: Palette
    delay: float
    quiet: bool

    def say(self, text: str) -> None:
        """Print a text; colours are in it only where they are wanted."""
        click.echo(text, color=self.palette is COLOURED)

    def play(self, series: _BotSeries, number: int) -> bool:
        """Play a game and print it; whether it was won."""
        seed, game, turns = series.game(number)
        name = f"game {number + 1} of {series.games}, seed {seed}" if series.games > 1 else "the game"
        if not self.quiet:
            heading = f"{self.palette.bold(name)}\n\n" if series.games > 1 else ""
            self.say(f"\n{heading}{self.view.created(game.board)}")
            self._wait()
        moves = 0
        for turn in turns:
            moves = turn.number
            if not self.quiet:
                self.say(f"\n{self.view.turn(turn, paint=self._paint)}")
                self._wait()
        won = game.board.is_won
        result = self.palette.green("won") if won else self.palette.red("lost")
        bombs = counted(game.mine_count, self.view.mine)
        gap = "" if self.quiet else "\n"
        self.say(f"{gap}{name}: {result} in {counted(moves, 'move')}, {bombs}")
        return won

    def _paint(self, board: Board, message: str) -> str:
        if not board.status.ended:
            return message
        return self.palette.green(message) if board.is_won else self.palette.red(message)

    def _wait(self) -> None:
        if self.delay:
            time.sleep(self.delay)


def _describe(series: _BotSeries, view: View) -> str:
    preset = series.asked.preset
    bombs = f"{' or '.join(map(str, preset.mine_counts))} {view.mine}{'' if preset.mine_counts == (1,) else 's'}"
    games = "" if series.games == 1 else f", {series.games} games"
    return (
        f"the bot plays {series.asked.name}: {preset.width}x{preset.height}, {bombs}, rules {preset.rules.name}, "
        f"strategy {series.strategy}, seed {series.seed}{games}"
    )


def _again(context: click.Context, seed: int) -> str:
    """The command that plays the same games again."""
    words = ["sapper", "bot"]
    left_out = _NOT_THE_GAME | (set() if context.params["code"] is None else {*OF_PRESETS, "games"})
    for param in context.command.params:
        source = context.get_parameter_source(str(param.name))
        if source in _SAID and param.name not in left_out:
            value = context.params[str(param.name)]
            words.append(param.opts[0])
            if not isinstance(value, bool):
                words.append("x".join(map(str, value)) if param.name == "size" else str(value))
    return shlex.join([*words, "--seed", str(seed)])


# --- for programs ------------------------------------------------------------------------------------


def _as_data(series: _BotSeries, *, with_moves: bool) -> dict[str, Any]:
    preset = series.asked.preset
    with Progress(series.games, sys.stderr) as screen:
        played = [_game_data(series, number, with_moves=with_moves) for number in screen.of(range(series.games))]
    won = sum(game["result"] == "won" for game in played)
    return {
        "preset": preset.name if series.asked.code is None else None,
        "code": None if series.asked.code is None else series.asked.code.code,
        "kaboom": series.asked.kaboom,
        "rules": preset.rules.name,
        "width": preset.width,
        "height": preset.height,
        "start": preset.rules.start.value,
        "strategy": series.strategy,
        "seed": series.seed,
        "games": series.games,
        "won": won,
        "lost": series.games - won,
        "rate": won / series.games,
        "played": played,
    }


def _game_data(series: _BotSeries, number: int, *, with_moves: bool) -> dict[str, Any]:
    seed, game, turns = series.game(number)
    count = 0
    moves = []
    for turn in turns:
        count = turn.number
        if with_moves:
            moves.append(_turn_data(turn))
    data: dict[str, Any] = {
        "seed": seed,
        "mine_count": game.mine_count,
        "result": game.status.value,
        "move_count": count,
    }
    return data | ({"moves": moves} if with_moves else {})


def _turn_data(turn: Turn) -> dict[str, Any]:
    board, choice = turn.board, turn.choice
    x, y = board.grid.xy(choice.move.cell)
    return {
        "action": choice.move.action.name.lower(),
        "x": x,
        "y": y,
        "reason": choice.reason,
        "risk": choice.risk,
        "status": board.status.value,
        "message": turn.answer.printed,
        "board": write_board(board, header=False).split(),
    }
