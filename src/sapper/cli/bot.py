"""`sapper bot`, and with --watch `sapper` alone: the bot plays, and prints every move until victory or game over."""

import contextlib
import json
import os
import shlex
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import click

from sapper.cli.options import (
    cell_of,
    chosen_game,
    database_option,
    game_options,
    is_given,
    json_option,
    names_completed,
    say_start_not_kept,
    seed_or_random,
    strategy_words,
)
from sapper.cli.pictures import Picture, picture_option
from sapper.cli.progress import Progress
from sapper.cli.terminal import colours
from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.coordinates import cell_name
from sapper.core.move import Action
from sapper.core.notation import write_board
from sapper.core.preset import Preset
from sapper.core.words import counted
from sapper.game.game import Game
from sapper.generator.new_game import new_game
from sapper.kata.bot import VIEWS, Turn, View, play, seed_of_game, strategy_rng, summary
from sapper.render import ansi
from sapper.render.ansi import COLOURED, PLAIN, Palette
from sapper.render.screen import painted_cell
from sapper.solver.strategies.registry import STRATEGIES

if TYPE_CHECKING:
    from sapper.cli.bot_recording import BotRecorder
    from sapper.generator.game_code import CodedGame
    from sapper.session.session import Session


SECONDS: Final = 4.0
"""How long a game is shown."""
LONGEST_STEP: Final = 0.4
"""Seconds between two moves of a short one."""


def watch(board: Board, turns: Sequence[Turn], again: str) -> None:
    """Show a game from its first board to its end, and the command that shows each move with its reason."""
    frames: list[tuple[Board, int | None, str]] = [
        (board, None, f"{board.grid.width}x{board.grid.height}, {counted(board.mine_count, 'mine')}")
    ]
    for turn in turns:
        cell = turn.choice.move.cell
        words = f"{turn.choice.move.action.name.lower()} {cell_name(board.grid, cell)} ({turn.choice.reason})"
        frames.append((turn.board, cell, f"{turn.number}: {words}"))
    room = shutil.get_terminal_size()
    in_place = (
        sys.stdout.isatty()
        and os.environ.get("TERM", "") not in {"", "dumb"}
        and board.grid.height + 3 <= room.lines
        and 2 * board.grid.width < room.columns
    )
    for number, (shown, last, words) in enumerate(frames):
        if number and in_place:
            click.echo(f"{ansi.CSI}{board.grid.height + 1}F{ansi.CSI}J", nl=False, color=True)
        told = words[: room.columns - 1] if in_place else words
        click.echo(f"{_painted(shown, last) if in_place else str(shown)}\n{told}", color=in_place)
        if in_place:
            time.sleep(min(LONGEST_STEP, SECONDS / len(frames)))
        elif number < len(frames) - 1:
            click.echo()
    end = frames[-1][0]
    click.echo(f"{'won' if end.is_won else 'lost'} in {counted(len(turns), 'move')}; each move and its reason: {again}")


def _painted(board: Board, last: int | None) -> str:
    """The board, a space between two cells, in colours where the terminal has them; the last move stands out."""
    has_colours, grid = bool(colours()), board.grid
    cells = [painted_cell(board, cell, colours=has_colours, reverse=cell == last) for cell in range(grid.size)]
    return "\n".join(" ".join(cells[at : at + grid.width]) for at in range(0, grid.size, grid.width))


MOST_CELLS = 1_000_000
"""The whole board is printed after every move: larger ones nobody can watch."""

_OF_PRESETS = ("preset", "rules", "size", "mines", "start", "first", "kaboom")
"""Options that describe a game, which a code does as well."""
_NOT_THE_GAME = {"picture", "seed", "quiet", "watch", "record", "database"}
"""Options that another run of the same games may have otherwise, or that are said apart."""

_EXAMPLES = """\b
Examples:
  sapper bot --preset expert --strategy single --seed 7
  sapper bot --size 9x9 --mines 10 --rules modern+start=safe
  sapper bot --preset expert --watch
  sapper bot --games 100 --quiet
  sapper bot --strategy mine.py --preset expert
  sapper bot --code "$(sapper generate --no-guess --format code)" --strategy least-risk
  sapper bot --preset beginner --picture end.svg
  sapper bot --preset beginner --picture 'game-{move}.png'

\b
A picture shows the end of the game, or a move each if {move} is in the name of the file.
With several games {game} must be in it.
"""


@click.command("bot", epilog=_EXAMPLES)
@game_options()
@click.option(
    "--code",
    metavar="CODE",
    help="Play the game of this code (sapper generate --format code); replaces the options above.",
)
@click.option("--kaboom", is_flag=True, help="Needless risks always hit a mine; forced guesses never do.")
@click.option(
    "--strategy",
    shell_complete=names_completed(STRATEGIES),
    default="best-reply",
    show_default=True,
    help=f"How to choose: {strategy_words()}.",
)
@click.option("--seed", type=int, help="0 to 2^64-1; the same seed is the same game. A random one if none is given.")
@click.option("--games", type=click.IntRange(min=1), default=1, show_default=True, help="How many games to play.")
@click.option(
    "--watch",
    is_flag=True,
    help="Redraw the board in place, a game in a few seconds; where there is no terminal, print the boards.",
)
@click.option("--quiet", is_flag=True, help="Print one line a game and the summary, no moves.")
@click.option("--record", is_flag=True, help="Record the games, as a bot's (sapper stats --table bots).")
@database_option
@json_option
@picture_option("Draw the end of the game, or each move, into this file, .svg or .png.")
@click.pass_context
def command(context: click.Context, /, **options: Any) -> None:
    """Watch a bot play: each move, the board and the message after it."""
    for name in ("quiet", "as_json"):
        if options["watch"] and options[name]:
            raise click.UsageError(f"--watch shows the board alone: leave out --{name.removeprefix('as_')}")
    with contextlib.ExitStack() as stack:
        _show(_BotSeries(options, stack, context), context, options)


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
    view = VIEWS["kata" if series.preset.rules.name == "kata" else "text"]
    printer = _Printer(view=view, palette=palette, quiet=options["quiet"])
    printer.say(f"{_describe(series, view)}\nagain: {_again(context, series.seed)}")
    won = 0
    # Lines for people show how far it is; where they go elsewhere, a bar does.
    with Progress(series.games, sys.stderr) as screen:
        for number in range(series.games):
            won += printer.play(series, number)
            if not sys.stdout.isatty():
                screen.advance()
    if series.games > 1:
        printer.say(f"\n{palette.bold(summary(series.games, won))}")


class _BotSeries:
    """The games to be played."""

    def __init__(self, options: dict[str, Any], stack: contextlib.ExitStack, context: click.Context) -> None:
        """The series that the options describe, or the error of what cannot be; a store to record in is open as long as `stack`."""
        if options["record"] and (options["code"] is not None or options["kaboom"]):
            raise click.UsageError("--record keeps games of presets, neither Kaboom's nor a code's")
        self.code = None if options["code"] is None else _game_of_code(options["code"])
        self.first: Cell | None = None
        """The cell that has to be revealed first, if one has to."""
        if self.code is None:
            self.kaboom: bool = options["kaboom"]
            self.preset = chosen_game(options["preset"], options)
            if options["first"] is not None:
                self.first = cell_of(self.preset.grid, options["first"])
        else:
            code, self.kaboom, self.first = self.code, self.code.kaboom, self.code.first
            size = {"width": code.grid.width, "height": code.grid.height}
            self.preset = Preset(name="a code", rules=code.rules, mine_counts=(code.mine_count,), **size)
        if self.preset.grid.size > MOST_CELLS:
            raise click.BadParameter(
                f"the bot prints the board after every move: at most {MOST_CELLS:,} cells, not {self.preset.grid.size:,}",
                param_hint="'--size'",
            )
        self.games: int = options["games"]
        self.picture: Picture = options["picture"]
        self.picture.check(self.preset.grid, needed=("game",) if self.games > 1 else ())
        from sapper.simulate.losses import strategies
        from sapper.simulate.runner import check_strategy

        self.strategy: str = options["strategy"]
        check_strategy(self.strategy)
        self._make = stack.enter_context(strategies(self.strategy))
        self.seed = seed_or_random(options["seed"])
        strategy_rng(self.seed)  # a seed that cannot be is said before anything is printed
        self._recorder: BotRecorder | None = None
        if options["record"]:
            from sapper.cli import bot_recording
            from sapper.cli.store_access import new_key, now, open_chosen

            store = stack.enter_context(open_chosen(options["database"]))
            self._recorder = bot_recording.BotRecorder(store, strategy=self.strategy, now=now, new_key=new_key)

    def game(self, number: int) -> "tuple[int, Game | Session, Iterator[Turn]]":
        """A game of the series: its seed, the game, and its turns, played as they are asked for."""
        seed = seed_of_game(self.seed, number)
        strategy = self._make(strategy_rng(seed))
        game: Game | Session
        if self._recorder is None:
            game = self._new(seed)
            turns = self._watch(game, play(game, strategy, first=self.first))
        else:
            game = self._recorder.new_game(self.preset, seed)
            turns = self._recorder.watch(game, self.preset, self._watch(game, play(game, strategy, first=self.first)))
        return seed, game, self._drawn(game, number, turns)

    def _new(self, seed: int) -> Game:
        """The game with that seed. A code's is always the same: the seed is the strategy's alone."""
        if self.code is not None:
            return Game.of(self.code.referee())
        if not self.kaboom:
            return new_game(self.preset, seed=seed)
        from sapper.generator.game_code import CodedGame
        from sapper.generator.new_game import choose_mine_count

        preset = self.preset
        mines = choose_mine_count(preset, seed)
        return Game.of(
            CodedGame(rules=preset.rules, grid=preset.grid, mine_count=mines, seed=seed, kaboom=True).referee()
        )

    def _watch(self, game: "Game | Session", turns: Iterator[Turn]) -> Iterator[Turn]:
        """The turns; a start rule that cannot be kept at the first reveal is said aloud. The layout of a code has what start it has."""
        is_first = self.code is None
        for turn in turns:
            move = turn.choice.move
            if is_first and move.action is Action.REVEAL:
                is_first = False
                say_start_not_kept(game.grid, game.mine_count, self.preset.rules.start, move.cell)
            yield turn

    def _drawn(self, game: "Game | Session", number: int, turns: Iterator[Turn]) -> Iterator[Turn]:
        """The turns, drawn as they are taken: each into its own file if `{move}` is in the name, else the end alone."""
        if self.picture.file is None:
            yield from turns
            return
        has_each = self.picture.has("move")

        def draw(move: int, board: Board, last: Cell | None) -> None:
            shown = board.show(game.layout.mines) if board.status.ended else board
            self.picture.draw(shown, numbers={"game": number + 1, "move": move}, last_move=last)

        if has_each:
            draw(0, game.board, None)
        for turn in turns:
            if has_each or turn.board.status.ended:
                draw(turn.number, turn.board, turn.choice.move.cell)
            yield turn


def _game_of_code(text: str) -> "CodedGame":
    for name in (*_OF_PRESETS, "games"):
        if is_given(name):
            raise click.UsageError(f"--code names one game, all of it: leave out --{name}")
    from sapper.generator.game_code import game_of_code

    return game_of_code(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Printer:
    """Prints games for people."""

    view: View
    palette: Palette
    quiet: bool

    def say(self, text: str) -> None:
        click.echo(text, color=self.palette is COLOURED)

    def play(self, series: _BotSeries, number: int) -> bool:
        """Play a game and print it; True if it was won."""
        seed, game, turns = series.game(number)
        name = f"game {number + 1} of {series.games}, seed {seed}" if series.games > 1 else "the game"
        if not self.quiet:
            heading = f"{self.palette.bold(name)}\n\n" if series.games > 1 else ""
            self.say(f"\n{heading}{self.view.created(game.board)}")
        moves = 0
        for turn in turns:
            moves = turn.number
            if not self.quiet:
                self.say(f"\n{self.view.turn(turn, paint=self._paint)}")
        won = game.board.is_won
        result = self.palette.green("won") if won else self.palette.red("lost")
        gap = "" if self.quiet else "\n"
        self.say(f"{gap}{name}: {result} in {counted(moves, 'move')}, {counted(game.mine_count, self.view.mine)}")
        return won

    def _paint(self, board: Board, message: str) -> str:
        if not board.status.ended:
            return message
        return self.palette.green(message) if board.is_won else self.palette.red(message)


def _describe(series: _BotSeries, view: View) -> str:
    preset = series.preset
    mines = f"{' or '.join(map(str, preset.mine_counts))} {view.mine}{'' if preset.mine_counts == (1,) else 's'}"
    games = "" if series.games == 1 else f", {series.games} games"
    return (
        f"the bot plays {preset.name}{', Kaboom' if series.kaboom else ''}: {preset.width}x{preset.height}, {mines}, "
        f"rules {preset.rules.name}, strategy {series.strategy}, seed {series.seed}{games}"
    )


def _again(context: click.Context, seed: int) -> str:
    words = ["sapper", "bot"]
    left_out = _NOT_THE_GAME | (set() if context.params["code"] is None else {*_OF_PRESETS, "games"})
    for param in context.command.params:
        name = str(param.name)
        if is_given(name) and name not in left_out:
            value = context.params[name]
            words.append(param.opts[0])
            if name == "size":
                value = "x".join(map(str, value))
            elif name == "mines":
                (value,) = chosen_game(context.params["preset"], context.params).mine_counts
            if not isinstance(value, bool):
                words.append(str(value))
    return shlex.join([*words, "--seed", str(seed)])


# --- for programs ------------------------------------------------------------------------------------


def _as_data(series: _BotSeries, *, with_moves: bool) -> dict[str, Any]:
    preset = series.preset
    with Progress(series.games, sys.stderr) as screen:
        played = [_game_data(series, number, with_moves=with_moves) for number in screen.of(range(series.games))]
    won = sum(game["result"] == "won" for game in played)
    return {
        "preset": preset.name if series.code is None else None,
        "code": None if series.code is None else series.code.code,
        "kaboom": series.kaboom,
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
    moves = [_turn_data(turn) for turn in turns]
    data = {"seed": seed, "mine_count": game.mine_count, "result": game.status.value, "move_count": len(moves)}
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
        "board": write_board(board, header=False).split(),
    }
