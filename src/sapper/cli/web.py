"""`sapper web`: the web game."""

import asyncio
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sapper.cli.defaults import OPTIONS
from sapper.cli.exits import ExitCode
from sapper.cli.options import database_option, serving_options, setting_option
from sapper.cli.server_names import check_origins, check_web_proxies
from sapper.cli.storing import open_serving
from sapper.config.configuration import load
from sapper.errors import HeldStoreError
from sapper.server.logging import set_up

if TYPE_CHECKING:
    from sapper.store.locks import StoreLock
    from sapper.store.repository import Store
    from sapper.web.serving import WebSettings

EPILOG = """\b
Examples:
  sapper web
  sapper web --host 0.0.0.0 --port 80 --allowed-host play.example.org --log-format json

Games are kept in the store: they survive a reload and a restart. SIGTERM ends the server in order, with every game saved, and
it exits with 0. Behind a reverse proxy, name it with --proxy; docs/web.md says more.
"""


@click.command("web", epilog=EPILOG)
@setting_option(
    "web.host", "--host", "hosts", metavar="HOST",
    help="Address to serve on; may be repeated. 0.0.0.0 is every address. [default: 127.0.0.1]",
)  # fmt: skip
@setting_option("web.port", "--port")
@setting_option(
    "web.allowed_hosts", "--allowed-host", "allowed_hosts", metavar="NAME",
    help="Host name that the server answers to. [default: localhost if only this machine is served, else any]",
)  # fmt: skip
@setting_option(
    "web.allowed_origins", "--allowed-origin", "allowed_origins", metavar="URL", callback=check_origins,
    help="Another server whose pages may play here, such as https://example.org.",
)  # fmt: skip
@setting_option(
    "web.proxies", "--proxy", "proxies", metavar="ADDRESS", callback=check_web_proxies,
    help="Address or network of a reverse proxy whose X-Forwarded-For and X-Forwarded-Proto are trusted.",
)  # fmt: skip
@setting_option("web.max_cells", "--max-cells")
@setting_option("web.max_connections", "--max-connections")
@setting_option("web.max_per_address", "--max-per-address")
@setting_option("web.max_open_games", "--max-open-games")
@setting_option("web.max_address_rate", "--max-address-rate", metavar="NUMBER")
@setting_option("web.keep_days", "--keep-days", metavar="DAYS")
@serving_options("web.metrics")
@database_option
def command(**options: Any) -> ExitCode:
    """Serve the web game until a signal ends it.

    Writes its log to stderr, a line an event.
    """
    from sapper.web.serving import serve_until_signalled

    finish = set_up(sys.stderr, log_format=options["log_format"], level=options["log_level"])
    try:
        with open_serving(options["database"]) as store, _alone(store) as lock:
            settings = replace(_settings(options, store), lock=lock)
            received, lost = asyncio.run(serve_until_signalled(settings, ready=_announce))
    finally:
        finish()
    if received is signal.SIGINT:
        raise KeyboardInterrupt
    return ExitCode.NO if lost else ExitCode.DONE


def _alone(store: "Store") -> "StoreLock":
    """The store for this server alone; who has it else, and what can be done about it, is in the error."""
    try:
        return store.hold("web", "sapper web")
    except HeldStoreError as error:
        raise HeldStoreError(
            f"{error}; stop that server, or give this one another store with --database", holder=error.holder
        ) from None


def _announce(address: str) -> None:
    click.echo(f"Serving on {address}. Ctrl-C ends it.")


def _settings(options: dict[str, Any], store: "Store") -> "WebSettings":
    """What options and settings say."""
    from sapper.web.games.play_policy import PlayPolicy
    from sapper.web.games.retention import RetentionPolicy
    from sapper.web.http.identity import find_secrets
    from sapper.web.http.limits import WebLimits
    from sapper.web.http.page_look import Look
    from sapper.web.serving import WebSettings

    given = {key: options[name] for name, key in OPTIONS["web"].items() if name != "metrics"}
    configuration = load(options=given)
    return WebSettings(
        store=store,
        secrets=find_secrets(configuration.text("web.secret"), _folder(store)),
        hosts=configuration.texts("web.host"),
        port=configuration.whole("web.port"),
        policy=PlayPolicy.of(configuration),
        limits=WebLimits.of(configuration),
        keep=RetentionPolicy(playing=configuration.whole("web.keep_days")),
        look=Look.of(configuration),
        metrics=options["metrics"],
        allowed_hosts=configuration.texts("web.allowed_hosts"),
        allowed_origins=configuration.texts("web.allowed_origins"),
        proxies=configuration.texts("web.proxies"),
    )


def _folder(store: "Store") -> Path:
    """Where the secret lies: beside a store that is a file, else where such a store would be."""
    from sapper.store.engine import default_path

    return (store.address.path or default_path()).absolute().parent
