"""`sapper serve`: the game server."""

import asyncio
import signal
import sys
from dataclasses import replace
from typing import Any

import click

from sapper.cli.exits import ExitCode
from sapper.cli.options import database_option, serving_options, setting_option
from sapper.cli.serve_recording import ServerRecorder
from sapper.cli.server_names import check_proxies
from sapper.net.limits import ServerLimits
from sapper.net.settings import ServerSettings
from sapper.server.logging import set_up

EPILOG = """\b
Examples:
  sapper serve
  sapper serve --host 0.0.0.0 --metrics 127.0.0.1:9998 --log-format json

Each player (sapper connect) plays a game of their own. SIGTERM (SIGHUP, SIGQUIT) ends the server in order: players are told, and it exits with 0,
or with 1 if a game could not be kept.
"""


@click.command("serve", epilog=EPILOG)
@setting_option(
    "server.host", "--host", "hosts", metavar="HOST",
    help="Address to serve on; may be repeated. 0.0.0.0 is every address. [default: 127.0.0.1]",
)  # fmt: skip
@setting_option("server.port", "--port")
@setting_option("server.max_connections", "--max-connections")
@setting_option("server.max_per_address", "--max-per-address")
@setting_option(
    "server.proxies", "--proxy", "proxies", metavar="ADDRESS", callback=check_proxies,
    help="Address or network of a proxy that sends the PROXY protocol (version 1 or 2); may be repeated. [default: none]",
)  # fmt: skip
@setting_option("server.idle_timeout", "--idle-timeout", metavar="SECONDS")
@serving_options("server.metrics")
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), help="One seed for all games, for tests.")
@click.option("--record/--no-record", default=True, show_default=True, help="Record each finished game (sapper stats).")
@database_option
def command(**options: Any) -> ExitCode:
    """Serve games to players who connect, until a signal ends it.

    Writes its log to stderr, a line an event.
    """
    from sapper.net.serving import serve_until_signalled

    finish = set_up(sys.stderr, log_format=options["log_format"], level=options["log_level"])
    recorder, is_well = None, True
    try:
        recorder = ServerRecorder(options) if options["record"] else None
        settings = _settings(options)
        if recorder is not None:
            settings = replace(settings, sink=recorder)
        received = asyncio.run(serve_until_signalled(settings, ready=_announce))
    finally:
        if recorder is not None:
            is_well = recorder.close()
        finish()
    if received is signal.SIGINT:
        raise KeyboardInterrupt
    return ExitCode.DONE if is_well else ExitCode.NO


def _announce(address: str) -> None:
    click.echo(f"Serving on {address}. Ctrl-C ends it.")


def _settings(options: dict[str, Any]) -> ServerSettings:
    """The settings that the options say."""
    limits = ServerLimits(
        connections=options["max_connections"], per_address=options["max_per_address"], idle=options["idle_timeout"]
    )
    return ServerSettings(
        hosts=options["hosts"] or ("127.0.0.1",),
        port=options["port"],
        proxies=options["proxies"],
        limits=limits,
        seed=options["seed"],
        metrics=options["metrics"],
    )
