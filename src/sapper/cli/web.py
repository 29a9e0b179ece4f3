"""`sapper web`: the web game.

Knows: the options of the web server and their words; which store, and where the secret lies.
Does not know: how it serves.
"""

import asyncio
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sapper.cli.exits import ExitCode
from sapper.cli.options import Finite, database_option
from sapper.cli.storing import open_chosen
from sapper.config.configuration import load
from sapper.server.logging import FORMATS, LEVELS, set_up

if TYPE_CHECKING:
    from sapper.store.repository import Store
    from sapper.web.http.limits import WebLimits
    from sapper.web.serving import WebSettings

EPILOG = """\b
Examples:
  sapper web
  sapper web --host 0.0.0.0 --port 80 --allowed-host play.example.org --log-format json

Games are kept in the store: they survive a reload and a restart. SIGTERM ends the server in order, with every game saved, and
it exits with 0. Behind a reverse proxy, name it with --proxy; docs/web.md says more.
"""


@click.command("web", epilog=EPILOG)
@click.option(
    "--host", "hosts", multiple=True, metavar="HOST",
    help="Address to serve on; several times for several. [default: 127.0.0.1; 0.0.0.0 is everyone's]",
)  # fmt: skip
@click.option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True, help="Port; 0 is any free one.")
@click.option(
    "--allowed-host", "allowed_hosts", multiple=True, default=("auto",), metavar="NAME",
    help="A name that the server answers to. [default: localhost if only this machine is served, else any]",
)  # fmt: skip
@click.option(
    "--allowed-origin", "allowed_origins", multiple=True, default=("auto",), metavar="URL",
    help="Another server whose pages may play here, as https://example.org.",
)  # fmt: skip
@click.option(
    "--proxy", "proxies", multiple=True, default=("none",), metavar="ADDRESS",
    help="A reverse proxy's address or network; its X-Forwarded-For and X-Forwarded-Proto are believed.",
)  # fmt: skip
@click.option(
    "--max-cells", type=click.IntRange(1, 1_000_000), default=10_000, show_default=True,
    help="Cells of the largest board.",
)  # fmt: skip
@click.option(
    "--max-connections", type=click.IntRange(min=1), default=4000, show_default=True, help="Connections at once."
)
@click.option(
    "--max-per-address", type=click.IntRange(min=0), default=500, show_default=True,
    help="Connections at once from one address; 0 is no limit.",
)  # fmt: skip
@click.option(
    "--max-open-games", type=click.IntRange(min=1), default=20, show_default=True,
    help="Unfinished games that a player may have.",
)  # fmt: skip
@click.option(
    "--max-games", type=click.IntRange(min=1), default=5000, show_default=True, help="Games in memory at once."
)
@click.option(
    "--max-new-games", type=Finite(min=1), default=30.0, show_default=True, metavar="NUMBER",
    help="New games a minute and player, for as long as it goes on.",
)  # fmt: skip
@click.option(
    "--max-address-rate", type=Finite(min=1), default=50.0, show_default=True, metavar="NUMBER",
    help="Requests a second and address; ten times as many messages of games.",
)  # fmt: skip
@click.option(
    "--keep-ready", type=click.IntRange(0, 36_500), default=7, show_default=True, metavar="DAYS",
    help="How long a game is kept that nobody has begun; 0 is for ever.",
)  # fmt: skip
@click.option(
    "--keep-playing", type=click.IntRange(0, 36_500), default=365, show_default=True, metavar="DAYS",
    help="How long an unfinished game is kept from its last move on; 0 is for ever.",
)  # fmt: skip
@click.option(
    "--log-format", type=click.Choice(FORMATS), default="logfmt", show_default=True, help="Form of log lines."
)
@click.option("--log-level", type=click.Choice(LEVELS), default="info", show_default=True, help="What is logged.")
@database_option
def command(**options: Any) -> ExitCode:
    """Serve the web game until a signal ends it.

    The log goes to stderr, a line an event.
    """
    from sapper.web.serving import serve_until_signalled

    finish = set_up(sys.stderr, log_format=options["log_format"], level=options["log_level"])
    try:
        with open_chosen(options["database"]) as store:
            settings = _settings(options, store)
            received = asyncio.run(serve_until_signalled(settings, ready=_announce))
    finally:
        finish()
    if received is signal.SIGINT:
        raise KeyboardInterrupt
    return ExitCode.DONE


def _announce(address: str) -> None:
    click.echo(f"Serving on {address}. Ctrl-C ends it.")


def _settings(options: dict[str, Any], store: "Store") -> "WebSettings":
    """The settings that the options say, and those that have no option."""
    from sapper.web.games.retention import RetentionPolicy
    from sapper.web.http.identity import find_secret
    from sapper.web.http.presets import Look
    from sapper.web.serving import WebSettings

    configuration = load()
    return WebSettings(
        store=store,
        secret=find_secret(configuration.text("web.secret"), _folder(store)),
        hosts=options["hosts"] or ("127.0.0.1",),
        port=options["port"],
        limits=_limits(options),
        keep=RetentionPolicy(ready=options["keep_ready"], playing=options["keep_playing"]),
        look=Look.of(configuration),
        allowed_hosts=options["allowed_hosts"],
        allowed_origins=options["allowed_origins"],
        proxies=options["proxies"],
    )


def _limits(options: dict[str, Any]) -> "WebLimits":
    from sapper.web.http.limits import WebLimits

    usual = WebLimits()
    new_games, requests = options["max_new_games"] / 60, options["max_address_rate"]
    times = requests / usual.requests.per_second
    return replace(
        usual,
        cells=options["max_cells"],
        # The chances of all cells are one message.
        queued_size=max(usual.queued_size, 40 * options["max_cells"]),
        connections=options["max_connections"],
        per_address=options["max_per_address"],
        open_games=options["max_open_games"],
        games=options["max_games"],
        new_games=replace(
            usual.new_games, per_second=new_games, burst=max(usual.new_games.burst, options["max_new_games"])
        ),
        **{
            name: getattr(usual, name).times(times)
            for name in ("requests", "parsing", "opened", "address_messages", "address_new_games", "address_work")
        },
    )


def _folder(store: "Store") -> Path:
    """Where the secret lies: beside a store that is a file, else where such a store would be."""
    from sapper.store.engine import default_path

    return (store.place.path or default_path()).absolute().parent
