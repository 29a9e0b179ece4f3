"""`sapper web`: the web game."""

import asyncio
import contextlib
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sapper.cli.exits import ExitCode
from sapper.cli.options import database_option, setting_option
from sapper.cli.serve import announce, host_names, metrics_address, origins, web_proxies
from sapper.cli.store_access import open_serving
from sapper.config.configuration import Configuration, load
from sapper.errors import HeldStoreError
from sapper.server.logging import set_up

if TYPE_CHECKING:
    from sapper.store.locks import StoreLock
    from sapper.store.repository import Store
    from sapper.web.http.previews import Png
    from sapper.web.serving import WebSettings

EPILOG = """\b
Examples:
  sapper web
  SAPPER_WEB_ALLOWED_HOSTS=play.example.org sapper web --host 0.0.0.0 --port 80

Limits, names, proxies, metrics and the log are the settings web.* and log.*, in a file or in the environment (sapper config).

Games are kept in the store: they survive a reload and a restart. SIGTERM ends the server in order, with every game saved, and
it exits with 0. Behind a reverse proxy, name it in web.proxies; docs/web.md says more.
"""


@click.command("web", epilog=EPILOG)
@setting_option(
    "web.host", "--host", "hosts", metavar="HOST",
    help="Address to serve on; may be repeated. 0.0.0.0 is every address.",
)  # fmt: skip
@setting_option("web.port", "--port")
@database_option
def command(hosts: tuple[str, ...], port: int, database: str | None) -> ExitCode:
    """Serve the web game until a signal ends it.

    Writes its log to stderr, a line an event.
    """
    from sapper.web.serving import serve_until_signalled

    configuration = load(options={"web.host": hosts, "web.port": port})
    finish = set_up(sys.stderr, log_format=configuration.text("log.format"), level=configuration.text("log.level"))
    try:
        with open_serving(database) as store, _alone(store) as lock:
            settings = replace(_settings(configuration, store), lock=lock)
            received, lost = asyncio.run(serve_until_signalled(settings, ready=announce))
    finally:
        finish()
    if received is signal.SIGINT:
        raise KeyboardInterrupt
    return ExitCode.NO if lost else ExitCode.DONE


def _alone(store: "Store") -> "contextlib.AbstractContextManager[StoreLock | None]":
    """The store for this server alone, unless it can be shared; who has it else, and what can be done about it, is in the error."""
    if store.is_shared:
        return contextlib.nullcontext()
    try:
        return store.hold("web", "sapper web")
    except HeldStoreError as error:
        raise HeldStoreError(
            f"{error}; stop that server, or give this one another store with --database", holder=error.holder
        ) from None


def _settings(configuration: Configuration, store: "Store") -> "WebSettings":
    from sapper.web.games.play_policy import PlayPolicy
    from sapper.web.games.retention import RetentionPolicy
    from sapper.web.http.limits import WebLimits
    from sapper.web.http.page_look import Look
    from sapper.web.serving import WebSettings

    return WebSettings(
        store=store,
        secrets=_secrets(configuration.text("web.secret"), store),
        hosts=configuration.texts("web.host"),
        port=configuration.whole("web.port"),
        policy=PlayPolicy.of(configuration),
        limits=WebLimits.of(configuration),
        keep=RetentionPolicy(playing=configuration.whole("web.keep_days")),
        look=Look.of(configuration),
        metrics=metrics_address(configuration, "web.metrics"),
        allowed_hosts=host_names(configuration),
        allowed_origins=origins(configuration),
        proxies=web_proxies(configuration),
        png=_converter(),
    )


def _converter() -> "Png | None":
    """What makes PNG of SVG, if it is installed."""
    try:
        from sapper.plots.png import png
    except ImportError:
        return None
    return png


def _secrets(setting: str, store: "Store") -> tuple[str, ...]:
    """What is set, else what lies beside a store that is a file, or in one that servers share."""
    from sapper.web.http.identity import find_secrets, shared_secrets

    path = store.address.path
    if path is None and not setting:
        return shared_secrets(store.first_note)
    return find_secrets(setting, (path or Path()).absolute().parent)
