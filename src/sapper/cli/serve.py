"""`sapper serve`: the game server."""

import asyncio
import signal
import sys
from typing import Any

import click

from sapper.cli.exits import ExitCode
from sapper.cli.options import database_option, setting_option
from sapper.cli.serve_recording import ServerRecorder
from sapper.cli.server_settings import metrics_address, proxies
from sapper.config.configuration import load
from sapper.net.limits import ServerLimits
from sapper.net.settings import ServerSettings
from sapper.server.logging import set_up

EPILOG = """\b
Examples:
  sapper serve
  sapper serve --host 0.0.0.0
  SAPPER_SERVER_METRICS=127.0.0.1:9998 SAPPER_LOG_FORMAT=json sapper serve

Limits, proxies, metrics and the log are the settings server.* and log.*, in a file or in the environment (sapper config).

Each player (sapper connect) plays a game of their own. SIGTERM (SIGHUP, SIGQUIT) ends the server in order: players are told, and it exits with 0,
or with 1 if a game could not be kept.
"""


@click.command("serve", epilog=EPILOG)
@setting_option(
    "server.host", "--host", "hosts", metavar="HOST",
    help="Address to serve on; may be repeated. 0.0.0.0 is every address.",
)  # fmt: skip
@setting_option("server.port", "--port")
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), help="One seed for all games, for tests.")
@click.option("--record/--no-record", default=True, show_default=True, help="Record each finished game (sapper stats).")
@database_option
def command(**options: Any) -> ExitCode:
    """Serve games to players who connect, until a signal ends it.

    Writes its log to stderr, a line an event.
    """
    from sapper.net.serving import serve_until_signalled

    configuration = load()
    finish = set_up(sys.stderr, log_format=configuration.text("log.format"), level=configuration.text("log.level"))
    recorder, is_well = None, True
    try:
        recorder = ServerRecorder(options["database"]) if options["record"] else None
        settings = ServerSettings(
            hosts=options["hosts"],
            port=options["port"],
            proxies=proxies(configuration, "server.proxies"),
            limits=ServerLimits(
                connections=configuration.whole("server.max_connections"),
                per_address=configuration.whole("server.max_per_address"),
                idle=configuration.number("server.idle_timeout"),
            ),
            seed=options["seed"],
            metrics=metrics_address(configuration, "server.metrics"),
            sink=recorder,
        )
        received = asyncio.run(serve_until_signalled(settings, ready=announce))
    finally:
        if recorder is not None:
            is_well = recorder.close()
        finish()
    if received is signal.SIGINT:
        raise KeyboardInterrupt
    return ExitCode.DONE if is_well else ExitCode.NO


def announce(address: str) -> None:
    click.echo(f"Serving on {address}. Ctrl-C ends it.")
