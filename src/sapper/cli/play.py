"""`sapper play`: a game on this terminal, on the whole screen or line by line."""

import contextlib
import gc
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from sapper.cli.exits import ExitCode
from sapper.cli.interrupt import OnSignals
from sapper.cli.options import database_option, is_given, names_completed, rules_option, setting_option
from sapper.config.configuration import load
from sapper.core.preset import PRESETS
from sapper.errors import NotationError, SapperError

if TYPE_CHECKING:
    from pathlib import Path

    from sapper.session.game_request import GameRequest
    from sapper.store.repository import Store
    from sapper.tui.keeper import GameArchive
    from sapper.tui.local_play import LocalPlay
    from sapper.tui.remote_play import RemotePlay

LARGEST_SEED = 2**64 - 1


class _Seed(click.IntRange):
    name = f"number from 0 to {LARGEST_SEED}"


SEED = _Seed(0, LARGEST_SEED)
_DAILY = ("beginner", "intermediate", "expert")

EPILOG = """\b
Examples:
  sapper play
  sapper play --preset expert --no-guess
  sapper play --preset 100x100/1500
  sapper play --lines
  printf 'reveal c4\\nboard\\n' | sapper play --lines --preset beginner --seed 1
  sapper play --url https://games.example.org/daily --preset expert

Games are kept in the store: quitting, a closed window and SIGTERM save the game, and the next start offers to go on with
it. The settings player.name, play.* and advice.* (sapper config) say whose games they are, the colours and the keys, and
whose guesses hints name.

With --url a web server plays, and keeps the games. It asks for the recovery phrase of the player that you are there, which
may also be in the variable SAPPER_PHRASE of the environment; without one you are a new player. Under /daily is today's
board of the size of the preset; programs take another board, /daily?audience=bots.

With --lines, what is typed is read to its end; help lists the commands. Each answer ends with an empty line.

Exit codes: 1 interrupted, a game could not be kept, or the server is not there; 2 the server refuses, or a line of a script
was no command.
"""


@click.command("play", epilog=EPILOG)
@click.option(
    "--lines",
    is_flag=True,
    help="Typed commands and answers in words, for screen readers, simple terminals and scripts.",
)
@click.option(
    "--preset", metavar="NAME", shell_complete=names_completed(PRESETS), help="The game to begin with, without the menu: a preset, or WIDTHxHEIGHT/MINES.",
)  # fmt: skip
@rules_option
@click.option("--no-guess", is_flag=True, help="Play a board that needs no guess.")
@click.option("--seed", type=SEED, help="The same board each time; the game counts as assisted.")
@click.option("--code", metavar="CODE", help="The game that a code names; the game counts as assisted.")
@setting_option("player.name", "--player", metavar="NAME")
@click.option("--no-store", is_flag=True, help="Keep nothing.")
@database_option
@click.option(
    "--url", metavar="ADDRESS", help="Play on a server of sapper web: https://HOST, its /daily, or one of your games there (/game/ID, or /#game=ID as a browser shows it).",
)  # fmt: skip
def command(**options: Any) -> ExitCode:
    """Play a game on this terminal.

    Without options that describe a game the screen begins with a menu, and the lines with a game of the setting play.preset.
    With --url there is no menu: the game is that of the setting play.preset too, and --preset names another.
    """
    if options["no_store"] and options["database"] is not None:
        raise click.UsageError("give --no-store or --database, not both")
    if options["url"] is not None:
        return _play_remotely(options)
    request = _request(options)
    if not options["lines"]:
        _check_terminal()
        gc.disable()  # a tenth of the time to the first screen; `tui.app` goes on with it
    from sapper.tui.keeper import GameArchive
    from sapper.tui.local_play import LocalPlay

    copies: list[Path] = []
    opened = None if options["no_store"] else _opener(options["database"], copies)
    configuration = load()
    archive = GameArchive(opened, player=options["player"])
    play = LocalPlay(archive, advisor=configuration.advisor)
    if request is not None:
        play.request = request
    try:
        done = _play_lines(play) if options["lines"] else _play_screen(play, begins=request is not None)
    finally:
        _put_away(play, archive)
        if copies:
            _say_copies(copies)
    if (why := archive.trouble) is not None or archive.lost:
        click.echo(f"sapper: games were not kept: {why or 'the store did not answer in time'}", err=True)
        return ExitCode.NO
    return done


def _opener(database: str | None, copies: "list[Path]") -> "Callable[[], Store]":
    """What opens the store, and lists the copy that is made of one that is upgraded: while a screen is there nothing can be said."""

    def opened() -> "Store":
        from sapper.cli.store_access import open_chosen

        return open_chosen(database, on_copy=copies.append)

    return opened


def _request(options: dict[str, Any]) -> "GameRequest | None":
    """The game that the options describe; None if they describe none."""
    names = ("preset", "rules", "no_guess", "seed")
    given = {name: options[name] for name in names if options[name] not in (None, False)}
    if options["code"] is not None:
        if given:
            raise click.UsageError("a code describes the whole game: give no other option about it")
        from sapper.tui.local_play import request_by_code

        try:
            return request_by_code(options["code"])
        except NotationError as error:
            raise click.BadParameter(f"{error.message}.", param_hint="'--code'") from None
    if not given and not options["lines"]:
        return None
    from sapper.tui.local_play import game_request

    configuration = load()
    given.setdefault("preset", configuration.text("play.preset"))
    return game_request(**given, question_marks=configuration.switch("play.question_marks"))


def _put_away(play: "LocalPlay", archive: "GameArchive") -> None:
    """Save the game that is played, whatever ended the play."""
    with contextlib.suppress(KeyboardInterrupt):
        if play.has_game:
            play.leave()
    archive.close()


def _say_copies(copies: "list[Path]") -> None:
    from sapper.cli.store_access import say_copy

    for copy in copies:
        say_copy(copy)


# --- on a server ------------------------------------------------------------------------------------------


def _play_remotely(options: dict[str, Any]) -> ExitCode:
    usual = ("lines", "preset", "rules", "no_guess", "seed", "code", "url")
    for name in options.keys() - set(usual):
        if is_given(name):
            raise click.UsageError(
                f"--{name.replace('_', '-')} is about games at this machine: leave it out with --url"
            )
    from sapper.tui.remote_play import RemotePlay
    from sapper.tui.web_server import WebServer

    server = WebServer(options["url"])
    described = [name for name in ("preset", "rules", "no_guess", "seed", "code") if options[name]]
    if server.game is not None and described:
        raise click.UsageError(f"the address names a game: leave out --{described[0].replace('_', '-')}")
    if server.is_daily and described not in ([], ["preset"]):
        raise click.UsageError("a board of the day is named by --preset alone: beginner, intermediate or expert")
    if not options["lines"]:
        _check_terminal()
    request = _request({**options, "lines": True})
    assert request is not None
    if server.is_daily and request.preset.name not in _DAILY:
        raise click.UsageError(
            f"--preset is the size of the board of the day: beginner, intermediate or expert, not {request.preset.name}"
        )
    server.check()
    if phrase := _phrase():
        server.sign_in(phrase)
    play = RemotePlay(server, request, advisor=load().advisor)
    try:
        play.begin()
        return _play_lines(play) if options["lines"] else _play_screen(play, begins=True)
    finally:
        play.close()
        with contextlib.suppress(SapperError):  # it has gone: its list of devices shows one more
            server.sign_out()


def _phrase() -> str:
    """The recovery phrase of the player: from the environment, else as it is typed; never an option, which `ps` would show."""
    phrase = os.environ.get("SAPPER_PHRASE", "")
    if phrase or not sys.stdin.isatty():
        return phrase.strip()
    return str(click.prompt("Recovery phrase (RETURN: a new player)", default="", show_default=False, hide_input=True, err=True))  # fmt: skip


# --- lines ------------------------------------------------------------------------------------------------


def _play_lines(play: "LocalPlay | RemotePlay") -> ExitCode:
    from sapper.tui.lines import LinePlayer

    is_typed = sys.stdin.isatty()
    if not play.has_game:
        play.new()
    player = LinePlayer(play, _write)
    with OnSignals(_interrupt, "SIGTERM", "SIGHUP"):
        player.greet()
        while not player.is_done:
            if is_typed:
                sys.stdout.write("> ")
                sys.stdout.flush()
            line = sys.stdin.readline()
            if not line:
                break
            player.do(line)
            sys.stdout.flush()
    return ExitCode.USAGE if player.misunderstood and not is_typed else ExitCode.DONE


def _write(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def _interrupt(*_: object) -> None:
    """Signals that end the program do so as Ctrl-C does: what is played is saved first."""
    raise KeyboardInterrupt


# --- the screen -------------------------------------------------------------------------------------------


def _check_terminal() -> None:
    for stream, name in ((sys.stdin, "input"), (sys.stdout, "output")):
        if not stream.isatty():
            raise click.UsageError(f"the game needs a terminal, and standard {name} is not one; use --lines")
    if os.environ.get("TERM") == "dumb":
        raise click.UsageError("this terminal cannot move the cursor: use sapper play --lines")


def _play_screen(play: "LocalPlay | RemotePlay", *, begins: bool) -> ExitCode:
    from sapper.tui.background import BackgroundQuestion, is_askable, patience_of

    configuration = load()
    asks = configuration.text("screen.theme") == "auto" and is_askable(os.environ)
    asked = BackgroundQuestion(patience=patience_of(os.environ)) if asks else None
    try:
        from sapper.tui.app import PlayApp
        from sapper.tui.look import PlayLook
    finally:
        background = None if asked is None else asked.answer()
    # Textual believes these before the terminal: a shell that exports them would fix the size that it began with.
    for name in ("COLUMNS", "LINES"):
        os.environ.pop(name, None)
    look = PlayLook.of(configuration, background=background)
    app = PlayApp(play, look, begins=begins, typed="" if asked is None else asked.typed)
    app.run()
    if app.ended_by_signal:
        raise KeyboardInterrupt
    if app.failure is not None:
        raise app.failure
    return ExitCode.DONE
