"""`sapper connect`: the terminal client."""

import contextlib
import os
from collections.abc import Callable

import click

from sapper.cli.exits import ExitCode
from sapper.cli.options import setting_option
from sapper.config.configuration import load
from sapper.config.settings import CLIENT_KEYS
from sapper.net.packets import StartRequest
from sapper.net.seat import LEVELS, LONGEST_SIDE
from sapper.terminal.keys import HELP, Key, KeyReader, bind, help_line as make_help_line

KEYS: dict[Key, str] = {key: key.value.replace(" ", "_") for key in Key if key is not Key.REDRAW}
"""The names that settings have for keys."""

EPILOG = """\b
Keys:
  w a s d, arrows  move the cursor     SPACE  mark a mine, or unmark
  RETURN           reveal the cell     TAB    start a new game
  X                quit                #      debug mode on and off

\b
The setting client.keys has other keys (sapper config).

\b
Examples:
  sapper connect
  sapper connect games.example.org --columns 40 --rows 20 --level 2

Exit codes: 1 the server is not there or was lost.
"""


def _number(what: str, highest: int) -> Callable[[object], int]:
    """Reads a number from 1 on, with a message that says up to which."""

    def read(value: object) -> int:
        text = str(value).strip()
        if not (text.isascii() and text.isdecimal() and 1 <= int(text) <= highest):
            raise click.BadParameter(f"{what} is a number from 1 to {highest}, not {text!r}.")
        return int(text)

    return read


ROWS = _number("the number of rows", LONGEST_SIDE)
COLUMNS = _number("the number of columns", LONGEST_SIDE)
LEVEL = _number("the level", len(LEVELS))


def _check_host(_context: click.Context, _parameter: click.Parameter, value: str) -> str:
    """An address with its port behind a colon is how others write it; one of IPv6 has more colons."""
    host, colon, port = value.rpartition(":")
    if colon and port.isdecimal() and (":" not in host or host.endswith("]")):
        raise click.UsageError(f"the port is an option: sapper connect {host.strip('[]') or 'HOST'} --port {port}")
    return value


@click.command("connect", epilog=EPILOG)
@click.argument("host", default=lambda: load().text("client.host"), callback=_check_host)
@setting_option("client.port", "--port", help="The server's port.")
@click.option("-r", "--rows", type=ROWS, metavar="1-255", help="Height of the board.")
@click.option("-c", "--columns", type=COLUMNS, metavar="1-255", help="Width of the board.")
@click.option("-l", "--level", type=LEVEL, metavar="1-3", help="Difficulty: 1 easy, 2 medium, 3 hard.")
def command(host: str, port: int, rows: int | None, columns: int | None, level: int | None) -> ExitCode:
    """Play on the server HOST (the setting client.host if none is given: 127.0.0.1), in this terminal.

    Asks for what is not given as an option. NO_COLOR in the environment switches colours off.
    """
    from sapper.terminal.client import CONNECT_TIME, Client, reach
    from sapper.terminal.full_screen import TerminalEnded, check_terminal, open_terminal

    check_terminal()
    if None in (rows, columns, level):
        # Nobody answers questions for a server that is not there. Not the connection to play on: a server need not wait for answers.
        reach(host, port, CONNECT_TIME).close()
    start = StartRequest(
        columns=columns or ask("Columns (1-255)", COLUMNS, 20),
        rows=rows or ask("Rows (1-255)", ROWS, 10),
        level=level or ask("Level (1 easy, 2 medium, 3 hard)", LEVEL, 1),
    )
    keys, help_line = keys_and_help()
    client = Client(host, port, start, keys=keys, help_line=help_line)
    terminal = open_terminal()
    try:
        client.play(terminal, colours=has_colours())
    except TerminalEnded:
        raise KeyboardInterrupt from None
    finally:
        width, height = terminal.size()
        with contextlib.suppress(OSError):  # the window may be what has gone
            click.echo("".join(f"{line}\n" for line in client.kept(width=width, height=height)), nl=False)
    return ExitCode.DONE


def ask(question: str, kind: Callable[[object], int], default: int) -> int:
    """Ask until the answer is possible; RETURN alone takes the default."""
    answer: int = click.prompt(question, value_proc=kind, default=default)
    return answer


def keys_and_help() -> tuple[KeyReader, str]:
    said = load().keys("client.keys")
    names = {key: said[name] for key, name in KEYS.items()}
    if said == CLIENT_KEYS:
        return KeyReader(), HELP
    return KeyReader(bind(names)), make_help_line(names)


def has_colours() -> bool:
    """True if the server's colours are shown: the setting, else NO_COLOR, and a terminal that says it has none."""
    choice = load().text("screen.colour")
    has_some = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return choice == "always" or (choice == "auto" and has_some)
