"""`sapper serve`: the game server.

Knows: the options of the server and their words.
Does not know: how it serves.
"""

import asyncio
import signal
import sys
from dataclasses import replace
from typing import Any

import click

from sapper.cli.exits import ExitCode
from sapper.cli.options import Finite, database_option
from sapper.cli.serve_recording import ServerRecorder
from sapper.cli.server_names import check_proxies
from sapper.net.limits import ServerLimits
from sapper.net.packets import PORT
from sapper.net.settings import ServerSettings
from sapper.server.logging import FORMATS, LEVELS, set_up

DEFAULTS = ServerLimits()

EPILOG = """\b
Examples:
  sapper serve
  sapper serve --host 0.0.0.0 --metrics-port 9998 --log-format json

Each player (sapper connect) plays a game of their own. SIGTERM (SIGHUP, SIGQUIT) ends the server in order: players are told, and it exits with 0,
or with 1 if a game could not be kept.
"""


@click.command("serve", epilog=EPILOG)
@click.option(
    "--host", "hosts", multiple=True, metavar="HOST",
    help="Address to serve on; may be repeated. 0.0.0.0 is every address. [default: 127.0.0.1]",
)  # fmt: skip
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="Port; 0 is any free one.")
@click.option(
    "--max-connections", type=click.IntRange(min=1), default=DEFAULTS.connections, show_default=True,
    help="Players at once.",
)  # fmt: skip
@click.option(
    "--max-per-address", type=click.IntRange(min=0), default=DEFAULTS.per_address, show_default=True,
    help="Players at once from one address; 0 is no limit.",
)  # fmt: skip
@click.option(
    "--proxy", "proxies", multiple=True, default=("none",), metavar="ADDRESS", callback=check_proxies,
    help="Address or network of a proxy that sends the PROXY protocol (version 1 or 2); may be repeated. [default: none]",
)  # fmt: skip
@click.option(
    "--idle-timeout", type=Finite(min=1), default=DEFAULTS.idle, show_default=True, metavar="SECONDS",
    help="Close a connection after this long without a packet.",
)  # fmt: skip
@click.option(
    "--max-packet", type=click.IntRange(min=3), default=DEFAULTS.payload, show_default=True, metavar="BYTES",
    help="Longest payload of a packet.",
)  # fmt: skip
@click.option(
    "--max-queued", type=click.IntRange(min=1), default=DEFAULTS.queued, show_default=True, metavar="BYTES",
    help="Unread answers above which a client's packets wait.",
)  # fmt: skip
@click.option(
    "--stall-timeout", type=Finite(min=1), default=DEFAULTS.stall, show_default=True, metavar="SECONDS",
    help="Disconnect a client that leaves answers unread for this long.",
)  # fmt: skip
@click.option("--metrics-port", type=click.IntRange(0, 65535), help="Serve metrics for Prometheus on this port.")
@click.option("--metrics-host", default="127.0.0.1", show_default=True, help="Address to serve metrics on.")
@click.option(
    "--log-format", type=click.Choice(FORMATS), default="logfmt", show_default=True, help="Form of log lines."
)
@click.option(
    "--log-level", type=click.Choice(LEVELS), default="info", show_default=True, help="Lowest level that is logged."
)
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
            settings = replace(settings, recorder=recorder.recorder)
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
        connections=options["max_connections"],
        per_address=options["max_per_address"],
        idle=options["idle_timeout"],
        payload=options["max_packet"],
        queued=options["max_queued"],
        stall=options["stall_timeout"],
    )
    return ServerSettings(
        hosts=options["hosts"] or ("127.0.0.1",),
        port=options["port"],
        proxies=options["proxies"],
        limits=limits,
        seed=options["seed"],
        metrics_host=options["metrics_host"],
        metrics_port=options["metrics_port"],
    )
